//! One clock a page: the server's time, ticking once a second, and times as people read them.
//!
//! Decision: the clock starts at the time that the page was read at, on both sides, so the first view is the same; the
//! local time zone is known only after hydration, so clock times begin as UTC.

use std::sync::Arc;

use leptos::prelude::*;

use super::dom;
use super::numbers::{ago, duration, ticking};
use crate::app::live::words;
use crate::model::{AgentNo, Ms, to_rfc3339};

/// Hundreds of agents may run: a tick reaches an eighth of them a frame, so that it holds up none.
const BEATS: usize = 8;

/// The page's clock. Clones share it.
#[derive(Clone)]
pub struct Clock {
    beats: Arc<[ArcRwSignal<Ms>; BEATS]>,
    /// Which of these this clone listens to.
    beat: usize,
    /// The server's clock minus this machine's.
    skew: ArcRwSignal<Ms>,
    local: ArcRwSignal<bool>,
}

impl Clock {
    /// A clock that stands at `now`.
    pub fn new(now: Ms) -> Self {
        let beats = Arc::new(std::array::from_fn(|_| ArcRwSignal::new(now)));
        Self { beats, beat: 0, skew: ArcRwSignal::new(0), local: ArcRwSignal::new(false) }
    }

    /// Makes it run, in the browser, until the owner ends.
    pub fn run(&self) {
        let clock = self.clone();
        Effect::new(move |_| {
            clock.local.set(true);
            let ticking = clock.clone();
            dom::every(1_000, move || ticking.tick());
        });
    }

    /// The server says what time it is.
    pub fn correct(&self, at: Ms) {
        self.skew.set(at - dom::now());
        self.tick();
    }

    /// The same clock, for what is shown of an agent.
    pub fn of(&self, agent: AgentNo) -> Self {
        Self { beat: agent as usize % BEATS, ..self.clone() }
    }

    /// The time; tracks the tick.
    pub fn now(&self) -> Ms {
        self.heard().get()
    }

    fn heard(&self) -> &ArcRwSignal<Ms> {
        &self.beats[self.beat]
    }

    /// True once the local time zone may be used; tracks.
    pub fn is_local(&self) -> bool {
        self.local.get()
    }

    fn tick(&self) {
        let now = dom::now() + self.skew.get_untracked();
        let beats = self.beats.clone();
        dom::by_frames(BEATS, move |beat| {
            if now > beats[beat].get_untracked() {
                beats[beat].set(now);
            }
        });
    }
}

/// "14:02" in the local zone, with its date where that is not today's and the whole time as its title; the whole time at once where
/// `full` says so.
#[component]
pub fn ClockTime(clock: Clock, at: Ms, #[prop(optional)] full: bool) -> impl IntoView {
    let iso = to_rfc3339(at).unwrap_or_default();
    let utc = (iso.get(11..16).unwrap_or_default().to_owned(), iso.replace('T', " "));
    let shown = Memo::new(move |_| {
        let (time, whole) = if clock.is_local() { dom::local_time(at).unwrap_or_else(|| utc.clone()) } else { utc.clone() };
        // Not tracked: a page that stays open over midnight says it in its day's break.
        let now = day(&clock, clock.heard().get_untracked());
        match day(&clock, at).filter(|day| Some(day) != now.as_ref()) {
            Some(day) => (format!("{}, {time}", short_day(&day, now.as_deref())), whole),
            None => (time, whole),
        }
    });
    view! {
        <time class="num" datetime=iso title=words(move || shown.with(|(_, whole)| whole.clone()))>
            {words(move || shown.with(|(short, whole)| if full { whole.clone() } else { short.clone() }))}
        </time>
    }
    .into_any()
}

/// "30 November 2026", in the local zone once that is known.
pub fn day(clock: &Clock, at: Ms) -> Option<String> {
    const MONTHS: [&str; 12] =
        ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
    let iso = if clock.is_local() { dom::local_time(at).map(|(_, whole)| whole) } else { None }.or_else(|| to_rfc3339(at))?;
    let mut parts = iso.get(..10)?.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?.parse::<usize>().ok()?, parts.next()?.trim_start_matches('0'));
    Some(format!("{day} {} {year}", MONTHS.get(month.checked_sub(1)?)?))
}

/// "30 Nov", with the year where that is not this one's.
fn short_day(day: &str, now: Option<&str>) -> String {
    let mut words = day.split(' ');
    let (number, month, year) = (words.next().unwrap_or_default(), words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let this = now.is_some_and(|now| now.ends_with(year));
    let month = month.get(..3).unwrap_or(month);
    if this { format!("{number} {month}") } else { format!("{number} {month} {year}") }
}

/// "4 min ago", ticking; "4 min" where there is little room.
#[component]
pub fn Ago(clock: Clock, #[prop(into)] at: Signal<Option<Ms>>, #[prop(optional)] brief: bool) -> impl IntoView {
    let words = Memo::new(move |_| {
        let words = at.get().map(|at| ago(clock.now() - at))?;
        Some(words.strip_suffix(" ago").filter(|_| brief).map(str::to_owned).unwrap_or(words))
    });
    move || {
        at.get().map(|at| {
            let iso = to_rfc3339(at).unwrap_or_default();
            view! { <time class="num" datetime=iso.clone() title=iso.replace('T', " ")>{words}</time> }
        })
    }
}

/// "2 m 10 s" from `from` to `to`, ticking while there is no `to`; nothing without `from`.
pub fn elapsed(clock: &Clock, from: Option<Ms>, to: Option<Ms>) -> Option<String> {
    let from = from?;
    Some(to.map_or_else(|| ticking(clock.now() - from), |to| duration(to - from)))
}

#[cfg(test)]
mod tests {
    use super::short_day;

    #[test]
    fn a_day_is_short_and_names_another_year() {
        assert_eq!(short_day("2 September 2026", Some("30 November 2026")), "2 Sep");
        assert_eq!(short_day("30 November 2025", Some("30 November 2026")), "30 Nov 2025");
    }
}
