//! The ChessLink's messages: letters, hexadecimal digits, a block check, and odd parity on every
//! byte.
//!
//! The line is 7 bits with odd parity. Opened with 8 bits and none, as it must be where an adapter
//! or a pseudo-terminal knows no parity, bit 7 of every byte is that parity in both directions: it
//! is made and checked here. Messages have no terminator; each letter has its own length. A message
//! that is damaged is ignored at either end.
//!
//! Some boards are said to have no parity over Bluetooth, and boards that pass for a ChessLink have
//! none: a message none of whose bytes has bit 7 rests on its block check alone.
//!
//! Sources: github.com/domschl/python-mchess, `mchess/magic-board.md` (the maker's text) and
//! `chess_link*.py`; github.com/JohanSjoblom/picochess, `eboard/chesslink/`; without parity:
//! github.com/adrian-dybwad/Universal-Chess, `simulators/millennium.py`.

use arbiter_core::shakmaty::Piece;

/// What a board says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FromBoard {
    /// `s`: what stands on the 64 squares, in the board's own order.
    State([Option<Piece>; 64]),
    /// `v`: the version of its firmware.
    Version {
        /// The number before the point.
        major: u8,
        /// The number after it.
        minor: u8,
    },
    /// `l`: lamps are set.
    Lamps,
    /// `x`: lamps are off.
    LampsOff,
    /// `r`: a setting, as it was read.
    Setting {
        /// Its address.
        address: u8,
        /// Its value.
        value: u8,
    },
    /// `w`: a setting was written.
    Written {
        /// Its address.
        address: u8,
        /// Its value.
        value: u8,
    },
}

/// What a host says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ToBoard {
    /// `S`: say how you stand.
    AskState,
    /// `V`: say which version you are.
    AskVersion,
    /// `X`: all lamps off.
    LampsOff,
    /// `L`: the 81 lamps at the corners of squares, in the board's own order; each by a pattern of
    /// eight time slots.
    Lamps {
        /// Length of a slot in units of 4.096 ms.
        slot: u8,
        /// A pattern for each lamp.
        lamps: Box<[u8; 81]>,
    },
    /// `T`: start anew. Takes three seconds, without an answer.
    Reset,
    /// `R`: read a setting.
    Read {
        /// Its address.
        address: u8,
    },
    /// `W`: write a setting.
    Write {
        /// Its address.
        address: u8,
        /// Its value.
        value: u8,
    },
}

/// The length of the longest order, `L`, block check included.
pub const LONGEST_ORDER: usize = 167;

/// What came over the line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Decoded<M> {
    /// A message.
    Message(M),
    /// This many bytes that are none, before the next message or the end of what has come.
    Damaged(usize),
}

/// A message of either direction.
pub trait Message: Sized {
    /// How long a message that begins with `letter` is, block check included; `None`: none begins
    /// so.
    fn length(letter: u8) -> Option<usize>;
    /// Whether `byte` can stand at `place` of a message that begins with `letter`.
    fn is_possible(letter: u8, place: usize, byte: u8) -> bool;
    /// Reads a message's 7-bit text, without its block check.
    fn read(text: &[u8]) -> Option<Self>;
    /// Its 7-bit text, without block check.
    fn text(&self) -> Vec<u8>;
}

/// The bytes of a message on the line.
pub fn encode(message: &impl Message) -> Vec<u8> {
    let mut text = message.text();
    text.extend(check(&text));
    text.into_iter().map(odd).collect()
}

/// One message as it stands on the line, if parity and block check hold.
pub fn decode<M: Message>(line: &[u8]) -> Option<M> {
    let text: Vec<u8> = line.iter().map(|byte| byte & 0x7f).collect();
    whole(&text).filter(|_| is_of_one_parity(line))
}

/// Whether these bytes can be of one message: all with their parity, or all without any.
fn is_of_one_parity(line: &[u8]) -> bool {
    line.iter().all(|byte| byte.count_ones() % 2 == 1) || line.iter().all(u8::is_ascii)
}

/// Two digits that make the exclusive-or of the text and what they stand for zero.
fn check(text: &[u8]) -> [u8; 2] {
    let sum = text.iter().fold(0, |sum, byte| sum ^ byte);
    [digit(sum >> 4), digit(sum & 15)]
}

/// With its parity in bit 7: an odd number of ones.
fn odd(seven: u8) -> u8 {
    if seven.count_ones().is_multiple_of(2) {
        seven | 0x80
    } else {
        seven
    }
}

