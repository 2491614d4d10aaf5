//! What a simulated board is made with, whatever it speaks.

use arbiter_core::{Reading, SensorClass};
use board_wire::{SquareMap, Tested};

/// A simulated board without its port, its line and its hands. [`crate::sim::SimConfig`] says
/// what the fields mean to whoever asks for a board.
#[derive(Clone, PartialEq, Debug)]
pub struct DeviceConfig {
    /// Tells one run of the board from the next.
    pub boot: u16,
    /// Its serial number.
    pub serial: String,
    /// What its sensors can tell.
    pub sensor: SensorClass,
    /// Whether a clock is connected.
    pub clock: bool,
    /// Whether it says that it is read by whole states.
    pub polled: bool,
    /// Whether it has lamps.
    pub lamps: bool,
    /// Whether it has adjust buttons.
    pub adjust: bool,
    /// Whether its sensors are analogue.
    pub levels: bool,
    /// How many times faster than the world its clock runs; 0: it jumps.
    pub pace: f32,
    /// Board milliseconds between two scans; 0: as boards of its kind do.
    pub scan_ms: u32,
    /// Squares that it reads badly in a scan, in a thousand.
    pub misread: u16,
    /// What it does otherwise than others of its kind.
    pub quirks: Quirks,
    /// What it has for the bench, where boards of its kind can have anything.
    pub bench: Option<Fittings>,
    /// What stands on it when it is switched on.
    pub squares: Reading,
}

/// What a native board has for whoever builds or mends it: a firmware with a name, a boot loader, a
/// map of its squares, a test of its parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fittings {
    /// What its firmware calls itself.
    pub firmware: &'static str,
    /// The square that each square's line really reads.
    pub wiring: SquareMap,
    /// What it finds when it tries its parts.
    pub tested: Vec<Tested>,
}

impl Default for Fittings {
    fn default() -> Fittings {
        Fittings {
            firmware: "simulated 1.0.0",
            wiring: SquareMap::IDENTITY,
            tested: Vec::new(),
        }
    }
}

/// What some boards do otherwise than others of their kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Quirks {
    /// It answers when a setting is written, and keeps the one it has (ChessLink).
    pub keeps_settings: bool,
    /// It sends its state when it is first told to and when something has changed, not scan after
    /// scan (Chessnut).
    pub tells_changes_only: bool,
    /// It does not say how full its battery is (Chessnut).
    pub keeps_battery: bool,
}
