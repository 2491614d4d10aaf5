//! The matches of a round, once it is drawn: as the file says; where it cannot say any, as they
//! come of who plays whom.

use std::collections::{BTreeMap, BTreeSet};

use chess_trf::Code;

use super::oddity::folded;
use super::teams::Said;
use crate::act::Act;
use crate::code::ResultCode;
use crate::model::reseat::{Seats, table_of, white_first};
use crate::model::{Match, Pairing, Round, Team, TeamBye, Tournament};
use crate::refusal::Refusal;

/// What is to be done about teams and their matches once the round is drawn, which `after` is told.
/// Matches that the file does not have stay, and so do those of tables that are not drawn.
pub(super) fn acts(
    before: &Tournament,
    after: &mut Tournament,
    said: &Said,
    round: u16,
) -> Result<Vec<Act>, Refusal> {
    let mut acts = Vec::new();
    let stood = before.rounds.get(&round).cloned().unwrap_or_default();
    // A file without matches that has byes of teams says that there are none.
    let says_it = !said.matches.is_empty() || said.byes.is_some();
    let mut teams = after.teams.clone();
    teams.extend(said.teams.iter().map(|team| (team.number, team.clone())));
    if !says_it && is_of_teams(before, round) {
        join_substitutes(after, &mut teams, &stood, round);
    }
    let is_new = |team: &Team| after.teams.get(&team.number) != Some(team);
    let teams: Vec<Team> = teams.into_values().filter(is_new).collect();
    if !teams.is_empty() {
        let act = Act::EnterTeams { teams };
        after.apply(&act)?;
        acts.push(act);
    }
    let Some(drawn) = after.rounds.get(&round) else {
        return Ok(acts);
    };
    let matches = match says_it {
        true => said_or_left(said, drawn),
        false => worked_out(before, after, &stood, round),
    };
    let byes = byes(after, said, drawn, &matches);
    if matches != drawn.matches || byes != drawn.byes {
        let act = Act::DrawMatches {
            round,
            matches,
            byes,
        };
        after.apply(&act)?;
        acts.push(act);
    }
    Ok(acts)
}

/// Tables whose game belongs to no match, in an event in which teams play each other, or did.
pub(super) fn without_match(before: &Tournament, event: &Tournament, round: u16) -> Vec<u16> {
    let Some(drawn) = event.rounds.get(&round) else {
        return Vec::new();
    };
    if !is_of_teams(event, round) && !is_of_teams(before, round) {
        return Vec::new();
    }
    let is_left = |pairing: &&Pairing| !is_seated(pairing, &drawn.matches);
    let left = drawn.pairings.iter().filter(is_left);
    left.filter_map(|pairing| pairing.table).collect()
}

/// Whether matches are known, of this round or another.
fn is_of_teams(event: &Tournament, round: u16) -> bool {
    let is_now = |number: &u16| *number == round;
    let mut rounds = event.rounds.iter();
    rounds.any(|(number, drawn)| {
        !drawn.matches.is_empty() || (!drawn.byes.is_empty() && !is_now(number))
    })
}

fn is_seated(pairing: &Pairing, matches: &[Match]) -> bool {
    let sits = |seat: &Option<u16>| seat.is_some_and(|p| pairing.players().any(|other| other == p));
    let mut boards = matches.iter().flat_map(|played| &played.boards);
    boards.any(|seats| seats.iter().any(sits))
}

/// The file's matches, as far as the round is drawn so, and those of teams of which it says none.
fn said_or_left(said: &Said, drawn: &Round) -> Vec<Match> {
    let fits = |m: &&Match| m.is_drawn(&drawn.pairings);
    let mut matches: Vec<Match> = said.matches.iter().filter(fits).cloned().collect();
    let teams: Vec<u16> = matches.iter().flat_map(|m| m.teams).collect();
    let others = drawn.matches.iter();
    let others = others.filter(|m| !m.teams.iter().any(|team| teams.contains(team)));
    matches.extend(others.cloned());
    matches
}

