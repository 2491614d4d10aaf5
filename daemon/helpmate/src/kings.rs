//! How the kings may stand in a phase, and whose move it is.

use std::collections::BTreeSet;

use shakmaty::{Bitboard, Color, Role, Square, attacks};

use crate::blocked;
use crate::phases::Change;
use crate::reach::{Man, Reach, near};
use crate::sets;

/// One way in which the kings may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Way {
    pub(crate) white: Square,
    pub(crate) black: Square,
    pub(crate) turn: Color,
}

impl Way {
    fn king(&self, side: Color) -> Square {
        side.fold_wb(self.white, self.black)
    }

    /// The side to move has moved its king.
    fn after(&self, to: Square) -> Way {
        let (white, black) = self.turn.fold_wb((to, self.black), (self.white, to));
        Way { white, black, turn: !self.turn }
    }

    /// The side to move has moved something else.
    fn passed(&self) -> Way {
        Way { turn: !self.turn, ..*self }
    }
}

/// Ways in which the kings may stand. With each stands whether the move before may have given check
/// otherwise than by a king's stepping out of a line.
#[derive(Clone, Debug, Default)]
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
    pub(crate) fn close(&mut self, phase: &Reach, changes: &[Change]) {
        let _ = changes;
        let mobile = Color::ALL.map(|side| {
            let own = |man: &&Man| man.piece.color == side && man.piece.role != Role::Pawn;
            phase.men.iter().filter(own).any(|man| man.squares.more_than_one())
        });
        let barred = Color::ALL.map(|side| phase.barred(side));
        let mut open: Vec<(Way, bool)> = self.ways.iter().copied().collect();
        while let Some((way, _)) = open.pop() {
            let side = usize::from(way.turn == Color::Black);
            if mobile[Color::ALL.iter().position(|c| *c == way.turn).unwrap_or(side)] {
                let next = way.passed();
                if self.add(next, true) {
                    open.push((next, true));
                }
            }
            let index = Color::ALL.iter().position(|c| *c == way.turn).unwrap_or(side);
            let from = way.king(way.turn);
            let to = near(from) & !near(way.king(!way.turn)) & !phase.fixed & !barred[index];
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
        let mut ways = self.ways.iter().filter(|(way, _)| way.turn != winner);
        ways.any(|(way, by_man)| {
            let loser = way.king(!winner);
            (*by_man || self.may_be_uncovered(phase, way, loser))
                && blocked::may_be_mate_by(phase, winner, loser, way.king(winner).into())
        })
    }

    /// Whether the king's move that led to this way may have opened a line to the other king.
    /// Before it, that king was not in check: it was not his move.
    fn may_be_uncovered(&self, phase: &Reach, way: &Way, king: Square) -> bool {
        let lines = attacks::queen_attacks(king, phase.fixed);
        let all = (*way, Square::A1)..=(*way, Square::H8);
        self.left.range(all).any(|(_, left)| lines.contains(*left))
    }

    /// After any man of `side` but its king has moved.
    pub(crate) fn after_move_of(&self, side: Color) -> Kings {
        let ways = self.ways.iter().filter(|(way, _)| way.turn == side);
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
        for (way, _) in self.ways.iter().filter(|(way, _)| way.turn == side) {
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
