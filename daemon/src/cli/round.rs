//! `arbiterd round`: how rounds begin, stand and end.

use clap::{Args, Subcommand};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::{Value, json};

use super::ask::{Of, Where, numbers, pairings};
use super::failure::Failure;
use super::floor::breaks;
use super::results::tables;
use super::terminal::Screen;

/// Start, close, take back and show a round.
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
    /// Take a round back that was drawn by mistake; refused once anybody has played in it
    ///
    /// Also refused where something was said of it: a result, typed moves, a postponement, a
    /// penalty, a note, a break. Players whom its file has entered stay in the event.
    #[command(after_help = "Example: arbiterd round undraw 3")]
    Undraw(Number),
    /// Postpone games: the round can be closed beside them, and their results come later
    #[command(after_help = "Example: arbiterd round postpone 3.12 --reason 'White is ill'")]
    Postpone {
        /// A table as ROUND.TABLE, or the round
        round: String,
        /// Further tables
        tables: Vec<String>,
        /// Why
        #[arg(long, default_value = "")]
        reason: String,
        #[command(flatten)]
        at: Where,
    },
    /// Let postponed games be played now: they begin at their tables, or go on
    #[command(after_help = "Example: arbiterd round resume 3.12")]
    Resume {
        /// A table as ROUND.TABLE, or the round
        round: String,
        /// Further tables
        tables: Vec<String>,
        #[command(flatten)]
        at: Where,
    },
    /// Show who plays whom where, and how it stands
    #[command(after_help = "Example: arbiterd round show 3 --json")]
    Show {
        /// The round
        #[arg(value_name = "N")]
        round: u16,
        #[command(flatten)]
        of: Of,
        #[command(flatten)]
        at: Where,
    },
    /// Show who left the hall, how often and for how long
    #[command(after_help = "Example: arbiterd round breaks 3 --json")]
    Breaks {
        /// The round
        #[arg(value_name = "N")]
        round: u16,
        #[command(flatten)]
        of: Of,
        #[command(flatten)]
        at: Where,
    },
    /// Say how the public sees the games: stop it, let it go on, delay it, list corrections
    #[command(subcommand)]
    Publish(Publish),
}

/// How the public sees the games.
#[derive(Subcommand, Debug)]
enum Publish {
    /// Stop: what is public stays as it is
    #[command(after_help = "Example: arbiterd round publish stop --round 3 --table 1")]
    Stop {
        #[command(flatten)]
        scope: Scope,
        /// In this event of the store, such as one that is over
        #[arg(long, value_name = "N")]
        event: Option<usize>,
        /// Why
        #[arg(long, default_value = "")]
        reason: String,
    },
    /// Let it go on
    #[command(after_help = "Example: arbiterd round publish go")]
    Go {
        #[command(flatten)]
        scope: Scope,
        /// In this event of the store, such as one that is over
        #[arg(long, value_name = "N")]
        event: Option<usize>,
    },
    /// Say how late games are public; without a delay: as it is configured
    #[command(after_help = "Example: arbiterd round publish delay --round 3 --seconds 900")]
    Delay {
        #[command(flatten)]
        scope: Scope,
        /// So many seconds after a move was made
        #[arg(long)]
        seconds: Option<u32>,
        /// So many half-moves later
        #[arg(long)]
        moves: Option<u16>,
    },
    /// Show how far each game is public
    #[command(after_help = "Example: arbiterd round publish show")]
    Show {
        #[command(flatten)]
        at: Where,
    },
    /// List what was corrected after it had been public
    #[command(after_help = "Example: arbiterd round publish corrections --json")]
    Corrections {
        #[command(flatten)]
        at: Where,
    },
}

/// Where, and who is asked.
#[derive(Args, Debug)]
struct Scope {
    /// In this round only
    #[arg(long, value_name = "N")]
    round: Option<u16>,
    /// At this table only
    #[arg(long, value_name = "N")]
    table: Option<u16>,
    #[command(flatten)]
    at: Where,
}

