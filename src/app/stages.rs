//! The page is taken over in stages, each in a task of its own, so that the browser can answer a finger between them.
//!
//! Decision: a stage is all that one element holds: its view is made, and walks over the element's DOM, when its turn comes.
//! Invariant: until the last stage is there nothing of the page runs, no effect and no event. So each of them meets the DOM that the
//! server wrote, with the state that it was written from.

use std::any::Any;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::future::poll_fn;
use std::rc::Rc;
use std::sync::Arc;
use std::task::Poll;

use any_spawner::{CustomExecutor, Executor, PinnedFuture, PinnedLocalFuture};
use hydration_context::{HydrateSharedContext, SharedContext};
use leptos::prelude::*;
use leptos::tachys::html::attribute::Attribute;
use leptos::tachys::html::attribute::any_attribute::AnyAttribute;
use leptos::tachys::hydration::Cursor;
use leptos::tachys::renderer::types::{Element, Node};
use leptos::tachys::view::any_view::AnyViewState;
use leptos::tachys::view::{Position, PositionState};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;

use super::{App, dom};

/// How long one task may go on taking the next stage, in ms: a slow phone needs many times as long.
const SLICE: f64 = 4.0;

/// What a page listens for that a person does. (What the browser tells of itself comes to effects alone.)
const EVENTS: &str = "change click close contextmenu dblclick dragenter dragleave dragover drop focusin focusout \
    input keydown lostpointercapture pointercancel pointerdown pointerenter pointerleave pointermove pointerup scroll storage toggle touchmove touchstart wheel";

thread_local! {
    /// The page, which is there as long as its document.
    static PAGE: RefCell<Option<Box<dyn Any>>> = const { RefCell::new(None) };
    static WAITING: RefCell<Option<Waiting>> = const { RefCell::new(None) };
}

/// What waits while the page is taken over.
#[derive(Default)]
struct Waiting {
    stages: VecDeque<Box<dyn FnOnce()>>,
    effects: VecDeque<PinnedLocalFuture<()>>,
    ends: Vec<Box<dyn FnOnce()>>,
    /// Whether all stages are there, and effects run.
    staged: bool,
}

/// Takes over the page that the server has rendered.
pub fn take_over() {
    // It is the first: nothing can have chosen another.
    let _ = Executor::init_custom_executor(Held);
    WAITING.set(Some(Waiting::default()));
    let at = dom::address();
    let moves = dom::capture("popstate", |event| event.stop_immediate_propagation());
    let still: Vec<_> = EVENTS.split(' ').map(|name| dom::capture(name, |event| event.stop_immediate_propagation())).collect();
    let context = Arc::new(HydrateSharedContext::new());
    let owner = Owner::new_root(Some(context.clone()));
    let page = owner
        .with(|| App().into_view().hydrate::<true>(&Cursor::new(leptos::tachys::dom::body().unchecked_into()), &PositionState::default()));
    spawn_local(async move {
        let mut slice = Slice::begin();
        slice.end().await;
        while let Some(stage) = waiting(|waiting| waiting.stages.pop_front()) {
            stage();
            slice.pause().await;
        }
        context.hydration_complete();
        PAGE.set(Some(Box::new((owner, page))));
        if dom::address() != at {
            // Someone went back or forth meanwhile, and nothing of the page heard of it.
            return dom::load_again();
        }
        drop(moves);
        waiting(|waiting| waiting.staged = true);
        while let Some(effect) = waiting(|waiting| waiting.effects.pop_front()) {
            spawn_local(effect);
            // It has run when this is asked again.
            turn().await;
            slice.pause().await;
        }
        drop(still);
        WAITING.take().into_iter().flat_map(|waiting| waiting.ends).for_each(|end| end());
    });
}

/// Runs `job` once the page is taken over.
pub fn when_taken_over(job: impl FnOnce() + 'static) {
    let mut job: Option<Box<dyn FnOnce()>> = Some(Box::new(job));
    waiting(|waiting| waiting.ends.extend(job.take()));
    if let Some(job) = job {
        job();
    }
}

/// True until all stages are there.
pub fn taking_over() -> bool {
    waiting(|waiting| !waiting.staged)
}

/// Nothing, where nothing waits any more.
fn waiting<T: Default>(of: impl FnOnce(&mut Waiting) -> T) -> T {
    WAITING.with_borrow_mut(|waiting| waiting.as_mut().map(of).unwrap_or_default())
}

/// Runs tasks as the browser does, but none before all stages are there.
struct Held;

