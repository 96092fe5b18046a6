//! Reading the parts of a request that several routes share.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use super::{Problem, State};
use crate::model::{AgentNo, ID_BYTES, read_segment};
use crate::store::Sid;

/// The longest segment that is looked up: an id in hex.
const SEGMENT_BYTES: usize = 2 * ID_BYTES + 1;

/// The query, or 400 with a sentence.
pub struct Query<T>(pub T);

impl<T: DeserializeOwned> FromRequestParts<State> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &State) -> Result<Self, Problem> {
        let query = axum::extract::Query::<T>::try_from_uri(&parts.uri);
        query.map(|query| Self(query.0)).map_err(|error| unread("query", &error.body_text()))
    }
}

/// The variables of the path, or 400 with a sentence.
pub struct Path<T>(pub T);

impl<T: DeserializeOwned + Send> FromRequestParts<State> for Path<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &State) -> Result<Self, Problem> {
        let path = axum::extract::Path::<T>::from_request_parts(parts, state).await;
        path.map(|path| Self(path.0)).map_err(|error| unread("path", &error.body_text()))
    }
}

/// What axum says of it, without the words that are for whoever wrote the server.
fn unread(what: &str, said: &str) -> Problem {
    let words = ["Failed to deserialize query string: ", "Invalid URL: "].iter().find_map(|words| said.strip_prefix(words)).unwrap_or(said);
    Problem::bad_request(format!("The {what} cannot be read: {}.", words.trim_end_matches('.')))
}

/// How many rows are asked for: `fallback` unless said, at least 1, at most `most`.
pub fn limit(asked: Option<usize>, fallback: usize, most: usize) -> usize {
    asked.unwrap_or(fallback).clamp(1, most)
}

impl State {
    /// The session of that id or name.
    pub async fn session(&self, name: &str) -> Result<Sid, Problem> {
        if name.len() > SEGMENT_BYTES {
            return Err(Problem::no_such_session());
        }
        let name = read_segment(name).into_owned();
        self.ask(move |store| store.find(&name)).await?.ok_or_else(Problem::no_such_session)
    }

    /// The agent of that id, `n` or name.
    pub async fn agent(&self, sid: Sid, name: &str) -> Result<AgentNo, Problem> {
        if name.len() > SEGMENT_BYTES {
            return Err(Problem::no_such_agent());
        }
        let name = read_segment(name).into_owned();
        self.ask(move |store| store.find_agent(sid, &name)).await?.ok_or_else(Problem::no_such_agent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_read_is_said_without_the_servers_own_words() {
        let of = |what, said| unread(what, said).message;
        assert_eq!(
            of("query", "Failed to deserialize query string: limit: invalid digit found in string"),
            "The query cannot be read: limit: invalid digit found in string."
        );
        assert_eq!(of("path", "Invalid URL: Cannot parse `x`."), "The path cannot be read: Cannot parse `x`.");
    }
}
