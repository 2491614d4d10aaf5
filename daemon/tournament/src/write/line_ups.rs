//! Who sat at the boards of matches, in a report file with teams: its lines 300.

use chess_trf::{Complaints, Document, LineUp};

use crate::load;
use crate::model::{Match, Round};

/// Writes the line-ups of matches that a reader of the file would seat otherwise, as after a
/// substitution. Files before TRF26 have no lines for them.
pub(super) fn put_right(
    document: &mut Document,
    drawn: &Round,
    round: u16,
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
    let Some(said) = load::matches(document, round)? else {
        return Ok(());
    };
    let others = drawn.matches.iter().filter(|played| !said.contains(played));
    for line_up in others.flat_map(|m| line_ups(m, round)) {
        document.set_line_up(&line_up);
    }
    Ok(())
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
