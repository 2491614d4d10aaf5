//! One hypothesis: a line of moves from the last committed ply to a position, what had to be
//! assumed for it, and what the board as it reads costs it.

mod act;
mod residual;

use alloc::vec::Vec;
use core::cell::{Cell, OnceCell};

use shakmaty::{Bitboard, Chess, Move, Position};

use crate::chess::moves::{arrival, sort_moves, unsorted_moves};
use crate::said::time::Time;
use crate::sense::contacts::Contacts;
use crate::sense::trust::{Trust, Unsettled};
use crate::track::beam::Fork;
use crate::track::evidence::{PlyEvidence, Since};
use crate::track::fit::MoveFit;
use crate::track::look::Look;

pub(crate) use act::{Act, Illegal};

/// Ways given up that a hypothesis remembers.
const MOST_PARTED: usize = 32;

/// A ply of a hypothesis.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Step {
    pub(crate) m: Move,
    /// When the last of its squares took its place.
    pub(crate) made_at: Time,
}

/// One way to explain the evidence.
#[derive(Clone, Debug)]
pub(crate) struct Hypothesis {
    /// Plies since the last committed one.
    pub(crate) steps: Vec<Step>,
    /// The position they lead to.
    pub(crate) pos: Chess,
    /// The legal moves there in no order, and sorted, once somebody has asked: most hypotheses die
    /// before.
    moves: OnceCell<Vec<Move>>,
    sorted: OnceCell<Vec<Move>>,
    /// Squares of which it has been asked whether what stands there can be captured, and those of
    /// them where it can.
    capturable: Cell<(Bitboard, Bitboard)>,
    /// What the steps rest on: the cost so far.
    pub(crate) cost: i32,
    /// The cost so far when its ply began: what the next ply rests on is counted from here.
    pub(crate) cost_before: i32,
    /// When the position was reached: touches after this belong to the next ply.
    pub(crate) since: Time,
    /// Squares the player to move handled before that.
    pub(crate) early: Bitboard,
    /// Squares of a move of his that he made before the position was reached, without having the
    /// move.
    ahead: Bitboard,
    /// Squares whose reading is wrong by assumption until they are read again.
    pub(crate) misread: Bitboard,
    /// Which of them come to read right soon, the last move's piece being read late.
    awaited: Bitboard,
    /// Those that have, and when: that reading was of a move made before, and no touch since.
    read_late: (Bitboard, Time),
    /// Which of the steps are acts that the Laws do not allow, in their order.
    pub(crate) acts: Vec<Act>,
    /// Its plies that were another move in a hypothesis as good which led to the same position, and
    /// was given up for that.
    parted: Vec<Fork>,
}

impl Hypothesis {
    pub(crate) fn new(pos: Chess, since: Time) -> Hypothesis {
        Hypothesis {
            steps: Vec::new(),
            pos,
            moves: OnceCell::new(),
            sorted: OnceCell::new(),
            capturable: Cell::default(),
            cost: 0,
            cost_before: 0,
            since,
            early: Bitboard::EMPTY,
            ahead: Bitboard::EMPTY,
            misread: Bitboard::EMPTY,
            awaited: Bitboard::EMPTY,
            read_late: Default::default(),
            acts: Vec::new(),
            parted: Vec::new(),
        }
    }

    /// The legal moves of its position, sorted.
    pub(crate) fn legal(&self) -> &[Move] {
        self.sorted.get_or_init(|| {
            let mut moves = self.moves().to_vec();
            sort_moves(&mut moves, self.pos.turn());
            moves
        })
    }

    /// The same in no order, which takes less time.
    pub(crate) fn moves(&self) -> &[Move] {
        self.moves.get_or_init(|| unsorted_moves(&self.pos))
    }

    /// Its position is another one, which reads the same.
    pub(crate) fn stand_in(&mut self, pos: Chess) {
        self.pos = pos;
        self.forget_legal();
    }

    /// Its position has been set: other moves are legal there.
    pub(crate) fn forget_legal(&mut self) {
        self.moves.take();
        self.sorted.take();
        self.capturable.take();
    }

