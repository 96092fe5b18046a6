//! Pushing: a real server, real requests, and a server that is killed again and again.
#![cfg(feature = "ssr")]
// A test tells of a fault by panicking.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod delete;
mod hook;
mod kills;
mod server;
mod streams;
mod wire;
