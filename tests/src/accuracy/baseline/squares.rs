//! The first square left and the next one filled are a move.

use arbiter_core::shakmaty::{Chess, Move, Position, Role, Square};
use arbiter_core::{SensorClass, Symbol};

use super::evidence::Step;
use super::{landing, victim};

struct Reader {
    class: SensorClass,
    position: Chess,
    moves: Vec<Move>,
    reading: [Symbol; 64],
    /// Squares left and not yet filled again, in order.
    left: Vec<Square>,
    /// Squares filled by a piece that nobody has seen leave its own.
    filled: Vec<(Square, Symbol)>,
    /// Changes that the last move still owes: the rook of castling, the victim of en passant.
    owed: Vec<(Square, bool)>,
}

/// What is read from `steps`.
pub(super) fn read(start: &Chess, class: SensorClass, steps: &[Step]) -> Vec<Move> {
    let reading =
        std::array::from_fn(|n| class.sees(start.board().piece_at(Square::new(n as u32))));
    let mut reader = Reader {
        class,
        position: start.clone(),
        moves: Vec::new(),
        reading,
        left: Vec::new(),
        filled: Vec::new(),
        owed: Vec::new(),
    };
    for step in steps {
        if let Step::Change(square, seen) = *step {
            reader.change(square, seen);
        }
    }
    reader.moves
}

impl Reader {
    fn change(&mut self, square: Square, seen: Symbol) {
        let was = std::mem::replace(&mut self.reading[usize::from(square)], seen);
        if was == seen {
            return;
        }
        if was != Symbol::Empty {
            self.leave(square);
        }
        if seen != Symbol::Empty {
            self.fill(square, seen);
        }
    }

    fn leave(&mut self, square: Square) {
        if self.is_owed(square, false) {
            return;
        }
        self.filled.retain(|(sq, _)| *sq != square);
        self.left.push(square);
        // A scan may see the new square before the old one.
        if let Some((to, seen)) = self.filled.last().copied() {
            self.try_to(to, seen);
        }
    }

    fn fill(&mut self, square: Square, seen: Symbol) {
        if self.is_owed(square, true) {
            return;
        }
        let stood = self.class.sees(self.position.board().piece_at(square));
        let put_back = self
            .left
            .iter()
            .position(|sq| *sq == square)
            .filter(|_| stood == seen);
        if self.try_to(square, seen) {
            return;
        }
        match put_back {
            Some(n) => drop(self.left.remove(n)),
            None => self.filled.push((square, seen)),
        }
    }

    fn is_owed(&mut self, square: Square, full: bool) -> bool {
        let found = self.owed.iter().position(|owed| *owed == (square, full));
        found.map(|n| self.owed.remove(n)).is_some()
    }

    /// Plays the move of the piece that was lifted first and may go to `to`.
    fn try_to(&mut self, to: Square, seen: Symbol) -> bool {
        let legal = self.position.legal_moves();
        let turn = self.position.turn();
        let fits = |mv: &Move, from: Square| {
            let role = match seen {
                Symbol::Piece(piece) => piece.role,
                _ if mv.is_promotion() => Role::Queen,
                _ => mv.role(),
            };
            let piece = mv.promotion().unwrap_or(mv.role());
            let colour = seen.colour().is_none_or(|colour| colour == turn);
            mv.from() == Some(from) && landing(*mv, &self.position) == to && piece == role && colour
        };
        let castles = |mv: &&Move| {
            let both = [mv.from(), Some(mv.to())]
                .map(|square| square.is_some_and(|sq| self.left.contains(&sq)));
            let side = mv.castling_side().filter(|_| both == [true, true]);
            side.is_some_and(|side| [side.king_to(turn), side.rook_to(turn)].contains(&to))
        };
        // King and rook in the air together are castling, whichever comes down first.
        let castling = legal.iter().find(castles);
        let plain = || {
            self.left
                .iter()
                .find_map(|from| legal.iter().find(|mv| fits(mv, *from)))
        };
        let found = castling.or_else(plain);
        let Some(mv) = found.copied() else {
            return false;
        };
        self.play(mv);
        true
    }

    fn play(&mut self, mv: Move) {
        let turn = self.position.turn();
        let mut owed = Vec::new();
        if let (Some(side), Move::Castle { rook, .. }) = (mv.castling_side(), mv) {
            owed.extend([
                (rook, false),
                (side.rook_to(turn), true),
                (side.king_to(turn), true),
            ]);
        }
        if mv.is_en_passant() {
            owed.extend(victim(mv).map(|square| (square, false)));
        }
        // What was done already is not owed.
        owed.retain(|(square, full)| {
            (self.reading[usize::from(*square)] != Symbol::Empty) != *full
        });
        self.owed = owed;
        self.left.clear();
        self.filled.clear();
        self.position.play_unchecked(mv);
        self.moves.push(mv);
    }
}
