//! Acts that the Laws do not allow, as steps of a hypothesis.

use alloc::vec::Vec;

use shakmaty::{Chess, Move, Position, Role, Square};

use crate::said::irregularity::{Code, Reason};
use crate::said::time::Time;
use crate::track::cost;
use crate::track::hypothesis::{Hypothesis, Step};

/// An illegal move as the picture shows it.
#[derive(Clone, Debug)]
pub(crate) struct Illegal {
    pub(crate) code: Code,
    pub(crate) reason: Option<Reason>,
    pub(crate) squares: Vec<Square>,
    /// The moves that bind its replacement; none when the player is free.
    pub(crate) required: Vec<Move>,
}

impl Illegal {
    /// One of which nothing is found: it is allowed to stand as it is.
    pub(crate) fn unjudged() -> Illegal {
        Illegal {
            code: Code::IllegalMove,
            reason: None,
            squares: Vec::new(),
            required: Vec::new(),
        }
    }
}

/// An illegal move that stands on the board by a hypothesis.
#[derive(Clone, Debug)]
pub(crate) struct Act {
    /// Which step it is, the first open one being 0.
    pub(crate) step: usize,
    pub(crate) from: Square,
    pub(crate) to: Square,
    /// The position that it left.
    pub(crate) after: Chess,
    /// What is found of it.
    pub(crate) illegal: Illegal,
    /// Whether that has been told.
    pub(crate) told: bool,
}

impl Act {
    /// The act in the words of a move: from where to where.
    fn as_move(&self, role: Role) -> Move {
        Move::Normal {
            role,
            from: self.from,
            capture: None,
            to: self.to,
            promotion: None,
        }
    }
}

impl Hypothesis {
    /// The hypothesis in which `act` was made too, with a piece of `role`.
    pub(crate) fn with_act(&self, act: Act, role: Role, made_at: Time) -> Hypothesis {
        let mut line = self.clone();
        let m = act.as_move(role);
        line.steps.push(Step { m, made_at });
        line.pos = act.after.clone();
        line.forget_legal();
        line.acts.push(act);
        line.cost += cost::ILLEGAL;
        line.since = made_at;
        line
    }

    /// The first act in it that the Laws do not allow.
    pub(crate) fn act(&self) -> Option<&Act> {
        self.acts.first()
    }

    /// Whether `other` has the same first act, after the same moves.
    pub(crate) fn has_same_act(&self, other: &Hypothesis) -> bool {
        let (Some(a), Some(b)) = (self.act(), other.act()) else {
            return false;
        };
        let before = self.steps.iter().zip(&other.steps).take(a.step);
        a.step == b.step
            && a.after.board() == b.after.board()
            && before.into_iter().all(|(a, b)| a.m == b.m)
    }

    /// Whether the same piece went to the same square in the first act of `other`, whatever else
    /// left the board with it.
    pub(crate) fn has_like_act(&self, other: &Hypothesis) -> bool {
        let (Some(a), Some(b)) = (self.act(), other.act()) else {
            return false;
        };
        let before = self.steps.iter().zip(&other.steps).take(a.step);
        (a.step, a.from, a.to) == (b.step, b.from, b.to)
            && before.into_iter().all(|(a, b)| a.m == b.m)
    }

    /// Whether its first step is such an act.
    pub(crate) fn begins_irregularly(&self) -> bool {
        self.acts.first().is_some_and(|act| act.step == 0)
    }

    /// How many steps were made after the first such act.
    pub(crate) fn answers(&self) -> usize {
        self.act().map_or(0, |act| self.steps.len() - act.step - 1)
    }

    /// Whether a legal move was made after such an act. One such act after the other is no answer:
    /// the pieces may be moved about, and nobody plays.
    pub(crate) fn is_answered(&self) -> bool {
        let first = self.act().map_or(self.steps.len(), |act| act.step);
        (first..self.steps.len()).any(|n| self.acts.iter().all(|act| act.step != n))
    }

    /// Whether the first such act was answered by another, and one of them takes more than one
    /// piece in a wrong way: that is rather one misreading than two offenders.
    pub(crate) fn is_rather_misread(&self) -> bool {
        let [first, second, ..] = self.acts.as_slice() else {
            return false;
        };
        let several = |act: &Act| {
            let reason = act.illegal.reason;
            matches!(reason, Some(Reason::TwoPiecesMoved | Reason::Other))
        };
        second.step == first.step + 1 && (several(first) || several(second))
    }

    /// Leaves out the first `n` steps, which every hypothesis shares.
    pub(crate) fn drop_steps(&mut self, n: usize) {
        self.steps.drain(..n);
        self.acts.retain(|act| act.step >= n);
        for act in &mut self.acts {
            act.step -= n;
        }
        self.parted.retain(|fork| fork.step >= n);
        for fork in &mut self.parted {
            fork.step -= n;
        }
    }

    /// Adds the steps before its first one.
    pub(crate) fn put_before(&mut self, earlier: &[Step]) {
        self.steps.splice(..0, earlier.iter().copied());
        for act in &mut self.acts {
            act.step += earlier.len();
        }
        for fork in &mut self.parted {
            fork.step += earlier.len();
        }
    }
}
