//! `arbiterd results`: results of a round, entered, confirmed, taken back, and given out.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Read, Write};
use std::iter;
use std::path::PathBuf;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use clap::{Args, Subcommand, ValueEnum};
use daemon::http::Answer;
use serde_json::{Map, Value, json};
use tournament::load;

use super::ask::{Of, Where};
use super::failure::Failure;
use super::round::{people, show};

/// A text with the moves of the longest game, and more.
const LONGEST_SHEET: usize = 64 << 10;

/// Enter, confirm, take back and export the results of a round.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Show the results of a round
    #[command(
        visible_alias = "show",
        after_help = "Example: arbiterd results list 3"
    )]
    List {
        /// The round
        round: u16,
        #[command(flatten)]
        of: Of,
        #[command(flatten)]
        at: Where,
    },
    Enter(Enter),
    /// Confirm results that are proposed: of these tables, or all that nobody disputes
    #[command(after_help = "Example: arbiterd results confirm 3")]
    Confirm {
        /// The round, or the first table as ROUND.TABLE
        round: String,
        /// The tables; left out: all whose game has nothing left to be ruled on
        tables: Vec<String>,
        #[command(flatten)]
        at: Where,
    },
    /// Take results back
    #[command(after_help = "Example: arbiterd results withdraw 3.12 --reason 'the wrong table'")]
    Withdraw {
        /// The round, or the first table as ROUND.TABLE
        round: String,
        /// The tables
        tables: Vec<String>,
        /// Why; needed where a result was confirmed
        #[arg(long, default_value = "")]
        reason: String,
        #[command(flatten)]
        at: Where,
    },
    Moves(Moves),
    Export(Export),
}

/// Enter results, several as one act.
///
/// Results are 1-0, 0-1, 1/2-1/2; 0-0, 1/2-0, 0-1/2 where the sides do not add up to a point; +/-,
/// -/+ and -/- by forfeit.
#[derive(Args, Debug)]
#[command(
    visible_alias = "set",
    after_help = "Example: arbiterd results enter 3.12 1-0 3.13=1/2-1/2 3.14=0-1\n         \
                  arbiterd results enter 3.7 -/+ --reason 'White came after the default time'"
)]
struct Enter {
    /// ROUND.TABLE, or ROUND.TABLE=RESULT
    table: String,
    /// The result
    #[arg(allow_hyphen_values = true)]
    result: Option<String>,
    /// Further tables of the round
    #[arg(value_name = "ROUND.TABLE=RESULT")]
    further: Vec<String>,
    /// It was decided by the arbiter
    #[arg(long)]
    decided: bool,
    /// Why; needed where a confirmed result is changed, where the moves show another, and for a
    /// forfeit of a game with moves
    #[arg(long, default_value = "")]
    reason: String,
    #[command(flatten)]
    at: Where,
}

/// Type the moves of a game from the scoresheets: of a table without a board, or of one whose board
/// has failed.
#[derive(Args, Debug)]
#[command(after_help = "Example: arbiterd results moves 3.12 --after 24 sheet.txt")]
struct Moves {
    /// ROUND.TABLE
    table: String,
    /// A text with the moves in algebraic notation, or a PGN of one game, whose main line is taken;
    /// `-` reads it from standard input
    file: PathBuf,
    /// They follow on so many half-moves that the board has seen; needed where it has seen some
    #[arg(long, value_name = "N")]
    after: Option<u16>,
    /// Why; needed where they take the place of what a board has surely seen, or follows
    #[arg(long, default_value = "")]
    reason: String,
    #[command(flatten)]
    at: Where,
}

/// Write the results of a round: a report file with its results, the games, a table, or what Vega
/// reads.
#[derive(Args, Debug)]
#[command(after_help = "Example: arbiterd results export --round 3 --format trf -o open.trf")]
struct Export {
    /// The round
    #[arg(long, value_name = "N")]
    round: u16,
    /// The report file that was loaded, with its results; the games; a table; or results for Vega
    #[arg(long, value_enum)]
    format: Format,
    /// Whole names in PGN and CSV, of minors too
    #[arg(long, conflicts_with = "minors_under")]
    full_names: bool,
    /// Shorten the names of younger players in PGN and CSV [default: as the running daemon is
    /// configured; without one, of players who are marked only]
    #[arg(long, value_name = "YEARS")]
    minors_under: Option<u8>,
    /// The file [default: standard output; in JSON, in base64]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    of: Of,
    #[command(flatten)]
    at: Where,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    Trf,
    Pgn,
    Csv,
    Res,
}

