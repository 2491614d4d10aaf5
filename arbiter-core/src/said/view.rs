//! The state of one board as plain data, for consoles.

use alloc::{string::String, vec::Vec};

use serde::Serialize;
use shakmaty::{Color, Square, uci::UciMove};

use crate::said::input::{Edition, TimeClass};
use crate::said::irregularity::Article;
use crate::said::orientation::Orientation;
use crate::said::ruling::{Doubt, GameResult, Irregularity, ResultReason};
use crate::said::symbol::{Reading, SensorClass};
use crate::said::text;
use crate::said::time::Time;

/// One ply of the record.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PlyRecord {
    /// The move; from-to for an illegal move that stands.
    pub uci: UciMove,
    /// In standard algebraic notation, with check and mate signs.
    pub san: String,
    /// The position after it.
    pub fen: String,
    /// When it was first seen made, on the board's clock.
    pub at: Time,
    /// Whether it is completed (6.2.1).
    pub completed: bool,
    /// The mover's remaining time after his press, in milliseconds, where the clock told.
    pub clock_ms: Option<u64>,
    /// Whether more than one account of this ply fits.
    pub doubtful: bool,
}

/// Where the game stands in its cycle.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// No position is known yet.
    Waiting,
    /// The board equals the position, nothing in hand.
    Rest,
    /// Pieces are off the board or touched.
    InHand,
    /// Something stands that is no legal move yet.
    Placed,
    /// A legal move stands, not yet completed.
    Made,
    /// No account fits; the board must be put right.
    Disturbed,
    /// A position was ordered and the board does not match it yet.
    Restoring,
    /// The arbiter paused the game.
    Paused,
    /// The game has ended.
    Ended,
}

/// A finding and what became of it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Finding {
    /// When it was raised, on the board's clock.
    pub at: Time,
    /// What was found.
    #[serde(flatten)]
    pub irregularity: Irregularity,
    /// What became of it.
    pub status: FindingStatus,
}

/// What became of a finding.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FindingStatus {
    /// Waits for the arbiter.
    Open,
    /// The arbiter upheld it.
    Upheld,
    /// The arbiter dismissed it.
    Dismissed,
    /// Later evidence showed that it was none.
    Withdrawn,
}

/// What the touches oblige a player to.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ObligationView {
    /// The player.
    #[serde(with = "text::colour")]
    pub by: Color,
    /// The article.
    #[serde(flatten)]
    pub article: Article,
    /// The moves still permitted.
    pub moves: Vec<UciMove>,
}

/// Completed illegal moves that count, by player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Offences {
    /// White's.
    pub white: u32,
    /// Black's.
    pub black: u32,
    /// Which one loses under the Laws of this game; `None`: no number of them.
    pub loses: Option<u32>,
}

/// A result, and whether a human must confirm it.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct ResultView {
    /// The result.
    pub result: GameResult,
    /// Whether a human must confirm it.
    pub proposed: bool,
    /// Why.
    pub reason: ResultReason,
}

/// Everything a console shows of one board.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct View {
    /// The game's name; empty when none is set up.
    pub game: String,
    /// The edition of the Laws.
    pub laws: Edition,
    /// The class of play.
    pub class: TimeClass,
    /// Whether play is adequately supervised.
    pub supervised: bool,
    /// Where the game stands in its cycle.
    pub state: Phase,
    /// The recorded position.
    pub fen: String,
    /// The starting position.
    pub start_fen: String,
    /// The record.
    pub plies: Vec<PlyRecord>,
    /// Who has the move.
    #[serde(with = "text::colour")]
    pub turn: Color,
    /// What the sensors can tell.
    pub sensor: SensorClass,
    /// How the board lies, as it is read.
    pub turned: Orientation,
    /// What the sensors read now.
    pub reading: Reading,
    /// Squares that read differently from the recorded position.
    #[serde(with = "text::squares")]
    pub differs: Vec<Square>,
    /// What the touches oblige the player to, if they do.
    pub obligation: Option<ObligationView>,
    /// Every finding of the game.
    pub findings: Vec<Finding>,
    /// Completed illegal moves that count against each player, as far as certain or upheld.
    pub offences: Offences,
    /// Open doubts.
    pub doubts: Vec<Doubt>,
    /// The position to be put back while one is ordered.
    pub restore: Option<String>,
    /// The result, if there is one.
    pub result: Option<ResultView>,
    /// The sentence of the result.
    pub result_text: Option<String>,
    /// White's remaining time at the last report, in milliseconds.
    pub white_ms: Option<u64>,
    /// Black's remaining time at the last report, in milliseconds.
    pub black_ms: Option<u64>,
    /// Whose clock runs, where a clock is connected and was pressed.
    pub running: Option<char>,
}
