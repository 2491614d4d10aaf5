//! How the kings may stand in a phase, and whose move it is.

use std::collections::BTreeMap;

use shakmaty::{Bitboard, ByColor, Color, Role, Square, attacks};

use crate::blocked;
use crate::reach::{Man, Reach, near};

/// How many ways there are.
const WAYS: usize = 2 * 64 * 64;

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

    pub(crate) fn turn(&self) -> Color {
        Color::from_white(self.white_to_move)
    }

    /// A number of its own, in the order of ways.
    fn number(&self) -> usize {
        (usize::from(self.white) * 64 + usize::from(self.black)) * 2
            + usize::from(self.white_to_move)
    }

    fn numbered(number: usize) -> Way {
        let square = |n: usize| Square::new(n as u32 & 63);
        Way {
            white: square(number >> 7),
            black: square(number >> 1),
            white_to_move: number & 1 == 1,
        }
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

/// How the last move may have led to a way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Last {
    /// It may have been another man's than the king's.
    by_man: bool,
    /// Squares that a king may have left with it.
    left: Bitboard,
}

/// Ways in which the kings may stand, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Kings {
    ways: Vec<(Way, Last)>,
}

impl Kings {
    /// As they stand in a position that is no mate: so it may be taken for the outcome of a king's
    /// move.
    pub(crate) fn of(way: Way) -> Kings {
        Kings {
            ways: vec![(way, Last::default())],
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.ways.is_empty()
    }

    /// How many ways there are.
    pub(crate) fn len(&self) -> usize {
        self.ways.len()
    }

    /// How they stand, if there is only one way.
    pub(crate) fn only(&self) -> Option<Way> {
        match self.ways[..] {
            [(way, _)] => Some(way),
            _ => None,
        }
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
        let shut = ByColor::new_with(|side| phase.barred(side) | phase.fixed);
        let mut found: Vec<Option<Last>> = vec![None; WAYS];
        for (way, last) in &self.ways {
            found[way.number()] = Some(*last);
        }
        let mut open: Vec<Way> = self.ways.iter().map(|(way, _)| *way).collect();
        self.ways.clear();
        while let Some(way) = open.pop() {
            let mut reach = |next: Way, by_man: bool, left: Option<Square>| {
                let found = &mut found[next.number()];
                if found.is_none() {
                    open.push(next);
                }
                let last = found.get_or_insert_default();
                last.by_man |= by_man;
                last.left |= left.map_or(Bitboard::EMPTY, Bitboard::from);
            };
            if *mobile.get(way.turn()) {
                reach(way.passed(), true, None);
            }
            let from = way.king(way.turn());
            let to = near(from) & !near(way.king(!way.turn())) & !*shut.get(way.turn());
            for square in to {
                reach(way.after(square), false, Some(from));
            }
        }
        let ways = found.into_iter().enumerate();
        self.ways = ways
            .filter_map(|(number, last)| Some((Way::numbered(number), last?)))
            .collect();
    }

    /// Whether one of the ways may be a mate by `winner`.
    pub(crate) fn may_be_mate(&self, phase: &Reach, winner: Color) -> bool {
        let men = blocked::attacked_by_men(phase, winner);
        let mut ways = self.ways.iter().filter(|(way, _)| way.turn() != winner);
        ways.any(|(way, last)| {
            let loser = way.king(!winner);
            (last.by_man || may_be_uncovered(phase, way, last.left))
                && blocked::may_be_mate_by(phase, winner, men, loser, way.king(winner).into())
        })
    }

    /// After a king has taken this man, on any of its squares but those where it is `guarded`.
    pub(crate) fn after_taking(&self, phase: &Reach, man: &Man, guarded: Bitboard) -> Kings {
        let side = !man.piece.color;
        let taken = man.squares & !guarded & !phase.barred(side);
        let mut after = BTreeMap::new();
        for (way, _) in self.ways.iter().filter(|(way, _)| way.turn() == side) {
            let to = near(way.king(side)) & taken & !near(way.king(!side));
            add_steps(&mut after, way, to);
        }
        Kings {
            ways: after.into_iter().collect(),
        }
    }

    /// After the king whose move it is has stepped to one of these squares.
    pub(crate) fn after_steps(way: &Way, to: Bitboard) -> Kings {
        let mut after = BTreeMap::new();
        add_steps(&mut after, way, to);
        Kings {
            ways: after.into_iter().collect(),
        }
    }

    /// After any man of `side` but its king has moved.
    pub(crate) fn after_move_of(&self, side: Color) -> Kings {
        let ways = self.ways.iter().filter(|(way, _)| way.turn() == side);
        let last = Last {
            by_man: true,
            left: Bitboard::EMPTY,
        };
        Kings {
            ways: ways.map(|(way, _)| (way.passed(), last)).collect(),
        }
    }
}

fn add_steps(ways: &mut BTreeMap<Way, Last>, way: &Way, to: Bitboard) {
    for square in to {
        let last = ways.entry(way.after(square)).or_default();
        last.left.add(way.king(way.turn()));
    }
}

/// Whether the king's move that led to this way may have opened a line to the other king, from one
/// of the squares that it may have `left`. Before it, that king was not in check: it was not his
/// move.
fn may_be_uncovered(phase: &Reach, way: &Way, left: Bitboard) -> bool {
    let side = way.turn();
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
    lines.intersects(left)
}
