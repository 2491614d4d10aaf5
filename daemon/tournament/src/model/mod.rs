//! The things of a tournament.

mod apply;
mod draw;
mod floor;
mod observed;
mod penalty;
mod points;
mod publication;
pub(crate) mod reseat;
mod results;
mod team;

pub use floor::{Break, GivenTime, Halt, Halted, Note, rows};
pub use observed::Observed;
pub use penalty::{ClockOf, Penalty, PenaltyTime};
pub use points::{Points, Worth};
pub use publication::{Lateness, Publication, Scope};
pub use team::{ByeScore, Match, MatchScore, Team, TeamBye};

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::code::ResultCode;
use crate::refusal::Refusal;

/// What is said of a tournament as a whole. Empty text: nobody said.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Details {
    /// Its name.
    pub name: String,
    /// The town, or the place.
    pub site: String,
    /// The federation's three letters.
    pub federation: String,
    /// The first day, as `2026.11.24`, or as the file has it.
    pub start: String,
    /// The last day.
    pub end: String,
    /// The chief arbiter.
    pub chief_arbiter: String,
    /// The time control as PGN writes it: `5400+30`, `40/6000+30:900+30`.
    pub time_control: String,
    /// How many rounds there are to be.
    pub rounds: Option<u16>,
    /// What results are worth.
    pub worth: Worth,
    /// The class of play: `standard`, `rapid` or `blitz`; empty as the program is configured.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub class: String,
    /// The year of the edition of the Laws; empty as the program is configured.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub laws: String,
    /// Whether play is adequately supervised; `None` as the program is configured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supervised: Option<bool>,
    /// After how many minutes who is not there has lost (Article 6.7.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_time: Option<u16>,
}

/// A player.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Player {
    /// The starting number: the key.
    pub number: u16,
    /// As it was written, mostly `Last, First`.
    pub name: String,
    /// `GM`, `WFM` ...
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// The rating.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<u16>,
    /// The federation's three letters.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub federation: String,
    /// FIDE's number of the player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fide_id: Option<u64>,
    /// The day of birth as it was written.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub birth: String,
    /// The club or the team.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub team: String,
}

impl Player {
    /// What is said of a player, and what it leaves out as it was known.
    pub(crate) fn beside(&self, known: &Player) -> Player {
        let text = |said: &String, known: &String| match said.is_empty() {
            true => known.clone(),
            false => said.clone(),
        };
        Player {
            number: self.number,
            name: text(&self.name, &known.name),
            title: text(&self.title, &known.title),
            rating: self.rating.or(known.rating),
            federation: text(&self.federation, &known.federation),
            fide_id: self.fide_id.or(known.fide_id),
            birth: text(&self.birth, &known.birth),
            team: text(&self.team, &known.team),
        }
    }
}

/// Who plays whom at which table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pairing {
    /// The table's number in the hall, from 1. Byes have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<u16>,
    /// White's starting number; with a bye, the player's.
    pub white: u16,
    /// Black's; `None` is a bye.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub black: Option<u16>,
    /// The game that is played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// How it ended, once that is proposed or known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// Moves that were typed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub typed: Option<Typed>,
    /// From where it starts, where that is not the usual position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Start>,
    /// It is played later than its round, until somebody has confirmed how it ended; with a result
    /// it was, and is again once that is withdrawn.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub postponed: bool,
    /// The result that it had was withdrawn, and there is none since.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub withdrawn: bool,
    /// The game that it had was none, and no other has begun since.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub annulled: bool,
    /// Its games that were none, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub annulled_games: Vec<String>,
}

/// From where a game starts.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Start {
    /// The position; empty where only the variant is known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub fen: String,
    /// It is Chess960: castling follows it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub chess960: bool,
}

/// Moves that a person has typed from the scoresheets.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Typed {
    /// They follow on so many half-moves of the game that the board has seen.
    pub after: u16,
    /// In algebraic notation (Appendix C).
    pub moves: Vec<String>,
    /// They take the place of what the board had seen then. Else they fill what it had not: once
    /// it has seen the same, its own record goes on.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub instead: bool,
}

/// How a pairing ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// For White and for Black; they need not add up to a point. With a bye both are the player's.
    pub codes: [ResultCode; 2],
    /// How that came.
    pub how: How,
    /// A person said so; else it is only proposed.
    pub confirmed: bool,
}

impl Outcome {
    /// Its game shows it, as the board saw it or an arbiter ordered it there: it goes with what
    /// the game shows, until somebody confirms it.
    #[must_use]
    pub fn is_of_its_game(&self) -> bool {
        !self.confirmed && matches!(self.how, How::Board | How::Arbiter)
    }
}

