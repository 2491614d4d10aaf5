//! The catalogue of irregularities, in article order. Texts live in `Display` and nowhere else.

use core::fmt;

use serde::{Deserialize, Serialize};

/// A breach of the Laws that a board can show or that somebody reports. Names are those of event
/// scripts. Articles are those of 2023; [`crate::laws`] knows the others.
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

impl Code {
    /// Every code, in the order of articles.
    pub const ALL: [Code; 26] = [
        Code::MovedOutOfTurn,
        Code::AdjustOutOfTurn,
        Code::TouchMoveOwnPiece,
        Code::TouchMoveOpponentPiece,
        Code::TouchMoveBothColours,
        Code::CastlingNotCompleted,
        Code::CastlingRookFirst,
        Code::PromotionChoiceChanged,
        Code::PromotionOrder,
        Code::ReleasedPieceMovedAgain,
        Code::ClockPressedTooEarly,
        Code::ClockOtherHand,
        Code::ClockStoppedWithoutReason,
        Code::PositionSetupWrong,
        Code::BoardOrientationWrong,
        Code::ColoursReversed,
        Code::PieceDisplaced,
        Code::DisplacementFoundLater,
        Code::IllegalMove,
        Code::PawnNotPromoted,
        Code::ClockPressedWithoutMove,
        Code::TwoHands,
        Code::IllegalPositionStanding,
        Code::DrawClaimAfterTouch,
        Code::IncorrectDrawClaim,
        Code::OpponentTouchedPiecesOutOfTurn,
    ];

    /// The name used in event scripts, such as `touch-move-own-piece`.
    pub fn name(self) -> &'static str {
        match self {
            Code::MovedOutOfTurn => "moved-out-of-turn",
            Code::AdjustOutOfTurn => "adjust-out-of-turn",
            Code::TouchMoveOwnPiece => "touch-move-own-piece",
            Code::TouchMoveOpponentPiece => "touch-move-opponent-piece",
            Code::TouchMoveBothColours => "touch-move-both-colours",
            Code::CastlingNotCompleted => "castling-not-completed",
            Code::CastlingRookFirst => "castling-rook-first",
            Code::PromotionChoiceChanged => "promotion-choice-changed",
            Code::PromotionOrder => "promotion-order",
            Code::ReleasedPieceMovedAgain => "released-piece-moved-again",
            Code::ClockPressedTooEarly => "clock-pressed-too-early",
            Code::ClockOtherHand => "clock-other-hand",
            Code::ClockStoppedWithoutReason => "clock-stopped-without-reason",
            Code::PositionSetupWrong => "position-setup-wrong",
            Code::BoardOrientationWrong => "board-orientation-wrong",
            Code::ColoursReversed => "colours-reversed",
            Code::PieceDisplaced => "piece-displaced",
            Code::DisplacementFoundLater => "displacement-found-later",
            Code::IllegalMove => "illegal-move",
            Code::PawnNotPromoted => "pawn-not-promoted",
            Code::ClockPressedWithoutMove => "clock-pressed-without-move",
            Code::TwoHands => "two-hands",
            Code::IllegalPositionStanding => "illegal-position-standing",
            Code::DrawClaimAfterTouch => "draw-claim-after-touch",
            Code::IncorrectDrawClaim => "incorrect-draw-claim",
            Code::OpponentTouchedPiecesOutOfTurn => "opponent-touched-pieces-out-of-turn",
        }
    }

    /// Whether it is a breach of the act of moving (Article 4): the claim to it ends when the
    /// claimant touches a piece, and upheld it takes the move back.
    pub fn is_of_moving(self) -> bool {
        matches!(
            self,
            Code::TouchMoveOwnPiece
                | Code::TouchMoveOpponentPiece
                | Code::TouchMoveBothColours
                | Code::CastlingNotCompleted
                | Code::CastlingRookFirst
                | Code::PromotionChoiceChanged
                | Code::ReleasedPieceMovedAgain
        )
    }

    /// Whether it is a completed illegal move in the narrow sense: what it left on the board is no
    /// legal position of the game.
    pub fn is_illegal_move(self) -> bool {
        matches!(self, Code::IllegalMove | Code::PawnNotPromoted)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

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

impl Reason {
    /// Every reason, in the order of a look at the board.
    pub const ALL: [Reason; 10] = [
        Reason::PieceCannotMoveSo,
        Reason::OwnKingInCheck,
        Reason::CastlingIllegal,
        Reason::CastlingHalfDone,
        Reason::EnPassantLate,
        Reason::EnPassantVictimLeft,
        Reason::TwoPiecesMoved,
        Reason::KingCaptured,
        Reason::PromotionBadPiece,
        Reason::Other,
    ];
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
    /// Every account that explains the evidence contains it.
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
