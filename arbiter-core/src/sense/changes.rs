//! The change log: what the contact filter let through since the last committed position.

use alloc::vec::Vec;

use shakmaty::{Bitboard, Square};

use crate::said::symbol::Symbol;
use crate::said::time::Time;

/// A change of one square that the contact filter let through: a fact.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct SquareChange {
    pub(crate) at: Time,
    pub(crate) square: Square,
    pub(crate) symbol: Symbol,
}

/// Longest log kept while nothing is committed. What repeats goes first, then the oldest.
const LOG_LIMIT: usize = 256;
/// Changes kept of a square that is lifted from and put back to again and again: the first lift,
/// and the last ones.
const KEPT_OF_REPEATS: usize = 6;

/// Changes that are facts, oldest first.
#[derive(Clone, Default, Debug)]
pub(crate) struct ChangeLog {
    changes: Vec<SquareChange>,
}

impl ChangeLog {
    /// Adds a change, in the order of their times.
    pub(crate) fn push(&mut self, change: SquareChange) {
        if self.changes.len() == LOG_LIMIT {
            self.drop_repeats();
        }
        if self.changes.len() == LOG_LIMIT {
            self.changes.remove(0);
        }
        let later = |c: &&SquareChange| c.at > change.at;
        let behind = self.changes.iter().rev().take_while(later).count();
        self.changes.insert(self.changes.len() - behind, change);
    }

    /// The change of `square` at `at` was none.
    pub(crate) fn forget(&mut self, square: Square, at: Time) {
        let is_it = |c: &SquareChange| c.square == square && c.at == at;
        if let Some(n) = self.changes.iter().rposition(is_it) {
            self.changes.remove(n);
        }
    }

    /// Forgets what happened up to `start`.
    pub(crate) fn prune(&mut self, start: Time) {
        self.changes.retain(|c| c.at > start);
    }

    /// All changes that are kept; what was at time zero is no change.
    pub(crate) fn all(&self) -> &[SquareChange] {
        let first = self.changes.partition_point(|c| c.at == Time::ZERO);
        &self.changes[first..]
    }

    /// Changes after `start`.
    pub(crate) fn since(&self, start: Time) -> impl Iterator<Item = &SquareChange> {
        self.changes.iter().filter(move |c| c.at > start)
    }

    /// A piece put back on its square time and again has been touched once and may be moved at the
    /// last lift: what lies between tells nothing. Without this, fidgeting would push the first
    /// touches of the turn out of the log.
    fn drop_repeats(&mut self) {
        let mut dropped = [false; LOG_LIMIT];
        let mut changes = [0; 64];
        for change in &self.changes {
            changes[change.square.to_usize()] += 1;
        }
        for square in Square::ALL {
            if changes[square.to_usize()] > KEPT_OF_REPEATS {
                self.mark_repeats(square, &mut dropped);
            }
        }
        let mut dropped = dropped.into_iter();
        self.changes.retain(|_| !dropped.next().unwrap_or(false));
    }

    /// Marks in `dropped` the lifts in the middle of a long row of them, each with the piece put
    /// back after it.
    fn mark_repeats(&self, square: Square, dropped: &mut [bool; LOG_LIMIT]) {
        let mut own = Vec::new();
        for (n, change) in self.changes.iter().enumerate() {
            if change.square == square {
                own.push((n, change.symbol));
            }
        }
        // Only where a piece stood at first: how long it stood elsewhere means something.
        if own[0].1 != Symbol::Empty {
            return;
        }
        let piece = own[1].1;
        for n in (2..=own.len() - KEPT_OF_REPEATS + 1).step_by(2) {
            let [(_, before), (lift, lifted), (put, after)] = [own[n - 1], own[n], own[n + 1]];
            if lifted == Symbol::Empty && before == piece && after == piece {
                dropped[lift] = true;
                dropped[put] = true;
            }
        }
    }

    /// Whether one of `squares` was left after `start` and not after `end`.
    pub(crate) fn lifted_between(&self, squares: Bitboard, start: Time, end: Time) -> bool {
        self.since(start)
            .any(|c| c.at <= end && c.symbol == Symbol::Empty && squares.contains(c.square))
    }

    /// Squares that were left after `start` and stood empty at `at`.
    pub(crate) fn lifted_at(&self, at: Time, start: Time) -> Bitboard {
        let mut lifted = Bitboard::EMPTY;
        for change in self.since(start) {
            if change.at > at {
                break;
            }
            lifted.set(change.square, change.symbol == Symbol::Empty);
        }
        lifted
    }

    /// From when to when `square` was empty after `start`. `is_empty`: whether it is now.
    pub(crate) fn times_empty(
        &self,
        square: Square,
        start: Time,
        is_empty: bool,
    ) -> Vec<(Time, Time)> {
        let mut times: Vec<(Time, Time)> = Vec::new();
        for change in self.since(start) {
            if change.square != square {
                continue;
            }
            match (change.symbol, times.last_mut()) {
                (Symbol::Empty, _) => times.push((change.at, END_OF_TIME)),
                (_, Some((_, end))) => *end = change.at.min(*end),
                // It was empty already.
                (_, None) => times.push((start, change.at)),
            }
        }
        if times.is_empty() && is_empty {
            times.push((start, END_OF_TIME));
        }
        times
    }
}

/// When what is empty still will be filled, as far as is known.
const END_OF_TIME: Time = Time(u64::MAX);
