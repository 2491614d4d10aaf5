//! `arbiterd pairings`: what a pairing program's file says, and to load it.

use std::fs;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use axum::http::Method;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use clap::{Args, Subcommand};
use daemon::office::starts;
use serde_json::{Value, json};
use tournament::{Pairing, Place, Plan, Sheet, Tournament, Unplanned, load};

use super::ask::{Where, good_value as good, pairings};
use super::failure::Failure;
use super::terminal::Screen;

/// Check or load the pairings of a round from a pairing program's file.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Check(Check),
    Load(Load),
}

/// Say who plays whom at which table, and what is odd; nothing is done.
///
/// Reads games without moves (PGN), FIDE's report files (TRF16, TRF26), the bare lists of pairing
/// engines, and tables with headings (CSV, XLSX). A file that cannot be understood is refused with
/// line and column; nothing is guessed.
#[derive(Args, Debug)]
#[command(
    after_help = "Example: arbiterd pairings check round3.pgn\n         arbiterd pairings check \
                  open.trf --round 4 --json\n         arbiterd pairings check pairs.txt --players \
                  open.trf --round 4"
)]
struct Check {
    /// The file
    file: PathBuf,
    /// The round. Left out: the file says it, or has one that is not played
    #[arg(long, value_name = "N")]
    round: Option<u16>,
    /// Only these tables, such as 1-12
    #[arg(long, value_name = "FROM-TO", value_parser = tables)]
    tables: Option<RangeInclusive<u16>>,
    /// A report file that has the players, where the file itself has their numbers only
    #[arg(long, value_name = "TRF")]
    players: Option<PathBuf>,
    /// In which encoding the files are, such as windows-1250. Left out: UTF-8 or UTF-16 where they
    /// are that, else Windows-1252
    #[arg(long, value_name = "NAME")]
    encoding: Option<String>,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

/// Load the pairings of a round into the event of a store.
///
/// Reads what `check` reads. To load a file again changes nothing; a game that has begun keeps its
/// pairing.
#[derive(Args, Debug)]
#[command(
    after_help = "Example: arbiterd pairings load round3.pgn --dry-run\n         arbiterd pairings \
                  load pairs.txt --players open.trf --round 4 --tables 1-12"
)]
struct Load {
    /// The file
    file: PathBuf,
    /// The round. Left out: the file says it, or has one that is not played
    #[arg(long, value_name = "N")]
    round: Option<u16>,
    /// Only these tables, such as 1-12; the others stay as they are
    #[arg(long, value_name = "FROM-TO", value_parser = tables)]
    tables: Option<RangeInclusive<u16>>,
    /// A report file that has the players, where the file itself has their numbers only
    #[arg(long, visible_alias = "trf", value_name = "TRF")]
    players: Option<PathBuf>,
    /// In which encoding the files are, such as windows-1250. Left out: UTF-8 or UTF-16 where they
    /// are that, else Windows-1252
    #[arg(long, value_name = "NAME")]
    encoding: Option<String>,
    /// Draw it also where the hub of this hall decides who plays whom
    #[arg(long)]
    anyway: bool,
    /// Say what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    at: Where,
}

fn tables(text: &str) -> Result<RangeInclusive<u16>, String> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    let range = from.trim().parse().ok().zip(to.trim().parse().ok());
    let range = range.filter(|(from, to)| 0 < *from && from <= to);
    let wrong = || "tables are a number, or two such as 1-12".to_owned();
    range.map(|(from, to)| from..=to).ok_or_else(wrong)
}

/// Reads a file and says what is in it.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.command {
        Command::Check(check) => run_check(check),
        Command::Load(load) => run_load(load),
    }
}

/// Has a file loaded.
fn run_load(load: &Load) -> Result<(), Failure> {
    let base64 = |file: &PathBuf| Ok::<_, Failure>(STANDARD.encode(bytes(file)?));
    let tables = load.tables.as_ref();
    let order = json!({
        "file": base64(&load.file)?,
        "players": load.players.as_ref().map(base64).transpose()?,
        "encoding": load.encoding,
        "round": load.round,
        "tables": tables.map(|range| [*range.start(), *range.end()]),
        "anyway": load.anyway,
        "dry_run": load.dry_run,
    });
    let creates = !load.dry_run;
    if load.dry_run && !load.at.is_there() {
        let what = "there is no store there yet, and a dry run makes none: `arbiterd pairings \
                    check` says what the file has, and without --dry-run the store is made";
        return Err(Failure::bad_input(what));
    }
    let answer = load
        .at
        .ask(Method::POST, "/api/pairings", &order, creates)?;
    let said = serde_json::from_slice::<Value>(&answer.body).map_err(Failure::failed)?;
    if let Some(faults) = said["faults"].as_array().filter(|list| !list.is_empty()) {
        if load.at.json {
            let none: [Value; 0] = [];
            let refused = json!({
                "round": load.round, "written": false, "pairings": none, "byes": none,
                "notes": none, "refused": faults,
            });
            load.at.say(&refused, |_| String::new())?;
        }
        let told = faults.iter().map(|fault| {
            let (line, column) = (&fault["line"], &fault["column"]);
            let text = fault["text"].as_str().unwrap_or_default();
            let players = load
                .players
                .as_ref()
                .filter(|_| fault["of_players"] == true);
            let name = players.unwrap_or(&load.file).display();
            match fault["sheet"].as_str() {
                Some(sheet) => {
                    format!("{name}: sheet {sheet}, row {line}, column {column}: {text}")
                }
                None => format!("{name}:{line}:{column}: {text}"),
            }
        });
        return Err(Failure::bad_line(told.collect::<Vec<_>>().join("\n")));
    }
    let mut said = good(&answer).map_err(|failure| failure.of(&load.file))?;
    said["refused"] = json!([]);
    load.at.say(&said, loaded)
}

