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
mod discovery;
pub mod frame;
mod host;
pub mod log;
mod master;
pub mod message;
mod recall;
mod sides;
pub mod square;
mod station;

use std::time::Duration;

use arbiter_core::SensorClass;

use super::Profile;
use crate::noise::Model;
use crate::sim;

pub use discovery::Discovery;
pub use frame::Framer;
pub use host::Dgt;
pub use master::BusMaster;
pub use message::{Ask, Message};

/// Finds the messages of single mode.
pub fn single() -> Framer {
    Framer::new(message::fits)
}

/// Finds the answers of bus mode.
pub fn on_bus() -> Framer {
    Framer::new(bus::fits)
}

/// A board alone on its line.
pub(super) const PROFILE: Profile = Profile {
    name: "dgt",
    title: "DGT",
    baud: 9_600,
    sensor: Some(SensorClass::Piece),
    clock: true,
    tells_time: false,
    answers_within: Duration::from_millis(1_500),
    usb: &[],
    sensors: model,
    host: |start| Box::new(Dgt::new(start)),
    device: sim::dgt,
};

/// A whole scan of the squares takes 200 to 250 ms.
pub const SCAN_MS: u32 = 250;

/// Coils that know their pieces: nothing bounces, but the squares are looked at one after the
/// other, so slowly that a piece may be seen on two of them at once and a victim's square never
/// empty.
fn model(level: u8) -> Model {
    let ideal = Model {
        period_us: (200_000, 250_000),
        bounce: 0,
        ..Model::level(0)
    };
    match level {
        0 => ideal,
        1 => Model {
            blind: 1_000,
            linger: 250,
            ..ideal
        },
        _ => Model {
            blind: 1_000,
            linger: 250,
            bleed: 15,
            lost_places: 3,
            lost_lifts: 1,
            ..ideal
        },
    }
}
