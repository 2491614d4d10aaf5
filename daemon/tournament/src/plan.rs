//! What would become of a sheet, before anything does.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use serde::Serialize;

use crate::act::Act;
use crate::load::Sheet;
use crate::model::{Details, How, Outcome, Pairing, Player, Tournament};
use crate::refusal::Refusal;

/// What the operator says besides the file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// The round; else the file says it.
    pub round: Option<u16>,
    /// Only these tables are drawn; the others stay as they are.
    pub tables: Option<RangeInclusive<u16>>,
    /// The SHA-256 of the file, in hexadecimal digits.
    pub file: Option<String>,
}

/// One thing that would be different.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
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

/// Something that a person should look at.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "odd", rename_all = "kebab-case")]
pub enum Oddity {
    /// The file has no numbers of tables: the order is that of the scores.
    TablesByScore,
    /// The file has no numbers of tables: they are counted in its order.
    TablesByOrder,
    /// A table without a board: its result is typed.
    NoBoard {
        /// The table.
        table: u16,
    },
    /// Two players have one name.
    SameName {
        /// The name.
        name: String,
        /// Their starting numbers.
        numbers: Vec<u16>,
    },
    /// A player in no pairing of the round.
    NotDrawn {
        /// The starting number.
        player: u16,
    },
}

/// What a sheet would do to a tournament.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Plan {
    /// The round that is drawn.
    pub round: u16,
    /// The pairings of it as they would be.
    pub pairings: Vec<Pairing>,
    /// What would be different; nothing, where the same was loaded before.
    pub changes: Vec<Change>,
    /// What a person should look at.
    pub oddities: Vec<Oddity>,
    /// The acts that do it; none where nothing would be different.
    pub acts: Vec<Act>,
}

impl Plan {
    /// Works out what a sheet would do.
    ///
    /// # Errors
    /// Where it cannot be done.
    pub fn of(tournament: &Tournament, sheet: &Sheet, place: &Place) -> Result<Plan, Refusal> {
        let round = place
            .round
            .or(sheet.round)
            .ok_or(Refusal::Empty("the round's number"))?;
        let numbers = numbers(tournament, &sheet.players)?;
        let mut pairings = pairings(sheet, &numbers);
        let has_tables = sheet.games.iter().any(|game| game.table.is_some());
        if let Some(wanted) = &place.tables {
            pairings.retain(|p| p.table.is_some_and(|table| wanted.contains(&table)));
            let stood = tournament
                .rounds
                .get(&round)
                .map(|round| &round.pairings[..]);
            let kept = stood
                .unwrap_or_default()
                .iter()
                .filter(|pairing| pairing.table.is_none_or(|table| !wanted.contains(&table)));
            pairings.extend(kept.cloned());
        }
        let players = entered(tournament, sheet, &numbers);
        let details = described(tournament, &sheet.details);
        let act = Act::Draw {
            round,
            date: sheet.date.clone(),
            players,
            pairings,
            file: place.file.clone(),
        };
        let mut after = tournament.clone();
        let mut acts = Vec::new();
        if details != tournament.details {
            acts.push(Act::Describe { details });
        }
        acts.push(act);
        acts.iter().try_for_each(|act| after.apply(act))?;
        let changes = changes(tournament, &after, round);
        if changes.is_empty() {
            acts.clear();
        }
        let drawn = after.rounds.get(&round).map(|round| round.pairings.clone());
        Ok(Plan {
            round,
            pairings: drawn.unwrap_or_default(),
            changes,
            oddities: oddities(&after, round, sheet.is_ordered_here, has_tables),
            acts,
        })
    }
}

/// The starting number of each player of a sheet: the file's; else that of the player with the same
/// number at FIDE, or the same name; else the next that is free.
fn numbers(tournament: &Tournament, players: &[Player]) -> Result<Vec<u16>, Refusal> {
    let mut known: BTreeMap<u16, Player> = tournament.players.clone();
    let mut numbers = Vec::with_capacity(players.len());
    for player in players {
        let is_same = |other: &&Player| match (player.fide_id, other.fide_id) {
            (Some(one), Some(other)) => one == other,
            _ => player.name == other.name,
        };
        let number = match player.number {
            0 => known.values().find(is_same).map(|other| other.number),
            number if player.name.is_empty() && !known.contains_key(&number) => {
                return Err(Refusal::NoPlayer(number));
            }
            number => Some(number),
        };
        let last = known.last_key_value().map_or(0, |(number, _)| *number);
        let next = || last.checked_add(1).ok_or(Refusal::NoNumberLeft);
        let number = number.map_or_else(next, Ok)?;
        let entered = || Player {
            number,
            ..player.clone()
        };
        known.entry(number).or_insert_with(entered);
        numbers.push(number);
    }
    Ok(numbers)
}

