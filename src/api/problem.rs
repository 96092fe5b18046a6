//! The one error of the routes.
//!
//! Decision: `{"status":404,"code":"no_such_session","message":"…"}`, and `line` where it applies. What went wrong inside is logged
//! under an id; the id is all that leaves the house.

use std::fmt::Display;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::store::StoreError;

/// Why a request was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    pub status: u16,
    /// A word for programs.
    pub code: &'static str,
    /// A sentence for a person.
    pub message: String,
    /// The line of the body, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// The number that a producer should go on with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<u64>,
    /// The epoch that a producer has been overtaken by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub epoch: Option<u64>,
    /// Seconds until it is worth trying again.
    #[serde(skip)]
    pub retry_after: Option<u64>,
}

impl Problem {
    /// A problem with a sentence.
    pub fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self { status: status.as_u16(), code, message: message.into(), line: None, expected: None, epoch: None, retry_after: None }
    }

    /// 400, for a part of the request that cannot be read.
    pub fn bad_request(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "bad_request", message)
    }

    /// 404, for a session that the store does not have.
    pub fn no_such_session() -> Self {
        Self::new(StatusCode::NOT_FOUND, "no_such_session", "There is no such session.")
    }

    /// 404, for an agent that the session does not have.
    pub fn no_such_agent() -> Self {
        Self::new(StatusCode::NOT_FOUND, "no_such_agent", "The session has no such agent.")
    }

    /// 500: the cause goes to the log, an id to the caller.
    pub fn internal(cause: &dyn Display) -> Self {
        let id = super::door::random_name(6);
        tracing::error!(%id, %cause, "a request failed");
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", format!("Something went wrong here; the server's log has it under {id}."))
    }

    /// Says when to try again.
    #[must_use]
    pub fn after(mut self, seconds: u64) -> Self {
        self.retry_after = Some(seconds);
        self
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Full => Self::new(StatusCode::INSUFFICIENT_STORAGE, "disk_full", "The disk is full.").after(30),
            StoreError::Busy(_) | StoreError::Newer(_) | StoreError::Closed => {
                Self::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", "The data cannot be reached at the moment.").after(5)
            }
            StoreError::Behind => Self::new(StatusCode::SERVICE_UNAVAILABLE, "behind", error.to_string()).after(1),
            StoreError::Running(_) => Self::new(StatusCode::CONFLICT, "running", error.to_string()),
            StoreError::Missing(_) => Self::new(StatusCode::NOT_FOUND, "no_such_row", error.to_string()),
            StoreError::Other(cause) => Self::internal(&cause),
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let retry_after = self.retry_after;
        let mut response = (status, Json(self)).into_response();
        if let Some(seconds) = retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}
