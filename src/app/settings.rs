//! What a person has chosen for this browser.
//!
//! Decision: each choice is one word in the browser's storage, read where it is needed, so that all tabs agree without a
//! word between them; only the theme, which is drawn at once, is told to the other tabs. Invariant: a word that is not
//! among a setting's own is its first one.

use leptos::prelude::*;

use super::dom;
use crate::deck::AutoOpen;

/// Something that can be chosen: its key in the storage, its name, what it is about, and its words with their names, the default first.
pub struct Setting {
    pub key: &'static str,
    pub name: &'static str,
    pub about: &'static str,
    pub options: &'static [(&'static str, &'static str)],
}

pub const THEME: Setting =
    Setting { key: "theme", name: "Theme", about: "", options: &[("", "As the system"), ("light", "Light"), ("dark", "Dark")] };

const FOLLOW: Setting = Setting {
    key: "set:follow",
    name: "New entries",
    about: "Whether a transcript scrolls to what comes. “Jump to latest” follows in either case.",
    options: &[("", "Follow the end"), ("stay", "Stay where I am")],
};

const REASONING: Setting = Setting {
    key: "set:reasoning",
    name: "Reasoning",
    about: "",
    options: &[("", "Open while it is written"), ("closed", "Closed"), ("open", "Open")],
};

const OPENING: Setting = Setting {
    key: "set:auto-open",
    name: "When an agent starts",
    about: "Where its card goes. At most three float by themselves.",
    options: &[
        ("", "Float its card"),
        ("rail", "Put it beside the conversation"),
        ("dock", "Minimise it into the dock"),
        ("never", "Open nothing"),
    ],
};

const ANNOUNCING: Setting = Setting {
    key: "set:announce",
    name: "Announcements",
    about: "What a screen reader is told by itself, at most every three seconds.",
    options: &[("", "Beginnings, ends and failures"), ("answers", "These, and finished answers"), ("off", "Nothing")],
};

const KEEPING: Setting = Setting {
    key: "set:keep",
    name: "Opened transcripts",
    about: "Saved in this browser, to be read where the server cannot be reached. “Log out” below takes all of it away.",
    options: &[("", "Save in the installed app"), ("on", "Save in this browser too"), ("off", "Save nothing by itself")],
};

/// All of them, in the order of the page.
pub const ALL: [&Setting; 6] = [&THEME, &FOLLOW, &REASONING, &OPENING, &ANNOUNCING, &KEEPING];

/// What is said aloud.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Announce {
    Boundaries,
    /// Finished answers too.
    Answers,
    Off,
}

/// How a stretch of reasoning is shown at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reasoning {
    WhileWritten,
    Closed,
    Open,
}

impl Setting {
    /// The word chosen here; on the server, and before anything was chosen, the default.
    pub fn word(&self) -> &'static str {
        let kept = dom::kept(self.key).unwrap_or_default();
        self.options.iter().map(|(word, _)| *word).find(|word| *word == kept).unwrap_or_default()
    }
}

/// Notifies when something has been chosen, in whichever tab.
#[derive(Clone)]
struct Chosen(ArcTrigger);

/// Lets all pages below follow what is chosen. The theme is drawn at once.
pub fn provide() {
    let chosen = ArcTrigger::new();
    provide_context(Chosen(chosen.clone()));
    let other = chosen.clone();
    dom::on_storage(move || other.notify());
    Effect::new(move |before: Option<&'static str>| {
        chosen.track();
        let word = THEME.word();
        if before.is_some_and(|before| before != word) {
            dom::set_root("data-theme", Some(word).filter(|word| !word.is_empty()));
        }
        word
    });
}

/// True where transcripts follow their end from the beginning.
pub fn follows() -> bool {
    FOLLOW.word().is_empty()
}

/// True where opened transcripts are saved by themselves.
pub fn keeps(installed: bool) -> bool {
    match KEEPING.word() {
        "on" => true,
        "off" => false,
        _ => installed,
    }
}

/// True where nothing was chosen about saving opened transcripts.
pub fn keeping_is_open() -> bool {
    KEEPING.word().is_empty()
}

/// Saves the transcripts that are opened in this browser, from now on.
pub fn keep_here() {
    dom::keep(KEEPING.key, Some("on"));
    if let Some(Chosen(told)) = use_context::<Chosen>() {
        told.notify();
    }
}

/// Tracks what is chosen.
pub fn track() {
    if let Some(Chosen(told)) = use_context::<Chosen>() {
        told.track();
    }
}

pub fn reasoning() -> Reasoning {
    match REASONING.word() {
        "closed" => Reasoning::Closed,
        "open" => Reasoning::Open,
        _ => Reasoning::WhileWritten,
    }
}

pub fn auto_open() -> AutoOpen {
    match OPENING.word() {
        "rail" => AutoOpen::Rail,
        "dock" => AutoOpen::Dock,
        "never" => AutoOpen::Never,
        _ => AutoOpen::Float,
    }
}

pub fn announce() -> Announce {
    match ANNOUNCING.word() {
        "answers" => Announce::Answers,
        "off" => Announce::Off,
        _ => Announce::Boundaries,
    }
}

/// A choice as a group of radio buttons. It begins at the default, as the server drew it, and follows other tabs.
#[component]
pub fn Choice(setting: &'static Setting, #[prop(optional)] short: bool) -> impl IntoView {
    let chosen = RwSignal::new("");
    let told = use_context::<Chosen>();
    Effect::new(move |_| {
        if let Some(Chosen(told)) = &told {
            told.track();
        }
        chosen.set(setting.word());
    });
    let group = format!("{}{}", setting.key, if short { "-short" } else { "" });
    let told = use_context::<Chosen>();
    let choose = StoredValue::new(move |word: &'static str| {
        dom::keep(setting.key, Some(word).filter(|word| !word.is_empty()));
        if let Some(Chosen(told)) = &told {
            told.notify();
        }
    });
    let options = setting.options.iter().map(|(word, name)| {
        view! {
            <label class="item">
                <input type="radio" name=group.clone() value=*word prop:checked=move || chosen.get() == *word on:change=move |_| choose.with_value(|choose| choose(word)) />
                <span>{*name}</span>
            </label>
        }
        .into_any()
    });
    view! {
        <fieldset>
            <legend>{setting.name}</legend>
            {(!short && !setting.about.is_empty()).then(|| view! { <p>{setting.about}</p> })}
            {options.collect_view()}
        </fieldset>
    }
    .into_any()
}
