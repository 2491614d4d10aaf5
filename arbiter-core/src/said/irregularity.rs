//! The catalogue of irregularities, in article order.

use core::fmt;

use serde::{Deserialize, Serialize};

use crate::listed::listed;

listed! {
    /// A breach of the Laws that a board can show or that somebody reports. Names are those of
    /// event scripts. Articles are those of 2023; [`crate::laws`] knows the others.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    #[serde(rename_all = "kebab-case")]
    pub enum Code {
        /// 1.3: a player moved while it was not his turn.
        MovedOutOfTurn,
        /// 4.2.1: an adjustment announced by the player not having the move.
        AdjustOutOfTurn,
        /// 4.3.1: an own piece was touched and another moved.
        TouchMoveOwnPiece,
        /// 4.3.2: an opponent's piece was touched and not captured.
        TouchMoveOpponentPiece,
        /// 4.3.3: a piece of each colour was touched, and one did not capture the other.
        TouchMoveBothColours,
        /// 4.4.1: king and rook were touched, and castling on that side was not played.
        CastlingNotCompleted,
        /// 4.4.2: the rook was touched before the king.
        CastlingRookFirst,
        /// 4.4.4: the promoted piece was exchanged after it had touched the square.
        PromotionChoiceChanged,
        /// 4.6: the piece was put down before the pawn was taken up, where that is disputed.
        PromotionOrder,
        /// 4.7: a piece released on a legal square was moved again.
        ReleasedPieceMovedAgain,
        /// 6.2.4: the clock was pressed before the move was made.
        ClockPressedTooEarly,
        /// 6.2.3: the clock was pressed with the other hand, hit or hovered over.
        ClockOtherHand,
        /// 6.11.4: the clocks were stopped without a reason.
        ClockStoppedWithoutReason,
        /// 7.2.1: the pieces were set up wrongly.
        PositionSetupWrong,
        /// 7.2.2: the board lies wrongly.
        BoardOrientationWrong,
        /// 7.3: the players have each other's colour.
        ColoursReversed,
        /// 7.4: pieces stand where no move put them.
        PieceDisplaced,
        /// 7.6: pieces have stood where no move put them for some time.
        DisplacementFoundLater,
        /// 7.5.1: a move that the Laws do not allow was completed.
        IllegalMove,
        /// 7.5.2: a pawn on the last rank was not replaced.
        PawnNotPromoted,
        /// 7.5.3: the clock was pressed without a move.
        ClockPressedWithoutMove,
        /// 7.5.4: a move was made with two hands.
        TwoHands,
        /// A.5.4: an illegal position stands, and the time to have it set right is over.
        IllegalPositionStanding,
        /// 9.4: a draw was claimed after a piece was touched.
        DrawClaimAfterTouch,
        /// 9.5.3: a draw claim was found wrong.
        IncorrectDrawClaim,
        /// 11.5: pieces were touched by the player not having the move.
        OpponentTouchedPiecesOutOfTurn,
    }
}

/// What sort of act a code is a breach in: each has one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    /// The act of moving (Article 4).
    Moving,
    /// A completed illegal move in the narrow sense.
    IllegalMove,
    /// Something else that is done in making a move and seen only when it is made.
    Making,
    /// What the player not having the move does.
    OutOfTurn,
    /// The claim of a draw.
    Claiming,
    /// None of these.
    Other,
}

impl Code {
    /// Its name, and the sort of act.
    #[rustfmt::skip]
    const fn entry(self) -> (&'static str, Sort) {
        match self {
            Code::MovedOutOfTurn => ("moved-out-of-turn", Sort::OutOfTurn),
            Code::AdjustOutOfTurn => ("adjust-out-of-turn", Sort::OutOfTurn),
            Code::TouchMoveOwnPiece => ("touch-move-own-piece", Sort::Moving),
            Code::TouchMoveOpponentPiece => ("touch-move-opponent-piece", Sort::Moving),
            Code::TouchMoveBothColours => ("touch-move-both-colours", Sort::Moving),
            Code::CastlingNotCompleted => ("castling-not-completed", Sort::Moving),
            Code::CastlingRookFirst => ("castling-rook-first", Sort::Moving),
            Code::PromotionChoiceChanged => ("promotion-choice-changed", Sort::Moving),
            Code::PromotionOrder => ("promotion-order", Sort::Making),
            Code::ReleasedPieceMovedAgain => ("released-piece-moved-again", Sort::Moving),
            Code::ClockPressedTooEarly => ("clock-pressed-too-early", Sort::Making),
            Code::ClockOtherHand => ("clock-other-hand", Sort::Making),
            Code::ClockStoppedWithoutReason => ("clock-stopped-without-reason", Sort::Other),
            Code::PositionSetupWrong => ("position-setup-wrong", Sort::Other),
            Code::BoardOrientationWrong => ("board-orientation-wrong", Sort::Other),
            Code::ColoursReversed => ("colours-reversed", Sort::Other),
            Code::PieceDisplaced => ("piece-displaced", Sort::Making),
            Code::DisplacementFoundLater => ("displacement-found-later", Sort::Other),
            Code::IllegalMove => ("illegal-move", Sort::IllegalMove),
            Code::PawnNotPromoted => ("pawn-not-promoted", Sort::IllegalMove),
            Code::ClockPressedWithoutMove => ("clock-pressed-without-move", Sort::Other),
            Code::TwoHands => ("two-hands", Sort::Making),
            Code::IllegalPositionStanding => ("illegal-position-standing", Sort::Other),
            Code::DrawClaimAfterTouch => ("draw-claim-after-touch", Sort::Claiming),
            Code::IncorrectDrawClaim => ("incorrect-draw-claim", Sort::Claiming),
            Code::OpponentTouchedPiecesOutOfTurn =>
                ("opponent-touched-pieces-out-of-turn", Sort::OutOfTurn),
        }
    }

