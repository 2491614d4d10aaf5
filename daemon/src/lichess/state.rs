//! How the push goes, for those at the desk.

use std::sync::{Arc, PoisonError, RwLock};

use schemars::JsonSchema;
use serde::Serialize;

/// How a round is pushed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "LichessStatus")]
pub enum Status {
    /// Nothing of it is public yet.
    #[default]
    Waiting,
    /// Lichess has everything that is public.
    Current,
    /// Something is on its way.
    Behind,
    /// The last request was not taken; it is tried again.
    Failing,
}

/// A round that is pushed.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, JsonSchema)]
#[schemars(rename = "LichessRound")]
pub struct Pushed {
    /// The event, by its number in the store.
    pub event: usize,
    /// The event's round.
    pub round: u16,
    /// Its name at Lichess.
    pub id: String,
    /// How it goes.
    pub status: Status,
    /// Games that Lichess has taken.
    pub games: usize,
    /// When it last took any, in RFC 3339.
    pub taken: Option<String>,
    /// Why the last request was not taken, and what to do.
    pub problem: Option<String>,
    /// When it is tried again, in RFC 3339.
    pub again: Option<String>,
    /// Games that Lichess has not taken, with what it says of each.
    pub refused: Vec<Refused>,
}

/// A game that Lichess has not taken.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[schemars(rename = "LichessRefused")]
pub struct Refused {
    /// Its table; `None`: Lichess does not say of which game it speaks.
    pub table: Option<u16>,
    /// What Lichess says.
    pub error: String,
}

/// How each round goes. Cheap to clone; all clones show the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Board(Arc<RwLock<Vec<Pushed>>>);

impl Board {
    pub(super) fn read(&self) -> Vec<Pushed> {
        let rounds = self.0.read();
        rounds.unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn write(&self, rounds: Vec<Pushed>) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = rounds;
    }
}
