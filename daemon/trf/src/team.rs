//! Teams and the boards of their matches.

use crate::text::Line;

/// A team: line 310 of TRF26, or 013 of files before it, which has no number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Team {
    /// Its number; of lines 013 their order, from 1.
    pub number: u16,
    /// Its name.
    pub name: String,
    /// The starting numbers of its players, as they are ranked.
    pub players: Vec<u16>,
}

/// Who sits at the boards of a match: line 300 of TRF26.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineUp {
    /// The round, from 1.
    pub round: u16,
    /// The team's number.
    pub team: u16,
    /// The opponents' number.
    pub opponent: u16,
    /// A starting number for each board, the first board first; `None` where nobody sits.
    pub boards: Vec<Option<u16>>,
}

/// Numbers of four columns, a blank after each.
fn numbers(line: &Line, from: usize) -> impl Iterator<Item = Option<u16>> {
    let length = line.text.trim_end().chars().count();
    let starts = (from..=length).step_by(5);
    starts.map(|start| line.field(start, start + 3).parse().ok().filter(|n| *n > 0))
}

impl Team {
    /// `number` is that of a line without one.
    pub(crate) fn read(line: &Line, number: u16) -> Option<Team> {
        match line.columns(1, 3) {
            "013" => Some(Team {
                number,
                name: line.field(5, 36).to_owned(),
                players: numbers(line, 37).flatten().collect(),
            }),
            "310" => Some(Team {
                number: line.field(5, 7).parse().ok()?,
                name: line.field(9, 40).to_owned(),
                players: numbers(line, 74).flatten().collect(),
            }),
            _ => None,
        }
    }
}

impl LineUp {
    pub(crate) fn read(line: &Line) -> Option<LineUp> {
        (line.columns(1, 3) == "300").then_some(())?;
        Some(LineUp {
            round: line.field(5, 7).parse().ok()?,
            team: line.field(9, 11).parse().ok()?,
            opponent: line.field(13, 15).parse().ok()?,
            boards: numbers(line, 17).collect(),
        })
    }
}
