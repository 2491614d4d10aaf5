//! What would be different.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;

use crate::model::{Match, Pairing, Player, Start, Team, TeamBye, Tournament};

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
        /// As before; left out where it is entered.
        #[serde(skip_serializing_if = "Option::is_none")]
        before: Option<Team>,
        /// As from now on.
        team: Team,
    },
    /// The matches of teams are others.
    Matches {
        /// As from now on.
        matches: Vec<Match>,
    },
    /// A team that plays nobody has something else for it.
    TeamBye {
        /// The team.
        team: u16,
        /// As before; `null`: it had none.
        before: Option<TeamBye>,
        /// As from now on; `null`: it has none any more.
        after: Option<TeamBye>,
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
    /// A pairing has another result, which the file says.
    Result {
        /// The table; byes have none.
        table: Option<u16>,
        /// White; with a bye the player.
        white: u16,
        /// As before; `null` where there was none.
        before: Option<String>,
        /// As from now on.
        after: Option<String>,
    },
    /// A game starts from another position.
    Start {
        /// The table.
        table: Option<u16>,
        /// As before; `null`: the usual one.
        before: Option<Start>,
        /// As from now on.
        after: Option<Start>,
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
        let stood = before.teams.get(&team.number);
        if stood != Some(team) {
            let (before, team) = (stood.cloned(), team.clone());
            changes.push(Change::Team { before, team });
        }
    }
    let drawn =
        |tournament: &Tournament| tournament.rounds.get(&round).cloned().unwrap_or_default();
    let (before, after) = (drawn(before), drawn(after));
    if before.matches != after.matches {
        let matches = after.matches.clone();
        changes.push(Change::Matches { matches });
    }
    changes.extend(byes(&before.byes, &after.byes));
    let (stood, stands) = (before.pairings, after.pairings);
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
            (Some(other), _) if other.is_same(pairing) => {
                let [before, after] = [&other, pairing].map(Pairing::written);
                if before != after {
                    changes.push(Change::Result {
                        table,
                        white,
                        before,
                        after,
                    });
                }
                if other.start != pairing.start {
                    changes.push(Change::Start {
                        table,
                        before: other.start,
                        after: pairing.start.clone(),
                    });
                }
            }
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

/// Teams that have another bye, or one where they had none, or none any more.
fn byes(before: &[TeamBye], after: &[TeamBye]) -> Vec<Change> {
    let teams: BTreeSet<u16> = before.iter().chain(after).map(|bye| bye.team).collect();
    let of = |byes: &[TeamBye], team: u16| byes.iter().find(|bye| bye.team == team).copied();
    let both = teams
        .into_iter()
        .map(|team| (team, of(before, team), of(after, team)));
    let others = both.filter(|(_, before, after)| before != after);
    others
        .map(|(team, before, after)| Change::TeamBye {
            team,
            before,
            after,
        })
        .collect()
}
