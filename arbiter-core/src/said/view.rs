//! The state of one board as plain data, for consoles.

use alloc::{boxed::Box, string::String, vec::Vec};

use serde::Serialize;
use shakmaty::{Color, Square, uci::UciMove};

use crate::said::input::{Edition, Event, TimeClass};
use crate::said::irregularity::Article;
use crate::said::orientation::Orientation;
use crate::said::ruling::{Doubt, GameResult, Irregularity, ResultReason};
use crate::said::symbol::{Reading, SensorClass};
use crate::said::text;
use crate::said::time::Time;

/// A move in standard algebraic notation, in its place: none is longer than seven characters.
/// Hundreds of them are kept.
pub type San = arrayvec::ArrayString<8>;

/// One ply of the record.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlyRecord {
    /// The move; from-to for an illegal move that stands.
    #[cfg_attr(feature = "schema", schemars(with = "text::Move"))]
    pub uci: UciMove,
    /// In standard algebraic notation, with check and mate signs.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub san: San,
    /// The position after it.
    pub fen: Box<str>,
    /// When it was first seen made, on the board's clock.
    pub at: Time,
    /// Whether it is completed (6.2.1).
    pub completed: bool,
    /// The mover's remaining time after his press, in milliseconds, where the clock told.
    pub clock_ms: Option<u64>,
    /// Whether more than one hypothesis of this ply fits.
    pub doubtful: bool,
    /// Counts the plies that were ever told in the game: the same number is the same move from the
    /// same position, seen at the same moment.
    #[serde(skip)]
    pub serial: u32,
}

/// Where the game stands in its cycle.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    /// No hypothesis fits; the board must be put right.
    Disturbed,
    /// A position was ordered and the board does not match it yet.
    Restoring,
    /// The arbiter paused the game.
    Paused,
    /// The game has ended.
    Ended,
}

/// A finding and what became of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Finding {
    /// When it was raised, on the board's clock.
    pub at: Time,
    /// What was found.
    #[serde(flatten)]
    pub irregularity: Irregularity,
    /// What became of it.
    pub status: FindingStatus,
    /// The position before its ply, in FEN, where what was played there was taken back together
    /// with plies before it: it is of no ply of the record any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undone: Option<String>,
}

impl Finding {
    /// Whether nobody has dismissed it, and nothing that came later did away with it.
    pub fn stands(&self) -> bool {
        matches!(self.status, FindingStatus::Open | FindingStatus::Upheld)
    }

    /// Whether it was found of ply `ply` of the record, counted from 1.
    pub fn is_of(&self, ply: usize) -> bool {
        self.undone.is_none() && self.irregularity.ply as usize == ply
    }
}

/// What became of a finding.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ObligationView {
    /// The player.
    #[serde(with = "text::Colour")]
    pub by: Color,
    /// The article.
    #[serde(flatten)]
    pub article: Article,
    /// The moves still permitted.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<text::Move>"))]
    pub moves: Vec<UciMove>,
}

/// Completed illegal moves that count, by player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Offences {
    /// White's.
    pub white: u32,
    /// Black's.
    pub black: u32,
    /// Which one loses under the Laws of this game; `None`: no number of them.
    pub loses: Option<u32>,
}

/// A result, and whether a human must confirm it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ResultView {
    /// The result.
    pub result: GameResult,
    /// Whether a human must confirm it.
    pub proposed: bool,
    /// Why.
    pub reason: ResultReason,
}

/// Everything a console shows of one board. Whoever keeps the record and the findings in a way of
/// his own ([`crate::Arbiter::view_with`]) may have other types of them; of the type `()` they are
/// not written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "View", transform = super::schema::whole))]
pub struct View<P = Vec<PlyRecord>, F = Vec<Finding>> {
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
    /// The position from which the record goes: the starting position, or one that was set before
    /// anything was played.
    pub start_fen: String,
    /// The record.
    #[serde(skip_serializing_if = "is_nothing")]
    pub plies: P,
    /// Who has the move.
    #[serde(with = "text::Colour")]
    pub turn: Color,
    /// What the sensors can tell.
    pub sensor: SensorClass,
    /// How the board lies, as it is read: degrees clockwise.
    pub turned: Orientation,
    /// What the sensors read now: 64 symbols, a8 to h8 first, h1 last.
    pub reading: Reading,
    /// Squares that read differently from the recorded position.
    #[serde(with = "text::Squares")]
    pub differs: Vec<Square>,
    /// What the touches oblige the player to, if they do.
    pub obligation: Option<ObligationView>,
    /// Every finding of the game.
    #[serde(skip_serializing_if = "is_nothing")]
    pub findings: F,
    /// Completed illegal moves that count against each player, as far as certain or upheld.
    pub offences: Offences,
    /// Open doubts.
    pub doubts: Vec<Doubt>,
    /// The orders that have effect and can be taken back, oldest first: of very many the last.
    pub orders: Vec<Event>,
    /// The position to be put back while one is ordered.
    pub restore: Option<String>,
    /// The result, if there is one.
    pub result: Option<ResultView>,
    /// The sentence of the result.
    pub result_text: Option<String>,
    /// What ends the game by itself in the position that stands, where a finding that waits keeps
    /// that from counting: nobody is to move then.
    pub held_back: Option<ResultReason>,
    /// White's remaining time at the last report, in milliseconds.
    pub white_ms: Option<u64>,
    /// Black's remaining time at the last report, in milliseconds.
    pub black_ms: Option<u64>,
    /// Whose clock runs, `w` or `b`, where a clock is connected and was pressed.
    pub running: Option<char>,
}

impl<P, F> View<P, F> {
    /// Whether the arbiter has annulled the game: it counts for nothing.
    pub fn is_annulled(&self) -> bool {
        self.result
            .is_some_and(|result| result.reason == ResultReason::Annulled)
    }

    /// The view without its record and its findings.
    pub fn head(&self) -> View<(), ()> {
        View {
            game: self.game.clone(),
            laws: self.laws,
            class: self.class,
            supervised: self.supervised,
            state: self.state,
            fen: self.fen.clone(),
            start_fen: self.start_fen.clone(),
            plies: (),
            turn: self.turn,
            sensor: self.sensor,
            turned: self.turned,
            reading: self.reading,
            differs: self.differs.clone(),
            obligation: self.obligation.clone(),
            findings: (),
            offences: self.offences,
            doubts: self.doubts.clone(),
            orders: self.orders.clone(),
            restore: self.restore.clone(),
            result: self.result,
            result_text: self.result_text.clone(),
            held_back: self.held_back,
            white_ms: self.white_ms,
            black_ms: self.black_ms,
            running: self.running,
        }
    }
}

fn is_nothing<T>(_: &T) -> bool {
    size_of::<T>() == 0
}
