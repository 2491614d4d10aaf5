//! `arbiterd pairings`: what a pairing program's file says, and to load it.

use std::fs;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use axum::http::Method;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use tournament::{Oddity, Pairing, Place, Plan, ResultCode, Sheet, Tournament, load};

use super::ask::{Where, good_value as good, numbers, pairings};
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
    let base64 = |file: &PathBuf| {
        let bytes = fs::read(file);
        let wrong = |error| Failure::bad_input(format_args!("{}: {error}", file.display()));
        bytes.map(|bytes| STANDARD.encode(bytes)).map_err(wrong)
    };
    let tables = load.tables.as_ref();
    let order = json!({
        "file": base64(&load.file)?,
        "players": load.players.as_ref().map(base64).transpose()?,
        "encoding": load.encoding,
        "round": load.round,
        "tables": tables.map(|range| [*range.start(), *range.end()]),
        "dry_run": load.dry_run,
    });
    let creates = !load.dry_run;
    let answer = load
        .at
        .ask(Method::POST, "/api/pairings", &order, creates)?;
    let said = serde_json::from_slice::<Value>(&answer.body).map_err(Failure::failed)?;
    if let Some(faults) = said["faults"].as_array().filter(|list| !list.is_empty()) {
        let name = load.file.display();
        let told = faults.iter().map(|fault| {
            let (line, column) = (&fault["line"], &fault["column"]);
            let text = fault["text"].as_str().unwrap_or_default();
            match fault["sheet"].as_str() {
                Some(sheet) => {
                    format!("{name}: sheet {sheet}, row {line}, column {column}: {text}")
                }
                None => format!("{name}:{line}:{column}: {text}"),
            }
        });
        return Err(Failure::bad_line(told.collect::<Vec<_>>().join("\n")));
    }
    load.at.say(&good(&answer)?, loaded)
}

/// What was loaded, for people.
fn loaded(said: &Value) -> String {
    let changes = said["changes"].as_array().map_or(0, Vec::len);
    let what = match (said["written"].as_bool(), changes) {
        (_, 0) => "nothing changes",
        (Some(true), _) => "loaded",
        _ => "nothing was written: this was a dry run",
    };
    let mut text = format!("round {}: {what}\n", said["round"]);
    text += &pairings(&said["pairings"]);
    let told = said["changes"].as_array().into_iter().flatten();
    text.extend(told.filter_map(change));
    let oddities = said["oddities"].as_array().into_iter().flatten();
    for oddity in oddities {
        text += &match oddity["odd"].as_str().unwrap_or_default() {
            "tables-by-score" => {
                "the file has no tables: they are in the order of the scores\n".to_owned()
            }
            "tables-by-order" => "the file has no tables: they are in its order\n".to_owned(),
            "no-board" => format!("table {} has no board\n", oddity["table"]),
            "same-name" => format!(
                "{} is the name of players {}\n",
                oddity["name"].as_str().unwrap_or_default(),
                numbers(&oddity["numbers"])
            ),
            "other-points" => format!(
                "the points in the file are not those of the results in it: players {}\n",
                numbers(&oddity["players"])
            ),
            "odd-name" => format!(
                "the name of player {} has odd characters: {}\n",
                oddity["player"],
                oddity["name"].as_str().unwrap_or_default().escape_debug()
            ),
            "not-drawn" => format!("player {} is not drawn\n", oddity["player"]),
            _ => continue,
        };
    }
    text
}

/// What would be other than it was, a line each; what is new stands in the table.
fn change(change: &Value) -> Option<String> {
    let [before, after] = [&change["before"], &change["after"]];
    let table = |table: &Value| match table {
        Value::Null => "bye".to_owned(),
        table => format!("table {table}"),
    };
    let pair = |white: &Value, black: &Value| match black {
        Value::Null => white.to_string(),
        black => format!("{white} and {black}"),
    };
    let seated = |both: &Value| pair(&both[0], &both[1]);
    Some(match change["change"].as_str()? {
        "redrawn" if before != after => {
            let (table, before, after) = (table(&change["table"]), seated(before), seated(after));
            format!("{table}: {after}, before {before}\n")
        }
        "gone" => {
            let pair = pair(&change["white"], &change["black"]);
            format!("{}: {pair}, no more\n", table(&change["table"]))
        }
        "player" if before["name"] != after["name"] => {
            let names = [after, before].map(|player| player["name"].as_str().unwrap_or_default());
            format!(
                "player {}: {}, before {}\n",
                after["number"], names[0], names[1]
            )
        }
        _ => return None,
    })
}

