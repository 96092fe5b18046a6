//! The paired browsers, on the page of settings: what they are called, when they were used, and taking their right away.

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde::Deserialize;

use crate::app::clock::{Ago, Clock};
use crate::app::live::{live, words};
use crate::app::{dom, kept};
use crate::model::Ms;

#[derive(Clone, Debug, PartialEq, Deserialize)]
struct Device {
    id: String,
    name: String,
    seen_at: Ms,
    /// It is this one.
    here: bool,
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
    let revoke = move |id: String, here: bool| {
        spawn_local(async move {
            if here {
                kept::clear().await;
            }
            let body = serde_json::json!({ "id": id }).to_string();
            let _ = dom::post("/api/v1/devices/revoke", &body).await;
            if here { dom::go_to("/pair") } else { read() }
        });
    };
    let row = move |device: Device| {
        let Device { id, name, seen_at, here } = device;
        let (clock, word) = (clock.clone(), if here { "Log out" } else { "Remove" });
        let label = if here { "Log out this browser".to_owned() } else { format!("Remove {name}") };
        view! {
            <li>
                <span><b>{name}</b>{here.then_some(", this one")}</span>
                <small>"last used "<Ago clock=clock at=Signal::stored(Some(seen_at)) /></small>
                <button type="button" class="btn" aria-label=label on:click=move |_| revoke(id.clone(), here)>{word}</button>
            </li>
        }
        .into_any()
    };
    view! {
        <section class="devices" aria-labelledby="devices-title">
            <h2 id="devices-title">"Paired browsers"</h2>
            <p>"Each can see everything. One that is removed has to be paired again, and what it has saved goes when it next looks. "<code>"sidedeck pair"</code>" adds a phone."</p>
            <p class="sorry" role="status">{words(move || devices.with(|devices| devices.as_ref().and_then(|found| found.as_ref().err().copied()).unwrap_or_default()))}</p>
            {live(move || devices.with(|devices| devices.as_ref().and_then(|found| found.as_ref().ok()).map(|found| view! { <ul>{found.iter().cloned().map(row.clone()).collect_view()}</ul> })))}
        </section>
    }
    .into_any()
}
