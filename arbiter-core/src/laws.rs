//! Editions of the Laws as data: which article says what, and what a breach costs.

use crate::input::{Edition, TimeClass};
use crate::irregularity::{Article, Code};

/// What obliges a player, in the order of Article 4.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Duty {
    /// The first own piece touched must move.
    MoveTouched,
    /// The first opponent's piece touched must be captured.
    CaptureTouched,
    /// Pieces of both colours touched, the capture impossible: the own piece came first and must move.
    MoveTouchedOfBoth,
    /// Pieces of both colours touched, the capture impossible: the opponent's came first and must be captured.
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

/// The article that states `duty` in `edition`.
pub fn article_of_duty(edition: Edition, duty: Duty) -> Article {
    let Edition::Fide2023 = edition;
    Article(match duty {
        Duty::MoveTouched => "4.3.1",
        Duty::CaptureTouched => "4.3.2",
        Duty::CaptureWithTouched | Duty::MoveTouchedOfBoth | Duty::CaptureTouchedOfBoth => "4.3.3",
        Duty::Castle => "4.4.1",
        Duty::RookFirst => "4.4.2",
        Duty::CastlingIllegal => "4.4.3",
        Duty::Free => "4.5",
    })
}

/// The article that a breach offends in `edition`.
///
/// A king released two squares towards a rook is bound by the clause on castling: `castling`.
pub fn article_of_code(edition: Edition, code: Code, castling: bool) -> Article {
    let Edition::Fide2023 = edition;
    Article(match code {
        Code::TouchMoveOwnPiece => "4.3.1",
        Code::TouchMoveOpponentPiece => "4.3.2",
        Code::TouchMoveBothColours => "4.3.3",
        Code::CastlingNotCompleted => "4.4.1",
        Code::CastlingRookFirst => "4.4.2",
        Code::PromotionChoiceChanged => "4.4.4",
        Code::ReleasedPieceMovedAgain if castling => "4.7.2",
        Code::ReleasedPieceMovedAgain => "4.7",
        Code::PieceDisplaced => "7.4.1",
        Code::IllegalMove => "7.5.1",
        Code::PawnNotPromoted => "7.5.2",
        Code::ClockPressedWithoutMove => "7.5.3",
    })
}

/// Time the opponent is given for a completed illegal move, in milliseconds (7.5.5; A.3 and B.2 for shorter games).
pub fn penalty_ms(edition: Edition, class: TimeClass) -> u64 {
    let Edition::Fide2023 = edition;
    match class {
        TimeClass::Standard => 120_000,
        TimeClass::Rapid | TimeClass::Blitz => 60_000,
    }
}

/// The offence that ends the game: the second completed illegal move (7.5.5).
pub fn losing_offence(edition: Edition) -> u32 {
    let Edition::Fide2023 = edition;
    2
}
