//! What the edition says of a breach.

use super::Case;
use super::phrase::Law;
use crate::laws::{EmptyPress, Laws, PawnLeft, Rule};
use crate::said::irregularity::Code;

impl Case<'_> {
    /// What the edition says of it.
    pub(super) fn law(&self) -> Law {
        let laws = self.laws();
        if laws.find_article(Laws::rule_of_code(self.code)).is_none() {
            return Law::Silent;
        }
        match self.code {
            Code::MovedOutOfTurn => Law::Turn,
            Code::AdjustOutOfTurn => Law::Adjust,
            Code::TouchMoveOwnPiece => Law::TouchedOwn,
            Code::TouchMoveOpponentPiece => Law::TouchedEnemy,
            Code::TouchMoveBothColours => Law::TouchedBoth,
            Code::CastlingNotCompleted => Law::Castle,
            Code::CastlingRookFirst if laws.castling_clauses => Law::RookFirst,
            Code::CastlingRookFirst => Law::FirstTouchedMoves,
            Code::PromotionChoiceChanged if laws.promotion_final_by_touch => Law::PromotionByTouch,
            Code::PromotionChoiceChanged => Law::PromotionByRelease,
            Code::PromotionOrder if laws.promotion_in_any_order => Law::AnyOrder,
            Code::PromotionOrder => Law::PawnOffFirst,
            Code::ReleasedPieceMovedAgain if self.is_under(Rule::Released) => Law::Released,
            Code::ReleasedPieceMovedAgain if self.is_under(Rule::CastlingCommitted) => {
                Law::CastlingCommitted
            }
            Code::ReleasedPieceMovedAgain => Law::PawnCommitted,
            Code::ClockPressedTooEarly => Law::EarlyPress,
            Code::ClockOtherHand => Law::OtherHand,
            Code::ClockStoppedWithoutReason => Law::ClockStopped,
            Code::PositionSetupWrong | Code::BoardOrientationWrong | Code::ColoursReversed => {
                self.law_of_the_start()
            }
            Code::PieceDisplaced if laws.displaced_own_time => Law::DisplacedOwnTime,
            Code::PieceDisplaced => Law::Displaced,
            Code::DisplacementFoundLater if laws.annuls => Law::DisplacedLaterAnnulled,
            Code::DisplacementFoundLater => Law::DisplacedLater,
            Code::IllegalMove | Code::PawnNotPromoted => self.law_of_illegal_moves(),
            Code::ClockPressedWithoutMove | Code::TwoHands => self.law_of_illegal_moves(),
            Code::IllegalPositionStanding => self.law_of_illegal_moves(),
            Code::DrawClaimAfterTouch if laws.touch_loses_draw_claim => Law::TouchLosesClaim,
            Code::DrawClaimAfterTouch => Law::MoveLosesClaim,
            Code::IncorrectDrawClaim => Law::WrongClaim,
            Code::OpponentTouchedPiecesOutOfTurn => Law::Disturbing,
        }
    }

    /// Whether it is found under the article of `rule`.
    fn is_under(&self, rule: Rule) -> bool {
        self.article == self.laws().article(rule)
    }

    /// The same, of pieces, board or colours that were wrong from the start.
    fn law_of_the_start(&self) -> Law {
        let colours_stay = self.laws().colours_reversed_until.is_some();
        match self.code {
            Code::BoardOrientationWrong => Law::Orientation,
            Code::ColoursReversed if colours_stay => Law::ColoursRestart,
            Code::ColoursReversed => Law::ColoursArbiter,
            _ if self.setup_moves().is_some() => Law::SetupLimited,
            _ => Law::SetupAnew,
        }
    }

    /// The same, of illegal moves and what counts as one.
    fn law_of_illegal_moves(&self) -> Law {
        let laws = self.laws();
        match self.code {
            Code::PawnNotPromoted => match laws.pawn_left {
                PawnLeft::Queen => Law::PawnQueen,
                PawnLeft::Undone => Law::PawnUndone,
            },
            Code::ClockPressedWithoutMove => match laws.empty_press {
                EmptyPress::Illegal => Law::EmptyPressIllegal,
                EmptyPress::Conduct => Law::EmptyPressConduct,
                EmptyPress::Nothing => Law::Silent,
            },
            Code::TwoHands if self.is_under(Rule::OneHand) => Law::OneHand,
            Code::TwoHands if laws.two_hands_need_press => Law::TwoHandsCompleted,
            Code::TwoHands => Law::TwoHandsIllegal,
            Code::IllegalPositionStanding if laws.unsupervised.arbiter_steps_in => {
                Law::StandingStepIn
            }
            Code::IllegalPositionStanding => Law::StandingDrawn,
            _ => Law::IllegalUndone,
        }
    }
}
