//! The stream in the browser: connecting, queueing, waiting, stopping.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{EventSource, MessageEvent};

use super::Feed;
use crate::app::dom::{self, Timer};
use crate::app::kept;
use crate::app::mirror::Note;
use crate::app::mirror::batch::Batch;
use crate::app::mirror::frames::read;
use crate::model::{Frame, Ms};

/// The names of all events.
const EVENTS: [&str; 9] = ["put", "append", "gone", "seen", "tail", "hello", "uptodate", "gap", "bye"];
/// How long a hidden tab keeps its stream, in ms.
const HIDDEN: i32 = 30_000;
/// A stream speaks every 5 s, give or take a tenth. One that has been silent for longer than this when the tab is looked at again is
/// renewed, in ms.
const STALE: f64 = 6_000.0;
/// And one that is silent for this long while it is looked at counts as lost, in ms.
const SILENT: f64 = 12_500.0;
/// How long a server has to say why a stream broke, in ms.
const ANSWER: i32 = 3_500;
/// How often that silence is looked at, in ms.
const LOOK: i32 = 2_500;
/// How long wishes for another connection are gathered, in ms: many transcripts are opened one after the other.
const GATHERED: i32 = 60;
/// How long changes wait while the tab is hidden and draws no frames, in ms.
const UNDRAWN: i32 = 250;

struct Stream<F> {
    feed: F,
    open: RefCell<Option<Connection>>,
    queue: RefCell<Batch>,
    /// A flush is coming.
    due: Cell<bool>,
    failures: Cell<u32>,
    timer: RefCell<Option<Timer>>,
    ended: Cell<bool>,
    /// When the last message came, in ms of this machine's clock.
    heard: Cell<f64>,
    /// When the connection was begun, in ms of this machine's clock.
    begun: Cell<f64>,
}

/// An open connection with the closures that it calls; closed when dropped.
struct Connection {
    source: EventSource,
    _message: Closure<dyn FnMut(MessageEvent)>,
    _error: Closure<dyn FnMut(web_sys::Event)>,
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.source.set_onerror(None);
        self.source.close();
    }
}

/// Follows the stream until the owner ends.
pub fn follow<F: Feed>(feed: F) {
    let stream = Rc::new(Stream {
        feed: feed.clone(),
        open: RefCell::default(),
        queue: RefCell::default(),
        due: Cell::default(),
        failures: Cell::default(),
        timer: RefCell::default(),
        ended: Cell::default(),
        heard: Cell::new(js_sys::Date::now()),
        begun: Cell::default(),
    });
    let watching = Rc::clone(&stream);
    dom::every(LOOK, move || watching.check());
    let connecting = Rc::clone(&stream);
    Effect::new(move |before: Option<()>| {
        connecting.feed.watch();
        if before.is_none() { connecting.connect() } else { connecting.again(GATHERED) }
    });
    let listeners = StoredValue::new_local(Some((
        dom::on_document("visibilitychange", {
            let stream = Rc::clone(&stream);
            move |_| stream.seen(!dom::is_hidden())
        }),
        dom::on_window("pagehide", {
            let stream = Rc::clone(&stream);
            move |_| stream.pause()
        }),
        dom::on_window("pageshow", {
            let stream = Rc::clone(&stream);
            move |_| stream.seen(true)
        }),
        dom::on_window("online", {
            let stream = Rc::clone(&stream);
            move |_| stream.connect()
        }),
        dom::on_window("offline", {
            let stream = Rc::clone(&stream);
            move |_| {
                if stream.open.borrow().is_some() {
                    stream.failed();
                }
            }
        }),
    )));
    let stream = StoredValue::new_local(stream);
    on_cleanup(move || {
        let _ = stream.try_with_value(|stream| {
            stream.ended.set(true);
            stream.close();
        });
        listeners.set_value(None);
    });
}

