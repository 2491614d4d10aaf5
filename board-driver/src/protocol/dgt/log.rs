//! The board's memory: every change of a square and every time on which a clock was stopped, oldest
//! first.
//!
//! In single mode it is sent as a whole; in bus mode the changes of a poll are a piece of it.

use super::clock::{Side, bcd, sixty};
use super::square::Content;

/// One entry of the memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Token {
    /// A square holds something else from then on.
    Field {
        /// Its number on the board.
        square: u8,
        /// What it holds.
        content: Content,
        /// Less than a scan, some 250 ms, after the change before.
        fast: bool,
    },
    /// The lever was moved: what the side that was stopped showed.
    Stopped {
        /// The side that was stopped.
        side: Side,
        /// Hours, minutes, seconds.
        hms: [u8; 3],
    },
    /// Something that happened to the board.
    Mark(Mark),
}

/// What can happen to a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// It was switched on. Every piece found follows.
    PowerUp,
    /// Its memory ends here.
    End,
    /// Four full rows, but not the array of orthodox chess.
    FourRows,
    /// Nothing stands on it.
    EmptyBoard,
    /// Its memory was sent.
    Downloaded,
    /// The array of orthodox chess stands on it.
    Array,
    /// The same, with White on the other side.
    ArrayTurned,
    /// A host marked the start of a game. Every piece found follows.
    Start,
    /// It was started anew by its own watchdog.
    Watchdog,
    /// No meaning is known.
    Reserved,
    /// Nothing.
    Nothing,
}

const MARKS: [(u8, Mark); 13] = [
    (0x6a, Mark::PowerUp),
    (0x6b, Mark::End),
    (0x6c, Mark::FourRows),
    (0x6d, Mark::EmptyBoard),
    (0x6e, Mark::Downloaded),
    (0x6f, Mark::Array),
    (0x7a, Mark::ArrayTurned),
    (0x7b, Mark::Start),
    (0x7c, Mark::Watchdog),
    (0x7d, Mark::Reserved),
    (0x7e, Mark::Reserved),
    (0x7f, Mark::Nothing),
    (0x00, Mark::Nothing),
];

/// The entries in `bytes`, in order. What is none is passed over, `None` once for each such byte.
pub fn tokens(bytes: &[u8]) -> impl Iterator<Item = Option<Token>> + '_ {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        let (token, left) = match *rest {
            [] => return None,
            [field @ 0x40..=0x5f, square @ 0x00..=0x3f, ref left @ ..] => {
                let (content, fast) = (Content::from_code(field), field & 0x10 != 0);
                (
                    Some(Token::Field {
                        square,
                        content,
                        fast,
                    }),
                    left,
                )
            }
            [
                time @ (0x60..=0x69 | 0x70..=0x79),
                minutes,
                seconds,
                ref left @ ..,
            ] => {
                let side = if time & 0x10 != 0 {
                    Side::Left
                } else {
                    Side::Right
                };
                match (sixty(minutes), sixty(seconds)) {
                    (Some(m), Some(s)) => (
                        Some(Token::Stopped {
                            side,
                            hms: [time & 0x0f, m, s],
                        }),
                        left,
                    ),
                    _ => (None, &rest[1..]),
                }
            }
            [byte, ref left @ ..] => (mark(byte).map(Token::Mark), left),
        };
        rest = left;
        Some(token)
    })
}

fn mark(byte: u8) -> Option<Mark> {
    MARKS
        .iter()
        .find(|(code, _)| *code == byte)
        .map(|(_, mark)| *mark)
}

impl Token {
    /// Appends the entry's bytes.
    pub fn write(self, bytes: &mut Vec<u8>) {
        match self {
            Token::Field {
                square,
                content,
                fast,
            } => {
                let fast = if fast { 0x10 } else { 0 };
                bytes.extend([0x40 | fast | content.code(), square & 0x3f]);
            }
            Token::Stopped {
                side,
                hms: [h, m, s],
            } => {
                let left = if side == Side::Left { 0x10 } else { 0 };
                bytes.extend([0x60 | left | h.min(9), bcd(m), bcd(s)]);
            }
            Token::Mark(mark) => bytes.extend(
                MARKS
                    .iter()
                    .find(|(_, m)| *m == mark)
                    .map(|(code, _)| *code),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbiter_core::shakmaty::{Color, Role};

    #[test]
    fn every_kind_of_entry() {
        let bytes = [
            0x6a, 0x41, 0x34, 0x50, 0x24, 0x61, 0x29, 0x59, 0x70, 0x00, 0x07, 0x7a, 0x6b,
        ];
        let found: Vec<_> = tokens(&bytes).collect();
        let pawn = Content::Piece(Role::Pawn.of(Color::White));
        let expected = [
            Token::Mark(Mark::PowerUp),
            Token::Field {
                square: 0x34,
                content: pawn,
                fast: false,
            },
            Token::Field {
                square: 0x24,
                content: Content::Empty,
                fast: true,
            },
            Token::Stopped {
                side: Side::Right,
                hms: [1, 29, 59],
            },
            Token::Stopped {
                side: Side::Left,
                hms: [0, 0, 7],
            },
            Token::Mark(Mark::ArrayTurned),
            Token::Mark(Mark::End),
        ];
        assert_eq!(found, expected.map(Some));
        let mut again = Vec::new();
        expected
            .into_iter()
            .for_each(|token| token.write(&mut again));
        assert_eq!(again, bytes);
    }

    #[test]
    fn the_seventies_are_marks_from_7a_on() {
        for byte in 0x7a..=0x7f {
            assert!(
                matches!(tokens(&[byte]).next(), Some(Some(Token::Mark(_)))),
                "{byte:x}"
            );
        }
        assert_eq!(tokens(&[0x79, 0x59, 0x59]).flatten().count(), 1);
    }

    #[test]
    fn what_is_no_entry_is_passed_over() {
        let found: Vec<_> = tokens(&[0x05, 0x41, 0x6b, 0x60, 0x7f]).collect();
        // 0x41 and 0x60 lack what must follow them.
        assert_eq!(
            found,
            [
                None,
                None,
                Some(Token::Mark(Mark::End)),
                None,
                Some(Token::Mark(Mark::Nothing))
            ]
        );
    }
}
