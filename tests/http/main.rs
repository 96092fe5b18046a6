//! The server over HTTP: a real one on a port of its own, its store in a folder of its own, and a client that writes its bytes itself.
#![cfg(feature = "ssr")]
// A test tells of a fault by panicking.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod deletes;
mod desk;
mod devices;
mod doors;
mod events;
mod life;
mod pairing;
mod reads;
mod resume;
mod support;
mod traces;
mod uploads;
