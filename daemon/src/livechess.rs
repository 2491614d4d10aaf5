//! The local interface that programs know from LiveChess 2: boards, their moves as they come, and
//! the tournament, over a WebSocket and HTTP at port 1982. It is read only.
//!
//! [`Session`] is one client's side of the WebSocket without any line: words in, words out, given
//! what the boards show ([`Seen`]). What they show comes through the public's gate, so that nothing
//! is told here that the public may not know yet.
//!
//! A move that was told to a client stays told: the list only grows, and where the record turns out
//! otherwise, it stands still with `match: false` until the client sets up anew.

mod event;
mod follow;
mod message;
mod rules;
mod seen;
mod server;
mod session;
mod sight;

pub use rules::{Hold, Rules};
pub use seen::{Clock, Line, Seen, State};
pub use server::{Hatch, serve};
pub use session::{LONGEST_WORD, Session};
pub use sight::Sight;
