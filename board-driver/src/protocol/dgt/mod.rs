//! Boards by DGT, on serial lines, USB and classic Bluetooth, alone or many on one line, with the
//! clock on their cable.
//!
//! The facts are those of the maker's own header for developers, as it is kept in
//! `picochess/test/dgtbrd-ruud.h` (github.com/jromang/picochess), and of what drivers have found
//! since: picochess (`dgt/board.py`, `dgt/util.py`), niklasf/python-asyncdgt and
//! arnsholt/dgtdriver.
//!
//! [`frame`] finds messages in bytes, [`message`] reads those of single mode and [`bus`] those of
//! bus mode; [`square`], [`clock`] and [`log`] are what they speak of. [`Dgt`] is the host's end of
//! a line to one board, [`BusMaster`] that of a line with many.

pub mod bus;
pub mod clock;
mod clock_sides;
mod discovery;
mod flags;
pub mod frame;
mod host;
mod info;
pub mod log;
mod master;
pub mod message;
mod recall;
mod shared;
pub mod square;
mod station;

pub use discovery::Discovery;
pub use frame::Framer;
pub use host::Dgt;
pub use info::SCAN_MS;
pub use master::BusMaster;
pub use message::{Ask, Message};
pub use shared::{HIGHEST_ADDRESS, SharedDgt};

/// Finds the messages of single mode.
pub fn single() -> Framer {
    Framer::new(message::fits)
}

/// Finds the answers of bus mode.
pub fn on_bus() -> Framer {
    Framer::new(bus::fits)
}