/// Does what is asked.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.command {
        Command::List { round, of, at } => show(*round, of, at),
        Command::Enter(enter) => run_enter(enter),
        Command::Confirm {
            round,
            tables: more,
            at,
        } => {
            let (round, tables) = tables(round, more)?;
            let order = match tables.is_empty() {
                true => json!({}),
                false => json!({ "tables": tables }),
            };
            let said = at.post(&format!("/api/rounds/{round}/confirm"), &order)?;
            at.say(&said, |round| people(round) + &passed_over(round))
        }
        Command::Withdraw {
            round,
            tables: more,
            reason,
            at,
        } => {
            let (round, tables) = tables(round, more)?;
            if tables.is_empty() {
                return Err(Failure::bad_input("say which tables, such as 3.12"));
            }
            let order = json!({ "tables": tables, "reason": reason });
            let said = at.post(&format!("/api/rounds/{round}/withdraw"), &order)?;
            at.say(&said, people)
        }
        Command::Moves(moves) => run_moves(moves),
        Command::Export(export) => run_export(export),
    }
}

/// The results that were not confirmed with the others, for people.
fn passed_over(round: &Value) -> String {
    let of = |why: &str| {
        let all = round["passed_over"].as_array().into_iter().flatten();
        let meant = all.filter(|one| one["why"] == why);
        let tables: Vec<String> = meant.map(|one| one["table"].to_string()).collect();
        tables.join(", ")
    };
    let number = &round["round"];
    let reasons = [
        ("file", "only the file of the pairings says how it ended"),
        ("typed", "typed by somebody who may not confirm results"),
        (
            "rests-on-dismissed",
            "a loss that may rest on a finding that was dismissed since",
        ),
        (
            "undeclared",
            "shown by a sign that only the arbiter can confirm",
        ),
        ("other-table", "the table of somebody else"),
    ];
    let lines = reasons.into_iter().filter_map(|(why, text)| {
        let tables = Some(of(why)).filter(|tables| !tables.is_empty())?;
        let one = tables.split(',').next().unwrap_or_default();
        Some(format!(
            "not confirmed, {text}: table {tables} (`arbiterd results confirm {number}.{one}`)\n"
        ))
    });
    let said: String = lines.collect();
    match of("unruled") {
        tables if tables.is_empty() => said,
        tables => format!("{said}not confirmed, to be ruled on first: table {tables}\n"),
    }
}

/// A round and a table of it.
pub(super) fn seat(text: &str) -> Result<(u16, u16), Failure> {
    let seat = text.split_once('.');
    let seat = seat.and_then(|(round, table)| Some((round.parse().ok()?, table.parse().ok()?)));
    seat.ok_or_else(|| Failure::bad_input(format_args!("`{text}` is no ROUND.TABLE, such as 3.12")))
}

/// The round of all that is asked for.
fn one(rounds: &BTreeSet<u16>) -> Result<u16, Failure> {
    match (rounds.first(), rounds.len()) {
        (Some(round), 1) => Ok(*round),
        _ => Err(Failure::bad_input("tables of one round at a time")),
    }
}

/// A round with tables of it: `3 12 13`, `3.12 3.13`, or `3.12 13`.
pub(super) fn tables(first: &str, more: &[String]) -> Result<(u16, Vec<u16>), Failure> {
    let number = |text: &String| {
        let bad = || Failure::bad_input(format_args!("`{text}` is no number of a table"));
        text.parse().map_err(|_| bad())
    };
    let (round, table) = match first.parse() {
        Ok(round) => (round, None),
        Err(_) => seat(first).map(|(round, table)| (round, Some(table)))?,
    };
    let further = |word: &String| match word.contains('.') {
        true => seat(word),
        false => Ok((round, number(word)?)),
    };
    let seats: Vec<(u16, u16)> = more.iter().map(further).collect::<Result<_, _>>()?;
    let rounds = iter::once(round).chain(seats.iter().map(|(round, _)| *round));
    one(&rounds.collect())?;
    let tables = table
        .into_iter()
        .chain(seats.iter().map(|(_, table)| *table));
    Ok((round, tables.collect()))
}

fn run_enter(enter: &Enter) -> Result<(), Failure> {
    let (mut rounds, mut results) = (BTreeSet::new(), BTreeMap::new());
    let words = iter::once(&enter.table).chain(&enter.result);
    let mut words = words.chain(&enter.further);
    while let Some(word) = words.next() {
        let apart = || Some((word.as_str(), words.next()?.as_str()));
        let (place, result) = word
            .split_once('=')
            .or_else(apart)
            .ok_or_else(|| Failure::bad_input(format_args!("`{word}` is no ROUND.TABLE=RESULT")))?;
        let (of, table) = seat(place)?;
        rounds.insert(of);
        one(&rounds)?;
        if results.insert(table, result).is_some() {
            let what = format_args!("table {table} stands there twice");
            return Err(Failure::bad_input(what));
        }
    }
    let round = one(&rounds)?;
    let order = json!({ "results": results, "decided": enter.decided, "reason": enter.reason });
    let path = format!("/api/rounds/{round}/results");
    enter.at.say(&enter.at.post(&path, &order)?, people)
}

