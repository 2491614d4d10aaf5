//! What is said on the line.

use crate::clock::ClockFace;
use crate::health::{Health, RankLevels};
use crate::self_test::Tested;
use crate::square_map::MapRank;
use crate::symbol::{Square, Symbol};

/// Most square changes one frame carries. A scan with more of them is split over several frames.
pub const MAX_CHANGES: usize = 32;

/// Longest serial number, in bytes.
pub const MAX_SERIAL: usize = 32;

/// Longest name of a firmware, in bytes.
pub const MAX_FIRMWARE: usize = 64;

/// From the board to the host.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FromBoard {
    /// What the board is.
    Hello(Hello),
    /// A hello of another version of the protocol; only the version can be read.
    OtherVersion(u8),
    /// Something that happened on the board.
    Evidence(Evidence),
    /// The board is alive.
    Heartbeat(Heartbeat),
    /// Evidence before `oldest` is no longer kept; a snapshot follows.
    Gone {
        /// The board's run.
        boot: u16,
        /// The oldest evidence that can still be sent.
        oldest: u32,
    },
    /// How well the board's sensors work.
    Condition(Condition),
    /// What analogue sensors read.
    Levels {
        /// The board's run.
        boot: u16,
        /// When they were read, in milliseconds on the board's clock.
        ms: u32,
        /// One rank of them.
        levels: RankLevels,
    },
    /// What the board's firmware calls itself.
    Firmware {
        /// The board's run.
        boot: u16,
        /// Its name, its version and what it was built of.
        firmware: Firmware,
    },
    /// What the board's clock shows, where it tells that.
    Clock {
        /// The board's run.
        boot: u16,
        /// Now, in milliseconds on the board's clock.
        ms: u32,
        /// What it shows.
        face: ClockFace,
    },
    /// The boot loader was asked for; it starts when it is asked for again with this number.
    Loader {
        /// The board's run.
        boot: u16,
        /// What the second request has to repeat.
        nonce: u32,
    },
    /// A rank of the map by which the board reads its squares.
    Map {
        /// The board's run.
        boot: u16,
        /// The rank.
        rank: MapRank,
    },
    /// What the board found when it tried one of its parts.
    Tested {
        /// The board's run.
        boot: u16,
        /// The part.
        tested: Tested,
    },
}

/// From the host to the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ToBoard {
    /// Say hello.
    RequestHello {
        /// What the answer has to repeat: another number for every question, never 0. `None` in
        /// the form of version 1, which boards of this version answer with 0.
        nonce: Option<u32>,
    },
    /// Send what every square reads.
    RequestSnapshot,
    /// Send all evidence again from this sequence number on.
    Resend {
        /// The first one missing.
        from: u32,
    },
    /// Light these squares: bit 0 is a1, bit 63 is h8.
    SetLamps(u64),
    /// The answer to a heartbeat: all evidence before `next` has arrived.
    Ack {
        /// The board's run.
        boot: u16,
        /// The first evidence that has not arrived.
        next: u32,
    },
    /// Send what the analogue sensors read, all ranks.
    RequestLevels,
    /// Take what the analogue sensors read now as their zero levels. Every square must be empty.
    Calibrate,
    /// Say what your firmware calls itself.
    RequestFirmware,
    /// Start the boot loader: see [`Loader`](crate::Loader).
    StartLoader {
        /// First that of the hello, then the board's own.
        nonce: u32,
    },
    /// A rank of the map by which the squares are to be read from now on. With the eighth the board
    /// takes the map, keeps it over a restart, and tells it.
    SetMap(MapRank),
    /// Tell the map by which the squares are read, all ranks.
    RequestMap,
    /// Try all parts, and tell what was found.
    SelfTest,
}

/// What a board says of itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hello {
    /// The question it answers: [`ToBoard::RequestHello`]. `None` from boards of version 1, whose
    /// hello may answer nothing.
    pub nonce: Option<u32>,
    /// Differs from run to run of the board, so that a reboot is recognised.
    pub boot: u16,
    /// Now, in milliseconds on the board's clock.
    pub ms: u32,
    /// The sequence number the next evidence will have.
    pub next: u32,
    /// What its sensors can tell.
    pub sensor: Sensor,
    /// What it has.
    pub capabilities: Capabilities,
    /// Board milliseconds that pass in 1,000 milliseconds of the world. 1,000 on every real board;
    /// only simulated boards differ. 0: the board's clock jumps from event to event.
    pub pace: u32,
    /// Its serial number.
    pub serial: Serial,
}

/// What a board's sensors can tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Sensor {
    /// Something or nothing.
    Occupancy = 0,
    /// Light, dark or nothing.
    Colour = 1,
    /// Which piece.
    Piece = 2,
}

/// What a board has, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Capabilities(pub u8);

