//! 64 squares into a `u64`, by whatever wiring a board has.
//!
//! Wiring is expected in square order: line or chip `n` reads rank `n + 1`, its first input the a-file. A board that is wired
//! otherwise permutes the word once, behind its scanner.

mod matrix;
mod shift_register;

pub use matrix::Matrix;
pub use shift_register::{ChainError, ShiftRegisters, Tail};

/// Reads every square once.
pub trait Scan {
    /// What can go wrong with the wiring or the bus.
    type Error: core::fmt::Debug;

    /// One scan: a set bit is an occupied square. Squares are read one after another; a piece in motion may read on two of
    /// them, or on none.
    fn scan(&mut self) -> Result<u64, Self::Error>;
}

impl<S: Scan + ?Sized> Scan for &mut S {
    type Error = S::Error;

    fn scan(&mut self) -> Result<u64, S::Error> {
        (**self).scan()
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
