//! The road from generated transcripts to the export, against the generator's own counts, in each of its layouts.
//!
//! Runs where the generator lies beside the project and python3 is there; else it prints that it skips.
#![cfg(feature = "ssr")]
// A test tells of a fault by panicking.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod files;
mod kills;
mod live;
mod packed;
mod samples;
mod support;
