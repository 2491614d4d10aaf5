//! What pairing programs write, read: PGN without moves, FIDE's report files, bare lists of
//! numbers, tables.
//!
//! Nothing is guessed. What cannot be understood is told with its line and column, all of it at
//! once, and nothing of the file is used.

mod agree;
mod boards;
mod columns;
mod csv;
mod encoding;
mod fault;
mod list;
mod matches;
mod mention;
mod package;
mod person;
mod pgn;
mod seen;
mod sheets;
mod table;
mod tags;
mod text;
mod trf;
mod trf_problem;
mod xlsx;

pub use encoding::{as_in, in_utf8};
pub use fault::{Fault, Unreadable, What};
pub(crate) use matches::of_round as matches;
pub(crate) use person::are_alike;
pub use person::{Persons, called, compared};
pub(crate) use trf::alone_in as alone;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::Serialize;

use crate::code::ResultCode;
use crate::model::{Details, Match, Player, Start, Team, TeamBye};
use crate::what;

/// Files are smaller than this, in bytes: the largest tournaments need a tenth of it.
pub const MOST: usize = 5 << 20;

/// So many things that nothing is made of are told.
const MOST_PASSED_OVER: usize = 50;

/// How a file is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Games without moves, one for each table.
    Pgn,
    /// FIDE's tournament report file, TRF16 or TRF26.
    Trf,
    /// How many pairs, then two starting numbers a line, in the order of the tables.
    List,
    /// A table with a line of headings.
    Csv,
    /// A workbook, one of whose sheets has a table with headings.
    Xlsx,
}

/// By round: players and the byes that they have asked for, or what of that cannot be understood.
pub type Asked = BTreeMap<u16, Result<Vec<(u16, ResultCode)>, Unreadable>>;

/// What a file says.
#[derive(Clone, PartialEq, Debug)]
pub struct Sheet {
    /// How it was written.
    pub format: Format,
    /// Of a workbook, the name of the sheet that it is.
    pub name: Option<String>,
    /// Of the tournament.
    pub details: Details,
    /// Of the players. Number 0: the file does not say it. No name: the number alone is told.
    pub players: Vec<Player>,
    /// The lines of the players, where each has one of his own; else none.
    pub lines: Vec<usize>,
    /// The round, where it says which.
    pub round: Option<u16>,
    /// The day of the round.
    pub date: String,
    /// Who plays whom, in its order.
    pub games: Vec<Game>,
    /// The teams, where it has some.
    pub teams: Vec<Team>,
    /// The line of each.
    pub team_lines: Vec<usize>,
    /// Whether it numbers them itself; else they are counted in its order.
    pub are_teams_numbered: bool,
    /// Whether they are of the file that has the players.
    pub are_teams_beside: bool,
    /// Whether it says what games are worth, and what matches of teams.
    pub says_worth: [bool; 2],
    /// Which of them play each other, and who sits at their boards, in the order of its games.
    pub matches: Vec<Match>,
    /// What teams have that play nobody; `None` where the file cannot say it.
    pub team_byes: Option<Vec<TeamBye>>,
    /// Players whose points in the file are not those of their results there.
    pub other_points: Vec<u16>,
    /// How games of rounds before this one ended, where the file has those.
    pub earlier: Vec<Earlier>,
    /// Whether the order of the games was worked out here, since the file has none.
    pub is_ordered_here: bool,
    /// What of it nobody here knows, and nothing is made of: tags, columns, lines.
    pub passed_over: Vec<Fault>,
    /// Players of whom it says nothing in the round, where it could.
    pub absent: Vec<u16>,
    /// Of a file that is read for its players alone: who has asked for which bye.
    pub asked: Asked,
    /// The same of teams: by round, what those have that play nobody.
    pub asked_teams: BTreeMap<u16, Vec<TeamBye>>,
    /// What of that is of the round.
    pub beside_byes: Vec<TeamBye>,
}

/// A game of an earlier round that has ended, or what a player had for one without an opponent, as
/// a file has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Earlier {
    /// The round.
    pub round: u16,
    /// White's starting number; with a bye the player's.
    pub white: u16,
    /// Black's; `None` is a bye.
    pub black: Option<u16>,
    /// Whether the file tells who had White.
    pub is_coloured: bool,
    /// How it ended.
    pub codes: [ResultCode; 2],
}

/// Two players, or one with a bye, as a file has them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// The line that says so, from 1.
    pub line: usize,
    /// The table, where it is told.
    pub table: Option<u16>,
    /// White, as a place in [`Sheet::players`].
    pub white: usize,
    /// Black; `None` is a bye.
    pub black: Option<usize>,
    /// How it ended, where it has.
    pub codes: Option<[ResultCode; 2]>,
    /// From where it starts, where that is not the usual position.
    pub start: Option<Start>,
    /// The line that says from where.
    pub start_line: Option<usize>,
}

