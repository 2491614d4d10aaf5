//! What to make of a completed turn whose picture is no legal move.
//!
//! Before a player is blamed, in this order: a legal move half finished; a legal move plus pieces
//! knocked over; a clock pressed without a move; then, and only then, an illegal move.

use alloc::vec::Vec;

use shakmaty::{
    Bitboard, Board, CastlingSide, Chess, Color, Move, Piece, Position, Rank, Role, Square, attacks,
};

use crate::chess::moves::{arrival, legs, origin, reach, squares_of, two_squares, victim_square};
use crate::judge::article_4::required;
use crate::judge::handling::Handling;
use crate::laws::Laws;
use crate::said::irregularity::Reason;
use crate::said::settings::Settings;
use crate::said::symbol::{SensorClass, Symbol};
use crate::sense::planes::Planes;
use crate::track::fit::is_crowded;

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

/// The turn to be judged.
pub(crate) struct Picture<'a> {
    pub(crate) before: &'a Chess,
    pub(crate) legal: &'a [Move],
    pub(crate) planes: &'a Planes,
    pub(crate) handling: &'a Handling,
    pub(crate) misread: Bitboard,
    /// Squares that read empty for a moment: a capture may hide there.
    pub(crate) flickered: Bitboard,
    /// Squares that the board itself does not trust.
    pub(crate) suspect: Bitboard,
    pub(crate) settings: &'a Settings,
    pub(crate) laws: &'a Laws,
}

/// Judges a turn.
pub(crate) fn judge(t: &Picture<'_>) -> Judgement {
    if t.wrong(t.before.board()).is_empty() {
        return Judgement::NoMove {
            swap_possible: t.swap_possible(),
        };
    }
    t.distrusted()
        .or_else(|| t.half_finished())
        .or_else(|| t.displaced())
        .or_else(|| t.unread())
        .unwrap_or_else(|| t.illegal())
}

