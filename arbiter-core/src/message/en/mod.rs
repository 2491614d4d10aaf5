//! English.

mod findings;

use alloc::string::String;

use crate::said::input::ClaimKind;
use crate::said::irregularity::Reason;
use crate::said::ruling::{DoubtKind, ResultReason};

use super::phrase::{Answer, Outcome, Table, Words};
use crate::said::refused::Why;
use findings::{ACT, LAW, SEEN, UNPLAYED};

pub(super) const WORDS: Words = Words {
    finding: "{seen}. {article}: {law}.",
    seen: SEEN,
    unplayed: UNPLAYED,
    not_required: "{By} {did}, which is none of the moves the ruling had left",
    reason: REASON,
    law: LAW,
    act: ACT,
    doubt: DOUBT,
    claimed: CLAIMED,
    answer: ANSWER,
    ending: ENDING,
    fallen_away: "The loss that was proposed for illegal moves falls away ({article}): the game \
        goes on.",
    refusal: REFUSAL,
    open_lists: [
        "Findings that wait: {list}.",
        "Plies in doubt: {list}.",
        "Orders that can be taken back: \
        {list}.",
    ],
    open_matters: [
        "A position is to be put back.",
        "A result waits to be confirmed.",
        "The game is paused.",
        "Nothing waits for an answer.",
    ],
    players: [
        ["White", "White", "White’s"],
        ["Black", "Black", "Black’s"],
        ["White or Black", "White or Black", "White’s or Black’s"],
        ["Black or White", "Black or White", "Black’s or White’s"],
    ],
    pieces: [
        "the pawn",
        "the knight",
        "the bishop",
        "the rook",
        "the queen",
        "the king",
    ],
    letters: ['P', 'N', 'B', 'R', 'Q', 'K'],
    piece_on: "{piece} on {square}",
    did: ["played {san}", "moved another piece", "has not moved yet"],
    no_move: "no move",
    and_or: ["and", "or"],
    some_piece: "a piece",
    more: [" and {n} more", " or one of {n} more"],
    times: ["not once", "once", "twice", "{n} times"],
    moves: ["no move", "one move", "{n} moves"],
    minutes: ["{n} minute", "{n} minutes"],
    article: [
        "Article {number}",
        "Article {number} (number not confirmed)",
        "The Laws",
    ],
    within: [
        "Article {number}",
        "Article {number}, number not confirmed",
        "Laws of this edition",
    ],
    proposed: " Only the arbiter can declare it: confirm it, or enter another result.",
    typeset: as_it_is,
};

fn as_it_is(text: String) -> String {
    text
}

#[rustfmt::skip]
const REASON: Table<Reason> = &[
    (Reason::PieceCannotMoveSo, "the piece does not move that way"),
    (Reason::OwnKingInCheck, "it leaves or puts the player’s own king in check"),
    (Reason::CastlingIllegal, "castling is not allowed here, or not in this way"),
    (Reason::CastlingHalfDone, "castling was left half done"),
    (Reason::EnPassantLate, "a capture en passant is possible only in immediate reply"),
    (Reason::EnPassantVictimLeft, "the pawn captured en passant was left standing"),
    (Reason::TwoPiecesMoved, "two pieces were moved"),
    (Reason::KingCaptured, "a king is never captured"),
    (Reason::PromotionBadPiece, "the pawn was replaced by a piece it cannot become"),
    (Reason::Other, "no legal move leads to what stands on the board"),
];

#[rustfmt::skip]
const DOUBT: Table<DoubtKind> = &[
    (DoubtKind::AmbiguousMove, "The sensors fit more than one move: {moves}. Look at {at}, and \
        order the position that stands there if play does not settle it."),
    (DoubtKind::PromotionPiece, "Which piece stands on {at}? The sensors cannot tell: look, and \
        name it."),
    (DoubtKind::CheckSquare, "Look at {at}: a piece may be missing or stand beside its square, or \
        the board reads it wrongly."),
    (DoubtKind::TwoHands, "The board shows that {at} were handled at the same time: by one hand or \
        by two? No sensor sees hands."),
    (DoubtKind::WhoTouched, "Somebody touched {at}: the sensors do not show who. Ask the players."),
    (DoubtKind::BoardTurned, "The board reads as if its a1 lay at {at}: say how it lies, or turn \
        it round."),
    (DoubtKind::PiecesExchanged, "Did the pieces of {at} stand on each other’s squares from the \
        start? If not, this move was illegal. Look which piece is which, and report what you \
        find."),
    (DoubtKind::PositionUnknown, "Nothing is known of the game. Set the position; whose move it is \
        and who may castle no sensor shows. The board reads as follows."),
    (DoubtKind::GameEnded, "The starting position stands again, and the game has no result. Enter \
        its result, or say that it goes on. What is played meanwhile is no part of it, unless it \
        goes on."),
    (DoubtKind::ThreadLost, "The board and the record differ here, and nothing that can have been \
        played explains it. Say what was played, or set the position."),
];