#[derive(Args, Debug)]
struct Number {
    /// The round
    #[arg(value_name = "N")]
    round: u16,
    #[command(flatten)]
    at: Where,
}

/// Does what is asked of a round.
pub(crate) fn run(arguments: &Rounds) -> Result<(), Failure> {
    let (number, verb) = match &arguments.command {
        Round::Start(number) => (number, "start"),
        Round::Close(number) => (number, "close"),
        Round::Undraw(Number { round, at }) => {
            let said = at.post(&format!("/api/rounds/{round}/undraw"), &Value::Null)?;
            return at.say(&said, |_| format!("round {round} is not drawn any more\n"));
        }
        Round::Show { round, of, at } => return show(*round, of, at),
        Round::Breaks { round, of, at } => {
            let path = format!("/api/rounds/{round}/breaks{}", of.query('?'));
            return at.say(&at.get(&path)?, breaks);
        }
        Round::Postpone {
            round,
            tables,
            reason,
            at,
        } => return later((round, tables), "postpone", Some(reason), at),
        Round::Resume { round, tables, at } => return later((round, tables), "resume", None, at),
        Round::Publish(publish) => return run_publish(publish),
    };
    let (round, at) = (number.round, &number.at);
    let said = at.post(&format!("/api/rounds/{round}/{verb}"), &Value::Null)?;
    at.say(&said, people)
}

/// Postpones games, or lets them be played now.
fn later(
    (first, more): (&str, &[String]),
    verb: &str,
    reason: Option<&String>,
    at: &Where,
) -> Result<(), Failure> {
    let (round, tables) = tables(first, more)?;
    let mut order = json!({ "tables": tables });
    if let Some(reason) = reason {
        order["reason"] = json!(reason);
    }
    at.say(
        &at.post(&format!("/api/rounds/{round}/{verb}"), &order)?,
        people,
    )
}

/// Shows a round.
pub(super) fn show(round: u16, of: &Of, at: &Where) -> Result<(), Failure> {
    let path = format!("/api/rounds/{round}{}", of.query('?'));
    at.say(&at.get(&path)?, people)
}

/// Does what is asked of publication.
fn run_publish(publish: &Publish) -> Result<(), Failure> {
    let order = |scope: &Scope, event: &Option<usize>, reason: &str| {
        let (round, table) = (scope.round, scope.table);
        json!({ "event": event, "round": round, "table": table, "reason": reason })
    };
    let (at, said) = match publish {
        Publish::Stop {
            scope,
            event,
            reason,
        } => {
            let order = order(scope, event, reason);
            let said = scope.at.post("/api/public/stop", &order);
            (&scope.at, said)
        }
        Publish::Go { scope, event } => {
            let order = order(scope, event, "");
            let said = scope.at.post("/api/public/resume", &order);
            (&scope.at, said)
        }
        Publish::Delay {
            scope,
            seconds,
            moves,
        } => {
            let is_said = seconds.is_some() || moves.is_some();
            let by = is_said.then(|| json!({ "seconds": seconds, "moves": moves }));
            let order = json!({ "round": scope.round, "table": scope.table, "by": by });
            (&scope.at, scope.at.post("/api/public/delay", &order))
        }
        Publish::Show { at } => (at, at.get("/api/public")),
        Publish::Corrections { at } => {
            let said = at.get("/api/public/corrections")?;
            return at.say(&said, corrections);
        }
    };
    at.say(&said?, published)
}

