//! Scrolling by hand: following the end, keeping what is read in its place, loading the way up.
//!
//! Decision: the browser's own anchoring is off (it fights following, and not all browsers have it). After each layout,
//! before the paint, either the end is shown or the entry at the top is put back to where it was.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use leptos::html::Div;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, Event, HtmlElement, KeyboardEvent, PointerEvent, ResizeObserver, TouchEvent, WheelEvent};

use super::Latch;
use crate::app::dom::{self, Listener};
use crate::app::mirror::Window;
use crate::app::settings;
use crate::app::transcript::follow::{Follow, View};
use crate::app::transcript::scene::Scene;

/// How near the top the earlier part is asked for, in CSS pixels.
const EARLY: f64 = 900.0;
/// So many chunks a card keeps while it follows the end: a few screens of it.
const KEPT: usize = 3;
/// How long a person's opening of something keeps following from moving it, in ms.
const OPENING: i32 = 300;

struct Scroll {
    latch: Latch,
    scroller: HtmlElement,
    content: HtmlElement,
    scene: Scene,
    window: Window,
    follow: Cell<Follow>,
    /// The entry at the top and its place, for putting it back.
    anchor: RefCell<Option<(Element, f64)>>,
    /// Something is being opened.
    opening: Cell<bool>,
    loading: Cell<bool>,
    finger: Cell<Option<i32>>,
    settling: Cell<bool>,
}

/// What must live as long as the transcript.
struct Held {
    observer: ResizeObserver,
    _resized: Closure<dyn FnMut(JsValue)>,
    _listeners: Vec<Listener>,
}

impl Drop for Held {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

pub fn attach(latch: Latch, scroller: NodeRef<Div>, content: NodeRef<Div>, scene: Scene, window: Window) {
    let held = StoredValue::new_local(None::<Held>);
    let scroll = StoredValue::new_local(None::<Rc<Scroll>>);
    Effect::new(move |_| {
        let (Some(scroller), Some(content)) = (scroller.get(), content.get()) else { return };
        if scroll.with_value(Option::is_some) {
            return;
        }
        let mut follow = Follow::default();
        let place = scene.place.as_ref().and_then(|place| place.get_value());
        if !latch.follows || place.is_some() {
            follow.leave();
        }
        let new = Rc::new(Scroll {
            latch,
            scroller: scroller.unchecked_into(),
            content: content.unchecked_into(),
            scene: scene.clone(),
            window: window.clone(),
            follow: Cell::new(follow),
            anchor: RefCell::default(),
            opening: Cell::default(),
            loading: Cell::default(),
            finger: Cell::default(),
            settling: Cell::default(),
        });
        held.set_value(observe(&new));
        new.laid_out();
        if follow.is_on() && !settings::follows() {
            new.change(|follow, _| follow.leave());
        }
        if let Some(top) = place {
            new.come_back(top);
        }
        scroll.set_value(Some(new));
    });
    Effect::new(move |before: Option<u32>| {
        let jumps = latch.jumps.get();
        if before.is_some_and(|before| before != jumps) {
            scroll.with_value(|scroll| {
                if let Some(scroll) = scroll {
                    scroll.change(|follow, _| follow.jump());
                    scroll.laid_out();
                }
            });
        }
        jumps
    });
    on_cleanup(move || held.set_value(None));
}

fn observe(scroll: &Rc<Scroll>) -> Option<Held> {
    let laid_out = Rc::clone(scroll);
    let resized = Closure::<dyn FnMut(JsValue)>::new(move |_| laid_out.laid_out());
    let observer = ResizeObserver::new(resized.as_ref().unchecked_ref()).ok()?;
    observer.observe(&scroll.scroller);
    observer.observe(&scroll.content);
    let on = |name: &'static str, job: fn(&Rc<Scroll>, Event)| {
        let scroll = Rc::clone(scroll);
        dom::on(scroll.scroller.clone().unchecked_into(), name, move |event| job(&scroll, event))
    };
    let listeners = vec![
        on("scroll", |scroll, _| scroll.scrolled()),
        // Somebody is about to be shown another place.
        on("leave", |scroll, _| scroll.change(|follow, _| follow.leave())),
        on("wheel", |scroll, event| {
            if event.unchecked_ref::<WheelEvent>().delta_y() < 0.0 {
                scroll.change(Follow::up);
            }
        }),
        on("touchstart", |scroll, event| scroll.finger.set(finger(&event))),
        on("touchmove", |scroll, event| {
            let now = finger(&event);
            if let (Some(before), Some(now)) = (scroll.finger.get(), now)
                && now > before + 4
            {
                scroll.change(Follow::up);
            }
            scroll.finger.set(now);
        }),
        on("keydown", |scroll, event| scroll.key(event.unchecked_ref())),
        on("pointerdown", |scroll, event| {
            let on_bar = event.target().is_some_and(|target| target == scroll.scroller.clone().into());
            scroll.change(|follow, _| follow.hold(on_bar));
        }),
        on("pointerup", |scroll, _| scroll.change(|follow, _| follow.hold(false))),
        on("pointermove", |scroll, event| {
            let selecting = event.unchecked_ref::<PointerEvent>().buttons() == 1
                && leptos::prelude::window().get_selection().ok().flatten().is_some_and(|selection| !selection.is_collapsed());
            if selecting && scroll.follow.get().is_on() {
                scroll.change(Follow::up);
            }
        }),
        on("click", |scroll, event| {
            let summary = event
                .target()
                .and_then(|target| target.dyn_into::<Element>().ok())
                .and_then(|target| target.closest("summary, button").ok()?);
            if summary.is_some() {
                scroll.opening();
            }
        }),
    ];
    Some(Held { observer, _resized: resized, _listeners: listeners })
}

