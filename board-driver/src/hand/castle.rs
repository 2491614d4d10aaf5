//! How king and rook are handled in castling: in orthodox chess the king first, in Chess960 as
//! hands like it.

use arbiter_core::shakmaty::Role;

use super::Hand;
use super::castling::Castling;

impl Hand {
    pub(super) fn castle(&mut self, castling: Castling) {
        if castling.is_orthodox() {
            let free = self.table.board.piece_at(castling.king_to).is_none();
            self.table.lift(castling.king);
            if free && self.random.chance(700) {
                self.king_then_rook(castling);
            } else {
                self.regrip();
                self.table.lift(castling.rook);
                self.land(castling);
            }
        } else if castling.king == castling.king_to {
            self.rook_alone(castling);
        } else if castling.rook == castling.rook_to {
            self.table.lift(castling.king);
            self.put_king(castling);
        } else {
            self.castle_anyhow(castling);
        }
    }

    /// Chess960: king and rook both move, perhaps onto each other's squares.
    fn castle_anyhow(&mut self, castling: Castling) {
        let Castling {
            king,
            rook,
            king_to,
            rook_to,
            ..
        } = castling;
        if self.random.chance(self.manner.both) {
            self.lift_both(king, rook);
        } else if self.random.chance(self.manner.rook_first) {
            self.table.lift(rook);
            if rook_to != king
                && self.table.board.piece_at(rook_to).is_none()
                && self.random.chance(300)
            {
                self.pause_in_air();
                self.table.place(rook_to, Role::Rook.of(castling.by));
                self.regrip();
                self.table.lift(king);
                return self.put_king(castling);
            }
            self.regrip();
            self.table.lift(king);
        } else {
            self.table.lift(king);
            if king_to != rook && self.random.chance(500) {
                return self.king_then_rook(castling);
            }
            self.regrip();
            self.table.lift(rook);
        }
        self.land(castling);
    }

    /// The king stays; now and then it is taken off for the rook to pass, and put back.
    fn rook_alone(&mut self, castling: Castling) {
        let Castling {
            by,
            king,
            rook,
            rook_to,
            ..
        } = castling;
        let aside = self.random.chance(self.manner.both);
        if aside {
            self.table.lift(king);
            self.regrip();
        }
        self.table.lift(rook);
        self.pause_in_air();
        self.table.place(rook_to, Role::Rook.of(by));
        if aside {
            self.regrip();
            self.table.place(king, Role::King.of(by));
        }
    }

    /// The king is in the hand and goes to its square; then the rook to its own.
    fn king_then_rook(&mut self, castling: Castling) {
        self.put_king(castling);
        self.regrip();
        self.table.lift(castling.rook);
        self.pause_in_air();
        self.table
            .place(castling.rook_to, Role::Rook.of(castling.by));
    }

    fn put_king(&mut self, castling: Castling) {
        let king = Role::King.of(castling.by);
        self.travel(king, castling.king, castling.king_to, true);
        self.table.place(castling.king_to, king);
    }

    /// King and rook are off the board and land in either order.
    fn land(&mut self, castling: Castling) {
        self.pause_in_air();
        let mut landing = [
            (castling.king_to, Role::King),
            (castling.rook_to, Role::Rook),
        ];
        if self.random.chance(300) {
            landing.reverse();
        }
        self.table.place(landing[0].0, landing[0].1.of(castling.by));
        self.regrip();
        self.table.place(landing[1].0, landing[1].1.of(castling.by));
    }
}
