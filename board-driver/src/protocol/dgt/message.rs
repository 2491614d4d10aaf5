//! Single mode: what a host asks of the one board on its line, and what that board says.

use arbiter_core::Reading;
use arbiter_core::shakmaty::Square;

use super::clock::{ClockMessage, LENGTH as CLOCK};
use super::frame::{self, Frame};
use super::square::{Content, number, square};

/// What is asked of a board: one byte each.
///
/// The protocol knows more that is not here on purpose: 0x4e starts the board's loader, 0x51 and
/// 0x53 are written to its memory and make it blind to half of the pieces, and 0x2b commands the
/// clock, which is the players'.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Ask {
    /// Say nothing more unasked.
    Reset = 0x40,
    /// The clock.
    Clock = 0x41,
    /// Every square.
    Board = 0x42,
    /// Every change, and the clock at least once a second.
    Updates = 0x43,
    /// Every change, and nothing of the clock.
    UpdatesOfSquares = 0x44,
    /// The serial number.
    Serial = 0x45,
    /// The address on a bus.
    BusAddress = 0x46,
    /// The maker's words.
    Trademark = 0x47,
    /// The memory. Eight seconds at 9600 bits a second.
    Log = 0x49,
    /// Be one of many boards on a line.
    BusMode = 0x4a,
    /// Every change, and the clock when it changed.
    UpdatesNice = 0x4b,
    /// The battery.
    Battery = 0x4c,
    /// The firmware's version.
    Version = 0x4d,
    /// The serial number of ten digits.
    LongSerial = 0x55,
}

impl Ask {
    /// Everything that can be asked.
    pub const ALL: [Ask; 14] = [
        Ask::Reset,
        Ask::Clock,
        Ask::Board,
        Ask::Updates,
        Ask::UpdatesOfSquares,
        Ask::Serial,
        Ask::BusAddress,
        Ask::Trademark,
        Ask::Log,
        Ask::BusMode,
        Ask::UpdatesNice,
        Ask::Battery,
        Ask::Version,
        Ask::LongSerial,
    ];

    /// What a byte asks; `None` for any other.
    pub fn from_byte(byte: u8) -> Option<Ask> {
        Ask::ALL.into_iter().find(|ask| *ask as u8 == byte)
    }
}

const BOARD: u8 = 0x86;
const CLOCK_ID: u8 = 0x8d;
const FIELD: u8 = 0x8e;
const LOG: u8 = 0x8f;
const BUS_ADDRESS: u8 = 0x90;
const SERIAL: u8 = 0x91;
const TRADEMARK: u8 = 0x92;
const VERSION: u8 = 0x93;
const BATTERY: u8 = 0xa0;
const LONG_SERIAL: u8 = 0xa2;

/// What a board says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Message {
    /// Every square, in the board's own order.
    Board(Box<[Content; 64]>),
    /// The clock.
    Clock(ClockMessage),
    /// A square holds something else now, or still: said twice it means the same.
    Field {
        /// Which.
        square: Square,
        /// What it holds.
        content: Content,
    },
    /// The memory: see [`super::log::tokens`].
    Log(Vec<u8>),
    /// The address on a bus.
    BusAddress(u16),
    /// Five digits.
    Serial([u8; 5]),
    /// The maker's words.
    Trademark(Vec<u8>),
    /// The firmware's version.
    Version {
        /// The number before the point.
        major: u8,
        /// The number after it.
        minor: u8,
    },
    /// The battery.
    Battery(Battery),
    /// Ten digits.
    LongSerial([u8; 10]),
    /// A message of which nothing is known here.
    Unknown(u8),
}

/// A board's battery.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Battery {
    /// How full it is, in percent.
    pub percent: u8,
    /// Hours and minutes that are left, where the board knows.
    pub left: Option<[u8; 2]>,
    /// It is being charged.
    pub charging: bool,
    /// It is being used up.
    pub discharging: bool,
}

/// How much data a message of an id can have. What is not known can have any.
pub(super) fn fits(id: u8, data: usize) -> bool {
    match id {
        BOARD => data == 64,
        CLOCK_ID => data == CLOCK,
        FIELD | BUS_ADDRESS | VERSION => data == 2,
        SERIAL => data == 5,
        // The length is given wrongly where it is written down, and boards differ.
        BATTERY => data == 4 || data == 9,
        LONG_SERIAL => data == 10,
        _ => true,
    }
}