/// What was loaded, for people.
fn loaded(said: &Value) -> String {
    let changes = said["changes"].as_array().map_or(0, Vec::len);
    let what = match (said["written"].as_bool(), changes) {
        (Some(true), 0) => "nothing changes; the report file is kept for the results",
        (_, 0) => "nothing changes",
        (Some(true), _) => "loaded",
        _ => "nothing was written: this was a dry run",
    };
    let mut text = format!("round {}: {what}\n", said["round"]);
    let drawn = [&said["pairings"], &said["byes"]].map(|list| list.as_array().cloned());
    let drawn: Vec<Value> = drawn.into_iter().flatten().flatten().collect();
    text += &pairings(&Value::Array(drawn), &Value::Null);
    let lines = |name: &str| said[name].as_array().cloned().unwrap_or_default();
    let told = [lines("differs"), lines("notes")].concat();
    for note in told.iter().filter_map(Value::as_str) {
        text += &format!("{note}\n");
    }
    text
}

fn run_check(check: &Check) -> Result<(), Failure> {
    let mut tournament = Tournament::default();
    let encoding = check.encoding.as_deref();
    let place = Place {
        round: check.round,
        tables: check.tables.clone(),
        ..Place::default()
    };
    let mut sheet = read(&check.file, encoding, |text| load::read(text, check.round))?;
    if let Some(file) = &check.players {
        sheet.complete(read(file, encoding, load::players)?);
        let byes = sheet.take_byes(check.round.or(sheet.round));
        byes.map_err(|unreadable| unread(file, &unreadable))?;
    }
    let plan = plan(&tournament, &sheet, &place, &check.file)?;
    for act in &plan.acts {
        tournament.apply(act).map_err(Failure::failed)?;
    }
    let mut out = io::stdout().lock();
    if check.json {
        serde_json::to_writer(&mut out, &plan).map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        write(&mut out, &tournament, &plan)?;
    }
    Ok(out.flush()?)
}

/// The bytes of a file that may be one of pairings.
fn bytes(file: &Path) -> Result<Vec<u8>, Failure> {
    let wrong = |what: String| Failure::bad_input(format_args!("{}: {what}", file.display()));
    let about = fs::metadata(file).map_err(|error| wrong(error.to_string()))?;
    if !about.is_file() {
        return Err(wrong("this is no file".to_owned()));
    }
    if about.len() > load::MOST as u64 {
        let size = about.len();
        return Err(wrong(format!(
            "{size} bytes: no list of pairings is so long"
        )));
    }
    fs::read(file).map_err(|error| wrong(error.to_string()))
}

fn read(
    file: &Path,
    encoding: Option<&str>,
    reader: impl FnOnce(&[u8]) -> Result<Sheet, load::Unreadable>,
) -> Result<Sheet, Failure> {
    let bytes = bytes(file)?;
    let text = match encoding {
        Some(encoding) => load::in_utf8(&bytes, encoding),
        None => Ok(bytes),
    };
    text.and_then(|text| reader(&text))
        .map_err(|unreadable| unread(file, &unreadable))
}

fn plan(
    tournament: &Tournament,
    sheet: &Sheet,
    place: &Place,
    file: &Path,
) -> Result<Plan, Failure> {
    let name = file.display();
    starts(sheet).map_err(|unreadable| unread(file, &unreadable))?;
    Plan::of(tournament, sheet, place).map_err(|error| match error {
        Unplanned::Unreadable(unreadable) => unread(file, &unreadable),
        Unplanned::Refused { refusal, line } => {
            let line = line.map_or_else(String::new, |line| format!("{line}:1:"));
            Failure::bad_line(format_args!("{name}:{line} {refusal}"))
        }
    })
}

/// What is wrong with a file, a line each.
fn unread(file: &Path, unreadable: &load::Unreadable) -> Failure {
    let name = file.display();
    let told = unreadable.0.iter().map(|fault| match &fault.sheet {
        Some(_) => format!("{name}: {fault}"),
        None => format!("{name}:{}:{}: {}", fault.line, fault.column, fault.text),
    });
    Failure::bad_line(told.collect::<Vec<_>>().join("\n"))
}

fn write(out: &mut impl Write, tournament: &Tournament, plan: &Plan) -> Result<(), Failure> {
    let name = &tournament.details.name;
    let of = if name.is_empty() {
        String::new()
    } else {
        format!("{name}, ")
    };
    writeln!(out, "{of}round {}", plan.round)?;
    let player = |number: u16| {
        let player = tournament.players.get(&number).cloned().unwrap_or_default();
        let rating = player.rating.map(|rating| rating.to_string());
        let parts = [Some(player.title), Some(player.name), rating];
        let parts: Vec<String> = parts
            .into_iter()
            .flatten()
            .filter(|p| !p.is_empty())
            .collect();
        parts.join(" ")
    };
    let cells = |pairing: &Pairing| {
        let table = pairing
            .table
            .map_or_else(String::new, |table| table.to_string());
        let result = pairing.written().unwrap_or_default();
        let black = pairing.black.map_or_else(|| "bye".to_owned(), player);
        vec![table, player(pairing.white), black, result]
    };
    let rows: Vec<_> = plan.pairings.iter().map(cells).collect();
    let headings = ["TABLE", "WHITE", "BLACK", "RESULT"];
    out.write_all(Screen::stdout().table(&headings, &rows).as_bytes())?;
    for odd in &plan.oddities {
        writeln!(out, "{odd}")?;
    }
    Ok(())
}
