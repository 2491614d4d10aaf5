//! Which phrases fit: what the edition says of a breach, and what is to be done about it in this
//! class of play.

use alloc::vec::Vec;

use crate::laws::{EmptyPress, Laws, Offence, PawnLeft, Redress, Rule, of};
use crate::said::input::TimeClass;
use crate::said::irregularity::{Article, Certainty, Code};
use crate::said::ruling::{ClaimWindow, PenaltyEnd};

use super::Case;
use super::Played;
use super::phrase::{Act, Law};

impl Case<'_> {
    pub(super) fn laws(&self) -> &'static Laws {
        of(self.setup.laws)
    }

    pub(super) fn offence(&self) -> Offence {
        self.laws().offence(self.setup.class, self.setup.supervised)
    }

    /// What the edition says of it.
    pub(super) fn law(&self) -> Law {
        let laws = self.laws();
        let has_rule = laws.find_article(Laws::rule_of_code(self.code)).is_some();
        let first_of = |yes: bool, one: Law, other: Law| if yes { one } else { other };
        match self.code {
            Code::ClockPressedWithoutMove => match laws.empty_press {
                EmptyPress::Illegal => Law::EmptyPressIllegal,
                EmptyPress::Conduct => Law::EmptyPressConduct,
                EmptyPress::Nothing => Law::Silent,
            },
            _ if !has_rule => Law::Silent,
            Code::TouchMoveOwnPiece => Law::TouchedOwn,
            Code::TouchMoveOpponentPiece => Law::TouchedEnemy,
            Code::TouchMoveBothColours => Law::TouchedBoth,
            Code::CastlingNotCompleted => Law::Castle,
            Code::CastlingRookFirst => first_of(
                laws.castling_clauses,
                Law::RookFirst,
                Law::FirstTouchedMoves,
            ),
            Code::PromotionChoiceChanged => first_of(
                laws.promotion_final_by_touch,
                Law::PromotionByTouch,
                Law::PromotionByRelease,
            ),
            Code::PromotionOrder => first_of(
                laws.promotion_in_any_order,
                Law::AnyOrder,
                Law::PawnOffFirst,
            ),
            Code::ReleasedPieceMovedAgain => first_of(
                self.article == laws.article(Rule::Released),
                Law::Released,
                Law::CastlingCommitted,
            ),
            Code::PieceDisplaced => first_of(
                laws.displaced_own_time,
                Law::DisplacedOwnTime,
                Law::Displaced,
            ),
            Code::DisplacementFoundLater => first_of(
                laws.annuls,
                Law::DisplacedLaterAnnulled,
                Law::DisplacedLater,
            ),
            Code::IllegalMove => Law::IllegalUndone,
            Code::PawnNotPromoted => first_of(
                laws.pawn_left == PawnLeft::Queen,
                Law::PawnQueen,
                Law::PawnUndone,
            ),
            Code::MovedOutOfTurn => Law::Turn,
            Code::AdjustOutOfTurn => Law::Adjust,
            Code::ClockPressedTooEarly => Law::EarlyPress,
            Code::ClockOtherHand => Law::OtherHand,
            Code::ClockStoppedWithoutReason => Law::ClockStopped,
            Code::PositionSetupWrong => first_of(
                self.setup_moves().is_some(),
                Law::SetupLimited,
                Law::SetupAnew,
            ),
            Code::BoardOrientationWrong => Law::Orientation,
            Code::ColoursReversed => first_of(
                laws.colours_reversed_until.is_some(),
                Law::ColoursRestart,
                Law::ColoursArbiter,
            ),
            Code::TwoHands if self.article == laws.article(Rule::OneHand) => Law::OneHand,
            Code::TwoHands => first_of(
                laws.two_hands_need_press,
                Law::TwoHandsCompleted,
                Law::TwoHandsIllegal,
            ),
            Code::IllegalPositionStanding => first_of(
                laws.unsupervised.arbiter_steps_in,
                Law::StandingStepIn,
                Law::StandingDrawn,
            ),
            Code::DrawClaimAfterTouch => first_of(
                laws.touch_loses_draw_claim,
                Law::TouchLosesClaim,
                Law::MoveLosesClaim,
            ),
            Code::IncorrectDrawClaim => Law::WrongClaim,
            Code::OpponentTouchedPiecesOutOfTurn => Law::Disturbing,
        }
    }

    pub(super) fn setup_moves(&self) -> Option<u32> {
        self.laws()
            .setup_moves(self.setup.class, self.setup.supervised)
    }

    /// What to do, in order. What only a human can know is asked first; what is only likely is
    /// heard first.
    pub(super) fn acts(&self) -> Vec<Act> {
        let mut acts = Vec::new();
        match (self.certainty, self.code) {
            (Certainty::Possible, _) => return alloc::vec![Act::Ask],
            (Certainty::Likely, Code::PieceDisplaced) => acts.push(Act::CheckSquares),
            (Certainty::Likely, code) if code.is_of_moving() => acts.push(Act::HearFirst),
            (Certainty::Likely, _) => acts.push(Act::Hear),
            (Certainty::Certain, _) => {}
        }
        if self.code.is_of_moving() {
            self.of_moving(&mut acts);
        } else if self.laws().counts(self.code) && self.law() != Law::OneHand {
            self.of_illegal_moves(&mut acts);
        } else {
            acts.extend(self.of_conduct());
        }
        acts
    }

    /// A breach of Article 4: upheld, it takes the move back.
    fn of_moving(&self, acts: &mut Vec<Act>) {
        acts.push(if self.is_free() {
            Act::TakeBackFree
        } else {
            Act::TakeBack
        });
        let lapses = self.laws().touch_loses_claim;
        match self.claim {
            Some(claim) if lapses && !claim.open => acts.push(Act::ClaimGone),
            Some(_) if lapses && self.offence().redress == Redress::OnClaim => {
                acts.push(Act::OnRequest)
            }
            Some(_) if lapses => acts.push(Act::UntilTouch),
            _ => {}
        }
    }

    /// A completed illegal move: what is put right, what it costs, who may act and until when.
    fn of_illegal_moves(&self, acts: &mut Vec<Act>) {
        let offence = self.offence();
        let on_claim = offence.redress == Redress::OnClaim;
        let steps_in = on_claim && self.arbiter_steps_in();
        match () {
            () if steps_in => acts.push(Act::StepIn),
            () if on_claim && offence.loses == Some(1) => acts.push(Act::MayClaimWin),
            () if on_claim => acts.push(Act::OnlyOnClaim),
            () => {}
        }
        match self.penalty.and_then(|p| p.then) {
            Some(PenaltyEnd::Loss) => acts.push(Act::Loses),
            Some(PenaltyEnd::Draw) => acts.push(Act::Drawn),
            None => {
                self.put_right(acts);
                match self.penalty {
                    Some(_) => acts.push(Act::GiveTime),
                    None if offence.opponent_ms == 0 && offence.loses.is_none() => {
                        acts.push(Act::NoTime)
                    }
                    None => {}
                }
            }
        }
        if offence.redress == Redress::UntilReply {
            acts.push(Act::StandsAfterReply);
        }
    }

    /// In rapid without full supervision the arbiter of 2009 acts by himself on a pawn left
    /// standing (A.4c); in blitz it is a claim to the win (B.3c).
    fn arbiter_steps_in(&self) -> bool {
        self.laws().unsupervised.arbiter_steps_in
            && self.setup.class == TimeClass::Rapid
            && self.code == Code::PawnNotPromoted
    }

    fn put_right(&self, acts: &mut Vec<Act>) {
        let replacement = if self.is_free() {
            Act::PlayLegal
        } else {
            Act::MustPlay
        };
        match self.code {
            Code::PawnNotPromoted if self.laws().pawn_left == PawnLeft::Queen => {
                acts.push(Act::PutQueen)
            }
            Code::PawnNotPromoted => acts.push(Act::PromoteAgain),
            Code::ClockPressedWithoutMove if self.is_free() => acts.push(Act::StillToMove),
            Code::ClockPressedWithoutMove => acts.extend([Act::StillToMove, Act::MustPlay]),
            Code::TwoHands => acts.push(Act::AsIllegal),
            _ => acts.extend([Act::StopRestore, replacement]),
        }
    }

    fn of_conduct(&self) -> Vec<Act> {
        let only = |act: Act| alloc::vec![act];
        match self.code {
            Code::PieceDisplaced if self.laws().displaced_own_time => only(Act::PutRightOwnTime),
            Code::PieceDisplaced => only(Act::PutBack),
            Code::DisplacementFoundLater => only(Act::RestoreLast),
            Code::MovedOutOfTurn => alloc::vec![Act::PutBack, Act::Warn],
            Code::PromotionOrder => only(Act::PromotionStands),
            Code::PositionSetupWrong | Code::BoardOrientationWrong | Code::ColoursReversed => {
                self.of_the_start()
            }
            Code::IllegalPositionStanding => match self.law() {
                Law::StandingDrawn => only(Act::WaitOneMove),
                Law::StandingStepIn => only(Act::EndTheStanding),
                _ => only(Act::Decide),
            },
            Code::DrawClaimAfterTouch => only(Act::RefuseClaim),
            // That another move was played than the one written down costs nothing more.
            Code::IncorrectDrawClaim if self.penalty.is_none() && self.played != Played::NotYet => {
                only(Act::Decide)
            }
            Code::IncorrectDrawClaim => {
                let time = (self.minutes() > 0).then_some(Act::GiveTime);
                let next = if self.is_free() {
                    Act::GoOn
                } else {
                    Act::MustPlay
                };
                time.into_iter().chain([next]).collect()
            }
            Code::OpponentTouchedPiecesOutOfTurn => alloc::vec![Act::PutBack, Act::NotBound],
            Code::ClockPressedWithoutMove => alloc::vec![Act::StillToMove, Act::Warn],
            _ => only(Act::Warn),
        }
    }

    /// Pieces, board or colours were wrong from the start: it matters until so many moves are made,
    /// where the Laws set a limit.
    fn of_the_start(&self) -> Vec<Act> {
        let right = self
            .claim
            .filter(|right| matches!(right.until, ClaimWindow::Moves(_)));
        let remedy = match self.code {
            Code::BoardOrientationWrong => Act::Transfer,
            Code::PositionSetupWrong if right.is_some() => Act::AnewWhileClaimable,
            Code::ColoursReversed if right.is_none() => Act::GoOnOrNot,
            _ => Act::NewGame,
        };
        match right {
            Some(right) if !right.open => alloc::vec![Act::StartStands],
            Some(_) => alloc::vec![remedy, Act::UntilMoves],
            None => alloc::vec![remedy],
        }
    }

    /// Where it stands until when it can be claimed.
    pub(super) fn claim_article(&self) -> Article {
        let rule = match self.code {
            Code::PositionSetupWrong | Code::BoardOrientationWrong => Rule::ThinSetup,
            Code::ColoursReversed => Rule::ColoursReversed,
            _ => Rule::ClaimLost,
        };
        self.laws().article(rule)
    }

    pub(super) fn is_free(&self) -> bool {
        self.required.is_none_or(<[_]>::is_empty)
    }

    /// Minutes for the opponent.
    pub(super) fn minutes(&self) -> u64 {
        let wrong_claim = self.code == Code::IncorrectDrawClaim;
        let ms = if wrong_claim {
            self.laws().wrong_claim_ms.of(self.setup.class)
        } else {
            self.penalty.map_or(0, |p| p.opponent_ms)
        };
        ms / 60_000
    }

    /// Where the penalty stands.
    pub(super) fn penalty_article(&self) -> Article {
        if self.code == Code::IncorrectDrawClaim {
            self.article
        } else {
            self.offence().article
        }
    }
}
