//! What a report file says of teams: who sat at the boards of their matches, which byes they have,
//! and who is of them.

use std::collections::BTreeSet;

use chess_trf::{Complaints, Document, LineUp};

use crate::load;
use crate::model::{Match, Pairing, Round, TeamBye, Tournament};

/// Enters those who play for a team and are not in its line: substitutes who came later. Teams
/// without numbers are known by their names.
pub(super) fn add_members(
    document: &mut Document,
    tournament: &Tournament,
    drawn: &Round,
) -> Result<(), Complaints> {
    let has_numbers = !document.lines_of("310").is_empty();
    let teams = document.teams()?;
    let drawn: BTreeSet<u16> = drawn.pairings.iter().flat_map(Pairing::players).collect();
    for said in &teams {
        let mut known = tournament.teams.values();
        let known = known.find(|team| match has_numbers {
            true => team.number == said.number,
            false => team.name == said.name,
        });
        let members = known.map_or(&[][..], |team| &team.players);
        // Who is of another team in the file is left for a person.
        let is_told = |player: &u16| teams.iter().any(|team| team.players.contains(player));
        for player in members.iter().filter(|p| drawn.contains(p) && !is_told(p)) {
            document.add_member(said.line, *player);
        }
    }
    Ok(())
}

/// Takes away what the file says of teams that play after all, or another team: that they have a
/// bye, or that their match was not played.
pub(super) fn take_absences(
    document: &mut Document,
    drawn: &Round,
    round: u16,
) -> Result<(), Complaints> {
    let has_bye = |team: u16| drawn.byes.iter().any(|bye| bye.team == team);
    let is_of_teams = !drawn.matches.is_empty();
    let has_numbers = !document.lines_of("310").is_empty();
    for team in document.teams()?.iter().map(|team| team.number) {
        if is_of_teams && !has_bye(team) {
            document.take_team_bye(team, round);
        }
        let plays = drawn.matches.iter().any(|m| m.teams.contains(&team));
        if is_of_teams && has_numbers && !plays {
            document.take_line_up(team, round);
        }
    }
    for played in &drawn.matches {
        let forfeits = document.forfeited_matches()?.into_iter();
        for forfeit in forfeits.filter(|forfeit| forfeit.round == round) {
            let is_of = |team: &u16| forfeit.teams.contains(team);
            let is_forfeited = played.is_forfeited(&drawn.pairings);
            let is_it = is_forfeited && played.teams.iter().all(is_of);
            if !is_it && played.teams.iter().any(is_of) {
                document.take_forfeit(round, forfeit.teams);
            }
        }
    }
    Ok(())
}

/// Writes the line-ups of matches that a reader of the file would seat otherwise, as after a
/// substitution; `before` are the matches that it had. Files before TRF26 have no lines for them.
pub(super) fn put_right(
    document: &mut Document,
    drawn: &Round,
    round: u16,
    before: &[Match],
) -> Result<(), Complaints> {
    if document.lines_of("310").is_empty() || drawn.matches.is_empty() {
        return Ok(());
    }
    let known: Vec<(u16, u16)> = {
        let line_ups = document.line_ups()?.into_iter();
        line_ups
            .map(|line_up| (line_up.round, line_up.team))
            .collect()
    };
    let is_there = |line_up: &LineUp| known.contains(&(line_up.round, line_up.team));
    let all = drawn.matches.iter().flat_map(|m| line_ups(m, round));
    for line_up in all.filter(is_there) {
        document.set_line_up(&line_up);
    }
    // A file whose lines contradict each other elsewhere gets no further ones.
    let Some((said, byes)) = load::matches(document, round)? else {
        return Ok(());
    };
    let is_said = |bye: &&TeamBye| {
        let mut said = byes.iter().filter(|said| said.team == bye.team);
        said.any(|said| {
            said.code == bye.code && (bye.points.is_none() || said.points == bye.points)
        })
    };
    for bye in drawn.byes.iter().filter(|bye| !is_said(bye)) {
        document.take_team_bye(bye.team, round);
        let points = bye.points.map(|both| both.map(|points| points.0));
        document.add_team_bye((bye.team, round), bye.code.0, points);
    }
    let teams = document.teams()?;
    let order = |team: u16| {
        let said = teams.iter().find(|said| said.number == team);
        said.map_or(&[][..], |said| &said.players)
    };
    for played in &drawn.matches {
        let is_understood = said.contains(played);
        let is_new = !before.contains(played);
        let is_told = |line_up: &LineUp| {
            !is_understood || is_new && !is_in_order(line_up, order(line_up.team))
        };
        for line_up in line_ups(played, round).filter(is_told) {
            document.set_line_up(&line_up);
        }
    }
    Ok(())
}

/// Whether a team sits from the first board on as it is listed.
fn is_in_order(line_up: &LineUp, listed: &[u16]) -> bool {
    let last = line_up.boards.iter().rposition(Option::is_some);
    let seated = &line_up.boards[..last.map_or(0, |last| last + 1)];
    let place = |seat: &Option<u16>| listed.iter().position(|player| Some(*player) == *seat);
    let places: Option<Vec<usize>> = seated.iter().map(place).collect();
    places.is_some_and(|places| places.is_sorted())
}

/// Those of both teams of a match.
fn line_ups(played: &Match, round: u16) -> impl Iterator<Item = LineUp> {
    [(0, 1), (1, 0)].into_iter().map(move |(place, other)| {
        let seats = played.boards.iter().map(|seats| seats[place]);
        LineUp {
            line: 0,
            round,
            team: played.teams[place],
            opponent: played.teams[other],
            boards: seats.collect(),
        }
    })
}
