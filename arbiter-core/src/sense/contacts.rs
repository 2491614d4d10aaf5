//! Settling: from raw square changes to what happened on a human scale.
//!
//! Contacts bounce, hands brush and slide. A stay shorter than the brush window between two equal
//! ones is no fact: full-empty-full keeps the first full, empty-full-empty keeps the first *empty
//! with its time* (else a legal castling within one scan would read as rook first). A piece that
//! comes back as another piece is a fact.

use alloc::vec::Vec;

use shakmaty::{Bitboard, Board, Square};

use crate::said::symbol::{Reading, SensorClass, Symbol};
use crate::said::time::{Millis, Time};
use crate::sense::planes::Planes;

/// A settled change of one square.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Change {
    pub(crate) at: Time,
    pub(crate) square: Square,
    pub(crate) symbol: Symbol,
}

/// What a square reads, and since when.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stay {
    pub(crate) symbol: Symbol,
    pub(crate) since: Time,
}

/// The sensors' present state and the settled changes since the last wall.
#[derive(Clone, Debug)]
pub(crate) struct Contacts {
    pub(crate) planes: Planes,
    now: [Stay; 64],
    before: [Stay; 64],
    /// When a full square last flickered empty for less than a brush; a capture may hide in it.
    flicker: [Time; 64],
    /// What last stood on an empty square for less than a brush, and until when: a slide, or a
    /// piece taken at once.
    glimpse: [(Stay, Time); 64],
    /// The squares that have ever flickered, and those on which anything was ever glimpsed.
    flickers: Bitboard,
    glimpses: Bitboard,
    log: Vec<Change>,
    last_raw: Time,
    minimum_contact: Millis,
    /// Squares that the board itself does not trust.
    pub(crate) suspect: Bitboard,
}

/// Longest log kept while nothing is decided. What repeats goes first, then the oldest.
const LOG_LIMIT: usize = 256;
/// Changes kept of a square that is lifted from and put back to again and again: the first lift,
/// and the last ones.
const KEPT_OF_REPEATS: usize = 6;

impl Contacts {
    /// Starts with a given reading.
    pub(crate) fn new(
        class: SensorClass,
        reading: &Reading,
        at: Time,
        minimum_contact: Millis,
    ) -> Contacts {
        let planes = Planes::new(class, reading);
        let stay = |sq: usize| Stay {
            symbol: planes.at(Square::ALL[sq]),
            since: at,
        };
        let now: [Stay; 64] = core::array::from_fn(stay);
        Contacts {
            now,
            before: now,
            planes,
            flicker: [at; 64],
            glimpse: now.map(|stay| (stay, at)),
            flickers: Bitboard::EMPTY,
            glimpses: Bitboard::EMPTY,
            log: Vec::new(),
            last_raw: at,
            minimum_contact,
            suspect: Bitboard::EMPTY,
        }
    }

    /// Takes one change. Returns what it ended, if anything changed at all.
    pub(crate) fn change(&mut self, at: Time, square: Square, symbol: Symbol) -> Option<Stay> {
        let symbol = symbol.coarsened(self.planes.class());
        let i = usize::from(square);
        let stay = self.now[i];
        if stay.symbol == symbol {
            return None;
        }
        self.last_raw = at;
        self.planes.set(square, symbol);
        let before = self.before[i];
        // A change at the very moment of the stay before is a board that reads one square twice in
        // a scan.
        let short = at.since(stay.since) < self.minimum_contact && before.since < stay.since;
        if short && before.symbol == symbol {
            match symbol {
                Symbol::Empty => {
                    self.glimpse[i] = (stay, at);
                    self.glimpses.add(square);
                }
                _ => {
                    self.flicker[i] = at;
                    self.flickers.add(square);
                }
            }
            self.forget(square, stay.since);
            self.now[i] = before;
            return Some(stay);
        }
        self.before[i] = stay;
        self.now[i] = Stay { symbol, since: at };
        if self.log.len() == LOG_LIMIT {
            self.drop_repeats();
        }
        if self.log.len() == LOG_LIMIT {
            self.log.remove(0);
        }
        self.log.push(Change { at, square, symbol });
        Some(stay)
    }

