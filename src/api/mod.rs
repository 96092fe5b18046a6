//! What the server answers to: one table of routes, and the doors before it.
//!
//! Decision: pages call server functions, programs call plain routes; both are thin over the store and stand behind the same
//! [`door::guard`].
//! Invariants: nothing is changed by GET or HEAD; a path that no rule knows needs a credential; an error is one sentence for a person
//! and a code for a program.

pub mod door;
pub mod export;

mod blobs;
mod delete;
mod download;
mod entries;
mod events;
mod ingest;
mod problem;
mod query;
mod routes;
mod sessions;
mod traces;
mod upload;

use std::path::Path;
use std::sync::Arc;

use axum::extract::FromRef;
use leptos::prelude::LeptosOptions;
use tokio_util::sync::CancellationToken;

pub use problem::Problem;
pub use routes::{ROUTES, Route, Who, router};

use crate::ingest::Intake;
use crate::live::{Hub, Pace, Seats};
use crate::model::Prices;
use crate::store::{Shared, StoreError, Writer};

/// What every handler and server function may use.
#[derive(Clone)]
pub struct State {
    pub store: Shared,
    pub hub: Arc<Hub>,
    pub doors: Arc<door::Doors>,
    pub seats: Arc<Seats>,
    pub pace: Pace,
    /// Where what people leave behind is written.
    pub writer: Writer,
    /// Where pushed lines go.
    pub intake: Arc<Intake>,
    /// The data folder: files that a page sends are put down in it until they are read.
    pub incoming: Arc<Path>,
    /// What tokens cost.
    pub prices: Arc<Prices>,
    /// Cancelled when the server stops: open streams say `bye`.
    pub stop: CancellationToken,
}

/// The router of pages asks for these, and uses none of them: the client's files are embedded under names of their own.
impl FromRef<State> for LeptosOptions {
    fn from_ref(_: &State) -> Self {
        Self::builder().output_name("sidedeck").build()
    }
}

impl State {
    /// Asks the store on a thread that may block.
    pub async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Shared) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, Problem> {
        let store = Arc::clone(&self.store);
        match tokio::task::spawn_blocking(move || question(&store)).await {
            Ok(answer) => answer.map_err(Problem::from),
            Err(error) => Err(Problem::internal(&error)),
        }
    }
}