impl Game {
    /// Who plays, as places in [`Sheet::players`].
    fn places(&self) -> impl Iterator<Item = usize> {
        [Some(self.white), self.black].into_iter().flatten()
    }
}

impl Format {
    /// How a file is written, by what it begins with. `None`: in no way that is known here.
    pub fn of(text: &str) -> Option<Format> {
        let mut lines = text
            .split(['\r', '\n'])
            .filter(|line| !line.trim().is_empty());
        let first = lines.clone().next()?;
        let is_tag = |line: &str| {
            let mut chars = line.chars();
            let number = chars.by_ref().take(3).all(|c| c.is_ascii_digit());
            number && chars.next().is_none_or(|c| c == ' ')
        };
        let is_number = |line: &str| line.trim().parse::<u16>().is_ok();
        // A PGN may begin with lines of comment.
        let is_comment = |line: &&str| line.starts_with([';', '%']);
        let said = lines.clone().find(|line| !is_comment(line));
        if said.is_some_and(|line| line.trim_start().starts_with('[')) {
            Some(Format::Pgn)
        } else if lines.any(|line| line.starts_with("001 ") || line.starts_with("012 "))
            || (is_tag(first) && first.len() > 3)
        {
            Some(Format::Trf)
        } else if is_number(first) {
            Some(Format::List)
        } else {
            csv::has_headings(text).then_some(Format::Csv)
        }
    }
}

impl Sheet {
    /// Takes the event and its players from another file: who is told here by his number or his
    /// name is filled in, and the others come behind, unless this file has them all itself.
    pub fn complete(&mut self, beside: Sheet) {
        // Whom this file counts otherwise than the other does is nobody besides.
        let own = self.players.iter().filter(|player| player.number > 0);
        let own: BTreeSet<String> = own.map(|player| compared(&player.name)).collect();
        let known = beside.players.iter();
        let known: Vec<(String, &Player)> = known.map(|p| (compared(&p.name), p)).collect();
        for player in &mut self.players {
            let (id, words) = (player.fide_id, compared(&player.name));
            let is_he = |(named, known): &&(String, &Player)| match (
                player.number,
                id.zip(known.fide_id),
            ) {
                (0, Some((id, known))) => id == known,
                (0, None) => *named == words,
                (number, _) => player.name.is_empty() && known.number == number,
            };
            let his: Vec<&Player> = known.iter().filter(is_he).map(|(_, p)| *p).collect();
            if let [known] = his[..] {
                *player = Player {
                    number: known.number,
                    name: known.name.clone(),
                    ..player.beside(known)
                };
            }
        }
        let said: BTreeSet<u16> = self.players.iter().map(|player| player.number).collect();
        let ids: BTreeSet<u64> = self.players.iter().filter_map(|p| p.fide_id).collect();
        let is_left = |known: &Player| {
            let is_counted = known.fide_id.is_some_and(|id| ids.contains(&id))
                || own.contains(&compared(&known.name));
            known.number > 0 && !said.contains(&known.number) && !is_counted
        };
        if self.format != Format::Trf {
            let left = beside.players.into_iter().filter(is_left);
            self.players.extend(left);
        }
        if self.teams.is_empty() {
            self.teams = beside.teams;
            self.team_lines = beside.team_lines;
            self.are_teams_numbered = beside.are_teams_numbered;
            self.are_teams_beside = true;
        }
        self.details = beside.details;
        self.says_worth = beside.says_worth;
        self.asked = beside.asked;
        self.asked_teams = beside.asked_teams;
    }

    /// Takes the byes of a round, of teams and those that players have asked for, as the other file
    /// has them, where this one has no words for such: of those who are not drawn.
    ///
    /// # Errors
    /// Where the other file cannot be understood there.
    pub fn take_byes(&mut self, round: Option<u16>) -> Result<(), Unreadable> {
        if self.format != Format::Trf {
            let of_teams = round.and_then(|round| self.asked_teams.remove(&round));
            self.beside_byes = of_teams.unwrap_or_default();
        }
        let asked = round.and_then(|round| self.asked.remove(&round));
        let (true, Some(asked)) = (matches!(self.format, Format::List | Format::Pgn), asked) else {
            return Ok(());
        };
        let asked = asked?;
        let drawn: BTreeSet<usize> = self.games.iter().flat_map(Game::places).collect();
        let line = self.games.last().map_or(1, |game| game.line);
        for (number, code) in asked {
            let mut players = self.players.iter();
            let place = players.position(|player| player.number == number);
            let Some(white) = place.filter(|place| !drawn.contains(place)) else {
                continue;
            };
            self.games.push(Game {
                line,
                table: None,
                white,
                black: None,
                codes: Some([code; 2]),
                start: None,
                start_line: None,
            });
        }
        Ok(())
    }

