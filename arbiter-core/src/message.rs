//! The sentences: what was seen, what the Law says, what to do. Nothing else in the core holds prose.

use alloc::{format, string::String, vec::Vec};

use shakmaty::{Color, Square, uci::UciMove};

use crate::input::ClaimKind;
use crate::irregularity::{Article, Certainty, Code, Party, Reason};
use crate::ruling::DoubtKind;

/// One sentence or two for an irregularity.
pub(crate) fn irregularity(
    code: Code,
    reason: Option<Reason>,
    by: Party,
    certainty: Certainty,
    article: Article,
    squares: &[Square],
    required: Option<&[UciMove]>,
) -> String {
    let who = match by {
        Party::White => "White",
        Party::Black => "Black",
        Party::Either => "A player",
    };
    let at = list(squares);
    let seen = match code {
        Code::TouchMoveOwnPiece => format!("{who} touched {at} and moved another piece"),
        Code::TouchMoveOpponentPiece => format!("{who} touched the opponent's piece ({at}) and did not capture it"),
        Code::TouchMoveBothColours => format!("{who} touched a piece of each colour ({at}) and did not capture"),
        Code::CastlingNotCompleted => format!("{who} touched king and rook ({at}) and did not castle"),
        Code::CastlingRookFirst => format!("{who} touched the rook before the king ({at}) and castled"),
        Code::PromotionChoiceChanged => format!("{who} exchanged the promoted piece on {at}"),
        Code::ReleasedPieceMovedAgain => format!("{who}'s piece stood on {at} and was moved again"),
        Code::PieceDisplaced => format!("{who} pressed the clock while {at} was not in order"),
        Code::IllegalMove => format!("{who} completed an illegal move ({at}): {}", reason_text(reason)),
        Code::PawnNotPromoted => format!("{who} pressed the clock with a pawn standing on {at}"),
        Code::ClockPressedWithoutMove => format!("{who} pressed the clock without having moved"),
        Code::MovedOutOfTurn => format!("{who} moved ({at}) while it was not his turn"),
        Code::AdjustOutOfTurn => format!("{who} announced an adjustment without having the move"),
        Code::PromotionOrder => format!("{who} put the piece on {at} before taking up the pawn"),
        Code::ClockPressedTooEarly => format!("{who} pressed the clock before the move was made"),
        Code::ClockOtherHand => format!("{who} used the clock improperly"),
        Code::ClockStoppedWithoutReason => format!("{who} stopped the clocks and gave no reason"),
        Code::PositionSetupWrong => format!("The pieces were set up wrongly ({at})"),
        Code::BoardOrientationWrong => String::from("The board lies wrongly"),
        Code::ColoursReversed => String::from("The players have each other's colour"),
        Code::DisplacementFoundLater => format!("The board ({at}) has not been in order for some time"),
        Code::TwoHands => format!("{who} moved with two hands"),
        Code::IllegalPositionStanding => format!("An illegal position stands ({at})"),
        Code::DrawClaimAfterTouch => format!("{who} claimed a draw after touching {at}"),
        Code::IncorrectDrawClaim => format!("{who} claimed a draw wrongly"),
        Code::OpponentTouchedPiecesOutOfTurn => format!("{who} touched {at} without having the move"),
    };
    let action = action(code, certainty, required);
    format!("{seen}. Article {article}: {}. {action}", law(code))
}

fn reason_text(reason: Option<Reason>) -> &'static str {
    match reason {
        Some(Reason::PieceCannotMoveSo) => "the piece does not move that way",
        Some(Reason::OwnKingInCheck) => "it leaves the own king in check",
        Some(Reason::CastlingIllegal) => "castling is not allowed here",
        Some(Reason::CastlingHalfDone) => "castling was left half done",
        Some(Reason::EnPassantLate) => "en passant is possible only at once",
        Some(Reason::EnPassantVictimLeft) => "the pawn captured en passant was left standing",
        Some(Reason::TwoPiecesMoved) => "two pieces were moved",
        Some(Reason::KingCaptured) => "the king cannot be captured",
        Some(Reason::PromotionBadPiece) => "the pawn was replaced by a piece it cannot become",
        Some(Reason::Other) | None => "no legal move leads to what stands on the board",
    }
}

