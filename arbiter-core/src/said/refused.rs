//! Why an order is refused, as data: with it the refusal is said in any language.

use alloc::{string::String, vec::Vec};

use serde::Serialize;

use super::settings::Language;
use crate::message;

/// Why an order is not carried out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    /// No such finding.
    NoFinding,
    /// The finding waits for nobody.
    Decided,
    /// No such piece, or none in doubt, on the square.
    NoPromotion,
    /// No hypothesis of the ply holds the move, or it is in no doubt.
    NoReading,
    /// The ply is not there, nor the next to come.
    NoPly,
    /// That cannot have been played.
    NotPlayable,
    /// The record has that already.
    PlayedSo,
    /// No game can go on from the position.
    NoPosition,
    /// Nothing is known of the position.
    PositionUnknown,
    /// No illegal move stands.
    NothingStands,
    /// Nobody has asked whether the game has ended.
    NotAsked,
    /// The game that is named is neither the one at hand nor one that is asked about.
    NoGame,
    /// It has been paused.
    PausedAlready,
    /// It has not been paused.
    NotPaused,
    /// The game has this result.
    ResultStands,
    /// The game has no result.
    NoResult,
    /// The board is read so.
    LiesSo,
    /// Nobody has offered a draw.
    NoOffer,
    /// The game is not being played: it has ended, is paused, or nothing is known of it.
    NotPlaying,
    /// Another order has this name.
    NameTaken,
    /// No order of this name has effect.
    NoOrder,
    /// The order has been taken back.
    TakenBack,
    /// What was told since the order is not all kept any more.
    OrderForgotten,
    /// The same of the ply.
    PlyForgotten,
}

/// What waits for the arbiter, each as it is named.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Open {
    /// The numbers of findings.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<String>,
    /// Plies in doubt.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub plies: Vec<String>,
    /// Orders that can be taken back.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub orders: Vec<String>,
    /// A position is to be put back.
    pub restore: bool,
    /// A result waits to be confirmed.
    pub result: bool,
    /// The game is paused.
    pub paused: bool,
}

/// Why an order was refused.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Refused {
    /// Why.
    pub why: Why,
    /// What it is about: a finding's number, a ply, a square, an order's name; empty where it
    /// names nothing.
    pub about: String,
    /// What waits instead.
    pub open: Open,
}

impl Refused {
    /// Why, without what waits instead: for whoever may not know that.
    pub fn alone(&self, language: Language) -> String {
        message::refused(language, self.why, &self.about)
    }
}
