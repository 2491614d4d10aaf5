//! Article 4 applied to a move that stands: was it permitted after what was touched?
//!
//! The presumption of regularity decides the certainty: a touch is sure when the piece was moved or
//! stood elsewhere, likely when it was lifted and put back (without a clock possible: whose hand it
//! was, nothing tells); a release is likely when another piece was lifted meanwhile or the piece
//! was taken back, possible when only time speaks for it.

use alloc::vec::Vec;
use core::cell::OnceCell;

use shakmaty::{Chess, Color, Move, Piece, Position, Role, Square};

use crate::chess::moves::{arrival, origin, squares_of, victim_square};
use crate::judge::handling::{Contact, Handled, Handling};
use crate::judge::obligation::{Permitted, Touch, permitted, permitted_where, touches_only};
use crate::laws::{Duty, Laws};
use crate::said::irregularity::{Certainty, Code, Reason};
use crate::said::settings::{PromotionOrder, RookFirst, Settings};
use crate::said::symbol::{SensorClass, Symbol};
use crate::said::time::Time;
use crate::sense::changes::Change;

/// A breach, before it is given a number, an article and a text.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Breach {
    pub(crate) code: Code,
    pub(crate) reason: Option<Reason>,
    pub(crate) by: Color,
    pub(crate) certainty: Certainty,
    pub(crate) squares: Vec<Square>,
    pub(crate) required: Option<Vec<Move>>,
}

/// What a ruling left for the replacement move.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Bound {
    pub(crate) code: Code,
    pub(crate) moves: Vec<Move>,
}

/// A ply with all that bears on its regularity.
pub(crate) struct Played<'a> {
    pub(crate) before: &'a Chess,
    /// See [`Played::legal`].
    pub(crate) legal: OnceCell<Vec<Move>>,
    pub(crate) m: Move,
    pub(crate) made_at: Time,
    pub(crate) handling: &'a Handling,
    pub(crate) log: &'a [Change],
    pub(crate) class: SensorClass,
    /// Whether a clock tells when the opponent was done with his turn.
    pub(crate) clock: bool,
    pub(crate) bound: Option<&'a Bound>,
    pub(crate) settings: &'a Settings,
    pub(crate) laws: &'a Laws,
}

/// The breaches of Article 4 in a ply, in article order.
pub(crate) fn article_4(p: &Played<'_>) -> Vec<Breach> {
    let released = released(p);
    let mut breaches = Vec::new();
    match p.bound {
        Some(bound) if !bound.moves.contains(&p.m) => breaches.push(p.breach(
            bound.code,
            Certainty::Certain,
            p.m.from().into_iter().collect(),
            bound.moves.clone(),
        )),
        Some(_) => {}
        None => breaches.extend(touch_move(p).or_else(|| rook_first_in_chess960(p))),
    }
    breaches.extend(promotion_changed(p));
    breaches.extend(promotion_order(p));
    breaches.extend(released);
    breaches.sort_by_key(|b| b.code);
    breaches
}

impl Played<'_> {
    /// The legal moves before it.
    fn legal(&self) -> &[Move] {
        self.legal
            .get_or_init(|| self.before.legal_moves().to_vec())
    }

    fn breach(
        &self,
        code: Code,
        certainty: Certainty,
        squares: Vec<Square>,
        required: Vec<Move>,
    ) -> Breach {
        Breach {
            code,
            reason: None,
            by: self.before.turn(),
            certainty,
            squares,
            required: Some(required),
        }
    }

    fn is_chess960(&self) -> bool {
        self.before.castles().mode().is_chess960()
    }

    fn is_own(&self, h: &Handled) -> bool {
        h.piece.color == self.before.turn()
    }

    /// Whether the move itself moves or captures this piece.
    fn belongs(&self, h: &Handled) -> bool {
        let own_square = squares_of(self.m).contains(h.home);
        if self.is_own(h) {
            own_square
        } else {
            victim_square(self.m) == Some(h.home)
        }
    }

    /// Whether a piece's lift counts as a touch by the player having the move.
    fn counts(&self, h: &Handled) -> bool {
        self.belongs(h)
            || (h.lifted <= self.made_at && h.back_since().is_some_and(|t| t <= self.made_at))
    }
}

