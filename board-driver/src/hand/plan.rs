//! Whether and how a breach can be committed at a ply, so that a board can show it.
//!
//! Nothing happens here: a plan is chosen from the position and the game's own move, which is
//! always played in the end.

use arbiter_core::irregularity::Code;
use arbiter_core::shakmaty::{Bitboard, Chess, Move, Position, Role, Square, attacks};

use super::castling::Castling;
use crate::random::Random;

/// What is done wrong before, during or after the game's own move.
#[derive(Clone, Copy, Debug)]
pub(super) enum Plan {
    /// An own piece is lifted, perhaps set on another square, and put back.
    TouchOwn {
        touched: Square,
        set_on: Option<Square>,
    },
    /// An opponent's piece is lifted and put back.
    TouchOpponent { touched: Square },
    /// An own piece and one it could take are lifted and put back.
    TouchBoth { own: Square, victim: Square },
    /// King and rook are lifted and put back.
    CastlingGivenUp { king: Square, rook: Square },
    /// The rook is touched first.
    RookFirst { king: Square, rook: Square },
    /// The piece is let go on a square: the same hand straightens another piece. Then it is moved
    /// on.
    Released { stop: Square, other: Square },
    /// Another piece touches the promotion square first.
    OtherPromotion { shown: Role },
    /// The piece is put on a square it may not go to, and the clock is pressed.
    Illegal { to: Square },
    /// The clock is pressed first.
    PressOnly,
    /// The clock is pressed while the pawn stands on the last rank.
    PawnLeft,
    /// Another piece lies beside its square when the clock is pressed.
    KnockedOff { square: Square },
}

/// A position, its legal moves, and the one that the game goes on with.
pub(super) struct Ply<'a> {
    pub(super) position: &'a Chess,
    pub(super) legal: &'a [Move],
    pub(super) mv: Move,
    /// Whether there is a clock to press.
    pub(super) clock: bool,
}

/// The square of the piece that `mv` takes.
pub(super) fn victim(mv: Move) -> Option<Square> {
    match mv {
        Move::EnPassant { from, to } => Some(Square::from_coords(to.file(), from.rank())),
        _ => mv.is_capture().then(|| mv.to()),
    }
}

/// A piece goes to a free square and stays what it is.
pub(super) fn is_quiet(mv: Move) -> bool {
    matches!(
        mv,
        Move::Normal {
            capture: None,
            promotion: None,
            ..
        }
    )
}

