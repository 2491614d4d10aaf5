//! Sans-IO arbiter for chess: square changes in, rulings under the FIDE Laws out.
//!
//! A pure state machine. Time is an argument, nothing here reads a clock, a file or a socket, no
//! input makes it panic, and bad evidence is answered with a ruling, never with an error.
//!
//! Feed [`Event`]s to an [`Arbiter`]; it writes [`Announcement`]s to the sink it is given.
#![no_std]

extern crate alloc;

mod account;
pub mod arbiter;
mod astray;
mod bridge;
mod candidate;
mod conduct;
mod draw;
mod ending;
mod find;
mod game;
mod hands;
mod hypothesis;
mod illegal;
pub mod input;
pub mod irregularity;
pub mod laws;
mod lies;
pub mod mating;
mod message;
pub mod obligation;
mod order;
pub mod orientation;
mod planes;
mod press;
mod recall;
mod record;
mod report;
mod rests;
pub mod ruling;
pub mod settings;
mod settle;
mod setup;
mod silence;
mod standing;
pub mod symbol;
mod tape;
mod tell;
mod text;
pub mod time;
mod touch;
mod turn;
mod verdict;
pub mod view;
mod window;

pub use account::legal_moves;
pub use arbiter::{Arbiter, Sink};
pub use input::{Event, Input, Setup};
pub use mating::{Mating, Question};
pub use ruling::{Announcement, Ruling};
pub use shakmaty;
pub use symbol::{Reading, SensorClass, Symbol};
pub use time::{Millis, Time};