/// How a result came.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// The board showed it.
    Board,
    /// Somebody typed it: from the scoresheets, or from a table without a board.
    Typed,
    /// A player was absent (Article 6.7.1), or both.
    Forfeit,
    /// The arbiter decided it.
    Arbiter,
    /// The file of the pairings said so.
    File,
}

/// A round.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Round {
    /// Its day; empty where nobody said.
    pub date: String,
    /// How far it is.
    pub stage: Stage,
    /// When it was started, in RFC 3339; empty where nobody said.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub started: String,
    /// Who plays whom, by table; byes at the end.
    pub pairings: Vec<Pairing>,
    /// The matches of teams.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub matches: Vec<Match>,
    /// What teams have that play nobody.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub byes: Vec<TeamBye>,
    /// The files that it was read from, the last one at the end.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<Source>,
    /// Players who were drawn in it before, and are in no pairing of it any more.
    #[serde(skip)]
    pub gone: BTreeSet<u16>,
}

/// A file that a round was read from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// The SHA-256 of its bytes, in hexadecimal digits.
    pub file: String,
    /// In which encoding somebody said that it is; `None`: it is found out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
}

/// How far a round is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// It is known who plays whom.
    #[default]
    Drawn,
    /// It is played.
    UnderWay,
    /// It is over.
    Closed,
}

/// A tournament.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tournament {
    /// What is said of it.
    pub details: Details,
    /// By starting number.
    pub players: BTreeMap<u16, Player>,
    /// What players were called before, by starting number: games that were played then have it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub former: BTreeMap<u16, BTreeSet<String>>,
    /// By number; none where everybody plays for himself.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub teams: BTreeMap<u16, Team>,
    /// By number.
    pub rounds: BTreeMap<u16, Round>,
    /// Rounds that were drawn by mistake and taken back, and are not drawn since.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub undrawn: BTreeSet<u16>,
    /// The board on each table that has one.
    pub boards: BTreeMap<u16, String>,
    /// Somebody has said where a board stands, or does not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub bound: bool,
    /// In the order in which they were given.
    pub penalties: Vec<Penalty>,
    /// Players of whom somebody has said whether the public is shown their names shortened.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub shortened: BTreeMap<u16, bool>,
    /// How the public sees the games, as far as somebody has said so.
    #[serde(default, skip_serializing_if = "Publication::is_unsaid")]
    pub publication: Publication,
    /// How the tables stand in the hall, in rows: `1-10 / 20-11`; empty where nobody has said.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub layout: String,
    /// What arbiters wrote down, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
    /// Who was out of the hall, in the order in which they left.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub breaks: Vec<Break>,
    /// When games were stopped at many tables at once, and went on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub halts: Vec<Halt>,
    /// Time that arbiters gave both players of a table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub times: Vec<GivenTime>,
    /// Which games arbiters observed, in the order in which they began to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub observed: Vec<Observed>,
    /// The event of a hub of which it is a part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part_of: Option<String>,
    /// It is over.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub closed: bool,
    /// How it is called, and where it is played, as long as nobody says: nothing of that is said.
    #[serde(skip)]
    pub configured: [String; 2],
}

impl Pairing {
    /// Whether somebody has no opponent.
    pub fn is_bye(&self) -> bool {
        self.black.is_none()
    }

    /// Who is in it.
    pub fn players(&self) -> impl Iterator<Item = u16> + use<> {
        [Some(self.white), self.black].into_iter().flatten()
    }

    /// Whether it is known that it has begun or ended: then it stays what it is.
    pub fn has_begun(&self) -> bool {
        let from_file = |outcome: &Outcome| outcome.how == How::File && !outcome.confirmed;
        let has_ended = self.outcome.as_ref().is_some_and(|o| !from_file(o));
        self.game.is_some() || self.typed.is_some() || has_ended
    }

    /// Whether two players are to begin it, and have not.
    pub fn waits(&self) -> bool {
        !self.is_bye() && !self.has_begun() && !self.is_postponed()
    }

    /// Whether a person has confirmed how it ended, or nobody needs to: byes are the file's.
    pub fn is_settled(&self) -> bool {
        self.is_bye() || self.outcome.as_ref().is_some_and(|o| o.confirmed)
    }

    /// Whether its result is still to come, in a round that may be closed before.
    pub fn is_postponed(&self) -> bool {
        self.postponed && !self.is_settled()
    }

    /// How it ended, if a person has said so, or the file did.
    pub fn settled(&self) -> Option<[ResultCode; 2]> {
        let outcome = self.outcome.as_ref();
        let counts = outcome.filter(|o| o.confirmed || o.how == How::File);
        counts.map(|outcome| outcome.codes)
    }

