//! A game, and an event, as the public may see them.

use arbiter_core::shakmaty::fen::Fen;
use arbiter_core::shakmaty::{Chess, EnPassantMode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tournament::ResultCode;

/// A player as the public may know him: the names of minors are shortened, and they have no number.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "PublicPerson")]
pub struct Person {
    /// The name, mostly `Last, First`; empty when unknown.
    pub name: String,
    /// `GM`, `WFM` ...; empty without one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// The rating.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<u16>,
    /// The federation's three letters; empty when unknown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub federation: String,
    /// FIDE's number of the player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fide_id: Option<u64>,
    /// The team; empty without one, and where the name is shortened.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub team: String,
}

/// A half-move that the public is shown. It is legal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "PublicPly")]
pub struct Ply {
    /// The move in standard algebraic notation, with check and mate signs: `Nf3`, `O-O`, `e8=Q#`.
    pub san: String,
    /// The move as `e2e4`, `e7e8q`; castling in Chess960 as the king takes its rook.
    pub uci: String,
    /// The mover's remaining time after it, in milliseconds, where the clock told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_ms: Option<u64>,
    /// How long he took for it, in milliseconds, where that follows from the clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used_ms: Option<u64>,
}

/// The clocks, at one moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "PublicClocks")]
pub struct Clocks {
    /// White's remaining time, in milliseconds, where the clock has told.
    pub white_ms: Option<u64>,
    /// Black's.
    pub black_ms: Option<u64>,
    /// Whose clock runs, `w` or `b`; `None`: neither, or it is not known.
    pub running: Option<char>,
    /// As of which moment, in milliseconds since 1970. It is the public's moment, the one at which
    /// this was shown: whoever counts on from there has the clock as late as the moves.
    pub at: i64,
}

/// A game as the public may see it, now.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "PublicGame")]
pub struct Shown {
    /// The game's name; it stays.
    pub game: String,
    /// Which of the store's events has it, by its number.
    #[serde(default = "first")]
    pub of_event: usize,
    /// Its round. Where the event has rounds, only games of these are public; else it is the round
    /// of the configuration, or 1.
    pub round: Option<u16>,
    /// Its table; it has one where it has a round.
    pub table: Option<u16>,
    /// The tournament; empty when unknown.
    pub event: String,
    /// The place; empty when unknown.
    pub site: String,
    /// The day as `2026.11.21`; empty when unknown.
    pub date: String,
    /// Round and table as PGN has them: `3.12`.
    pub round_text: String,
    /// It is the game of a pairing: whatever its name, there is no other.
    #[serde(default)]
    pub paired: bool,
    /// The time control as PGN writes it: `5400+30`; empty when unknown.
    pub time_control: String,
    /// White.
    pub white: Person,
    /// Black.
    pub black: Person,
    /// Whether castling follows Chess960.
    pub chess960: bool,
    /// The position that the moves start from, as FEN.
    pub start_fen: String,
    /// The half-moves that are public; in what was public before, the last may have been taken
    /// back.
    pub plies: Vec<Ply>,
    /// So many of them are in no doubt now: what was public before a doubt arose stays. It is for
    /// outlets that cannot take back what they have told.
    #[serde(skip)]
    pub sure: usize,
    /// So many of them are completed, by the clock or by the moves after them. It is for the same
    /// outlets.
    #[serde(skip)]
    pub completed: usize,
    /// The position after them, as FEN.
    pub fen: String,
    /// The clocks.
    pub clocks: Clocks,
    /// `1-0`, `0-1`, `1/2-1/2`; `+/-`, `-/+`, `-/-` by forfeit; `0-0`, `1/2-0`, `0-1/2`; or `*`
    /// while there is none that is public.
    pub result: String,
    /// Nothing more will come of it by itself: the result is public, and so are all moves.
    pub over: bool,
    /// The record goes on in a way that the arbiter has to look at first: nothing more is shown
    /// until he has.
    pub with_arbiter: bool,
    /// The chief arbiter has stopped its publication: it stays as it is.
    pub stopped: bool,
    /// Counts what was shown of this game, from 1; it never goes back, nor begins anew with the
    /// program.
    pub version: u64,
}

/// What of a game was corrected after the public had seen it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "CorrectionKind")]
pub enum Kind {
    /// Moves were taken back, or are others than those that were public.
    Moves,
    /// The result is another, or was withdrawn.
    Result,
    /// The game begins from another position, or was none.
    Start,
}

/// A correction of what was public. It is for the chief arbiter's and the operator's eyes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Correction {
    /// When, in RFC 3339.
    pub utc: String,
    /// Which of the store's events has the game, by its number.
    #[serde(default = "first")]
    pub event: usize,
    /// The game.
    pub game: String,
    /// Its round.
    pub round: Option<u16>,
    /// Its table.
    pub table: Option<u16>,
    /// What was corrected.
    pub kind: Kind,
    /// The first half-move that is not as it was, from 1; of a result, 0.
    pub ply: u32,
    /// What was public: moves from there on, or the result.
    pub was: String,
    /// What is public instead; empty where nothing is yet.
    pub is: String,
    /// The game was annulled: nothing comes instead, unless that is taken back.
    #[serde(default)]
    pub annulled: bool,
    /// Which outlets have it, and since when; the first to have it first.
    #[serde(default)]
    pub arrived: Vec<Arrival>,
}

