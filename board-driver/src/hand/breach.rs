//! How breaches are acted, and how play goes on after them.
//!
//! Breaches of Article 4 are left as they are: the game's move is played. After those of Article 7
//! the arbiter stops the clock, the position is put right by hand, and then the game's move is
//! played.

use arbiter_core::shakmaty::{CastlingSide, Color, Move, Piece, Role, Square};

use super::Hand;
use super::plan::Plan;

/// The arbiter comes and stops the clock.
pub(super) const ARBITER: (u64, u64) = (3_000, 6_000);
/// Without a clock a move counts as completed only after a long rest.
const LONG_REST: (u64, u64) = (10_500, 13_000);
/// A deliberate touch.
const TOUCH: (u64, u64) = (300, 800);

impl Hand {
    /// Commits a breach in the turn of `by` and plays `mv`; ends with the hand on its way to the
    /// clock.
    pub(super) fn commit(&mut self, by: Color, mv: Move, plan: Plan) {
        match plan {
            Plan::TouchOwn { touched, set_on } => self.touch(touched, set_on),
            Plan::TouchOpponent { touched } => self.touch(touched, None),
            Plan::TouchBoth { own, victim } => self.touch_two(own, victim),
            Plan::CastlingGivenUp { king, rook } => self.touch_two(king, rook),
            Plan::RookFirst { king, rook } => return self.rook_first(by, king, rook),
            Plan::Released { stop, other } => return self.release(by, mv, stop, other),
            Plan::OtherPromotion { shown } => return self.change_promotion(by, mv, shown),
            Plan::Illegal { to } => self.illegal(by, mv, to),
            Plan::PressOnly => self.press_and_wait(by),
            Plan::PawnLeft => return self.leave_pawn(by, mv),
            Plan::KnockedOff { square } => return self.knock_off(by, mv, square),
        }
        self.wait((600, 1_500));
        self.play(by, mv, true);
        self.press_after(by);
    }

    /// A piece is lifted, perhaps set down elsewhere, and put back.
    fn touch(&mut self, square: Square, set_on: Option<Square>) {
        let Some(piece) = self.table.board.piece_at(square) else {
            return;
        };
        self.table.lift(square);
        self.wait(TOUCH);
        if let Some(stop) = set_on {
            self.table.place(stop, piece);
            self.wait(TOUCH);
            self.table.lift(stop);
            self.wait(TOUCH);
        }
        self.table.place(square, piece);
    }

    fn touch_two(&mut self, first: Square, second: Square) {
        let Some(piece) = self.table.board.piece_at(first) else {
            return;
        };
        self.table.lift(first);
        self.wait((250, 600));
        self.touch(second, None);
        self.wait((150, 400));
        self.table.place(first, piece);
    }

    fn rook_first(&mut self, by: Color, king: Square, rook: Square) {
        let side = if rook > king {
            CastlingSide::KingSide
        } else {
            CastlingSide::QueenSide
        };
        let (king_to, rook_to) = (side.king_to(by), side.rook_to(by));
        self.table.lift(rook);
        self.wait((350, 700));
        let rook_lands_first = rook_to != king && self.random.chance(500);
        if rook_lands_first {
            self.table.place(rook_to, Role::Rook.of(by));
            self.wait((300, 800));
        }
        self.table.lift(king);
        self.pause_in_air();
        self.table.place(king_to, Role::King.of(by));
        if !rook_lands_first {
            self.wait((200, 600));
            self.table.place(rook_to, Role::Rook.of(by));
        }
        self.press_after(by);
    }

    fn release(&mut self, by: Color, mv: Move, stop: Square, other: Square) {
        let (Some(from), to, piece) = (mv.from(), mv.to(), mv.role().of(by)) else {
            return;
        };
        self.table.lift(from);
        self.pause_in_air();
        self.table.place(stop, piece);
        self.wait((400, 700));
        self.touch(other, None);
        self.wait((250, 500));
        self.table.lift(stop);
        self.pause_in_air();
        self.clear(to);
        self.table.place(to, piece);
        self.press_after(by);
    }

    fn change_promotion(&mut self, by: Color, mv: Move, shown: Role) {
        let (Some(from), Some(role)) = (mv.from(), mv.promotion()) else {
            return;
        };
        self.table.lift(from);
        self.pause_in_air();
        self.clear(mv.to());
        self.table.place(mv.to(), shown.of(by));
        self.wait((400, 900));
        self.table.lift(mv.to());
        self.wait((400, 1_200));
        self.table.place(mv.to(), role.of(by));
        self.press_after(by);
    }

    /// Puts the game's piece on a forbidden square, presses, and puts it back when the arbiter has
    /// come.
    fn illegal(&mut self, by: Color, mv: Move, to: Square) {
        let Some(from) = mv.from() else { return };
        self.carry(from, to, mv.role().of(by));
        self.press_and_wait(by);
        self.carry(to, from, mv.role().of(by));
        self.wait((600, 1_500));
    }

    /// Leaves the pawn on the last rank and presses; the arbiter has it replaced by a queen, and
    /// the opponent moves.
    fn leave_pawn(&mut self, by: Color, mv: Move) {
        let Some(from) = mv.from() else { return };
        self.clear(mv.to());
        self.carry(from, mv.to(), Role::Pawn.of(by));
        self.press_and_wait(by);
        self.table.lift(mv.to());
        self.wait((600, 1_500));
        self.table.place(mv.to(), Role::Queen.of(by));
        self.wait((600, 1_500));
    }

    fn knock_off(&mut self, by: Color, mv: Move, square: Square) {
        let Some(piece) = self.table.board.piece_at(square) else {
            return;
        };
        self.play(by, mv, true);
        self.wait((200, 400));
        self.table.lift(square);
        self.press_after(by);
        self.table.settle();
        self.wait((2_000, 4_000));
        self.table.place(square, piece);
        self.wait((400, 900));
    }

    pub(super) fn carry(&mut self, from: Square, to: Square, piece: Piece) {
        self.table.lift(from);
        self.pause_in_air();
        self.table.place(to, piece);
    }

    /// Takes off what stands on the square, if anything does.
    fn clear(&mut self, square: Square) {
        if self.table.board.piece_at(square).is_some() {
            self.table.lift(square);
            self.regrip();
        }
    }

    /// The press completes what was done; then the arbiter comes.
    fn press_and_wait(&mut self, by: Color) {
        self.press_after(by);
        self.table.settle();
        self.wait(if self.options.clock {
            ARBITER
        } else {
            LONG_REST
        });
    }
}