impl Message {
    /// Reads a frame. `None`: it says what cannot be.
    pub fn read(frame: Frame<'_>) -> Option<Message> {
        Some(match (frame.id, frame.data) {
            (BOARD, data) => Message::Board(Box::new(contents(data)?)),
            (CLOCK_ID, data) => Message::Clock(ClockMessage::read(data.try_into().ok()?)?),
            (FIELD, &[at, code]) => Message::Field {
                square: square(at)?,
                content: Content::from_code(code),
            },
            (LOG, data) => Message::Log(data.to_vec()),
            (BUS_ADDRESS, &[high, low]) => {
                Message::BusAddress(u16::from(high) << 7 | u16::from(low))
            }
            (SERIAL, data) => Message::Serial(digits(data)?),
            (TRADEMARK, data) => Message::Trademark(data.to_vec()),
            (VERSION, &[major, minor]) => Message::Version { major, minor },
            (BATTERY, data) => Message::Battery(Battery::read(data)?),
            (LONG_SERIAL, data) => Message::LongSerial(digits(data)?),
            (FIELD | BUS_ADDRESS | VERSION, _) => return None,
            (id, _) => Message::Unknown(id),
        })
    }

    /// The frame's bytes.
    pub fn bytes(&self) -> Vec<u8> {
        match self {
            Message::Board(contents) => frame::encode(BOARD, &contents.map(Content::code)),
            Message::Clock(clock) => frame::encode(CLOCK_ID, &clock.data()),
            Message::Field { square, content } => {
                frame::encode(FIELD, &[number(*square), content.code()])
            }
            Message::Log(log) => frame::encode(LOG, log),
            Message::BusAddress(address) => frame::encode(BUS_ADDRESS, &address_bytes(*address)),
            Message::Serial(digits) => frame::encode(SERIAL, digits),
            Message::Trademark(text) => frame::encode(TRADEMARK, text),
            Message::Version { major, minor } => frame::encode(VERSION, &[*major, *minor]),
            Message::Battery(battery) => frame::encode(BATTERY, &battery.data()),
            Message::LongSerial(digits) => frame::encode(LONG_SERIAL, digits),
            Message::Unknown(id) => frame::encode(*id, &[]),
        }
    }
}

/// What 64 bytes say of the squares, in the board's own order.
pub(super) fn contents(data: &[u8]) -> Option<[Content; 64]> {
    let codes: [u8; 64] = data.try_into().ok()?;
    Some(codes.map(Content::from_code))
}

/// The squares as whoever follows the game reads them.
pub fn reading(contents: &[Content; 64]) -> Reading {
    let mut reading = Reading::EMPTY;
    for sq in Square::ALL {
        reading.set(sq, contents[usize::from(number(sq))].symbol());
    }
    reading
}

/// The squares as the board counts them.
pub fn squares(reading: &Reading) -> [Content; 64] {
    std::array::from_fn(|n| {
        square(n as u8).map_or(Content::Empty, |sq| Content::of(reading.at(sq)))
    })
}

/// An address in two bytes of seven bits.
pub(super) fn address_bytes(address: u16) -> [u8; 2] {
    [(address >> 7) as u8 & 0x7f, address as u8 & 0x7f]
}

fn digits<const N: usize>(data: &[u8]) -> Option<[u8; N]> {
    data.try_into()
        .ok()
        .filter(|digits: &[u8; N]| digits.iter().all(u8::is_ascii_digit))
}

/// Said where a time is not known.
const NOT_KNOWN: u8 = 0x7f;

impl Battery {
    fn read(data: &[u8]) -> Option<Battery> {
        let &[percent, hours, minutes, ref rest @ ..] = data else {
            return None;
        };
        let status = rest.last().copied().unwrap_or_default();
        Some(Battery {
            percent: Some(percent).filter(|percent| *percent <= 100)?,
            left: (hours != NOT_KNOWN && minutes != NOT_KNOWN).then_some([hours, minutes]),
            charging: status & 1 != 0,
            discharging: status & 2 != 0,
        })
    }