impl Picture<'_> {
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
        let own = |c: Color| {
            self.handling
                .pieces
                .iter()
                .filter(|h| h.piece.color == c)
                .count()
        };
        match self.planes.class() {
            SensorClass::Piece => false,
            SensorClass::Colour => Color::ALL.into_iter().any(|c| own(c) >= 2),
            SensorClass::Occupancy => self.handling.pieces.len() >= 2 || self.capture_possible(),
        }
    }

    /// A piece that could be captured went for a moment or longer, and something stands there
    /// again: its captor's lift may not have been read.
    fn capture_possible(&self) -> bool {
        let victims = self.legal.iter().filter_map(|m| victim_square(*m));
        victims
            .into_iter()
            .any(|sq| self.flickered.contains(sq) || self.handling.of(sq).is_some())
    }

    /// Whether what looks like an own piece put down may be the opponent's reply: he holds one that
    /// could go there.
    pub(crate) fn reply_possible(&self) -> bool {
        if self.planes.class() != SensorClass::Occupancy {
            return false;
        }
        let landed: Bitboard = self.own_moved().into_iter().map(|(_, to)| to).collect();
        let held = self
            .handling
            .pieces
            .iter()
            .filter(|h| h.piece.color != self.mover() && h.back_since().is_none());
        let could = |from: Square, to: Square, piece: Piece| {
            reach(self.before.board(), from, piece).contains(to)
                || (piece.role == Role::King && two_squares(from, to))
        };
        // A promoted piece may come first, its pawn still on the board (4.6).
        let promoting = |to: Square| {
            let pawns = self.before.board().by_color(!self.mover()) & self.before.board().pawns();
            let last = to.rank() == self.mover().fold_wb(Rank::First, Rank::Eighth);
            last && pawns
                .into_iter()
                .any(|from| could(from, to, (!self.mover()).pawn()))
        };
        held.into_iter()
            .any(|h| landed.into_iter().any(|to| could(h.home, to, h.piece)))
            || landed.into_iter().any(promoting)
    }

    /// The legal moves that leave nothing wrong but squares which the board does not trust; else
    /// those after which the opponent may have begun his reply besides.
    fn distrusted(&self) -> Option<Judgement> {
        let unread = |m: Move, may_reply: bool| {
            let after = self.after(m);
            let wrong = self.wrong(after.board());
            let other = wrong & !self.suspect;
            let replied = || {
                may_reply
                    && after
                        .legal_moves()
                        .iter()
                        .any(|reply| other.is_subset(squares_of(*reply)))
            };
            ((wrong & self.suspect).any() && (other.is_empty() || replied()))
                .then_some((m, wrong & self.suspect))
        };
        let all = |may_reply| -> Vec<_> {
            self.legal
                .iter()
                .filter_map(|m| unread(*m, may_reply))
                .collect()
        };
        let moves = [false, true]
            .into_iter()
            .map(all)
            .find(|moves| !moves.is_empty());
        moves.map(|moves| Judgement::Unread { moves })
    }

    fn half_finished(&self) -> Option<Judgement> {
        let promotion = self.legal.iter().find_map(|&m| self.unpromoted(m));
        let bound = |reason, m: Move| {
            let required = alloc::vec![m];
            Judgement::Illegal {
                reason,
                squares: squares_of(m).into_iter().collect(),
                required,
            }
        };
        promotion
            .or_else(|| {
                self.legal
                    .iter()
                    .find(|m| self.rook_missing(**m))
                    .map(|&m| bound(Reason::CastlingHalfDone, m))
            })
            .or_else(|| {
                self.legal
                    .iter()
                    .find(|m| self.victim_left(**m))
                    .map(|&m| bound(Reason::EnPassantVictimLeft, m))
            })
    }

    /// The king stands where castling puts it and the rook does not (4.7.2).
    fn rook_missing(&self, m: Move) -> bool {
        let Move::Castle { king, rook } = m else {
            return false;
        };
        // Where one of them stays (Chess960), castling is done when the other has moved.
        if legs(m).count() < 2 {
            return false;
        }
        let to = arrival(m);
        let mut board = self.before.board().clone();
        board.discard_piece_at(king);
        board.set_piece_at(
            to,
            Piece {
                color: self.mover(),
                role: Role::King,
            },
        );
        let king_there = self
            .handling
            .of(king)
            .and_then(|h| h.contacts.last())
            .is_some_and(|c| c.square == to && c.to.is_none());
        let untouched = self.wrong(&board).is_empty() && (to != rook || king_there);
        let elsewhere = self.wrong(self.after(m).board()) & !squares_of(m);
        let rook_moved = self.handling.of(rook).is_some_and(|h| h.stood_elsewhere());
        untouched || (king_there && rook_moved && elsewhere.count() <= 1)
    }

    /// The capturing pawn stands right and the pawn it captures was left (3.7.3.1).
    fn victim_left(&self, m: Move) -> bool {
        let (Move::EnPassant { .. }, Some(victim)) = (m, victim_square(m)) else {
            return false;
        };
        self.wrong(self.after(m).board()) == Bitboard::from(victim)
    }

    fn unpromoted(&self, m: Move) -> Option<Judgement> {
        if m.promotion() != Some(Role::Queen)
            || self.wrong(self.after(m).board()) != Bitboard::from(m.to())
        {
            return None;
        }
        let bad = Judgement::Illegal {
            reason: Reason::PromotionBadPiece,
            squares: alloc::vec![m.to()],
            required: self
                .legal
                .iter()
                .filter(|l| l.from() == m.from() && l.to() == m.to())
                .copied()
                .collect(),
        };
        match self.planes.at(m.to()) {
            Symbol::Piece(p) if p.color == self.mover() && p.role == Role::Pawn => {
                Some(Judgement::PawnLeft { promotion: m })
            }
            Symbol::Piece(_) | Symbol::Colour(_) => Some(bad),
            Symbol::Empty | Symbol::Something => None,
        }
    }

    /// The legal move that leaves the fewest other squares wrong, if those look like knocked pieces
    /// (7.4).
    fn displaced(&self) -> Option<Judgement> {
        let fits = self.legal.iter().filter_map(|&m| {
            let after = self.after(m);
            let wrong = self.wrong(after.board());
            let moved = origin(m).is_some_and(|from| self.handling.of(from).is_some());
            let clear = moved && (wrong & squares_of(m)).is_empty() && wrong.count() <= 4;
            let unseen = !self.seen_to_land(m) && !self.flickered.contains(arrival(m));
            (clear && self.knocked(&after, wrong)).then_some((wrong.count(), unseen, m, wrong))
        });
        fits.min_by_key(|(count, unseen, ..)| (*count, *unseen))
            .map(|(_, _, m, squares)| Judgement::Displaced { m, squares })
    }

    /// Whether the piece that `m` moves was the one put on its arrival square.
    fn seen_to_land(&self, m: Move) -> bool {
        let piece = origin(m).and_then(|from| self.handling.of(from));
        piece
            .and_then(|h| h.contacts.last())
            .is_some_and(|c| c.to.is_none() && c.square == arrival(m))
    }

    /// Whether every part of `m` was seen: its piece was lifted and put down, and what it captured
    /// was gone before.
    pub(crate) fn is_seen(&self, m: Move) -> bool {
        let gone = |sq: Square| self.flickered.contains(sq) || self.handling.of(sq).is_some();
        self.seen_to_land(m) && victim_square(m).is_none_or(gone)
    }

    /// Whether the squares in `wrong` show pieces knocked or badly placed, not pieces moved.
    fn knocked(&self, after: &Chess, wrong: Bitboard) -> bool {
        let full = self.planes.occupied();
        let missing = wrong & after.board().occupied() & !full;
        let appeared = wrong & full & !after.board().occupied();
        if appeared.count() > missing.count() {
            return false;
        }
        let moved = |from: Square| {
            let piece = after.board().piece_at(from);
            piece.is_some_and(|p| (reach(after.board(), from, p) & appeared).any())
        };
        let nudged = |to: Square| (attacks::king_attacks(to) & missing).any();
        !missing.into_iter().any(moved) && appeared.into_iter().all(nudged)
    }

    /// A board cannot hold more pieces than before: some square still reads what has left it.
    fn unread(&self) -> Option<Judgement> {
        if !is_crowded(self.before, self.planes) {
            return None;
        }
        let origin_only = |&m: &Move| {
            let after = self.after(m);
            // The next player may have taken pieces up already.
            let taken_up = after.us() & !self.planes.occupied();
            let wrong = self.wrong(after.board()) & !taken_up;
            (m.from().map(Bitboard::from) == Some(wrong)).then_some((m, wrong))
        };
        let moves: Vec<_> = self.legal.iter().filter_map(origin_only).collect();
        (!moves.is_empty()).then_some(Judgement::Unread { moves })
    }

    fn illegal(&self) -> Judgement {
        let own: Vec<(Square, Square)> = self.own_moved();
        let reason = match own.as_slice() {
            [(from, to)] => self.reason_for(*from, *to),
            [a, b] if self.castled(*a, *b) => Reason::CastlingIllegal,
            [_, _] => Reason::TwoPiecesMoved,
            _ => Reason::Other,
        };
        let squares = own.iter().flat_map(|&(from, to)| [from, to]).collect();
        Judgement::Illegal {
            reason,
            squares,
            required: required::of_replacement(
                self.before,
                self.legal,
                self.handling,
                self.settings.skew_ms,
                self.laws,
            ),
        }
    }

    /// Own pieces that stand elsewhere now: from, to.
    fn own_moved(&self) -> Vec<(Square, Square)> {
        let own = self
            .handling
            .pieces
            .iter()
            .filter(|h| h.piece.color == self.mover());
        own.filter_map(|h| {
            let c = h
                .contacts
                .last()
                .filter(|c| c.to.is_none() && c.square != h.home)?;
            Some((h.home, c.square))
        })
        .collect()
    }

    /// King and rook stand as after castling, whichever of the two the sensors showed first.
    fn castled(&self, a: (Square, Square), b: (Square, Square)) -> bool {
        let king = self.before.our(Role::King);
        let (k, r) = if king.contains(a.0) {
            (a.0, b.0)
        } else {
            (b.0, a.0)
        };
        if !king.contains(k) || !self.before.our(Role::Rook).contains(r) {
            return false;
        }
        let castle = Move::Castle { king: k, rook: r };
        let (to, rook_to) = if self.before.castles().mode().is_chess960() {
            let mut squares = legs(castle).map(|(_, to)| to);
            let (Some(to), Some(rook_to)) = (squares.next(), squares.next()) else {
                return false;
            };
            (to, rook_to)
        } else {
            let towards = if r > k { 1 } else { -1 };
            let (Some(to), Some(rook_to)) = (k.offset(2 * towards), k.offset(towards)) else {
                return false;
            };
            (to, rook_to)
        };
        [(a.1, b.1), (b.1, a.1)].contains(&(to, rook_to))
    }

    /// Whether the king goes as far as in castling: two squares, in Chess960 to the square where
    /// castling puts it.
    fn castles_so(&self, from: Square, to: Square) -> bool {
        if !self.before.castles().mode().is_chess960() {
            return two_squares(from, to);
        }
        let side = if to > from {
            CastlingSide::KingSide
        } else {
            CastlingSide::QueenSide
        };
        to == side.king_to(self.mover()) && from.rank() == to.rank() && from.distance(to) > 1
    }

    fn reason_for(&self, from: Square, to: Square) -> Reason {
        let board = self.before.board();
        let Some(piece) = board.piece_at(from) else {
            return Reason::Other;
        };
        let ep_like = piece.role == Role::Pawn
            && attacks::pawn_attacks(piece.color, from).contains(to)
            && board.piece_at(to).is_none()
            && board.piece_at(Square::from_coords(to.file(), from.rank()))
                == Some(Piece {
                    color: !piece.color,
                    role: Role::Pawn,
                });
        if self.before.their(Role::King).contains(to) {
            Reason::KingCaptured
        } else if piece.role == Role::King && self.castles_so(from, to) {
            Reason::CastlingIllegal
        } else if ep_like && self.before.legal_ep_square() != Some(to) {
            if self.before.maybe_ep_square() == Some(to) {
                Reason::OwnKingInCheck
            } else {
                Reason::EnPassantLate
            }
        } else if reach(board, from, piece).contains(to) {
            Reason::OwnKingInCheck
        } else {
            Reason::PieceCannotMoveSo
        }
    }
}
