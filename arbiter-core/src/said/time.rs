//! Time as the arbiter knows it: milliseconds on the board's own clock, always passed in.

use core::fmt;
use core::ops::{Add, Sub};

use serde::{Deserialize, Serialize};

/// A moment, in milliseconds on the clock of the board that reported it.
///
/// The core has no clock of its own: every call carries its time, so a recorded trace replays to
/// the same rulings.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug, Serialize, Deserialize,
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Time(pub u64);

/// A length of time, in milliseconds.
pub type Millis = u64;

impl Time {
    /// The moment a board's clock starts at.
    pub const ZERO: Time = Time(0);

    /// Milliseconds from `earlier` to `self`; zero when `earlier` is later.
    pub fn since(self, earlier: Time) -> Millis {
        self.0.saturating_sub(earlier.0)
    }
}

impl Add<Millis> for Time {
    type Output = Time;
    fn add(self, ms: Millis) -> Time {
        Time(self.0.saturating_add(ms))
    }
}

impl Sub<Millis> for Time {
    type Output = Time;
    fn sub(self, ms: Millis) -> Time {
        Time(self.0.saturating_sub(ms))
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:03} s", self.0 / 1000, self.0 % 1000)
    }
}