fn pairings(sheet: &Sheet, numbers: &[u16]) -> Vec<Pairing> {
    let mut next = 1..;
    let has_tables = sheet.games.iter().any(|game| game.table.is_some());
    let pairing = |game: &crate::load::Game| {
        let counted = || if has_tables { None } else { next.next() };
        let table = match game.black {
            Some(_) => game.table.or_else(counted),
            None => None,
        };
        let outcome = game.codes.map(|codes| Outcome {
            codes,
            how: How::File,
            confirmed: false,
        });
        Pairing {
            table,
            white: numbers[game.white],
            black: game.black.map(|black| numbers[black]),
            game: None,
            outcome,
        }
    };
    sheet.games.iter().map(pairing).collect()
}

/// Players who are new, or of whom the sheet says something else; what it does not say stays.
fn entered(tournament: &Tournament, sheet: &Sheet, numbers: &[u16]) -> Vec<Player> {
    let mut entered: BTreeMap<u16, Player> = BTreeMap::new();
    for (player, number) in sheet.players.iter().zip(numbers) {
        let before = tournament.players.get(number);
        let merged = merged(before, player, *number);
        if before != Some(&merged) {
            entered.insert(*number, merged);
        }
    }
    entered.into_values().collect()
}

fn merged(before: Option<&Player>, said: &Player, number: u16) -> Player {
    let before = before.cloned().unwrap_or_default();
    let text = |said: &str, before: String| {
        if said.is_empty() {
            before
        } else {
            said.to_owned()
        }
    };
    Player {
        number,
        name: text(&said.name, before.name),
        title: text(&said.title, before.title),
        rating: said.rating.or(before.rating),
        federation: text(&said.federation, before.federation),
        fide_id: said.fide_id.or(before.fide_id),
        birth: text(&said.birth, before.birth),
        team: text(&said.team, before.team),
    }
}

/// The details, filled in with what the sheet says and nobody said before.
fn described(tournament: &Tournament, said: &Details) -> Details {
    let before = tournament.details.clone();
    let text = |before: String, said: &str| {
        if before.is_empty() {
            said.to_owned()
        } else {
            before
        }
    };
    Details {
        name: text(before.name, &said.name),
        site: text(before.site, &said.site),
        federation: text(before.federation, &said.federation),
        start: text(before.start, &said.start),
        end: text(before.end, &said.end),
        chief_arbiter: text(before.chief_arbiter, &said.chief_arbiter),
        time_control: text(before.time_control, &said.time_control),
        rounds: before.rounds.or(said.rounds),
    }
}

fn changes(before: &Tournament, after: &Tournament, round: u16) -> Vec<Change> {
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

fn oddities(after: &Tournament, round: u16, by_score: bool, has_tables: bool) -> Vec<Oddity> {
    let mut oddities = Vec::new();
    match (has_tables, by_score) {
        (true, _) => {}
        (false, true) => oddities.push(Oddity::TablesByScore),
        (false, false) => oddities.push(Oddity::TablesByOrder),
    }
    let pairings = after
        .rounds
        .get(&round)
        .map_or(&[][..], |round| &round.pairings);
    let tables = pairings.iter().filter_map(|pairing| pairing.table);
    let bare = tables.filter(|table| !after.boards.contains_key(table));
    oddities.extend(bare.map(|table| Oddity::NoBoard { table }));
    let mut names: BTreeMap<&str, Vec<u16>> = BTreeMap::new();
    for player in after.players.values() {
        names.entry(&player.name).or_default().push(player.number);
    }
    let twice = names.into_iter().filter(|(_, numbers)| numbers.len() > 1);
    oddities.extend(twice.map(|(name, numbers)| Oddity::SameName {
        name: name.to_owned(),
        numbers,
    }));
    let is_drawn = |number: &u16| {
        let mut drawn = pairings.iter();
        drawn.any(|pairing| pairing.white == *number || pairing.black == Some(*number))
    };
    let left = after.players.keys().filter(|number| !is_drawn(number));
    oddities.extend(left.map(|player| Oddity::NotDrawn { player: *player }));
    oddities
}