    /// Tells something that nothing is made of, once.
    fn pass_over(&mut self, line: usize, column: usize, what: What) {
        self.tell(Fault::new(line, column, what));
    }

    fn tell(&mut self, told: Fault) {
        let is_told = self.passed_over.iter().any(|known| known.text == told.text);
        if !is_told && self.passed_over.len() < MOST_PASSED_OVER {
            self.passed_over.push(told);
        }
    }

    /// What is wrong with it, with its name in a workbook.
    pub(crate) fn named(&self, wrong: Unreadable) -> Unreadable {
        match &self.name {
            Some(name) => wrong.of_sheet(name),
            None => wrong,
        }
    }

    fn empty(format: Format) -> Sheet {
        Sheet {
            format,
            name: None,
            details: Details::default(),
            players: Vec::new(),
            round: None,
            date: String::new(),
            games: Vec::new(),
            teams: Vec::new(),
            team_lines: Vec::new(),
            are_teams_numbered: false,
            are_teams_beside: false,
            says_worth: [false; 2],
            matches: Vec::new(),
            team_byes: None,
            lines: Vec::new(),
            other_points: Vec::new(),
            earlier: Vec::new(),
            is_ordered_here: false,
            passed_over: Vec::new(),
            absent: Vec::new(),
            asked: Asked::new(),
            asked_teams: BTreeMap::new(),
            beside_byes: Vec::new(),
        }
    }
}

/// Whether nobody is meant: what programs write in the place of an opponent who is not there.
fn is_nobody(name: &str) -> bool {
    const WORDS: [&str; 7] = [
        "",
        "bye",
        "spielfrei",
        "exempt",
        "n.n.",
        "not paired",
        "nicht ausgelost",
    ];
    WORDS.contains(&name.to_lowercase().as_str())
}

/// Whether a file is a report file (TRF): results can be filled into it.
pub fn is_report(bytes: &[u8]) -> bool {
    let text = chess_trf::Encoding::of(bytes).decode(bytes);
    text.is_ok_and(|text| Format::of(&text) == Some(Format::Trf))
}

/// Reads a file. `round` is the one that is wanted; else the file says it, or the games that are
/// not played yet.
///
/// # Errors
/// Everything that cannot be understood, with line and column.
pub fn read(bytes: &[u8], round: Option<u16>) -> Result<Sheet, Unreadable> {
    let refused = |what: What| Err(Unreadable::one(1, 1, what));
    if bytes.len() > MOST {
        let size = bytes.len();
        let what = what!(
            "too-long",
            "{size} bytes: no list of pairings is so long",
            size = size
        );
        return refused(what);
    }
    let no_round = || what!("round-zero", "round 0: rounds are counted from 1");
    if round == Some(0) {
        return refused(no_round());
    }
    let sheet = if xlsx::is_workbook(bytes) {
        xlsx::read(bytes, round)
    } else if xlsx::is_old_workbook(bytes) {
        let what = what!(
            "old-workbook",
            "a workbook as before 2007: save it as .xlsx, or as CSV"
        );
        return refused(what);
    } else {
        text::read(bytes).and_then(|text| match Format::of(&text) {
            Some(Format::Pgn) => pgn::read(&text, round),
            Some(Format::Trf) => trf::read(bytes, round),
            Some(Format::List) => list::read(&text),
            Some(Format::Csv | Format::Xlsx) => csv::read(&text, round),
            None if text.trim().is_empty() => refused(what!("empty", "the file is empty")),
            None => refused(unknown()),
        })
    }?;
    if sheet.games.is_empty() {
        let what = match round {
            Some(round) => no_pairing(round),
            None => what!("no-pairing", "no pairing is in it"),
        };
        return refused(what);
    }
    if sheet.round == Some(0) {
        return refused(no_round());
    }
    tables(&sheet).map_err(|wrong| sheet.named(wrong))?;
    numbers(&sheet).map_err(|wrong| sheet.named(wrong))?;
    Ok(sheet)
}

