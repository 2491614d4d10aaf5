//! What would become of a sheet, before anything does.

mod change;
mod entry;
mod numbers;
mod oddity;

pub use change::Change;
pub use oddity::Oddity;

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use schemars::JsonSchema;
use serde::Serialize;

use crate::act::Act;
use crate::code::ResultCode;
use crate::load::{Format, Sheet};
use crate::model::{How, Match, Outcome, Pairing, Team, Tournament};
use crate::refusal::Refusal;
use change::changes;
use entry::{described, entered};
use numbers::numbers;
use oddity::oddities;

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

/// What a sheet would do to a tournament.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
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
        if sheet.format == Format::Pgn {
            let stood = tournament.rounds.get(&round);
            keep_beside_pgn(&mut pairings, stood.map_or(&[], |round| &round.pairings));
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
        for act in teams(&after, sheet, round) {
            after.apply(&act)?;
            acts.push(act);
        }
        let changes = changes(tournament, &after, round);
        if changes.is_empty() {
            acts.clear();
        }
        let drawn = after.rounds.get(&round).map(|round| round.pairings.clone());
        Ok(Plan {
            round,
            pairings: drawn.unwrap_or_default(),
            changes,
            oddities: oddities(&after, round, sheet),
            acts,
        })
    }
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
            typed: None,
        }
    };
    sheet.games.iter().map(pairing).collect()
}

/// What is to be done about teams and their matches once the round is drawn. Matches that the
/// sheet does not have stay, and so do those of tables that are not drawn.
fn teams(after: &Tournament, sheet: &Sheet, round: u16) -> Vec<Act> {
    let mut acts = Vec::new();
    let is_new = |team: &&Team| after.teams.get(&team.number) != Some(team);
    let teams: Vec<Team> = sheet.teams.iter().filter(is_new).cloned().collect();
    if !teams.is_empty() {
        acts.push(Act::EnterTeams { teams });
    }
    let Some(drawn) = after.rounds.get(&round) else {
        return acts;
    };
    let fits = |m: &&Match| m.is_drawn(&drawn.pairings);
    let mut matches: Vec<Match> = sheet.matches.iter().filter(fits).cloned().collect();
    let said: Vec<u16> = matches.iter().flat_map(|m| m.teams).collect();
    let others = drawn.matches.iter();
    let others = others.filter(|m| !m.teams.iter().any(|team| said.contains(team)));
    matches.extend(others.cloned());
    if matches != drawn.matches {
        acts.push(Act::DrawMatches { round, matches });
    }
    acts
}

/// PGN has no byes, and one sign for several results: what is known of them stays.
fn keep_beside_pgn(pairings: &mut Vec<Pairing>, stood: &[Pairing]) {
    for pairing in pairings.iter_mut() {
        let before = stood.iter().find(|p| p.is_same(pairing));
        let codes = |p: &Pairing| p.outcome.as_ref().map(|o| ResultCode::pgn(o.codes));
        if let Some(before) = before.filter(|before| codes(before) == codes(pairing)) {
            pairing.outcome.clone_from(&before.outcome);
        }
    }
    let drawn = pairings.iter().flat_map(|p| [Some(p.white), p.black]);
    let drawn: BTreeSet<u16> = drawn.flatten().collect();
    let byes = stood
        .iter()
        .filter(|p| p.is_bye() && !drawn.contains(&p.white));
    pairings.extend(byes.cloned());
}
