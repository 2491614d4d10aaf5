//! `arbiterd pairings`: what a pairing program's file says, before anything is done with it.

use std::fs;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use tournament::{Oddity, Pairing, Place, Plan, ResultCode, Sheet, Tournament, load};

use super::failure::Failure;
use super::terminal::Screen;

/// Read the pairings of a round from a pairing program's file.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Check(Check),
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
    /// Write one JSON object
    #[arg(long)]
    json: bool,
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
    let Command::Check(check) = &arguments.command;
    let mut tournament = Tournament::default();
    if let Some(file) = &check.players {
        let plan = plan(&tournament, &read(file, None)?, &Place::default(), file)?;
        for act in &plan.acts {
            tournament.apply(act).map_err(Failure::failed)?;
        }
    }
    let place = Place {
        round: check.round,
        tables: check.tables.clone(),
        file: None,
    };
    let sheet = read(&check.file, check.round)?;
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

fn read(file: &Path, round: Option<u16>) -> Result<Sheet, Failure> {
    let name = file.display();
    let bytes =
        fs::read(file).map_err(|error| Failure::bad_input(format_args!("{name}: {error}")))?;
    load::read(&bytes, round).map_err(|unreadable| {
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
