//! Who was touched, when, and what became of it: the changes of one turn, read as handled
//! pieces.

mod until;
mod walk;

use alloc::vec::Vec;

use shakmaty::{Color, Piece, Square};

use crate::judge::obligation::Touch;
use crate::said::time::{Millis, Time};
pub(crate) use walk::read;

/// A piece that left its square during the turn.
#[derive(Clone, Debug)]
pub(crate) struct Handled {
    /// Where it stood when the turn began.
    pub(crate) home: Square,
    pub(crate) piece: Piece,
    pub(crate) lifted: Time,
    /// How long before its lift another piece had come down, if one had.
    after_landing: Option<Millis>,
    /// Squares it stood on since, with the time of arrival and of departure.
    pub(crate) contacts: Vec<Contact>,
    /// Lifts that an announced adjustment covers.
    covered: Vec<Time>,
}

/// A piece stood on a square.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contact {
    pub(crate) square: Square,
    pub(crate) from: Time,
    pub(crate) to: Option<Time>,
    /// Another piece of the starting position was lifted while it stood there, this long after its
    /// arrival.
    pub(crate) other_lifted: Option<Millis>,
}

impl Handled {
    /// Where it stands now, if it stands somewhere.
    pub(crate) fn stands(&self) -> Option<&Contact> {
        self.contacts.last().filter(|c| c.to.is_none())
    }

    /// Whether it stands at home again, and when it came back.
    pub(crate) fn back_since(&self) -> Option<Time> {
        let contact = self.stands()?;
        (contact.square == self.home).then_some(contact.from)
    }

    /// When it was first touched without an announcement that covers it.
    pub(crate) fn touched(&self) -> Option<Time> {
        if !self.covered.contains(&self.lifted) {
            return Some(self.lifted);
        }
        for c in &self.contacts {
            if c.square == self.home
                && let Some(at) = c.to
                && !self.covered.contains(&at)
            {
                return Some(at);
            }
        }
        None
    }

    /// Since when it was surely handled to be moved: a lift that ended with a put-back may have had
    /// another purpose.
    pub(crate) fn surely_lifted(&self) -> Time {
        let mut last = self.lifted;
        let mut only_home = true;
        for c in &self.contacts {
            if c.square == self.home
                && let Some(at) = c.to
            {
                last = if only_home { at } else { self.lifted };
            }
            only_home &= c.square == self.home;
        }
        last
    }

    /// Whether it left its square sooner after another piece had come down than a hand can have
    /// gripped it, or came to another square faster than a hand can have carried it. `grip`: the
    /// least time that a hand needs.
    pub(crate) fn was_hasty(&self, grip: Millis) -> bool {
        self.left_too_soon(grip) || self.slipped(grip)
    }

    /// Whether it was pushed from its square to where it stands, not moved by a hand: a piece of
    /// `mover`'s that left too soon, or one that slipped to a square beside its own.
    pub(crate) fn was_pushed(&self, grip: Millis, mover: Color) -> bool {
        let mut elsewhere = self.contacts.iter().filter(|c| c.square != self.home);
        let (Some(only), None) = (elsewhere.next(), elsewhere.next()) else {
            return false;
        };
        let beside = self.home.distance(only.square) == 1;
        let soon = self.left_too_soon(grip) && (beside || self.piece.color == mover);
        soon || (beside && self.slipped(grip))
    }

    /// Whether it was knocked off its square as another piece came down, or slipped to a square
    /// beside its own, was put back from there, and has stood at home since: nobody has touched it
    /// to move it (7.4.1).
    pub(crate) fn was_put_right(&self, grip: Millis) -> bool {
        let [away, home] = self.contacts.as_slice() else {
            return false;
        };
        let beside = self.home.distance(away.square) == 1;
        let pushed = self.left_too_soon(grip) || (beside && self.slipped(grip));
        pushed && home.square == self.home && home.to.is_none()
    }

    fn left_too_soon(&self, grip: Millis) -> bool {
        self.after_landing.is_some_and(|ms| ms < grip)
    }

    /// Whether it was in the air for less than `grip` before it stood elsewhere.
    fn slipped(&self, grip: Millis) -> bool {
        let first = self.contacts.first().filter(|c| c.square != self.home);
        first.is_some_and(|c| c.from >= self.lifted && c.from.since(self.lifted) < grip)
    }