fn law(code: Code) -> &'static str {
    match code {
        Code::TouchMoveOwnPiece => "the first piece touched that can be moved must be moved",
        Code::TouchMoveOpponentPiece => "the first piece touched that can be captured must be captured",
        Code::TouchMoveBothColours => "the one must capture the other if that is legal",
        Code::CastlingNotCompleted => "castling on that side must be played if it is legal",
        Code::CastlingRookFirst => "castling on that side is not allowed then, the touched rook moves",
        Code::PromotionChoiceChanged => "the choice is final once the piece has touched the square",
        Code::ReleasedPieceMovedAgain => "a piece released on a legal square stays there",
        Code::PieceDisplaced => "displaced pieces are put back on the player's own time",
        Code::IllegalMove => "the position before it is put back and a touched piece moved if it can",
        Code::PawnNotPromoted => "the pawn is replaced by a queen",
        Code::ClockPressedWithoutMove => "this counts as an illegal move",
        Code::MovedOutOfTurn => "the players move alternately; the piece is put back",
        Code::AdjustOutOfTurn => "only the player having the move adjusts pieces",
        Code::PromotionOrder => "the pawn's way to the last rank comes first",
        Code::ClockPressedTooEarly => "the clock is pressed after the move",
        Code::ClockOtherHand => "the hand that moved presses the clock, without force",
        Code::ClockStoppedWithoutReason => "the clocks are stopped only for a reason the Laws name",
        Code::PositionSetupWrong => "the game is cancelled and begun anew, unless the limit has passed",
        Code::BoardOrientationWrong => "the position is moved to a board that lies right",
        Code::ColoursReversed => "whether the game goes on depends on the moves made",
        Code::DisplacementFoundLater => "the last position known is put back",
        Code::TwoHands => "a move is made with one hand",
        Code::IllegalPositionStanding => "one more move is waited for, then the game is drawn",
        Code::DrawClaimAfterTouch => "the right to claim is lost on this move",
        Code::IncorrectDrawClaim => "the opponent gets time and the game goes on",
        Code::OpponentTouchedPiecesOutOfTurn => "only the player having the move touches pieces",
    }
}

fn action(code: Code, certainty: Certainty, required: Option<&[UciMove]>) -> String {
    let moves = match required {
        Some(moves) if !moves.is_empty() => format!(" Required: {}.", moves_text(moves)),
        _ => String::new(),
    };
    let first = match (certainty, code) {
        (Certainty::Possible, _) => "Ask the players; only you can know.",
        (Certainty::Likely, Code::PieceDisplaced) => "Have the squares checked.",
        (Certainty::Likely, _) => "Likely: hear the players, then uphold or dismiss.",
        (Certainty::Certain, Code::IllegalMove) => "Stop the clock and have the position restored.",
        (Certainty::Certain, _) => "Uphold or dismiss.",
    };
    format!("{first}{moves}")
}

/// One sentence for a doubt.
pub(crate) fn doubt(kind: DoubtKind, squares: &[Square], readings: &[Vec<UciMove>]) -> String {
    let at = list(squares);
    let text = |r: &Vec<UciMove>| if r.is_empty() { String::from("no move") } else { moves_text(r) };
    let moves: Vec<String> = readings.iter().map(text).collect();
    let moves = moves.join(" or ");
    match kind {
        DoubtKind::AmbiguousMove => format!("The sensors fit more than one move: {moves}. Look at {at}."),
        DoubtKind::PromotionPiece => format!("Which piece stands on {at}? The sensors cannot tell."),
        DoubtKind::CheckSquare => format!("Check {at}: the reading may be wrong, or the piece may lie beside it."),
        DoubtKind::TwoHands => format!("Two pieces ({at}) were in the air at once: one hand or two?"),
        DoubtKind::WhoTouched => format!("Somebody touched {at}: the sensors do not show who."),
    }
}

/// One sentence for the answer to a claim.
pub(crate) fn claim(by: Color, kind: ClaimKind, accepted: bool, article: Article) -> String {
    let who = by.fold_wb("White", "Black");
    let what = match kind {
        ClaimKind::Threefold => "that the position stands for the third time",
        ClaimKind::FiftyMoves => "that fifty moves have been made without a capture or a pawn move",
        ClaimKind::TouchMove => "a breach of Article 4",
        ClaimKind::IllegalMove => "an illegal move",
    };
    let answer = if accepted { "The claim is correct" } else { "The evidence does not bear the claim out" };
    format!("{who} claims {what}. {answer} (Article {article}).")
}

fn list(squares: &[Square]) -> String {
    let names: Vec<String> = squares.iter().map(|s| format!("{s}")).collect();
    if names.is_empty() { String::from("the board") } else { names.join(", ") }
}

fn moves_text(moves: &[UciMove]) -> String {
    let names: Vec<String> = moves.iter().map(|m| format!("{m}")).collect();
    names.join(", ")
}
