//! Pushing: a real server, real requests, and a server that is killed again and again.
#![cfg(feature = "ssr")]

mod hook;
mod kills;
mod server;
mod wire;