impl Ply<'_> {
    /// How `code` can be committed here; `None` where it cannot, or where a board could not show
    /// it.
    pub(super) fn plan(&self, code: Code, random: &mut Random) -> Option<Plan> {
        let from = self.mv.from()?;
        let promotes = |role| self.mv.promotion() == Some(role);
        match code {
            Code::CastlingRookFirst => match self.mv {
                // In Chess960 no more than a question.
                Move::Castle { king, rook }
                    if Castling::new(self.position.turn(), king, rook).is_orthodox() =>
                {
                    Some(Plan::RookFirst { king, rook })
                }
                _ => None,
            },
            Code::PromotionChoiceChanged => {
                let others =
                    [Role::Queen, Role::Rook, Role::Bishop, Role::Knight].map(|r| (r, promotes(r)));
                let others: Vec<Role> = others
                    .into_iter()
                    .filter(|(_, chosen)| !chosen)
                    .map(|(r, _)| r)
                    .collect();
                self.mv
                    .promotion()
                    .and(random.pick(&others))
                    .map(|shown| Plan::OtherPromotion { shown })
            }
            Code::PawnNotPromoted => promotes(Role::Queen).then_some(Plan::PawnLeft),
            Code::ClockPressedWithoutMove => self.clock.then_some(Plan::PressOnly),
            Code::IllegalMove if self.mv.is_castle() => self.half_castling(),
            // The rest is mixed up with nothing else only where the game does not castle.
            _ if self.mv.is_castle() => None,
            Code::TouchMoveOwnPiece => self.touch_own(from, random),
            Code::TouchMoveOpponentPiece => self.touch_opponent(from, random),
            Code::TouchMoveBothColours => self.touch_both(from, random),
            Code::CastlingNotCompleted => self
                .castling(random)
                .map(|(king, rook)| Plan::CastlingGivenUp { king, rook }),
            Code::ReleasedPieceMovedAgain => self.released(from, random),
            Code::IllegalMove => self.illegal(from, random),
            Code::PieceDisplaced => self.knocked_off(from, random),
            // Conduct, set-up and claims are no handling of pieces.
            _ => None,
        }
    }

    fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.legal.iter().copied()
    }

    fn can_take(&self, from: Square, target: Square) -> bool {
        self.moves()
            .any(|m| m.from() == Some(from) && victim(m) == Some(target))
    }

    fn touch_own(&self, from: Square, random: &mut Random) -> Option<Plan> {
        let taken = victim(self.mv);
        let castling = self.moves().any(Move::is_castle);
        let fits = |m: &Move| {
            // King and rook together would be about castling, capturer and victim about 4.3.3.
            let of_castling = castling && m.role() == Role::King && self.mv.role() == Role::Rook;
            m.from() != Some(from)
                && !of_castling
                && !taken.is_some_and(|t| m.from().is_some_and(|f| self.can_take(f, t)))
        };
        let way = attacks::between(from, self.mv.to()).with(self.mv.to());
        let list: Vec<Move> = self.moves().filter(fits).collect();
        let chosen = random.pick(&list)?;
        let may_stand_there = is_quiet(chosen) && !way.contains(chosen.to());
        let set_on = (may_stand_there && random.chance(500)).then(|| chosen.to());
        Some(Plan::TouchOwn {
            touched: chosen.from()?,
            set_on,
        })
    }

    fn touch_opponent(&self, from: Square, random: &mut Random) -> Option<Plan> {
        let fits = |t: &Square| victim(self.mv) != Some(*t) && !self.can_take(from, *t);
        let list: Vec<Square> = self.moves().filter_map(victim).filter(fits).collect();
        random
            .pick(&list)
            .map(|touched| Plan::TouchOpponent { touched })
    }

    fn touch_both(&self, from: Square, random: &mut Random) -> Option<Plan> {
        let another = |own: Square, taken: Square| (own, Some(taken)) != (from, victim(self.mv));
        let pair =
            |m: Move| Some((m.from()?, victim(m)?)).filter(|(own, taken)| another(*own, *taken));
        let list: Vec<(Square, Square)> = self.moves().filter_map(pair).collect();
        random
            .pick(&list)
            .map(|(own, victim)| Plan::TouchBoth { own, victim })
    }

    fn castling(&self, random: &mut Random) -> Option<(Square, Square)> {
        let list: Vec<(Square, Square)> = self
            .moves()
            .filter(|m| m.is_castle())
            .filter_map(|m| Some((m.from()?, m.to())))
            .collect();
        random.pick(&list)
    }

    fn released(&self, from: Square, random: &mut Random) -> Option<Plan> {
        let to = self.mv.to();
        let Move::Normal {
            promotion: None, ..
        } = self.mv
        else {
            return None;
        };
        // A stop on the way would be a slide.
        let way = attacks::between(from, to).with(to);
        let fits = |m: &Move| m.from() == Some(from) && is_quiet(*m) && !way.contains(m.to());
        let list: Vec<Move> = self.moves().filter(fits).collect();
        let stop = random.pick(&list)?;
        let mut after = self.position.clone();
        after.play_unchecked(stop);
        if after.is_game_over() {
            return None;
        }
        self.bystander(&after, stop.to(), random)
            .map(|other| Plan::Released {
                stop: stop.to(),
                other,
            })
    }

    /// An own piece that nobody can take, and that is not about to castle, other than the one on
    /// `moved`.
    fn bystander(&self, after: &Chess, moved: Square, random: &mut Random) -> Option<Square> {
        let board = after.board();
        let plain = board.pawns() | board.knights() | board.bishops() | board.queens();
        let mut own = board.by_color(self.position.turn()) & plain;
        own.discard(moved);
        if after.turn() != self.position.turn() {
            after
                .legal_moves()
                .iter()
                .filter_map(|m| victim(*m))
                .for_each(|sq| own.discard(sq));
        }
        let list: Vec<Square> = own.into_iter().collect();
        random.pick(&list)
    }

    /// The king goes to his square, and the clock is pressed before the rook follows.
    fn half_castling(&self) -> Option<Plan> {
        let mode = self.position.castles().mode();
        let side = self.mv.castling_side().filter(|_| mode.is_standard())?;
        Some(Plan::Illegal {
            to: side.king_to(self.position.turn()),
        })
    }

    fn illegal(&self, from: Square, random: &mut Random) -> Option<Plan> {
        if self.mv.is_en_passant() {
            // The pawn that is taken is left standing.
            return Some(Plan::Illegal { to: self.mv.to() });
        }
        let board = self.position.board();
        let mut free = !board.occupied();
        self.moves()
            .filter(|m| m.from() == Some(from))
            .for_each(|m| free.discard(m.to()));
        match self.mv.role() {
            // Two squares sideways would be about castling.
            Role::King => free &= !Bitboard::from_rank(from.rank()),
            Role::Pawn => free &= !Bitboard::BACKRANKS,
            _ => {}
        }
        // Squares that the piece reaches, if only its king stood safe.
        let piece = self.mv.role().of(self.position.turn());
        let unsafe_for_king: Vec<Square> = match piece.role {
            Role::Pawn => Vec::new(),
            _ => (free & attacks::attacks(from, piece, board.occupied()))
                .into_iter()
                .collect(),
        };
        if let Some(to) = random.pick(&unsafe_for_king) {
            return Some(Plan::Illegal { to });
        }
        let near: Vec<Square> = (free
            & (attacks::king_attacks(self.mv.to()) | attacks::king_attacks(from)))
        .into_iter()
        .collect();
        let far: Vec<Square> = free.into_iter().collect();
        random
            .pick(&near)
            .or_else(|| random.pick(&far))
            .map(|to| Plan::Illegal { to })
    }

    fn knocked_off(&self, from: Square, random: &mut Random) -> Option<Plan> {
        let Move::Normal {
            to,
            promotion: None,
            ..
        } = self.mv
        else {
            return None;
        };
        let mut after = self.position.clone();
        after.play_unchecked(self.mv);
        if !self.clock || after.is_game_over() {
            return None;
        }
        // A piece that could have come to the same square might seem to be the one that moved.
        let rivals: Bitboard = self
            .moves()
            .filter(|m| m.to() == to)
            .filter_map(Move::from)
            .collect();
        let bystanders = (0..8).filter_map(|_| self.bystander(&after, to, random));
        let square = bystanders
            .into_iter()
            .find(|sq| *sq != from && !rivals.contains(*sq))?;
        Some(Plan::KnockedOff { square })
    }
}