#[rustfmt::skip]
const CLAIMED: Table<ClaimKind> = &[
    (ClaimKind::Threefold, "that the position stands for the third time"),
    (ClaimKind::FiftyMoves, "that fifty moves have passed without a capture or a pawn move"),
    (ClaimKind::TouchMove, "a breach of the rules of touching and moving"),
    (ClaimKind::IllegalMove, "an illegal move"),
    (ClaimKind::FlagFall, "that the opponent’s flag has fallen"),
];

#[rustfmt::skip]
const ANSWER: Table<Answer> = &[
    (Answer::Drawn, "{By} claims {claimed}. The claim is right ({article}): the game is drawn."),
    (Answer::Touched, "{By} claims {claimed}. A piece has been touched, so the draw cannot be \
        claimed with this move ({article}): the touched piece is played and the game goes on."),
    (Answer::TooFewTimes, "{By} claims {claimed}. By the record it has stood {count} so far \
        ({article}): the game goes on, and {other} may take it for the offer of a draw."),
    (Answer::TooFewMoves, "{By} claims {claimed}. By the record each player has made {count} since \
        the last capture or pawn move ({article}): the game goes on, and {other} may take it for \
        the offer of a draw."),
    (Answer::NoLegalMove, "{By} claims {claimed}. The move that was to bring it about is not legal \
        ({article}): the game goes on, and {other} may take it for the offer of a draw."),
    (Answer::NotHisTurn, "{By} claims {claimed}. Only the player having the move can claim it \
        ({article}): the game goes on."),
    (Answer::Shown, "{By} claims {claimed}. The sensors show one that can be claimed ({article}): \
        rule on the finding."),
    (Answer::NotShown, "{By} claims {claimed}. The sensors show none by {other} that can be \
        claimed now ({article}): hear the players, a touch without a lift leaves no trace."),
    (Answer::NotMade, "{By} claims {claimed}. {Other} has made no move yet ({article}): what was \
        touched may still be played."),
    (Answer::TouchedSince, "{By} claims {claimed}. {By} has touched a piece since, and the right \
        to claim it is gone ({article})."),
    (Answer::MovedSince, "{By} claims {claimed}. {By} has moved since, and the right to claim it \
        is gone ({article})."),
    (Answer::Decided, "{By} claims {claimed}. The arbiter has already ruled on it ({article})."),
    (Answer::FlagFallen, "{By} claims {claimed}. The clock has told so ({article})."),
    (Answer::FlagNotSeen, "{By} claims {claimed}. The clock has not told so ({article}): look at \
        it."),
    (Answer::BothFlags, "{By} claims {claimed}. The clock has told that both flags have fallen \
        ({article}): look at it."),
];

#[rustfmt::skip]
const REFUSAL: Table<Why> = &[
    (Why::NoFinding, "The game has no finding {about}."),
    (Why::Decided, "Finding {about} does not wait for a ruling any more."),
    (Why::NoPromotion, "What the pawn became on {about} is not in doubt, or it cannot be that."),
    (Why::NoReading, "That move is none of those in doubt at ply {about}. Say what was played \
        instead."),
    (Why::NoPly, "The record does not go as far as ply {about}."),
    (Why::NotPlayable, "That cannot have been played at ply {about}: there is no such piece of the \
        player’s, or the position would lack a king."),
    (Why::PlayedSo, "The record has that as ply {about} already, and it is not in doubt."),
    (Why::NoPosition, "No game can go on from this position."),
    (Why::PositionUnknown, "It is not known what position stands there: set it first."),
    (Why::NotAsked, "It was not asked whether the game has ended."),
    (Why::NoGame, "Game {about} is neither the one at hand nor one that is asked about."),
    (Why::NothingStands, "No illegal move stands on the board that could be let stand."),
    (Why::PausedAlready, "The game is not running: it has been paused already."),
    (Why::NotPaused, "The game has not been paused."),
    (Why::ResultStands, "The game has this result already."),
    (Why::NoResult, "The game has no result that could be cancelled."),
    (Why::LiesSo, "The squares of the board are read so already."),
    (Why::NoOffer, "The opponent has not offered a draw, or his offer has lapsed."),
    (Why::NotPlaying, "The game is not being played at present."),
    (Why::NameTaken, "Another order is called {about}: every order has a name of its own."),
    (Why::NoOrder, "No order {about} was given that has any effect."),
    (Why::TakenBack, "Order {about} has been taken back already."),
    (Why::OrderForgotten, "Order {about} is none of those that can still be taken back: it was \
        never given, or lies too far back."),
    (Why::PlyForgotten, "Ply {about} lies too far back to be heard again: set the position \
        instead."),
];