    /// Whether it ever stood on a square other than its own.
    pub(crate) fn stood_elsewhere(&self) -> bool {
        self.contacts.iter().any(|c| c.square != self.home)
    }
}

/// A piece was lifted from the square it stood on when the turn began.
struct Lift {
    at: Time,
    /// Whether it came back there next, or is still in the air.
    back: bool,
    /// Which of the handled pieces.
    index: usize,
}

/// One turn's handling, pieces in the order in which they were first lifted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Handling {
    pub(crate) pieces: Vec<Handled>,
}

impl Handling {
    /// Every lift of a piece from its own square, by their time.
    fn lifts(&self) -> Vec<Lift> {
        let mut lifts = Vec::new();
        for (index, h) in self.pieces.iter().enumerate() {
            let mut lifted = Some(h.lifted);
            for c in &h.contacts {
                let at_home = c.square == h.home;
                if let Some(at) = lifted {
                    let back = at_home;
                    lifts.push(Lift { at, back, index });
                }
                lifted = if at_home { c.to } else { None };
            }
            if let Some(at) = lifted {
                let back = true;
                lifts.push(Lift { at, back, index });
            }
        }
        lifts.sort_by_key(|lift| lift.at);
        lifts
    }

    /// An announcement covers pieces that are lifted after it and put back; it ends at the first
    /// that is not. The opponent of the player having the move, `mover`, speaks for his own pieces.
    fn announce(&mut self, by: Color, at: Time, mover: Color) {
        for lift in self.lifts() {
            let h = &mut self.pieces[lift.index];
            if lift.at < at || (by != mover && by != h.piece.color) {
                continue;
            }
            if !lift.back {
                return;
            }
            h.covered.push(lift.at);
        }
    }

    /// The touches of the player that bind, in order. `when` tells at what time a piece counts as
    /// touched, if it does; of touches not more than `scan_window` milliseconds apart the order is
    /// unknown.
    pub(crate) fn touches(
        &self,
        scan_window: Millis,
        when: impl Fn(&Handled) -> Option<Time>,
    ) -> Vec<Touch> {
        let mut timed = Vec::new();
        for h in &self.pieces {
            if let Some(at) = when(h) {
                timed.push((at, h.home));
            }
        }
        timed.sort_by_key(|(at, _)| *at);
        let mut touches = Vec::with_capacity(timed.len());
        let (mut rank, mut first) = (0, None);
        for (at, square) in timed {
            let of_this_rank = *first.get_or_insert(at);
            if at.since(of_this_rank) > scan_window {
                rank += 1;
                first = Some(at);
            }
            touches.push(Touch { square, rank });
        }
        touches
    }

    /// How many pieces of `colour` were lifted.
    pub(crate) fn count(&self, colour: Color) -> usize {
        let own = self.pieces.iter().filter(|h| h.piece.color == colour);
        own.count()
    }

    /// Home squares of `player`'s pieces that were lifted and not put down again.
    pub(crate) fn held(&self, player: Color) -> Vec<Square> {
        let mut held = Vec::new();
        for h in &self.pieces {
            if h.piece.color == player && h.stands().is_none() {
                held.push(h.home);
            }
        }
        held
    }

    /// Whether a piece of `player` was lifted and not put down again.
    pub(crate) fn in_hand(&self, player: Color) -> bool {
        !self.held(player).is_empty()
    }

    /// Whether a piece of `player` is in the air, and none of his own has taken its place: what was
    /// taken off like that comes to no other square.
    pub(crate) fn moves_yet(&self, player: Color) -> bool {
        let covered = |home: &Square| {
            let mut own = self.pieces.iter().filter(|h| h.piece.color == player);
            own.any(|h| h.home != *home && h.stands().is_some_and(|c| c.square == *home))
        };
        !self.held(player).iter().all(covered)
    }

    /// The piece that stood on `home` when the turn began, if it was lifted.
    pub(crate) fn of(&self, home: Square) -> Option<&Handled> {
        self.pieces.iter().find(|h| h.home == home)
    }

    /// Where the piece stands now that stood on `home` when the turn began, if it was lifted and
    /// stands somewhere.
    pub(crate) fn now_on(&self, home: Square) -> Option<Square> {
        Some(self.of(home)?.stands()?.square)
    }
}