    /// A piece put back on its square time and again has been touched once and may be moved at the
    /// last lift: what lies between tells nothing. Without this, fidgeting would push the first
    /// touches of the turn out of the log.
    fn drop_repeats(&mut self) {
        let mut dropped = [false; LOG_LIMIT];
        for square in Square::ALL {
            let own: Vec<usize> = (0..self.log.len())
                .filter(|&n| self.log[n].square == square)
                .collect();
            let symbol = |n: usize| self.log[own[n]].symbol;
            // Only where a piece stood at first: how long it stood elsewhere means something.
            if own.len() <= KEPT_OF_REPEATS || symbol(0) != Symbol::Empty {
                continue;
            }
            for n in (2..=own.len() - KEPT_OF_REPEATS + 1).step_by(2) {
                if symbol(n) == Symbol::Empty
                    && symbol(n - 1) == symbol(1)
                    && symbol(n + 1) == symbol(1)
                {
                    (dropped[own[n]], dropped[own[n + 1]]) = (true, true);
                }
            }
        }
        let mut dropped = dropped.into_iter();
        self.log.retain(|_| !dropped.next().unwrap_or(false));
    }

    /// The last change of `square` was none of the game.
    pub(crate) fn forget_last(&mut self, square: Square) {
        self.forget(square, self.since(square));
    }

    fn forget(&mut self, square: Square, at: Time) {
        if let Some(n) = self
            .log
            .iter()
            .rposition(|c| c.square == square && c.at == at)
        {
            self.log.remove(n);
        }
    }

    /// No fact is shorter than this.
    pub(crate) fn minimum_contact(&self) -> Millis {
        self.minimum_contact
    }

    /// When `square` took its present state.
    pub(crate) fn since(&self, square: Square) -> Time {
        self.now[usize::from(square)].since
    }

    /// When anything last changed, settled or not.
    pub(crate) fn last_change(&self) -> Time {
        self.last_raw
    }

    /// Whether `square` changed after `start`.
    pub(crate) fn touched_since(&self, start: Time) -> Bitboard {
        self.where_since(|since| since > start)
    }

    /// The squares that took their present state at a time for which `holds` is true.
    fn where_since(&self, holds: impl Fn(Time) -> bool) -> Bitboard {
        // Without a branch a square: this is asked at every change.
        let bits = self
            .now
            .iter()
            .enumerate()
            .map(|(i, stay)| u64::from(holds(stay.since)) << i);
        Bitboard(bits.fold(0, |all, bit| all | bit))
    }

    /// When `square` flickered empty last.
    pub(crate) fn flickered(&self, square: Square) -> Option<Time> {
        self.flickers
            .contains(square)
            .then(|| self.flicker[usize::from(square)])
    }

    /// Squares that flickered empty after `start`.
    pub(crate) fn flickered_since(&self, start: Time) -> Bitboard {
        self.flickers
            .into_iter()
            .filter(|&sq| self.flicker[usize::from(sq)] > start)
            .collect()
    }

    /// Whether something stood on `square`, now empty, for less than a brush and left it after
    /// `start`.
    pub(crate) fn glimpsed(&self, square: Square, start: Time) -> bool {
        self.glimpses.contains(square) && self.glimpse[usize::from(square)].1 > start
    }

    /// Squares on which something stood for less than a brush, until after `start`.
    pub(crate) fn glimpsed_since(&self, start: Time) -> Bitboard {
        self.glimpses
            .into_iter()
            .filter(|&sq| self.glimpsed(sq, start))
            .collect()
    }

    /// Squares that took their present state less than a brush ago.
    pub(crate) fn recent(&self, now: Time) -> Bitboard {
        self.where_since(|since| now.since(since) <= self.minimum_contact)
    }

    /// Squares on which something was glimpsed that had left it less than a brush ago.
    pub(crate) fn glimpsed_lately(&self, now: Time) -> Bitboard {
        let lately =
            |sq: &Square| now.since(self.glimpse[usize::from(*sq)].1) <= self.minimum_contact;
        self.glimpses.into_iter().filter(lately).collect()
    }

