//! What the Laws attach to each breach.

use crate::laws::{EmptyPress, Laws, Rule};
use crate::said::irregularity::{Article, Code};

/// Whether a breach is one of the completed illegal moves that are counted together (7.5.5).
#[derive(Clone, Copy)]
enum Counted {
    /// In every edition.
    Always,
    /// Where a press without a move counts as one.
    AsEmptyPress,
    /// Where a move made with two hands counts as one.
    AsTwoHands,
    /// In none.
    Never,
}

/// The rule that a breach offends, and whether it is counted.
#[rustfmt::skip]
const fn entry(code: Code) -> (Rule, Counted) {
    match code {
        Code::MovedOutOfTurn => (Rule::Turn, Counted::Never),
        Code::AdjustOutOfTurn => (Rule::Adjust, Counted::Never),
        Code::TouchMoveOwnPiece => (Rule::TouchedOwn, Counted::Never),
        Code::TouchMoveOpponentPiece => (Rule::TouchedEnemy, Counted::Never),
        Code::TouchMoveBothColours => (Rule::TouchedBoth, Counted::Never),
        Code::CastlingNotCompleted => (Rule::Castle, Counted::Never),
        Code::CastlingRookFirst => (Rule::RookFirst, Counted::Never),
        Code::PromotionChoiceChanged => (Rule::PromotionFinal, Counted::Never),
        Code::PromotionOrder => (Rule::PromotionOrder, Counted::Never),
        Code::ReleasedPieceMovedAgain => (Rule::Released, Counted::Never),
        Code::ClockPressedTooEarly => (Rule::EarlyPress, Counted::Never),
        Code::ClockOtherHand => (Rule::OtherHand, Counted::Never),
        Code::ClockStoppedWithoutReason => (Rule::ClockStopped, Counted::Never),
        Code::PositionSetupWrong => (Rule::SetupWrong, Counted::Never),
        Code::BoardOrientationWrong => (Rule::Orientation, Counted::Never),
        Code::ColoursReversed => (Rule::ColoursReversed, Counted::Never),
        Code::PieceDisplaced => (Rule::Displaced, Counted::Never),
        Code::DisplacementFoundLater => (Rule::DisplacedLater, Counted::Never),
        Code::IllegalMove => (Rule::IllegalMove, Counted::Always),
        Code::PawnNotPromoted => (Rule::PawnLeft, Counted::Always),
        Code::ClockPressedWithoutMove => (Rule::EmptyPress, Counted::AsEmptyPress),
        Code::TwoHands => (Rule::TwoHands, Counted::AsTwoHands),
        Code::IllegalPositionStanding => (Rule::Standing, Counted::Never),
        Code::DrawClaimAfterTouch => (Rule::TouchLosesClaim, Counted::Never),
        Code::IncorrectDrawClaim => (Rule::WrongClaim, Counted::Never),
        Code::OpponentTouchedPiecesOutOfTurn => (Rule::Disturbing, Counted::Never),
    }
}

impl Laws {
    /// The rule that a breach offends.
    pub fn rule_of_code(code: Code) -> Rule {
        entry(code).0
    }

    /// The article that a breach offends. Where an edition has no clause of its own, the one it
    /// follows from.
    pub fn article_of_code(&self, code: Code) -> Article {
        self.article(Laws::rule_of_code(code))
    }

    /// Whether a breach of this kind is one of the completed illegal moves that are counted
    /// together.
    pub fn counts(&self, code: Code) -> bool {
        match entry(code).1 {
            Counted::Always => true,
            Counted::AsEmptyPress => self.empty_press == EmptyPress::Illegal,
            Counted::AsTwoHands => self.two_hands_illegal,
            Counted::Never => false,
        }
    }
}