    /// The name used in event scripts, such as `touch-move-own-piece`.
    pub fn name(self) -> &'static str {
        self.entry().0
    }

    /// Whether it is a breach of the act of moving (Article 4): the claim to it ends when the
    /// claimant touches a piece, and upheld it takes the move back.
    pub fn is_of_moving(self) -> bool {
        self.entry().1 == Sort::Moving
    }

    /// Whether it is a completed illegal move in the narrow sense: what it left on the board is no
    /// legal position of the game.
    pub fn is_illegal_move(self) -> bool {
        self.entry().1 == Sort::IllegalMove
    }

    /// Whether it is done in claiming a draw.
    pub fn is_of_claiming(self) -> bool {
        self.entry().1 == Sort::Claiming
    }

    /// Whether it is done in making a move and seen only when the move is made.
    pub fn is_of_making(self) -> bool {
        matches!(self.entry().1, Sort::Making | Sort::IllegalMove)
    }

    /// Whether it is something that the player not having the move does.
    pub fn is_out_of_turn(self) -> bool {
        self.entry().1 == Sort::OutOfTurn
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

listed! {
    /// Why a completed move is illegal.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    #[serde(rename_all = "kebab-case")]
    pub enum Reason {
        /// 3.2 to 3.9: the piece does not move that way.
        PieceCannotMoveSo,
        /// 3.9.2: the move leaves the own king in check.
        OwnKingInCheck,
        /// 3.8.2: castling without the right to it, or through check.
        CastlingIllegal,
        /// 4.7.2: the king was moved two squares and the rook was not.
        CastlingHalfDone,
        /// 3.7.3.1: an en passant capture later than on the very next move.
        EnPassantLate,
        /// 3.7.3.1: the pawn captured en passant was left standing.
        EnPassantVictimLeft,
        /// 1.2, 4.7: two pieces were moved.
        TwoPiecesMoved,
        /// 1.4.1: the king was captured.
        KingCaptured,
        /// 3.7.3.3: a king, a pawn or a piece of the other colour was put on the promotion square.
        PromotionBadPiece,
        /// Nothing more exact can be said.
        Other,
    }
}

/// How sure a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Certainty {
    /// Only a human can know.
    Possible,
    /// It rests on one usual assumption.
    Likely,
    /// Every hypothesis that explains the evidence contains it.
    Certain,
}

/// Whom a finding is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Party {
    /// White.
    White,
    /// Black.
    Black,
    /// One of the two; which is not known.
    Either,
}

impl Party {
    /// Whether `colour` is meant, alone or among both.
    pub fn includes(self, colour: shakmaty::Color) -> bool {
        self == Party::Either || self == colour.into()
    }
}

impl From<shakmaty::Color> for Party {
    fn from(c: shakmaty::Color) -> Party {
        c.fold_wb(Party::White, Party::Black)
    }
}

/// An article of the Laws, such as `4.3.1`. In output it is flattened: `article`, and
/// `article_unconfirmed` where the number was not read in the text of the edition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Article {
    /// The number of the article in the edition in force; `none` where it has none.
    #[serde(rename = "article")]
    pub number: &'static str,
    /// Recalled, not read in the text of the edition.
    #[serde(rename = "article_unconfirmed", skip_serializing_if = "is_confirmed")]
    pub unconfirmed: bool,
}

fn is_confirmed(unconfirmed: &bool) -> bool {
    !unconfirmed
}

impl Article {
    /// An article whose number is certain.
    pub const fn new(number: &'static str) -> Article {
        Article {
            number,
            unconfirmed: false,
        }
    }
}

impl fmt::Display for Article {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.number)
    }
}
