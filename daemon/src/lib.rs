//! The arbiter daemon - boards, journal, games, console.

pub mod hall;
pub mod http;
pub mod pgn;
pub mod script;
pub mod store;
