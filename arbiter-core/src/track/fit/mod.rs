//! Does this legal move explain what the sensors read? A pure function from position, move and
//! evidence to a cost.
//!
//! A move fits when the board, as this sensor class would read it, equals what the sensors read
//! now, and the touches do not contradict it. What the *next* player has begun since may still be
//! open. Costs compare hypotheses with one another; they mean nothing by themselves.

mod order;
mod pushed;
mod reply;
mod wrong;

use shakmaty::{Bitboard, Chess, Move, Position, Role, Square, attacks};

use crate::chess::moves::{arrival, legs, squares_of};
use crate::said::time::Time;
use crate::track::cost;
use crate::track::evidence::PlyEvidence;
use crate::track::fit::wrong::WrongSquares;

/// A move that fits.
pub(crate) struct MoveFit {
    /// The position it leads to.
    pub(crate) after: Chess,
    /// What has to be assumed.
    pub(crate) cost: i32,
    /// When the last of its squares took its place.
    pub(crate) made_at: Time,
    /// Squares the next player handled before that.
    pub(crate) early: Bitboard,
    /// Squares of a reply that was made before the moving piece was touched.
    pub(crate) ahead: Bitboard,
    /// Squares whose reading is wrong.
    pub(crate) misread: Bitboard,
    /// Those of them that are read late: what they come to read soon after is of this move.
    pub(crate) awaited: Bitboard,
}

/// Tries `m`, which [`MoveBounds::admit`](crate::track::bounds::MoveBounds::admit) lets through, in
/// `before` against the evidence.
pub(crate) fn fit(before: &Chess, m: Move, ev: &PlyEvidence<'_>) -> Option<MoveFit> {
    let mut attempt = Attempt::new(before, m, ev);
    let ahead = attempt.made_ahead();
    let mut of_reply = match ahead.any() {
        true => Some(cost::OUT_OF_TURN),
        false => attempt.cost_of_reply(),
    };
    if of_reply.is_none() && attempt.set_victim_aside() {
        of_reply = attempt.cost_of_reply();
    }
    let of_reply = of_reply?;
    let cost = of_reply + attempt.cost_of_order()?;
    Some(attempt.into_fit(cost, ahead))
}

/// One legal move, tried against the evidence.
struct Attempt<'a> {
    before: &'a Chess,
    m: Move,
    after: Chess,
    ev: &'a PlyEvidence<'a>,
    /// The squares that the move changes.
    own: Bitboard,
    /// Squares that read otherwise than the move leaves them.
    wrong: WrongSquares,
}

impl<'a> Attempt<'a> {
    fn new(before: &'a Chess, m: Move, ev: &'a PlyEvidence<'a>) -> Attempt<'a> {
        let mut after = before.clone();
        after.play_unchecked(m);
        let mut attempt = Attempt {
            before,
            m,
            after,
            ev,
            own: squares_of(m),
            wrong: WrongSquares::default(),
        };
        attempt.wrong = attempt.sort_wrong();
        attempt
    }

    /// The move as it fits; `cost` is what order and reply cost, `ahead` what is of a reply that
    /// was made before it.
    fn into_fit(self, cost: i32, ahead: Bitboard) -> MoveFit {
        let passed = self.passed();
        let complete = self.complete_at();
        let made_at = self.made_at(complete);
        MoveFit {
            cost: cost
                + self.cost_of_touches(passed)
                + self.cost_of_misreadings(passed)
                + self.cost_of_aside()
                + self.cost_of_being_pushed()
                + self.cost_of_promotion()
                + self.cost_of_haste(complete)
                + self.cost_of_moving_on(),
            made_at,
            early: self.begun_by(made_at) | ahead,
            ahead,
            misread: self.ev.trust.misread | self.wrong.assumed_misread(),
            awaited: self.wrong.awaited | self.wrong.aside,
            after: self.after,
        }
    }

    /// Squares that the pieces pass.
    fn passed(&self) -> Bitboard {
        let mut passed = Bitboard::EMPTY;
        for (from, to) in legs(self.m) {
            passed |= attacks::between(from, to);
        }
        passed
    }

    /// What it costs that squares were touched which have no part in the move, or that squares of
    /// it were not.
    fn cost_of_touches(&self, passed: Bitboard) -> i32 {
        let touched = self.ev.touched | self.ev.glimpsed;
        let unused = touched & !(self.own | passed | self.wrong.reply);
        // What was misread and has changed again was never read in between.
        let changed_again = if self.ev.look.hindsight {
            self.ev.trust.misread
        } else {
            Bitboard::EMPTY
        };
        let excused = self.wrong.assumed_misread() | changed_again;
        let mut cost = unused.count() as i32 * cost::UNUSED_TOUCH;
        for sq in self.own & !(touched | excused) {
            cost += self.cost_of_untouched(sq);
        }
        cost
    }

    /// What it costs that `sq`, a square of the move, was never seen to be touched.
    fn cost_of_untouched(&self, sq: Square) -> i32 {
        let class = self.ev.contacts.planes().class();
        let read_before = class.sees(self.before.board().piece_at(sq));
        let read_after = class.sees(self.after.board().piece_at(sq));
        if read_before == read_after && self.ev.flickered.contains(sq) {
            cost::FLICKER
        } else {
            cost::UNTOUCHED
        }
    }

    /// A promotion to anything but a queen is the less likely one, where the piece is unseen.
    fn cost_of_promotion(&self) -> i32 {
        match self.m.promotion() {
            Some(role) if role != Role::Queen && !self.ev.is_identified() => cost::UNDERPROMOTION,
            _ => 0,
        }
    }

    /// What it costs if the move stood before the position was reached.
    fn cost_of_haste(&self, complete: Time) -> i32 {
        let window = self.ev.look.scan_window;
        let paid = self.own.is_subset(self.ev.ahead);
        if !paid && window.is_before(complete, self.ev.reached) {
            cost::TOO_EARLY
        } else {
            0
        }
    }

    /// When the last square of the move took the reading that it leaves.
    fn complete_at(&self) -> Time {
        let read = self.own & !(self.wrong.reply | self.wrong.suspect);
        let last = read.into_iter().map(|sq| self.took_place(sq)).max();
        last.unwrap_or(self.ev.look.now)
    }

    fn took_place(&self, sq: Square) -> Time {
        if !self.wrong.lately.contains(sq) {
            return self.ev.contacts.since(sq);
        }
        let now = self.ev.look.now;
        let lately = self.ev.contacts.lately(sq, self.after.board(), now);
        lately.unwrap_or(now)
    }

    /// When the move was made. A victim that only flickered went in that moment, unless the reply
    /// had begun: then it may be the reply's. What was seen to come down had been made by then,
    /// whether it bounces soon after, or as somebody takes it up.
    fn made_at(&self, complete: Time) -> Time {
        let to = arrival(self.m);
        let Some(flicker) = self.ev.contacts.flickered(to) else {
            return complete;
        };
        let came_down = self.ev.touched.contains(to);
        if !self.ev.flickered.contains(to) || came_down || self.wrong.reply.any() {
            return complete;
        }
        flicker.max(complete)
    }

    /// The squares of the reply that were handled by the time the move was made.
    fn begun_by(&self, made_at: Time) -> Bitboard {
        let mut begun = Bitboard::EMPTY;
        for sq in self.wrong.reply {
            begun.set(sq, self.ev.contacts.since(sq) <= made_at);
        }
        begun
    }
}