/// The matches that were known, as they are drawn by now, and those that come of the other games.
fn worked_out(before: &Tournament, event: &Tournament, stood: &Round, round: u16) -> Vec<Match> {
    let drawn = event.rounds.get(&round);
    let pairings = drawn.map_or(&[][..], |drawn| &drawn.pairings);
    let again = |played: &Match| {
        let mut now = event.reseated(played, &stood.pairings, pairings)?;
        if now.forfeit.is_some() && plays(event, now.teams, pairings) {
            // It is played after all, or its teams play others.
            now.forfeit = None;
            now.boards.retain(|seats| seats.iter().all(Option::is_some));
            (!now.boards.is_empty()).then_some(())?;
        }
        Some(in_order(now, played.boards.len(), pairings))
    };
    let mut matches: Vec<Match> = stood.matches.iter().filter_map(again).collect();
    let is_of_teams = is_of_teams(before, round);
    matches.extend(found(event, pairings, &matches, is_of_teams));
    let first = |played: &Match| {
        let tables = played.boards.iter();
        let tables = tables.filter_map(|seats| table_of(*seats, pairings));
        tables.min()
    };
    // A match that is forfeited as a whole has no table.
    matches.sort_by_key(|played| first(played).unwrap_or(u16::MAX));
    matches
}

/// Players who have come for a game, or have not, in a match that is no more: their teams play
/// others now, or play one that was forfeited as a whole.
pub(super) fn stale(before: &Tournament, round: u16, drawn: &[Pairing]) -> BTreeSet<u16> {
    let Some(stood) = before.rounds.get(&round) else {
        return BTreeSet::new();
    };
    let team_of = |player: u16| before.team_of(player).map(|team| team.number);
    let games = || {
        drawn
            .iter()
            .filter_map(|p| Some([p.white, p.black?].map(team_of)))
    };
    let is_no_more = |player: &u16| {
        let Some(team) = team_of(*player) else {
            return false;
        };
        let mut matches = stood.matches.iter();
        let Some(played) = matches.find(|played| played.teams.contains(&team)) else {
            return false;
        };
        let mut theirs = games().filter(|teams| teams.contains(&Some(team)));
        let is_it = |teams: &[Option<u16>; 2]| {
            let mut both = teams.iter().flatten();
            both.all(|team| played.teams.contains(team))
        };
        match played.forfeit {
            Some(_) => theirs.next().is_some(),
            None => theirs.any(|teams| !is_it(&teams)),
        }
    };
    let byes = stood.pairings.iter().filter(|pairing| pairing.is_bye());
    let came = byes.filter(|bye| {
        let outcome = bye.outcome.as_ref();
        outcome.is_some_and(|outcome| is_of_absence(outcome.codes[0].0))
    });
    came.map(|bye| bye.white).filter(is_no_more).collect()
}

/// Whether a player of one of these teams has a game that was not forfeited.
fn plays(event: &Tournament, teams: [u16; 2], pairings: &[Pairing]) -> bool {
    let is_theirs = |player: u16| {
        let team = event.team_of(player);
        team.is_some_and(|team| teams.contains(&team.number))
    };
    let is_forfeit = |pairing: &Pairing| {
        let outcome = pairing.outcome.as_ref();
        outcome.is_some_and(|outcome| outcome.codes.iter().all(|code| is_of_absence(code.0)))
    };
    let mut games = pairings.iter().filter(|pairing| !pairing.is_bye());
    games.any(|pairing| !is_forfeit(pairing) && pairing.players().any(is_theirs))
}

fn is_of_absence(code: Code) -> bool {
    matches!(code, Code::ForfeitWin | Code::ForfeitLoss)
}

