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
    /// The column where its name begins, from 1.
    pub name_at: usize,
    /// The columns where its players' numbers begin, from 1.
    pub players_at: Vec<usize>,
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

/// Who is not to be paired in a round, and has that for it: line 240 of TRF26. In a file with teams
/// the numbers are theirs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Byes {
    /// The line of the file, from 1.
    pub line: usize,
    /// The round, from 1.
    pub round: u16,
    /// `F`, `H` or `Z`: a full point, half a point, none.
    pub code: Code,
    /// Starting numbers.
    pub numbers: Vec<u16>,
}

/// The byes that the pairing gave to teams: line 320 of TRF26.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TeamByes {
    /// The line of the file, from 1.
    pub line: usize,
    /// What each of them is worth, in match points and in game points, as the file says.
    pub points: [Option<Tenths>; 2],
    /// The team of each round, the first round first; `None` where no team has one.
    pub teams: Vec<Option<u16>>,
}

/// Reads the fields of a line about teams.
struct Fields<'a> {
    line: &'a Line,
    at: usize,
    wrong: &'a mut Complaints,
}

impl Fields<'_> {
    /// A blank must stand behind a field: a digit there belongs to a number one column off. What
    /// ends a line that nobody sees, tabs too, is no matter.
    fn ends(&mut self, to: usize) {
        let found = self.line.at(to + 1);
        let is_last = || self.line.field(to + 1, usize::MAX - 1).is_empty();
        if found != ' ' && !(found.is_whitespace() && is_last()) {
            self.wrong.add(self.at, to + 1, Problem::NotBlank(found));
        }
    }

    /// A number; `None` where nothing stands, or 0.
    fn number(&mut self, field: &'static str, from: usize, to: usize) -> Option<u16> {
        self.ends(to);
        let text = self.line.field(from, to);
        if !text.is_empty() && self.line.is_cut_before(to) {
            self.wrong.add(self.at, from, Problem::Cut(field));
            return None;
        }
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
        self.ends(to);
        let text = self.line.field(from, to);
        if !text.is_empty() && self.line.is_cut_before(to) {
            self.wrong.add(self.at, from, Problem::Cut(field));
            return None;
        }
        let points = Tenths::parse(text);
        if points.is_none() && !text.is_empty() {
            let found = text.to_owned();
            let problem = Problem::Number { field, found };
            self.wrong.add(self.at, from, problem);
        }
        points
    }

    /// Players' numbers, one of them at least, and none of them nobody's.
    fn all_players(&mut self, from: usize) -> Option<Vec<u16>> {
        let before = self.wrong.0.len();
        let numbers = self.players(from);
        if self.wrong.0.len() > before {
            return None;
        }
        if let Some(n) = numbers
            .iter()
            .position(Option::is_none)
            .or(numbers.is_empty().then_some(0))
        {
            let missing = Problem::Missing("the player's number");
            self.wrong.add(self.at, from + 5 * n, missing);
            return None;
        }
        Some(numbers.into_iter().flatten().collect())
    }

    /// Players' numbers of four columns, a blank after each.
    fn players(&mut self, from: usize) -> Vec<Option<u16>> {
        let length = self.line.text.trim_end().chars().count();
        let starts = (from..=length).step_by(5);
        starts
            .map(|start| self.number("the player", start, start + 3))
            .collect()
    }

    /// Those of a team, and the columns where they stand.
    fn members(&mut self, from: usize) -> (Vec<u16>, Vec<usize>) {
        let numbers = self.players(from).into_iter();
        let placed = numbers.zip((from..).step_by(5));
        placed
            .filter_map(|(number, at)| Some((number?, at)))
            .unzip()
    }
}

