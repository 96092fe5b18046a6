//! The server over HTTP: a real one on a port of its own, its store in a folder of its own, and a client that writes its bytes itself.
#![cfg(feature = "ssr")]

mod doors;
mod events;
mod life;
mod pairing;
mod reads;
mod resume;
mod support;
