//! The legal move whose end position looks like the board; with or without a look at what was left
//! since the last move.

use arbiter_core::shakmaty::{Bitboard, Board, Chess, Color, Move, Position, Square};
use arbiter_core::{SensorClass, Symbol};

use super::evidence::Step;
use super::{is_likely, victim};

/// After so many presses (without a clock: rests) that nothing explains, a program of this kind
/// needs its user.
const PATIENCE: u32 = 10;

/// What the sensors show.
struct Picture {
    class: SensorClass,
    full: Bitboard,
    light: Bitboard,
    board: Board,
}

impl Picture {
    fn new(class: SensorClass, board: &Board) -> Picture {
        Picture {
            class,
            full: board.occupied(),
            light: board.white(),
            board: board.clone(),
        }
    }

    fn change(&mut self, square: Square, seen: Symbol) {
        self.full.set(square, seen != Symbol::Empty);
        self.light.set(square, seen.colour() == Some(Color::White));
        match seen {
            Symbol::Piece(piece) => self.board.set_piece_at(square, piece),
            _ => self.board.discard_piece_at(square),
        }
    }

    fn shows(&self, board: &Board) -> bool {
        let squares = board.occupied() == self.full;
        squares
            && match self.class {
                SensorClass::Occupancy => true,
                SensorClass::Colour => board.white() == self.light,
                SensorClass::Piece => *board == self.board,
            }
    }
}

struct Reader {
    picture: Picture,
    position: Chess,
    moves: Vec<Move>,
    /// Squares left since the last move, in order; `None` where nobody looks.
    left: Option<Vec<Square>>,
    /// Presses or rests that nothing explained.
    puzzled: u32,
}

/// What is read from `steps`.
pub(super) fn read(
    start: &Chess,
    class: SensorClass,
    clock: bool,
    looks_at_lifts: bool,
    steps: &[Step],
) -> Vec<Move> {
    let picture = Picture::new(class, start.board());
    let left = looks_at_lifts.then(Vec::new);
    let mut reader = Reader {
        picture,
        position: start.clone(),
        moves: Vec::new(),
        left,
        puzzled: 0,
    };
    for step in steps {
        match *step {
            Step::Change(square, seen) => reader.change(square, seen),
            Step::Press => reader.decide(clock),
            // With a clock a rest means something only where a press was not understood.
            Step::Rest if !clock || reader.puzzled > 0 => reader.decide(!clock),
            Step::Rest => {}
        }
        if reader.puzzled > PATIENCE {
            break;
        }
    }
    reader.moves
}

impl Reader {
    fn change(&mut self, square: Square, seen: Symbol) {
        self.picture.change(square, seen);
        if let Some(left) = &mut self.left
            && !left.contains(&square)
        {
            left.push(square);
        }
    }

    /// A moment at which a move should have been made. `due`: one has, if nobody is mistaken.
    fn decide(&mut self, due: bool) {
        if self.picture.shows(self.position.board()) {
            return;
        }
        if let Some(mv) = self.one() {
            self.play(mv);
            self.puzzled = 0;
        } else if self.puzzled > 0
            && let Some((first, second)) = self.two()
        {
            self.play(first);
            self.play(second);
            self.puzzled = 0;
        } else {
            self.puzzled += u32::from(due);
        }
    }

    fn one(&self) -> Option<Move> {
        let legal = self.position.legal_moves();
        let fits = legal
            .iter()
            .filter(|mv| self.picture.shows(after(&self.position, **mv).board()));
        fits.copied().min_by_key(|mv| self.rank(*mv))
    }

    fn two(&self) -> Option<(Move, Move)> {
        let mut best: Option<(_, Move, Move)> = None;
        for first in self.position.legal_moves() {
            let then = after(&self.position, first);
            for second in then.legal_moves() {
                let rank = (self.rank(first), self.rank(second));
                let better = best.as_ref().is_none_or(|(known, ..)| rank < *known);
                if better && self.picture.shows(after(&then, second).board()) {
                    best = Some((rank, first, second));
                }
            }
        }
        best.map(|(_, first, second)| (first, second))
    }

    /// How well a move agrees with what was left: smaller is better.
    fn rank(&self, mv: Move) -> (bool, bool, usize) {
        let Some(left) = &self.left else {
            return (!is_likely(mv), false, 0);
        };
        let order = mv
            .from()
            .and_then(|from| left.iter().position(|sq| *sq == from));
        let untaken = victim(mv).is_some_and(|square| !left.contains(&square));
        (!is_likely(mv), untaken, order.unwrap_or(left.len()))
    }

    fn play(&mut self, mv: Move) {
        if let Some(left) = &mut self.left {
            // What the reply has begun with stays.
            let used = [mv.from(), Some(mv.to()), victim(mv)];
            left.retain(|square| {
                !used.contains(&Some(*square)) && !self.picture.full.contains(*square)
            });
        }
        self.position.play_unchecked(mv);
        self.moves.push(mv);
    }
}

fn after(position: &Chess, mv: Move) -> Chess {
    let mut after = position.clone();
    after.play_unchecked(mv);
    after
}

#[cfg(test)]
mod tests {
    use arbiter_core::shakmaty::{Piece, Role};

    use super::*;

    /// exd5 or cxd5, with the victim's square never empty for long: only the squares left tell them
    /// apart from exf5.
    #[test]
    fn squares_left_tell_captures_apart_that_look_the_same() {
        let fen: arbiter_core::shakmaty::fen::Fen =
            "4k3/8/8/3p1p2/4P3/8/8/4K3 w - -".parse().unwrap();
        let start: Chess = fen
            .into_position(arbiter_core::shakmaty::CastlingMode::Standard)
            .unwrap();
        let something = Symbol::Something;
        let steps = [
            Step::Change(Square::E4, Symbol::Empty),
            Step::Change(Square::F5, Symbol::Empty),
            Step::Change(Square::F5, something),
            Step::Press,
        ];
        let lifts = read(&start, SensorClass::Occupancy, true, true, &steps);
        assert_eq!(
            lifts.iter().map(|mv| mv.to()).collect::<Vec<_>>(),
            [Square::F5]
        );
        assert_eq!(
            read(&start, SensorClass::Occupancy, true, false, &steps).len(),
            1
        );
    }

    #[test]
    fn two_half_moves_are_found_when_the_first_press_came_too_early() {
        let step = |from, to, piece: Piece| {
            [
                Step::Change(from, Symbol::Empty),
                Step::Change(to, Symbol::Piece(piece)),
            ]
        };
        let mut steps = vec![Step::Change(Square::E2, Symbol::Empty), Step::Press];
        steps.push(Step::Change(
            Square::E4,
            Symbol::Piece(Role::Pawn.of(Color::White)),
        ));
        steps.extend(step(Square::E7, Square::E5, Role::Pawn.of(Color::Black)));
        steps.push(Step::Press);
        assert_eq!(
            read(&Chess::default(), SensorClass::Piece, true, false, &steps).len(),
            2
        );
    }
}
