//! What a clock shows that tells its times: for whoever looks on, and for its flags. Presses are
//! evidence, and carry times of their own.

use crate::body::{Reader, Writer};

/// Remaining time when the clock does not tell it.
const NOT_TOLD: u32 = u32::MAX;

/// What a clock shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClockFace {
    /// White's remaining time in milliseconds, where the clock tells.
    pub white_ms: Option<u32>,
    /// Black's remaining time in milliseconds, where the clock tells.
    pub black_ms: Option<u32>,
    /// The rest.
    pub bits: ClockBits,
}

/// What a clock shows besides times, one bit each. Later versions may know more of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClockBits(pub u8);

impl ClockBits {
    /// The clock is heard.
    pub const SPEAKS: ClockBits = ClockBits(1);
    /// White's time was seen to become less just now, and he has not pressed since.
    pub const WHITE_RUNS: ClockBits = ClockBits(2);
    /// Black's was.
    pub const BLACK_RUNS: ClockBits = ClockBits(4);
    /// White's flag has fallen.
    pub const WHITE_FELL: ClockBits = ClockBits(8);
    /// Black's flag has fallen.
    pub const BLACK_FELL: ClockBits = ClockBits(16);

    /// Whether all of `other` are among these.
    pub const fn has(self, other: ClockBits) -> bool {
        self.0 & other.0 == other.0
    }

    /// These, and `other` too when `present`.
    pub const fn with(self, other: ClockBits, present: bool) -> ClockBits {
        if present {
            ClockBits(self.0 | other.0)
        } else {
            self
        }
    }
}

impl ClockFace {
    pub(crate) fn write(&self, body: &mut Writer) {
        write_time(self.white_ms, body);
        write_time(self.black_ms, body);
        body.bytes(&[self.bits.0]);
    }

    pub(crate) fn read(reader: &mut Reader<'_>) -> Option<ClockFace> {
        Some(ClockFace {
            white_ms: read_time(reader)?,
            black_ms: read_time(reader)?,
            bits: ClockBits(reader.u8()?),
        })
    }
}

pub(crate) fn write_time(ms: Option<u32>, body: &mut Writer) {
    body.u32(ms.unwrap_or(NOT_TOLD));
}

/// `None` when there is none, `Some(None)` when the clock does not tell it.
pub(crate) fn read_time(reader: &mut Reader<'_>) -> Option<Option<u32>> {
    reader.u32().map(|ms| (ms != NOT_TOLD).then_some(ms))
}