fn digit(value: u8) -> u8 {
    b"0123456789ABCDEF"[usize::from(value & 15)]
}

fn hex(digits: &[u8]) -> Option<u8> {
    let value = |digit: u8| char::from(digit).to_digit(16);
    digits
        .iter()
        .try_fold(0, |sum, digit| Some(sum << 4 | value(*digit)? as u8))
}

fn is_digit(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'A'..=b'F')
}

/// Takes messages out of a stream of bytes.
#[derive(Clone, Debug, Default)]
pub struct Decoder {
    /// The beginning of what may become a message, as it stands on the line.
    line: Vec<u8>,
    /// Bytes dropped and not told yet.
    dropped: usize,
}

impl Decoder {
    /// Takes bytes in; what they complete is added to `heard`.
    pub fn feed<M: Message>(&mut self, bytes: &[u8], heard: &mut Vec<Decoded<M>>) {
        for byte in bytes {
            self.line.push(*byte);
            if !is_of_one_parity(&self.line) {
                // What stands before it is damaged too, and it may be the beginning of another.
                self.dropped += self.line.len() - 1;
                self.line.drain(..self.line.len() - 1);
            }
            if !is_of_one_parity(&self.line) {
                self.dropped += 1;
                self.line.clear();
            }
            self.look(heard);
        }
    }

    /// Whether what came last may be the beginning of a message.
    pub fn is_in_a_message(&self) -> bool {
        !self.line.is_empty()
    }

    /// Forgets half a message: the line was opened anew.
    pub fn reset(&mut self) {
        *self = Decoder::default();
    }

    /// Drops from the front what cannot be a message, and takes the message that is whole.
    fn look<M: Message>(&mut self, heard: &mut Vec<Decoded<M>>) {
        while let Some(&first) = self.line.first() {
            let letter = first & 0x7f;
            let length = M::length(letter).filter(|_| self.is_possible::<M>(letter));
            match length {
                Some(length) if self.line.len() < length => return,
                Some(length) => {
                    if let Some(message) = decode(&self.line[..length]) {
                        if self.dropped > 0 {
                            heard.push(Decoded::Damaged(std::mem::take(&mut self.dropped)));
                        }
                        heard.push(Decoded::Message(message));
                        self.line.drain(..length);
                        continue;
                    }
                }
                None => {}
            }
            self.line.remove(0);
            self.dropped += 1;
        }
    }

    fn is_possible<M: Message>(&self, letter: u8) -> bool {
        let length = M::length(letter).unwrap_or(0);
        let fits = |(place, byte): (usize, u8)| match place {
            0 => true,
            _ if place + 2 >= length => byte.is_ascii_hexdigit(),
            _ => M::is_possible(letter, place, byte),
        };
        let text = self.line.iter().map(|byte| byte & 0x7f);
        text.enumerate().take(length).all(fits)
    }
}

/// The message, if its block check holds.
fn whole<M: Message>(bytes: &[u8]) -> Option<M> {
    let (text, found) = bytes.split_last_chunk::<2>()?;
    // Some write its digits small.
    let is_right = check(text).eq_ignore_ascii_case(found);
    is_right.then(|| M::read(text)).flatten()
}

impl Message for FromBoard {
    fn length(letter: u8) -> Option<usize> {
        match letter {
            b's' => Some(67),
            b'v' | b'r' | b'w' => Some(7),
            b'l' | b'x' => Some(3),
            _ => None,
        }
    }

    fn is_possible(letter: u8, _place: usize, byte: u8) -> bool {
        match letter {
            b's' => byte == b'.' || Piece::from_char(char::from(byte)).is_some(),
            _ => is_digit(byte),
        }
    }

    fn read(text: &[u8]) -> Option<FromBoard> {
        let (letter, rest) = text.split_first()?;
        let pair = |at: usize| rest.get(at..at + 2).and_then(hex);
        Some(match letter {
            b's' => {
                let codes: &[u8; 64] = rest.try_into().ok()?;
                FromBoard::State(codes.map(|code| Piece::from_char(char::from(code))))
            }
            b'v' => FromBoard::Version {
                major: pair(0)?,
                minor: pair(2)?,
            },
            b'r' => FromBoard::Setting {
                address: pair(0)?,
                value: pair(2)?,
            },
            b'w' => FromBoard::Written {
                address: pair(0)?,
                value: pair(2)?,
            },
            b'l' => FromBoard::Lamps,
            b'x' => FromBoard::LampsOff,
            _ => return None,
        })
    }

