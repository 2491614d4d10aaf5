//! Checks that are certain, and all that may answer them.
//!
//! Of each man it is known on which squares it may stand; where that is one, it stands there. So a
//! check is certain if its giver stands on one square, the king on another, and nobody can be
//! between them. Everything that might answer it is taken for an answer. If nothing might, the
//! check is mate.

use shakmaty::{Bitboard, Color, Role, Square, attacks};

use crate::changes::{self, Change};
use crate::reach::{Man, Reach, near};

/// A check that is certain.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Check {
    king: Square,
    by: usize,
    from: Square,
}

impl Check {
    /// A check to the king of `side`.
    pub(crate) fn to(side: Color, men: &Reach) -> Option<Check> {
        let (_, king) = king(men, side)?;
        let anybody = anybody(men);
        let gives = |(by, man): (usize, &Man)| {
            let from = man.squares.single_square()?;
            let hits = attacks::attacks(from, man.piece, anybody).contains(king);
            (man.piece.color != side && hits).then_some(Check { king, by, from })
        };
        men.men.iter().enumerate().find_map(gives)
    }

    /// All that may answer it, and perhaps more.
    pub(crate) fn answers(&self, men: &Reach) -> Vec<Change> {
        let side = !men.men[self.by].piece.color;
        let mut answers = self.flights(men, side);
        let between = attacks::between(self.from, self.king);
        for (number, man) in men.men.iter().enumerate() {
            if man.piece.color != side || man.is_king() {
                continue;
            }
            let attacked = man.attacks_from(man.squares, men.fixed);
            if attacked.contains(self.from) {
                answers.extend(changes::takes(men, number, self.by, self.from.into()));
            }
            if man.piece.role == Role::Pawn {
                let steps = changes::pawn_steps(men, number);
                answers.extend(steps.filter(|step| step.to.intersects(between)));
            } else if attacked.intersects(between) {
                answers.push(Change::new(men, number, None, attacked & between));
            }
        }
        answers
    }

    /// Where the king may step, and what he may take there.
    fn flights(&self, men: &Reach, side: Color) -> Vec<Change> {
        let Some((number, _)) = king(men, side) else {
            return Vec::new();
        };
        let sure = |colour: Color| {
            let own = men.men.iter().filter(move |man| man.piece.color == colour);
            own.filter_map(|man| Some((man.piece, man.squares.single_square()?)))
        };
        let through = anybody(men) & !Bitboard::from(self.king);
        let attacked = sure(!side).fold(Bitboard::EMPTY, |sum, (piece, square)| {
            sum | attacks::attacks(square, piece, through)
        });
        let own: Bitboard = sure(side).map(|(_, square)| square).collect();
        let to = near(self.king) & !attacked & !own;
        let taken: Bitboard = sure(!side).map(|(_, square)| square).collect();
        let mut flights = vec![Change::new(men, number, None, to & !taken)];
        for (prey, man) in men.men.iter().enumerate() {
            if man.piece.color != side && !man.is_king() {
                flights.push(Change::new(men, number, Some(prey), to & man.squares));
            }
        }
        flights.retain(|flight| flight.to.any());
        flights
    }

    /// Whether it surely is no mate: one of the men stands where he can take who gives check, and
    /// nothing can keep him from it.
    pub(crate) fn is_surely_answered(&self, men: &Reach) -> bool {
        let side = !men.men[self.by].piece.color;
        let enemies = |(number, man): &(usize, &Man)| man.piece.color != side && *number != self.by;
        let second = |(_, man): (usize, &Man)| man.attacks(men.fixed).contains(self.king);
        let mut others = men.men.iter().enumerate().filter(enemies);
        if others.any(second) {
            return false;
        }
        let anybody = anybody(men);
        let may_be_pinned = |square: Square| {
            let line = attacks::ray(self.king, square);
            let mut others = men.men.iter().enumerate().filter(enemies);
            others.any(|(_, man)| man.squares.intersects(line))
        };
        let takes = |man: &Man| {
            let stands = man.squares.single_square();
            stands.is_some_and(|square| {
                attacks::attacks(square, man.piece, anybody).contains(self.from)
                    && !may_be_pinned(square)
            })
        };
        let own = |man: &&Man| man.piece.color == side && !man.is_king();
        men.men.iter().filter(own).any(takes)
    }
}

/// Whether this move mates for certain.
pub(crate) fn mates(men: &Reach, change: &Change) -> bool {
    let man = &men.men[change.by];
    if man.is_king() || change.beyond || man.squares.more_than_one() {
        return false;
    }
    let after = Reach::still(change.apply(&men.men));
    Check::to(!man.piece.color, &after).is_some_and(|check| check.answers(&after).is_empty())
}

/// The king of a side and where he stands, if that is one square.
fn king(men: &Reach, side: Color) -> Option<(usize, Square)> {
    let mut kings = men.men.iter().enumerate();
    let (number, king) = kings.find(|(_, man)| man.piece.color == side && man.is_king())?;
    Some((number, king.squares.single_square()?))
}

/// Squares on which anybody may stand.
fn anybody(men: &Reach) -> Bitboard {
    men.men
        .iter()
        .fold(Bitboard::EMPTY, |sum, man| sum | man.squares)
}