fn run_check(check: &Check) -> Result<(), Failure> {
    let mut tournament = Tournament::default();
    let encoding = check.encoding.as_deref();
    if let Some(file) = &check.players {
        let sheet = read(file, encoding, None)?;
        let plan = plan(&tournament, &sheet, &Place::default(), file)?;
        for act in &plan.acts {
            tournament.apply(act).map_err(Failure::failed)?;
        }
    }
    let place = Place {
        round: check.round,
        tables: check.tables.clone(),
        file: None,
    };
    let sheet = read(&check.file, encoding, check.round)?;
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

fn read(file: &Path, encoding: Option<&str>, round: Option<u16>) -> Result<Sheet, Failure> {
    let name = file.display();
    let bytes =
        fs::read(file).map_err(|error| Failure::bad_input(format_args!("{name}: {error}")))?;
    let text = match encoding {
        Some(encoding) => load::in_utf8(&bytes, encoding),
        None => Ok(bytes),
    };
    text.and_then(|text| load::read(&text, round))
        .map_err(|unreadable| {
            let told = unreadable.0.iter();
            let told = told.map(|fault| match &fault.sheet {
                Some(_) => format!("{name}: {fault}"),
                None => format!("{name}:{}:{}: {}", fault.line, fault.column, fault.text),
            });
            Failure::bad_line(told.collect::<Vec<_>>().join("\n"))
        })
}

fn plan(
    tournament: &Tournament,
    sheet: &Sheet,
    place: &Place,
    file: &Path,
) -> Result<Plan, Failure> {
    let refused = |refusal| Failure::bad_input(format_args!("{}: {refusal}", file.display()));
    Plan::of(tournament, sheet, place).map_err(refused)
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
        let codes = pairing.outcome.as_ref().map(|outcome| outcome.codes);
        let result = match codes {
            Some([code, _]) if pairing.is_bye() => code.to_string(),
            Some(codes) => ResultCode::written(codes),
            None => String::new(),
        };
        let black = pairing.black.map_or_else(|| "bye".to_owned(), player);
        vec![table, player(pairing.white), black, result]
    };
    let rows: Vec<_> = plan.pairings.iter().map(cells).collect();
    let headings = ["TABLE", "WHITE", "BLACK", "RESULT"];
    out.write_all(Screen::stdout().table(&headings, &rows).as_bytes())?;
    // Nothing is bound to tables here.
    for odd in plan.oddities.iter().filter_map(odd) {
        writeln!(out, "{odd}")?;
    }
    Ok(())
}

fn odd(oddity: &Oddity) -> Option<String> {
    Some(match oddity {
        Oddity::TablesByScore => {
            "the file has no tables: they are in the order of the scores".to_owned()
        }
        Oddity::TablesByOrder => "the file has no tables: they are in its order".to_owned(),
        Oddity::SameName { name, numbers } => {
            let numbers: Vec<String> = numbers.iter().map(u16::to_string).collect();
            format!("{name} is the name of players {}", numbers.join(" and "))
        }
        Oddity::OtherPoints { players } => {
            let players: Vec<String> = players.iter().map(u16::to_string).collect();
            let players = players.join(", ");
            format!("the points in the file are not those of the results in it: players {players}")
        }
        Oddity::OddName { player, name } => {
            format!(
                "the name of player {player} has odd characters: {}",
                name.escape_debug()
            )
        }
        Oddity::NotDrawn { player } => format!("player {player} is not drawn"),
        Oddity::NoBoard { .. } => return None,
    })
}