    /// How it ended, where a person has confirmed it or nobody needs to.
    pub fn confirmed(&self) -> Option<[ResultCode; 2]> {
        let outcome = self.outcome.as_ref().filter(|_| self.is_settled());
        outcome.map(|outcome| outcome.codes)
    }

    /// Its result as people write it: `1-0`; of a bye the one code.
    pub fn written(&self) -> Option<String> {
        let codes = self.outcome.as_ref()?.codes;
        Some(match self.is_bye() {
            true => codes[0].to_string(),
            false => ResultCode::written(codes),
        })
    }

    /// Whether the same players meet, or the same one has a bye.
    pub fn is_pair(&self, other: &Pairing) -> bool {
        let others = |p: &Pairing| (p.black, Some(p.white));
        self.is_same(other) || others(self) == (Some(other.white), other.black)
    }

    /// Whether the same players have the same colours.
    pub fn is_same(&self, other: &Pairing) -> bool {
        (self.white, self.black) == (other.white, other.black)
    }
}

impl Tournament {
    /// What is said of it, and what is configured where nobody has said how it is called and where
    /// it is played.
    pub fn described(&self) -> Details {
        let mut details = self.details.clone();
        let said = [&mut details.name, &mut details.site];
        for (said, configured) in said.into_iter().zip(&self.configured) {
            if said.is_empty() {
                said.clone_from(configured);
            }
        }
        details
    }

    /// Its own name and place, and the names of its players, former ones too.
    pub fn names(&self) -> Vec<String> {
        let own = [self.details.name.clone(), self.details.site.clone()];
        let players = self.players.keys();
        let players = players.flat_map(|number| self.names_of(*number).cloned());
        own.into_iter().chain(players).collect()
    }

    /// What a player is called, and was before.
    pub fn names_of(&self, number: u16) -> impl Iterator<Item = &String> {
        let is = self.players.get(&number).map(|player| &player.name);
        is.into_iter()
            .chain(self.former.get(&number).into_iter().flatten())
    }

