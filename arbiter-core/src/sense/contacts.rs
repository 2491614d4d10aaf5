//! The contact filter: from raw square changes to what happened on a human scale.
//!
//! Contacts bounce, hands brush and slide. A stay shorter than the minimum contact between two
//! equal ones is no fact:
//!
//! - full-empty-full is a *flicker*: the first full goes on;
//! - empty-full-empty is a *glimpse*: the first empty goes on *with its time* (else a legal
//!   castling within one scan would read as rook first).
//!
//! A piece that comes back as another piece is a fact, however soon.

use alloc::vec::Vec;

use shakmaty::{Bitboard, Board, Square};

use crate::said::symbol::{Reading, SensorClass, Symbol};
use crate::said::time::{Millis, Time};
use crate::sense::changes::{ChangeLog, SquareChange};
use crate::sense::planes::Planes;
use crate::sense::trust::{ScanWindow, Unsettled};

/// What flickers so soon after it came down, in milliseconds, is bouncing: no hand takes it and
/// puts another in its place by then.
const BOUNCES: Millis = 60;

/// What a square reads, and since when.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stay {
    pub(crate) symbol: Symbol,
    pub(crate) since: Time,
}

/// A stay that was too short to be a fact, and when it ended.
#[derive(Clone, Copy, Debug)]
struct Glimpse {
    stay: Stay,
    until: Time,
}

/// The sensors' present state and the changes since the last committed position that are facts.
#[derive(Clone, Debug)]
pub(crate) struct Contacts {
    planes: Planes,
    now: [Stay; 64],
    before: [Stay; 64],
    /// When each full square last flickered; a capture may hide in it.
    flicker: [Time; 64],
    /// What was glimpsed last on each empty square: a slide, or a piece taken at once.
    glimpse: [Glimpse; 64],
    /// The squares that have ever flickered, and those on which anything was ever glimpsed.
    flickers: Bitboard,
    glimpses: Bitboard,
    log: ChangeLog,
    last_change: Time,
    minimum_contact: Millis,
    suspect: Bitboard,
}

impl Contacts {
    /// Starts with a given reading, all of it trusted.
    pub(crate) fn new(
        class: SensorClass,
        reading: &Reading,
        at: Time,
        minimum_contact: Millis,
    ) -> Contacts {
        let planes = Planes::new(class, reading);
        let now = Square::ALL.map(|sq| Stay {
            symbol: planes.at(sq),
            since: at,
        });
        Contacts {
            now,
            before: now,
            planes,
            flicker: [at; 64],
            glimpse: now.map(|stay| Glimpse { stay, until: at }),
            flickers: Bitboard::EMPTY,
            glimpses: Bitboard::EMPTY,
            log: ChangeLog::default(),
            last_change: at,
            minimum_contact,
            suspect: Bitboard::EMPTY,
        }
    }

    /// What the squares read now.
    pub(crate) fn planes(&self) -> &Planes {
        &self.planes
    }

    /// Squares that the board itself does not trust.
    pub(crate) fn suspect(&self) -> Bitboard {
        self.suspect
    }

    /// The board trusts all its squares but these.
    pub(crate) fn set_suspect(&mut self, squares: Bitboard) {
        self.suspect = squares;
    }

    /// Takes one change. Returns what it ended, if anything changed at all.
    pub(crate) fn change(&mut self, at: Time, square: Square, symbol: Symbol) -> Option<Stay> {
        let symbol = symbol.coarsened(self.planes.class());
        let i = usize::from(square);
        let stay = self.now[i];
        if stay.symbol == symbol {
            return None;
        }
        self.last_change = at;
        self.planes.set(square, symbol);
        if self.before[i].symbol == symbol && self.is_short(square, at) {
            self.undo(square, at);
            return Some(stay);
        }
        // What bounces began when it was first read.
        let since = match symbol {
            Symbol::Empty => self.bounced(square, at),
            _ => self.bounced_down(square, symbol, at),
        };
        let since = since.unwrap_or(at);
        self.before[i] = stay;
        self.now[i] = Stay { symbol, since };
        self.log.push(SquareChange {
            at: since,
            square,
            symbol,
        });
        Some(stay)
    }

    /// When `square`, left at `at`, first read empty, if it has read full for less than a minimum
    /// contact since.
    fn bounced(&self, square: Square, at: Time) -> Option<Time> {
        let i = usize::from(square);
        let Stay { symbol, since } = self.before[i];
        let undone = symbol == Symbol::Empty && since > self.now[i].since;
        let bounces = undone && at.since(self.flicker[i]) < self.minimum_contact;
        bounces.then_some(since)
    }

