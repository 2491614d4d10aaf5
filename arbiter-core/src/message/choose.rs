//! Which phrases fit: what is to be done about a breach in this edition and class of play.

use alloc::vec::Vec;

use crate::laws::{Laws, Offence, PawnLeft, Redress, Rule, of};
use crate::said::input::TimeClass;
use crate::said::irregularity::{Article, Certainty, Code, Party};
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

    /// Whether it was found before the game began, or where nobody has completed a move.
    pub(super) fn is_unplayed(&self) -> bool {
        match self.code {
            Code::PositionSetupWrong => self.played == Played::NotBegun,
            Code::PieceDisplaced => {
                self.by == Party::Either || matches!(self.played, Played::NotYet | Played::NotBegun)
            }
            _ => false,
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
        let Some(claim) = self.claim.filter(|_| self.laws().touch_loses_claim) else {
            return;
        };
        acts.push(if !claim.open {
            Act::ClaimGone
        } else if self.offence().redress == Redress::OnClaim {
            Act::OnRequest
        } else {
            Act::UntilTouch
        });
    }

    /// A completed illegal move: what is put right, what it costs, who may act and until when.
    fn of_illegal_moves(&self, acts: &mut Vec<Act>) {
        let offence = self.offence();
        if offence.redress == Redress::OnClaim {
            acts.push(if self.arbiter_steps_in() {
                Act::StepIn
            } else if offence.loses == Some(1) {
                Act::MayClaimWin
            } else {
                Act::OnlyOnClaim
            });
        }
        let free = offence.opponent_ms == 0 && offence.loses.is_none();
        match self.penalty.map(|p| p.then) {
            Some(Some(PenaltyEnd::Loss)) => acts.push(Act::Loses),
            Some(Some(PenaltyEnd::Draw)) => acts.push(Act::Drawn),
            Some(None) => {
                self.put_right(acts);
                acts.push(Act::GiveTime);
            }
            None => {
                self.put_right(acts);
                acts.extend(free.then_some(Act::NoTime));
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
        let act = match self.code {
            Code::PieceDisplaced if self.laws().displaced_own_time => Act::PutRightOwnTime,
            Code::PieceDisplaced => Act::PutBack,
            Code::DisplacementFoundLater => Act::RestoreLast,
            // Answered, it stands as the next move of who made it: nothing is put back then.
            Code::MovedOutOfTurn => return alloc::vec![Act::PutBackUnanswered, Act::Warn],
            Code::PromotionOrder => Act::PromotionStands,
            Code::PositionSetupWrong | Code::BoardOrientationWrong | Code::ColoursReversed => {
                return self.of_the_start();
            }
            Code::IllegalPositionStanding => match self.law() {
                Law::StandingDrawn => Act::WaitOneMove,
                Law::StandingStepIn => Act::EndTheStanding,
                _ => Act::Decide,
            },
            Code::DrawClaimAfterTouch => Act::RefuseClaim,
            Code::IncorrectDrawClaim => return self.of_wrong_claim(),
            Code::OpponentTouchedPiecesOutOfTurn => {
                return alloc::vec![Act::PutBack, Act::NotBound];
            }
            Code::ClockPressedWithoutMove => return alloc::vec![Act::StillToMove, Act::Warn],
            Code::AdjustOutOfTurn
            | Code::ClockPressedTooEarly
            | Code::ClockOtherHand
            | Code::ClockStoppedWithoutReason
            | Code::TwoHands => Act::Warn,
            // These are told with what upholding them brings, or what an illegal move costs.
            Code::TouchMoveOwnPiece
            | Code::TouchMoveOpponentPiece
            | Code::TouchMoveBothColours
            | Code::CastlingNotCompleted
            | Code::CastlingRookFirst
            | Code::PromotionChoiceChanged
            | Code::ReleasedPieceMovedAgain
            | Code::IllegalMove
            | Code::PawnNotPromoted => Act::Warn,
        };
        alloc::vec![act]
    }

    /// A draw claim found wrong. That another move was played than the one written down with it
    /// costs nothing more.
    fn of_wrong_claim(&self) -> Vec<Act> {
        if self.penalty.is_none() && self.played != Played::NotYet {
            return alloc::vec![Act::Decide];
        }
        let mut acts = Vec::new();
        if self.minutes() > 0 {
            acts.push(Act::GiveTime);
        }
        acts.push(if self.is_free() {
            Act::GoOn
        } else {
            Act::MustPlay
        });
        acts
    }

    /// Pieces, board or colours were wrong from the start: it matters until so many moves are made,
    /// where the Laws set a limit.
    fn of_the_start(&self) -> Vec<Act> {
        match (self.played, self.code) {
            (Played::NotBegun, Code::BoardOrientationWrong) => return alloc::vec![Act::LayRightly],
            (Played::NotBegun, Code::PositionSetupWrong) => return alloc::vec![Act::SetUpRightly],
            _ => {}
        }
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
