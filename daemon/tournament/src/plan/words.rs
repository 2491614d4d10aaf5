//! Changes in words, for people, in English.

use std::fmt;

use super::Change;
use crate::model::{Player, Start, TeamBye};

impl Change {
    /// Whether the table of who plays whom does not show it.
    pub fn is_told(&self) -> bool {
        match self {
            Change::Player { before, after } => before.name != after.name,
            Change::Result { .. }
            | Change::Redrawn { .. }
            | Change::Start { .. }
            | Change::Gone { .. }
            | Change::TeamBye { .. } => true,
            Change::Details
            | Change::Enters { .. }
            | Change::Team { .. }
            | Change::Matches { .. }
            | Change::Drawn { .. } => false,
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pair = |(white, black): (u16, Option<u16>)| match black {
            Some(black) => format!("{white} and {black}"),
            None => white.to_string(),
        };
        match self {
            Change::Details => write!(f, "the event is described otherwise"),
            Change::Enters { player } => write!(f, "player {}: {}", player.number, player.name),
            Change::Player { before, after } if before.name != after.name => {
                let (number, after, before) = (after.number, &after.name, &before.name);
                write!(f, "player {number}: {after}, before {before}")
            }
            Change::Player { before, after } => {
                let (name, what) = (&after.name, differs(before, after).join(" and the "));
                write!(f, "player {}, {name}: the {what} is another", after.number)
            }
            Change::Team { team } => write!(f, "team {}: {}", team.number, team.name),
            Change::Matches { .. } => write!(f, "the matches of teams are others"),
            Change::TeamBye {
                team,
                before,
                after,
            } => {
                let (after, before) = (bye(after.as_ref()), bye(before.as_ref()));
                write!(f, "team {team}: {after}, before {before}")
            }
            Change::Drawn {
                table,
                white,
                black,
            } => write!(f, "{}: {}", place(*table), pair((*white, *black))),
            Change::Redrawn {
                table,
                before,
                after,
            } => {
                let (after, before) = (pair(*after), pair(*before));
                write!(f, "table {table}: {after}, before {before}")
            }
            Change::Result {
                table,
                before,
                after,
                ..
            } => {
                let text = |result: &'_ Option<String>| match result {
                    Some(result) => result.clone(),
                    None => "no result".to_owned(),
                };
                let (place, after, before) = (place(*table), text(after), text(before));
                write!(f, "{place}: {after}, before {before}")
            }
            Change::Start {
                table,
                before,
                after,
            } => {
                let (place, after, before) = (place(*table), start(after), start(before));
                write!(f, "{place}: starts {after}, before {before}")
            }
            Change::Gone {
                table,
                white,
                black,
            } => write!(f, "{}: {}, no more", place(*table), pair((*white, *black))),
        }
    }
}

fn place(table: Option<u16>) -> String {
    table.map_or("bye".to_owned(), |table| format!("table {table}"))
}

fn start(start: &Option<Start>) -> String {
    match start {
        Some(start) if !start.fen.is_empty() => start.fen.clone(),
        _ => "as usual".to_owned(),
    }
}

fn bye(bye: Option<&TeamBye>) -> String {
    bye.map_or("no bye".to_owned(), |bye| format!("bye {}", bye.code))
}

/// What of a player is another.
fn differs(before: &Player, after: &Player) -> Vec<&'static str> {
    let all = [
        ("title", before.title != after.title),
        ("rating", before.rating != after.rating),
        ("federation", before.federation != after.federation),
        ("FIDE number", before.fide_id != after.fide_id),
        ("day of birth", before.birth != after.birth),
        ("team", before.team != after.team),
    ];
    let others = all.into_iter().filter(|(_, is_other)| *is_other);
    others.map(|(what, _)| what).collect()
}