impl<F: Feed> Stream<F> {
    fn connect(self: &Rc<Self>) {
        self.close();
        if self.ended.get() {
            return;
        }
        let url = format!("/api/v1/events?after={}{}", self.feed.start(), self.feed.query());
        let Ok(source) = EventSource::new(&url) else { return self.wait() };
        let stream = Rc::clone(self);
        let message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| stream.message(&event));
        let stream = Rc::clone(self);
        let error = Closure::<dyn FnMut(web_sys::Event)>::new(move |_| stream.failed());
        for name in EVENTS {
            let _ = source.add_event_listener_with_callback(name, message.as_ref().unchecked_ref());
        }
        source.set_onerror(Some(error.as_ref().unchecked_ref()));
        self.begun.set(js_sys::Date::now());
        *self.open.borrow_mut() = Some(Connection { source, _message: message, _error: error });
    }

    fn close(&self) {
        // Later: this may run inside a closure that the connection owns.
        if let Some(connection) = self.open.borrow_mut().take() {
            connection.source.close();
            dom::later(move || drop(connection));
        }
        *self.timer.borrow_mut() = None;
    }

    /// Closes it; what is shown is now of the past.
    fn pause(&self) {
        self.close();
        self.feed.note(Note::Lost { heard: self.heard.get() as Ms });
    }

    /// How long nothing has come, in ms; a clock that was set back counts too.
    fn silence(&self) -> f64 {
        (js_sys::Date::now() - self.heard.get()).abs()
    }

    /// A connection that died without a word, as in a sleep, is noticed by its silence.
    fn check(self: &Rc<Self>) {
        // One that is slow to come about has as long.
        let young = (js_sys::Date::now() - self.begun.get()).abs() <= SILENT;
        if !dom::is_hidden() && self.open.borrow().is_some() && !young && self.silence() > SILENT {
            self.failed();
        }
    }

    fn message(self: &Rc<Self>, event: &MessageEvent) {
        self.heard.set(js_sys::Date::now());
        let data = event.data().as_string().unwrap_or_default();
        let Some(frame) = read(&event.type_(), &data) else { return };
        match frame {
            Frame::Hello { build, .. } => {
                self.failures.set(0);
                self.feed.note(Note::Hello { build });
            }
            Frame::Change { change } => {
                self.queue.borrow_mut().push(change);
                self.flush_soon();
            }
            Frame::Uptodate { at } => self.feed.note(Note::Uptodate { at }),
            Frame::Seen { seen } => self.feed.note(Note::Seen { seen }),
            Frame::Tail => {}
            Frame::Gap { .. } => return self.gap(),
            Frame::Bye => return self.again(1_000),
        }
        if let Ok(cursor) = event.last_event_id().parse() {
            self.feed.reached(cursor);
        }
    }

    fn flush_soon(self: &Rc<Self>) {
        if self.due.replace(true) {
            return;
        }
        let stream = Rc::clone(self);
        if dom::is_hidden() {
            dom::after_all(UNDRAWN, move || stream.flush(true));
        } else {
            dom::next_frame(move || stream.flush(false));
        }
    }

    /// Applies what a frame has time for, or all of it.
    fn flush(self: &Rc<Self>, all: bool) {
        self.due.set(false);
        if self.ended.get() {
            return self.queue.borrow_mut().clear();
        }
        if all {
            let changes = self.queue.borrow_mut().all();
            return self.feed.take(changes);
        }
        let (changes, taken) = self.queue.borrow_mut().slice(self.feed.at());
        let start = dom::instant();
        self.feed.take(changes);
        // Later: what follows the signals is brought up to date first, and counts.
        let stream = Rc::clone(self);
        dom::later(move || stream.queue.borrow_mut().took(taken, dom::instant() - start));
        if !self.queue.borrow().is_empty() {
            self.flush_soon();
        }
    }

    /// The cursor is of no use: loads the windows anew and goes on from there.
    fn gap(self: &Rc<Self>) {
        self.close();
        self.queue.borrow_mut().clear();
        let stream = Rc::clone(self);
        spawn_local(async move {
            match stream.feed.resume().await {
                Ok(()) => stream.connect(),
                Err(_) => stream.failed(),
            }
        });
    }

    /// Asks why the stream broke: no credential any more, no server, or no such session.
    fn failed(self: &Rc<Self>) {
        self.close();
        self.feed.note(Note::Lost { heard: self.heard.get() as Ms });
        let stream = Rc::clone(self);
        spawn_local(async move {
            // A network that swallows everything gives no answer at all.
            let asked = std::pin::pin!(dom::status_of("/api/v1/sessions?limit=1"));
            match kept::within(ANSWER, asked).await.flatten() {
                Some(401) => {
                    // No longer paired: nothing of it stays here.
                    kept::clear().await;
                    return dom::go_to("/pair");
                }
                Some(200) if stream.failures.get() > 0 => drop(stream.feed.resume().await),
                _ => {}
            }
            stream.wait();
        });
    }

    /// Tries again after 1, 2, 4 … 30 s.
    fn wait(self: &Rc<Self>) {
        let failures = self.failures.get();
        self.failures.set(failures.saturating_add(1));
        self.again(1_000_i32.saturating_mul(1 << failures.min(5)).min(30_000));
    }

    fn again(self: &Rc<Self>, ms: i32) {
        self.close();
        if self.ended.get() {
            return;
        }
        let stream = Rc::clone(self);
        *self.timer.borrow_mut() = Some(dom::after(ms, move || stream.connect()));
    }

    fn seen(self: &Rc<Self>, visible: bool) {
        if visible {
            if self.open.borrow().is_none() || self.silence() > STALE {
                self.pause();
                self.connect();
            } else {
                *self.timer.borrow_mut() = None;
            }
        } else {
            let stream = Rc::clone(self);
            *self.timer.borrow_mut() = Some(dom::after(HIDDEN, move || stream.pause()));
        }
    }
}