    /// When what comes down on `square` at `at` first read there, if it has bounced since: then
    /// nothing else has stood there for a moment.
    fn bounced_down(&mut self, square: Square, symbol: Symbol, at: Time) -> Option<Time> {
        let first = self.glimpse[usize::from(square)].stay;
        let glimpsed = self.glimpses.contains(square) && symbol == first.symbol;
        let bounces = glimpsed && at.since(first.since) <= BOUNCES;
        bounces.then(|| {
            self.glimpses.discard(square);
            first.since
        })
    }

    /// Whether what `square` reads is too short a stay to be a fact, if it ends `at`.
    fn is_short(&self, square: Square, at: Time) -> bool {
        let (before, now) = (
            self.before[usize::from(square)],
            self.now[usize::from(square)],
        );
        // A change at the very moment of the stay before is a board that reads one square twice in
        // a scan.
        at.since(now.since) < self.minimum_contact && before.since < now.since
    }

    /// The stay on `square` that ends `at` was no fact: the one before it goes on.
    fn undo(&mut self, square: Square, at: Time) {
        let i = usize::from(square);
        let (before, stay) = (self.before[i], self.now[i]);
        if before.symbol == Symbol::Empty {
            self.glimpse[i] = Glimpse { stay, until: at };
            self.glimpses.add(square);
        } else {
            self.flicker[i] = at;
            let lands = stay.since.since(before.since) <= BOUNCES;
            self.flickers.set(square, !lands);
            // Kept until the next change: the square may be bouncing.
            self.before[i] = stay;
        }
        self.log.forget(square, stay.since);
        self.now[i] = before;
    }

    /// The last change of `square` was none of the game.
    pub(crate) fn forget_last(&mut self, square: Square) {
        self.log.forget(square, self.since(square));
    }

    /// Forgets changes up to `start`: no hypothesis needs them any more.
    pub(crate) fn prune(&mut self, start: Time) {
        self.log.prune(start);
    }

    /// No fact is shorter than this.
    pub(crate) fn minimum_contact(&self) -> Millis {
        self.minimum_contact
    }

    /// When `square` took its present state.
    pub(crate) fn since(&self, square: Square) -> Time {
        self.now[usize::from(square)].since
    }

    /// When anything last changed, be it a fact or not.
    pub(crate) fn last_change(&self) -> Time {
        self.last_change
    }

    /// Squares that took their present state after `start`.
    pub(crate) fn touched_since(&self, start: Time) -> Bitboard {
        self.where_since(|since| since > start)
    }

    /// Squares whose reading was another a moment before `now`.
    pub(crate) fn unsettled(&self, now: Time) -> Unsettled {
        let changed = self.where_since(|since| self.is_recent(since, now));
        Unsettled::lately(changed, self.glimpsed_lately(now))
    }

    /// The squares that took their present state at a time for which `holds` is true.
    fn where_since(&self, holds: impl Fn(Time) -> bool) -> Bitboard {
        // Without a branch a square: this is asked at every change.
        let mut squares = 0;
        for (i, stay) in self.now.iter().enumerate() {
            squares |= u64::from(holds(stay.since)) << i;
        }
        Bitboard(squares)
    }

    /// When `square` flickered empty last.
    pub(crate) fn flickered(&self, square: Square) -> Option<Time> {
        let ever = self.flickers.contains(square);
        ever.then_some(self.flicker[usize::from(square)])
    }

    /// Squares that flickered empty after `start`.
    pub(crate) fn flickered_since(&self, start: Time) -> Bitboard {
        let mut flickered = Bitboard::EMPTY;
        for sq in self.flickers {
            flickered.set(sq, self.flicker[usize::from(sq)] > start);
        }
        flickered
    }

    /// Whether what stood on `from` came to `to`, beside it, in less than the `grip` that a hand
    /// takes: it was pushed.
    pub(crate) fn slipped(&self, from: Square, to: Square, grip: Millis) -> bool {
        from.distance(to) == 1 && self.came_within(from, to, grip)
    }

    /// Whether what stood on `from` was read on `to` in less than the `grip` that a hand takes,
    /// after it was read to leave.
    pub(crate) fn came_within(&self, from: Square, to: Square, grip: Millis) -> bool {
        let (left, came) = (self.since(from), self.since(to));
        came >= left && came.since(left) < grip
    }

    /// Whether something stood on `square`, now empty, for less than a minimum contact and left it
    /// after `start`.
    pub(crate) fn glimpsed(&self, square: Square, start: Time) -> bool {
        self.glimpses.contains(square) && self.glimpse[usize::from(square)].until > start
    }

