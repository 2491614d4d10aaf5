//! What people, and boards in their name, do to a tournament.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::code::ResultCode;
use crate::model::{
    Details, GivenTime, Halt, How, Lateness, Match, Note, Pairing, PenaltyTime, Player, Scope,
    Team, TeamBye, Typed,
};

/// One act. Acts are kept in their order, and are never changed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "act", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Act {
    /// A tournament is opened.
    Open {
        /// What is said of it.
        details: Details,
    },
    /// The tournament is a part of one that a hub has.
    PartOf {
        /// How the hub calls that, and no other.
        event: String,
    },
    /// The tournament is over: nothing is changed any more.
    Close,
    /// The tournament is described anew.
    Describe {
        /// As it is from now on.
        details: Details,
    },
    /// A round is drawn, or drawn anew: players are entered or brought up to date, and what was not
    /// started of the round is replaced.
    Draw {
        /// Its number, from 1.
        round: u16,
        /// Its day, as `2026.11.24`; empty where nobody said.
        #[serde(default)]
        date: String,
        /// Players who are new, or of whom something is.
        players: Vec<Player>,
        /// Every pairing of the round.
        pairings: Vec<Pairing>,
        /// The file that it was read from: the SHA-256 of its bytes, in hexadecimal digits.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        file: Option<String>,
        /// The same of the file that has the players, where it has their numbers only.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        players_file: Option<String>,
        /// In which encoding somebody said that both are; `None`: it is found out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        encoding: Option<String>,
    },
    /// A round that was drawn by mistake is none any more; who was entered with it stays.
    Undraw {
        /// Its number.
        round: u16,
    },
    /// Teams are entered, or brought up to date. Their players are known before.
    EnterTeams {
        /// Teams that are new, or of which something is.
        teams: Vec<Team>,
    },
    /// It is said which teams play each other in a round that is drawn, and who sits at which
    /// board.
    DrawMatches {
        /// The round.
        round: u16,
        /// Every match of the round.
        matches: Vec<Match>,
        /// What the teams have that play nobody.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        byes: Vec<TeamBye>,
    },
    /// A round is started: games that begin now are its games.
    StartRound {
        /// Its number.
        round: u16,
        /// When, in RFC 3339: the default time is counted from there.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        at: String,
    },
    /// A round is over.
    CloseRound {
        /// Its number.
        round: u16,
    },
    /// A board stands on a table from now on. What it had before is free.
    Bind {
        /// The table.
        table: u16,
        /// The board's id.
        board: String,
    },
    /// A table has no board any more.
    Unbind {
        /// The table.
        table: u16,
    },
    /// A game of a pairing began on a board.
    Begin {
        /// The round.
        round: u16,
        /// The table.
        table: u16,
        /// The game's name.
        game: String,
    },
    /// The game of a pairing was none: the pairing waits for its game again.
    Annul {
        /// The round.
        round: u16,
        /// The table.
        table: u16,
    },
    /// That a game was none is taken back: it is that of its pairing again.
    Reinstate {
        /// The round.
        round: u16,
        /// The table.
        table: u16,
        /// The game's name.
        game: String,
    },
    /// What was seen proposes a result. One that a person has confirmed stays.
    Propose {
        /// The round.
        round: u16,
        /// The table.
        table: u16,
        /// How it ended for White and for Black.
        codes: [ResultCode; 2],
        /// How that came.
        how: How,
    },
    /// A person says how a pairing ended.
    Result {
        /// The round.
        round: u16,
        /// The table.
        table: u16,
        /// For White and for Black.
        codes: [ResultCode; 2],
        /// How that came.
        how: How,
        /// Why; asked for where a result was confirmed before.
        #[serde(default)]
        reason: String,
    },
    /// A person confirms a result that is proposed.
    Confirm {
        /// The round.
        round: u16,
        /// The table.
        table: u16,
    },
    /// A person takes a result back: the game goes on, or nobody knows.
    Withdraw {
        /// The round.
        round: u16,
        /// The table.
        table: u16,
        /// Why.
        reason: String,
    },
    /// A game is played later than its round, which can be closed beside it; also one that has
    /// begun and goes on another day.
    Postpone {
        /// The round.
        round: u16,
        /// The table.
        table: u16,
        /// Why.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        reason: String,
    },
    /// A postponed game is played now: it begins at its table, or goes on.
    Resume {
        /// The round.
        round: u16,
        /// The table.
        table: u16,
    },
    /// A person types the moves of a game, from the scoresheets: of a table without a board, or of
    /// one whose board has failed. They take the place of those that were typed before.
    Moves {
        /// The round.
        round: u16,
        /// The table.
        table: u16,
        /// How they go on; nothing takes away what was typed before.
        typed: Typed,
        /// Why; asked for where they take the place of what a board has seen.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        reason: String,
    },
    /// It is said whether the public is shown a player's name shortened, whatever his age.
    Shorten {
        /// The player's starting number.
        player: u16,
        /// `null`: by his age.
        short: Option<bool>,
    },
    /// What the public sees stays as it is from now on, or goes on.
    Publish {
        /// Where.
        place: Scope,
        /// In which of the store's events, by its number; left out: in the one at hand, and where
        /// the place is everything, in those too that are over.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        event: Option<usize>,
        /// It is stopped; else it goes on.
        stopped: bool,
        /// Why.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        reason: String,
    },
    /// The public sees games so late from now on. What it has seen stays.
    Delay {
        /// Where.
        place: Scope,
        /// How late; `null`: as it is configured.
        by: Option<Lateness>,
    },
    /// A player is penalised (Article 12.9).
    Penalise {
        /// The player's starting number.
        player: u16,
        /// In which round.
        round: u16,
        /// With what, such as a warning.
        what: String,
        /// What for.
        reason: String,
        /// When, in RFC 3339; empty where nobody said.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        at: String,
        /// What it changes on the clocks; left out where it is none of time, and by acts of
        /// before, which say it in `what`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        time: Option<PenaltyTime>,
    },
    /// A penalty was noted by mistake, and is none.
    TakePenaltyBack {
        /// The player's starting number.
        player: u16,
        /// In which round.
        round: u16,
        /// With what he was penalised.
        what: String,
        /// When it was noted, as that says; empty: the later one of those that are alike.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        at: String,
        /// Why it is none.
        reason: String,
    },
    /// It is said how the tables stand in the hall.
    LayOut {
        /// In rows, such as `1-10 / 20-11`; empty: nobody says.
        layout: String,
    },
    /// An arbiter writes something down.
    Note(Note),
    /// Games are stopped at many tables at once, or go on.
    Halt(Halt),
    /// Both players of a table are given time.
    GiveTime(GivenTime),
    /// Time was given by mistake, and is none.
    TakeTimeBack {
        /// The round.
        round: u16,
        /// The table.
        table: u16,
        /// When it was given, as that says.
        at: String,
        /// Why it is none.
        reason: String,
    },
    /// A player leaves the hall (Article 11.2.3).
    Leave {
        /// The round.
        round: u16,
        /// The player's starting number.
        player: u16,
        /// When, in RFC 3339.
        at: String,
        /// Whether he has the move, as the record has it; `None` where nobody knows.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        having_move: Option<bool>,
    },
    /// A player who was out of the hall is back.
    ComeBack {
        /// The round.
        round: u16,
        /// The player's starting number.
        player: u16,
        /// When, in RFC 3339.
        at: String,
    },
    /// That a player left was said by mistake, such as of another one: he was here.
    TakeBreakBack {
        /// The round.
        round: u16,
        /// The player's starting number.
        player: u16,
        /// When he is said to have left, as that says.
        left: String,
        /// Why it is none; empty where nobody said.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        reason: String,
    },
    /// An arbiter observes the game at a table from now on.
    Observe {
        /// The round.
        round: u16,
        /// The table.
        table: u16,
        /// Who; empty where nobody said who he is.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        by: String,
        /// When, in RFC 3339.
        at: String,
    },
    /// He observes it no longer.
    StopObserving {
        /// The round.
        round: u16,
        /// The table.
        table: u16,
        /// Who; empty where nobody said who he is.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        by: String,
        /// When, in RFC 3339.
        at: String,
        /// Nobody said so: the game has ended, or is played later.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        by_itself: bool,
    },
}
