//! Teams keep their numbers, as their players do: matches of earlier rounds go by the number, and
//! would go to another team with it. A file that only counts its teams has no say in it.

use std::collections::{BTreeMap, BTreeSet};

use super::oddity::folded;
use crate::load::{Sheet, Unreadable};
use crate::model::{Match, Team, TeamBye, Tournament};
use crate::what;

/// What a sheet says of teams, by the numbers that they have in the event.
pub(super) struct Said {
    pub(super) teams: Vec<Team>,
    pub(super) matches: Vec<Match>,
    /// `None` where it cannot say it.
    pub(super) byes: Option<Vec<TeamBye>>,
    /// As the file of the players has them, where it cannot.
    pub(super) beside: Vec<TeamBye>,
    /// Whether there is one, and it has teams.
    pub(super) is_beside: bool,
}

impl Said {
    /// # Errors
    /// Where a number goes to another team once something hangs on it, with the line of each.
    pub(super) fn of(event: &Tournament, sheet: &Sheet, round: u16) -> Result<Said, Unreadable> {
        if sheet.are_teams_numbered {
            keeps(event, sheet, round).map_err(|wrong| match sheet.are_teams_beside {
                true => wrong.of_players(),
                false => wrong,
            })?;
        }
        let numbers = numbers(event, sheet);
        let here = |number: u16| numbers.get(&number).copied().unwrap_or(number);
        let team = |team: &Team| {
            let number = here(team.number);
            let known = event.teams.get(&number);
            // Lines 013 have no short names.
            let short = known.filter(|_| !sheet.are_teams_numbered);
            Team {
                number,
                short: short.map_or_else(|| team.short.clone(), |known| known.short.clone()),
                ..team.clone()
            }
        };
        let played = |played: &Match| Match {
            teams: played.teams.map(here),
            ..played.clone()
        };
        let bye = |bye: &TeamBye| TeamBye {
            team: here(bye.team),
            ..*bye
        };
        let byes = sheet.team_byes.as_ref();
        Ok(Said {
            teams: sheet.teams.iter().map(team).collect(),
            matches: sheet.matches.iter().map(played).collect(),
            byes: byes.map(|byes| byes.iter().map(bye).collect()),
            is_beside: sheet.are_teams_beside,
            beside: sheet.beside_byes.iter().map(bye).collect(),
        })
    }
}

/// How much speaks for two being one team: first the name, then most of the players, then one.
type Likeness = (bool, bool, usize);

fn likeness(said: &Team, known: &Team) -> Likeness {
    let shared = said.players.iter().filter(|p| known.players.contains(p));
    let shared = shared.count();
    let fewer = said.players.len().min(known.players.len());
    let is_named = folded(&said.name) == folded(&known.name);
    (is_named, 2 * shared > fewer, shared)
}

/// Whether they may be one team at all.
fn may_be((is_named, _, shared): Likeness) -> bool {
    is_named || shared > 0
}

/// The numbers here of teams that a file counts otherwise: known ones keep theirs, others get one
/// that is free.
fn numbers(event: &Tournament, sheet: &Sheet) -> BTreeMap<u16, u16> {
    let mut numbers = BTreeMap::new();
    if sheet.are_teams_numbered || event.teams.is_empty() {
        return numbers;
    }
    let pairs = sheet
        .teams
        .iter()
        .flat_map(|said| event.teams.values().map(move |known| (said, known)));
    let mut pairs: Vec<(Likeness, u16, u16)> = pairs
        .map(|(said, known)| (likeness(said, known), said.number, known.number))
        .filter(|((is_named, are_most, _), ..)| *is_named || *are_most)
        .collect();
    pairs.sort_by_key(|(likeness, said, known)| (std::cmp::Reverse(*likeness), *said, *known));
    let mut taken = BTreeSet::new();
    for (_, said, known) in pairs {
        if !numbers.contains_key(&said) && taken.insert(known) {
            numbers.insert(said, known);
        }
    }
    let last = event.teams.keys().last().copied().unwrap_or(0);
    let new = sheet.teams.iter().map(|team| team.number);
    let new: Vec<u16> = new.filter(|said| !numbers.contains_key(said)).collect();
    let is_free = |number: &u16| !event.teams.contains_key(number);
    for said in new {
        // Its place in the file, where that is nobody's: as if it had come with the first.
        let own = Some(said).filter(|own| is_free(own) && !taken.contains(own));
        let next = || (last.saturating_add(1)..).find(|number| !taken.contains(number));
        if let Some(number) = own.or_else(next) {
            taken.insert(number);
            numbers.insert(said, number);
        }
    }
    numbers
}

/// Refuses numbers that go to other teams once something hangs on them.
fn keeps(event: &Tournament, sheet: &Sheet, round: u16) -> Result<(), Unreadable> {
    let mut wrong = Unreadable(Vec::new());
    for (place, said) in sheet.teams.iter().enumerate() {
        let number = said.number;
        let stood = event.teams.get(&number);
        let alike = |known: &Team| likeness(said, known);
        let best = event.teams.values().filter(|known| may_be(alike(known)));
        let best = best.max_by_key(|known| (alike(known), known.number == number));
        // Whom another team of the file is at least as like is not meant.
        let is_left = |other: &&Team| {
            let mut others = sheet.teams.iter().filter(|team| team.number != number);
            !others.any(|team| team.number == other.number && likeness(team, other) >= alike(other))
        };
        let is_bound = |number: u16| is_bound(event, number, round);
        let other = best.filter(|best| best.number != number).filter(is_left);
        let other = other.filter(|other| is_bound(number) || is_bound(other.number));
        let what = match (other, stood) {
            (Some(other), _) => what!(
                "other-team-number",
                "team {number} is `{name}` here, which is team {other} in this event: teams keep \
                 their numbers",
                number = number,
                name = said.name,
                other = other.number
            ),
            (None, Some(stood)) if is_bound(number) && !may_be(alike(stood)) => what!(
                "team-number-bound",
                "team {number} is `{there}`, which plays in another round or has played: `{name}` \
                 is another team, and needs a number of its own",
                number = number,
                there = stood.name,
                name = said.name
            ),
            _ => continue,
        };
        let line = sheet.team_lines.get(place).copied().unwrap_or(1);
        wrong.add(line, 5, what);
    }
    wrong.unless(())
}

/// Whether something hangs on a team's number that the round which is drawn does not replace.
fn is_bound(event: &Tournament, team: u16, round: u16) -> bool {
    event.rounds.iter().any(|(number, drawn)| {
        let is_other = *number != round;
        let has_begun = |played: &Match| {
            let mut seated = played.boards.iter().flatten().flatten();
            seated.any(|player| {
                let mut pairings = drawn.pairings.iter();
                pairings.any(|p| p.has_begun() && p.players().any(|other| other == *player))
            })
        };
        let mut matches = drawn.matches.iter().filter(|m| m.teams.contains(&team));
        let mut byes = drawn.byes.iter();
        matches.any(|played| is_other || has_begun(played))
            || is_other && byes.any(|bye| bye.team == team)
    })
}
