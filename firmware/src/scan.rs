//! 64 squares into a [`Reading`], by whatever wiring a board has.
//!
//! Wiring is expected in square order: line or chip `n` reads rank `n + 1`, its first input the
//! a-file. Behind a board that is wired otherwise stands a [`Mapped`].

mod adc;
mod expander;
mod hall;
mod mapped;
mod matrix;
mod refusal;
mod shift_register;

use board_wire::{RankLevels, Sensor, Trouble};

pub use adc::{AdcFn, AdcRead, Gated, GatedError, Mcp3208, Mcp3208Error};
pub use expander::{ExpanderError, Expanders};
pub use hall::{Hall, HallError, HallSettings, Polarity, Zeros};
pub use mapped::Mapped;
pub use matrix::{Matrix, MatrixError, MatrixLines, PULL_DOWN_SETTLE_US};
pub use refusal::Refusal;
pub use shift_register::{ChainError, ShiftRegisters, Tail};

/// What one scan read. Bit 0 is a1, bit 63 is h8.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reading {
    /// Squares with a magnet on them.
    pub occupied: u64,
    /// Those of them with a dark piece's polarity; none on boards that cannot tell.
    pub dark: u64,
    /// Squares that could not be read this time, or read what they cannot. Their other bits mean
    /// nothing.
    pub stuck: u64,
    /// Why, if the scanner knows.
    pub trouble: Trouble,
}

impl Reading {
    /// Every square was read, by sensors that tell something from nothing.
    pub const fn of(occupied: u64) -> Reading {
        Reading {
            occupied,
            dark: 0,
            stuck: 0,
            trouble: Trouble::NONE,
        }
    }
}

/// What can go wrong with a whole scan.
pub trait ScanError: core::error::Error {
    /// The same as the host is told.
    fn trouble(&self) -> Trouble;
}

/// Reads every square once.
pub trait Scan {
    /// What can go wrong with the wiring or the bus.
    type Error: ScanError;

    /// What the sensors can tell.
    const SENSOR: Sensor;

    /// One scan. Squares are read one after another; a piece in motion may read on two of them, or
    /// on none.
    ///
    /// # Errors
    /// No square could be read. Scanners that lost only some of them name those in
    /// [`Reading::stuck`].
    fn scan(&mut self) -> Result<Reading, Self::Error>;

    /// What the analogue sensors of a rank (0 to 7) read last. `None` on boards that have none.
    fn levels(&self, rank: u8) -> Option<RankLevels> {
        let _ = rank;
        None
    }

    /// Takes what the analogue sensors read as their zeros. All squares must be empty.
    ///
    /// # Errors
    /// Why not. The zeros stay as they were.
    fn calibrate(&mut self) -> Result<(), Refusal> {
        Err(Refusal::Unread)
    }
}

impl<S: Scan + ?Sized> Scan for &mut S {
    type Error = S::Error;
    const SENSOR: Sensor = S::SENSOR;

    fn scan(&mut self) -> Result<Reading, S::Error> {
        (**self).scan()
    }

    fn levels(&self, rank: u8) -> Option<RankLevels> {
        (**self).levels(rank)
    }

    fn calibrate(&mut self) -> Result<(), Refusal> {
        (**self).calibrate()
    }
}

/// Which level means "occupied" on an input, or "selected" on an output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Active {
    /// The line is driven or pulled up: it reads one.
    High,
    /// The line is pulled to ground, as by a switch against a pull-up resistor.
    Low,
}

impl Active {
    /// The word with a one for every active line, from the levels read.
    fn apply(self, levels: u64) -> u64 {
        match self {
            Active::High => levels,
            Active::Low => !levels,
        }
    }
}
