//! Why a calibration was not made.

use core::fmt;

/// Why what the sensors read was not taken as their zeros. The zeros stay as they were.
///
/// Squares are bits: bit 0 is a1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The sensors could not be read, or know only open and closed.
    Unread,
    /// These squares read too far from their zeros for empty ones: pieces stand there, or something
    /// else is magnetic.
    Occupied(u64),
    /// No working sensor reads so far from the middle of the scale without a magnet.
    Implausible(u64),
    /// Who asked for it is elsewhere, and nobody at the board has allowed it.
    NotAllowed,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Unread => f.write_str("the analogue sensors could not be read"),
            Refusal::Occupied(squares) => write!(f, "squares {squares:#x} are not empty"),
            Refusal::Implausible(squares) => write!(f, "squares {squares:#x} cannot be empty"),
            Refusal::NotAllowed => f.write_str("nobody at the board has allowed it"),
        }
    }
}

impl core::error::Error for Refusal {}
