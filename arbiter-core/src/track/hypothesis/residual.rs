//! What the present difference between the board and a hypothesis costs it.

use alloc::vec::Vec;

use shakmaty::{Bitboard, Position, Square, attacks};

use crate::chess::moves::{arrival, can_capture_from};
use crate::said::symbol::SensorClass;
use crate::said::time::{Millis, Time};
use crate::sense::contacts::Contacts;
use crate::sense::trust::{LATEST, STRAIGHTENS, ScanWindow};
use crate::track::cost;
use crate::track::hypothesis::{Hypothesis, Step};

/// What squares that show nothing the player to move can have done cost at most, all together. A
/// second move by the player who has just moved leaves two of them, or four where he castles, and
/// is one act however many there are.
const MOST_STRANGE: i32 = 2 * cost::CONTRADICTED;

/// A piece that was read for a shorter time than this, in milliseconds, was taken up by nobody else
/// than the hand that brought it: no other is as quick.
const HARDLY: Millis = 50;

/// A lift that was read so many scans late was in time, as in the order of a move's own squares.
const LATE_SCANS: Millis = 3;

/// What a wrong square shows.
enum Wrong {
    /// A piece of the player to move was taken up.
    Lifted,
    /// Something was put down that he may have taken up.
    Placed,
    /// Something that he cannot have done.
    Strange,
    /// Something that costs so much by itself.
    Costs(i32),
}

impl Hypothesis {
    /// What the present difference between board and position costs.
    pub(crate) fn residual(&self, contacts: &Contacts, now: Time, at_press: bool) -> i32 {
        let overdue = self.cost_of_overdue(contacts, now);
        let mut wrong = self.wrong(contacts);
        if at_press {
            wrong &= !contacts.lately_right(wrong, self.pos.board(), now);
        }
        if wrong.is_empty() {
            return overdue;
        }
        let (mut cost, mut lifted, mut placed, mut strange) = (overdue, 0, 0, 0);
        for sq in wrong {
            match self.what_is_wrong(sq, contacts, at_press) {
                Wrong::Lifted => lifted += 1,
                Wrong::Placed => placed += 1,
                Wrong::Strange => strange += cost::CONTRADICTED,
                Wrong::Costs(more) => cost += more,
            }
        }
        // A piece that was placed was lifted before; one placed out of nowhere is unexplained.
        let nowhere = Ord::max(placed - lifted, 0);
        strange += nowhere * cost::LOST;
        cost + lifted * cost::IN_HAND
            + placed * (cost::HALF_PLACED - cost::IN_HAND)
            + strange.min(MOST_STRANGE)
    }

    /// How many squares were filled before anything was taken up that can have come there, where
    /// the pieces of the player to move account for their number. A lift may be read a few scans
    /// late.
    pub(crate) fn placed_too_early(&self, contacts: &Contacts, window: ScanWindow) -> i32 {
        let (mut lifted, mut placed) = (Vec::new(), Vec::new());
        for sq in self.wrong(contacts) {
            match self.what_is_wrong(sq, contacts, true) {
                Wrong::Lifted => lifted.push(contacts.since(sq)),
                Wrong::Placed => placed.push(contacts.since(sq)),
                _ => {}
            }
        }
        let Some(first) = lifted.iter().min().filter(|_| placed.len() <= lifted.len()) else {
            return 0;
        };
        let early = |at: &&Time| !window.covers(first.since(**at), LATE_SCANS);
        placed.iter().filter(early).count() as i32
    }

    fn what_is_wrong(&self, sq: Square, contacts: &Contacts, at_press: bool) -> Wrong {
        if !self.is_touched(sq, contacts) {
            return Wrong::Costs(cost::LOST);
        }
        let (planes, mover) = (contacts.planes(), self.pos.turn());
        let full = planes.occupied().contains(sq);
        let own_colour = planes.may_be(mover).contains(sq);
        match self.pos.board().color_at(sq) {
            Some(colour) if colour == mover && !full => self.cost_of_lifted(sq, contacts),
            Some(colour) if colour == mover && own_colour => Wrong::Costs(cost::HALF_PLACED),
            Some(colour) if colour == mover => Wrong::Strange,
            Some(_) if !full => self.cost_of_missing(sq, contacts, at_press),
            Some(_) if self.is_promoted_otherwise(sq, contacts) => Wrong::Strange,
            _ if own_colour || planes.class() == SensorClass::Occupancy => Wrong::Placed,
            _ => Wrong::Strange,
        }
    }

