//! Article 4, the act of moving: what touches oblige to, and whether a move that stands was
//! permitted after what was touched. Nothing else in the program knows Articles 4.2 to 4.7.
//!
//! The presumption of regularity decides the certainty: a touch is sure when the piece was moved or
//! stood elsewhere, likely when it was lifted and put back (without a clock possible: whose hand it
//! was, nothing tells); a release is likely when another piece was lifted meanwhile or the piece
//! was taken back, possible when only time speaks for it.

mod castling;
pub mod obligation;
mod promotion;
mod released;
pub(crate) mod required;
mod touch_move;

use alloc::vec::Vec;
use core::cell::OnceCell;

use shakmaty::{Bitboard, Chess, Color, Move, Position, Square};

use crate::chess::moves::{squares_of, victim_square};
use crate::judge::handling::{Handled, Handling};
use crate::laws::{Laws, Rule};
use crate::said::irregularity::{Certainty, Code, Reason};
use crate::said::settings::Settings;
use crate::said::symbol::SensorClass;
use crate::said::time::Time;
use crate::sense::changes::SquareChange;
use obligation::{Permitted, Touch, permitted};

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

impl Breach {
    /// The rule that it offends. A king that was released two squares towards a rook has a clause
    /// of its own (4.7.2), in some editions a pawn released on the last rank too.
    pub(crate) fn rule(&self, laws: &Laws) -> Rule {
        let rule = Laws::rule_of_code(self.code);
        match &self.required {
            Some(moves) if rule == Rule::Released => {
                if moves.iter().all(|m| m.is_castle()) {
                    Rule::CastlingCommitted
                } else if laws.pawn_commits && moves.iter().all(|m| m.is_promotion()) {
                    Rule::PromotionMade
                } else {
                    rule
                }
            }
            _ => rule,
        }
    }
}

/// What a ruling left for the replacement move.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Bound {
    /// The ply that it is left for.
    pub(crate) ply: usize,
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
    pub(crate) log: &'a [SquareChange],
    /// Squares that were found empty when the whole board was looked at: when they were left,
    /// nobody knows.
    pub(crate) found: Bitboard,
    pub(crate) class: SensorClass,
    /// Whether a clock tells when the opponent was done with his turn.
    pub(crate) clock: bool,
    /// When the opponent pressed for the move that this one answers, if he did.
    pub(crate) answered: Option<Time>,
    pub(crate) bound: Option<&'a Bound>,
    pub(crate) settings: &'a Settings,
    pub(crate) laws: &'a Laws,
}

/// The breaches of Article 4 in a ply, in article order.
pub(crate) fn article_4(p: &Played<'_>) -> Vec<Breach> {
    let mut breaches = Vec::new();
    match p.bound {
        Some(bound) => breaches.extend(against_ruling(p, bound)),
        None => breaches.extend(touch_move::breach(p).or_else(|| castling::rook_first(p))),
    }
    breaches.extend(promotion::changed(p));
    breaches.extend(promotion::order(p));
    breaches.extend(released::breach(p));
    breaches.sort_by_key(|b| b.code);
    breaches
}

/// None of the moves was played that a ruling had left.
fn against_ruling(p: &Played<'_>, bound: &Bound) -> Option<Breach> {
    if bound.moves.contains(&p.m) {
        return None;
    }
    let squares = p.m.from().into_iter().collect();
    let required = bound.moves.clone();
    Some(p.breach(bound.code, Certainty::Certain, squares, required))
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
        if self.is_own(h) {
            squares_of(self.m).contains(h.home)
        } else {
            victim_square(self.m) == Some(h.home)
        }
    }

    /// Whether a piece's lift counts as a touch by the player having the move.
    fn counts(&self, h: &Handled) -> bool {
        self.belongs(h)
            || (h.lifted <= self.made_at && h.back_since().is_some_and(|t| t <= self.made_at))
    }

    /// Whether the man of `home` stood elsewhere in this turn and is back, and so is one of the
    /// opponent's that no move takes up with it: something was shown with them, by whomever.
    fn was_shown(&self, home: Square) -> bool {
        let back = |h: &Handled| h.stood_elsewhere() && h.back_since().is_some();
        let own = |h: &Handled| self.is_own(h) && h.home == home && back(h);
        let other = |h: &Handled| !self.is_own(h) && !self.are_taken_up_together(home, h.home);
        let pieces = &self.handling.pieces;
        pieces.iter().any(own) && pieces.iter().any(|h| other(h) && back(h))
    }

    /// Whether some legal move takes up what stands on both squares.
    fn are_taken_up_together(&self, a: Square, b: Square) -> bool {
        let takes_up = |m: &Move, sq| match *m {
            Move::Castle { king, rook } => king == sq || rook == sq,
            _ => m.from() == Some(sq) || victim_square(*m) == Some(sq),
        };
        let mut moves = self.legal().iter();
        moves.any(|m| takes_up(m, a) && takes_up(m, b))
    }

    /// What the player touched.
    fn touches(&self) -> Vec<Touch> {
        self.handling.touches(self.settings.skew_ms, |h| {
            h.touched().filter(|_| self.counts(h))
        })
    }

    /// What `touches` left him to play.
    fn permitted(&self, touches: &[Touch]) -> Permitted {
        permitted(self.before, self.legal(), touches, self.laws)
    }
}