/// The boards of a match in the order of their tables: a game that comes back to it goes to the
/// board that became empty.
fn in_order(mut played: Match, stood: usize, pairings: &[Pairing]) -> Match {
    // At a board sits alone who came for his game, and nobody who has a bye.
    let has_bye = |player: &u16| {
        let mut byes = pairings.iter().filter(|pairing| pairing.is_bye());
        let his = byes.find(|bye| bye.white == *player);
        let outcome = his.and_then(|bye| bye.outcome.as_ref());
        outcome.is_some_and(|outcome| !is_of_absence(outcome.codes[0].0))
    };
    for seat in played.boards.iter_mut().flatten() {
        *seat = seat.filter(|player| !has_bye(player));
    }
    let is_full = |seats: &Seats| seats.iter().all(Option::is_some);
    let table = |seats: &Seats| table_of(*seats, pairings);
    let mut full: Vec<Seats> = played.boards.iter().copied().filter(is_full).collect();
    let mut excess = played.boards.len().saturating_sub(stood);
    if full.is_sorted_by_key(table) && excess == 0 {
        return played;
    }
    full.sort_by_key(table);
    let mut full = full.into_iter();
    let mut boards = Vec::new();
    for seats in &played.boards {
        // A game that is new has the board of one that is no more.
        match seats.iter().flatten().count() {
            1 if excess > 0 => excess -= 1,
            1 => boards.push(*seats),
            _ => boards.extend(full.next()),
        }
    }
    white_first(&played, boards, pairings)
}

/// Matches that come of the games of teams that have none yet. Nothing, where a team would have two
/// opponents, or somebody is of no team: then everybody may play for himself. So he may where teams
/// are not known to play each other, and no two of them have more than one game.
fn found(
    event: &Tournament,
    pairings: &[Pairing],
    known: &[Match],
    is_of_teams: bool,
) -> Vec<Match> {
    let mut opponent: BTreeMap<u16, u16> = BTreeMap::new();
    let mut boards: BTreeMap<[u16; 2], Vec<Seats>> = BTreeMap::new();
    let games = pairings.iter().filter(|pairing| !pairing.is_bye());
    for pairing in games.filter(|pairing| !is_seated(pairing, known)) {
        let Some(black) = pairing.black else { continue };
        let team = |player: u16| event.team_of(player).map(|team| team.number);
        let (Some(one), Some(other)) = (team(pairing.white), team(black)) else {
            return Vec::new();
        };
        let mut has = known.iter().flat_map(|played| played.teams);
        let mut is_new =
            |team: u16, against: u16| *opponent.entry(team).or_insert(against) == against;
        let plays = has.any(|team| team == one || team == other);
        if one == other || plays || !is_new(one, other) || !is_new(other, one) {
            return Vec::new();
        }
        let seats = [Some(pairing.white), Some(black)];
        let (teams, seats) = match boards.contains_key(&[other, one]) {
            true => ([other, one], [seats[1], seats[0]]),
            false => ([one, other], seats),
        };
        boards.entry(teams).or_default().push(seats);
    }
    if !is_of_teams && boards.values().all(|games| games.len() < 2) {
        return Vec::new();
    }
    let mut all = Vec::new();
    for (teams, mut boards) in boards {
        // As in a report file: behind the games those who came for one.
        let [one, other] = teams.map(|team| came(event, team, pairings));
        boards.extend(one.into_iter().map(|player| [Some(player), None]));
        boards.extend(other.into_iter().map(|player| [None, Some(player)]));
        all.push(Match {
            teams,
            boards,
            forfeit: None,
        });
    }
    all
}

/// Players of a team who have come for a game, or have not, and have no opponent.
fn came(event: &Tournament, team: u16, pairings: &[Pairing]) -> Vec<u16> {
    let members = event.teams.get(&team).into_iter().flat_map(|t| &t.players);
    let has_forfeit = |player: &&u16| {
        let mut byes = pairings.iter().filter(|pairing| pairing.is_bye());
        let his = byes.find(|bye| bye.white == **player);
        let outcome = his.and_then(|bye| bye.outcome.as_ref());
        outcome.is_some_and(|outcome| is_of_absence(outcome.codes[0].0))
    };
    members.filter(has_forfeit).copied().collect()
}

