//! A file, line by line.

use std::collections::BTreeSet;

use crate::code::Code;
use crate::complaint::{Complaint, Complaints, Problem};
use crate::event::{self, Event};
use crate::player::{self, Player};
use crate::points::{MatchScoring, Scoring};
use crate::team::{ForfeitedMatch, LineUp, Team};
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
        let mut of = |tag: &'static str| -> Vec<Team> {
            let lines = self.lines.iter().zip(1..);
            let lines = lines.filter(|(line, _)| line.columns(1, 3) == tag);
            let read = |((line, at), n)| Team::read(line, at, n, &mut wrong);
            lines.zip(1..).filter_map(read).collect()
        };
        let mut teams = of("310");
        if teams.is_empty() {
            teams = of("013");
        }
        let mut known = BTreeSet::new();
        for team in &teams {
            if !known.insert(team.number) {
                wrong.add(team.line, 5, Problem::TeamTwice(team.number));
            }
        }
        wrong.unless(teams)
    }

    /// Who sits where in the matches of teams, where the file says so.
    ///
    /// # Errors
    /// With everything that cannot be understood.
    pub fn line_ups(&self) -> Result<Vec<LineUp>, Complaints> {
        self.all(LineUp::read)
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
        let is_his =
            |line: &Line| player::is_player(line) && line.field(5, 8).parse() == Ok(number);
        let at = self.lines.iter().position(is_his).ok_or(none(1))?;
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
}
