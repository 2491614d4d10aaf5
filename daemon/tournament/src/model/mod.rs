//! The things of a tournament.

mod apply;
mod draw;
mod points;
mod results;
mod team;

pub use points::{Points, Worth};
pub use team::{Match, MatchScore, Team};

use std::collections::BTreeMap;

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
}

/// Moves that a person has typed from the scoresheets.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Typed {
    /// They follow on so many half-moves of the game that the board has seen.
    pub after: u16,
    /// In algebraic notation (Appendix C).
    pub moves: Vec<String>,
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
    /// The file that it was last read from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
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

/// What a player was penalised with (Article 12.9). Nothing adds them up: only the regulations of
/// the tournament could say how.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Penalty {
    /// The player's starting number.
    pub player: u16,
    /// In which round.
    pub round: u16,
    /// With what.
    pub what: String,
    /// What for.
    pub reason: String,
}

/// A tournament.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tournament {
    /// What is said of it.
    pub details: Details,
    /// By starting number.
    pub players: BTreeMap<u16, Player>,
    /// By number; none where everybody plays for himself.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub teams: BTreeMap<u16, Team>,
    /// By number.
    pub rounds: BTreeMap<u16, Round>,
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
    /// It is over.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub closed: bool,
}

impl Pairing {
    /// Whether somebody has no opponent.
    pub fn is_bye(&self) -> bool {
        self.black.is_none()
    }

    /// Whether it is known that it has begun or ended: then it stays what it is.
    pub fn has_begun(&self) -> bool {
        let from_file = |outcome: &Outcome| outcome.how == How::File && !outcome.confirmed;
        let has_ended = self.outcome.as_ref().is_some_and(|o| !from_file(o));
        self.game.is_some() || self.typed.is_some() || has_ended
    }

    /// Whether a person has confirmed how it ended, or nobody needs to: byes are the file's.
    pub fn is_settled(&self) -> bool {
        self.is_bye() || self.outcome.as_ref().is_some_and(|o| o.confirmed)
    }

    /// How it ended, if a person has said so, or the file did.
    pub fn settled(&self) -> Option<[ResultCode; 2]> {
        let outcome = self.outcome.as_ref();
        let counts = outcome.filter(|o| o.confirmed || o.how == How::File);
        counts.map(|outcome| outcome.codes)
    }

    /// Whether the same players have the same colours.
    pub fn is_same(&self, other: &Pairing) -> bool {
        (self.white, self.black) == (other.white, other.black)
    }
}

impl Tournament {
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

    /// What is played at a table when a game begins there now. `None` where no round is under way,
    /// where the table has no pairing in it, or its game has begun.
    pub fn next_at(&self, table: u16) -> Option<(u16, &Pairing)> {
        let (round, _) = self.under_way()?;
        let pairing = self.pairing(round, table).ok()?;
        (!pairing.is_bye() && !pairing.has_begun()).then_some((round, pairing))
    }

    /// The round and the table of the pairing that a game belongs to.
    pub fn seat_of(&self, game: &str) -> Option<(u16, u16)> {
        self.rounds.iter().rev().find_map(|(number, round)| {
            let mut pairings = round.pairings.iter();
            let is_it = |pairing: &&Pairing| pairing.game.as_deref() == Some(game);
            Some((*number, pairings.find(is_it)?.table?))
        })
    }

    /// The tables of a round at which nothing has begun.
    pub fn not_begun(&self, round: u16) -> Vec<u16> {
        let pairings = self.rounds.get(&round).map(|round| &round.pairings[..]);
        let waiting = pairings.unwrap_or_default().iter();
        let waiting = waiting.filter(|p| !p.is_bye() && !p.has_begun());
        waiting.filter_map(|pairing| pairing.table).collect()
    }

    /// The tables of a round that nobody has confirmed a result of.
    pub fn open_tables(&self, round: u16) -> Vec<u16> {
        let pairings = self.rounds.get(&round).map(|round| &round.pairings[..]);
        let open = pairings
            .unwrap_or_default()
            .iter()
            .filter(|p| !p.is_settled());
        open.filter_map(|pairing| pairing.table).collect()
    }
}