    fn text(&self) -> Vec<u8> {
        match *self {
            FromBoard::State(squares) => {
                let code = |piece: Option<Piece>| piece.map_or(b'.', |piece| piece.char() as u8);
                std::iter::once(b's').chain(squares.map(code)).collect()
            }
            FromBoard::Version { major, minor } => with(b'v', &[major, minor]),
            FromBoard::Setting { address, value } => with(b'r', &[address, value]),
            FromBoard::Written { address, value } => with(b'w', &[address, value]),
            FromBoard::Lamps => with(b'l', &[]),
            FromBoard::LampsOff => with(b'x', &[]),
        }
    }
}

impl Message for ToBoard {
    fn length(letter: u8) -> Option<usize> {
        match letter {
            b'S' | b'V' | b'X' | b'T' => Some(3),
            b'R' => Some(5),
            b'W' => Some(7),
            b'L' => Some(LONGEST_ORDER),
            _ => None,
        }
    }

    fn is_possible(_letter: u8, _place: usize, byte: u8) -> bool {
        is_digit(byte)
    }

    fn read(text: &[u8]) -> Option<ToBoard> {
        let (letter, rest) = text.split_first()?;
        let pair = |at: usize| rest.get(at..at + 2).and_then(hex);
        Some(match letter {
            b'S' => ToBoard::AskState,
            b'V' => ToBoard::AskVersion,
            b'X' => ToBoard::LampsOff,
            b'T' => ToBoard::Reset,
            b'R' => ToBoard::Read { address: pair(0)? },
            b'W' => ToBoard::Write {
                address: pair(0)?,
                value: pair(2)?,
            },
            b'L' => {
                let mut lamps = Box::new([0; 81]);
                for (n, lamp) in lamps.iter_mut().enumerate() {
                    *lamp = pair(2 + 2 * n)?;
                }
                ToBoard::Lamps {
                    slot: pair(0)?,
                    lamps,
                }
            }
            _ => return None,
        })
    }

    fn text(&self) -> Vec<u8> {
        match self {
            ToBoard::AskState => with(b'S', &[]),
            ToBoard::AskVersion => with(b'V', &[]),
            ToBoard::LampsOff => with(b'X', &[]),
            ToBoard::Reset => with(b'T', &[]),
            ToBoard::Read { address } => with(b'R', &[*address]),
            ToBoard::Write { address, value } => with(b'W', &[*address, *value]),
            ToBoard::Lamps { slot, lamps } => {
                let mut text = with(b'L', &[*slot]);
                text.extend(&with(b'L', &lamps[..])[1..]);
                text
            }
        }
    }
}

