//! Icons: 16 × 16, one stroke, of our own.

use leptos::prelude::*;

/// What an icon shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    File,
    Search,
    Edit,
    Shell,
    Web,
    Agent,
    List,
    Ask,
    Tool,
    Note,
    Menu,
    Back,
    Open,
    Copy,
    Chevron,
    Down,
    Refresh,
}

impl Icon {
    fn path(self) -> &'static str {
        match self {
            Self::File => "M3.5 2.5h6l3 3v8h-9zM9.5 2.5v3h3",
            Self::Search => "M7 11.2a4.2 4.2 0 1 0 0-8.4 4.2 4.2 0 0 0 0 8.4zM10.2 10.2l3.3 3.3",
            Self::Edit => "M3 13l.6-2.8 7.2-7.2 2.2 2.2-7.2 7.2zM9.3 4.5l2.2 2.2",
            Self::Shell => "M2.5 3.5h11v9h-11zM5 6.5l1.8 1.5L5 9.5M8.5 10h2.5",
            Self::Web => "M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM2.5 8h11M8 2.5c-3.4 3.4-3.4 7.6 0 11 3.4-3.4 3.4-7.6 0-11z",
            Self::Agent => "M2.5 4h6v8.5h-6zM7.6 3.2l4.9 1a1.3 1.3 0 0 1 1 1.6l-1.4 6.4",
            Self::List => "M3 4l1 1 1.6-2M3 8.4l1 1 1.6-2M3 12.8l1 1 1.6-2M8 4.2h5.5M8 8.4h5.5M8 12.6h5.5",
            Self::Ask => "M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM6.4 6.4a1.7 1.7 0 1 1 2.5 1.5c-.6.3-.9.7-.9 1.3M8 11v.2",
            Self::Tool => {
                "M9.8 2.8a3.4 3.4 0 0 0-3.2 4.6l-3.8 3.8 2 2 3.8-3.8a3.4 3.4 0 0 0 4.4-4.4l-2 2-1.8-.2-.2-1.8 2-2a3 3 0 0 0-1.2-.2z"
            }
            Self::Note => "M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM8 7.4v3.4M8 5.1v.2",
            Self::Menu => "M3 4.5h10M3 8h10M3 11.5h10",
            Self::Back => "M10 3.5L5.5 8l4.5 4.5",
            Self::Open => "M6 3.5H3.5v9h9V10M8.5 3.5h4v4M12.5 3.5L7.5 8.5",
            Self::Copy => "M5.5 5.5h7v8h-7zM3.5 10.5v-8h7",
            Self::Chevron => "M6 4l4 4-4 4",
            Self::Refresh => "M13 3v3.2H9.8M12.8 6.2A5 5 0 1 0 13 9.5",
            Self::Down => "M8 3.5v9M4 8.5l4 4 4-4",
        }
    }
}

/// An icon. The words beside it say what it means, so it is silent.
pub fn icon(icon: Icon) -> impl IntoView {
    view! {
        <svg class="ic" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
            <path d=icon.path() />
        </svg>
    }
}

/// The mark of Sidedeck.
pub fn brand() -> impl IntoView {
    view! {
        <svg viewBox="0 0 20 20" fill="none" stroke="currentColor" stroke-width="1.8" aria-hidden="true">
            <rect x="2" y="4" width="9" height="12" rx="2" />
            <path d="M9 3.2 15.6 4.6a1.8 1.8 0 0 1 1.4 2.1l-1.7 8" />
        </svg>
    }
}