    /// Whether what `board` has on `square`, now empty, stood there last for less than a minimum
    /// contact and left it after `start`.
    pub(crate) fn glimpsed_as(&self, square: Square, board: &Board, start: Time) -> bool {
        let Glimpse { stay, .. } = self.glimpse[usize::from(square)];
        self.glimpsed(square, start) && self.planes.fits(stay.symbol, board, square)
    }

    /// For how long what was glimpsed last on `square` stood there.
    pub(crate) fn glimpsed_for(&self, square: Square) -> Millis {
        let Glimpse { stay, until } = self.glimpse[usize::from(square)];
        until.since(stay.since)
    }

    /// Squares on which something stood for less than a minimum contact, until after `start`.
    pub(crate) fn glimpsed_since(&self, start: Time) -> Bitboard {
        let mut glimpsed = Bitboard::EMPTY;
        for sq in self.glimpses {
            glimpsed.set(sq, self.glimpse[usize::from(sq)].until > start);
        }
        glimpsed
    }

    /// Squares on which something was glimpsed that had left it less than a minimum contact ago.
    fn glimpsed_lately(&self, now: Time) -> Bitboard {
        let mut lately = Bitboard::EMPTY;
        for sq in self.glimpses {
            lately.set(sq, self.is_recent(self.glimpse[usize::from(sq)].until, now));
        }
        lately
    }

    /// Whether `at` is less than a minimum contact ago.
    fn is_recent(&self, at: Time, now: Time) -> bool {
        now.since(at) <= self.minimum_contact
    }

    /// Squares among `wrong` that read as `board` says until less than a minimum contact ago: a
    /// bounce, or a hand already there.
    pub(crate) fn lately_right(&self, wrong: Bitboard, board: &Board, now: Time) -> Bitboard {
        let mut right = Bitboard::EMPTY;
        for sq in wrong {
            right.set(sq, self.lately(sq, board, now).is_some());
        }
        right
    }

    /// When `square`, which read as `board` says until less than a minimum contact ago, began to
    /// read so.
    pub(crate) fn lately(&self, square: Square, board: &Board, now: Time) -> Option<Time> {
        let i = usize::from(square);
        if self.is_recent(self.now[i].since, now) && self.stood(square, board) {
            return Some(self.before[i].since);
        }
        let Glimpse { stay, until } = self.glimpse[i];
        let right = self.glimpses.contains(square)
            && self.is_recent(until, now)
            && self.planes.fits(stay.symbol, board, square);
        right.then_some(stay.since)
    }

    /// Whether what `board` has on `square`, now empty, stood there last for more than a moment:
    /// long enough to be taken up.
    pub(crate) fn stood(&self, square: Square, board: &Board) -> bool {
        let before = self.before[usize::from(square)];
        self.planes.fits(before.symbol, board, square)
    }

    /// All changes that are kept, oldest first; what was at time zero is no change.
    pub(crate) fn log(&self) -> &[SquareChange] {
        self.log.all()
    }

    /// Changes after `start`, oldest first.
    pub(crate) fn log_since(&self, start: Time) -> impl Iterator<Item = &SquareChange> {
        self.log.since(start)
    }

    /// Whether one of `squares` was left after `start` and not after `end`.
    pub(crate) fn lifted_between(&self, squares: Bitboard, start: Time, end: Time) -> bool {
        self.log.lifted_between(squares, start, end)
    }

    /// Squares that were left after `start` and stood empty at `at`.
    pub(crate) fn lifted_at(&self, at: Time, start: Time) -> Bitboard {
        self.log.lifted_at(at, start)
    }

    /// Whether `a` and `b` were empty at the same time after `start`, as far as the order of their
    /// changes is known.
    pub(crate) fn were_empty_at_once(
        &self,
        a: Square,
        b: Square,
        start: Time,
        window: ScanWindow,
    ) -> bool {
        let others = self.times_empty(b, start);
        for (from, to) in self.times_empty(a, start) {
            for &(other_from, other_to) in &others {
                if !window.is_before(other_to, from) && !window.is_before(to, other_from) {
                    return true;
                }
            }
        }
        false
    }

    /// From when to when `square` was empty after `start`.
    fn times_empty(&self, square: Square, start: Time) -> Vec<(Time, Time)> {
        let is_empty = self.now[usize::from(square)].symbol == Symbol::Empty;
        self.log.times_empty(square, start, is_empty)
    }
}