impl CustomExecutor for Held {
    fn spawn(&self, task: PinnedFuture<()>) {
        self.spawn_local(task);
    }

    fn spawn_local(&self, task: PinnedLocalFuture<()>) {
        let mut task = Some(task);
        waiting(|waiting| {
            if !waiting.staged {
                waiting.effects.extend(task.take());
            }
        });
        if let Some(task) = task {
            spawn_local(task);
        }
    }

    fn poll_local(&self) {}
}

/// The stretch of time that one task takes.
struct Slice(f64);

impl Slice {
    fn begin() -> Self {
        Self(dom::instant())
    }

    /// Goes on in a new task, if this one has taken its time.
    async fn pause(&mut self) {
        if dom::instant() - self.0 > SLICE {
            self.end().await;
        }
    }

    /// Goes on in a new task. A tab in the background has nobody to answer, and its tasks wait for seconds.
    async fn end(&mut self) {
        if !dom::is_hidden() {
            dom::task().await;
        }
        *self = Self::begin();
    }
}

/// Lets what waits in this task run.
async fn turn() {
    let mut turned = false;
    poll_fn(|cx| {
        if std::mem::replace(&mut turned, true) {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// All that an element holds, as a stage.
pub fn stage<V: IntoView + 'static>(view: impl FnOnce() -> V + Send + 'static) -> Stage {
    Stage(Box::new(move || view().into_any()))
}

/// See [`stage`].
pub struct Stage(Box<dyn FnOnce() -> AnyView + Send>);

/// The stage's state once it is there.
#[derive(Clone)]
pub struct StageState(Rc<RefCell<Option<AnyViewState>>>);

impl Render for Stage {
    type State = StageState;

    fn build(self) -> Self::State {
        StageState(Rc::new(RefCell::new(Some((self.0)().build()))))
    }

    fn rebuild(self, state: &mut Self::State) {
        if let Some(state) = state.0.borrow_mut().as_mut() {
            (self.0)().rebuild(state);
        }
    }
}

impl AddAnyAttr for Stage {
    type Output<SomeNewAttr: Attribute> = Self;

    fn add_any_attr<NewAttr: Attribute>(self, _: NewAttr) -> Self {
        self
    }
}

impl RenderHtml for Stage {
    type AsyncOutput = Self;
    type Owned = Self;

    const MIN_LENGTH: usize = 0;

    fn dry_resolve(&mut self) {}

    async fn resolve(self) -> Self {
        self
    }

    fn to_html_with_buf(self, out: &mut String, position: &mut Position, escape: bool, mark: bool, more: Vec<AnyAttribute>) {
        (self.0)().to_html_with_buf(out, position, escape, mark, more);
    }

    fn hydrate<const FROM_SERVER: bool>(self, cursor: &Cursor, position: &PositionState) -> Self::State {
        let held = position.get() == Position::FirstChild && taking_over();
        let (Ok(element), Some(owner), true) = (cursor.current().dyn_into::<Element>(), Owner::current(), held) else {
            return StageState(Rc::new(RefCell::new(Some((self.0)().hydrate::<FROM_SERVER>(cursor, position)))));
        };
        // The element's own marker follows its content: from here it is the next.
        if let Some(before) = element.last_child().and_then(|marker| marker.previous_sibling()) {
            cursor.set(before);
            position.set(Position::NextChild);
        }
        let state = StageState(Rc::default());
        let place = state.clone();
        let stage = move || {
            let cursor = Cursor::new(element);
            let view = owner.with(|| (self.0)().hydrate::<FROM_SERVER>(&cursor, &PositionState::new(Position::FirstChild)));
            *place.0.borrow_mut() = Some(view);
        };
        waiting(|waiting| waiting.stages.push_back(Box::new(stage)));
        state
    }

    fn into_owned(self) -> Self {
        self
    }
}

impl Mountable for StageState {
    fn unmount(&mut self) {
        if let Some(state) = self.0.borrow_mut().as_mut() {
            state.unmount();
        }
    }

    fn mount(&mut self, parent: &Element, marker: Option<&Node>) {
        if let Some(state) = self.0.borrow_mut().as_mut() {
            state.mount(parent, marker);
        }
    }

    fn insert_before_this(&self, child: &mut dyn Mountable) -> bool {
        self.0.borrow().as_ref().is_some_and(|state| state.insert_before_this(child))
    }

    fn elements(&self) -> Vec<Element> {
        self.0.borrow().as_ref().map(|state| state.elements()).unwrap_or_default()
    }
}
