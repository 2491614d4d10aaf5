//! How the push goes, for those at the desk.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use schemars::JsonSchema;
use serde::Serialize;

use super::games::{Sheet, Sum};

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
    /// Something that is public is not there yet: it is on its way, or about to be.
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

/// A round as whoever pushes left it.
#[derive(Clone, Debug, Default)]
pub(super) struct Left {
    pub(super) pushed: Pushed,
    /// What Lichess has, by the number of the request.
    pub(super) has: BTreeMap<u16, Sum>,
}

/// How each round goes. Cheap to clone; all clones show the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Board(Arc<RwLock<Vec<Left>>>);

impl Left {
    /// How it goes when this is public: a request may be under way for long, and meanwhile more
    /// becomes public.
    pub(super) fn now(self, sheets: &[Sheet]) -> Pushed {
        let is_behind = |sheet: &Sheet| self.has.get(&sheet.number) != Some(&sheet.sum);
        let status = match sheets.iter().any(is_behind) {
            _ if sheets.is_empty() => Status::Waiting,
            _ if self.pushed.problem.is_some() => Status::Failing,
            true => Status::Behind,
            false => self.pushed.status,
        };
        Pushed {
            status,
            ..self.pushed
        }
    }
}

impl Board {
    pub(super) fn read(&self) -> Vec<Left> {
        let rounds = self.0.read();
        rounds.unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn write(&self, rounds: Vec<Left>) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = rounds;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_public_and_not_there_is_said_though_it_was_all_there() {
        let sheet = |sum: u8| Sheet {
            number: 0,
            games: Vec::new(),
            sum: [sum; 32],
        };
        let left = |status, problem: Option<&str>| Left {
            pushed: Pushed {
                status,
                problem: problem.map(str::to_owned),
                ..Pushed::default()
            },
            has: BTreeMap::from([(0, [1; 32])]),
        };
        let now = |left: Left, sheets: &[Sheet]| left.now(sheets).status;
        let current = left(Status::Current, None);
        assert_eq!(now(current.clone(), &[sheet(1)]), Status::Current);
        assert_eq!(now(current.clone(), &[sheet(2)]), Status::Behind);
        assert_eq!(now(current, &[]), Status::Waiting);
        let failing = left(Status::Failing, Some("no answer"));
        assert_eq!(now(failing, &[sheet(2)]), Status::Failing);
        assert_eq!(now(Left::default(), &[sheet(1)]), Status::Behind);
    }
}
