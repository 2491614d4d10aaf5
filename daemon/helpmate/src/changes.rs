//! What ends a phase: captures and pawns' moves.

use shakmaty::{Bitboard, Role, Square};

use crate::reach::{Man, Reach};
use crate::sets;

/// A move of a man, by numbers of men: mostly a capture or a pawn's move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    pub(crate) by: usize,
    pub(crate) taken: Option<usize>,
    pub(crate) to: Bitboard,
    /// What the man is from now on.
    pub(crate) role: Role,
    /// A double step of a pawn that may be taken in passing: what follows from that is not looked
    /// into.
    pub(crate) beyond: bool,
}

impl Change {
    pub(crate) fn new(of: &Reach, by: usize, taken: Option<usize>, to: Bitboard) -> Change {
        let role = of.men[by].piece.role;
        Change {
            by,
            taken,
            to,
            role,
            beyond: false,
        }
    }

    /// A pawn's move, to as many outcomes as there are.
    fn of_pawn(
        of: &Reach,
        by: usize,
        taken: Option<usize>,
        to: Square,
    ) -> impl Iterator<Item = Change> {
        let change = Change::new(of, by, taken, to.into());
        let roles: &[Role] = if Bitboard::BACKRANKS.contains(to) {
            &[Role::Queen, Role::Rook, Role::Bishop, Role::Knight]
        } else {
            &[Role::Pawn]
        };
        roles.iter().map(move |role| Change {
            role: *role,
            ..change
        })
    }

    /// The men after it.
    pub(crate) fn apply(&self, to: &[Man]) -> Vec<Man> {
        let mut men = still(to);
        men[self.by] = Man::new(self.role.of(men[self.by].piece.color), self.to);
        if let Some(taken) = self.taken {
            men.remove(taken);
        }
        men
    }
}

/// The men where they may stand now.
pub(crate) fn still(men: &[Man]) -> Vec<Man> {
    let still = |man: &Man| Man::new(man.piece, man.squares);
    men.iter().map(still).collect()
}

/// The captures and pawn's moves that a phase may end with, kings' left out. A pawn always stands
/// on one square.
pub(crate) fn changes(phase: &Reach) -> Vec<Change> {
    let mut changes = Vec::new();
    for (by, man) in phase.men.iter().enumerate() {
        if man.is_king() {
            continue;
        }
        let pawn = man.piece.role == Role::Pawn;
        let attacked = if pawn {
            changes.extend(pawn_steps(phase, by));
            phase.prey(man)
        } else {
            phase.steps(by)
        };
        for (number, prey) in phase.men.iter().enumerate() {
            let to = attacked & prey.squares;
            if prey.piece.color == man.piece.color || prey.is_king() || to.is_empty() {
                continue;
            }
            changes.extend(takes(phase, by, number, to));
        }
    }
    changes
}

/// The ways in which one man takes another on one of these squares.
pub(crate) fn takes(phase: &Reach, by: usize, taken: usize, to: Bitboard) -> Vec<Change> {
    if phase.men[by].piece.role == Role::Pawn {
        let squares = to.into_iter();
        squares
            .flat_map(|to| Change::of_pawn(phase, by, Some(taken), to))
            .collect()
    } else {
        vec![Change::new(phase, by, Some(taken), to)]
    }
}

/// Where a pawn steps.
pub(crate) fn pawn_steps(phase: &Reach, by: usize) -> impl Iterator<Item = Change> {
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
    let one = one
        .into_iter()
        .flat_map(move |to| Change::of_pawn(phase, by, None, to));
    let two = two.into_iter().map(move |to| Change {
        beyond: beside.contains(to),
        ..Change::new(phase, by, None, to.into())
    });
    one.chain(two)
}
