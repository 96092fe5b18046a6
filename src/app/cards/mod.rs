//! The card layer of a session page: thin views over [`crate::deck`].
//!
//! Decision: the deck is one signal; every card draws itself from memos over it, so a change touches the cards that it
//! is about and no other. Until the page is taken over there are no cards, only links.
//! Invariants: nothing that an agent does takes the focus or raises a card; the deck is written once a gesture.

mod acts;
mod agents;
mod bodies;
mod card;
mod dock;
mod focus;
mod grab;
mod header;
mod keyboard;
mod measure;
mod menu;
mod menus;
mod rail;
mod reading;
mod reason;
mod slices;
mod sort;
mod speaker;
mod state;
mod storage;
mod todos;
mod watch;

use leptos::prelude::*;

use card::CardView;
use dock::Dock;
use menu::Menu;
use rail::Rail;

pub use acts::{ACTS, ALL, maximise, maximise_name, move_to, set_size};
pub use state::Cards;

use super::desk::Desk;
use super::mirror::Mirror;

/// The agents of a session as cards beside its conversation, and the dock below it.
#[component]
pub fn CardLayer(mirror: Mirror) -> impl IntoView {
    let desk = use_context::<Desk>().unwrap_or_default();
    let cards = Cards::new(mirror, desk.clone());
    desk.layer.set(Some(cards));
    let space = NodeRef::new();
    storage::keep(cards);
    measure::follow(cards, space);
    storage::open_linked(cards);
    slices::follow(cards);
    watch::follow(cards);
    reading::follow(cards);
    keyboard::follow(cards);
    let open = Memo::new(move |_| cards.here.with(|here| cards.on_table().into_iter().filter(|id| here.contains(id)).collect::<Vec<_>>()));
    view! {
        <div class="card-space" node_ref=space aria-hidden="true"></div>
        <section class="cards" aria-label="Agent cards" class:peeking=move || cards.peeking.get() class:grabbing=move || cards.drawn.with(Option::is_some)>
            <For each=move || open.get() key=|id| *id let:id>
                <CardView cards id />
            </For>
        </section>
        <Rail cards />
        <Dock cards />
        <Menu cards />
        {move || cards.told.get().map(|words| view! { <p class="told" aria-hidden="true">{words}</p> })}
        <p class="seen-not" role="status">{move || cards.status.get()}</p>
        <p class="seen-not" role="alert">{move || cards.alert.get()}</p>
    }
}