/// FIDE's numbers are of one player each. They have eleven digits in report files, and ratings
/// four: more would be cut there.
fn numbers(sheet: &Sheet) -> Result<(), Unreadable> {
    let mut wrong = Unreadable(Vec::new());
    let mut lines: HashMap<usize, usize> = HashMap::new();
    for game in &sheet.games {
        lines.extend(
            [Some(game.white), game.black]
                .into_iter()
                .flatten()
                .map(|p| (p, game.line)),
        );
    }
    let mut known: HashMap<u64, (u16, usize)> = HashMap::new();
    for (place, player) in sheet.players.iter().enumerate() {
        let own = sheet.lines.get(place).or_else(|| lines.get(&place));
        let line = own.copied().unwrap_or(1);
        let id = player.fide_id.filter(|_| player.number > 0);
        let before = id.and_then(|id| known.insert(id, (player.number, line)));
        if let (Some((other, at)), Some(id)) = (before.filter(|b| b.0 != player.number), id) {
            let what = what!(
                "same-fide",
                "number {number} has the FIDE number {id}, and so has number {other} in line {at}",
                number = player.number,
                id = id,
                other = other,
                at = at
            );
            wrong.add(line, 1, what);
        }
        let name = &player.name;
        if let Some(rating) = player.rating.filter(|rating| *rating > 9999) {
            let what = what!(
                "large-rating",
                "`{name}` has the rating {rating}; 9999 is the most",
                name = name,
                rating = rating
            );
            wrong.add(line, 1, what);
        }
        if let Some(id) = player.fide_id.filter(|id| *id > 99_999_999_999) {
            let what = what!(
                "large-fide",
                "`{name}` has the FIDE number {id}; 11 digits are the most",
                name = name,
                id = id
            );
            wrong.add(line, 1, what);
        }
    }
    wrong.unless(())
}

/// Either every game has its table, or none.
fn tables(sheet: &Sheet) -> Result<(), Unreadable> {
    let games = sheet.games.iter().filter(|game| game.black.is_some());
    let (with, without): (Vec<&Game>, Vec<&Game>) = games.partition(|game| game.table.is_some());
    let mut wrong = Unreadable(Vec::new());
    for game in without.into_iter().filter(|_| !with.is_empty()) {
        let what = what!(
            "no-table-said",
            "the table is missing, and other games have theirs"
        );
        wrong.add(game.line, 1, what);
    }
    wrong.unless(())
}

/// Reads who plays, for a file that has their numbers only: a report file, of whatever round, or
/// any other file of pairings.
///
/// # Errors
/// Everything that cannot be understood, with line and column.
pub fn players(bytes: &[u8]) -> Result<Sheet, Unreadable> {
    match bytes.len() <= MOST && is_report(bytes) {
        true => {
            let sheet = trf::players(bytes)?;
            numbers(&sheet)?;
            Ok(sheet)
        }
        false => read(bytes, None),
    }
}

/// The round that is to be played, of rounds in their order, each with whether its games are open:
/// the last with such games. Of several of which no game is played, as in a round robin, it is the
/// first where all before it are played; else it is asked for.
fn to_play(rounds: &[(usize, Vec<bool>)]) -> Result<Option<usize>, What> {
    let is_open = |open: &[bool]| open.contains(&true);
    let is_unplayed = |open: &[bool]| !open.is_empty() && !open.contains(&false);
    let unplayed = rounds.iter().filter(|(_, open)| is_unplayed(open));
    let unplayed: Vec<usize> = unplayed.map(|(round, _)| *round).collect();
    let mut open = rounds.iter().filter(|(_, open)| is_open(open));
    match unplayed[..] {
        [] | [_] => Ok(open.next_back().map(|(round, _)| *round)),
        [first, ..] if open.next().is_some_and(|(round, _)| *round == first) => Ok(Some(first)),
        _ => {
            let names: Vec<String> = unplayed.iter().take(30).map(usize::to_string).collect();
            Err(what!(
                "several-rounds",
                "rounds {rounds} are in it: say which is wanted",
                rounds = names.join(", ")
            ))
        }
    }
}

fn all_played() -> What {
    what!(
        "all-played",
        "every game of it is played: say which round is wanted"
    )
}

fn unknown() -> What {
    what!(
        "unknown",
        "this is no PGN, no TRF, no list of pairs, no workbook, and no table with headings such as \
         `table`, `white` and `black`"
    )
}

fn no_pairing(round: impl std::fmt::Display) -> What {
    what!(
        "no-pairing-of",
        "no pairing of round {round} is in it",
        round = round
    )
}

/// What is told of a text that is no result of a game.
fn no_result(said: &str) -> What {
    what!(
        "no-result",
        "`{found}` is no result; write 1-0, 0-1, 1/2-1/2, 0-0, 1/2-0, 0-1/2, +/-, -/+ or -/-",
        found = said
    )
}