/// Puts those who play and are of no team into the one for which they do: as the file calls it,
/// else by whom they play against.
fn join_substitutes(
    event: &Tournament,
    teams: &mut BTreeMap<u16, Team>,
    stood: &Round,
    round: u16,
) {
    let pairings = event.rounds.get(&round).map(|drawn| &drawn.pairings);
    let games = || {
        let games = pairings.into_iter().flatten();
        games.filter_map(|pairing| Some([pairing.white, pairing.black?]))
    };
    let named = |player: u16| {
        let name = folded(&event.players.get(&player)?.team);
        let mut teams = teams.values().filter(|team| folded(&team.name) == name);
        let first = teams.next().filter(|_| !name.is_empty())?;
        teams.next().is_none().then_some(first.number)
    };
    let team_of = |player: u16| {
        let mut teams = teams.values();
        let of = teams.find(|team| team.players.contains(&player));
        of.map(|team| team.number).or_else(|| named(player))
    };
    // Whom a team plays in this round: as its other games say, else as it was drawn before.
    let against = |team: u16| {
        let met = games().filter_map(|players| {
            let both = players.map(team_of);
            let at = both.iter().position(|of| *of == Some(team))?;
            both[1 - at].filter(|other| *other != team)
        });
        let met: BTreeSet<u16> = met.collect();
        let known = || {
            let mut matches = stood.matches.iter().map(|played| played.teams);
            let teams = matches.find(|teams| teams.contains(&team))?;
            teams.into_iter().find(|other| *other != team)
        };
        match met.len() {
            0 => known(),
            1 => met.first().copied(),
            _ => None,
        }
    };
    let is_of_none = |player: u16| !teams.values().any(|team| team.players.contains(&player));
    let both_ways = games().flat_map(|[white, black]| [(white, black), (black, white)]);
    let joined = both_ways.filter(|(player, _)| is_of_none(*player));
    let joined = joined.filter_map(|(player, other)| {
        let is_nameless = event
            .players
            .get(&player)
            .is_some_and(|p| p.team.is_empty());
        let met = || team_of(other).filter(|_| is_nameless).and_then(against);
        Some((player, named(player).or_else(met)?))
    });
    let joined: Vec<(u16, u16)> = joined.collect();
    for (player, team) in joined {
        if let Some(team) = teams.get_mut(&team) {
            team.players.push(player);
        }
    }
}

/// What teams have that play nobody: as the file says, else as it was; and where it is said of all
/// their players alone, that.
fn byes(event: &Tournament, said: &Said, drawn: &Round, matches: &[Match]) -> Vec<TeamBye> {
    let plays = |team: u16| matches.iter().any(|m| m.teams.contains(&team));
    let stay = drawn
        .byes
        .iter()
        .filter(|bye| !plays(bye.team) && !said.is_beside);
    let stay = stay.copied();
    let mut byes = said.byes.clone().unwrap_or_else(|| stay.collect());
    let is_left = |byes: &[TeamBye], team: u16| {
        let is_known = event.teams.contains_key(&team);
        is_known && !plays(team) && byes.iter().all(|bye| bye.team != team)
    };
    for bye in &said.beside {
        if is_left(&byes, bye.team) {
            byes.push(*bye);
        }
    }
    if matches.is_empty() {
        return byes;
    }
    let code_of = |player: u16| {
        let mut his = drawn.pairings.iter();
        let his = his.find(|pairing| pairing.is_bye() && pairing.white == player)?;
        his.settled().map(|[code, _]| code)
    };
    let of_all = |team: &Team| -> Option<ResultCode> {
        let mut codes = team.players.iter().map(|player| code_of(*player));
        let first = codes.next()??;
        let is_bye = matches!(
            first.0,
            Code::PairingBye | Code::FullPointBye | Code::HalfPointBye
        );
        (is_bye && codes.all(|code| code == Some(first))).then_some(first)
    };
    let left = event.teams.values();
    let left = left.filter(|team| is_left(&byes, team.number));
    let found: Vec<TeamBye> = left
        .filter_map(|team| {
            let code = of_all(team)?;
            Some(TeamBye {
                team: team.number,
                code,
                points: None,
            })
        })
        .collect();
    byes.extend(found);
    byes
}