/// A letter and bytes as pairs of digits.
fn with(letter: u8, bytes: &[u8]) -> Vec<u8> {
    let digits = bytes
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]);
    std::iter::once(letter).chain(digits).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn heard<M: Message>(bytes: &[u8]) -> Vec<Decoded<M>> {
        let mut heard = Vec::new();
        Decoder::default().feed(bytes, &mut heard);
        heard
    }

    fn on_the_line(text: &str) -> Vec<u8> {
        text.bytes().map(odd).collect()
    }

    #[test]
    fn requests() {
        assert_eq!(encode(&ToBoard::AskVersion), [0xd6, 0xb5, 0xb6]);
        assert_eq!(encode(&ToBoard::AskState), [0xd3, 0xb5, 0xb3]);
        assert_eq!(encode(&ToBoard::LampsOff), on_the_line("X58"));
        assert_eq!(
            encode(&ToBoard::Write {
                address: 2,
                value: 3
            }),
            on_the_line("W020356")
        );
    }

    #[test]
    fn versions() {
        let told = |text| heard(&on_the_line(text));
        assert_eq!(
            told("v010374"),
            [Decoded::Message(FromBoard::Version { major: 1, minor: 3 })]
        );
        assert_eq!(
            told("v010473"),
            [Decoded::Message(FromBoard::Version { major: 1, minor: 4 })]
        );
    }

    #[test]
    fn lamps_have_the_length_the_board_waits_for() {
        assert_eq!(
            encode(&ToBoard::Lamps {
                slot: 50,
                lamps: Box::new([0xff; 81])
            })
            .len(),
            167
        );
    }

    #[test]
    fn what_parity_or_check_refuse_is_no_message() {
        let mut bytes = on_the_line("v010374");
        bytes[3] ^= 0x80;
        assert_eq!(heard::<FromBoard>(&bytes), []);
        assert_eq!(heard::<FromBoard>(&on_the_line("v010375")), []);
        let told = heard(&on_the_line("v010375l6C"));
        assert_eq!(
            told,
            [Decoded::Damaged(7), Decoded::Message(FromBoard::Lamps)]
        );
    }

    #[test]
    fn a_message_without_any_parity_rests_on_its_check() {
        let version = || Decoded::Message(FromBoard::Version { major: 1, minor: 3 });
        assert_eq!(
            heard(b"v010374x78"),
            [version(), Decoded::Message(FromBoard::LampsOff)]
        );
        assert_eq!(heard(b"l6c"), [Decoded::Message(FromBoard::Lamps)]);
        assert_eq!(heard::<FromBoard>(b"v010375"), []);
        // A board that spoke with parity before, and after.
        let mixed = [
            on_the_line("v010374"),
            b"v010374".to_vec(),
            on_the_line("l6C"),
        ]
        .concat();
        assert_eq!(
            heard(&mixed),
            [version(), version(), Decoded::Message(FromBoard::Lamps)]
        );
    }

    fn state() -> impl Strategy<Value = FromBoard> {
        let codes = prop::sample::select(b"....KQRNBPkqrnbp".to_vec());
        prop::collection::vec(codes, 64).prop_map(|codes| {
            let square = |n: usize| Piece::from_char(char::from(codes[n]));
            FromBoard::State(std::array::from_fn(square))
        })
    }

    fn from_board() -> impl Strategy<Value = FromBoard> {
        let two = || (any::<u8>(), any::<u8>());
        prop_oneof![
            3 => state(),
            1 => two().prop_map(|(major, minor)| FromBoard::Version { major, minor }),
            1 => two().prop_map(|(address, value)| FromBoard::Setting { address, value }),
            1 => two().prop_map(|(address, value)| FromBoard::Written { address, value }),
            1 => Just(FromBoard::Lamps),
            1 => Just(FromBoard::LampsOff),
        ]
    }

    fn to_board() -> impl Strategy<Value = ToBoard> {
        let lamps = (any::<u8>(), prop::collection::vec(any::<u8>(), 81));
        prop_oneof![
            Just(ToBoard::AskState),
            Just(ToBoard::AskVersion),
            Just(ToBoard::LampsOff),
            Just(ToBoard::Reset),
            any::<u8>().prop_map(|address| ToBoard::Read { address }),
            (any::<u8>(), any::<u8>())
                .prop_map(|(address, value)| ToBoard::Write { address, value }),
            lamps.prop_map(|(slot, lamps)| ToBoard::Lamps {
                slot,
                lamps: Box::new(lamps.try_into().unwrap())
            }),
        ]
    }

    /// Messages, halves of messages and noise.
    fn stream() -> impl Strategy<Value = Vec<u8>> {
        let message = (from_board(), 0..70usize).prop_map(|(message, keep)| {
            let mut bytes = encode(&message);
            bytes.truncate(keep);
            bytes
        });
        let noise = prop::collection::vec(any::<u8>(), 0..20);
        prop::collection::vec(prop_oneof![message, noise], 0..8).prop_map(|parts| parts.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        #[test]
        fn what_a_board_writes_is_read(messages in prop::collection::vec(from_board(), 1..6)) {
            let bytes: Vec<u8> = messages.iter().flat_map(encode).collect();
            prop_assert_eq!(
                heard(&bytes),
                messages.into_iter().map(Decoded::Message).collect::<Vec<_>>()
            );
        }

        #[test]
        fn what_a_host_writes_is_read(message in to_board()) {
            prop_assert_eq!(heard(&encode(&message)), [Decoded::Message(message)]);
        }

        #[test]
        fn any_split_gives_the_same(
            stream in stream(),
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
        ) {
            let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(stream.len() + 1)).collect();
            cuts.sort_unstable();
            let (mut line, mut split, mut from) =
                (Decoder::default(), Vec::<Decoded<FromBoard>>::new(), 0);
            for cut in cuts.into_iter().chain([stream.len()]) {
                line.feed(&stream[from..cut], &mut split);
                from = cut;
            }
            prop_assert_eq!(split, heard(&stream));
        }

        /// Whatever comes before it, and wherever that was cut, the second message is read.
        #[test]
        fn noise_costs_one_message_at_most(noise in stream(), first in state(), second in state()) {
            let bytes = [noise, encode(&first), encode(&second)].concat();
            prop_assert_eq!(heard(&bytes).pop(), Some(Decoded::Message(second)));
        }
    }
}
