//! A chess clock that tells its times: a DGT3000 over its jack.
//!
//! The clock keeps its own time control. What is here listens: nothing is ever set on a clock, and
//! the one thing that is sent is a wake-up, [`WAKE`] to the address [`WAKE_ADDRESS`], three times
//! at most in a silence ([`Dgt3000::wants_waking`]).
//!
//! ```text
//! while !clock.has_news() && let Some((byte, first)) = jack.read() {
//!     clock.receive(ms, byte, first);
//! }
//! board.clock(ms, clock.told(ms));                      // before each scan
//! if clock.wants_waking(ms) { jack.send(WAKE_ADDRESS, &WAKE); }
//! ```
//!
//! Left and right are told as one sees the clock from its front; who sits where has to be known.

mod dgt3000;
mod frame;
mod hand;

use board_wire::{ClockFace, Side};

pub use dgt3000::{Dgt3000, WAKE, WAKE_ADDRESS};
pub use frame::{Buttons, Crc, Dial, Frames, Message, Step};

/// What a clock has told, for [`Board::clock`](crate::board::Board::clock).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Told {
    /// What it shows.
    pub face: ClockFace,
    /// What became of its lever, where that is news.
    pub lever: Option<Lever>,
}

/// News of a lever: whose end is down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lever {
    /// It lies so; nobody was seen to press it.
    Lies(Side),
    /// He has just pressed it.
    Pressed(Side),
}

#[cfg(test)]
mod tests;
