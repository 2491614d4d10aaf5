//! What the readings of the squares are worth.
//!
//! A reading is taken at its word unless one of three things is known of its square:
//!
//! - **suspect**: the board itself distrusts the sensor there. The board says so, and says when it
//!   trusts it again ([`Contacts::suspect`](super::contacts::Contacts::suspect)).
//! - **misread**: a hypothesis assumes that the reading is wrong, until it changes. Each hypothesis
//!   has misread squares of its own.
//! - **unsettled**: it changed less than a minimum contact ago, or it changes soon after the moment
//!   that is looked at. The same for all hypotheses.
//!
//! Readings also have an order in time. The [`ScanWindow`] says from when on it can be relied on.

use shakmaty::{Bitboard, Square};

use crate::said::symbol::Symbol;
use crate::said::time::{Millis, Time};

/// No reading comes later than this, in milliseconds.
pub(crate) const LATEST: Millis = 2_500;

/// The hand that made a move sets straight within this time, in milliseconds, what it knocked over
/// beside it; an opponent has hardly seen the move by then.
pub(crate) const STRAIGHTENS: Millis = 1_000;

/// Squares whose reading was another a moment ago, or will soon be another.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Unsettled {
    /// Changed less than a minimum contact ago.
    changed: Bitboard,
    /// Empty, and something stood there until less than a minimum contact ago.
    glimpsed: Bitboard,
    /// Change soon after.
    changing: Bitboard,
    /// Those among them that may be empty already.
    emptying: Bitboard,
}

impl Unsettled {
    /// Squares that were another a moment ago: `changed` less than a minimum contact ago, or empty
    /// and `glimpsed` to hold something.
    pub(crate) fn lately(changed: Bitboard, glimpsed: Bitboard) -> Unsettled {
        Unsettled {
            changed,
            glimpsed,
            ..Unsettled::default()
        }
    }

    /// Adds a square that soon reads `symbol`. Where the reading may be `lost` the square may be
    /// empty before, whatever it reads then.
    pub(crate) fn add_changing(&mut self, square: Square, symbol: Symbol, lost: bool) {
        self.changing.add(square);
        if lost || symbol == Symbol::Empty {
            self.emptying.add(square);
        }
    }
}

/// What the readings of all squares are worth to one hypothesis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trust {
    /// The board itself distrusts the sensor.
    pub(crate) suspect: Bitboard,
    /// The hypothesis assumes that the reading is wrong.
    pub(crate) misread: Bitboard,
    pub(crate) unsettled: Unsettled,
}

impl Trust {
    /// Squares that may be empty even where they read full.
    pub(crate) fn may_be_empty(&self) -> Bitboard {
        self.suspect | self.misread | self.unsettled.changed | self.unsettled.emptying
    }

    /// Squares that may be full, or hold another piece, even where they read otherwise.
    pub(crate) fn may_be_full(&self) -> Bitboard {
        self.suspect | self.without_weight()
    }

    /// Squares whose difference from a position shows nothing.
    pub(crate) fn without_weight(&self) -> Bitboard {
        let u = &self.unsettled;
        self.misread | u.changed | u.glimpsed | u.changing
    }

    /// Squares that change soon.
    pub(crate) fn changing(&self) -> Bitboard {
        self.unsettled.changing
    }
}

/// How far apart two changes must be for their order to be known.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct ScanWindow(Millis);

impl ScanWindow {
    /// After a gap in the evidence it is not known when a square changed.
    pub(crate) const AFTER_GAP: ScanWindow = ScanWindow(u32::MAX as Millis);

    /// Changes less than `ms` apart have no order.
    pub(crate) fn of(ms: Millis) -> ScanWindow {
        ScanWindow(ms)
    }

    /// Whether what was told at `a` was before what was told at `b` beyond doubt.
    pub(crate) fn is_before(self, a: Time, b: Time) -> bool {
        self.end(a) < b
    }

    /// The last moment that may in truth be `at`.
    pub(crate) fn end(self, at: Time) -> Time {
        at + self.0
    }

    /// Whether a change may be read `early` too soon by no more than the board's own scanning,
    /// `scans` windows long.
    pub(crate) fn covers(self, early: Millis, scans: Millis) -> bool {
        early <= self.0.saturating_mul(scans)
    }

    /// How long a hand holds a piece at least, where that can be told: never where changes as far
    /// apart as `minimum_contact` have no order.
    pub(crate) fn grip(self, minimum_contact: Millis) -> Millis {
        if minimum_contact > self.0 {
            minimum_contact
        } else {
            0
        }
    }

    /// Whether a piece may have come and gone within it: readings between need not have been seen.
    pub(crate) fn hides_readings(self) -> bool {
        self.0 > LATEST
    }
}
