//! Pieces that another one pushes to the next square as it comes down.
//!
//! What was captured may stand beside its captor so: it is taken off later, perhaps after the
//! press. Or a hand has put it down at the edge of the board, and not beside it. And what comes to
//! a square as another piece comes down beside it was moved there by nobody.

use shakmaty::{Bitboard, Position, Square, attacks};

use crate::chess::moves::{arrival, victim_square};
use crate::said::symbol::Symbol;
use crate::said::time::{Millis, Time};
use crate::track::cost;
use crate::track::fit::Attempt;

/// What is pushed off its square stands on the next one so soon, in milliseconds, and what has
/// pushed it on its own.
const PUSHES: Millis = 500;

/// What was captured is put down at the edge so soon, in milliseconds, after its captor.
const PUTS_DOWN: Millis = 3_000;

/// No hand carries a piece to the next square in this time, in milliseconds, as another one comes
/// down where it stood.
const CARRIES: Millis = 120;

impl Attempt<'_> {
    /// Takes what stands beside the captor for its victim, where it may be that. Whether it does.
    pub(super) fn set_victim_aside(&mut self) -> bool {
        let Some(aside) = self.victim_aside().or_else(|| self.victim_put_down()) else {
            return false;
        };
        self.wrong.aside.add(aside);
        self.wrong.reply.discard(aside);
        true
    }

    /// What it costs that a captured piece was left standing.
    pub(super) fn cost_of_aside(&self) -> i32 {
        self.wrong.aside.count() as i32 * cost::VICTIM_ASIDE
    }

    /// The square at the edge of the board on which the victim may have been put down: it reads so,
    /// nothing stood there before, and it came there once the victim had left its square, not long
    /// after its captor had come down.
    fn victim_put_down(&self) -> Option<Square> {
        let (ev, victim_stood) = (self.ev, victim_square(self.m)?);
        let untimed = self.wrong.untimed() & self.own;
        if untimed.any() || !ev.touched.contains(victim_stood) {
            return None;
        }
        let free = !(self.before.board().occupied() | self.own);
        let aside = (self.wrong.reply & free & Bitboard::EDGES).single_square()?;
        let contacts = ev.contacts;
        let victim = contacts
            .planes()
            .class()
            .sees(self.before.board().piece_at(victim_stood));
        let filled = contacts.since(aside);
        let came = contacts.since(arrival(self.m));
        let mut log = contacts.log_since(ev.reached);
        let left = log.any(|c| c.square == victim_stood && c.symbol != victim && c.at < filled);
        let meant = came >= filled || filled.since(came) <= PUTS_DOWN;
        let stands = contacts.planes().at(aside) == victim && left && meant;
        (stands && victim != Symbol::Empty).then_some(aside)
    }

    /// The square beside that of the capture on which its victim may stand: it reads so, nothing
    /// stood there before, and it came there once the victim had left its square, as the captor
    /// came to it.
    fn victim_aside(&self) -> Option<Square> {
        let (ev, to) = (self.ev, arrival(self.m));
        victim_square(self.m).filter(|sq| *sq == to)?;
        if self.wrong.untimed().contains(to) {
            return None;
        }
        let (contacts, planes) = (ev.contacts, ev.contacts.planes());
        let victim = planes.class().sees(self.before.board().piece_at(to));
        let free = !(self.before.board().occupied() | self.own);
        let beside = attacks::king_attacks(to) & free & self.wrong.reply;
        let aside = beside.single_square()?;
        let filled = contacts.since(aside);
        let soon = |at: Time| at <= filled && filled.since(at) <= PUSHES;
        let left = |sq| {
            let mut log = contacts.log_since(ev.reached);
            log.any(|c| c.square == sq && c.symbol != victim && soon(c.at))
                || contacts.flickered(sq).is_some_and(soon)
        };
        let came = contacts
            .since(to)
            .max(contacts.flickered(to).unwrap_or(Time::ZERO));
        let pushed = planes.at(aside) == victim && left(to) && came.since(filled) <= PUSHES;
        (pushed && victim != Symbol::Empty).then_some(aside)
    }

    /// What it costs if the piece came to its square from one beside it on which it had been put
    /// before, as another piece came down there.
    pub(super) fn cost_of_being_pushed(&self) -> i32 {
        let (ev, to) = (self.ev, arrival(self.m));
        let Some(filled) = self.filled_at(to) else {
            return 0;
        };
        let soon = |at: Time| at <= filled && filled.since(at) <= CARRIES;
        let pushed_from = |sq| {
            let mut log = ev.contacts.log_since(ev.reached);
            let left = log.any(|c| c.square == sq && c.symbol == Symbol::Empty && soon(c.at))
                || ev.contacts.flickered(sq).is_some_and(soon);
            let full = ev.contacts.planes().occupied().contains(sq);
            let came = match full {
                true => Some(ev.contacts.since(sq)),
                false => ev.look.filled_soon(sq),
            };
            left && came.is_some_and(|came| came.since(filled) <= CARRIES)
        };
        let free = !(self.before.board().occupied() | self.own);
        let mut beside = (attacks::king_attacks(to) & free & ev.touched).into_iter();
        match beside.any(pushed_from) {
            true => cost::PUSHED,
            false => 0,
        }
    }

    /// When `sq`, which the move fills, came or comes to read so.
    fn filled_at(&self, sq: Square) -> Option<Time> {
        if self.wrong.awaited.contains(sq) {
            return self.ev.look.filled_soon(sq);
        }
        let read = self.ev.touched.contains(sq) && !self.wrong.untimed().contains(sq);
        read.then(|| self.ev.contacts.since(sq))
    }
}