fn touch_move(p: &Played<'_>) -> Option<Breach> {
    if king_lift_unknown(p) {
        return None;
    }
    let all = p.handling.touches(p.settings.skew_ms, |h| {
        p.counts(h).then(|| h.touched()).flatten()
    });
    if touches_only(p.m, &all) {
        return None;
    }
    let allowed = permitted(p.before, p.legal(), &all, p.laws);
    if allowed.moves.contains(&p.m)
        || permitted(p.before, p.legal(), &favouring(&all, p.m), p.laws)
            .moves
            .contains(&p.m)
    {
        return None;
    }
    let sure = p.handling.touches(p.settings.skew_ms, |h| {
        let touched = h
            .touched()
            .filter(|_| p.counts(h) && (p.belongs(h) || (p.is_own(h) && h.stood_elsewhere())))?;
        Some(touched.max(h.surely_lifted()))
    });
    // What is certain is what the sure touches alone require; whoever set an opponent's piece
    // elsewhere, nobody saw.
    let provable = permitted(p.before, p.legal(), &sure, p.laws);
    let broken = !provable.moves.contains(&p.m);
    let certain = broken && provable.moves == allowed.moves;
    let code = touch_code(p, &allowed, &all);
    let certainty = match () {
        () if certain && !king_read_late(p) => Certainty::Certain,
        () if code == Code::TouchMoveOpponentPiece && fleeting(p, &all) => Certainty::Possible,
        // Without a clock the opponent may not have been done with his turn, and it was perhaps his
        // hand.
        () if !broken && !p.clock => Certainty::Possible,
        () => Certainty::Likely,
    };
    let squares = binding_squares(p, code, &allowed);
    Some(p.breach(code, certainty, squares, narrowed(p, &allowed)))
}

/// Whether the opponent's pieces were only lifted and put back at once, nothing else being touched
/// meanwhile: a brush, or the opponent's own hand.
fn fleeting(p: &Played<'_>, touches: &[Touch]) -> bool {
    let enemies = p
        .handling
        .pieces
        .iter()
        .filter(|h| !p.is_own(h) && touches.iter().any(|t| t.square == h.home));
    let brief = |h: &Handled| {
        let back = h
            .contacts
            .first()
            .filter(|c| c.square == h.home && h.back_since() == Some(c.from));
        back.is_some_and(|c| {
            let meanwhile = |other: &Handled| other.lifted > h.lifted && other.lifted < c.from;
            c.from.since(h.lifted) <= p.settings.fleeting_ms
                && !p.handling.pieces.iter().any(meanwhile)
        })
    };
    enemies.into_iter().all(brief)
}

/// In Chess960 the rook was touched before the king. Where the king stays, no king is touched.
fn rook_first_in_chess960(p: &Played<'_>) -> Option<Breach> {
    let Move::Castle { king, .. } = p.m else {
        return None;
    };
    let certainty = match p.settings.chess960_rook_first {
        RookFirst::Possible => Certainty::Possible,
        RookFirst::Likely => Certainty::Likely,
        RookFirst::Ignore => return None,
    };
    if !p.is_chess960() || origin(p.m) != Some(king) {
        return None;
    }
    let touches = p.handling.touches(p.settings.skew_ms, |h| {
        p.counts(h).then(|| h.touched()).flatten()
    });
    let allowed = permitted_where(p.before, p.legal(), &touches, p.laws, true);
    let code = Code::CastlingRookFirst;
    (!allowed.moves.contains(&p.m)).then(|| {
        p.breach(
            code,
            certainty,
            binding_squares(p, code, &allowed),
            allowed.moves,
        )
    })
}

