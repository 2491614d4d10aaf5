//! How the kings may stand in a phase, and whose move it is.

use std::collections::BTreeSet;

use shakmaty::{Bitboard, ByColor, Color, Role, Square, attacks};

use crate::blocked;
use crate::reach::{Man, Reach, near};

/// One way in which the kings may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Way {
    pub(crate) white: Square,
    pub(crate) black: Square,
    pub(crate) white_to_move: bool,
}

impl Way {
    fn king(&self, side: Color) -> Square {
        side.fold_wb(self.white, self.black)
    }

    fn turn(&self) -> Color {
        Color::from_white(self.white_to_move)
    }

    /// The side to move has moved its king.
    fn after(&self, to: Square) -> Way {
        let (white, black) = self.turn().fold_wb((to, self.black), (self.white, to));
        Way {
            white,
            black,
            ..self.passed()
        }
    }

    /// The side to move has moved something else.
    fn passed(&self) -> Way {
        Way {
            white_to_move: !self.white_to_move,
            ..*self
        }
    }
}

/// Ways in which the kings may stand. With each stands whether the move before may have given check
/// otherwise than by a king's stepping out of a line.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Kings {
    ways: BTreeSet<(Way, bool)>,
    /// Squares that a king has left, with the way after it.
    left: BTreeSet<(Way, Square)>,
}

impl Kings {
    pub(crate) fn is_empty(&self) -> bool {
        self.ways.is_empty()
    }

    pub(crate) fn add(&mut self, way: Way, by_man: bool) -> bool {
        self.ways.insert((way, by_man))
    }

    pub(crate) fn squares(&self, side: Color) -> Bitboard {
        self.ways.iter().map(|(way, _)| way.king(side)).collect()
    }

    /// Adds all that kings and others may do without a capture or a pawn's move. `phase` has the
    /// other men, and all squares that they may come to.
    pub(crate) fn close(&mut self, phase: &Reach) {
        let mobile = ByColor::new_with(|side| {
            let own = |man: &&Man| man.piece.color == side && man.piece.role != Role::Pawn;
            phase
                .men
                .iter()
                .filter(own)
                .any(|man| man.squares.more_than_one())
        });
        let barred = ByColor::new_with(|side| phase.barred(side));
        let mut open: Vec<(Way, bool)> = self.ways.iter().copied().collect();
        while let Some((way, _)) = open.pop() {
            if *mobile.get(way.turn()) {
                let next = way.passed();
                if self.add(next, true) {
                    open.push((next, true));
                }
            }
            let from = way.king(way.turn());
            let to =
                near(from) & !near(way.king(!way.turn())) & !phase.fixed & !*barred.get(way.turn());
            for square in to {
                let next = way.after(square);
                self.left.insert((next, from));
                if self.add(next, false) {
                    open.push((next, false));
                }
            }
        }
    }

    /// Whether one of the ways may be a mate by `winner`.
    pub(crate) fn may_be_mate(&self, phase: &Reach, winner: Color) -> bool {
        let men = blocked::attacked_by_men(phase, winner);
        let mut ways = self.ways.iter().filter(|(way, _)| way.turn() != winner);
        ways.any(|(way, by_man)| {
            let loser = way.king(!winner);
            (*by_man || self.may_be_uncovered(phase, way, !winner))
                && blocked::may_be_mate_by(phase, winner, men, loser, way.king(winner).into())
        })
    }

    /// Whether the king's move that led to this way may have opened a line to the other king.
    /// Before it, that king was not in check: it was not his move.
    fn may_be_uncovered(&self, phase: &Reach, way: &Way, side: Color) -> bool {
        let (king, mover) = (way.king(side), way.king(!side));
        let closed = phase.fixed | Bitboard::from(mover);
        let has = |roles: [Role; 2]| {
            let men = &phase.men;
            men.iter()
                .any(|man| man.piece.color != side && roles.contains(&man.piece.role))
        };
        let mut lines = Bitboard::EMPTY;
        if has([Role::Bishop, Role::Queen]) {
            lines |= attacks::bishop_attacks(king, closed);
        }
        if has([Role::Rook, Role::Queen]) {
            lines |= attacks::rook_attacks(king, closed);
        }
        let all = (*way, Square::A1)..=(*way, Square::H8);
        self.left.range(all).any(|(_, left)| lines.contains(*left))
    }

    /// After any man of `side` but its king has moved.
    pub(crate) fn after_move_of(&self, side: Color) -> Kings {
        let ways = self.ways.iter().filter(|(way, _)| way.turn() == side);
        Kings {
            ways: ways.map(|(way, _)| (way.passed(), true)).collect(),
            left: BTreeSet::new(),
        }
    }

    /// After a king has taken this man.
    pub(crate) fn after_taking(&self, phase: &Reach, man: &Man) -> Kings {
        let side = !man.piece.color;
        let barred = phase.barred(side);
        let mut after = Kings::default();
        for (way, _) in self.ways.iter().filter(|(way, _)| way.turn() == side) {
            let from = way.king(side);
            let to = near(from) & man.squares & !near(way.king(!side)) & !barred;
            for square in to {
                let next = way.after(square);
                after.add(next, false);
                after.left.insert((next, from));
            }
        }
        after
    }
}