fn run_moves(moves: &Moves) -> Result<(), Failure> {
    let (round, table) = seat(&moves.table)?;
    let bytes = if moves.file.as_os_str() == "-" {
        let mut bytes = Vec::new();
        io::stdin().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(&moves.file)
    };
    let name = moves.file.display();
    let bytes = bytes.map_err(|error| Failure::bad_input(format_args!("{name}: {error}")))?;
    // What is not UTF-8 is what Windows programs write: only comments can differ.
    let text = String::from_utf8(bytes).or_else(|bytes| {
        let text = load::in_utf8(bytes.as_bytes(), "windows-1252");
        let bad = |error| Failure::bad_input(format_args!("{name}: {error}"));
        text.map_err(bad)
            .map(|text| String::from_utf8_lossy(&text).into_owned())
    })?;
    if text.len() > LONGEST_SHEET {
        let size = text.len();
        let what = format_args!("{name}: {size} bytes: no scoresheet is so long");
        return Err(Failure::bad_input(what));
    }
    let order = json!({
        "table": table, "after": moves.after, "moves": text, "reason": moves.reason,
    });
    let path = format!("/api/rounds/{round}/moves");
    let said = moves.at.post(&path, &order);
    let said = said.map_err(|failure| failure.of(&moves.file))?;
    if let Some(left_out) = said["left_out"].as_str() {
        eprintln!("{name}: passed over: {left_out}");
    }
    moves.at.say(&said, people)
}

fn run_export(export: &Export) -> Result<(), Failure> {
    let format = match export.format {
        Format::Trf => "trf",
        Format::Pgn => "pgn",
        Format::Csv => "csv",
        Format::Res => "res",
    };
    let mut path = format!("/api/rounds/{}/export?format={format}", export.round);
    path += &export.of.query('&');
    if export.full_names {
        path += "&full_names=true";
    }
    if let Some(years) = export.minors_under {
        path += &format!("&minors_under={years}");
    }
    let answer = export.at.file(&path)?;
    let bytes = &answer.body;
    let besides = besides(&answer);
    if !export.at.json {
        besides_in_words(&answer).for_each(|line| eprintln!("{line}"));
    }
    let Some(file) = &export.output else {
        if export.at.json {
            let mut said = json!({
                "round": export.round, "format": format, "base64": STANDARD.encode(bytes),
            });
            add(&mut said, besides);
            return export.at.say(&said, |_| String::new());
        }
        let mut out = io::stdout().lock();
        out.write_all(bytes)?;
        return Ok(out.flush()?);
    };
    let name = file.display();
    fs::write(file, bytes).map_err(|error| Failure::failed(format_args!("{name}: {error}")))?;
    let mut said = json!({ "round": export.round, "file": file, "bytes": bytes.len() });
    add(&mut said, besides);
    export.at.say(&said, |_| format!("{name}\n"))
}

fn add(said: &mut Value, besides: Map<String, Value>) {
    if let Value::Object(said) = said {
        said.extend(besides);
    }
}

/// What a file that is given out does not have, or has otherwise than the one that was loaded, for
/// programs.
fn besides(answer: &Answer) -> Map<String, Value> {
    let list = |text: &str| -> Vec<Value> {
        let parts = text.split(',').filter(|part| !part.is_empty());
        let number = |part: &str| {
            part.parse::<u16>()
                .map_or_else(|_| json!(part), |n| json!(n))
        };
        parts.map(number).collect()
    };
    let seats = |text: &str| -> Vec<Value> {
        let parts = text.split(',').filter(|part| !part.is_empty());
        parts.map(|part| json!(part)).collect()
    };
    let recoded = Some(&answer.recoded).filter(|encoding| !encoding.is_empty());
    let all = [
        ("left_out", json!(list(&answer.left_out))),
        ("redrawn", json!(seats(&answer.redrawn))),
        ("added", json!(list(&answer.added))),
        ("cut", json!(list(&answer.cut))),
        ("altered", json!(seats(&answer.altered))),
        ("open", json!(seats(&answer.open))),
        ("recoded", json!(recoded)),
    ];
    let all = all.map(|(name, value)| (name.to_owned(), value));
    all.into_iter().collect()
}

/// The same for people, a line each.
fn besides_in_words(answer: &Answer) -> impl Iterator<Item = String> {
    let said = [
        (
            &answer.left_out,
            "left out, since the format has no sign for the result: tables",
        ),
        (
            &answer.redrawn,
            "the report file pairs these tables otherwise, and was put right:",
        ),
        (
            &answer.added,
            "these players are not in the report file, and were added to it:",
        ),
        (
            &answer.cut,
            "the names of these players are longer than 33 characters, and were cut:",
        ),
        (
            &answer.altered,
            "the report file has another result or another bye of these players (round.number), \
             or one where they have none; what stands here was written:",
        ),
        (
            &answer.open,
            "still without a result, and left blank where the file has none (round.table):",
        ),
        (
            &answer.recoded,
            "the file is in UTF-8, since a name in it cannot be written as the report file is, in",
        ),
    ];
    let said = said.map(|(list, words)| (!list.is_empty()).then(|| format!("{words} {list}")));
    said.into_iter().flatten()
}