/// A king that stood on its new square before it was read to leave the old one: which of the two
/// pieces was touched first is not known.
fn king_lift_unknown(p: &Played<'_>) -> bool {
    let Move::Castle { king, rook } = p.m else {
        return false;
    };
    let Some(rook) = p.handling.of(rook).filter(|_| origin(p.m) == Some(king)) else {
        return false;
    };
    let Some(king) = p.handling.of(king) else {
        return true;
    };
    // What no king was in the air for was put there by the hand that holds the rook, as far as such
    // sensors tell.
    let filled = |c: &Contact| c.square == arrival(p.m) && c.from < king.lifted;
    king.contacts.is_empty() || (p.class != SensorClass::Piece && rook.contacts.iter().any(filled))
}

/// Castling with both pieces in the air at once: the king may have been lifted first and read late.
fn king_read_late(p: &Played<'_>) -> bool {
    let Move::Castle { king, rook } = p.m else {
        return false;
    };
    let (Some(king), Some(rook)) = (p.handling.of(king), p.handling.of(rook)) else {
        return false;
    };
    let landed = rook
        .contacts
        .first()
        .is_some_and(|c| c.from + p.settings.skew_ms < king.lifted);
    !landed && king.lifted.since(rook.lifted) <= p.settings.reread_ms
}

/// The same touches, the pieces of the move first among those whose order is unknown: the player
/// has the benefit.
fn favouring(touches: &[Touch], m: Move) -> Vec<Touch> {
    let first = |t: &Touch| m.from() == Some(t.square) || victim_square(m) == Some(t.square);
    touches
        .iter()
        .map(|t| Touch {
            rank: t.rank * 2 + u32::from(!first(t)),
            ..*t
        })
        .collect()
}

/// The permitted moves; a piece already released on one of their squares stays there (4.7).
fn narrowed(p: &Played<'_>, allowed: &Permitted) -> Vec<Move> {
    let standing = p
        .handling
        .pieces
        .iter()
        .filter(|h| p.is_own(h))
        .find_map(|h| {
            let c = h
                .contacts
                .last()
                .filter(|c| c.to.is_none() && c.other_lifted.is_some())?;
            allowed
                .moves
                .iter()
                .find(|m| origin(**m) == Some(h.home) && arrival(**m) == c.square)
                .copied()
        });
    match standing {
        Some(m) => alloc::vec![m],
        None => allowed.moves.clone(),
    }
}

fn touch_code(p: &Played<'_>, allowed: &Permitted, touches: &[Touch]) -> Code {
    let rank = |sq: Square| touches.iter().find(|t| t.square == sq).map(|t| t.rank);
    if let Move::Castle { king, rook } = p.m
        && !p.is_chess960()
        && let (Some(k), Some(r)) = (rank(king), rank(rook))
        && r < k
    {
        return Code::CastlingRookFirst;
    }
    match allowed.duty {
        Duty::Castle => Code::CastlingNotCompleted,
        Duty::CaptureWithTouched => Code::TouchMoveBothColours,
        _ if allowed.moves_one_piece() => Code::TouchMoveOwnPiece,
        _ => Code::TouchMoveOpponentPiece,
    }
}

/// The squares whose touch is the breach.
fn binding_squares(p: &Played<'_>, code: Code, allowed: &Permitted) -> Vec<Square> {
    let Some(&first) = allowed.moves.first() else {
        return Vec::new();
    };
    let origin = first.from().into_iter();
    match code {
        Code::TouchMoveOpponentPiece => victim_square(first).into_iter().collect(),
        Code::TouchMoveBothColours => origin.chain(victim_square(first)).collect(),
        Code::CastlingRookFirst | Code::CastlingNotCompleted => match (p.m, first) {
            (Move::Castle { king, rook }, _) | (_, Move::Castle { king, rook }) => {
                alloc::vec![rook, king]
            }
            _ => origin.collect(),
        },
        _ => origin.collect(),
    }
}

