//! The catalogue of irregularities, in article order. Texts live in `Display` and nowhere else.

use core::fmt;

use serde::{Deserialize, Serialize};

/// A breach of the Laws that a board can show. Names are those of event scripts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Code {
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
    /// 4.7: a piece released on a legal square was moved again.
    ReleasedPieceMovedAgain,
    /// 7.4: pieces stand where no move put them.
    PieceDisplaced,
    /// 7.5.1: a move that the Laws do not allow was completed.
    IllegalMove,
    /// 7.5.2: a pawn on the last rank was not replaced.
    PawnNotPromoted,
    /// 7.5.3: the clock was pressed without a move.
    ClockPressedWithoutMove,
}

impl Code {
    /// The name used in event scripts, such as `touch-move-own-piece`.
    pub fn name(self) -> &'static str {
        match self {
            Code::TouchMoveOwnPiece => "touch-move-own-piece",
            Code::TouchMoveOpponentPiece => "touch-move-opponent-piece",
            Code::TouchMoveBothColours => "touch-move-both-colours",
            Code::CastlingNotCompleted => "castling-not-completed",
            Code::CastlingRookFirst => "castling-rook-first",
            Code::PromotionChoiceChanged => "promotion-choice-changed",
            Code::ReleasedPieceMovedAgain => "released-piece-moved-again",
            Code::PieceDisplaced => "piece-displaced",
            Code::IllegalMove => "illegal-move",
            Code::PawnNotPromoted => "pawn-not-promoted",
            Code::ClockPressedWithoutMove => "clock-pressed-without-move",
        }
    }

    /// Whether the clock is restarted, the opponent gets time and the offence is counted (7.5.5).
    pub fn is_penalised(self) -> bool {
        matches!(self, Code::IllegalMove | Code::PawnNotPromoted | Code::ClockPressedWithoutMove)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why a completed move is illegal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
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

/// How sure a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
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
#[serde(rename_all = "lowercase")]
pub enum Party {
    /// White.
    White,
    /// Black.
    Black,
    /// One of the two; which is not known.
    Either,
}

impl From<shakmaty::Color> for Party {
    fn from(c: shakmaty::Color) -> Party {
        c.fold_wb(Party::White, Party::Black)
    }
}

/// An article of the Laws, such as `4.3.1`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(transparent)]
pub struct Article(pub &'static str);

impl fmt::Display for Article {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}