/// Where the numbers of a team's players begin; `None` in a line that is none of a team.
pub(crate) fn members_at(line: &Line) -> Option<usize> {
    match line.columns(1, 3) {
        "013" => Some(37),
        "310" => Some(74),
        _ => None,
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
        let first = members_at(line)?;
        let mut fields = Fields { line, at, wrong };
        match line.columns(1, 3) {
            "013" => {
                let (players, players_at) = fields.members(first);
                Some(Team {
                    line: at,
                    number,
                    name: line.field(5, 36).to_owned(),
                    short: String::new(),
                    points: [None; 2],
                    players,
                    name_at: 5,
                    players_at,
                })
            }
            "310" => {
                let number = fields.wanted("the team's number", 5, 7)?;
                let points = [
                    fields.points("the number of match points", 55, 60),
                    fields.points("the number of game points", 62, 67),
                ];
                let (players, players_at) = fields.members(first);
                Some(Team {
                    line: at,
                    number,
                    name: line.field(9, 40).to_owned(),
                    short: line.field(42, 46).to_owned(),
                    points,
                    players,
                    name_at: 9,
                    players_at,
                })
            }
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

    /// Whether both say the same. Boards behind the last are empty.
    pub(crate) fn is_same(&self, other: &LineUp) -> bool {
        let seat = |line_up: &LineUp, board| line_up.boards.get(board).copied().flatten();
        let mut boards = 0..self.boards.len().max(other.boards.len());
        self.opponent == other.opponent && boards.all(|n| seat(self, n) == seat(other, n))
    }

    /// Its line.
    pub(crate) fn text(&self) -> String {
        let LineUp {
            round,
            team,
            opponent,
            ..
        } = self;
        let seats = self.boards.iter().map(|seat| match seat {
            Some(player) => format!(" {player:>4}"),
            None => " 0000".to_owned(),
        });
        let seats: String = seats.collect();
        format!("300 {round:>3} {team:>3} {opponent:>3}{seats}")
    }
}

impl Byes {
    pub(crate) fn read(line: &Line, at: usize, wrong: &mut Complaints) -> Option<Byes> {
        (line.columns(1, 3) == "240").then_some(())?;
        let found = line.at(5);
        let code = Code::of(found).filter(|code| code.is_bye());
        let Some(code) = code else {
            wrong.add(at, 5, Problem::Code(found));
            return None;
        };
        let mut fields = Fields { line, at, wrong };
        Some(Byes {
            line: at,
            round: fields.wanted("the round", 7, 9)?,
            code,
            numbers: fields.all_players(11)?,
        })
    }
}

impl TeamByes {
    pub(crate) fn read(line: &Line, at: usize, wrong: &mut Complaints) -> Option<TeamByes> {
        (line.columns(1, 3) == "320").then_some(())?;
        let mut fields = Fields { line, at, wrong };
        let points = [
            fields.points("the number of match points", 5, 8),
            fields.points("the number of game points", 10, 13),
        ];
        let length = line.text.trim_end().chars().count();
        let starts = (15..=length).step_by(4);
        let teams = starts.map(|start| fields.number("the team's number", start, start + 2));
        Some(TeamByes {
            line: at,
            points,
            teams: teams.collect(),
        })
    }

    /// The column of a round, counted from 1.
    pub fn column(round: usize) -> usize {
        15 + 4 * round.saturating_sub(1)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn byes(text: &str) -> (Option<Vec<u16>>, Vec<String>) {
        let mut wrong = Complaints(Vec::new());
        let read = Byes::read(&Line::all_of(text)[0], 1, &mut wrong);
        let told = wrong.0.iter().map(|wrong| wrong.problem.to_string());
        (read.map(|byes| byes.numbers), told.collect())
    }

    /// FIDE's own example of a file of teams has tabs there.
    #[test]
    fn tabs_at_the_end_of_a_line_are_no_matter_and_in_it_they_are() {
        assert_eq!(byes("240 F   1    3\t "), (Some(vec![3]), vec![]));
        assert_eq!(byes("240 F   1    3   12\t"), (Some(vec![3, 12]), vec![]));
        let (_, told) = byes("240 F   1    3\t  12");
        assert_eq!(
            told,
            ["`\t` stands where a blank belongs: are the columns shifted?"]
        );
    }
}
