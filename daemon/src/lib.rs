//! The arbiter daemon - boards, journal, games, console.

pub mod pgn;
pub mod script;