/// How far games are public, for people.
fn published(state: &Value) -> String {
    let row = |game: &Value| {
        let told = match (game["stopped"] == true, game["with_arbiter"] == true) {
            (true, _) => "stopped",
            (_, true) => "with the arbiter",
            _ => "",
        };
        let text = |name: &str| game[name].as_str().unwrap_or_default().to_owned();
        let number = |name: &str| game[name].to_string();
        vec![
            number("event"),
            number("round"),
            number("table"),
            text("game"),
            number("plies"),
            text("result"),
            told.to_owned(),
        ]
    };
    let rows: Vec<_> = state["games"]
        .as_array()
        .into_iter()
        .flatten()
        .map(row)
        .collect();
    let headings = [
        "EVENT",
        "ROUND",
        "TABLE",
        "GAME",
        "HALF-MOVES",
        "RESULT",
        "STATE",
    ];
    let late = |late: &Value| {
        let (seconds, moves) = (&late["seconds"], &late["moves"]);
        format!("public {seconds} seconds and {moves} half-moves later from now on\n")
    };
    let here = Some(&state["here"]).filter(|here| here.is_object());
    let games = here.map(late).unwrap_or_default() + &Screen::stdout().table(&headings, &rows);
    let rounds = state["lichess"].as_array().into_iter().flatten();
    let outlets = state["outlets"].as_array().into_iter().flatten();
    let outlets: String = outlets.map(outlet).collect();
    games + &outlets + &rounds.map(pushed).collect::<String>()
}

/// A way out, for people.
fn outlet(state: &Value) -> String {
    let text = |name: &str| state[name].as_str().unwrap_or_default();
    let mut said = format!("{} {}", text("outlet"), text("place"));
    if let Some(at) = state["done"].as_str() {
        said += &format!(", whole {at}");
    }
    if let Some(clients) = state["clients"].as_u64() {
        said += &format!(", {clients} clients");
    }
    said.push('\n');
    said.extend(state["problem"].as_str().map(|what| format!("  {what}\n")));
    said
}

/// How a round is pushed to Lichess, for people.
fn pushed(round: &Value) -> String {
    let text = |name: &str| round[name].as_str();
    let (id, status) = (text("id"), text("status"));
    let mut said = format!(
        "lichess event {} round {} ({}): {}, {} games",
        round["event"],
        round["round"],
        id.unwrap_or_default(),
        status.unwrap_or_default(),
        round["games"]
    );
    for (before, name) in [("taken", "taken"), ("tried again", "again")] {
        said.extend(text(name).map(|at| format!(", {before} {at}")));
    }
    said.push('\n');
    said.extend(text("problem").map(|what| format!("  {what}\n")));
    for refused in round["refused"].as_array().into_iter().flatten() {
        let error = refused["error"].as_str().unwrap_or_default();
        said += &match refused["table"].as_u64() {
            Some(table) => format!("  table {table} is not taken: {error}\n"),
            None => format!("  a game is not taken: {error}\n"),
        };
    }
    said
}

/// What was corrected, for people.
fn corrections(list: &Value) -> String {
    let row = |one: &Value| {
        let text = |name: &str| one[name].as_str().unwrap_or_default().to_owned();
        let (round, table) = (one["round"].to_string(), one["table"].to_string());
        let ply = one["ply"].to_string();
        let arrived = one["arrived"].as_array().into_iter().flatten();
        let arrived: Vec<&str> = arrived.filter_map(|at| at["outlet"].as_str()).collect();
        vec![
            text("utc"),
            one["event"].to_string(),
            round,
            table,
            text("kind"),
            ply,
            text("was"),
            match one["annulled"] == true {
                true => "annulled".to_owned(),
                false => text("is"),
            },
            arrived.join(" "),
        ]
    };
    let rows: Vec<_> = list.as_array().into_iter().flatten().map(row).collect();
    let headings = [
        "WHEN", "EVENT", "ROUND", "TABLE", "WHAT", "PLY", "WAS", "IS", "AT",
    ];
    Screen::stdout().table(&headings, &rows)
}

