//! How a legal move is carried out: every order of lifting and placing that the Laws allow.

use arbiter_core::shakmaty::{Color, Move, Piece, Role, Square, attacks};

use super::Hand;
use super::castling::Castling;

impl Hand {
    /// Carries out `mv` for `by`. `calm` leaves out everything that does not belong to the move.
    pub(super) fn play(&mut self, by: Color, mv: Move, calm: bool) {
        if !calm {
            self.twitch(mv);
            self.put_back(mv);
        }
        match mv {
            Move::Normal {
                from,
                to,
                promotion: Some(role),
                ..
            } => self.promote(from, to, role.of(by)),
            Move::Normal {
                role,
                from,
                to,
                capture: Some(_),
                ..
            } => self.capture(role.of(by), from, to, calm),
            Move::Normal { role, from, to, .. } => {
                self.table.lift(from);
                self.travel(role.of(by), from, to, calm);
                self.table.place(to, role.of(by));
                if !calm {
                    self.wobble(to);
                }
            }
            Move::EnPassant { from, to } => self.en_passant(by, from, to),
            Move::Castle { king, rook } => self.castle(Castling::new(by, king, rook)),
            // Pieces are not dropped in chess.
            Move::Put { .. } => {}
        }
    }

    fn capture(&mut self, piece: Piece, from: Square, to: Square, calm: bool) {
        let regrip = self.random.span(self.manner.regrip);
        if self.random.chance(self.manner.both) {
            self.lift_both(from, to);
            self.pause_in_air();
        } else if self.random.chance(self.manner.swap) {
            self.table.lift(from);
            self.travel(piece, from, to, calm);
            self.table.lift(to);
            self.wait((0, 40));
        } else if self.random.chance(500) {
            self.table.lift(from);
            self.travel(piece, from, to, calm);
            self.table.lift(to);
            self.table.wait(regrip);
        } else {
            self.table.lift(to);
            self.table.wait(regrip);
            self.table.lift(from);
            self.travel(piece, from, to, calm);
        }
        self.table.place(to, piece);
        if !calm {
            self.wobble(to);
        }
    }

    /// Two pieces leave the board at once, in either order.
    pub(super) fn lift_both(&mut self, a: Square, b: Square) {
        let (first, second) = if self.random.chance(500) {
            (a, b)
        } else {
            (b, a)
        };
        self.table.lift(first);
        self.wait((0, 8));
        self.table.lift(second);
    }

    fn en_passant(&mut self, by: Color, from: Square, to: Square) {
        let victim = Square::from_coords(to.file(), from.rank());
        let order = self.random.below(3);
        if order == 0 {
            self.table.lift(victim);
            self.regrip();
        }
        self.table.lift(from);
        self.pause_in_air();
        if order == 1 {
            self.table.lift(victim);
            self.regrip();
        }
        self.table.place(to, Role::Pawn.of(by));
        if order == 2 {
            self.regrip();
            self.table.lift(victim);
        }
    }

    fn promote(&mut self, from: Square, to: Square, piece: Piece) {
        let order = self.random.below(3);
        let victim_first = order == 2 || self.random.chance(500);
        if victim_first && self.table.board.piece_at(to).is_some() {
            self.table.lift(to);
            self.regrip();
        }
        if order == 2 {
            // The new piece stands before the pawn is gone.
            self.table.place(to, piece);
            self.regrip();
            self.table.lift(from);
            return;
        }
        self.table.lift(from);
        self.pause_in_air();
        if self.table.board.piece_at(to).is_some() {
            self.table.lift(to);
            self.regrip();
        }
        if order == 1 {
            self.table.place(to, Role::Pawn.of(piece.color));
            self.regrip();
            self.table.lift(to);
            self.pause_in_air();
        }
        self.table.place(to, piece);
    }

    /// `piece` is in the hand and goes from `from` to `to`: through the air, or over the sensors
    /// between.
    pub(super) fn travel(&mut self, piece: Piece, from: Square, to: Square, calm: bool) {
        if self.random.chance(self.manner.slide) && self.slide(piece, from, to) {
            return;
        }
        self.pause_in_air();
        if !calm {
            self.ponder();
            self.detour(piece, from, to);
            self.brush(from, to);
        }
    }

    /// Slides over the squares between, 30 to 150 ms on each; false where there is no line.
    fn slide(&mut self, piece: Piece, from: Square, to: Square) -> bool {
        let mut line: Vec<Square> = attacks::between(from, to).into_iter().collect();
        if line.is_empty()
            || line
                .iter()
                .any(|sq| self.table.board.piece_at(*sq).is_some())
        {
            return false;
        }
        if from > to {
            line.reverse();
        }
        for square in line {
            self.wait((3, 30));
            self.table.place(square, piece);
            self.wait((30, 150));
            self.table.lift(square);
        }
        self.wait((3, 30));
        true
    }

    pub(super) fn pause_in_air(&mut self) {
        self.wait(self.manner.air);
    }

    pub(super) fn regrip(&mut self) {
        self.wait(self.manner.regrip);
    }
}
