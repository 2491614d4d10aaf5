//! Simulated boards on pseudo-terminals: a [`Device`] that plays a script.
//!
//! ```text
//! script (hands, sensors) -> BoardSim (clock) -> Device (the board) -> NoisyLine -> Pty
//! ```
//!
//! [`Device`] and [`BoardSim`] are sans-IO; [`SimulatedBoard`] gives them a pseudo-terminal, linked
//! at a path that is opened like any port. They are as stubborn as hardware: they repeat themselves
//! where their language can, lose frames to a noisy line, lose power.

mod board;
mod bus;
mod line;
mod pty;
mod run;

use std::path::PathBuf;
use std::time::Duration;

use arbiter_core::shakmaty::Board;
use arbiter_core::{Reading, SensorClass};

use crate::device::DeviceConfig;
use crate::kinds::BoardKind;

pub use crate::device::{Device, Fittings, Moment, Quirks};
pub use board::BoardSim;
pub use bus::{BusCounts, BusSim, SimulatedBus};
pub use line::{LineNoise, NoisyLine};
pub use pty::{Pty, share};
pub use run::{Control, SimReport, SimulatedBoard};

/// What board is simulated, and where.
#[derive(Clone, PartialEq, Debug)]
pub struct SimConfig {
    /// What it speaks.
    pub kind: BoardKind,
    /// Where its port is linked.
    pub link: PathBuf,
    /// Its serial number: up to 32 printable ASCII characters.
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
    /// Whether its sensors are analogue, where boards of its kind can say so.
    pub levels: bool,
    /// How many times faster than the world its clock runs; 0: it jumps from event to event, as
    /// fast as the host takes them.
    pub pace: f32,
    /// Board milliseconds between two scans of a board that sends whole states; 0: as boards of its
    /// kind do.
    pub scan_ms: u32,
    /// Squares that such a board reads badly in a scan, in a thousand, where it can.
    pub misread: u16,
    /// What it does otherwise than others of its kind.
    pub quirks: Quirks,
    /// What it has for the bench, where boards of its kind can have anything.
    pub bench: Option<Fittings>,
    /// What stands on it when it is switched on.
    pub squares: Reading,
    /// What happens to bytes on the line.
    pub noise: LineNoise,
    /// How long it stays readable after the last event.
    pub linger: Duration,
}

impl SimConfig {
    /// A native board with everything, in real time, set up for a game, on a line without noise.
    pub fn new(
        link: impl Into<PathBuf>,
        serial: impl Into<String>,
        sensor: SensorClass,
    ) -> SimConfig {
        SimConfig {
            kind: BoardKind::Native,
            link: link.into(),
            serial: serial.into(),
            sensor,
            clock: true,
            polled: false,
            lamps: true,
            adjust: true,
            levels: false,
            pace: 1.0,
            scan_ms: 0,
            misread: 0,
            quirks: Quirks::default(),
            bench: None,
            squares: sensor.reads(&Board::new()),
            noise: LineNoise::default(),
            linger: Duration::from_secs(2),
        }
    }

    /// The board itself, in the run of that number.
    fn device(&self, boot: u16) -> DeviceConfig {
        let &SimConfig {
            sensor,
            clock,
            polled,
            lamps,
            adjust,
            levels,
            pace,
            scan_ms,
            misread,
            quirks,
            squares,
            ..
        } = self;
        DeviceConfig {
            boot,
            serial: self.serial.clone(),
            sensor,
            clock,
            polled,
            lamps,
            adjust,
            levels,
            pace,
            scan_ms,
            misread,
            quirks,
            bench: self.bench.clone(),
            squares,
        }
    }
}
