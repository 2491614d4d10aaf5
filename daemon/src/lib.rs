//! The arbiter daemon - boards, journal, games, console.

pub mod config;
pub mod hall;
pub mod http;
pub mod journal;
pub mod pgn;
pub mod script;
pub mod store;
