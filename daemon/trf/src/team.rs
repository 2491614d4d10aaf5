//! Teams and the boards of their matches.

use crate::code::Code;
use crate::complaint::{Complaints, Problem};
use crate::points::Tenths;
use crate::text::Line;

/// A team: line 310 of TRF26, or 013 of files before it, which has a name and players only.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Team {
    /// The line of the file, from 1.
    pub line: usize,
    /// Its number; of lines 013 their order, from 1.
    pub number: u16,
    /// Its name.
    pub name: String,
    /// Its short name.
    pub short: String,
    /// Its match points and its game points, as the file says.
    pub points: [Option<Tenths>; 2],
    /// The starting numbers of its players, in the order of their boards.
    pub players: Vec<u16>,
}

/// Who sits at the boards of a match: line 300 of TRF26. A file has it only where a team plays in
/// another order than that of its line 310, or leaves a board empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineUp {
    /// The line of the file, from 1.
    pub line: usize,
    /// The round, from 1.
    pub round: u16,
    /// The team's number.
    pub team: u16,
    /// The opponents' number.
    pub opponent: u16,
    /// A starting number for each board, the first board first; `None` where nobody sits.
    pub boards: Vec<Option<u16>>,
}

/// A match that was not played: line 330 of TRF26.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ForfeitedMatch {
    /// The line of the file, from 1.
    pub line: usize,
    /// The round, from 1.
    pub round: u16,
    /// The team that was to have White at the first board, and the other.
    pub teams: [u16; 2],
    /// `+` or `-` for each.
    pub codes: [Code; 2],
}

/// Reads the fields of a line about teams.
struct Fields<'a> {
    line: &'a Line,
    at: usize,
    wrong: &'a mut Complaints,
}

impl Fields<'_> {
    /// A number; `None` where nothing stands, or 0.
    fn number(&mut self, field: &'static str, from: usize, to: usize) -> Option<u16> {
        let text = self.line.field(from, to);
        let number = text.parse().ok();
        if number.is_none() && !text.is_empty() {
            let found = text.to_owned();
            let problem = Problem::Number { field, found };
            self.wrong.add(self.at, from, problem);
        }
        number.filter(|number| *number > 0)
    }

    /// A number that must be there.
    fn wanted(&mut self, field: &'static str, from: usize, to: usize) -> Option<u16> {
        let before = self.wrong.0.len();
        let number = self.number(field, from, to);
        if number.is_none() && self.wrong.0.len() == before {
            self.wrong.add(self.at, from, Problem::Missing(field));
        }
        number
    }

    fn points(&mut self, field: &'static str, from: usize, to: usize) -> Option<Tenths> {
        let text = self.line.field(from, to);
        let points = Tenths::parse(text);
        if points.is_none() && !text.is_empty() {
            let found = text.to_owned();
            let problem = Problem::Number { field, found };
            self.wrong.add(self.at, from, problem);
        }
        points
    }

    /// Players' numbers of four columns, a blank after each.
    fn players(&mut self, from: usize) -> Vec<Option<u16>> {
        let length = self.line.text.trim_end().chars().count();
        let starts = (from..=length).step_by(5);
        starts
            .map(|start| self.number("the player", start, start + 3))
            .collect()
    }
}

impl Team {
    /// `number` is that of a line without one.
    pub(crate) fn read(
        line: &Line,
        at: usize,
        number: u16,
        wrong: &mut Complaints,
    ) -> Option<Team> {
        let mut fields = Fields { line, at, wrong };
        match line.columns(1, 3) {
            "013" => Some(Team {
                line: at,
                number,
                name: line.field(5, 36).to_owned(),
                short: String::new(),
                points: [None; 2],
                players: fields.players(37).into_iter().flatten().collect(),
            }),
            "310" => Some(Team {
                line: at,
                number: fields.wanted("the team's number", 5, 7)?,
                name: line.field(9, 40).to_owned(),
                short: line.field(42, 46).to_owned(),
                points: [
                    fields.points("the number of match points", 55, 60),
                    fields.points("the number of game points", 62, 67),
                ],
                players: fields.players(74).into_iter().flatten().collect(),
            }),
            _ => None,
        }
    }
}

impl LineUp {
    pub(crate) fn read(line: &Line, at: usize, wrong: &mut Complaints) -> Option<LineUp> {
        (line.columns(1, 3) == "300").then_some(())?;
        let mut fields = Fields { line, at, wrong };
        Some(LineUp {
            line: at,
            round: fields.wanted("the round", 5, 7)?,
            team: fields.wanted("the team's number", 9, 11)?,
            opponent: fields.wanted("the opponents' number", 13, 15)?,
            boards: fields.players(17),
        })
    }
}

impl ForfeitedMatch {
    pub(crate) fn read(line: &Line, at: usize, wrong: &mut Complaints) -> Option<ForfeitedMatch> {
        (line.columns(1, 3) == "330").then_some(())?;
        let mut fields = Fields { line, at, wrong };
        let codes = match line.columns(5, 6) {
            "+-" => [Code::ForfeitWin, Code::ForfeitLoss],
            "-+" => [Code::ForfeitLoss, Code::ForfeitWin],
            "--" => [Code::ForfeitLoss; 2],
            _ => {
                let found = line.at(5);
                fields.wrong.add(at, 5, Problem::Code(found));
                return None;
            }
        };
        Some(ForfeitedMatch {
            line: at,
            round: fields.wanted("the round", 8, 10)?,
            teams: [
                fields.wanted("White's team", 12, 14)?,
                fields.wanted("Black's team", 16, 18)?,
            ],
            codes,
        })
    }
}
