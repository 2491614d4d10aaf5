//! How a game ends, and why.

use core::fmt;

use serde::{Deserialize, Serialize};
use shakmaty::Color;

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum GameResult {
    /// White wins.
    #[serde(rename = "1-0")]
    WhiteWins,
    /// Black wins.
    #[serde(rename = "0-1")]
    BlackWins,
    /// A draw.
    #[serde(rename = "1/2-1/2")]
    Draw,
    /// None yet.
    #[default]
    #[serde(rename = "*")]
    Open,
}

impl GameResult {
    /// `winner` wins.
    pub fn won_by(winner: Color) -> GameResult {
        winner.fold_wb(GameResult::WhiteWins, GameResult::BlackWins)
    }

    /// As written in PGN.
    pub fn as_str(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Open => "*",
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Why a game has its result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ResultReason {
    /// 5.1.1
    Checkmate,
    /// 5.2.1
    Stalemate,
    /// 5.2.2
    DeadPosition,
    /// 9.6.1
    Fivefold,
    /// 9.6.2
    SeventyFiveMoves,
    /// 9.2
    Threefold,
    /// 9.3
    FiftyMoves,
    /// 6.9
    FlagFall,
    /// 5.1.2
    Resignation,
    /// 5.2.3
    Agreement,
    /// 7.5.5
    ForfeitIllegalMoves,
    /// A.5.4: an illegal position stood for one more move.
    IllegalPosition,
    /// The boards' sign: kings on the centre squares.
    KingsPlaced,
    /// Somebody has entered it at the desk, as of the scoresheets: no ruling says it.
    Entered,
    /// Its board had shown it, and it was confirmed at the desk: no ruling says it any more.
    Confirmed,
    /// The arbiter's decision.
    Arbiter,
    /// The arbiter has annulled the game: it counts for nothing (7.2.1; 9.1, 9.2 and 9.4 of 1974).
    Annulled,
}