fn finger(event: &Event) -> Option<i32> {
    event.unchecked_ref::<TouchEvent>().touches().get(0).map(|touch| touch.client_y())
}

impl Scroll {
    fn view(&self) -> View {
        View {
            top: f64::from(self.scroller.scroll_top()),
            height: f64::from(self.scroller.client_height()),
            total: f64::from(self.scroller.scroll_height()),
        }
    }

    fn change(&self, change: impl FnOnce(&mut Follow, View)) {
        let mut follow = self.follow.get();
        let before = follow.is_on();
        change(&mut follow, self.view());
        self.follow.set(follow);
        if before != follow.is_on() {
            self.tell(follow.is_on());
        }
        if !follow.is_on() {
            self.mark();
        }
        if let Some(place) = &self.scene.place {
            place.set_value((!follow.is_on()).then(|| self.scroller.scroll_top()));
        }
    }

    /// Shows what was read before, as it was left.
    fn come_back(&self, top: i32) {
        self.scroller.set_scroll_top(top);
        let mut follow = self.follow.get();
        follow.moved(f64::from(top));
        self.follow.set(follow);
        self.tell(false);
        self.mark();
    }

    fn tell(&self, on: bool) {
        let since = (!on).then(|| untrack(|| self.window.last()).unwrap_or_default());
        let _ = self.latch.since.try_set(since);
    }

    fn scrolled(self: &Rc<Self>) {
        self.change(Follow::scrolled);
        self.load_earlier();
    }

    fn key(&self, event: &KeyboardEvent) {
        match event.key().as_str() {
            "PageUp" | "ArrowUp" | "Home" => self.change(Follow::up),
            " " if event.shift_key() => self.change(Follow::up),
            "End" => self.latch.jump(),
            "Escape" if !self.scene.compact => self.latch.jump(),
            _ => {}
        }
    }

    /// After each layout: shows the end, or puts what is read back to where it was.
    fn laid_out(self: &Rc<Self>) {
        let mut follow = self.follow.get();
        if follow.is_on() && !self.opening.get() {
            self.scroller.set_scroll_top(self.scroller.scroll_height());
        } else if let Some((element, was)) = self.anchor.borrow().as_ref()
            && element.is_connected()
        {
            let moved = self.place_of(element) - was;
            if moved.abs() >= 1.0 {
                self.scroller.set_scroll_top((f64::from(self.scroller.scroll_top()) + moved) as i32);
            }
        }
        follow.moved(f64::from(self.scroller.scroll_top()));
        self.follow.set(follow);
        self.load_earlier();
        self.settle_soon();
    }

    /// A person opens or closes something: it stays where it is, even while the end is followed.
    fn opening(self: &Rc<Self>) {
        self.mark();
        self.opening.set(true);
        let scroll = Rc::clone(self);
        dom::after_all(OPENING, move || {
            scroll.opening.set(false);
            scroll.change(Follow::opened);
        });
    }

    /// Notes the entry at the top of what is seen.
    fn mark(&self) {
        let top = self.scroller.get_bounding_client_rect().top();
        let below = |element: &Element| element.get_bounding_client_rect().bottom() > top + 1.0;
        let first = |parent: &Element| children(parent).find(below);
        let found = first(&self.content).map(|chunk| first(&chunk).unwrap_or(chunk));
        *self.anchor.borrow_mut() = found.map(|element| {
            let place = self.place_of(&element);
            (element, place)
        });
    }

    fn place_of(&self, element: &Element) -> f64 {
        element.get_bounding_client_rect().top() - self.scroller.get_bounding_client_rect().top()
    }

    fn load_earlier(self: &Rc<Self>) {
        let view = self.view();
        let wanted = view.top < EARLY.min(view.height * 1.5) && self.window.more_before.get_untracked();
        if !wanted || self.loading.replace(true) {
            return;
        }
        let scroll = Rc::clone(self);
        spawn_local(async move {
            if !scroll.follow.get().is_on() {
                scroll.mark();
            }
            let loaded = scroll.scene.mirror.earlier(scroll.scene.agent).await;
            if loaded.is_ok() {
                scroll.loading.set(false);
            } else {
                let scroll = Rc::clone(&scroll);
                dom::after_all(5_000, move || scroll.loading.set(false));
            }
        });
    }

    /// A card that follows the end shows it alone: what is far above goes, unless a person has something there.
    fn trim(&self) {
        let first = self.content.query_selector(".chunk").ok().flatten();
        let used = first.is_some_and(|chunk| chunk.matches(":focus-within").unwrap_or(true));
        if self.scene.compact && self.follow.get().is_on() && !used {
            self.window.trim(KEPT);
        }
    }

    /// Lets chunks that have been drawn once skip drawing while they are far: their height is then known.
    fn settle_soon(self: &Rc<Self>) {
        if self.settling.replace(true) {
            return;
        }
        let scroll = Rc::clone(self);
        dom::next_frame(move || {
            dom::next_frame(move || {
                scroll.settling.set(false);
                scroll.trim();
                let mut fresh = children(&scroll.content).filter(|chunk| chunk.class_name() == "chunk").peekable();
                while let Some(chunk) = fresh.next() {
                    // The last one is being written.
                    if fresh.peek().is_some() {
                        let _ = chunk.class_list().add_1("settled");
                    }
                }
            });
        });
    }
}

fn children(parent: &Element) -> impl Iterator<Item = Element> + use<> {
    std::iter::successors(parent.first_element_child(), Element::next_element_sibling)
}
