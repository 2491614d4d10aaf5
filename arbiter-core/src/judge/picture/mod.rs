//! What to make of a completed turn whose picture is no legal move.
//!
//! Before a player is blamed, in this order: a legal move half finished; a legal move plus pieces
//! knocked over; a clock pressed without a move; then, and only then, an illegal move.

mod displaced;
pub(crate) mod illegal;
mod unfinished;

use alloc::vec::Vec;

use shakmaty::{Bitboard, Board, Chess, Color, Move, Piece, Position, Rank, Role, Square};

use crate::chess::moves::{arrival, origin, reach, two_squares, victim_square};
use crate::judge::handling::{Handled, Handling};
use crate::laws::Laws;
use crate::said::irregularity::Reason;
use crate::said::settings::Settings;
use crate::said::symbol::SensorClass;
use crate::sense::planes::Planes;

/// The judgement of a picture that no legal move explains.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Judgement {
    /// The board is as it was.
    NoMove {
        /// Pieces of one colour were handled that could have changed places unseen.
        swap_possible: bool,
    },
    /// A legal pawn move to the last rank, and the pawn still stands there.
    PawnLeft { promotion: Move },
    /// The same, and the pawn was taken off again: nothing is read in its place.
    PawnGone { promotion: Move },
    /// A legal move, and pieces stand where no move put them, or are missing.
    Displaced { m: Move, squares: Bitboard },
    /// Something was not read: a lift, so that there is one piece more than there can be and each
    /// move leaves its origin as the only wrong square; or what the board says itself that it
    /// cannot read.
    Unread { moves: Vec<(Move, Bitboard)> },
    /// A move the Laws do not allow. `required` is empty when the player is free.
    Illegal {
        reason: Reason,
        squares: Vec<Square>,
        required: Vec<Move>,
    },
}

impl Judgement {
    /// Whether a move was begun that takes another piece to finish: the rook, or what the pawn
    /// becomes.
    pub(crate) fn is_half_move(&self) -> bool {
        match self {
            Judgement::PawnLeft { .. } | Judgement::PawnGone { .. } => true,
            Judgement::Illegal { reason, .. } => *reason == Reason::CastlingHalfDone,
            _ => false,
        }
    }
}

/// The picture that a completed turn left, with all that bears on what to make of it.
pub(crate) struct Picture<'a> {
    /// The position in which the turn began.
    pub(crate) before: &'a Chess,
    /// The legal moves in it.
    pub(crate) legal: &'a [Move],
    /// What the board reads now.
    pub(crate) planes: &'a Planes,
    pub(crate) handling: &'a Handling,
    /// Squares that the hypothesis assumes to be read wrongly.
    pub(crate) misread: Bitboard,
    /// Squares that read empty for a moment: a capture may hide there.
    pub(crate) flickered: Bitboard,
    /// Squares that the board itself does not trust.
    pub(crate) suspect: Bitboard,
    pub(crate) settings: &'a Settings,
    pub(crate) laws: &'a Laws,
}

/// Judges the picture of a turn.
pub(crate) fn judge(picture: &Picture<'_>) -> Judgement {
    if picture.wrong(picture.before.board()).is_empty() {
        return Judgement::NoMove {
            swap_possible: picture.swap_possible(),
        };
    }
    picture
        .distrusted()
        .or_else(|| picture.half_finished())
        .or_else(|| picture.displaced())
        .or_else(|| picture.unread())
        .unwrap_or_else(|| picture.illegal())
}

/// The mover's pieces that stand elsewhere, taken for an illegal move, whatever else they may be.
pub(crate) fn as_illegal(picture: &Picture<'_>) -> Option<Judgement> {
    (!picture.own_moved().is_empty()).then(|| picture.illegal())
}

