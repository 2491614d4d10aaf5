//! What a board did while nobody listened, out of its memory.

use arbiter_core::shakmaty::Square;
use arbiter_core::{Reading, Symbol, Time};

use super::log::{Mark, Token, tokens};
use super::message::squares;
use super::square::{Content, square};
use crate::event::Report;
use crate::orientation::starting_position;

/// Changes that are remembered, to find the place in the board's memory where listening ended.
const REMEMBERED: usize = 32;

/// Between two changes of one scan, in milliseconds: less than has an order.
const WITHIN_A_SCAN: u64 = 20;

/// Between two changes of which the second is marked as fast: less than 250 ms.
const FAST: u64 = 120;

/// Between others, at least.
const SLOW: u64 = 260;

/// The last changes and presses that were heard, newest last.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct History(Vec<Token>);

impl History {
    pub(super) fn note(&mut self, token: Token) {
        if self.0.len() == REMEMBERED {
            self.0.remove(0);
        }
        self.0.push(token);
    }

    /// How many of the last entries of `log` were the last to be heard.
    fn agrees(&self, log: &[Token]) -> usize {
        let logged = log
            .iter()
            .rev()
            .filter(|token| !matches!(token, Token::Mark(_)));
        self.0
            .iter()
            .rev()
            .zip(logged)
            .take_while(|(heard, logged)| is_same(heard, logged))
            .count()
    }
}

/// Whether two entries are of the same doing. The clock may show another second already.
fn is_same(a: &Token, b: &Token) -> bool {
    match (*a, *b) {
        (
            Token::Field {
                square: a,
                content: one,
                ..
            },
            Token::Field {
                square: b,
                content: other,
                ..
            },
        ) => (a, one) == (b, other),
        (Token::Stopped { side: a, .. }, Token::Stopped { side: b, .. }) => a == b,
        _ => false,
    }
}

/// The entries of the memory that were not heard: those after the last place where everything stood
/// as `known` says, and of several such places after the one that the changes heard before lead to.
/// Nothing if there is no such place. They end where the board lost its power: what it found then
/// is no doing of hands.
pub(super) fn missed(memory: &[u8], known: &Reading, heard: &History) -> Vec<Token> {
    let log: Vec<Token> = tokens(memory).flatten().collect();
    let known = squares(known);
    let mut board = Replay::default();
    let mut best: Option<(usize, usize)> = None;
    for (n, token) in log.iter().enumerate() {
        board.take(token);
        if board.agrees(&known) {
            let agreed = heard.agrees(&log[..=n]);
            // A press changes nothing on the squares: it counts as heard only if that is known.
            let least = usize::from(matches!(token, Token::Stopped { .. }));
            if best.is_none_or(|(_, before)| agreed >= before + least) {
                best = Some((n + 1, agreed));
            }
        }
    }
    let is_break = |token: &Token| {
        matches!(
            token,
            Token::Mark(Mark::PowerUp | Mark::Watchdog | Mark::Start | Mark::End)
        )
    };
    let after = best.map_or(&[][..], |(from, _)| &log[from..]);
    after
        .iter()
        .copied()
        .take_while(|token| !is_break(token))
        .collect()
}

/// What stands on the board while its memory is read; `None` where that is not known yet.
struct Replay([Option<Content>; 64]);

impl Default for Replay {
    fn default() -> Replay {
        Replay([None; 64])
    }
}

impl Replay {
    fn take(&mut self, token: &Token) {
        match *token {
            Token::Field {
                square, content, ..
            } => self.0[usize::from(square & 63)] = Some(content),
            Token::Mark(Mark::Array) => self.0 = array().map(Some),
            Token::Mark(Mark::ArrayTurned) => {
                self.0 = array().map(Some);
                self.0.reverse();
            }
            Token::Mark(Mark::PowerUp | Mark::Start | Mark::EmptyBoard) => {
                self.0 = [Some(Content::Empty); 64]
            }
            Token::Mark(_) | Token::Stopped { .. } => {}
        }
    }

    fn agrees(&self, known: &[Content; 64]) -> bool {
        self.0
            .iter()
            .zip(known)
            .all(|(held, known)| held.is_none_or(|held| held.symbol() == known.symbol()))
    }
}

fn array() -> [Content; 64] {
    squares(&starting_position())
}

/// Entries with their times. Between `from` and `to` the memory tells their order and which came
/// fast, not when. The last is at `to`.
pub(super) fn dated(log: &[Token], from: Time, to: Time) -> Vec<(Time, Token)> {
    let gaps: Vec<u64> = (0..log.len()).map(|n| gap(log, n)).collect();
    let (least, span) = (gaps.iter().sum::<u64>(), to.since(from));
    let slow = gaps.iter().filter(|gap| **gap == SLOW).count() as u64;
    let spare = span.saturating_sub(least);
    let (mut passed, mut waited) = (0, u64::from(slow == 0));
    let date = |(token, gap): (&Token, u64)| {
        passed += gap;
        waited += u64::from(gap == SLOW);
        // Where there is less time than that, everything was faster.
        let at = passed.min(passed * span / least.max(1)) + spare * waited / slow.max(1);
        (from + at, *token)
    };
    log.iter().zip(gaps).map(date).collect()
}

/// The least time before an entry. Only a slow one can have come much later.
fn gap(log: &[Token], n: usize) -> u64 {
    match &log[n] {
        Token::Field { fast: true, .. } if n > 0 && is_of_scan(&log[n - 1], &log[n]) => {
            WITHIN_A_SCAN
        }
        Token::Field { fast: true, .. } => FAST,
        _ => SLOW,
    }
}

