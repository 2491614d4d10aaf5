//! Bus mode: many boards on one line. Each command names its board, each answer its sender, and
//! both end in a checksum.
//!
//! The ids of answers are also ids of single mode, of other messages: which mode a line is in has
//! to be known.

use super::clock::{ClockMessage, LENGTH as CLOCK};
use super::frame::{self, Frame, HEADER};
use super::message::{address_bytes, contents};
use super::square::Content;

/// The highest address: fourteen bits. A board's address is its serial number.
pub const HIGHEST: u16 = 0x3fff;

/// Heard by every board.
pub const EVERYBODY: u16 = 0;

/// Bytes of every command.
pub const COMMAND: usize = 4;

/// What is asked of a board on a bus.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum BusAsk {
    /// The clock.
    Clock = 0x81,
    /// Every square.
    Board = 0x82,
    /// What its memory has taken up since it was last asked. What is sent is taken as heard.
    Changes = 0x83,
    /// The last changes once more.
    RepeatChanges = 0x84,
    /// A game starts: its memory begins anew.
    StartGame = 0x85,
    /// Its memory from the last start on.
    FromStart = 0x86,
    /// Who is there. Asked of [`EVERYBODY`], each board answers after a time of its own, up to 1.1
    /// s.
    Ping = 0x87,
    /// Back to single mode.
    EndBusMode = 0x88,
    /// Begin anew.
    Reset = 0x89,
    /// Be silent at the next ping of everybody. Answered like a ping, at once.
    IgnoreNextPing = 0x8a,
    /// The firmware's version.
    Version = 0x8b,
}

impl BusAsk {
    /// Everything that can be asked.
    pub const ALL: [BusAsk; 11] = [
        BusAsk::Clock,
        BusAsk::Board,
        BusAsk::Changes,
        BusAsk::RepeatChanges,
        BusAsk::StartGame,
        BusAsk::FromStart,
        BusAsk::Ping,
        BusAsk::EndBusMode,
        BusAsk::Reset,
        BusAsk::IgnoreNextPing,
        BusAsk::Version,
    ];

    /// The command's bytes.
    pub fn to(self, address: u16) -> [u8; COMMAND] {
        let [high, low] = address_bytes(address);
        let command = [self as u8, high, low];
        [command[0], high, low, sum(command)]
    }

    /// Whether this is an answer to such a question.
    pub(super) fn is_answered_by(self, answer: &Answer) -> bool {
        matches!(
            (self, answer),
            (BusAsk::Clock, Answer::Clock(_))
                | (BusAsk::Board, Answer::Board(_))
                | (BusAsk::Changes | BusAsk::RepeatChanges, Answer::Changes(_))
                | (BusAsk::StartGame, Answer::Started)
                | (BusAsk::FromStart, Answer::FromStart(_))
                | (BusAsk::Ping | BusAsk::IgnoreNextPing, Answer::Ping)
                | (BusAsk::Version, Answer::Version(_))
        )
    }

    /// Reads a command and its address; `None` when it is none, or damaged.
    pub fn read(bytes: [u8; COMMAND]) -> Option<(BusAsk, u16)> {
        let [id, high, low, check] = bytes;
        let known = BusAsk::ALL.into_iter().find(|ask| *ask as u8 == id)?;
        (sum([id, high, low]) == check).then_some((known, u16::from(high) << 7 | u16::from(low)))
    }
}

const BOARD: u8 = 0x83;
const CLOCK_ID: u8 = 0x84;
const CHANGES: u8 = 0x85;
const FROM_START: u8 = 0x86;
const PING: u8 = 0x87;
const STARTED: u8 = 0x88;
const VERSION: u8 = 0x89;

/// What a board on a bus answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Every square, in the board's own order.
    Board(Box<[Content; 64]>),
    /// The clock. `None`: a time that no clock shows.
    Clock(Option<ClockMessage>),
    /// What its memory has taken up: see [`super::log::tokens`].
    Changes(Vec<u8>),
    /// Its memory from the last start on.
    FromStart(Vec<u8>),
    /// It is there.
    Ping,
    /// The start of a game is noted.
    Started,
    /// Its firmware; boards before version 1.2 do not say which.
    Version(Option<[u8; 2]>),
    /// An answer of which nothing is known here.
    Unknown(u8),
}

/// How much data an answer can have, with its address and checksum.
pub(super) fn fits(id: u8, data: usize) -> bool {
    match id {
        BOARD => data == 64 + 3,
        CLOCK_ID => data == CLOCK + 3,
        PING | STARTED => data == 3,
        VERSION => data == 3 || data == 5,
        _ => data >= 3,
    }
}

