//! What people have said of how the public sees the games: where it is stopped, and how late it is.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A round, a table, a table of a round, or everything.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Debug,
    Default,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(default, deny_unknown_fields)]
pub struct Scope {
    /// The round; `None`: every round, and games of none.
    pub round: Option<u16>,
    /// The table; `None`: every table.
    pub table: Option<u16>,
}

/// How late the public sees games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Lateness {
    /// By so many seconds.
    pub seconds: u32,
    /// By so many half-moves.
    pub moves: u16,
}

/// What was said of how the public sees the games.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Publication {
    /// Where it is stopped, and where it goes on though it is stopped around it; the last that fits
    /// counts.
    pub stops: Vec<(Scope, bool)>,
    /// Where it is how late; the last that fits counts.
    pub delays: Vec<(Scope, Option<Lateness>)>,
}

impl Scope {
    /// Whether a table of a round lies in it.
    pub fn has(self, round: Option<u16>, table: Option<u16>) -> bool {
        let has = |wanted: Option<u16>, is| wanted.is_none() || wanted == is;
        has(self.round, round) && has(self.table, table)
    }

    /// Whether all of another place lies in it.
    fn covers(self, other: Scope) -> bool {
        self.has(other.round, other.table)
    }
}

impl Publication {
    /// Nobody has said anything.
    pub fn is_unsaid(&self) -> bool {
        *self == Publication::default()
    }

    /// It is stopped at a place, or goes on there.
    pub fn stop(&mut self, place: Scope, stopped: bool) {
        self.stops.retain(|(known, _)| !place.covers(*known));
        if stopped || self.is_stopped(place.round, place.table) {
            self.stops.push((place, stopped));
        }
    }

    /// It is so late at a place from now on; `None`: as it is configured.
    pub(super) fn delay_by(&mut self, place: Scope, by: Option<Lateness>) {
        self.delays.retain(|(known, _)| !place.covers(*known));
        if by.is_some() || !self.delays.is_empty() {
            self.delays.push((place, by));
        }
    }

    /// Whether the game at a place is stopped.
    pub fn is_stopped(&self, round: Option<u16>, table: Option<u16>) -> bool {
        let mut said = self.stops.iter().rev();
        let found = said.find(|(place, _)| place.has(round, table));
        found.is_some_and(|(_, stopped)| *stopped)
    }

    /// How late the game at a place is, where somebody has said so.
    pub fn delay(&self, round: Option<u16>, table: Option<u16>) -> Option<Lateness> {
        let mut said = self.delays.iter().rev();
        let found = said.find(|(place, _)| place.has(round, table));
        found.and_then(|(_, by)| *by)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(round: impl Into<Option<u16>>, table: impl Into<Option<u16>>) -> Scope {
        Scope {
            round: round.into(),
            table: table.into(),
        }
    }

    #[test]
    fn what_is_said_last_of_a_place_counts() {
        let mut publication = Publication::default();
        publication.stop(place(3, None), true);
        assert!(publication.is_stopped(Some(3), Some(1)));
        assert!(!publication.is_stopped(Some(2), Some(1)));
        publication.stop(place(3, 1), false);
        assert!(!publication.is_stopped(Some(3), Some(1)));
        assert!(publication.is_stopped(Some(3), Some(2)));
        publication.stop(place(None, None), true);
        assert!(publication.is_stopped(Some(3), Some(1)) && publication.is_stopped(None, None));
        publication.stop(place(None, None), false);
        assert!(publication.is_unsaid());
    }

    #[test]
    fn a_delay_is_of_a_place_too() {
        let mut publication = Publication::default();
        let late = |seconds| Some(Lateness { seconds, moves: 0 });
        publication.delay_by(place(None, None), late(60));
        publication.delay_by(place(2, None), late(0));
        assert_eq!(publication.delay(Some(1), Some(1)), late(60));
        assert_eq!(publication.delay(Some(2), Some(1)), late(0));
        publication.delay_by(place(2, 1), None);
        assert_eq!(publication.delay(Some(2), Some(1)), None);
        publication.delay_by(place(None, None), None);
        assert!(publication.is_unsaid());
    }
}
