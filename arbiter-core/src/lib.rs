//! Sans-IO arbiter for chess: square changes in, rulings under the FIDE Laws out.
//!
//! A pure state machine. Time is an argument, nothing here reads a clock, a file or a socket, no input makes it
//! panic, and bad evidence is answered with a ruling, never with an error.
//!
//! Feed [`Event`]s to an [`Arbiter`]; it writes [`Announcement`]s to the sink it is given.
#![no_std]

extern crate alloc;

pub mod arbiter;
pub mod input;
pub mod irregularity;
pub mod ruling;
pub mod settings;
pub mod symbol;
mod text;
pub mod time;
pub mod view;

pub use arbiter::{Arbiter, Sink};
pub use input::{Event, Input, Setup};
pub use ruling::{Announcement, Ruling};
pub use shakmaty;
pub use symbol::{Reading, SensorClass, Symbol};
pub use time::{Millis, Time};