impl Answer {
    /// Reads a frame: who says what. `None`: its checksum is wrong.
    pub fn read(frame: Frame<'_>) -> Option<(u16, Answer)> {
        let &[high, low, ref data @ .., check] = frame.data else {
            return None;
        };
        let length = frame.data.len() + HEADER;
        let header = [
            frame.id,
            (length >> 7) as u8,
            (length & 0x7f) as u8,
            high,
            low,
        ];
        if sum(header.into_iter().chain(data.iter().copied())) != check {
            return None;
        }
        let answer = match (frame.id, data) {
            (BOARD, data) => Answer::Board(Box::new(contents(data)?)),
            (CLOCK_ID, data) => Answer::Clock(ClockMessage::read(data.try_into().ok()?)),
            (CHANGES, data) => Answer::Changes(data.to_vec()),
            (FROM_START, data) => Answer::FromStart(data.to_vec()),
            (PING, _) => Answer::Ping,
            (STARTED, _) => Answer::Started,
            (VERSION, &[major, minor]) => Answer::Version(Some([major, minor])),
            (VERSION, _) => Answer::Version(None),
            (id, _) => Answer::Unknown(id),
        };
        Some((u16::from(high) << 7 | u16::from(low), answer))
    }

    /// The frame's bytes, sent by `address`.
    pub fn bytes(&self, address: u16) -> Vec<u8> {
        let (id, payload) = match self {
            Answer::Board(contents) => (BOARD, contents.map(Content::code).to_vec()),
            Answer::Clock(clock) => (
                CLOCK_ID,
                clock.unwrap_or(ClockMessage::NoClock).data().to_vec(),
            ),
            Answer::Changes(log) => (CHANGES, log.clone()),
            Answer::FromStart(log) => (FROM_START, log.clone()),
            Answer::Ping => (PING, Vec::new()),
            Answer::Started => (STARTED, Vec::new()),
            Answer::Version(version) => (VERSION, version.map_or(Vec::new(), Vec::from)),
            Answer::Unknown(id) => (*id, Vec::new()),
        };
        let mut data = address_bytes(address).to_vec();
        data.extend(payload);
        data.push(0);
        let mut bytes = frame::encode(id, &data);
        if let Some((check, before)) = bytes.split_last_mut() {
            *check = sum(before.iter().copied());
        }
        bytes
    }
}

/// The checksum: the sum of everything before it, seven bits of it.
fn sum(bytes: impl IntoIterator<Item = u8>) -> u8 {
    bytes.into_iter().fold(0, u8::wrapping_add) & 0x7f
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Option<(u16, Answer)> {
        assert!(fits(bytes[0], bytes.len() - HEADER), "{bytes:x?}");
        Answer::read(Frame {
            id: bytes[0],
            data: &bytes[HEADER..],
        })
    }

    #[test]
    fn commands() {
        assert_eq!(BusAsk::Clock.to(0x10 << 7 | 6), [0x81, 0x10, 0x06, 0x17]);
        assert_eq!(BusAsk::Ping.to(EVERYBODY), [0x87, 0, 0, 0x07]);
        assert_eq!(
            BusAsk::Board.to(1025)[1..3],
            [0x08, 0x01],
            "the serial number 01025"
        );
        for ask in BusAsk::ALL {
            assert_eq!(BusAsk::read(ask.to(3000)), Some((ask, 3000)));
        }
        assert_eq!(BusAsk::read([0x81, 0x10, 0x06, 0x18]), None, "checksum");
        assert_eq!(BusAsk::read([0x92, 0x00, 0x00, 0x12]), None, "not known");
    }

    #[test]
    fn answers() {
        for (answer, size) in [
            (Answer::Ping, 6),
            (Answer::Started, 6),
            (Answer::Version(Some([1, 2])), 8),
            (Answer::Version(None), 6),
            (Answer::Board(Box::new([Content::Empty; 64])), 70),
            (Answer::Clock(Some(ClockMessage::NoClock)), 13),
            (Answer::Changes(vec![0x41, 0x24, 0x50, 0x34]), 10),
            (Answer::Changes(Vec::new()), 6),
            (Answer::FromStart(vec![0x7b; 300]), 306),
        ] {
            let bytes = answer.bytes(1025);
            assert_eq!(
                (bytes.len(), &bytes[3..5]),
                (size, &[0x08, 0x01][..]),
                "{answer:?}"
            );
            assert_eq!(read(&bytes), Some((1025, answer)));
        }
        assert_eq!(
            Answer::Ping.bytes(1025),
            [0x87, 0x00, 0x06, 0x08, 0x01, 0x16]
        );
    }

    #[test]
    fn a_wrong_byte_is_noticed() {
        let good = Answer::Changes(vec![0x41, 0x24, 0x50, 0x34]).bytes(1025);
        for at in 3..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 1;
            assert_eq!(read(&bad), None, "byte {at}");
        }
    }
}
