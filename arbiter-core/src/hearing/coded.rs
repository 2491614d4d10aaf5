//! Squares, presses and times in a few bytes: of a long game thousands are kept.

use alloc::vec::Vec;

use shakmaty::{Color, Piece, Role, Square};

use crate::said::input::Input;
use crate::said::symbol::{Reading, Symbol};

/// The first two bits say what follows; with `OTHER` the rest says more.
const LIFT: u8 = 0;
const PLACE: u8 = 1;
const PLACE_SOMETHING: u8 = 2;
const OTHER: u8 = 3;

/// Below `WORD` are presses: by whom, and whether the clock told White's and Black's time.
const PRESS_TIMES: [u8; 2] = [2, 4];
const SNAPSHOT: u8 = 8;
const WORD: u8 = 9;
const MOMENT: u8 = 10;

/// One entry as it is kept.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Coded {
    /// A square, a reading of the board, or a press.
    Plain(Input),
    /// The next of the inputs that are kept apart.
    Word,
    /// An input that was refused: it ended a scan, and did nothing else.
    Moment,
}

/// What is written, and the board as it reads by then: a snapshot is kept as what it changes.
#[derive(Clone, Debug)]
pub(super) struct Coder {
    reading: Reading,
}

impl Coder {
    /// The board is taken to read `reading` until it says otherwise.
    pub(super) fn new(reading: Reading) -> Coder {
        Coder { reading }
    }

    /// What the board reads as far as it has told.
    pub(super) fn reading(&self) -> &Reading {
        &self.reading
    }

    /// Whether an input can be written in a few bytes.
    pub(super) fn takes(input: &Input) -> bool {
        matches!(
            input,
            Input::Lift { .. } | Input::Place { .. } | Input::Snapshot { .. } | Input::Press { .. }
        )
    }

    /// Writes an input that comes `delta` milliseconds after the entry before, if it takes it.
    pub(super) fn write(&mut self, delta: u64, input: &Input, out: &mut Vec<u8>) {
        match input {
            Input::Lift { square } => {
                out.push(first(LIFT, u8::from(*square)));
                write_number(delta, out);
                self.reading.set(*square, Symbol::Empty);
            }
            Input::Place { square, seen } => {
                let something = *seen == Symbol::Something;
                let kind = if something { PLACE_SOMETHING } else { PLACE };
                out.push(first(kind, u8::from(*square)));
                write_number(delta, out);
                if !something {
                    out.push(code(*seen));
                }
                self.reading.set(*square, *seen);
            }
            Input::Snapshot { board } => {
                write_bare(SNAPSHOT, delta, out);
                self.write_board(board, out);
            }
            press => write_press(press, delta, out),
        }
    }

    /// Writes that the next of the inputs comes that are kept apart.
    pub(super) fn write_word(delta: u64, out: &mut Vec<u8>) {
        write_bare(WORD, delta, out);
    }

    /// Writes the moment of an input that was refused.
    pub(super) fn write_moment(delta: u64, out: &mut Vec<u8>) {
        write_bare(MOMENT, delta, out);
    }

    /// Makes of the word that these bytes are the moment of one.
    pub(super) fn make_moment(bytes: &mut [u8]) {
        if let Some(head) = bytes.first_mut() {
            *head = first(OTHER, MOMENT);
        }
    }

    /// What differs on the board from what it has reported.
    fn write_board(&mut self, board: &Reading, out: &mut Vec<u8>) {
        let other = |sq: &Square| board.at(*sq) != self.reading.at(*sq);
        let squares: Vec<Square> = Square::ALL.into_iter().filter(other).collect();
        out.push(squares.len() as u8);
        for square in squares {
            out.extend([u8::from(square), code(board.at(square))]);
        }
        self.reading = *board;
    }

    /// Reads the next entry, and how long after the one before it came.
    pub(super) fn read(&mut self, bytes: &mut impl Iterator<Item = u8>) -> Option<(u64, Coded)> {
        let head = bytes.next()?;
        let delta = read_number(bytes)?;
        let low = head & 0x3f;
        let entry = match head >> 6 {
            LIFT => {
                let square = Square::new(u32::from(low));
                self.reading.set(square, Symbol::Empty);
                Coded::Plain(Input::Lift { square })
            }
            kind @ (PLACE | PLACE_SOMETHING) => {
                let square = Square::new(u32::from(low));
                let seen = match kind {
                    PLACE => symbol(bytes.next()?)?,
                    _ => Symbol::Something,
                };
                self.reading.set(square, seen);
                Coded::Plain(Input::Place { square, seen })
            }
            _ => self.read_other(low, bytes)?,
        };
        Some((delta, entry))
    }

    fn read_other(&mut self, kind: u8, bytes: &mut impl Iterator<Item = u8>) -> Option<Coded> {
        Some(match kind {
            WORD => Coded::Word,
            MOMENT => Coded::Moment,
            SNAPSHOT => {
                for _ in 0..bytes.next()? {
                    let square = Square::try_from(bytes.next()?).ok()?;
                    self.reading.set(square, symbol(bytes.next()?)?);
                }
                let board = alloc::boxed::Box::new(self.reading);
                Coded::Plain(Input::Snapshot { board })
            }
            press => {
                let by = if press & 1 == 0 {
                    Color::White
                } else {
                    Color::Black
                };
                let [white_ms, black_ms] = PRESS_TIMES
                    .map(|told| (press & told != 0).then(|| read_number(bytes)).flatten());
                Coded::Plain(Input::Press {
                    by,
                    white_ms,
                    black_ms,
                })
            }
        })
    }
}