    /// What the acts make of nothing, one after the other.
    ///
    /// # Errors
    /// The first act that cannot be, by its place.
    pub fn of<'a>(
        acts: impl IntoIterator<Item = &'a crate::Act>,
    ) -> Result<Tournament, (usize, Refusal)> {
        let mut tournament = Tournament::default();
        for (n, act) in acts.into_iter().enumerate() {
            tournament.apply(act).map_err(|refusal| (n, refusal))?;
        }
        Ok(tournament)
    }

    /// The round under way.
    pub fn under_way(&self) -> Option<(u16, &Round)> {
        let mut rounds = self.rounds.iter().map(|(number, round)| (*number, round));
        rounds.find(|(_, round)| round.stage == Stage::UnderWay)
    }

    /// The round that is to be started next, while none is under way.
    pub fn to_be_started(&self) -> Option<(u16, &Round)> {
        let mut rounds = self.rounds.iter().map(|(number, round)| (*number, round));
        let next = rounds.find(|(_, round)| round.stage == Stage::Drawn);
        next.filter(|_| !self.closed && self.under_way().is_none())
    }

    /// The pairing at a table of a round.
    ///
    /// # Errors
    /// Where there is none.
    pub fn pairing(&self, round: u16, table: u16) -> Result<&Pairing, Refusal> {
        let drawn = self.rounds.get(&round).ok_or(Refusal::NoRound(round))?;
        let mut pairings = drawn.pairings.iter();
        let found = pairings.find(|pairing| pairing.table == Some(table));
        found.ok_or(Refusal::NoPairing { round, table })
    }

    /// The table on which a board stands.
    pub fn table_of(&self, board: &str) -> Option<u16> {
        let mut boards = self.boards.iter();
        boards.find(|(_, id)| *id == board).map(|(table, _)| *table)
    }

    /// The pairings at a table that are played now: that of the round under way, then those of
    /// closed rounds that were postponed and are resumed, the oldest first.
    fn played_at(&self, table: u16) -> impl Iterator<Item = (u16, &Pairing)> {
        let of = move |number: u16| Some((number, self.pairing(number, table).ok()?));
        let under_way = self.under_way().and_then(|(number, _)| of(number));
        let closed = self.rounds.iter();
        let closed = closed.filter(|(_, round)| round.stage == Stage::Closed);
        let resumed = closed.filter_map(move |(number, _)| of(*number));
        let resumed = resumed.filter(|(_, pairing)| !pairing.is_settled());
        let all = under_way.into_iter().chain(resumed);
        all.filter(|(_, pairing)| !pairing.is_postponed())
    }

    /// What is played at a table when a game begins there now. `None` where the table has no
    /// pairing that is played now, or its game has begun.
    pub fn next_at(&self, table: u16) -> Option<(u16, &Pairing)> {
        let mut played = self.played_at(table);
        let now = self.under_way().map(|(number, _)| number);
        // A result that is only proposed, as at a wrong table, keeps nobody from playing in the
        // round under way; a game that was resumed has it from the scoresheets.
        let is_proposed = |round: u16, pairing: &Pairing| {
            let is_unseen = pairing.game.is_none() && pairing.typed.is_none();
            now == Some(round) && is_unseen && !pairing.is_settled()
        };
        played.find(|(round, pairing)| {
            !pairing.is_bye() && (!pairing.has_begun() || is_proposed(*round, pairing))
        })
    }

    /// What is played at a table now and has no confirmed result, whether it has begun or not.
    pub fn open_at(&self, table: u16) -> Option<(u16, &Pairing)> {
        let mut played = self.played_at(table);
        played.find(|(_, pairing)| !pairing.is_settled())
    }

    /// What is played at a table now, where its game has begun.
    pub fn at_hand(&self, table: u16) -> Option<(u16, &Pairing)> {
        let begun = |(_, pairing): &(u16, &Pairing)| pairing.game.is_some();
        let open = self.played_at(table).filter(begun);
        // The game of the round under way stays at its table also when it is over.
        open.min_by_key(|(_, pairing)| pairing.is_settled())
    }

    /// The round and the table of the pairing that a game belongs to.
    pub fn seat_of(&self, game: &str) -> Option<(u16, u16)> {
        self.rounds.iter().rev().find_map(|(number, round)| {
            let mut pairings = round.pairings.iter();
            let is_it = |pairing: &&Pairing| pairing.game.as_deref() == Some(game);
            Some((*number, pairings.find(is_it)?.table?))
        })
    }

    /// The round and the table of the pairing of which a game was, until it was found to be none.
    pub fn annulled_seat_of(&self, game: &str) -> Option<(u16, u16)> {
        self.rounds.iter().rev().find_map(|(number, round)| {
            let mut pairings = round.pairings.iter();
            let had_it = |pairing: &&Pairing| pairing.annulled_games.iter().any(|is| is == game);
            Some((*number, pairings.find(had_it)?.table?))
        })
    }

    /// The tables of a round at which nothing has begun.
    pub fn not_begun(&self, round: u16) -> Vec<u16> {
        self.tables(round, Pairing::waits)
    }

    /// The tables of a round that nobody has confirmed a result of, and that are not postponed.
    pub fn open_tables(&self, round: u16) -> Vec<u16> {
        self.tables(round, |p| !p.is_settled() && !p.is_postponed())
    }

    /// Round and table of the games up to a round that stand nowhere with a result that counts.
    pub fn open_until(&self, round: u16) -> Vec<(u16, u16)> {
        let rounds = self.rounds.range(..=round);
        let open = |(number, _): (&u16, &Round)| {
            let number = *number;
            let tables = self.tables(number, |p| p.settled().is_none());
            tables.into_iter().map(move |table| (number, table))
        };
        rounds.flat_map(open).collect()
    }

    /// The tables of a round whose game is postponed.
    pub fn postponed(&self, round: u16) -> Vec<u16> {
        self.tables(round, Pairing::is_postponed)
    }

    /// Round and table of the games of closed rounds that nobody has confirmed a result of.
    pub fn unfinished(&self) -> Vec<(u16, u16)> {
        let closed = self.rounds.iter();
        let closed = closed.filter(|(_, round)| round.stage == Stage::Closed);
        let open = |(number, _): (&u16, &Round)| {
            let number = *number;
            let tables = self.tables(number, |p| !p.is_settled());
            tables.into_iter().map(move |table| (number, table))
        };
        closed.flat_map(open).collect()
    }

    /// Round and table of the games of rounds that nobody has started, and that have no result.
    pub fn not_played(&self) -> Vec<(u16, u16)> {
        let drawn = self.rounds.iter();
        let drawn = drawn.filter(|(_, round)| round.stage == Stage::Drawn);
        let open = |(number, _): (&u16, &Round)| {
            let number = *number;
            let tables = self.tables(number, |p| !p.is_settled());
            tables.into_iter().map(move |table| (number, table))
        };
        drawn.flat_map(open).collect()
    }

    fn tables(&self, round: u16, is_meant: impl Fn(&Pairing) -> bool) -> Vec<u16> {
        let pairings = self.rounds.get(&round).map(|round| &round.pairings[..]);
        let meant = pairings.unwrap_or_default().iter().filter(|p| is_meant(p));
        meant.filter_map(|pairing| pairing.table).collect()
    }
}
