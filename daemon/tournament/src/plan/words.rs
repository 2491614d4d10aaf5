//! Changes in words, for people, in English.

use std::fmt;

use super::Change;
use crate::model::{Player, Start, Team, TeamBye};

/// So many who enter are named; of more, and of a first field, only the count is told.
const NAMED: usize = 20;

/// Changes in words, without what the table of who plays whom shows; in an event that has so many
/// `players` with them.
pub fn told(changes: &[Change], players: usize) -> Vec<String> {
    let entering = |change: &&Change| matches!(change, Change::Enters { .. });
    let entering: Vec<&Change> = changes.iter().filter(entering).collect();
    let count = entering.len();
    let mut told = match count {
        1..=NAMED if count < players => entering.iter().map(ToString::to_string).collect(),
        0 => Vec::new(),
        1 => vec!["1 player enters".to_owned()],
        _ => vec![format!("{count} players enter")],
    };
    let others = changes.iter().filter(|change| change.is_told());
    told.extend(others.map(Change::to_string));
    told
}

impl Change {
    /// Whether the table of who plays whom does not show it, and it is told one by one.
    pub fn is_told(&self) -> bool {
        match self {
            Change::Player { before, after } => before.name != after.name,
            Change::Result { .. }
            | Change::Redrawn { .. }
            | Change::Start { .. }
            | Change::Gone { .. }
            | Change::TeamBye { .. } => true,
            Change::Team { before, .. } => before.is_some(),
            Change::Details
            | Change::Enters { .. }
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
            Change::Enters { player } => {
                write!(f, "player {} enters: {}", player.number, player.name)
            }
            Change::Player { before, after } if before.name != after.name => {
                let (number, after, before) = (after.number, &after.name, &before.name);
                write!(f, "player {number}: {after}, before {before}")
            }
            Change::Player { before, after } => {
                let (name, what) = (&after.name, differs(before, after).join(" and the "));
                write!(f, "player {}, {name}: the {what} is another", after.number)
            }
            Change::Team { before: None, team } => {
                write!(f, "team {} enters: {}", team.number, team.name)
            }
            Change::Team {
                before: Some(before),
                team,
            } => {
                let what = other_team(before, team).join(", ");
                write!(f, "team {}, {}: {what}", team.number, team.name)
            }
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
            } => match table {
                Some(table) => write!(f, "table {table}: {}", pair((*white, *black))),
                None => write!(f, "player {white} has a bye"),
            },
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
                white,
                before,
                after,
            } => {
                let text = |result: &'_ Option<String>| match result {
                    Some(result) => result.clone(),
                    None => "no result".to_owned(),
                };
                let (after, before) = (text(after), text(before));
                match table {
                    Some(table) => write!(f, "table {table}: {after}, before {before}"),
                    None => write!(f, "bye of player {white}: {after}, before {before}"),
                }
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
            } => match table {
                Some(table) => write!(f, "table {table}: {}, no more", pair((*white, *black))),
                None => write!(f, "player {white} has no bye any more"),
            },
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

/// What of a team is another.
fn other_team(before: &Team, after: &Team) -> Vec<String> {
    let listed = |some: &Team, other: &Team| {
        let players = some.players.iter();
        let left = players.filter(|player| !other.players.contains(player));
        let left: Vec<String> = left.map(u16::to_string).collect();
        (!left.is_empty()).then(|| left.join(" and "))
    };
    let (came, went) = (listed(after, before), listed(before, after));
    let is_same = before.players == after.players;
    let order = (!is_same && came.is_none() && went.is_none())
        .then(|| "its players in another order".to_owned());
    let name = (before.name != after.name).then(|| format!("before {}", before.name));
    let short = (before.short != after.short).then(|| format!("in short `{}`", after.short));
    let came = came.map(|players| format!("with player {players} from now on"));
    let went = went.map(|players| format!("without player {players} from now on"));
    [name, short, came, went, order]
        .into_iter()
        .flatten()
        .collect()
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