impl Capabilities {
    /// A clock whose presses it reports.
    pub const CLOCK: Capabilities = Capabilities(1);
    /// A lamp on every square.
    pub const LAMPS: Capabilities = Capabilities(2);
    /// An adjust button for each side.
    pub const ADJUST: Capabilities = Capabilities(4);
    /// It reads its squares by whole states, slowly: short events may be missing.
    pub const POLLED: Capabilities = Capabilities(8);
    /// Analogue sensors: it tells their levels and can be calibrated.
    pub const LEVELS: Capabilities = Capabilities(16);
    /// A boot loader that starts when it is asked for.
    pub const LOADER: Capabilities = Capabilities(32);
    /// A map of its squares, which can be set.
    pub const MAP: Capabilities = Capabilities(64);
    /// It can try its own parts.
    pub const SELF_TEST: Capabilities = Capabilities(128);

    /// Whether all of `other` are among these.
    pub const fn has(self, other: Capabilities) -> bool {
        self.0 & other.0 == other.0
    }

    /// These, and `other` too when `present`.
    pub const fn with(self, other: Capabilities, present: bool) -> Capabilities {
        if present {
            Capabilities(self.0 | other.0)
        } else {
            self
        }
    }
}

/// A serial number.
pub type Serial = Text<MAX_SERIAL>;

/// What a firmware calls itself: its name, its version, what it was built of.
pub type Firmware = Text<MAX_FIRMWARE>;

/// Up to `MAX` printable ASCII characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Text<const MAX: usize> {
    bytes: [u8; MAX],
    len: u8,
}

impl<const MAX: usize> Text<MAX> {
    /// `None` when it is too long or holds anything but printable ASCII.
    pub fn new(text: &[u8]) -> Option<Text<MAX>> {
        let printable = text.iter().all(|b| (0x20..0x7f).contains(b));
        if !printable || text.len() > MAX {
            return None;
        }
        let mut bytes = [0; MAX];
        bytes[..text.len()].copy_from_slice(text);
        Some(Text {
            bytes,
            len: text.len() as u8,
        })
    }

    /// As text.
    pub fn as_str(&self) -> &str {
        core::str::from_utf8(self.as_bytes()).unwrap_or_default()
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }
}

/// Something that happened on the board. Numbered, kept by the board, and sent again on request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evidence {
    /// The board's run.
    pub boot: u16,
    /// Its place in the run: 0, 1, 2 ...
    pub seq: u32,
    /// When, in milliseconds on the board's clock.
    pub ms: u32,
    /// What.
    pub what: What,
}

/// What happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// What every square reads, a1 first.
    Snapshot([Symbol; 64]),
    /// Squares changed in one scan.
    Change(Changes),
    /// The clock was pressed.
    Press {
        /// Who pressed.
        by: Side,
        /// White's remaining time in milliseconds, where the clock tells.
        white_ms: Option<u32>,
        /// Black's remaining time in milliseconds, where the clock tells.
        black_ms: Option<u32>,
    },
    /// An adjust button was pressed.
    Adjust {
        /// Whose.
        by: Side,
    },
}

/// A player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Side {
    /// White.
    White = 0,
    /// Black.
    Black = 1,
}

/// The squares that changed in one scan, or a part of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Changes {
    list: [(Square, Symbol); MAX_CHANGES],
    len: u8,
    /// More of the same scan follows in the next evidence.
    pub more: bool,
}

impl Changes {
    /// The first [`MAX_CHANGES`] of `list`, and whether that was not all of it in `more`.
    pub fn first_of(list: &[(Square, Symbol)]) -> Changes {
        let mut changes = Changes::default();
        changes.more = list
            .iter()
            .any(|(square, symbol)| !changes.push(*square, *symbol));
        changes
    }

    /// Adds a change, and says whether there was room for it.
    pub fn push(&mut self, square: Square, symbol: Symbol) -> bool {
        let slot = self.list.get_mut(usize::from(self.len));
        let has_room = slot.is_some();
        if let Some(slot) = slot {
            *slot = (square, symbol);
            self.len += 1;
        }
        has_room
    }

    /// The changes; their order means nothing.
    pub fn as_slice(&self) -> &[(Square, Symbol)] {
        &self.list[..usize::from(self.len)]
    }
}

/// A sign of life, with what the board knows of its own losses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Heartbeat {
    /// The board's run.
    pub boot: u16,
    /// Now, in milliseconds on the board's clock.
    pub ms: u32,
    /// The sequence number the next evidence will have: everything before it has been sent.
    pub next: u32,
    /// Evidence that had to be thrown away before it was ever sent.
    pub dropped: u32,
    /// Damaged frames received from the host.
    pub damaged: u32,
    /// Scans that came too late to be trusted.
    pub late_scans: u32,
    /// The squares lit now: bit 0 is a1. A host that asked for others asks again.
    pub lamps: u64,
}

/// How well a board's sensors work, and when that was so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Condition {
    /// The board's run.
    pub boot: u16,
    /// Now, in milliseconds on the board's clock.
    pub ms: u32,
    /// How well.
    pub health: Health,
}
