//! A card: a view of one agent, of the todo list, or of the agents without a parent.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{Size, Wish};
use crate::model::AgentNo;

/// What a card shows; one card for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum CardId {
    Agent(AgentNo),
    /// The newest todo list of the main agent.
    Todos,
    /// The agents whose parent nobody knows.
    Tray,
}

/// A card of the deck.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Card {
    pub id: CardId,
    pub wish: Wish,
    /// Fills the area while it is not in the dock.
    #[serde(default)]
    pub maximised: bool,
    pub opened_by: OpenedBy,
}

/// How a card is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Float,
    /// A chip in the dock.
    Min,
    Max,
    /// A tab beside the conversation.
    Rail,
}

/// Who opened a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OpenedBy {
    User,
    Agent,
}

/// A size that one click gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    Small,
    Medium,
    Large,
}

/// One of nine places that one click reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    TopLeft,
    Top,
    TopRight,
    Left,
    Centre,
    Right,
    BottomLeft,
    Bottom,
    BottomRight,
}

impl Preset {
    pub const ALL: [Self; 3] = [Self::Small, Self::Medium, Self::Large];

    /// The size in an area of `room`, not yet fitted.
    pub fn size(self, room: Size) -> Size {
        match self {
            Self::Small => Size { w: 320.0, h: (room.h * 0.4).round() },
            Self::Medium => Size { w: 420.0, h: (room.h * 0.6).round() },
            Self::Large => Size { w: 640.0, h: (room.h * 0.85).round() },
        }
    }

    /// The words that a person reads.
    pub fn word(self) -> &'static str {
        match self {
            Self::Small => "Small",
            Self::Medium => "Medium",
            Self::Large => "Large",
        }
    }
}

impl Spot {
    /// Row by row.
    pub const ALL: [Self; 9] = [
        Self::TopLeft,
        Self::Top,
        Self::TopRight,
        Self::Left,
        Self::Centre,
        Self::Right,
        Self::BottomLeft,
        Self::Bottom,
        Self::BottomRight,
    ];

    /// How much of the free space lies left of and above the card: 0, ½ or 1.
    pub fn share(self) -> (f64, f64) {
        match self {
            Self::TopLeft => (0.0, 0.0),
            Self::Top => (0.5, 0.0),
            Self::TopRight => (1.0, 0.0),
            Self::Left => (0.0, 0.5),
            Self::Centre => (0.5, 0.5),
            Self::Right => (1.0, 0.5),
            Self::BottomLeft => (0.0, 1.0),
            Self::Bottom => (0.5, 1.0),
            Self::BottomRight => (1.0, 1.0),
        }
    }

    /// The words that a person reads.
    pub fn word(self) -> &'static str {
        match self {
            Self::TopLeft => "top left",
            Self::Top => "top",
            Self::TopRight => "top right",
            Self::Left => "left",
            Self::Centre => "centre",
            Self::Right => "right",
            Self::BottomLeft => "bottom left",
            Self::Bottom => "bottom",
            Self::BottomRight => "bottom right",
        }
    }
}

impl CardId {
    /// The agent that it shows, if it shows one.
    pub fn agent(self) -> Option<AgentNo> {
        match self {
            Self::Agent(n) => Some(n),
            Self::Todos | Self::Tray => None,
        }
    }
}

impl fmt::Display for CardId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Agent(n) => write!(f, "agent-{n}"),
            Self::Todos => f.write_str("todos"),
            Self::Tray => f.write_str("unlinked"),
        }
    }
}

impl FromStr for CardId {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "todos" => Ok(Self::Todos),
            "unlinked" => Ok(Self::Tray),
            _ => text.strip_prefix("agent-").and_then(|n| n.parse().ok()).map(Self::Agent).ok_or_else(|| format!("no card: {text:?}")),
        }
    }
}

impl From<CardId> for String {
    fn from(id: CardId) -> Self {
        id.to_string()
    }
}

impl TryFrom<String> for CardId {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}