    /// Squares among `wrong` that read as `board` says until less than a brush ago: a bounce, or a
    /// hand already there.
    pub(crate) fn lately_right(&self, wrong: Bitboard, board: &Board, now: Time) -> Bitboard {
        wrong
            .into_iter()
            .filter(|sq| self.lately(*sq, board, now).is_some())
            .collect()
    }

    /// When `square`, which read as `board` says until less than a brush ago, began to read so.
    pub(crate) fn lately(&self, square: Square, board: &Board, now: Time) -> Option<Time> {
        let i = usize::from(square);
        let left = Some((self.before[i], self.now[i].since));
        let right = |(stay, until): &(Stay, Time)| {
            now.since(*until) <= self.minimum_contact
                && self.planes.fits(stay.symbol, board, square)
        };
        let glimpse = self.glimpses.contains(square).then_some(self.glimpse[i]);
        [left, glimpse]
            .into_iter()
            .flatten()
            .find(right)
            .map(|(stay, _)| stay.since)
    }

    /// Whether what `board` has on `square`, now empty, stood there last for more than a moment:
    /// long enough to be taken up.
    pub(crate) fn stood(&self, square: Square, board: &Board) -> bool {
        self.planes
            .fits(self.before[usize::from(square)].symbol, board, square)
    }

    /// All settled changes that are kept, oldest first; what was at time zero is no change.
    pub(crate) fn log(&self) -> &[Change] {
        let first = self.log.partition_point(|c| c.at == Time::ZERO);
        &self.log[first..]
    }

    /// Settled changes after `start`, oldest first.
    pub(crate) fn log_since(&self, start: Time) -> impl Iterator<Item = &Change> {
        self.log.iter().filter(move |c| c.at > start)
    }

    /// Whether one of `squares` was left after `start` and not after `end`.
    pub(crate) fn lifted_between(&self, squares: Bitboard, start: Time, end: Time) -> bool {
        self.log_since(start)
            .any(|c| c.at <= end && c.symbol == Symbol::Empty && squares.contains(c.square))
    }

    /// Squares that were left after `start` and stood empty at `at`.
    pub(crate) fn lifted_at(&self, at: Time, start: Time) -> Bitboard {
        self.log_since(start)
            .take_while(|c| c.at <= at)
            .fold(Bitboard::EMPTY, |lifted, c| {
                let square = Bitboard::from(c.square);
                if c.symbol == Symbol::Empty {
                    lifted | square
                } else {
                    lifted & !square
                }
            })
    }

    /// Whether `a` and `b` were empty at the same time after `start`; how the two changes of `skew`
    /// are ordered is unknown.
    pub(crate) fn were_empty_at_once(
        &self,
        a: Square,
        b: Square,
        start: Time,
        scan_window: Millis,
    ) -> bool {
        let other = self.empty_after(b, start);
        let at_once = |(from, to): &(Time, Time)| {
            other
                .iter()
                .any(|(f, t)| *from <= *t + scan_window && *f <= *to + scan_window)
        };
        self.empty_after(a, start).iter().any(at_once)
    }

    /// From when to when `square` was empty after `start`.
    fn empty_after(&self, square: Square, start: Time) -> Vec<(Time, Time)> {
        let end = Time(u64::MAX);
        let mut stays: Vec<(Time, Time)> = Vec::new();
        for change in self.log_since(start).filter(|c| c.square == square) {
            match (change.symbol, stays.last_mut()) {
                (Symbol::Empty, _) => stays.push((change.at, end)),
                (_, Some(stay)) => stay.1 = stay.1.min(change.at),
                // It was empty already.
                (_, None) => stays.push((start, change.at)),
            }
        }
        let untouched = stays.is_empty() && self.now[usize::from(square)].symbol == Symbol::Empty;
        stays.extend(untouched.then_some((start, end)));
        stays
    }

    /// Forgets settled changes up to `start`: no account needs them any more.
    pub(crate) fn prune(&mut self, start: Time) {
        self.log.retain(|c| c.at > start);
    }
}
