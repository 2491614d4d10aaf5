//! A file, line by line.

use std::collections::BTreeSet;

use crate::code::Code;
use crate::complaint::{Complaint, Complaints, Problem};
use crate::event::{self, Event};
use crate::player::{self, Cell, NewPlayer, Player};
use crate::points::{self, MatchScoring, Scoring, Tenths};
use crate::team::{self, Byes, ForfeitedMatch, LineUp, Team, TeamByes};
use crate::text::{Encoding, Line, UnreadableText};

/// A tournament report file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Document {
    encoding: Encoding,
    lines: Vec<Line>,
}

impl Document {
    /// Takes a file apart. Its encoding is found out: see [`Encoding::of`].
    ///
    /// # Errors
    /// Where the bytes are no text in the encoding that their byte order mark says.
    pub fn parse(bytes: &[u8]) -> Result<Document, UnreadableText> {
        Document::parse_as(bytes, Encoding::of(bytes))
    }

    /// The same in an encoding that somebody knows.
    ///
    /// # Errors
    /// Where the bytes are no text in it.
    pub fn parse_as(bytes: &[u8], encoding: Encoding) -> Result<Document, UnreadableText> {
        let text = encoding.decode(bytes)?;
        Ok(Document {
            encoding,
            lines: Line::all_of(&text),
        })
    }

    /// The file: every byte that was not changed as it was.
    pub fn to_bytes(&self) -> Vec<u8> {
        let parts = self
            .lines
            .iter()
            .flat_map(|line| [line.text.as_str(), line.end]);
        self.encoding.encode(&parts.collect::<String>())
    }

    /// How its characters are written.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// What it says of the event.
    pub fn event(&self) -> Event {
        let mut event = Event::default();
        self.lines.iter().for_each(|line| event.read(line));
        event
    }

    /// What results are worth.
    pub fn scoring(&self) -> Scoring {
        let mut scoring = Scoring::default();
        self.lines.iter().for_each(|line| scoring.read(line));
        scoring
    }

    /// What matches of teams are worth.
    pub fn match_scoring(&self) -> MatchScoring {
        let mut scoring = MatchScoring::default();
        self.lines.iter().for_each(|line| scoring.read(line));
        scoring
    }

    /// Where it says two things of what one kind of result is worth.
    pub fn disagreeing_worths(&self) -> Complaints {
        points::disagree(&self.lines)
    }

    /// The players, in the order of the file.
    ///
    /// # Errors
    /// With everything that cannot be understood, or is there twice.
    pub fn players(&self) -> Result<Vec<Player>, Complaints> {
        let (mut wrong, mut known) = (Complaints(Vec::new()), BTreeSet::new());
        let mut players = Vec::new();
        for (line, at) in self.lines.iter().zip(1..) {
            if !player::is_player(line) {
                continue;
            }
            let Some(player) = Player::read(line, at, &mut wrong) else {
                continue;
            };
            if !known.insert(player.number) {
                wrong.add(at, 5, Problem::Twice(player.number));
            }
            players.push(player);
        }
        wrong.unless(players)
    }

    /// The teams, in the order of the file. Where it tells them in both ways, by TRF26.
    ///
    /// # Errors
    /// With everything that cannot be understood, or is there twice.
    pub fn teams(&self) -> Result<Vec<Team>, Complaints> {
        let mut wrong = Complaints(Vec::new());
        let mut teams = self.teams_of("310", &mut wrong);
        if teams.is_empty() {
            teams = self.teams_of("013", &mut wrong);
        }
        let mut known = BTreeSet::new();
        for team in &teams {
            if !known.insert(team.number) {
                wrong.add(team.line, 5, Problem::TeamTwice(team.number));
            }
        }
        wrong.unless(teams)
    }

    /// The teams of lines 013 that stand beside lines 310. What cannot be understood of them is
    /// left out, for the others count.
    pub fn older_teams(&self) -> Vec<Team> {
        match self.lines_of("310").is_empty() {
            true => Vec::new(),
            false => self.teams_of("013", &mut Complaints(Vec::new())),
        }
    }

    fn teams_of(&self, tag: &str, wrong: &mut Complaints) -> Vec<Team> {
        let lines = self.lines.iter().zip(1..);
        let lines = lines.filter(|(line, _)| line.columns(1, 3) == tag);
        let read = |((line, at), n)| Team::read(line, at, n, wrong);
        lines.zip(1..).filter_map(read).collect()
    }

    /// Who sits where in the matches of teams, where the file says so.
    ///
    /// # Errors
    /// With everything that cannot be understood.
    pub fn line_ups(&self) -> Result<Vec<LineUp>, Complaints> {
        self.all(LineUp::read)
    }

