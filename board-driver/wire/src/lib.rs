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
pub mod message;
pub mod ring;
pub mod symbol;

pub use body::{Layout, Writer};
pub use clock::{ClockBits, ClockFace};
pub use device::Device;
pub use frame::{Accumulator, Frame, MAX_FRAME, Step, encode};
pub use health::{Health, Level, RankLevels, Trouble, TroubleCode};
pub use message::{
    Capabilities, Changes, Condition, Evidence, Firmware, FromBoard, Heartbeat, Hello, Sensor,
    Serial, Side, Text, ToBoard, What,
};
pub use ring::{IndexedRing, Ring, Store};
pub use symbol::{Square, Symbol};

/// The version of the protocol this crate speaks. Hosts take boards of version 1 as well.
pub const VERSION: u8 = 2;