    fn data(&self) -> [u8; 9] {
        let [hours, minutes] = self.left.unwrap_or([NOT_KNOWN; 2]);
        let status = u8::from(self.charging) | u8::from(self.discharging) << 1;
        [self.percent, hours, minutes, 0, 0, 0, 0, 0, status]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbiter_core::SensorClass;
    use arbiter_core::shakmaty::{Board, Color, Role};

    fn read(bytes: &[u8]) -> Option<Message> {
        assert!(fits(bytes[0], bytes.len() - frame::HEADER), "{bytes:x?}");
        Message::read(Frame {
            id: bytes[0],
            data: &bytes[frame::HEADER..],
        })
    }

    #[test]
    fn each_message_and_its_bytes() {
        let vectors: [(Message, &[u8]); 9] = [
            (
                Message::Field {
                    square: Square::E2,
                    content: Content::Empty,
                },
                &[0x8e, 0x00, 0x05, 0x34, 0x00],
            ),
            (
                Message::Field {
                    square: Square::E4,
                    content: Content::Piece(Role::Pawn.of(Color::White)),
                },
                &[0x8e, 0x00, 0x05, 0x24, 0x01],
            ),
            (
                Message::Version { major: 1, minor: 2 },
                &[0x93, 0x00, 0x05, 0x01, 0x02],
            ),
            (Message::Serial(*b"01025"), b"\x91\x00\x0801025"),
            (
                Message::LongSerial(*b"3000001025"),
                b"\xa2\x00\x0d3000001025",
            ),
            (Message::BusAddress(1025), &[0x90, 0x00, 0x05, 0x08, 0x01]),
            (Message::Trademark(b"abc".to_vec()), b"\x92\x00\x06abc"),
            (
                Message::Log(vec![0x6a; 0x100]),
                &[&[0x8f, 0x02, 0x03][..], &[0x6a; 0x100]].concat(),
            ),
            (
                Message::Battery(Battery {
                    percent: 80,
                    left: Some([7, 30]),
                    charging: false,
                    discharging: true,
                }),
                &[0xa0, 0x00, 0x0c, 80, 7, 30, 0, 0, 0, 0, 0, 2],
            ),
        ];
        for (message, bytes) in vectors {
            assert_eq!(message.bytes(), bytes);
            assert_eq!(read(bytes), Some(message));
        }
    }

    #[test]
    fn the_array_from_a8_to_h1() {
        let start = SensorClass::Piece.reads(&Board::new());
        let bytes = Message::Board(Box::new(squares(&start))).bytes();
        assert_eq!((bytes.len(), &bytes[..3]), (67, &[0x86, 0x00, 0x43][..]));
        assert_eq!(bytes[3..11], [8, 9, 10, 12, 11, 10, 9, 8]);
        assert_eq!(bytes[59..], [2, 3, 4, 6, 5, 4, 3, 2]);
        let Some(Message::Board(contents)) = read(&bytes) else {
            panic!("{bytes:?}")
        };
        assert_eq!(reading(&contents), start);
    }

    #[test]
    fn batteries_of_both_lengths() {
        let short = read(&[0xa0, 0x00, 0x07, 55, 0x7f, 0x7f, 1]);
        let expected = Battery {
            percent: 55,
            left: None,
            charging: true,
            discharging: false,
        };
        assert_eq!(short, Some(Message::Battery(expected)));
        assert_eq!(read(&[0xa0, 0x00, 0x07, 101, 0, 0, 0]), None);
    }

    #[test]
    fn what_cannot_be() {
        assert_eq!(
            read(&[0x8e, 0x00, 0x05, 0x40, 0x01]),
            None,
            "there is no square 64"
        );
        assert_eq!(read(b"\x91\x00\x0801o25"), None, "digits");
        assert_eq!(read(&[0xb3, 0x00, 0x04, 9]), Some(Message::Unknown(0xb3)));
        assert!(!fits(BOARD, 63) && !fits(FIELD, 3));
    }

    #[test]
    fn nothing_that_harms_can_be_asked() {
        for byte in [0x4e, 0x51, 0x53, 0x54, 0x2b, 0x60] {
            assert_eq!(Ask::from_byte(byte), None, "{byte:x}");
        }
        for ask in Ask::ALL {
            assert_eq!(Ask::from_byte(ask as u8), Some(ask));
        }
    }
}
