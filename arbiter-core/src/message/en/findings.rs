//! English: what was seen, what the Law says, what to do.

use crate::message::phrase::{Act, Law, Table};
use crate::said::irregularity::Code;

#[rustfmt::skip]
pub(super) const SEEN: Table<Code> = &[
    (Code::MovedOutOfTurn, "{By} moved[ ({at})] without having the move"),
    (Code::AdjustOutOfTurn, "{By} announced an adjustment without having the move"),
    (Code::TouchMoveOwnPiece, "{By} touched {piece} and {did}"),
    (Code::TouchMoveOpponentPiece, "{By} touched {piece}, which could be captured, and {did}"),
    (Code::TouchMoveBothColours, "{By} touched {piece}, of which one could capture the other, and \
        {did}"),
    (Code::CastlingNotCompleted, "{By} touched {piece}, could castle on that side, and {did}"),
    (Code::CastlingRookFirst, "{By} touched the rook before the king[ ({at})] and {did}"),
    (Code::PromotionChoiceChanged, "{By} put a piece on the promotion square[ {at}] and then \
        exchanged it for another"),
    (Code::PromotionOrder, "{By} put the new piece down[ on {at}] before taking the pawn off the \
        board"),
    (Code::ReleasedPieceMovedAgain, "{By} put {mover} down[ on {at}], where it could stay, and \
        then moved it again"),
    (Code::ClockPressedTooEarly, "{By} pressed the clock before the move was made"),
    (Code::ClockOtherHand, "{By} handled the clock improperly: with the other hand, with force, or \
        with a hand kept on it"),
    (Code::ClockStoppedWithoutReason, "{By} stopped the clocks and gave no reason"),
    (Code::PositionSetupWrong, "The game began from a wrong position[ ({at})]"),
    (Code::BoardOrientationWrong, "The board lies wrongly between the players"),
    (Code::ColoursReversed, "The players have each other’s colour"),
    (Code::PieceDisplaced, "{By} completed a move while pieces were out of place[ ({at})]"),
    (Code::DisplacementFoundLater, "For some time pieces have stood where no move put them[ \
        ({at})]"),
    (Code::IllegalMove, "{By} completed an illegal move[ ({at})]: {reason}"),
    (Code::PawnNotPromoted, "{By} completed a move without promoting the pawn[ ({at})]"),
    (Code::ClockPressedWithoutMove, "{By} pressed the clock without having moved"),
    (Code::TwoHands, "{By} made a move with two hands"),
    (Code::IllegalPositionStanding, "An illegal position stands[ ({at})], and it is too late to \
        claim the move that led to it"),
    (Code::DrawClaimAfterTouch, "{By} claimed a draw after touching a piece[ ({at})]"),
    (Code::IncorrectDrawClaim, "{By} claimed a draw, and the claim was found wrong"),
    (Code::OpponentTouchedPiecesOutOfTurn, "{By} touched pieces[ ({at})] without having the \
        move"),
];

#[rustfmt::skip]
pub(super) const UNPLAYED: Table<Code> = &[
    (Code::PositionSetupWrong, "The pieces are set up wrongly[ ({at})]"),
    (Code::PieceDisplaced, "Pieces are out of place[ ({at})]"),
];

