//! What would be different.

use schemars::JsonSchema;
use serde::Serialize;

use crate::model::{Match, Pairing, Player, Team, Tournament};

/// One thing that would be different.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(tag = "change", rename_all = "kebab-case")]
pub enum Change {
    /// The tournament is described otherwise.
    Details,
    /// A player is entered.
    Enters {
        /// The player.
        player: Player,
    },
    /// Something of a player is another.
    Player {
        /// As before.
        before: Player,
        /// As from now on.
        after: Player,
    },
    /// A team is entered, or something of it is another.
    Team {
        /// As from now on.
        team: Team,
    },
    /// The matches of teams are others.
    Matches {
        /// As from now on.
        matches: Vec<Match>,
    },
    /// A table gets a pairing.
    Drawn {
        /// The table; byes have none.
        table: Option<u16>,
        /// White.
        white: u16,
        /// Black.
        black: Option<u16>,
    },
    /// A table gets another pairing.
    Redrawn {
        /// The table.
        table: u16,
        /// White and Black before.
        before: (u16, Option<u16>),
        /// White and Black from now on.
        after: (u16, Option<u16>),
    },
    /// A pairing is no more.
    Gone {
        /// The table; byes have none.
        table: Option<u16>,
        /// White.
        white: u16,
        /// Black.
        black: Option<u16>,
    },
}

pub(super) fn changes(before: &Tournament, after: &Tournament, round: u16) -> Vec<Change> {
    let mut changes = Vec::new();
    if before.details != after.details {
        changes.push(Change::Details);
    }
    for (number, player) in &after.players {
        match before.players.get(number) {
            None => changes.push(Change::Enters {
                player: player.clone(),
            }),
            Some(stood) if stood != player => changes.push(Change::Player {
                before: stood.clone(),
                after: player.clone(),
            }),
            Some(_) => {}
        }
    }
    for team in after.teams.values() {
        if before.teams.get(&team.number) != Some(team) {
            changes.push(Change::Team { team: team.clone() });
        }
    }
    let matches = |tournament: &Tournament| {
        let round = tournament.rounds.get(&round);
        round.map_or(Vec::new(), |round| round.matches.clone())
    };
    if matches(before) != matches(after) {
        let matches = matches(after);
        changes.push(Change::Matches { matches });
    }
    let drawn = |tournament: &Tournament| {
        let round = tournament.rounds.get(&round);
        round.map_or(Vec::new(), |round| round.pairings.clone())
    };
    let (stood, stands) = (drawn(before), drawn(after));
    let seat = |pairing: &Pairing, all: &[Pairing]| {
        let at = |other: &&Pairing| match pairing.table {
            Some(table) => other.table == Some(table),
            None => other.is_same(pairing),
        };
        all.iter().find(at).cloned()
    };
    for pairing in &stands {
        let (table, white, black) = (pairing.table, pairing.white, pairing.black);
        match (seat(pairing, &stood), table) {
            (Some(other), _) if other == *pairing => {}
            (Some(other), Some(table)) => changes.push(Change::Redrawn {
                table,
                before: (other.white, other.black),
                after: (white, black),
            }),
            _ => changes.push(Change::Drawn {
                table,
                white,
                black,
            }),
        }
    }
    for pairing in stood
        .iter()
        .filter(|pairing| seat(pairing, &stands).is_none())
    {
        changes.push(Change::Gone {
            table: pairing.table,
            white: pairing.white,
            black: pairing.black,
        });
    }
    changes
}