/// A way out of the gate.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "PublicOutlet")]
pub enum Outlet {
    /// The addresses at `/live/`, and the page there.
    Live,
    /// The folder.
    Folder,
    /// What programs that know LiveChess are told.
    Livechess,
    /// Lichess.
    Lichess,
}

/// Something is at an outlet.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "PublicArrival")]
pub struct Arrival {
    /// Where.
    pub outlet: Outlet,
    /// Since when, in RFC 3339.
    pub utc: String,
}

/// The number of a store's first event.
fn first() -> usize {
    1
}

/// Who plays whom at a table, as the public may know it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "PublicSeats")]
pub struct Seats {
    /// The table.
    pub table: u16,
    /// White.
    pub white: Person,
    /// Black.
    pub black: Person,
    /// As that of the game; of a game at a board as that is public.
    pub result: String,
    /// The game, once something of it is public.
    pub game: Option<String>,
    /// It is a pairing of the event's.
    #[serde(skip)]
    pub paired: bool,
    /// From where the game starts by the pairing, where that is not the usual position.
    #[serde(skip)]
    pub start: Option<tournament::Start>,
}

/// How late the games of a round are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "PublicLateness")]
pub struct Late {
    /// So many seconds after they are played.
    pub seconds: u32,
    /// And so many half-moves.
    pub moves: u16,
    /// Not at all tables: this is the longest.
    pub differs: bool,
}

/// A round as the public may know it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "PublicRound")]
pub struct Round {
    /// Its number.
    pub number: u16,
    /// Its day, as `2026-11-21`; `None` when unknown.
    pub date: Option<String>,
    /// It is played now.
    pub live: bool,
    /// How late its games are shown.
    pub late: Late,
    /// By table; byes are not among them.
    pub tables: Vec<Seats>,
}

/// An event as the public may know it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "PublicEvent")]
pub struct Programme {
    /// Which of the store's events it is, from 1.
    pub number: usize,
    /// Its name.
    pub name: String,
    /// The place.
    pub site: String,
    /// The federation's three letters.
    pub federation: String,
    /// The time control as PGN writes it.
    pub time_control: String,
    /// Rounds that were started, by number.
    pub rounds: Vec<Round>,
}

impl Programme {
    /// A game of which nothing is public yet, called as it will be.
    pub(crate) fn unplayed(&self, round: &Round, seats: &Seats) -> Shown {
        let bare = Shown::empty();
        let start = seats.start.as_ref().filter(|start| !start.fen.is_empty());
        let start_fen = start.map_or(&bare.start_fen, |start| &start.fen).clone();
        Shown {
            of_event: self.number,
            paired: seats.paired,
            chess960: start.is_some_and(|start| start.chess960),
            fen: start_fen.clone(),
            start_fen,
            round: Some(round.number),
            table: Some(seats.table),
            event: self.name.clone(),
            site: self.site.clone(),
            date: round.date.clone().unwrap_or_default().replace('-', "."),
            round_text: format!("{}.{}", round.number, seats.table),
            time_control: self.time_control.clone(),
            white: seats.white.clone(),
            black: seats.black.clone(),
            result: seats.result.clone(),
            ..bare
        }
    }
}

impl Shown {
    /// A game of which nothing is known.
    pub(crate) fn empty() -> Shown {
        let start = Fen::from_position(&Chess::default(), EnPassantMode::Legal).to_string();
        Shown {
            game: String::new(),
            of_event: first(),
            round: None,
            table: None,
            event: String::new(),
            site: String::new(),
            date: String::new(),
            round_text: String::new(),
            paired: false,
            time_control: String::new(),
            white: Person::default(),
            black: Person::default(),
            chess960: false,
            start_fen: start.clone(),
            plies: Vec::new(),
            sure: 0,
            completed: 0,
            fen: start,
            clocks: Clocks {
                white_ms: None,
                black_ms: None,
                running: None,
                at: 0,
            },
            result: "*".to_owned(),
            over: false,
            with_arbiter: false,
            stopped: false,
            version: 0,
        }
    }

    /// How it ended, as the codes of both sides; `None` while that is not public.
    pub(crate) fn codes(&self) -> Option<[ResultCode; 2]> {
        ResultCode::both(&self.result)
    }

    /// Nothing more will come of it: nobody waits for the last move, and no doubt is left.
    pub(super) fn end(&mut self) {
        (self.sure, self.completed) = (self.plies.len(), self.plies.len());
    }

    /// How many half-moves are the same as in another game or another time of it, from the first
    /// on.
    pub fn common(&self, other: &Shown) -> usize {
        let both = self.plies.iter().zip(&other.plies);
        both.take_while(|(one, other)| one.uci == other.uci).count()
    }

    /// Who has the move, `w` or `b`.
    pub fn turn(&self) -> char {
        match self.fen.split(' ').nth(1) {
            Some("b") => 'b',
            _ => 'w',
        }
    }
}