    /// Who is not to be paired, and in which round, where the file says so.
    ///
    /// # Errors
    /// With everything that cannot be understood.
    pub fn byes(&self) -> Result<Vec<Byes>, Complaints> {
        self.all(Byes::read)
    }

    /// The byes that the pairing gave to teams.
    ///
    /// # Errors
    /// With everything that cannot be understood.
    pub fn team_byes(&self) -> Result<Vec<TeamByes>, Complaints> {
        self.all(TeamByes::read)
    }

    /// The matches that were not played.
    ///
    /// # Errors
    /// With everything that cannot be understood.
    pub fn forfeited_matches(&self) -> Result<Vec<ForfeitedMatch>, Complaints> {
        self.all(ForfeitedMatch::read)
    }

    fn all<T>(
        &self,
        read: fn(&Line, usize, &mut Complaints) -> Option<T>,
    ) -> Result<Vec<T>, Complaints> {
        let mut wrong = Complaints(Vec::new());
        let lines = self.lines.iter().zip(1..);
        let all = lines.filter_map(|(line, at)| read(line, at, &mut wrong));
        let all = all.collect();
        wrong.unless(all)
    }

    /// The lines of players who have something written for a round, and neither an opponent nor a
    /// result code. The format takes that for an absence; a line that was cut looks the same.
    pub fn without_code(&self, round: usize) -> Vec<usize> {
        let column = player::code_column(round.max(1));
        let is_so = |(line, _): &(&Line, usize)| {
            let opponent = line.field(column - 7, column - 4);
            let is_nobody = opponent.bytes().all(|byte| byte == b'0');
            let is_written = !line.field(column - 7, column - 1).is_empty();
            player::is_player(line) && is_nobody && is_written && line.at(column) == ' '
        };
        let lines = self.lines.iter().zip(1..).filter(is_so);
        lines.map(|(_, at)| at).collect()
    }

    /// Lines of kinds that nobody here knows, by number and tag: they are kept as they are.
    pub fn unknown(&self) -> Vec<(usize, &str)> {
        let federations: Vec<&str> = self
            .lines
            .iter()
            .filter(|line| player::is_player(line))
            .map(|line| line.field(54, 56))
            .collect();
        let strange = |(line, _): &(&Line, usize)| !event::is_known(line, &federations);
        let lines = self.lines.iter().zip(1..).filter(strange);
        lines.map(|(line, at)| (at, line.columns(1, 3))).collect()
    }

    /// What of the lines that are known is not understood, and no reason to refuse the file:
    /// titles, numbers of rounds, and what results are worth.
    pub fn overlooked(&self) -> Vec<Complaint> {
        let odd = |(line, at): (&Line, usize)| {
            let title = player::odd_title(line).map(|problem| (11, problem));
            let rounds = || event::odd_rounds(line).map(|problem| (5, problem));
            let worth = || points::odd_worth(line);
            let (column, problem) = title.or_else(rounds).or_else(worth)?;
            Some(Complaint {
                line: at,
                column,
                problem,
            })
        };
        self.lines.iter().zip(1..).filter_map(odd).collect()
    }

    /// The lines of a kind, by number.
    pub fn lines_of(&self, tag: &str) -> Vec<usize> {
        let lines = self.lines.iter().zip(1..);
        let lines = lines.filter(|(line, _)| line.columns(1, 3) == tag);
        lines.map(|(_, at)| at).collect()
    }

    /// Takes away what the file says of a player as a person: sex, title, rating, federation,
    /// number of FIDE and day of birth. `name` takes the place of his name, as far as there is room
    /// for it; starting number, points and rounds stay. Whether the file has such a player.
    pub fn set_name(&mut self, number: u16, name: &str) -> bool {
        let is_his = |line: &Line| line.field(5, 8).parse() == Ok(number);
        let his = |line: &&Line| player::is_player(line) && is_his(line);
        let Some(known) = self.lines.iter().find(his) else {
            return false;
        };
        let known = known.field(15, 47).to_owned();
        for line in self.lines.iter_mut().filter(|line| is_his(line)) {
            // Also lines of national ratings, which begin with a federation's letters.
            let is_of_him = !known.is_empty() && line.field(15, 47) == known;
            if player::is_player(line) || is_of_him {
                player::set_name(line, name);
            }
        }
        true
    }

