//! The paired browsers, on the page of settings: what they are called, when they were paired and used, and taking their right away.

use leptos::html::{Dialog, Input};
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde::Deserialize;

use crate::app::clock::{Ago, Clock};
use crate::app::live::{live, words};
use crate::app::{clean, dom, kept};
use crate::model::Ms;

#[derive(Clone, Debug, PartialEq, Deserialize)]
struct Device {
    id: String,
    name: String,
    made_at: Ms,
    seen_at: Ms,
    /// It is this one.
    here: bool,
}

/// What is to become of one, once a person has said so.
#[derive(Clone)]
struct Wish {
    device: Device,
    /// Else it is removed.
    rename: bool,
}

#[derive(Deserialize)]
struct Listed {
    devices: Vec<Device>,
}

async fn listed() -> Option<Vec<Device>> {
    let (status, body) = dom::get("/api/v1/devices").await?;
    (status == 200).then(|| serde_json::from_str::<Listed>(&body).ok())?.map(|listed| listed.devices)
}

/// The list, read once the page is there.
#[component]
pub fn Devices() -> impl IntoView {
    let devices = RwSignal::new(None::<Result<Vec<Device>, &'static str>>);
    let clock = Clock::new(0);
    clock.run();
    let failed = "The server does not answer; load the page again.";
    let read = move || {
        spawn_local(async move {
            let found = listed().await.ok_or(failed);
            // The page may be gone by now.
            let _ = devices.try_set(Some(found));
        });
    };
    Effect::new(move |_| read());
    let (dialog, field) = (NodeRef::<Dialog>::new(), NodeRef::<Input>::new());
    let wish = RwSignal::new(None::<Wish>);
    let ask = move |new: Wish| {
        wish.set(Some(new));
        // Its words are drawn first.
        request_animation_frame(move || dom::open_dialog(dialog));
    };
    let act = move || {
        let Some(Wish { device, rename }) = wish.get_untracked() else { return };
        let name = field.get_untracked().map(|field| field.value()).unwrap_or_default();
        if rename && name.trim().is_empty() {
            return;
        }
        dom::close_dialog(dialog);
        spawn_local(async move {
            let Device { id, here, .. } = device;
            let done = if rename {
                dom::post("/api/v1/devices/name", &serde_json::json!({ "id": id, "name": name }).to_string()).await
            } else {
                if here {
                    kept::clear().await;
                }
                dom::post("/api/v1/devices/revoke", &serde_json::json!({ "id": id }).to_string()).await
            };
            match done {
                None => drop(devices.try_set(Some(Err(failed)))),
                Some(_) if here && !rename => dom::go_to("/pair"),
                Some(_) => read(),
            }
        });
    };
    let typed = move |event: leptos::ev::KeyboardEvent| {
        if event.key() == "Enter" {
            // Else it would press what has the focus once the dialog is closed: the button that opened it.
            event.prevent_default();
            act();
        }
    };
    let row = move |device: Device| {
        let Device { name, made_at, seen_at, here, .. } = device.clone();
        let (paired, used, word) = (clock.clone(), clock.clone(), if here { "Log out" } else { "Remove" });
        let label = if here { "Log out this browser".to_owned() } else { format!("Remove {name}") };
        let (renamed, removed) = (Wish { device: device.clone(), rename: true }, Wish { device, rename: false });
        let called = format!("Rename {name}");
        view! {
            <li>
                <span><b dir="auto">{clean(&name).into_owned()}</b>{here.then_some(", this one")}</span>
                <small>"paired "<Ago clock=paired at=Signal::stored(Some(made_at)) /><span class="sep">"last used "<Ago clock=used at=Signal::stored(Some(seen_at)) /></span></small>
                <button type="button" class="btn ghost" aria-label=called on:click=move |_| ask(renamed.clone())>"Rename"</button>
                <button type="button" class="btn" aria-label=label on:click=move |_| ask(removed.clone())>{word}</button>
            </li>
        }
        .into_any()
    };
    let asked = move || {
        wish.get().map(|Wish { device, rename }| {
            let (title, does, word) = match (rename, device.here) {
                (true, _) => ("Rename this browser", "", "Rename"),
                (false, true) => ("Log out this browser?", "It has to be paired again, and all that it has saved for reading offline goes.", "Log out"),
                (false, false) => ("Remove this browser?", "It is logged out within a second and has to be paired again. What it has saved for reading offline goes when it next looks.", "Remove"),
            };
            let class = if rename { "btn primary" } else { "btn danger" };
            view! {
                <h2 id="device-title">{title}</h2>
                {if rename {
                    view! { <p><input type="text" class="name" maxlength="60" aria-label="Name" autocomplete="off" value=device.name node_ref=field on:keydown=typed /></p> }.into_any()
                } else {
                    view! { <p class="what" dir="auto">{clean(&device.name).into_owned()}</p><p>{does}</p> }.into_any()
                }}
                <div class="row">
                    <button type="button" class="btn" on:click=move |_| dom::close_dialog(dialog)>"Cancel"</button>
                    <button type="button" class=class on:click=move |_| act()>{word}</button>
                </div>
            }
        })
    };
    view! {
        <section class="devices" aria-labelledby="devices-title">
            <h2 id="devices-title">"Paired browsers"</h2>
            <p>"Each can see everything. One that is removed has to be paired again, and what it has saved goes when it next looks. "<code>"sidedeck pair"</code>" adds a phone."</p>
            <p class="sorry" role="status">{words(move || devices.with(|devices| devices.as_ref().and_then(|found| found.as_ref().err().copied()).unwrap_or_default()))}</p>
            {live(move || devices.with(|devices| devices.as_ref().and_then(|found| found.as_ref().ok()).map(|found| view! { <ul>{found.iter().cloned().map(row.clone()).collect_view()}</ul> })))}
            <dialog class="confirm" aria-labelledby="device-title" node_ref=dialog>{live(asked)}</dialog>
        </section>
    }
    .into_any()
}
