//! What reads wrong after a move may be the beginning of the reply to it.

use shakmaty::{Bitboard, Move, Position, Square};

use crate::chess::moves::{arrival, origin, squares_of};
use crate::said::symbol::{SensorClass, Symbol};
use crate::said::time::Time;
use crate::track::cost;
use crate::track::fit::Attempt;
use crate::track::moves::capturers;

/// What a square of a reply shows.
enum Part {
    /// A piece of the player to reply was taken up.
    Lifted,
    /// One was put down, here or instead of the piece that stood here.
    Placed,
}

impl Attempt<'_> {
    /// What it costs to read the wrong squares as the beginning of a reply; `None` when they cannot
    /// be.
    pub(super) fn cost_of_reply(&self) -> Option<i32> {
        if self.wrong.reply.is_empty() {
            return Some(0);
        }
        let (ev, begun) = (self.ev, self.first_touch());
        let (mut lifted, mut placed, mut unread) = (0, 0, 0);
        for sq in self.wrong.reply {
            // A reply may begin before the move is made, but not before the moving piece was
            // touched.
            let since = ev.contacts.since(sq);
            if !ev.touched.contains(sq) || ev.look.scan_window.is_before(since, begun) {
                return None;
            }
            match self.part_of_reply(sq)? {
                Part::Lifted => lifted += 1,
                Part::Placed => placed += 1,
            }
            unread += self.cost_of_unread_victim(sq);
        }
        if lifted > 2 || placed > lifted {
            return None;
        }
        let handled = lifted * cost::IN_HAND + placed * (cost::HALF_PLACED - cost::IN_HAND);
        Some(handled + unread + self.cost_of_reply_before_it())
    }

    /// The squares of the reply, where that is a whole legal move, made since the position was
    /// reached and before the moving piece was touched: its player moved twice running.
    pub(super) fn made_ahead(&self) -> Bitboard {
        let reply = self.wrong.reply;
        if reply.is_empty() {
            return Bitboard::EMPTY;
        }
        let (window, begun) = (self.ev.look.scan_window, self.first_touch());
        let was_ahead =
            |at: Time| window.is_before(self.ev.reached, at) && window.is_before(at, begun);
        let since = |sq| self.ev.contacts.since(sq);
        if !reply.into_iter().all(|sq| was_ahead(since(sq))) {
            return Bitboard::EMPTY;
        }
        // A piece that was captured reads as its captor does where only occupied squares are read.
        let exchanged = |sq: Square| {
            let flickered = self.ev.contacts.flickered(sq);
            was_ahead(since(sq)) || flickered.is_some_and(was_ahead)
        };
        let stands = |m: Move, squares: Bitboard| {
            let mut then = self.after.clone();
            then.play_unchecked(m);
            (self.ev.contacts.planes().differ(then.board()) & squares).is_empty()
        };
        let is_whole = |m: &Move| {
            let squares = squares_of(*m);
            // A piece that goes on before the move is complete makes no second move.
            let goes_on = origin(*m) == self.ev.arrived;
            !goes_on
                && !self.has_slipped(*m)
                && reply.is_subset(squares)
                && (squares & self.own).is_empty()
                && (squares & !reply).into_iter().all(exchanged)
                && stands(*m, squares)
        };
        let legal = self.after.legal_moves();
        legal
            .into_iter()
            .find(is_whole)
            .map_or(Bitboard::EMPTY, squares_of)
    }

    /// Whether the piece of `m`, which captures nothing, was pushed.
    fn has_slipped(&self, m: Move) -> bool {
        let contacts = self.ev.contacts;
        let grip = self.ev.look.scan_window.grip(contacts.minimum_contact());
        let from = origin(m).filter(|_| !m.is_capture());
        from.is_some_and(|from| contacts.slipped(from, arrival(m), grip))
    }

    /// What it costs if a piece was taken up again that stood on its way, the reply having been
    /// made before that.
    pub(super) fn cost_of_moving_on(&self) -> i32 {
        let (ev, full) = (self.ev, self.ev.contacts.planes().occupied());
        let placed = self.wrong.reply & full;
        let replied = placed.into_iter().map(|sq| ev.contacts.since(sq)).max();
        let free = !(self.before.board().occupied() | self.own | self.wrong.reply);
        let went_on = replied.is_some_and(|replied| {
            let replied = ev.look.scan_window.end(replied);
            ev.contacts.lifted_between(free, replied, ev.look.now)
        });
        match went_on || self.was_answered_on_its_way() {
            true => cost::ANSWERED_BEFORE,
            false => 0,
        }
    }

    /// Whether the piece that replies was put down, be it on its own way too, before the moved
    /// piece went on from a square on its way.
    fn was_answered_on_its_way(&self) -> bool {
        let (contacts, full) = (self.ev.contacts, self.ev.contacts.planes().occupied());
        let from = self.wrong.reply & !full;
        let lifted = from.into_iter().map(|sq| contacts.since(sq)).min();
        let stops = self.ev.touched & !(self.before.board().occupied() | self.own);
        let Some(lifted) = lifted.filter(|_| stops.more_than_one()) else {
            return false;
        };
        let (mut moved, mut replied) = (Bitboard::EMPTY, Bitboard::EMPTY);
        let changes = contacts.log_since(self.ev.reached);
        for c in changes.filter(|c| stops.contains(c.square)) {
            if c.symbol == Symbol::Empty {
                if moved.contains(c.square) && replied.any() {
                    return true;
                }
                moved.discard(c.square);
                replied.discard(c.square);
            } else if c.at > lifted {
                replied.add(c.square);
            } else {
                moved.add(c.square);
            }
        }
        false
    }

    /// What it costs that the reply stood before anything was seen of the move: what is read late
    /// may have been made before it all the same.
    fn cost_of_reply_before_it(&self) -> i32 {
        let seen = self.own & self.ev.touched & !(self.wrong.suspect | self.wrong.reply);
        let since = |sq| self.ev.contacts.since(sq);
        let begun = seen.into_iter().map(since).min();
        let window = self.ev.look.scan_window;
        let mut reply = self.wrong.reply.into_iter().map(since);
        match begun.is_some_and(|begun| reply.all(|at| window.is_before(at, begun))) {
            true => cost::TOO_EARLY,
            false => 0,
        }
    }

    /// When the first square of the move took its place.
    fn first_touch(&self) -> Time {
        let read = self.own & !(self.wrong.suspect | self.wrong.reply);
        let times = read.into_iter().map(|sq| self.ev.contacts.since(sq));
        times.min().unwrap_or(self.ev.look.now)
    }

    /// What a wrong square shows of a reply; `None` where no reply reads so.
    fn part_of_reply(&self, sq: Square) -> Option<Part> {
        let (planes, next) = (self.ev.contacts.planes(), self.after.turn());
        let full = planes.occupied().contains(sq);
        let own = (self.own & !self.wrong.suspect).contains(sq);
        match self.after.board().color_at(sq) {
            Some(colour) if colour == next => (!full).then_some(Part::Lifted),
            _ if !full || !planes.may_be(next).contains(sq) => None,
            None => (!own).then_some(Part::Placed),
            // A piece of the player who moved, captured already by one that is in the air no more.
            Some(_) => {
                let shown = planes.class() != SensorClass::Occupancy;
                let may_stand = !own || sq == arrival(self.m);
                (shown && may_stand && self.can_be_taken(sq)).then_some(Part::Placed)
            }
        }
    }

    /// Whether a piece that has left its square could capture on `sq`.
    fn can_be_taken(&self, sq: Square) -> bool {
        let capturers = capturers(&self.after.legal_moves(), sq.into());
        (capturers & self.wrong.reply).any()
    }

    /// What it costs that the moved piece, captured at once, was never read where it arrived.
    fn cost_of_unread_victim(&self, sq: Square) -> i32 {
        let taken = self.ev.contacts.planes().occupied().contains(sq);
        if taken && sq == arrival(self.m) && !self.ev.was_read(sq, self.after.board()) {
            cost::LOST
        } else {
            0
        }
    }
}