#[rustfmt::skip]
pub(super) const LAW: Table<Law> = &[
    (Law::TouchedOwn, "the player must move the first of his own touched pieces that can be moved"),
    (Law::TouchedEnemy, "the player must capture the first of the opponent’s touched pieces that \
        can be captured"),
    (Law::TouchedBoth, "the player must capture the opponent’s touched piece with his own, if that \
        is legal"),
    (Law::Castle, "whoever touches king and rook must castle on that side, if it is legal"),
    (Law::RookFirst, "whoever touches the rook and then the king may not castle on that side with \
        this move; the rook must move if it can"),
    (Law::FirstTouchedMoves, "the piece touched first must be moved if it can; castling is a move \
        of the king"),
    (Law::CastlingCommitted, "once the king is released two squares towards a rook, the player \
        must castle on that side, if it is legal"),
    (Law::PawnCommitted, "once the pawn is released on the last rank, the player may not move it \
        to another square"),
    (Law::PromotionByTouch, "the choice is final as soon as the piece has touched the promotion \
        square"),
    (Law::PromotionByRelease, "the choice is final once the hand has released the piece on the \
        promotion square"),
    (Law::PawnOffFirst, "the pawn is taken off the board and the new piece then put on its square; \
        opinions differ on the order"),
    (Law::AnyOrder, "pawn and new piece may change places in any order"),
    (Law::Released, "a piece released on a legal square may not be moved to another square with \
        this move"),
    (Law::DisplacedOwnTime, "whoever displaces pieces puts them right in his own time; it is no \
        illegal move"),
    (Law::Displaced, "displaced pieces are put back on their squares"),
    (Law::DisplacedLater, "the position before it is put back, or the last one that can be \
        identified, and the game goes on"),
    (Law::DisplacedLaterAnnulled, "the position is put right; where that is impossible the game is \
        annulled and played anew"),
    (Law::IllegalUndone, "an illegal move is taken back, and what was touched for it must be moved \
        or captured if it can"),
    (Law::PawnQueen, "it counts as an illegal move, and the pawn becomes a queen"),
    (Law::PawnUndone, "it is an illegal move: it is taken back, and the pawn must be promoted, to \
        a piece of the player’s choice"),
    (Law::EmptyPressIllegal, "to press the clock without making a move counts as an illegal move"),
    (Law::EmptyPressConduct, "to press the clock without making a move is no illegal move, but the \
        arbiter may penalise it"),
    (Law::Turn, "the players move in turn"),
    (Law::Adjust, "only the player having the move may adjust pieces, and he says so first"),
    (Law::EarlyPress, "the clock is pressed when the move has been made, not before"),
    (Law::OtherHand, "the clock is pressed with the hand that made the move, without force, and no \
        hand stays on it"),
    (Law::ClockStopped, "a player stops the clocks only to call the arbiter, to claim, or for want \
        of a piece"),
    (Law::SetupAnew, "a game begun from a wrong position is cancelled, and a new one is played"),
    (Law::SetupLimited, "a wrong position may be claimed until each player has made {number} \
        moves; then it stands"),
    (Law::Orientation, "the game goes on, its position moved to a board that lies rightly"),
    (Law::ColoursRestart, "before both players have made {number} moves a new game is played with \
        the right colours; after that the game goes on"),
    (Law::ColoursArbiter, "the game goes on, unless the arbiter rules otherwise"),
    (Law::TwoHandsIllegal, "a move made with two hands counts as an illegal move"),
    (Law::TwoHandsCompleted, "a move made with two hands counts as an illegal move once the clock \
        has been pressed"),
    (Law::OneHand, "each move is made with one hand"),
    (Law::StandingDrawn, "while both kings stand in check or a pawn stands on the last rank, one \
        more completed move is awaited; if it is so still, the game is drawn"),
    (Law::StandingStepIn, "where both kings stand in check or a pawn stands unpromoted, the \
        arbiter steps in without a claim"),
    (Law::TouchLosesClaim, "a player who has touched a piece cannot claim a draw with this move"),
    (Law::MoveLosesClaim, "a draw is claimed before the move is made"),
    (Law::WrongClaim, "after a wrong claim the opponent gets {minutes} more, and the game goes on"),
    (Law::Disturbing, "the opponent may not be disturbed; a touch binds only the player having the \
        move"),
    (Law::Silent, "this edition has no rule of its own for it; the arbiter decides"),
];