fn first(kind: u8, rest: u8) -> u8 {
    kind << 6 | rest
}

fn write_bare(kind: u8, delta: u64, out: &mut Vec<u8>) {
    out.push(first(OTHER, kind));
    write_number(delta, out);
}

fn write_press(input: &Input, delta: u64, out: &mut Vec<u8>) {
    let Input::Press {
        by,
        white_ms,
        black_ms,
    } = input
    else {
        return;
    };
    let times = [white_ms, black_ms];
    let mut press = by.fold_wb(0, 1);
    for (told, ms) in PRESS_TIMES.into_iter().zip(times) {
        press |= if ms.is_some() { told } else { 0 };
    }
    write_bare(press, delta, out);
    for ms in times.into_iter().flatten() {
        write_number(*ms, out);
    }
}

/// Seven bits a byte, the lowest first; the highest bit says that more follow.
fn write_number(mut number: u64, out: &mut Vec<u8>) {
    while number > 0x7f {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn read_number(bytes: &mut impl Iterator<Item = u8>) -> Option<u64> {
    let mut number = 0;
    for shift in (0..u64::BITS).step_by(7) {
        let byte = bytes.next()?;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

/// What a square reads, as a number.
fn code(symbol: Symbol) -> u8 {
    match symbol {
        Symbol::Empty => 0,
        Symbol::Something => 1,
        Symbol::Colour(colour) => colour.fold_wb(2, 3),
        Symbol::Piece(Piece { color, role }) => color.fold_wb(4, 12) + u8::from(role),
    }
}

fn symbol(code: u8) -> Option<Symbol> {
    Some(match code {
        0 => Symbol::Empty,
        1 => Symbol::Something,
        2 => Symbol::Colour(Color::White),
        3 => Symbol::Colour(Color::Black),
        _ => {
            let color = if code < 12 {
                Color::White
            } else {
                Color::Black
            };
            let role = Role::try_from(code - color.fold_wb(4, 12)).ok()?;
            Symbol::Piece(Piece { color, role })
        }
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_symbol() -> impl Strategy<Value = Symbol> {
        let letters: Vec<char> = "?LDPNBRQKpnbrqk".chars().collect();
        proptest::sample::select(letters).prop_map(|c| Symbol::from_char(c).expect("a symbol"))
    }

    fn any_entry() -> impl Strategy<Value = Coded> {
        let square = (0..64u32).prop_map(Square::new);
        let place = (square.clone(), any_symbol())
            .prop_map(|(square, seen)| Coded::Plain(Input::Place { square, seen }));
        let changes = proptest::collection::vec((square.clone(), any_symbol()), 0..9);
        let snapshot = changes.prop_map(|changes| {
            let mut board = Reading::EMPTY;
            for (square, symbol) in changes {
                board.set(square, symbol);
            }
            let board = board.into();
            Coded::Plain(Input::Snapshot { board })
        });
        let press = (any::<bool>(), any::<Option<u64>>(), any::<Option<u64>>()).prop_map(
            |(white, white_ms, black_ms)| {
                let by = Color::from_white(white);
                Coded::Plain(Input::Press {
                    by,
                    white_ms,
                    black_ms,
                })
            },
        );
        prop_oneof![
            square.prop_map(|square| Coded::Plain(Input::Lift { square })),
            place,
            snapshot,
            press,
            Just(Coded::Word),
            Just(Coded::Moment),
        ]
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
            entries in proptest::collection::vec((any::<u64>(), any_entry()), 0..40),
        ) {
            let (mut writer, mut bytes) = (Coder::new(Reading::EMPTY), Vec::new());
            for (delta, entry) in &entries {
                match entry {
                    Coded::Plain(input) => writer.write(*delta, input, &mut bytes),
                    Coded::Word => Coder::write_word(*delta, &mut bytes),
                    Coded::Moment => Coder::write_moment(*delta, &mut bytes),
                }
            }
            let (mut reader, mut bytes) = (Coder::new(Reading::EMPTY), bytes.into_iter());
            let mut read = Vec::new();
            while let Some(entry) = reader.read(&mut bytes) {
                read.push(entry);
            }
            prop_assert_eq!(read, entries);
            prop_assert_eq!(reader.reading(), writer.reading());
        }
    }

    #[test]
    fn a_move_takes_a_dozen_bytes() {
        let (mut coder, mut bytes) = (Coder::new(Reading::EMPTY), Vec::new());
        let (from, to) = (Square::E2, Square::E4);
        let seen = Symbol::Piece(Color::White.pawn());
        coder.write(4_000, &Input::Lift { square: from }, &mut bytes);
        let square = to;
        coder.write(900, &Input::Place { square, seen }, &mut bytes);
        let press = Input::Press {
            by: Color::White,
            white_ms: None,
            black_ms: None,
        };
        coder.write(400, &press, &mut bytes);
        assert!(bytes.len() <= 12, "{bytes:?}");
    }
}
