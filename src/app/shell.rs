//! The page around all pages: head, theme, routes.

use leptos::nonce::use_nonce;
use leptos::prelude::*;
use leptos_meta::{MetaTags, Title, provide_meta_context};
use leptos_router::components::{FlatRoutes, Route, Router};
use leptos_router::{SsrMode, path};

use super::live::stage;
use super::pages::{Home, Missing, SessionView, Settings};
use super::roster::Roster;
use super::{palette, settings, trail};
use crate::BUILD;

/// Sets the kept theme before the first paint.
const THEME: &str =
    "try{var t=localStorage.getItem('theme');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch(e){}";

/// Holds the last press of a button or a radio that comes before the client is there, and gives it to it then; what is typed behind a press on the
/// search goes into its field. Links and disclosures need no client.
const HOLD: &str = "(()=>{let held,typed='';const root=document.documentElement,finds='.finds',\
    press=(e)=>{held=e.target.closest?.('button,[type=radio]')??held},\
    keys=(e)=>{const meta=e.ctrlKey||e.metaKey;\
    if(meta&&e.key==='k'){e.preventDefault();held=document.querySelector(finds)}\
    else if(held?.matches(finds)&&!meta&&!e.altKey&&(e.key.length===1||e.key==='Backspace')){\
    e.preventDefault();typed=e.key.length===1?typed+e.key:typed.slice(0,-1)}},\
    rest=()=>removeEventListener('keydown',keys,true),\
    give=(frames)=>{const field=document.querySelector('.palette[open] input');\
    if(field){rest();if(typed){field.value=typed;field.dispatchEvent(new Event('input',{bubbles:true}))}}\
    else if(frames)requestAnimationFrame(()=>give(frames-1));else rest()};\
    addEventListener('click',press,true);addEventListener('keydown',keys,true);\
    new MutationObserver((_,seen)=>{if(!root.dataset.hydrated)return;\
    seen.disconnect();removeEventListener('click',press,true);\
    if(held?.isConnected)if(held.type==='radio')held.dispatchEvent(new Event('change',{bubbles:true}));else held.click();\
    if(held?.matches(finds))give(99);else rest()}).observe(root,{attributeFilter:['data-hydrated']})})()";

/// Shows the end of the conversation before the client is there, and without it.
const END: &str = "for(const l of document.querySelectorAll('[role=log]'))l.scrollTop=l.scrollHeight";

/// The addresses of the client's files, by default those of this build.
#[derive(Clone, Debug)]
pub struct Client {
    pub css: String,
    pub js: String,
    pub wasm: String,
    /// What keeps rows for reading without a server.
    pub keeper: String,
    /// What compiles the client beside the page.
    pub compiler: String,
}

impl Default for Client {
    fn default() -> Self {
        let file = |ending: &str| format!("/pkg/sidedeck.{BUILD}.{ending}");
        Self { css: file("css"), js: file("js"), wasm: file("wasm"), keeper: file("keeper.js"), compiler: file("compiler.js") }
    }
}

/// The document that the server sends.
///
/// The client is asked for behind the first paint, so that nothing competes with what is to be read; a tab in the background paints
/// nothing and does not wait for it. Hydration is a task of its own: the browser may answer a finger before it.
pub fn shell(client: &Client) -> impl IntoView + use<> {
    let Client { css, js, wasm, keeper, compiler } = client.clone();
    let nonce = use_nonce();
    let start = format!(
        "import{{compiled}}from{compiler:?};\
         const go=async()=>{{const of=compiled({wasm:?}),[{{default:start,hydrate}}]=await Promise.all([import({js:?}),import({keeper:?})]);await start({{module_or_path:await of}});setTimeout(hydrate)}};\
         const failed=()=>document.documentElement.dataset.failed='';\
         const caught=(event)=>{{if((event.error??event.reason)instanceof WebAssembly.RuntimeError)failed()}};\
         addEventListener('error',caught);addEventListener('unhandledrejection',caught);\
         const run=()=>go().catch((error)=>{{failed();throw error}});\
         document.hidden?run():requestAnimationFrame(()=>setTimeout(run))"
    );
    view! {
        <!DOCTYPE html>
        <html lang="en">
            <head>
                <meta charset="utf-8" />
                <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content" />
                <meta name="color-scheme" content="light dark" />
                <meta name="theme-color" media="(prefers-color-scheme: light)" content="#ffffff" />
                <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#171b1a" />
                <script nonce=nonce.clone()>{THEME}</script>
                <script nonce=nonce.clone()>{HOLD}</script>
                <link rel="stylesheet" href=css />
                <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
                <link rel="apple-touch-icon" href="/icon-180.png" />
                <link rel="manifest" href="/manifest.webmanifest" />
                <script type="module" nonce=nonce.clone()>{start}</script>
                <MetaTags />
            </head>
            <body>
                <App />
                <p class="lifeless" role="alert">"The page’s program could not be loaded, or has failed: what is here can be read, but no button works. "<a href="">"Reload"</a></p>
                <script nonce=nonce>{END}</script>
            </body>
        </html>
    }
}

/// All pages.
#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    palette::provide();
    settings::provide();
    Roster::provide();
    trail::provide();
    let pages = || {
        view! {
            <Title formatter=|title: String| if title.is_empty() { "Sidedeck".to_owned() } else { format!("{title} · Sidedeck") } />
            <Router>
                <FlatRoutes fallback=|| view! { <Missing /> }>
                    <Route path=path!("/") view=Home ssr=SsrMode::InOrder />
                    <Route path=path!("/settings") view=Settings ssr=SsrMode::InOrder />
                    <Route path=path!("/s/:session") view=SessionView ssr=SsrMode::InOrder />
                    <Route path=path!("/s/:session/a/:agent") view=SessionView ssr=SsrMode::InOrder />
                </FlatRoutes>
            </Router>
        }
    };
    view! { <div class="app">{stage(pages)}</div> }
}