    /// Puts something else in the place of a person's name, or of his number with FIDE, wherever
    /// it stands besides the lines of players: among the arbiters, in remarks. It is cut where
    /// the name is shorter, and all other columns stay.
    pub fn replace_beside(&mut self, name: &str, new: &str) {
        let names = self.lines.iter().filter(|line| player::is_player(line));
        let names = names.map(|line| (line.field(5, 8), line.field(15, 47)));
        let names: BTreeSet<(String, String)> = names
            .map(|(number, name)| (number.to_owned(), name.to_owned()))
            .collect();
        // Also lines of national ratings, which begin with a federation's letters.
        let of_player = |line: &Line| {
            names.contains(&(line.field(5, 8).to_owned(), line.field(15, 47).to_owned()))
        };
        let beside = self.lines.iter_mut().filter(|line| !of_player(line));
        beside.for_each(|line| line.replace(name, new));
    }

    /// Fills in how a round ended for a player: his column of results. His opponent's is another
    /// one.
    ///
    /// # Errors
    /// Where the file has no such player, or pairs him with nobody in that round.
    pub fn set_result(&mut self, number: u16, round: usize, code: Code) -> Result<(), Complaint> {
        let none = |line| Complaint {
            line,
            column: player::code_column(round.max(1)),
            problem: Problem::NoGame { number, round },
        };
        let at = self.line_of(number).ok_or(none(1))?;
        let line = self.lines.get_mut(at).ok_or(none(1))?;
        let mut ignored = Complaints(Vec::new());
        let player = Player::read(line, at + 1, &mut ignored);
        let cell = player.map(|player| player.round(round)).unwrap_or_default();
        if round == 0 || cell.opponent.is_none() {
            return Err(none(at + 1));
        }
        line.put(player::code_column(round), code.char());
        Ok(())
    }

    /// Says whom a player plays in a round, with which colour, and how it ended: his ten columns of
    /// it. His opponent's are others. An empty cell is blank; without an opponent and with a code
    /// it is a bye.
    ///
    /// # Errors
    /// Where the file has no such player, or a number has no room in four columns.
    pub fn set_cell(&mut self, number: u16, round: usize, cell: Cell) -> Result<(), Complaint> {
        self.set_cells(number, &[(round, cell)])
    }

    /// The same of several rounds at once: of very many that is much faster.
    ///
    /// # Errors
    /// Where the file has no such player, or a number has no room in four columns.
    pub fn set_cells(&mut self, number: u16, cells: &[(usize, Cell)]) -> Result<(), Complaint> {
        let has_room = |(round, cell): &(usize, Cell)| {
            *round > 0 && cell.opponent.is_none_or(|opponent| opponent <= 9999)
        };
        let wrong = cells.iter().find(|cell| !has_room(cell));
        let first = wrong.or(cells.first()).map_or(1, |(round, _)| *round);
        let none = Complaint {
            line: 1,
            column: player::code_column(first.max(1)),
            problem: Problem::NoPlayer(number),
        };
        let at = self.line_of(number).filter(|_| wrong.is_none());
        let line = at.and_then(|at| self.lines.get_mut(at));
        player::set_cells(line.ok_or(none)?, cells);
        Ok(())
    }

    /// Adds a player behind the last one of the file. Every line that is there stays as it is.
    ///
    /// # Errors
    /// Where a player has this number, or it has no room in four columns.
    pub fn add_player(&mut self, player: &NewPlayer<'_>) -> Result<(), Complaint> {
        let last = self.lines.iter().rposition(player::is_player);
        let at = last.map_or(self.lines.len(), |last| last + 1);
        let number = player.number;
        let refused = |problem| Complaint {
            line: at + 1,
            column: 5,
            problem,
        };
        if self.line_of(number).is_some() {
            return Err(refused(Problem::Twice(number)));
        }
        if !(1..=9999).contains(&number) {
            return Err(refused(Problem::NoPlayer(number)));
        }
        self.insert(at, player.line());
        Ok(())
    }

    /// Takes away a player's bye of a round in lines 240, for he is paired. In a file with teams
    /// these are the teams'.
    pub fn take_bye(&mut self, number: u16, round: u16) {
        if self.teams().is_ok_and(|teams| teams.is_empty()) {
            self.take_number(number, round);
        }
    }

    /// Takes away a team's bye of a round in lines 240 and 320, for it plays.
    pub fn take_team_bye(&mut self, team: u16, round: u16) {
        if self.teams().is_ok_and(|teams| !teams.is_empty()) {
            self.take_number(team, round);
        }
        let (mut ignored, round) = (Complaints(Vec::new()), usize::from(round));
        for line in &mut self.lines {
            let byes = TeamByes::read(line, 0, &mut ignored);
            let its =
                byes.and_then(|byes| byes.teams.get(round.wrapping_sub(1)).copied().flatten());
            if its == Some(team) {
                let first = TeamByes::column(round);
                (first..first + 3).for_each(|column| line.put(column, ' '));
            }
        }
    }