/// A round, for people.
pub(super) fn people(round: &Value) -> String {
    let stage = round["stage"].as_str().unwrap_or_default();
    let mut said = format!("round {}: {stage}\n", round["round"]);
    said += &pairings(&round["pairings"], &round["stopped"]);
    if stage == "under-way"
        && round["waiting"]
            .as_array()
            .is_some_and(|list| !list.is_empty())
    {
        said += &format!("not started: table {}\n", numbers(&round["waiting"]));
        if let Some(moment) = round["default_at"].as_str() {
            said += &format!("lost by default at {}\n", local(moment));
        }
    }
    if round["begun_early"]
        .as_array()
        .is_some_and(|list| !list.is_empty())
    {
        let (tables, number) = (numbers(&round["begun_early"]), &round["round"]);
        said += &match stage {
            "drawn" => format!(
                "somebody plays already: table {tables} (`arbiterd round start {number}`)\n"
            ),
            _ => format!(
                "played, and not followed as the game of its pairing: table {tables} (set the \
                 pieces up and begin anew; or go on from what stands: `arbiterd table begin`; or \
                 type the moves: `arbiterd results moves`)\n"
            ),
        };
    }
    if round["begun_unset"]
        .as_array()
        .is_some_and(|list| !list.is_empty())
    {
        said += &format!(
            "played from pieces that did not stand as at the beginning, and not followed as the \
             game of its pairing: table {} (set them up and begin anew; or go on from what \
             stands: `arbiterd table begin`; or type the moves: `arbiterd results moves`)\n",
            numbers(&round["begun_unset"])
        );
    }
    // Of a closed round those are the games that were postponed, and are played now.
    if round["open"]
        .as_array()
        .is_some_and(|list| !list.is_empty())
    {
        said += &format!(
            "without a confirmed result: table {}\n",
            numbers(&round["open"])
        );
    }
    if round["postponed"]
        .as_array()
        .is_some_and(|list| !list.is_empty())
    {
        said += &format!("postponed: table {}\n", numbers(&round["postponed"]));
    }
    if round["unruled"]
        .as_array()
        .is_some_and(|list| !list.is_empty())
    {
        let tables = numbers(&round["unruled"]);
        said += &format!("to be ruled on: table {tables} (`arbiterd event unruled`)\n");
    }
    said += &stopped(&round["stopped"]);
    for one in round["faults"].as_array().into_iter().flatten() {
        let fault = one["fault"].as_str().unwrap_or_default();
        said += &format!("table {}: {fault}\n", one["table"]);
    }
    said + &matches(&round["matches"], &round["team_byes"])
}

/// A moment on the clock of the wall.
fn local(moment: &str) -> String {
    let parsed = moment.parse::<Timestamp>();
    parsed.map_or_else(
        |_| moment.to_owned(),
        |moment| {
            let here = moment.to_zoned(TimeZone::system());
            here.strftime("%Y-%m-%d %H:%M:%S").to_string()
        },
    )
}

/// The tables whose game is stopped, for people.
fn stopped(tables: &Value) -> String {
    match tables.as_array().map(Vec::as_slice) {
        None | Some([]) => String::new(),
        Some([first, ..]) => format!(
            "stopped, what is handled is nobody's move: table {} (set the pieces up as they stood, \
             then `arbiterd table resume {first}`)\n",
            numbers(tables)
        ),
    }
}

/// The matches of teams, for people.
fn matches(matches: &Value, byes: &Value) -> String {
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
    let alone = |bye: &Value| {
        let [games, points] = ["game_points", "match_points"].map(|name| text(&bye[name]));
        let against = format!("bye, {}", text(&bye["code"]));
        let team = text(&bye["team"]["name"]);
        vec![team, against, games, points, String::new()]
    };
    let matches = matches.as_array().into_iter().flatten().map(row);
    let byes = byes.as_array().into_iter().flatten().map(alone);
    let rows: Vec<_> = matches.chain(byes).collect();
    let headings = ["TEAM", "AGAINST", "GAMES", "MATCH", "OPEN BOARDS"];
    match rows.is_empty() {
        true => String::new(),
        false => Screen::stdout().table(&headings, &rows),
    }
}
