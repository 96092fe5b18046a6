//! The table that names dialects.

use super::frame;
use super::head::Head;
use super::teller::{self, Teller};
use super::{Facts, Place, Translator, acp, agui, claude, codex, deerflow, gemini, langalpha, langgraph, opencode, otel, sidedeck};

/// A dialect: its name and its rules.
pub struct Dialect {
    /// The word for `--dialect` and for rows.
    pub name: &'static str,
    /// Sessions of one family with one id are one session, by whatever dialect they come.
    pub family: &'static str,
    /// How sure the dialect is that a source which begins so is its own: 0 is no, 100 is certain. [`Dialect::sure`] takes bytes.
    pub recognise: fn(head: &Head<'_>) -> u8,
    /// What a path says, given its components from the root down.
    pub place: fn(path: &[&str]) -> Place,
    /// The id of the session that a record names.
    pub session_of: fn(record: &[u8]) -> Option<String>,
    /// Paths of files that a record says are worth a look.
    pub hints: fn(record: &[u8]) -> Vec<String>,
    /// A translator for a source, with the memory of an earlier one. A memory that cannot be read is an error in words.
    pub open: Open,
}

/// Makes a translator from what is known of its source and the memory of an earlier one.
type Open = fn(facts: Facts, memory: Option<&str>) -> Result<Box<dyn Translator>, String>;

/// All dialects.
pub static DIALECTS: [Dialect; 15] = [
    Dialect {
        name: "claude-disk",
        family: claude::FAMILY,
        recognise: claude::recognise,
        place: claude::place,
        session_of: claude::session_of,
        hints: |_| Vec::new(),
        open: claude::open,
    },
    Dialect {
        name: "claude-stream",
        family: claude::FAMILY,
        recognise: claude::stream::recognise,
        place: claude::stream::place,
        session_of: claude::stream::session_of,
        hints: |_| Vec::new(),
        open: claude::stream::open,
    },
    Dialect {
        name: "claude-hook",
        family: claude::FAMILY,
        recognise: |_| 0,
        place: claude::stream::place,
        session_of: claude::stream::session_of,
        hints: claude::hooks::hints,
        open: claude::hooks::open,
    },
    Dialect {
        name: "langgraph",
        family: langgraph::FAMILY,
        recognise: langgraph::recognise,
        place: langgraph::place,
        session_of: langgraph::session_of,
        hints: |_| Vec::new(),
        open: langgraph::open,
    },
    Dialect {
        name: "deerflow",
        family: deerflow::FAMILY,
        recognise: deerflow::recognise,
        place: deerflow::place,
        session_of: deerflow::session_of,
        hints: |_| Vec::new(),
        open: deerflow::open,
    },
    Dialect {
        name: "langalpha",
        family: langalpha::FAMILY,
        recognise: langalpha::recognise,
        place: langalpha::place,
        session_of: langalpha::session_of,
        hints: |_| Vec::new(),
        open: langalpha::open,
    },
    Dialect {
        name: "sidedeck",
        family: sidedeck::FAMILY,
        recognise: sidedeck::recognise,
        place: sidedeck::place,
        session_of: sidedeck::session_of,
        hints: |_| Vec::new(),
        open: sidedeck::open,
    },
    framed::<agui::AgUi>(teller::place),
    framed::<codex::Rollout>(codex::place),
    framed::<codex::Exec>(teller::place),
    framed::<opencode::OpenCode>(teller::place),
    framed::<gemini::Chat>(gemini::place),
    framed::<gemini::Stream>(teller::place),
    framed::<acp::Acp>(teller::place),
    framed::<otel::Otel>(teller::place),
];

/// A dialect of one JSON object a record.
const fn framed<T: Teller>(place: fn(path: &[&str]) -> Place) -> Dialect {
    Dialect {
        name: T::NAME,
        family: T::FAMILY,
        recognise: teller::recognise::<T>,
        place,
        session_of: teller::session_of::<T>,
        hints: |_| Vec::new(),
        open: frame::open::<T>,
    }
}

/// The dialect of this name.
pub fn by_name(name: &str) -> Option<&'static Dialect> {
    DIALECTS.iter().find(|dialect| dialect.name == name)
}