    /// Whether `sq`, where a pawn has just been promoted, shows another piece, and none of the
    /// player to move is in the air that could have captured there.
    fn is_promoted_otherwise(&self, sq: Square, contacts: &Contacts) -> bool {
        let last = self.steps.last();
        last.is_some_and(|s| s.m.is_promotion() && arrival(s.m) == sq)
            && (self.pos.us() & !contacts.planes().occupied()).is_empty()
    }

    /// A piece of the player to move was taken up: for his move, unless that was long before he had
    /// it.
    fn cost_of_lifted(&self, sq: Square, contacts: &Contacts) -> Wrong {
        match self.since.since(contacts.since(sq)) > LATEST {
            true => Wrong::Costs(cost::HELD_THROUGH),
            false => Wrong::Lifted,
        }
    }

    /// Whether `sq` was touched, be it for a moment, since the position was reached.
    fn is_touched(&self, sq: Square, contacts: &Contacts) -> bool {
        contacts.since(sq) > self.since
            || self.early.contains(sq)
            || contacts.glimpsed(sq, self.since)
    }

    /// What it costs that a piece of the player who has moved is not on `sq`.
    fn cost_of_missing(&self, sq: Square, contacts: &Contacts, at_press: bool) -> Wrong {
        let just_moved = self.steps.last().is_some_and(|s| arrival(s.m) == sq);
        let can_capture = self.can_capture(sq);
        // Nobody presses with his piece in the hand: at a press, the opponent has begun to take it.
        let taken = at_press && just_moved && can_capture;
        let stood = taken.then(|| self.how_it_stood(sq, contacts)).flatten();
        if just_moved && !self.capturer_in_hand(sq, contacts) {
            return Wrong::Costs(stood.unwrap_or(cost::MOVED_ON));
        }
        if stood == Some(cost::GLIMPSED_FIRST) && contacts.glimpsed_for(sq) < HARDLY {
            Wrong::Costs(cost::GLIMPSED_FIRST)
        } else if can_capture {
            Wrong::Costs(cost::IN_HAND)
        } else if !at_press && self.is_straightened(sq, contacts) {
            Wrong::Costs(cost::STRAIGHTENED)
        } else {
            Wrong::Strange
        }
    }

    /// What it costs that the piece that came to `sq`, now empty, was taken up there to be
    /// captured; `None` where it was never read.
    fn how_it_stood(&self, sq: Square, contacts: &Contacts) -> Option<i32> {
        let board = self.pos.board();
        if contacts.stood(sq, board) {
            return Some(cost::VICTIM_FIRST);
        }
        let identified = contacts.planes().class() != SensorClass::Occupancy;
        contacts
            .glimpsed_as(sq, board, self.since)
            .then_some(match identified {
                true => cost::VICTIM_FIRST,
                false => cost::GLIMPSED_FIRST,
            })
    }

    /// Whether what is missing on `sq` was taken up beside the piece that has just been put down,
    /// while the hand that did so was still there. Nobody presses before it is put back.
    fn is_straightened(&self, sq: Square, contacts: &Contacts) -> bool {
        let Some(last) = self.steps.last() else {
            return false;
        };
        let beside = attacks::king_attacks(arrival(last.m)).contains(sq);
        beside && contacts.since(sq).since(last.made_at) <= STRAIGHTENS
    }

    /// What it costs that squares whose piece has left them are still read full, longer than any
    /// reading is late.
    fn cost_of_overdue(&self, contacts: &Contacts, now: Time) -> i32 {
        let full = self.misread & contacts.planes().occupied() & !contacts.suspect();
        if full.is_empty() {
            return 0;
        }
        let mut cost = 0;
        for step in &self.steps {
            if now.since(step.made_at) > LATEST && is_read_full(step, full, contacts) {
                cost += cost::LOST;
            }
        }
        cost
    }

    /// Whether the player to move has a piece in the air that could capture on `sq`.
    fn capturer_in_hand(&self, sq: Square, contacts: &Contacts) -> bool {
        let held = self.pos.us() & !contacts.planes().occupied();
        held.any() && can_capture_from(&self.pos, held, sq)
    }

    /// Whether the player to move can capture on `sq`.
    fn can_capture(&self, sq: Square) -> bool {
        let (asked, capturable) = self.capturable.get();
        if asked.contains(sq) {
            return capturable.contains(sq);
        }
        let can = can_capture_from(&self.pos, Bitboard::FULL, sq);
        let capturable = if can { capturable.with(sq) } else { capturable };
        self.capturable.set((asked.with(sq), capturable));
        can
    }
}

/// Whether the square that a step left is among the `full` ones, and has not been left and filled
/// again since.
fn is_read_full(step: &Step, full: Bitboard, contacts: &Contacts) -> bool {
    let from = step.m.from();
    from.is_some_and(|from| full.contains(from) && contacts.since(from) <= step.made_at)
}