    /// Says which bye a team has in a round: in a line 320 where the pairing gave it, worth
    /// `points` in match points and in game points where somebody has said that; else in a line
    /// 240.
    pub fn add_team_bye(
        &mut self,
        (team, round): (u16, u16),
        code: Code,
        points: Option<[Tenths; 2]>,
    ) {
        let worth = |points: Option<Tenths>| points.map_or(String::new(), |p| p.to_string());
        let text = match code {
            Code::PairingBye => {
                let [of_match, of_games] = [0, 1].map(|n| worth(points.map(|both| both[n])));
                let before = TeamByes::column(usize::from(round)) - 1;
                let head = format!("320 {of_match:>4} {of_games:>4}");
                format!("{head:<before$}{team:>3}")
            }
            code => format!("240 {} {round:>3} {team:>4}", code.char()),
        };
        let is_of_teams = |line: &Line| ["240", "320", "310"].contains(&line.columns(1, 3));
        let last = self.lines.iter().rposition(is_of_teams);
        self.insert(last.map_or(self.lines.len(), |last| last + 1), text);
    }

    /// Takes away who sits for a team in a round.
    pub fn take_line_up(&mut self, team: u16, round: u16) {
        let mut ignored = Complaints(Vec::new());
        self.lines.retain(|line| {
            let line_up = LineUp::read(line, 0, &mut ignored);
            line_up.is_none_or(|known| (known.team, known.round) != (team, round))
        });
    }

    /// Takes away that a match of two teams was not played.
    pub fn take_forfeit(&mut self, round: u16, teams: [u16; 2]) {
        let mut ignored = Complaints(Vec::new());
        self.lines.retain(|line| {
            let forfeit = ForfeitedMatch::read(line, 0, &mut ignored);
            forfeit.is_none_or(|known| (known.round, known.teams) != (round, teams))
        });
    }

    fn take_number(&mut self, number: u16, round: u16) {
        let mut ignored = Complaints(Vec::new());
        self.lines.retain_mut(|line| {
            let byes = Byes::read(line, 0, &mut ignored);
            let byes = byes.filter(|byes| byes.round == round && byes.numbers.contains(&number));
            let Some(byes) = byes else { return true };
            let left = byes.numbers.iter().filter(|known| **known != number);
            let left: Vec<String> = left.map(|known| format!("{known:>4}")).collect();
            line.text = format!("{}{}", line.columns(1, 10), left.join(" "));
            !left.is_empty()
        });
    }

    /// Says who sits for a team in a round: in its line 300, or in one behind the lines of teams.
    /// A line that says the same stays as it is.
    pub fn set_line_up(&mut self, new: &LineUp) {
        let mut ignored = Complaints(Vec::new());
        let mut lines = self.lines.iter().zip(0..);
        let known = lines.find_map(|(line, at)| {
            let known = LineUp::read(line, at, &mut ignored)?;
            ((known.round, known.team) == (new.round, new.team)).then_some(known)
        });
        match known {
            Some(known) if known.is_same(new) => {}
            Some(known) => self.lines[known.line].text = new.text(),
            None => {
                let tags = ["300", "310"].into_iter();
                let is = |tag: &str, line: &Line| line.columns(1, 3) == tag;
                let mut last = tags.filter_map(|tag| self.lines.iter().rposition(|l| is(tag, l)));
                let at = last.next().map_or(self.lines.len(), |last| last + 1);
                self.insert(at, new.text());
            }
        }
    }

    /// Adds a player to a team, behind the others: in its line 310 or 013, which is `line`, from 1.
    pub fn add_member(&mut self, line: usize, number: u16) {
        let known = line.checked_sub(1).and_then(|at| self.lines.get_mut(at));
        let Some(known) = known else { return };
        let Some(first) = team::members_at(known) else {
            return;
        };
        let text = known.text.trim_end();
        let taken = (text.chars().count() + 1).saturating_sub(first).div_ceil(5);
        let before = first - 1 + 5 * taken;
        known.text = format!("{text:<before$}{number:>4}");
    }

    /// Adds a line, which ends as the others do.
    fn insert(&mut self, at: usize, text: String) {
        let usual = self
            .lines
            .iter()
            .map(|line| line.end)
            .find(|end| !end.is_empty());
        let usual = usual.unwrap_or("\n");
        // The last line of a file may end without a sign.
        let before = at
            .checked_sub(1)
            .and_then(|before| self.lines.get_mut(before));
        let end = before.map_or(usual, |before| match before.end {
            "" => {
                before.end = usual;
                ""
            }
            end => end,
        });
        self.lines.insert(at, Line { text, end });
    }

    fn line_of(&self, number: u16) -> Option<usize> {
        let is_his =
            |line: &Line| player::is_player(line) && line.field(5, 8).parse() == Ok(number);
        self.lines.iter().position(is_his)
    }
}
