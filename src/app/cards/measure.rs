//! What the page leaves for the cards, and what on it should not be covered.

use leptos::html::Div;
use leptos::prelude::*;
use leptos::wasm_bindgen::closure::Closure;
use leptos::wasm_bindgen::{JsCast, JsValue};
use leptos::web_sys::{self, DomRect, Element, HtmlElement};

use super::state::Cards;
use crate::deck::{self, Obstacle, Rect, Scene, Size};

/// Where a person writes, on pages that have it: no card ever stands over it.
const COMPOSER: &str = "main > .composer";
/// The scrolled part of the conversation, and the column of text in it.
const CONVERSATION: &str = "main > .transcript > .log";
const COLUMN: &str = "main > .transcript > .log > .entries";
/// The lists beside it.
const ASIDE: &str = ".page > .side";
/// The conversation and the rail.
const DESK: &str = ".page > .desk";
/// The cards that stand fast.
const RAIL: &str = "main > .rail";
/// What the conversation leaves for a floating card, and the least that it keeps, px; the style says the same.
const BESIDE: f64 = 360.0;
const LEAST: f64 = 400.0;
/// So much of the conversation's end weighs most, px.
const END: f64 = 240.0;

/// Keeps the deck's area as the page has it: at the start, and at every change of the window or of what surrounds it.
pub fn follow(cards: Cards, space: NodeRef<Div>) {
    Effect::new(move |_| {
        let Some(element) = space.get() else { return };
        let element: Element = element.unchecked_into();
        let measured = element.clone();
        measure(cards, &measured);
        let changed = Closure::<dyn Fn()>::new(move || measure(cards, &measured));
        let Ok(observer) = web_sys::ResizeObserver::new(changed.as_ref().unchecked_ref()) else { return };
        observer.observe(&element);
        if let Some(desk) = element.parent_element() {
            observer.observe(&desk);
        }
        let kept = StoredValue::new_local(Some((observer, changed)));
        on_cleanup(move || {
            kept.update_value(|kept| {
                if let Some((observer, _)) = kept.take() {
                    observer.disconnect();
                }
            });
        });
    });
}

fn measure(cards: Cards, space: &Element) {
    let viewport = viewport();
    let active = deck::floats(cards.active.get_untracked(), viewport);
    let desk = space.parent_element().map(|desk| rect(&desk.get_bounding_client_rect()));
    let (left, room) = desk.map_or((0.0, viewport.w), |desk| (desk.x, desk.w));
    if cards.room.get_untracked() != room {
        cards.room.set(room);
    }
    if cards.deck.with_untracked(|deck| deck.room() != (left, room)) {
        cards.deck.update(|deck| deck.set_room(left, room));
    }
    let bounds = rect(&space.get_bounding_client_rect());
    let bottom = place(COMPOSER).map_or(bounds.bottom(), |composer| composer.y.min(bounds.bottom()));
    let area = deck::area(viewport, bounds.y, bottom, scrollbar());
    if area.is_real() && cards.deck.with_untracked(|deck| deck.bounds() != area) {
        cards.deck.update(|deck| deck.resize(area));
    }
    if active != cards.active.get_untracked() {
        if !active {
            super::grab::revert(cards);
            super::rail::revert(cards);
        }
        cards.active.set(active);
        cards.desk().has_cards.set(active);
    }
}

/// The width of the conversation's scrollbar, px; its place is kept even where nothing is scrolled.
fn scrollbar() -> f64 {
    let log = find(CONVERSATION).and_then(|log| log.dyn_into::<HtmlElement>().ok());
    log.map_or(0.0, |log| f64::from(log.offset_width() - log.client_width()))
}

/// What is on the page beside the cards, now.
pub fn scene() -> Scene {
    let mut obstacles = Vec::new();
    if let Some((log, column)) = place(CONVERSATION).zip(place(COLUMN)) {
        // As it will be once a card floats: the style makes room for one, where no column has taken it.
        let w = if place(RAIL).is_some() { column.w } else { column.w.min((log.w - scrollbar() - BESIDE).max(LEAST)) };
        let conversation = Rect { x: column.x, w, ..log };
        let end = conversation.h.min(END);
        obstacles.push(Obstacle { rect: conversation, weight: deck::BODY_WEIGHT });
        obstacles.push(Obstacle { rect: Rect { y: conversation.bottom() - end, h: end, ..conversation }, weight: 16.0 });
    }
    for (selector, weight) in [(ASIDE, 2.0), (RAIL, 4.0)] {
        obstacles.extend(place(selector).map(|rect| Obstacle { rect, weight }));
    }
    let right = place(RAIL).map(|rail| rail.x);
    let desk = place(DESK).map(|desk| Rect { w: right.unwrap_or(desk.right()) - scrollbar() - desk.x, ..desk });
    Scene { obstacles, focus: focus(), desk, height: None }
}

/// What holds the focus, where it is a control and not a whole region that scrolls.
fn focus() -> Option<Rect> {
    let element = document().active_element()?;
    let small = element.dyn_ref::<HtmlElement>().is_some() && !element.matches("body,main,article,[role=log]").unwrap_or(true);
    small.then(|| rect(&element.get_bounding_client_rect())).filter(Rect::is_real)
}

/// Where an element stands, if it is there and drawn.
fn place(selector: &str) -> Option<Rect> {
    find(selector).map(|element| rect(&element.get_bounding_client_rect())).filter(Rect::is_real)
}

/// The size of the window's inside, px.
pub(super) fn viewport() -> Size {
    let px = |value: Result<JsValue, JsValue>| value.ok().and_then(|value| value.as_f64()).unwrap_or(0.0);
    Size { w: px(window().inner_width()), h: px(window().inner_height()) }
}

pub(super) fn find(selector: &str) -> Option<Element> {
    document().query_selector(selector).ok().flatten()
}

pub(super) fn rect(bounds: &DomRect) -> Rect {
    Rect { x: bounds.x(), y: bounds.y(), w: bounds.width(), h: bounds.height() }
}
