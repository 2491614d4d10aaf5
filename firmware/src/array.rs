//! A sensor array that scans by itself and tells its samples over a serial line.
//!
//! The samples are raw: they bounce and chatter as the sensors do, and the board filters them. They
//! carry the array's clock, and the board's own clock follows it, so equal samples may be left out:
//! the board scans the same reading for as long as the clock says.
//!
//! # The line
//!
//! Frames as on the host's line (`docs/wire.md`, section 2): the body and its CRC-32, COBS, one
//! byte 00. One kind of body, 26 bytes, all numbers little-endian:
//!
//! | at | type | field |
//! |---|---|---|
//! | 0 | u8 | 40 |
//! | 1 | u32 | ms: the array's clock in milliseconds. It starts anywhere, and wraps around |
//! | 5 | u32 | pace: its milliseconds in 1,000 of the world; 1000 unless it is simulated |
//! | 9 | u64 | squares with a magnet on them; bit 0 is a1 |
//! | 17 | u64 | those of them with a dark piece's polarity; 0 where that is not sensed |
//! | 25 | u8 | set while down: White's (bit 0) and Black's (1) end of the lever, then the |
//! | | | adjust buttons of White (2) and Black (3) |
//!
//! An array should send a sample as soon as something reads differently; another when that has
//! lasted for the depth of the board's filter, lest the board hear of it only with the next change;
//! and one in [`SILENCE_MS`] / 4 whatever happens. It needs no answer. What is damaged is dropped
//! up to the next 00, and told to the host as a failed scan.

use core::{array, fmt};

use board_wire::frame::Damage;
use board_wire::{Accumulator, Layout, Sensor, Step, Trouble, TroubleCode, Writer};

use crate::scan::{Reading, Scan, ScanError};

/// An array that has sent nothing for so many milliseconds of the world is taken as unplugged.
pub const SILENCE_MS: u32 = 1_000;

/// Samples further apart than this, in milliseconds of the array's clock, leave a gap: what was
/// read between is not known.
const LONGEST_STEP: u32 = 60_000;

const KIND: u8 = 0x40;
const BODY: usize = 26;

/// What an array reads at one moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// The array's clock, in milliseconds.
    pub ms: u32,
    /// Milliseconds of that clock in 1,000 of the world.
    pub pace: u32,
    /// Squares with a magnet on them.
    pub occupied: u64,
    /// Those of them with a dark piece's polarity.
    pub dark: u64,
    /// The lines of lever and buttons, as
    /// [`Controls::from_lines`](crate::report::Controls::from_lines) takes them.
    pub controls: u8,
}

impl Layout for Sample {
    fn write(&self, body: &mut Writer) {
        body.bytes(&[KIND]);
        body.bytes(&self.ms.to_le_bytes());
        body.bytes(&self.pace.to_le_bytes());
        body.bytes(&self.occupied.to_le_bytes());
        body.bytes(&self.dark.to_le_bytes());
        body.bytes(&[self.controls]);
    }

    fn read(body: &[u8]) -> Result<Sample, Damage> {
        let &kind = body.first().ok_or(Damage::Malformed)?;
        if kind != KIND {
            return Err(Damage::UnknownKind(kind));
        }
        let body: &[u8; BODY] = body.try_into().map_err(|_| Damage::Malformed)?;
        let number = |at: usize| u32::from_le_bytes(array::from_fn(|n| body[at + n]));
        let squares = |at: usize| u64::from_le_bytes(array::from_fn(|n| body[at + n]));
        let [.., controls] = *body;
        Ok(Sample {
            ms: number(1),
            pace: number(5),
            occupied: squares(9),
            dark: squares(17),
            controls,
        })
    }
}

/// Why the array's reading is not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArrayError {
    /// A stretch of its line was damaged.
    Damaged,
    /// It sends nothing.
    Silent,
}

impl fmt::Display for ArrayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ArrayError::Damaged => "a sample of the sensor array was damaged on its line",
            ArrayError::Silent => "the sensor array sends nothing",
        })
    }
}

impl core::error::Error for ArrayError {}

impl ScanError for ArrayError {
    fn trouble(&self) -> Trouble {
        match self {
            ArrayError::Damaged => Trouble::new(TroubleCode::BUS, 0),
            ArrayError::Silent => Trouble::new(TroubleCode::MISSING, 0),
        }
    }
}

/// A scan that is due.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Due {
    /// When, on the board's clock in milliseconds.
    pub ms: u32,
    /// The lines of lever and buttons then.
    pub controls: u64,
}

