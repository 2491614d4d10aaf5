//! The order in which the squares of a move changed.

use shakmaty::{Bitboard, Move, Position, Square};

use crate::said::symbol::Symbol;
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
        let taken_up = self.ev.contacts.since(from);
        let window = self.ev.look.scan_window;
        let filled = self.ev.contacts.since(to);
        let early = taken_up.since(filled);
        if window.covers(early, 1) {
            Some(self.cost_of_standing_elsewhere(from, filled))
        } else if self.was_exchanged(to, taken_up) {
            Some(cost::FLICKER)
        } else if window.covers(early, 3) {
            Some(cost::LATE_LIFT)
        } else if early <= LATEST && !self.may_be_another(from, filled) {
            Some(cost::LOST)
        } else {
            None
        }
    }

    /// What it costs if the moving piece was put down somewhere else, nothing else being in the
    /// air, and stood there until long after the square it goes to was filled.
    fn cost_of_standing_elsewhere(&self, from: Square, filled: Time) -> i32 {
        let ev = self.ev;
        let elsewhere = ev.touched & !(self.own | self.before.board().occupied());
        if elsewhere.is_empty() {
            return 0;
        }
        let contacts = ev.contacts;
        let stood = |square| {
            let put_down = contacts
                .log_since(ev.reached)
                .find(|c| c.square == square && c.symbol != Symbol::Empty);
            let alone = put_down.is_some_and(|c| {
                ev.look.scan_window.is_before(c.at, filled)
                    && contacts.lifted_at(c.at, ev.reached) == Bitboard::from(from)
            });
            alone
                && contacts
                    .log_since(filled + LATEST)
                    .any(|c| c.square == square)
        };
        match elsewhere.into_iter().any(stood) {
            true => cost::STOOD_ELSEWHERE,
            false => 0,
        }
    }

    /// Whether what stood on `to` went in a moment after the piece was taken up, and its captor
    /// took its place.
    fn was_exchanged(&self, to: Square, taken_up: Time) -> bool {
        let flickered = self.ev.contacts.flickered(to);
        let window = self.ev.look.scan_window;
        self.m.is_capture() && flickered.is_some_and(|at| window.end(at) >= taken_up)
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
