//! `arbiterd round` and `arbiterd table`: rounds, and which board stands where.

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::ask::{Where, numbers, pairings};
use super::failure::Failure;
use super::terminal::Screen;

/// Start, close and show a round.
#[derive(Args, Debug)]
pub(crate) struct Rounds {
    #[command(subcommand)]
    command: Round,
}

#[derive(Subcommand, Debug)]
enum Round {
    /// Start a round at all tables: games that begin from now on are its games
    #[command(after_help = "Example: arbiterd round start 3")]
    Start(Number),
    /// Close a round; refused with what is open in it
    #[command(after_help = "Example: arbiterd round close 3")]
    Close(Number),
    /// Show who plays whom where, and how it stands
    #[command(after_help = "Example: arbiterd round show 3 --json")]
    Show(Number),
}

#[derive(Args, Debug)]
struct Number {
    /// The round
    #[arg(value_name = "N")]
    round: u16,
    #[command(flatten)]
    at: Where,
}

/// Say which board stands on which table.
#[derive(Args, Debug)]
pub(crate) struct Tables {
    #[command(subcommand)]
    command: Table,
}

#[derive(Subcommand, Debug)]
enum Table {
    /// Put a board on a table; what stood there is free
    #[command(after_help = "Example: arbiterd table bind 12 b07")]
    Bind {
        /// The table
        table: u16,
        /// The board's id in the configuration
        board: String,
        #[command(flatten)]
        at: Where,
    },
    /// Take the board from a table: its results are typed from then on
    #[command(after_help = "Example: arbiterd table unbind 12")]
    Unbind {
        /// The table
        table: u16,
        #[command(flatten)]
        at: Where,
    },
    /// Exchange the boards of two tables; games stay at their tables
    #[command(after_help = "Example: arbiterd table swap 12 13")]
    Swap {
        /// One table
        table: u16,
        /// The other
        with: u16,
        #[command(flatten)]
        at: Where,
    },
    /// Show every table with its board
    #[command(visible_alias = "list", after_help = "Example: arbiterd table show")]
    Show {
        #[command(flatten)]
        at: Where,
    },
}

/// Does what is asked of a round.
pub(crate) fn run_round(arguments: &Rounds) -> Result<(), Failure> {
    let (number, verb) = match &arguments.command {
        Round::Start(number) => (number, Some("start")),
        Round::Close(number) => (number, Some("close")),
        Round::Show(number) => (number, None),
    };
    let (round, at) = (number.round, &number.at);
    let said = match verb {
        Some(verb) => at.post(&format!("/api/rounds/{round}/{verb}"), &Value::Null),
        None => at.get(&format!("/api/rounds/{round}")),
    };
    at.say(&said?, people)
}

/// A round, for people.
pub(super) fn people(round: &Value) -> String {
    let stage = round["stage"].as_str().unwrap_or_default();
    let mut said = format!("round {}: {stage}\n", round["round"]);
    said += &pairings(&round["pairings"]);
    if stage == "under-way"
        && round["waiting"]
            .as_array()
            .is_some_and(|list| !list.is_empty())
    {
        said += &format!("not started: table {}\n", numbers(&round["waiting"]));
        if let Some(moment) = round["default_at"].as_str() {
            said += &format!("lost by default at {moment}\n");
        }
    }
    if stage != "closed"
        && round["open"]
            .as_array()
            .is_some_and(|list| !list.is_empty())
    {
        said += &format!(
            "without a confirmed result: table {}\n",
            numbers(&round["open"])
        );
    }
    if round["unruled"]
        .as_array()
        .is_some_and(|list| !list.is_empty())
    {
        let tables = numbers(&round["unruled"]);
        said += &format!("to be ruled on: table {tables} (`arbiterd event unruled`)\n");
    }
    said + &matches(&round["matches"])
}

/// The matches of teams, for people.
fn matches(matches: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let both = |points: &Value| match points.as_array().map(Vec::as_slice) {
        Some([one, other]) => format!("{} : {}", text(one), text(other)),
        _ => String::new(),
    };
    let row = |played: &Value| {
        let [one, other] = [0, 1].map(|n| text(&played["teams"][n]["name"]));
        let (games, points) = (&played["game_points"], &played["match_points"]);
        vec![
            one,
            other,
            both(games),
            both(points),
            numbers(&played["open"]),
        ]
    };
    let rows: Vec<_> = matches.as_array().into_iter().flatten().map(row).collect();
    let headings = ["TEAM", "AGAINST", "GAMES", "MATCH", "OPEN BOARDS"];
    match rows.is_empty() {
        true => String::new(),
        false => Screen::stdout().table(&headings, &rows),
    }
}

/// Does what is asked of a table.
pub(crate) fn run_table(arguments: &Tables) -> Result<(), Failure> {
    let (at, said) = match &arguments.command {
        Table::Bind { table, board, at } => {
            let order = json!({ "board": board });
            (at, at.begin(&format!("/api/tables/{table}/bind"), &order))
        }
        Table::Unbind { table, at } => (
            at,
            at.post(&format!("/api/tables/{table}/unbind"), &Value::Null),
        ),
        Table::Swap { table, with, at } => {
            let order = json!({ "with": with });
            (at, at.post(&format!("/api/tables/{table}/swap"), &order))
        }
        Table::Show { at } => (at, at.get("/api/tables")),
    };
    at.say(&said?, |tables| {
        let row = |table: &Value| {
            let board = table["board"].as_str().unwrap_or_default();
            let state = match table["connected"].as_bool() {
                Some(true) => "connected",
                Some(false) => "not on the line",
                None => "",
            };
            vec![
                table["table"].to_string(),
                board.to_owned(),
                state.to_owned(),
            ]
        };
        let rows: Vec<_> = tables.as_array().into_iter().flatten().map(row).collect();
        Screen::stdout().table(&["TABLE", "BOARD", "STATE"], &rows)
    })
}