#[rustfmt::skip]
const ENDING: Table<(ResultReason, Outcome)> = &[
    ((ResultReason::Checkmate, Outcome::Won), "Checkmate: {by} wins ({article})."),
    ((ResultReason::Stalemate, Outcome::Drawn), "Stalemate: the game is drawn ({article})."),
    ((ResultReason::DeadPosition, Outcome::Drawn), "Dead position: neither side can mate by any \
        series of legal moves, the game is drawn ({article})."),
    ((ResultReason::Fivefold, Outcome::Drawn), "The position stands for the fifth time: the game \
        is drawn without a claim ({article})."),
    ((ResultReason::SeventyFiveMoves, Outcome::Drawn), "Seventy-five moves by each side without a \
        capture or a pawn move: the game is drawn without a claim ({article})."),
    ((ResultReason::Threefold, Outcome::Drawn), "Claimed rightly, the position stands for the \
        third time: the game is drawn ({article})."),
    ((ResultReason::FiftyMoves, Outcome::Drawn), "Claimed rightly, fifty moves by each side \
        without a capture or a pawn move: the game is drawn ({article})."),
    ((ResultReason::FlagFall, Outcome::Won), "{Other} overstepped the time: {by} wins \
        ({article})."),
    ((ResultReason::FlagFall, Outcome::Drawn), "{Other} overstepped the time, but {by} cannot mate \
        by any series of legal moves: the game is drawn ({article})."),
    ((ResultReason::FlagFall, Outcome::Open), "{Other} overstepped the time. Whether {by} can mate \
        by any series of legal moves is not known: the arbiter must decide between a win and a \
        draw ({article})."),
    ((ResultReason::Resignation, Outcome::Won), "{Other} resigned: {by} wins ({article})."),
    ((ResultReason::Resignation, Outcome::Drawn), "{Other} resigned, but {by} cannot mate by any \
        series of legal moves: the game is drawn ({article})."),
    ((ResultReason::Resignation, Outcome::Open), "{Other} resigned. Whether {by} can mate by any \
        series of legal moves is not known: the arbiter must decide between a win and a draw \
        ({article})."),
    ((ResultReason::Agreement, Outcome::Drawn), "The players agreed on a draw ({article})."),
    ((ResultReason::ForfeitIllegalMoves, Outcome::Won), "{Other} loses by illegal moves: {by} wins \
        ({article})."),
    ((ResultReason::ForfeitIllegalMoves, Outcome::Drawn), "{Other} would lose by illegal moves, \
        but {by} cannot mate by any series of legal moves: the game is drawn ({article})."),
    ((ResultReason::ForfeitIllegalMoves, Outcome::Open), "{Other} would lose by illegal moves. \
        Whether {by} can mate by any series of legal moves is not known: the arbiter must decide \
        between a win and a draw ({article})."),
    ((ResultReason::IllegalPosition, Outcome::Drawn), "The illegal position stood for one more \
        completed move: the game is drawn ({article})."),
    ((ResultReason::KingsPlaced, Outcome::Won), "The kings were put on the centre squares, the \
        sign that {by} wins; it is a convention, no Law."),
    ((ResultReason::KingsPlaced, Outcome::Drawn), "The kings were put on the centre squares, the \
        sign of a draw; it is a convention, no Law."),
    ((ResultReason::Arbiter, Outcome::Won), "The arbiter declared that {by} wins ({article})."),
    ((ResultReason::Arbiter, Outcome::Open), "The result was taken back ({article}): the game goes \
        on."),
    ((ResultReason::Arbiter, Outcome::Drawn), "The arbiter declared the game drawn ({article})."),
    ((ResultReason::Annulled, Outcome::Open), "The arbiter annulled the game ({article}): it \
        counts for nothing, and a new one is played."),
];