/// The board's end of an array's line. `COLOUR`: the array senses polarity.
///
/// ```text
/// array.receive(byte)            // whenever one has come
/// array.pass()                   // once a millisecond of the world
/// while let Some(due) = array.next_scan() {
///     board.scan(due.ms, &mut array, due.controls);
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Array<const COLOUR: bool> {
    line: Accumulator<Sample>,
    /// What is read now.
    sample: Option<Sample>,
    /// What will be read at `arrives` on the board's clock.
    coming: Option<Sample>,
    arrives: u32,
    /// The board's clock.
    now: u32,
    /// The board's clock less the array's.
    ahead: u32,
    /// Milliseconds of the world since the newest sample, up to `SILENCE_MS`.
    quiet: u32,
    /// Thousandths of a millisecond that have passed in silence and are not counted in `now` yet.
    part: u32,
    lone_scan: bool,
    damaged: bool,
}

impl<const COLOUR: bool> Default for Array<COLOUR> {
    fn default() -> Self {
        Array {
            line: Accumulator::default(),
            sample: None,
            coming: None,
            arrives: 0,
            now: 0,
            ahead: 0,
            quiet: 0,
            part: 0,
            lone_scan: false,
            damaged: false,
        }
    }
}

impl<const COLOUR: bool> Array<COLOUR> {
    /// Takes a byte of the line. All scans that were due must have been made.
    pub fn receive(&mut self, byte: u8) {
        match self.line.feed(&[byte]) {
            Step::Partial => {}
            Step::Message(sample, _) => self.follow(sample),
            Step::Damaged(..) => self.damaged = true,
        }
    }

    /// A sample has come: the board's clock goes to its time, a scan a millisecond. It never goes
    /// back: where the array's does, or leaps, the array was started anew or many samples are lost,
    /// and the two are set beside one another again.
    fn follow(&mut self, sample: Sample) {
        self.quiet = 0;
        let step = sample.ms.wrapping_add(self.ahead).wrapping_sub(self.now);
        if self.sample.is_none() || step == 0 || step > LONGEST_STEP {
            self.ahead = self.now.wrapping_add(1).wrapping_sub(sample.ms);
        }
        self.arrives = sample.ms.wrapping_add(self.ahead);
        self.coming = Some(sample);
    }

    /// A millisecond of the world has passed. While the array is silent, the board's clock goes on
    /// without it.
    pub fn pass(&mut self) {
        self.quiet = (self.quiet + 1).min(SILENCE_MS);
        if self.is_silent() {
            self.part = self.part.saturating_add(self.pace());
            self.now = self.now.wrapping_add(self.part / 1_000);
            self.part %= 1_000;
            self.lone_scan = true;
        }
    }

    /// The next scan that is due, if there is one.
    pub fn next_scan(&mut self) -> Option<Due> {
        if let Some(coming) = self.coming {
            self.now = self.now.wrapping_add(1);
            if self.now == self.arrives {
                self.sample = Some(coming);
                self.coming = None;
            }
        } else if !core::mem::take(&mut self.lone_scan) {
            return None;
        }
        Some(Due {
            ms: self.now,
            controls: self.sample.map_or(0, |sample| u64::from(sample.controls)),
        })
    }

    /// The board's clock, in milliseconds.
    pub fn ms(&self) -> u32 {
        self.now
    }

    /// Milliseconds of the board's clock in 1,000 of the world, as the array says; 1,000 before it
    /// has said anything.
    pub fn pace(&self) -> u32 {
        self.coming
            .or(self.sample)
            .map_or(1_000, |sample| sample.pace)
    }

    /// Whether a sample has come.
    pub fn has_spoken(&self) -> bool {
        self.coming.or(self.sample).is_some()
    }

    /// Whether nothing has come for [`SILENCE_MS`].
    pub fn is_silent(&self) -> bool {
        self.quiet == SILENCE_MS
    }
}

impl<const COLOUR: bool> Scan for Array<COLOUR> {
    type Error = ArrayError;
    const SENSOR: Sensor = if COLOUR {
        Sensor::Colour
    } else {
        Sensor::Occupancy
    };

    fn scan(&mut self) -> Result<Reading, ArrayError> {
        if core::mem::take(&mut self.damaged) {
            return Err(ArrayError::Damaged);
        }
        let sample = self
            .sample
            .filter(|_| !self.is_silent())
            .ok_or(ArrayError::Silent)?;
        Ok(Reading {
            dark: if COLOUR { sample.dark } else { 0 },
            ..Reading::of(sample.occupied)
        })
    }
}

#[cfg(test)]
mod tests;
