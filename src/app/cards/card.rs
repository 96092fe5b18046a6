//! One card on the table.

use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{FocusEvent, Node};

use super::bodies::{Body, Foot};
use super::header::CardHeader;
use super::state::Cards;
use super::{grab, keyboard, measure};
use crate::app::status::hue;
use crate::deck::{CardId, Handle, Mode};

/// A card: what it shows, framed by what moves it.
#[component]
pub fn CardView(cards: Cards, id: CardId) -> impl IntoView {
    let held = Memo::new(move |_| cards.drawn.with(|drawn| drawn.filter(|(held, _)| *held == id).map(|(_, rect)| rect)));
    let place = Memo::new(move |_| cards.deck.with(|deck| deck.rect(id)).unwrap_or_default());
    let rect = Memo::new(move |_| held.get().unwrap_or_else(|| place.get()));
    let z = Memo::new(move |_| cards.deck.with(|deck| deck.z(id)).unwrap_or_default());
    let front = Memo::new(move |_| cards.deck.with(|deck| deck.front() == Some(id)));
    let maximised = Memo::new(move |_| held.with(Option::is_none) && cards.deck.with(|deck| deck.mode(id) == Some(Mode::Max)));
    let keyed = Memo::new(move |_| cards.keys.with(|keys| keys.is_some_and(|keys| keys.id == id)));
    let desk = cards.desk();
    let touched = Memo::new(move |_| id.agent().is_some() && desk.touched.get() == id.agent());
    let leave = move |event: FocusEvent| {
        let inside = event.current_target().and_then(|card| card.dyn_into::<Node>().ok());
        let next = event.related_target().and_then(|next| next.dyn_into::<Node>().ok());
        if !inside.is_some_and(|card| card.contains(next.as_ref())) {
            // Not at once, as in `Desk::release`: a page that goes takes the focus from the card.
            request_animation_frame(move || left(cards, id));
            cards.release(id);
        }
    };
    let enter = move |_| {
        cards.raise(id);
        cards.attend(id);
        if cards.deck.with_untracked(|deck| deck.focused() != Some(id)) {
            cards.deck.update(|deck| deck.set_focused(Some(id)));
        }
        cards.touch(id);
    };
    let handles = Handle::ALL.map(|handle| view! { <span class=format!("grip {}", handle.name()) data-grip=handle.name()></span> });
    view! {
        <article
            id=format!("card-{id}")
            class=format!("card {}", id.agent().map_or("hue0", hue))
            class:back=cards.back.get_untracked() == Some(id)
            class:top=move || front.get()
            class:max=move || maximised.get()
            class:held=move || held.with(Option::is_some)
            class:keyed=move || keyed.get()
            class:touched=move || touched.get()
            aria-labelledby=format!("title-{id}")
            aria-describedby=format!("foot-{id}")
            tabindex="-1"
            style:transform=move || rect.with(|rect| format!("translate({}px, {}px)", rect.x, rect.y))
            style:width=move || format!("{}px", rect.with(|rect| rect.w))
            style:height=move || format!("{}px", rect.with(|rect| rect.h))
            style:z-index=move || z.get().to_string()
            on:pointerdown=move |event| grab::press(cards, id, &event)
            on:pointermove=move |event| grab::follow(cards, &event)
            on:pointerup=move |event| grab::release(cards, &event)
            on:pointercancel=move |_| {
                grab::revert(cards);
            }
            on:lostpointercapture=move |_| {
                grab::revert(cards);
            }
            on:pointerenter=move |_| cards.touch(id)
            on:pointerleave=move |_| cards.release(id)
            on:focusin=enter
            on:focusout=leave
            on:keydown=move |event| keyboard::on_card(cards, id, &event)
        >
            <CardHeader cards id maximised />
            <div class="card-body">
                <Body cards id />
            </div>
            <Foot cards id keyed />
            {handles}
        </article>
    }
}

/// The focus has left a card, and has not come back since.
fn left(cards: Cards, id: CardId) {
    if cards.is_gone() || measure::find(&format!("#card-{id}:focus-within")).is_some() {
        return;
    }
    keyboard::end_keys(cards, id, true);
    if cards.deck.with_untracked(|deck| deck.focused() == Some(id)) {
        cards.deck.update(|deck| deck.set_focused(None));
    }
}
