//! Where hands leave the script of a game: what nobody puts right, or nobody foresees.

use std::fmt;

use arbiter_core::irregularity::Code;
use serde::{Deserialize, Serialize};

/// Something that hands do besides the moves of the game, or instead of one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Departure {
    /// An illegal move stays on the board, and play goes on from it.
    PlayOn,
    /// An illegal move is answered; then both are put back.
    IllegalAnswered,
    /// Black moves first; his piece is put back.
    BlackBegins,
    /// After his move a player makes another one; its piece is put back.
    MoveTwice,
    /// The same, but the opponent answers: the second move stands as the player's next.
    MoveAhead,
    /// The hand that moves pushes a neighbour to the next square, and it is put back after the
    /// press.
    SlipNeighbour,
    /// The same, put right before the press.
    SlipAndRight,
    /// After his move a player exchanges two pieces of his; after the press they are put back.
    ExchangePieces,
    /// The same, but nobody puts them back: play goes on from where they stand. Only boards that
    /// see pieces can know what is played then.
    ExchangeStands,
    /// Two pieces of a side stand on each other's squares from the start.
    SetUpWrong,
    /// A pawn stands one square ahead from the start.
    PawnOff,
    /// The board lies turned by half.
    HalfTurn,
    /// The board lies turned by a quarter.
    QuarterTurn,
    /// A capture in which the square of the victim is empty for less than 120 ms.
    QuickCapture,
    /// A capture in which the victim is held for seconds before the captor is touched.
    HeldVictim,
    /// En passant in one gesture: the victim goes as the captor lands.
    TuckedEnPassant,
    /// The kings show the result on the centre squares, in any order.
    Sign,
    /// The same where one king stands there already and is left where it is.
    SignOneThere,
    /// The same straight after a last move that brought a king there.
    SignLastMove,
}

impl Departure {
    /// Every departure.
    pub const ALL: [Departure; 19] = [
        Departure::PlayOn,
        Departure::IllegalAnswered,
        Departure::BlackBegins,
        Departure::MoveTwice,
        Departure::MoveAhead,
        Departure::SlipNeighbour,
        Departure::SlipAndRight,
        Departure::ExchangePieces,
        Departure::SetUpWrong,
        Departure::PawnOff,
        Departure::HalfTurn,
        Departure::QuarterTurn,
        Departure::QuickCapture,
        Departure::HeldVictim,
        Departure::TuckedEnPassant,
        Departure::Sign,
        Departure::SignOneThere,
        Departure::SignLastMove,
        Departure::ExchangeStands,
    ];

    /// Whether it follows the last move, whatever ply is asked for.
    pub(super) fn is_of_end(self) -> bool {
        matches!(
            self,
            Departure::Sign | Departure::SignOneThere | Departure::SignLastMove
        )
    }
}

/// What hands are asked to do at a ply, or at the first later one where they can.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Wish {
    /// A breach that is put right where the Laws ask for it.
    Breach(Code),
    /// A departure from the script.
    Departure(Departure),
}

impl From<Code> for Wish {
    fn from(code: Code) -> Wish {
        Wish::Breach(code)
    }
}

impl From<Departure> for Wish {
    fn from(departure: Departure) -> Wish {
        Wish::Departure(departure)
    }
}

impl fmt::Display for Departure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

impl fmt::Display for Wish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wish::Breach(code) => code.fmt(f),
            Wish::Departure(departure) => departure.fmt(f),
        }
    }
}
