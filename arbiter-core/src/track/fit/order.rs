//! The order in which the squares of a move changed.

use shakmaty::{Bitboard, Move, Position, Square};

use crate::said::time::Time;
use crate::sense::trust::LATEST;
use crate::track::cost;
use crate::track::fit::Attempt;

impl Attempt<'_> {
    /// What the order of events costs. An arrival square filled for good before the piece was seen
    /// in the air rules the move out where another piece can have filled it; else the lift was read
    /// late: a magnet that lets go late, or a reading lost.
    pub(super) fn cost_of_order(&self) -> Option<i32> {
        let Move::Normal {
            from,
            to,
            promotion: None,
            ..
        } = self.m
        else {
            return Some(0);
        };
        if !self.is_timed(from) || !self.is_timed(to) {
            return Some(0);
        }
        let filled = self.ev.contacts.since(to);
        let early = self.ev.contacts.since(from).since(filled);
        let window = self.ev.look.scan_window;
        if window.covers(early, 1) {
            Some(0)
        } else if window.covers(early, 3) {
            Some(cost::LATE_LIFT)
        } else if early <= LATEST && !self.may_be_another(from, filled) {
            Some(cost::LOST)
        } else {
            None
        }
    }

    /// Whether it is known when `sq` took its place.
    fn is_timed(&self, sq: Square) -> bool {
        self.ev.touched.contains(sq) && !self.wrong.untimed().contains(sq)
    }

    /// Whether a piece other than the one from `from` may be what came at `filled`.
    fn may_be_another(&self, from: Square, filled: Time) -> bool {
        if self.ev.is_identified() {
            return false;
        }
        let (ev, others) = (self.ev, self.before.us() & !Bitboard::from(from));
        let until = ev.look.scan_window.end(filled);
        (ev.contacts.lifted_at(until, ev.reached) & others).any()
    }
}