/// Whether two entries in a row can be of one scan: the squares that were left come before those
/// that were taken, each in the board's order, and no square twice.
fn is_of_scan(before: &Token, next: &Token) -> bool {
    let place = |token: &Token| match *token {
        Token::Field {
            square, content, ..
        } => Some((content != Content::Empty, square)),
        _ => None,
    };
    let (Some(before), Some(next)) = (place(before), place(next)) else {
        return false;
    };
    before < next && before.1 != next.1
}

/// An entry's change of a square.
pub(super) fn change(token: &Token) -> Option<(Square, Symbol)> {
    match *token {
        Token::Field {
            square: at,
            content,
            ..
        } => square(at).map(|sq| (sq, content.symbol())),
        _ => None,
    }
}

/// A change as a report.
pub(super) fn changed((square, seen): (Square, Symbol)) -> Report {
    Report::Changes(vec![(square, seen)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::dgt::clock::Side;
    use crate::protocol::dgt::square::number;
    use arbiter_core::shakmaty::{Color, Role};

    fn field(sq: Square, content: Content, fast: bool) -> Token {
        Token::Field {
            square: number(sq),
            content,
            fast,
        }
    }

    fn pawn(colour: Color) -> Content {
        Content::Piece(Role::Pawn.of(colour))
    }

    fn memory(log: &[Token]) -> Vec<u8> {
        let mut bytes = Vec::new();
        log.iter().for_each(|token| token.write(&mut bytes));
        bytes
    }

    /// The moves e4, e5, as a board keeps them.
    fn game() -> Vec<Token> {
        vec![
            Token::Mark(Mark::Array),
            field(Square::E2, Content::Empty, false),
            field(Square::E4, pawn(Color::White), false),
            Token::Stopped {
                side: Side::Left,
                hms: [0, 3, 0],
            },
            field(Square::E7, Content::Empty, false),
            field(Square::E5, pawn(Color::Black), true),
        ]
    }

    fn after(log: &[Token]) -> Reading {
        let mut reading = starting_position();
        log.iter()
            .filter_map(change)
            .for_each(|(sq, seen)| reading.set(sq, seen));
        reading
    }

    #[test]
    fn what_came_after_the_last_change_heard() {
        let log = game();
        let known = after(&log[..3]);
        assert_eq!(
            missed(&memory(&log), &known, &History::default()),
            &log[3..]
        );
        assert_eq!(missed(&memory(&log), &after(&log), &History::default()), []);
        let elsewhere = after(&[field(Square::D2, Content::Empty, false)]);
        assert_eq!(
            missed(&memory(&log), &elsewhere, &History::default()),
            [],
            "no such place"
        );
    }

    #[test]
    fn of_two_like_places_the_one_that_was_heard() {
        // The knight goes out and home again twice: the same position three times.
        let knight = Content::Piece(Role::Knight.of(Color::White));
        let out = [
            field(Square::G1, Content::Empty, false),
            field(Square::F3, knight, false),
        ];
        let home = [
            field(Square::F3, Content::Empty, false),
            field(Square::G1, knight, false),
        ];
        let mut log = vec![Token::Mark(Mark::Array)];
        log.extend(out);
        log.extend(home);
        let first_time = log.len();
        log.extend([Token::Stopped {
            side: Side::Left,
            hms: [0, 1, 0],
        }]);
        log.extend([
            field(Square::A2, Content::Empty, false),
            field(Square::A2, pawn(Color::White), false),
        ]);
        let mut heard = History::default();
        log[1..first_time]
            .iter()
            .for_each(|token| heard.note(*token));
        let known = after(&log[..first_time]);
        assert_eq!(missed(&memory(&log), &known, &heard), &log[first_time..]);
        heard.note(Token::Stopped {
            side: Side::Left,
            hms: [0, 1, 1],
        });
        assert_eq!(
            missed(&memory(&log), &known, &heard),
            &log[first_time + 1..],
            "the press was heard as well"
        );
    }

    #[test]
    fn what_a_board_finds_when_it_is_switched_on_is_nobodys_doing() {
        let mut log = game();
        log.extend([
            Token::Mark(Mark::PowerUp),
            field(Square::E2, pawn(Color::White), true),
        ]);
        let known = after(&log[..2]);
        assert_eq!(
            missed(&memory(&log), &known, &History::default()),
            &log[2..6]
        );
    }

    #[test]
    fn times_lie_between_what_was_heard_before_and_now() {
        let log = &game()[1..];
        let times: Vec<u64> = dated(log, Time(1_000), Time(2_000))
            .into_iter()
            .map(|(at, _)| at.0)
            .collect();
        assert_eq!(times, [1_245, 1_490, 1_735, 1_981, 2_000]);
        // A square that changes twice was looked at twice, however fast.
        let twice = [log[0], field(Square::E2, pawn(Color::White), true)];
        let times: Vec<u64> = dated(&twice, Time(1_000), Time(2_000))
            .into_iter()
            .map(|(at, _)| at.0)
            .collect();
        assert_eq!(times, [1_880, 2_000]);
        // A capture and its answer, fast: what comes out of the board's order is another scan.
        let fast = [Square::D6, Square::E5, Square::B5, Square::A6].map(|square| {
            let left = square == Square::D6;
            let content = if left {
                Content::Empty
            } else {
                pawn(Color::White)
            };
            field(square, content, true)
        });
        let times = dated(&fast, Time(1_000), Time(1_425)).into_iter();
        assert_eq!(
            times.map(|(at, _)| at.0).collect::<Vec<_>>(),
            [1_165, 1_185, 1_305, 1_425]
        );
        let one = dated(&log[..1], Time(1_000), Time(2_000));
        assert_eq!(one[0].0, Time(2_000));
    }
}