    /// Squares that read otherwise than this hypothesis says.
    pub(crate) fn wrong(&self, contacts: &Contacts) -> Bitboard {
        contacts.planes().differ(self.pos.board()) & !self.misread
    }

    /// `squares` were read again at `now`: they are taken at their word.
    pub(crate) fn take_as_read(&mut self, squares: Bitboard, now: Time) {
        let late = self.awaited & squares;
        if late.any() {
            self.awaited &= !late;
            self.read_late = (late, now);
        }
        self.misread &= !squares;
    }

    /// Squares touched since the position was reached.
    pub(crate) fn touched(&self, contacts: &Contacts) -> Bitboard {
        contacts.touched_since(self.since) & !self.only_read_late(contacts) | self.early
    }

    /// Squares at which nothing was seen since the position was reached but that the reading of an
    /// earlier move came late.
    fn only_read_late(&self, contacts: &Contacts) -> Bitboard {
        let (mut late, at) = self.read_late;
        for sq in late {
            late.set(sq, contacts.since(sq) <= at + contacts.minimum_contact());
        }
        late
    }

    /// The hypothesis in which `m` was made too.
    pub(crate) fn after(&self, m: Move, fit: MoveFit) -> Hypothesis {
        let mut steps = Vec::with_capacity(self.steps.len() + 1);
        steps.extend_from_slice(&self.steps);
        steps.push(Step {
            m,
            made_at: fit.made_at,
        });
        Hypothesis {
            steps,
            moves: OnceCell::new(),
            sorted: OnceCell::new(),
            capturable: Cell::default(),
            pos: fit.after,
            cost: self.cost + fit.cost,
            cost_before: self.cost_before,
            // What stood before the move that it answers was reached with that.
            since: fit.made_at.max(self.since),
            early: fit.early,
            ahead: fit.ahead,
            misread: fit.misread,
            awaited: self.awaited | fit.awaited,
            read_late: self.read_late,
            acts: self.acts.clone(),
            parted: self.parted.clone(),
        }
    }

    /// Its plies that may as well have been another move, for all that will ever be known.
    pub(crate) fn parted(&self) -> &[Fork] {
        &self.parted
    }

    /// Another way to the same position is given up, from which it differs so.
    pub(crate) fn part(&mut self, forks: &[Fork]) {
        for fork in forks {
            if self.parted.len() < MOST_PARTED && !self.parted.contains(fork) {
                self.parted.push(*fork);
            }
        }
    }

    /// Becomes `new`, another way to the same position.
    pub(crate) fn renew(&mut self, new: Hypothesis) {
        *self = Hypothesis {
            moves: core::mem::take(&mut self.moves),
            sorted: core::mem::take(&mut self.sorted),
            capturable: Cell::new(self.capturable.take()),
            ..new
        };
    }

    /// What is known of its next ply.
    pub(crate) fn evidence<'a>(
        &self,
        contacts: &'a Contacts,
        look: &'a Look<'a>,
        unsettled: Unsettled,
        since: Since,
    ) -> PlyEvidence<'a> {
        let suspect = if look.doubts_suspect() {
            contacts.suspect()
        } else {
            Bitboard::EMPTY
        };
        let trust = Trust {
            suspect,
            misread: self.misread,
            unsettled,
        };
        let since = since.without(self.only_read_late(contacts));
        let mut ev = PlyEvidence::new(&self.pos, contacts, look, since, self.early, trust);
        ev.ahead = self.ahead;
        ev.arrived = self.steps.last().map(|step| arrival(step.m));
        ev
    }

    /// Whether two hypotheses stand in the same position after as many plies.
    pub(crate) fn is_twin(&self, other: &Hypothesis) -> bool {
        self.steps.len() == other.steps.len() && self.pos == other.pos
    }

    /// Steps and present difference together.
    pub(crate) fn total(&self, contacts: &Contacts, now: Time, at_press: bool) -> i32 {
        self.cost + self.residual(contacts, now, at_press)
    }
}
