//! What was seen of each square.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use arbiter_core::shakmaty::{Bitboard, Square};
use arbiter_core::{Millis, Reading, Symbol, Time};

/// A square that changes so often within a second chatters: hands that put a piece straight make
/// half of it.
pub const CHATTER: usize = 8;

/// Milliseconds of the board in which changes are counted for [`CHATTER`].
const CHATTER_MS: Millis = 1_000;

/// A change is new for so long.
const NEW: Duration = Duration::from_secs(1);

/// The squares of a board.
#[derive(Clone, Debug)]
pub struct Squares {
    /// What each reads, once the board has told.
    pub reading: Option<Reading>,
    /// Squares seen occupied.
    pub full: Bitboard,
    /// Squares seen empty.
    pub empty: Bitboard,
    /// Squares that chattered.
    pub chattered: Bitboard,
    each: Vec<Changes>,
}

/// The changes of one square.
#[derive(Clone, Debug, Default)]
struct Changes {
    count: u64,
    /// Within the last [`CHATTER_MS`].
    recent: VecDeque<Time>,
    /// Most of them within [`CHATTER_MS`].
    most: usize,
    last: Option<Instant>,
}

impl Default for Squares {
    fn default() -> Squares {
        let none = Bitboard::EMPTY;
        Squares {
            reading: None,
            full: none,
            empty: none,
            chattered: none,
            each: vec![Changes::default(); 64],
        }
    }
}

impl Squares {
    /// All counts from the beginning, on a board that stands as it does.
    pub(super) fn again(&self) -> Squares {
        let mut squares = Squares::default();
        self.reading
            .iter()
            .for_each(|reading| squares.read_all(reading));
        squares
    }

    pub(super) fn read_all(&mut self, reading: &Reading) {
        self.reading = Some(*reading);
        Square::ALL
            .into_iter()
            .for_each(|square| self.saw(square, reading.at(square)));
    }

    pub(super) fn change(&mut self, now: Instant, at: Time, square: Square, seen: Symbol) {
        self.reading.get_or_insert(Reading::EMPTY).set(square, seen);
        self.saw(square, seen);
        let changes = &mut self.each[usize::from(square)];
        changes.count += 1;
        changes.last = Some(now);
        changes.recent.push_back(at);
        while changes
            .recent
            .front()
            .is_some_and(|first| at.since(*first) > CHATTER_MS)
        {
            changes.recent.pop_front();
        }
        changes.most = changes.most.max(changes.recent.len());
        if changes.most >= CHATTER {
            self.chattered.add(square);
        }
    }

    fn saw(&mut self, square: Square, seen: Symbol) {
        let side = if seen == Symbol::Empty {
            &mut self.empty
        } else {
            &mut self.full
        };
        side.add(square);
    }

    /// Squares seen both occupied and empty: their sensors work.
    pub fn walked(&self) -> Bitboard {
        self.full & self.empty
    }

    /// Squares that read occupied now.
    pub fn occupied(&self) -> Bitboard {
        let reading = self.reading.unwrap_or(Reading::EMPTY);
        Square::ALL
            .into_iter()
            .filter(|square| reading.at(*square) != Symbol::Empty)
            .collect()
    }

    /// How often the square changed, and how often within one second at most.
    pub fn changes(&self, square: Square) -> (u64, usize) {
        let Changes { count, most, .. } = self.each[usize::from(square)];
        (count, most)
    }

    /// Whether the square has changed a moment ago.
    pub fn is_new(&self, square: Square, now: Instant) -> bool {
        self.each[usize::from(square)]
            .last
            .is_some_and(|last| now.saturating_duration_since(last) < NEW)
    }
}
