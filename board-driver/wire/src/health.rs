//! What a board knows of its own sensors: told as a fault, never as play.

use crate::body::{Reader, Writer};

/// How well a board's sensors work.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Health {
    /// Squares whose sensor cannot be read, or reads what it cannot: a silent chip, a shorted line,
    /// a sensor at its rail. Bit 0 is a1.
    pub stuck: u64,
    /// Squares that chatter. While they do, they are reported as they read before.
    pub unsteady: u64,
    /// Scans that failed since the board was started.
    pub failed_scans: u32,
    /// What is wrong with the wiring.
    pub trouble: Trouble,
}

impl Health {
    /// Whether every square can be trusted.
    pub fn is_good(&self) -> bool {
        self.stuck | self.unsteady == 0 && self.trouble == Trouble::NONE
    }

    /// Whether `other` says the same, but for the number of failed scans.
    pub fn is_like(&self, other: &Health) -> bool {
        (self.stuck, self.unsteady, self.trouble) == (other.stuck, other.unsteady, other.trouble)
    }

    pub(crate) fn write(&self, body: &mut Writer) {
        body.bytes(&self.stuck.to_le_bytes());
        body.bytes(&self.unsteady.to_le_bytes());
        body.u32(self.failed_scans);
        body.bytes(&[self.trouble.code.0, self.trouble.part]);
    }

    pub(crate) fn read(reader: &mut Reader<'_>) -> Option<Health> {
        Some(Health {
            stuck: u64::from_le_bytes(reader.take()?),
            unsteady: u64::from_le_bytes(reader.take()?),
            failed_scans: reader.u32()?,
            trouble: Trouble {
                code: TroubleCode(reader.u8()?),
                part: reader.u8()?,
            },
        })
    }
}

/// What is wrong with the wiring behind the squares, and where.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Trouble {
    /// What.
    pub code: TroubleCode,
    /// Which part, as the code says; 0 where it says nothing.
    pub part: u8,
}

impl Trouble {
    /// Nothing is wrong.
    pub const NONE: Trouble = Trouble {
        code: TroubleCode::NONE,
        part: 0,
    };

    /// `code` in `part`.
    pub const fn new(code: TroubleCode, part: u8) -> Trouble {
        Trouble { code, part }
    }
}

/// Kinds of trouble. Later versions may know more of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct TroubleCode(pub u8);

impl TroubleCode {
    /// Nothing is wrong.
    pub const NONE: TroubleCode = TroubleCode(0);
    /// A transfer on the bus failed.
    pub const BUS: TroubleCode = TroubleCode(1);
    /// A device does not answer. Part: its address on the bus.
    pub const NO_ANSWER: TroubleCode = TroubleCode(2);
    /// Another device answers than the one expected. Part: its address on the bus.
    pub const WRONG_DEVICE: TroubleCode = TroubleCode(3);
    /// A chain of shift registers is broken. Part: what arrived in place of its tail.
    pub const BROKEN_CHAIN: TroubleCode = TroubleCode(4);
    /// A pin could not be read or set.
    pub const PIN: TroubleCode = TroubleCode(5);
    /// Lines are shorted. Part: the files, bit 0 is the a-file.
    pub const SHORTED: TroubleCode = TroubleCode(6);
    /// An analogue converter failed. Part: its channel.
    pub const CONVERTER: TroubleCode = TroubleCode(7);
    /// The zero levels of the sensors are not known.
    pub const NOT_CALIBRATED: TroubleCode = TroubleCode(8);
    /// A device cannot be opened, or sends nothing.
    pub const MISSING: TroubleCode = TroubleCode(9);
}

/// The levels of one rank of analogue sensors, in counts of the board's converter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RankLevels {
    /// 0 is the first rank.
    pub rank: u8,
    /// A square reads occupied from this distance from its zero on.
    pub on: u16,
    /// And empty again below this one.
    pub off: u16,
    /// The squares, a-file first.
    pub squares: [Level; 8],
}

/// What one analogue sensor reads, in counts of the board's converter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Level {
    /// What it reads without a magnet.
    pub zero: u16,
    /// What it reads now, counted from there: light pieces above, dark ones below.
    pub now: i16,
    /// How far its readings lie apart while nothing moves: the highest less the lowest.
    pub noise: u16,
}

impl RankLevels {
    pub(crate) fn write(&self, body: &mut Writer) {
        body.bytes(&[self.rank]);
        body.bytes(&self.on.to_le_bytes());
        body.bytes(&self.off.to_le_bytes());
        for Level { zero, now, noise } in self.squares {
            body.bytes(&zero.to_le_bytes());
            body.bytes(&now.to_le_bytes());
            body.bytes(&noise.to_le_bytes());
        }
    }

    pub(crate) fn read(reader: &mut Reader<'_>) -> Option<RankLevels> {
        let rank = reader.u8().filter(|rank| *rank < 8)?;
        let mut levels = RankLevels {
            rank,
            on: reader.u16()?,
            off: reader.u16()?,
            ..RankLevels::default()
        };
        for level in &mut levels.squares {
            *level = Level {
                zero: reader.u16()?,
                now: i16::from_le_bytes(reader.take()?),
                noise: reader.u16()?,
            };
        }
        Some(levels)
    }
}