#[rustfmt::skip]
pub(super) const ACT: Table<Act> = &[
    (Act::Ask, "It is possible, no more: ask the players, only a person can know."),
    (Act::Hear, "It is likely, not proved: hear the players, and act on it only if you uphold it."),
    (Act::HearFirst, "It is likely, not proved: hear the players before you rule."),
    (Act::TakeBack, "If upheld, the position before the move is put back, and {by} must play \
        {moves}."),
    (Act::TakeBackFree, "If upheld, the position before the move is put back, and {by} may play \
        any legal move."),
    (Act::UntilTouch, "{Other} may claim it until touching a piece ({claim-article})."),
    (Act::ClaimGone, "{Other} has touched a piece and can no longer claim it ({claim-article})."),
    (Act::OnRequest, "Act only if {other} asks for it before touching a piece ({claim-article})."),
    (Act::StopRestore, "Stop the clocks and have the position before the move put back."),
    (Act::MustPlay, "{By} must then play {moves}."),
    (Act::PlayLegal, "{By} may then play any legal move."),
    (Act::PutQueen, "Stop the clocks and have a queen of {of-by} colour put on {at}; {other} has \
        the move."),
    (Act::PromoteAgain, "Stop the clocks and have the move taken back; {by} must promote the same \
        pawn and may choose the piece anew."),
    (Act::StillToMove, "{By} still has the move."),
    (Act::AsIllegal, "Stop the clocks and treat it as an illegal move."),
    (Act::GiveTime, "Give {other} {minutes} more ({penalty-article})."),
    (Act::NoTime, "This edition gives no time for it."),
    (Act::Loses, "With this offence {by} loses the game ({penalty-article}): declare it, or \
        dismiss the finding."),
    (Act::Drawn, "With this offence {by} would lose the game, but {other} cannot mate by any \
        series of legal moves: it is drawn ({penalty-article})."),
    (Act::OnlyOnClaim, "Act only if {other} claims it before making a move ({penalty-article}); \
        after that the move stands."),
    (Act::MayClaimWin, "Act only if {other} claims it before making a move: it is a claim to the \
        win ({penalty-article})."),
    (Act::StepIn, "Step in without a claim ({penalty-article})."),
    (Act::StandsAfterReply, "Once {other} has made the next move, the position stands \
        ({penalty-article})."),
    (Act::CheckSquares, "It is likely, not proved: look at the squares, a piece may only be read \
        badly."),
    (Act::PutRightOwnTime, "Have the pieces put right in {of-by} time."),
    (Act::PutBack, "Have the pieces put back."),
    (Act::PutBackUnanswered, "Have the pieces put back, unless {other} has answered already: then \
        what was moved stands as the next move."),
    (Act::RestoreLast, "Have the last position that is known put back, and set the clocks by your \
        judgement."),
    (Act::Warn, "Whether to warn or to penalise is yours to decide."),
    (Act::PromotionStands, "Let the promotion stand unless you rule otherwise."),
    (Act::SetUpRightly, "Have the pieces set up rightly before the game begins."),
    (Act::LayRightly, "Have the board laid rightly before the game begins."),
    (Act::NewGame, "Stop the clocks, cancel the game and have a new one begun."),
    (Act::AnewWhileClaimable, "Have a new game begun while the claim is open; after that let the \
        game go on, without castling for a king or rook that stood wrongly."),
    (Act::Transfer, "Stop the clocks and have the position moved over."),
    (Act::UntilMoves, "Either player may claim it until each has made {number} moves \
        ({claim-article})."),
    (Act::StartStands, "Each player has made {number} moves: it can no longer be claimed \
        ({claim-article}), and the game goes on."),
    (Act::GoOnOrNot, "Let the game go on, or rule otherwise."),
    (Act::WaitOneMove, "Wait for the next completed move, then declare the draw if nothing has \
        changed."),
    (Act::EndTheStanding, "Stop the clocks and have the position put right."),
    (Act::RefuseClaim, "Refuse the claim; what was touched must be played."),
    (Act::GoOn, "The game goes on."),
    (Act::NotBound, "The touch does not bind {by}; warn or penalise if it disturbed {other}."),
    (Act::Decide, "The decision is yours."),
];
