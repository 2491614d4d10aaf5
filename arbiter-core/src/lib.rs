//! Sans-IO arbiter for chess: square changes in, rulings under the FIDE Laws out.
//!
//! A pure state machine. Time is an argument, nothing here reads a clock, a file or a socket, no
//! input makes it panic, and bad evidence is answered with a ruling, never with an error.
//!
//! Feed [`Event`]s to an [`Arbiter`]; it writes [`Announcement`]s to the sink it is given.
#![no_std]

extern crate alloc;

pub mod arbiter;
mod chess;
mod earlier;
mod game;
mod hearing;
mod judge;
pub mod laws;
mod listed;
mod message;
mod said;
mod sense;
mod track;

pub use arbiter::{Arbiter, Sink};
pub use chess::moves::legal_moves;
pub use game::view::Plies;
pub use input::{Event, Input, Setup};
pub use judge::obligation;
pub use ruling::{Announcement, Ruling};
pub use said::mating::Mating;
pub use said::question::Question;
pub use said::{input, irregularity, orientation, refused, ruling, settings, symbol, time, view};
pub use shakmaty;
pub use symbol::{Reading, SensorClass, Symbol};
pub use time::{Millis, Time};

/// The example of the README is compiled with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
