//! Editions of the Laws as data: which article says what, what a rule does, and what a breach
//! costs.
//!
//! Nothing here decides anything. [`of`] gives the rule set of an edition; the rooms that judge ask
//! it.

mod articles;
mod editions;
mod penalties;

pub use articles::Rule;
pub use editions::{Completion, EmptyPress, Laws, PawnLeft, Repetition, TouchedBoth, of};
pub use penalties::{ByClass, Offence, Redress, Sanction, Unsupervised};

use crate::said::irregularity::{Article, Code};

/// What obliges a player, in the order of Article 4.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Duty {
    /// The first own piece touched must move.
    MoveTouched,
    /// The first opponent's piece touched must be captured.
    CaptureTouched,
    /// Pieces of both colours touched, the capture impossible: the own piece came first and must
    /// move.
    MoveTouchedOfBoth,
    /// Pieces of both colours touched, the capture impossible: the opponent's came first and must
    /// be captured.
    CaptureTouchedOfBoth,
    /// The own piece touched must capture the opponent's piece touched.
    CaptureWithTouched,
    /// King and rook touched: castle on that side.
    Castle,
    /// Rook touched before the king: no castling on that side.
    RookFirst,
    /// Castling intended but illegal: another king move, or none binds.
    CastlingIllegal,
    /// None of the touched pieces can move or be captured.
    Free,
}

impl Laws {
    /// The article that states `duty`.
    pub fn article_of_duty(&self, duty: Duty) -> Article {
        self.article(match duty {
            Duty::MoveTouched => Rule::TouchedOwn,
            Duty::CaptureTouched => Rule::TouchedEnemy,
            Duty::CaptureWithTouched | Duty::MoveTouchedOfBoth | Duty::CaptureTouchedOfBoth => {
                Rule::TouchedBoth
            }
            Duty::Castle => Rule::Castle,
            Duty::RookFirst => Rule::RookFirst,
            Duty::CastlingIllegal => Rule::CastlingIllegal,
            Duty::Free => Rule::NoneMovable,
        })
    }

    /// The article that a breach offends. Where an edition has no clause of its own, the one it
    /// follows from.
    pub fn article_of_code(&self, code: Code) -> Article {
        self.article(Laws::rule_of_code(code))
    }

    /// The rule that a breach offends.
    pub fn rule_of_code(code: Code) -> Rule {
        match code {
            Code::TouchMoveOwnPiece => Rule::TouchedOwn,
            Code::TouchMoveOpponentPiece => Rule::TouchedEnemy,
            Code::TouchMoveBothColours => Rule::TouchedBoth,
            Code::AdjustOutOfTurn => Rule::Adjust,
            Code::CastlingNotCompleted => Rule::Castle,
            Code::CastlingRookFirst => Rule::RookFirst,
            Code::PromotionChoiceChanged => Rule::PromotionFinal,
            Code::PromotionOrder => Rule::PromotionOrder,
            Code::ReleasedPieceMovedAgain => Rule::Released,
            Code::ClockPressedTooEarly => Rule::EarlyPress,
            Code::ClockOtherHand => Rule::OtherHand,
            Code::ClockStoppedWithoutReason => Rule::ClockStopped,
            Code::PositionSetupWrong => Rule::SetupWrong,
            Code::BoardOrientationWrong => Rule::Orientation,
            Code::ColoursReversed => Rule::ColoursReversed,
            Code::PieceDisplaced => Rule::Displaced,
            Code::DisplacementFoundLater => Rule::DisplacedLater,
            Code::IllegalMove => Rule::IllegalMove,
            Code::PawnNotPromoted => Rule::PawnLeft,
            Code::ClockPressedWithoutMove => Rule::EmptyPress,
            Code::TwoHands => Rule::TwoHands,
            Code::IllegalPositionStanding => Rule::Standing,
            Code::DrawClaimAfterTouch => Rule::TouchLosesClaim,
            Code::IncorrectDrawClaim => Rule::WrongClaim,
            Code::MovedOutOfTurn => Rule::Turn,
            Code::OpponentTouchedPiecesOutOfTurn => Rule::Disturbing,
        }
    }

    /// Whether a breach of this kind is one of the completed illegal moves that are counted
    /// together.
    pub fn counts(&self, code: Code) -> bool {
        match code {
            Code::IllegalMove | Code::PawnNotPromoted => true,
            Code::ClockPressedWithoutMove => self.empty_press == EmptyPress::Illegal,
            Code::TwoHands => self.two_hands_illegal,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests;
