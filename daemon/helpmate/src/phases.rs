//! Proofs for positions in which much can move, but little can change.
//!
//! Between two captures or pawn moves, men go to and fro; that is a phase. Of a phase it is told
//! how the kings may stand, and whose move it is; and for each other man, on which squares it may
//! stand, whatever the others do. So the phases to come are few, where the positions are millions.
//! If no mate is possible in a phase, nor in any that a capture or a pawn's move leads to from it,
//! there is none.

use std::collections::BTreeSet;

use shakmaty::{Bitboard, Chess, Color, Piece, Position, Role, Square};

use crate::kings::{Kings, Way};
use crate::reach::{self, Man, Reach};
use crate::{blocked, sets};

/// Phases that are looked at.
const PHASES: usize = 300;

/// Whether `winner` can never mate, proven by phases. What is not proven may be so all the same.
pub(crate) fn is_unwinnable(pos: &Chess, winner: Color) -> bool {
    if pos.castles().any() || pos.legal_ep_square().is_some() {
        return false;
    }
    let mut proof = Proof {
        winner,
        left: PHASES,
        seen: BTreeSet::new(),
    };
    let men = reach::men(pos)
        .into_iter()
        .filter(|man| !man.is_king())
        .collect();
    let mut kings = Kings::default();
    if let (Some(white), Some(black)) = (
        pos.board().king_of(Color::White),
        pos.board().king_of(Color::Black),
    ) {
        // It is no mate, and so it may be taken for the outcome of a king's move.
        kings.add(
            Way {
                white,
                black,
                white_to_move: pos.turn() == Color::White,
            },
            false,
        );
    }
    proof.is_dead(men, kings)
}

struct Proof {
    winner: Color,
    left: usize,
    /// What phases began with that have been looked at. One of them that is not dead ends the
    /// proof, so whoever comes to one of them again need not look again.
    seen: BTreeSet<(Vec<(char, u64)>, Kings)>,
}

/// A capture or a pawn's move, of a man that is no king.
struct Change {
    by: usize,
    taken: Option<usize>,
    to: Bitboard,
    /// A promotion, or a double step of a pawn that may be taken in passing: what follows from
    /// either is not looked into.
    beyond: bool,
}

impl Change {
    fn of_pawn(by: usize, taken: Option<usize>, to: Square) -> Change {
        let beyond = Bitboard::BACKRANKS.contains(to);
        let to = to.into();
        Change {
            by,
            taken,
            to,
            beyond,
        }
    }
}

impl Proof {
    /// Whether no mate follows from any position in which the kings stand in one of these ways and
    /// the other men on such squares. Sound, since the squares of a phase are closed: without a
    /// capture or a pawn's move no man leaves its own.
    fn is_dead(&mut self, men: Vec<Man>, mut kings: Kings) -> bool {
        let mut stands: Vec<(char, u64)> = men
            .iter()
            .map(|man| (man.piece.char(), man.squares.0))
            .collect();
        stands.sort_unstable();
        if !self.seen.insert((stands, kings.clone())) {
            return true;
        }
        let Some(left) = self.left.checked_sub(1) else {
            return false;
        };
        self.left = left;
        let all = with_kings(&men, &kings);
        if blocked::mate_squares(&Reach::of(all.clone()), self.winner).is_empty() {
            return true;
        }
        let mut phase = Reach::quiet(all);
        phase.men.truncate(men.len());
        let changes = changes(&phase);
        kings.close(&phase);
        if kings.may_be_mate(&phase, self.winner) {
            return false;
        }
        let by_men = changes.iter().all(|change| {
            !change.beyond && {
                let side = phase.men[change.by].piece.color;
                let after = kings.after_move_of(side);
                after.is_empty() || self.is_dead(apply(&phase, change), after)
            }
        });
        by_men && self.are_captures_of_kings_dead(&phase, &kings)
    }

    fn are_captures_of_kings_dead(&mut self, phase: &Reach, kings: &Kings) -> bool {
        for (taken, man) in phase.men.iter().enumerate() {
            let after = kings.after_taking(phase, man);
            if !after.is_empty() {
                let mut men = start(phase);
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

/// The men where they may stand at the end of a phase.
fn start(phase: &Reach) -> Vec<Man> {
    phase
        .men
        .iter()
        .map(|man| Man::new(man.piece, man.squares))
        .collect()
}

/// The captures and pawn's moves that a phase may end with. A pawn always stands on one square.
fn changes(phase: &Reach) -> Vec<Change> {
    let mut changes = Vec::new();
    for (by, man) in phase.men.iter().enumerate() {
        let pawn = man.piece.role == Role::Pawn;
        if pawn {
            changes.extend(pawn_steps(phase, by));
        }
        let attacked = if pawn {
            phase.prey(man)
        } else {
            phase.steps(by)
        };
        for (number, prey) in phase.men.iter().enumerate() {
            let to = attacked & prey.squares;
            if prey.piece.color == man.piece.color || to.is_empty() {
                continue;
            }
            let taken = Some(number);
            if pawn {
                changes.extend(to.into_iter().map(|to| Change::of_pawn(by, taken, to)));
            } else {
                let beyond = false;
                changes.push(Change {
                    by,
                    taken,
                    to,
                    beyond,
                });
            }
        }
    }
    changes
}

fn pawn_steps(phase: &Reach, by: usize) -> impl Iterator<Item = Change> {
    let man = &phase.men[by];
    let one = phase.ahead(man);
    // From its third rank, where a first step leads to.
    let third = man
        .piece
        .color
        .fold_wb(Bitboard(0xff << 16), Bitboard(0xff << 40));
    let two = phase.ahead(&Man::new(man.piece, one & third));
    let other = man.piece.role.of(!man.piece.color);
    let pawns = phase.men.iter().filter(|man| man.piece == other);
    let beside = pawns.fold(Bitboard::EMPTY, |sum, pawn| sum | sets::grown(pawn.squares));
    let one = one.into_iter().map(move |to| Change::of_pawn(by, None, to));
    let two = two.into_iter().map(move |to| Change {
        beyond: beside.contains(to),
        ..Change::of_pawn(by, None, to)
    });
    one.chain(two)
}

/// The men after a change.
fn apply(phase: &Reach, change: &Change) -> Vec<Man> {
    let mut men = start(phase);
    men[change.by] = Man::new(men[change.by].piece, change.to);
    if let Some(taken) = change.taken {
        men.remove(taken);
    }
    men
}