impl Picture<'_> {
    /// The squares that do not read as `board` would, those aside that are read wrongly.
    fn wrong(&self, board: &Board) -> Bitboard {
        self.planes.differ(board) & !self.misread
    }

    fn mover(&self) -> Color {
        self.before.turn()
    }

    fn after(&self, m: Move) -> Chess {
        let mut after = self.before.clone();
        after.play_unchecked(m);
        after
    }

    /// Sensors that do not identify pieces cannot tell two that changed places.
    fn swap_possible(&self) -> bool {
        match self.planes.class() {
            SensorClass::Piece => false,
            SensorClass::Colour => {
                self.handling.count(Color::White) >= 2 || self.handling.count(Color::Black) >= 2
            }
            SensorClass::Occupancy => self.handling.pieces.len() >= 2 || self.capture_possible(),
        }
    }

    /// A piece that could be captured went for a moment or longer, and something stands there
    /// again: its captor's lift may not have been read.
    pub(crate) fn capture_possible(&self) -> bool {
        if self.planes.class() != SensorClass::Occupancy {
            return false;
        }
        for m in self.legal {
            if let Some(sq) = victim_square(*m)
                && self.was_gone(sq)
            {
                return true;
            }
        }
        false
    }

    /// Whether the square was empty for a while, or a piece was lifted from it.
    fn was_gone(&self, sq: Square) -> bool {
        self.flickered.contains(sq) || self.handling.of(sq).is_some()
    }

    /// Own pieces that stand elsewhere now: from, to. Those that were pushed only where no other
    /// was moved.
    fn own_moved(&self) -> Vec<(Square, Square)> {
        let (mut moved, mut pushed) = (Vec::new(), Vec::new());
        for h in &self.handling.pieces {
            if h.piece.color == self.mover()
                && let Some(c) = h.stands()
                && c.square != h.home
            {
                let among = match self.was_pushed(h) {
                    true => &mut pushed,
                    false => &mut moved,
                };
                among.push((h.home, c.square));
            }
        }
        if moved.is_empty() { pushed } else { moved }
    }

    fn was_pushed(&self, h: &Handled) -> bool {
        h.was_pushed(self.settings.grip(), self.mover())
    }

    /// Whether a piece stands elsewhere that no hand may have put there.
    pub(crate) fn shows_pushed(&self) -> bool {
        self.were_pushed(Bitboard::FULL)
    }

    /// Whether one of the pieces of `homes` stands elsewhere, and no hand may have put it there.
    pub(crate) fn were_pushed(&self, homes: Bitboard) -> bool {
        let grip = self.settings.grip();
        let away = |h: &&Handled| h.stands().is_some_and(|c| c.square != h.home);
        let mut away = self.handling.pieces.iter().filter(away);
        away.any(|h| homes.contains(h.home) && h.was_hasty(grip))
    }

    /// Whether what looks like an own piece put down may be the opponent's reply: he holds one that
    /// could go there.
    pub(crate) fn reply_possible(&self) -> bool {
        if self.planes.class() != SensorClass::Occupancy {
            return false;
        }
        for (_, to) in self.own_moved() {
            for h in &self.handling.pieces {
                let held = h.piece.color != self.mover() && h.back_since().is_none();
                if held && self.could_go(h.home, to, h.piece) {
                    return true;
                }
            }
            if self.could_be_promoting(to) {
                return true;
            }
        }
        false
    }

    fn could_go(&self, from: Square, to: Square, piece: Piece) -> bool {
        reach(self.before.board(), from, piece).contains(to)
            || (piece.role == Role::King && two_squares(from, to))
    }

    /// A promoted piece may come first, the opponent's pawn still on the board (4.6).
    fn could_be_promoting(&self, to: Square) -> bool {
        if to.rank() != self.mover().fold_wb(Rank::First, Rank::Eighth) {
            return false;
        }
        let opponent = !self.mover();
        let pawns = self.before.their(Role::Pawn);
        pawns
            .into_iter()
            .any(|from| self.could_go(from, to, opponent.pawn()))
    }

    /// Whether the piece that `m` moves was the one put on its arrival square.
    fn seen_to_land(&self, m: Move) -> bool {
        let Some(from) = origin(m) else {
            return false;
        };
        self.handling.now_on(from) == Some(arrival(m))
    }

    /// Whether every part of `m` was seen: its piece was lifted and put down, and what it captured
    /// was gone before.
    pub(crate) fn is_seen(&self, m: Move) -> bool {
        self.seen_to_land(m) && victim_square(m).is_none_or(|sq| self.was_gone(sq))
    }
}
