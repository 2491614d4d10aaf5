//! The arbiter daemon - boards, journal, games, console.
