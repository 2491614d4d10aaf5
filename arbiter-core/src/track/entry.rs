//! What board and clock told, one entry each.

use shakmaty::{Color, Square};

use crate::said::symbol::Symbol;
use crate::said::time::Time;

/// Something told.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Logged {
    /// A square reads otherwise.
    Change(Square, Symbol),
    /// A player pressed.
    Press(Color),
}

/// Something told, and when.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LogEntry {
    pub(crate) at: Time,
    pub(crate) told: Logged,
}