/// A piece that stood on a legal square and did not stay there (4.7).
fn released(p: &Played<'_>) -> Option<Breach> {
    let own = p
        .handling
        .pieces
        .iter()
        .filter(|h| p.is_own(h) && h.touched().is_some());
    let found = own.flat_map(|h| h.contacts.iter().filter_map(move |c| release(p, h, c)));
    found
        .max_by_key(|(certainty, ..)| *certainty)
        .map(|(certainty, square, required)| {
            p.breach(
                Code::ReleasedPieceMovedAgain,
                certainty,
                alloc::vec![square],
                required,
            )
        })
}

/// How likely it is that `h` was let go at contact `c`, and the moves that then bind.
fn release(p: &Played<'_>, h: &Handled, c: &Contact) -> Option<(Certainty, Square, Vec<Move>)> {
    let left = c.to?;
    let ended_there = origin(p.m) == Some(h.home) && arrival(p.m) == c.square;
    if c.square == h.home || ended_there {
        return None;
    }
    let lands = |m: &&Move| origin(**m) == Some(h.home) && arrival(**m) == c.square;
    let moves: Vec<Move> = p.legal().iter().filter(lands).copied().collect();
    if moves.is_empty() {
        return None;
    }
    let stood = left.since(c.from);
    // A victim that leaves the board as the slide goes on proves no release.
    let other = c.other_lifted.is_some_and(|after| {
        after >= p.settings.release_other_lift_ms && stood > after + p.settings.skew_ms
    });
    let taken_back = h.back_since().is_some() && !p.belongs(h) && stood >= p.settings.announce_ms;
    let certainty = match () {
        () if other || taken_back => Certainty::Likely,
        () if stood > p.settings.release_ms => Certainty::Possible,
        () => return None,
    };
    Some((certainty, c.square, moves))
}

/// The piece was put down before the pawn was taken up: until 2009 some arbiters held the order
/// against the player.
fn promotion_order(p: &Played<'_>) -> Option<Breach> {
    let (from, to) = (p.m.promotion().and(p.m.from())?, p.m.to());
    if p.laws.promotion_in_any_order || p.settings.promotion_order == PromotionOrder::Tolerate {
        return None;
    }
    let lifted = p
        .log
        .iter()
        .find(|c| c.square == from && c.symbol == Symbol::Empty)?;
    let put = p
        .log
        .iter()
        .find(|c| c.square == to && c.symbol != Symbol::Empty)?;
    let first = put.at + p.settings.skew_ms < lifted.at;
    first.then(|| {
        p.breach(
            Code::PromotionOrder,
            Certainty::Likely,
            alloc::vec![to],
            Vec::new(),
        )
    })
}

/// On boards that see pieces: another promoted piece touched the square first (4.4.4). Until 2001
/// the choice was final only when the piece was released, which no board sees: a long rest makes it
/// possible, no more.
fn promotion_changed(p: &Played<'_>) -> Option<Breach> {
    let (role, to) = (p.m.promotion()?, p.m.to());
    if p.class != SensorClass::Piece {
        return None;
    }
    let chosen = |c: &&Change| match c.symbol {
        Symbol::Piece(piece) if c.square == to && piece.color == p.before.turn() => {
            piece.role != Role::Pawn && piece.role != Role::King
        }
        _ => false,
    };
    let first = p.log.iter().find(chosen)?;
    let Symbol::Piece(Piece { role: touched, .. }) = first.symbol else {
        return None;
    };
    let taken_up = p
        .log
        .iter()
        .find(|c| c.square == to && c.at > first.at)
        .map_or(p.made_at, |c| c.at);
    let certainty = match () {
        () if touched == role => return None,
        () if p.laws.promotion_final_by_touch => Certainty::Certain,
        () if taken_up.since(first.at) > p.settings.release_ms => Certainty::Possible,
        () => return None,
    };
    let same = |m: &&Move| m.from() == p.m.from() && m.to() == to && m.promotion() == Some(touched);
    let required = p.legal().iter().filter(same).copied().collect();
    Some(p.breach(
        Code::PromotionChoiceChanged,
        certainty,
        alloc::vec![to],
        required,
    ))
}
