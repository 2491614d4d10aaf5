//! Proofs for positions in which much can move, but little can change.
//!
//! Between two captures or pawn moves, men go to and fro; that is a phase. Of a phase it is told
//! how the kings may stand, and whose move it is; and for each other man, on which squares it may
//! stand, whatever the others do. So the phases to come are few, where the positions are millions.
//! If no mate is possible in a phase, nor in any that a capture or a pawn's move leads to from it,
//! there is none.

use std::collections::BTreeSet;

use shakmaty::{Chess, Color, Piece, Position, Role};

use crate::changes::{self, Change};
use crate::checks::{self, Check};
use crate::kings::{Kings, Way};
use crate::reach::{self, Man, Reach};
use crate::{blocked, guards};

/// The work that looking at a phase takes, in ways in which the kings may stand: each of those that
/// are looked at in it is one more. A million takes some 0.2 seconds.
const PHASE: usize = 100;
/// Phases that may follow from one another: more would need more stack than there is.
const DEPTH: usize = 128;

/// Whether `winner` can never mate, proven by phases with so much `work` at most. What is not
/// proven may be so all the same.
pub(crate) fn is_unwinnable(pos: &Chess, winner: Color, work: usize) -> bool {
    if pos.castles().any() || pos.legal_ep_square().is_some() {
        return false;
    }
    let mut proof = Proof {
        winner,
        left: work,
        depth: 0,
        seen: BTreeSet::new(),
    };
    let men = reach::men(pos)
        .into_iter()
        .filter(|man| !man.is_king())
        .collect();
    let board = pos.board();
    let (Some(white), Some(black)) = (board.king_of(Color::White), board.king_of(Color::Black))
    else {
        return false;
    };
    let white_to_move = pos.turn() == Color::White;
    let kings = Kings::of(Way {
        white,
        black,
        white_to_move,
    });
    proof.is_dead(men, kings)
}

struct Proof {
    winner: Color,
    left: usize,
    depth: usize,
    /// What phases began with that have been looked at. One of them that is not dead ends the
    /// proof, so whoever comes to one of them again need not look again.
    seen: BTreeSet<(Vec<(char, u64)>, Kings)>,
}

impl Proof {
    /// Whether no mate follows from any position in which the kings stand in one of these ways and
    /// the other men on such squares. Sound, since the squares of a phase are closed: without a
    /// capture or a pawn's move no man leaves its own.
    fn is_dead(&mut self, men: Vec<Man>, kings: Kings) -> bool {
        if men.iter().all(|man| man.piece.color != self.winner) {
            return true;
        }
        let mut stands: Vec<(char, u64)> = men
            .iter()
            .map(|man| (man.piece.char(), man.squares.0))
            .collect();
        stands.sort_unstable();
        if !self.seen.insert((stands, kings.clone())) {
            return true;
        }
        if self.depth == DEPTH || !self.spend(PHASE) {
            return false;
        }
        self.depth += 1;
        let dead = self.is_new_dead(&men, kings);
        self.depth -= 1;
        dead
    }

    /// Takes this much of the work that is left, if there is as much.
    fn spend(&mut self, work: usize) -> bool {
        let left = self.left.checked_sub(work);
        self.left = left.unwrap_or(0);
        left.is_some()
    }

    fn is_new_dead(&mut self, men: &[Man], mut kings: Kings) -> bool {
        let all = with_kings(men, &kings);
        if blocked::mate_squares(&Reach::of(all.clone()), self.winner).is_empty() {
            return true;
        }
        if let Some(way) = kings.only()
            && let state = Reach::still(all.clone())
            && let Some(check) = Check::to(way.turn(), &state)
        {
            return self.are_answers_dead(&state, &kings, way, &check);
        }
        let mut phase = Reach::quiet(all, |reach, by, to| {
            self.is_over_after(reach, &Change::new(reach, by, None, to.into()))
        });
        let mut changes = changes::changes(&phase);
        changes.retain(|change| !self.is_over_after(&phase, change));
        phase.men.truncate(men.len());
        kings.close(&phase);
        if !self.spend(kings.len()) || kings.may_be_mate(&phase, self.winner) {
            return false;
        }
        let by_men = changes.iter().all(|change| {
            let after = kings.after_move_of(phase.men[change.by].piece.color);
            after.is_empty() || self.is_dead_after(change, &phase.men, after)
        });
        by_men && self.are_captures_of_kings_dead(&phase, &kings)
    }

    /// Whether the winner is mated by this.
    fn is_over_after(&self, men: &Reach, change: &Change) -> bool {
        men.men[change.by].piece.color != self.winner && checks::mates(men, change)
    }

    fn is_dead_after(&mut self, change: &Change, men: &[Man], kings: Kings) -> bool {
        !change.beyond && self.is_dead(change.apply(men), kings)
    }

    /// The same as [`Self::is_dead`] of one way in which the kings stand: the side to move is in
    /// check, so that little else can be played than what answers it.
    fn are_answers_dead(&mut self, men: &Reach, kings: &Kings, way: Way, check: &Check) -> bool {
        let number_of_kings = 2;
        let mut state = men.clone();
        state.men.truncate(men.men.len() - number_of_kings);
        if !check.is_surely_answered(men) && kings.may_be_mate(&state, self.winner) {
            return false;
        }
        check.answers(men).iter().all(|answer| {
            if !men.men[answer.by].is_king() {
                let after = kings.after_move_of(way.turn());
                return self.is_dead_after(answer, &state.men, after);
            }
            let mut others = changes::still(&state.men);
            if let Some(taken) = answer.taken {
                others.remove(taken);
            }
            self.is_dead(others, Kings::after_steps(&way, answer.to))
        })
    }

    fn are_captures_of_kings_dead(&mut self, phase: &Reach, kings: &Kings) -> bool {
        for (taken, man) in phase.men.iter().enumerate() {
            let guarded = guards::always(phase, taken, kings.squares(man.piece.color));
            let after = kings.after_taking(phase, man, guarded);
            if !after.is_empty() {
                let mut men = changes::still(&phase.men);
                men.remove(taken);
                if !self.is_dead(men, after) {
                    return false;
                }
            }
        }
        true
    }
}

/// The men and, behind them, the kings.
fn with_kings(men: &[Man], kings: &Kings) -> Vec<Man> {
    let king = |color| {
        Man::new(
            Piece {
                color,
                role: Role::King,
            },
            kings.squares(color),
        )
    };
    men.iter().copied().chain(Color::ALL.map(king)).collect()
}
