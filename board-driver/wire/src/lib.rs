//! The native board protocol, no_std and without allocation.
//!
//! `docs/wire.md` is the specification; this crate is one implementation of it, for both ends of
//! the line.
//!
//! * [`message`] holds what is said: [`FromBoard`] and [`ToBoard`].
//! * [`health`] holds what a board says of its own sensors.
//! * [`clock`] holds what a board's clock shows.
//! * [`frame`] puts a message, or whatever else has a [`Layout`], on the line and takes it off
//!   again: COBS, a CRC-32, a zero byte.
//! * [`device`] is the board's end: it numbers evidence, keeps it for resending, and answers the
//!   host.
//! * [`ring`] holds where it keeps that evidence.
//! * [`workshop`] is for the bench, with [`loader`], [`square_map`] and [`self_test`]: a board's
//!   boot loader, lines that were exchanged, and what a board finds out about its own parts.
//!
//! A stream that is damaged, cut or foreign yields [`frame::Damage`], never a message that was not
//! sent, and never a panic.
#![no_std]

mod body;
pub mod clock;
pub mod device;
pub mod frame;
pub mod health;
mod layout;
pub mod loader;
pub mod message;
pub mod ring;
pub mod self_test;
pub mod square_map;
pub mod symbol;
pub mod workshop;

pub use body::{Layout, Writer};
pub use clock::{ClockBits, ClockFace};
pub use device::{Aside, Device};
pub use frame::{Accumulator, Frame, MAX_FRAME, Step, encode};
pub use health::{Health, Level, RankLevels, Trouble, TroubleCode};
pub use loader::{Loader, LoaderStep};
pub use message::{
    Capabilities, Changes, Condition, Evidence, Firmware, FromBoard, Heartbeat, Hello, Sensor,
    Serial, Side, Text, ToBoard, What,
};
pub use ring::{IndexedRing, Ring, Store};
pub use self_test::{Part, Tested, Verdict};
pub use square_map::{MapRank, MapRanks, SquareMap};
pub use symbol::{Square, Symbol};
pub use workshop::{Job, Workshop};

/// The version of the protocol this crate speaks. Hosts take boards of version 1 as well.
pub const VERSION: u8 = 2;

/// The example of the README is compiled with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
