//! Why a call of the page brought nothing, in words for a person.

use leptos::server_fn::codec::JsonEncoding;
use leptos::server_fn::error::{FromServerFnError, ServerFnErrorErr};
use serde::{Deserialize, Serialize};

/// Why a call of the page brought nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Failure {
    /// There is no such session, agent, entry or content.
    NotFound,
    /// The server could not be reached, or did not answer in its own words.
    Unreachable,
    /// The server could not be reached, and what was asked for is not kept in this browser.
    NotKept,
    /// The server could not read it.
    Server,
    /// The call was not understood.
    Asked,
}

impl Failure {
    /// One sentence, and what to do.
    pub fn sentence(&self) -> &'static str {
        match self {
            Self::NotFound => "There is nothing here. It may have been deleted, or the address is mistyped.",
            Self::Unreachable => "The server does not answer. Check that it is running, then load the page again.",
            Self::NotKept => "This is not saved here: of a text over 8 MB only the beginning is. Ask again once the server can be reached.",
            Self::Server => "The server could not read this. Its log says why; load the page again to retry.",
            Self::Asked => "The server does not understand this page. Load it again: it may be of an older version.",
        }
    }
}

impl FromServerFnError for Failure {
    type Encoder = JsonEncoding;

    fn from_server_fn_error(error: ServerFnErrorErr) -> Self {
        match error {
            #[cfg(feature = "ssr")]
            ServerFnErrorErr::Args(_) | ServerFnErrorErr::MissingArg(_) | ServerFnErrorErr::Deserialization(_) => refused(),
            ServerFnErrorErr::ServerError(_) | ServerFnErrorErr::Serialization(_) | ServerFnErrorErr::Response(_) => Self::Server,
            _ => Self::Unreachable,
        }
    }
}

/// Arguments that could not be read, with the status that says so.
#[cfg(feature = "ssr")]
fn refused() -> Failure {
    if let Some(answer) = leptos::prelude::use_context::<leptos_axum::ResponseOptions>() {
        answer.set_status(axum::http::StatusCode::BAD_REQUEST);
    }
    Failure::Asked
}
