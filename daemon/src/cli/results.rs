//! `arbiterd results`: results of a round, entered, confirmed, taken back, and given out.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read, Write};
use std::path::PathBuf;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use clap::{Args, Subcommand, ValueEnum};
use serde_json::json;

use super::ask::Where;
use super::failure::Failure;
use super::round::people;

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
        at: Where,
    },
    Enter(Enter),
    /// Confirm results that are proposed: of these tables, or all that nobody disputes
    #[command(after_help = "Example: arbiterd results confirm 3")]
    Confirm {
        /// The round
        round: u16,
        /// The tables; left out: all whose game has nothing left to be ruled on
        tables: Vec<u16>,
        #[command(flatten)]
        at: Where,
    },
    /// Take results back
    #[command(after_help = "Example: arbiterd results withdraw 3 12 --reason 'the wrong table'")]
    Withdraw {
        /// The round
        round: u16,
        /// The tables
        #[arg(required = true)]
        tables: Vec<u16>,
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
    /// ROUND.TABLE
    table: String,
    /// The result
    #[arg(allow_hyphen_values = true)]
    result: String,
    /// Further tables of the round
    #[arg(value_name = "ROUND.TABLE=RESULT")]
    further: Vec<String>,
    /// It was decided by the arbiter
    #[arg(long)]
    decided: bool,
    /// Why; needed where a confirmed result is changed
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
    /// A text with the moves in algebraic notation; `-` reads them from standard input
    file: PathBuf,
    /// They follow on so many half-moves that the board has seen
    #[arg(long, value_name = "N", default_value_t = 0)]
    after: u16,
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
        Command::List { round, at } => at.say(&at.get(&format!("/api/rounds/{round}"))?, people),
        Command::Enter(enter) => run_enter(enter),
        Command::Confirm { round, tables, at } => {
            let order = match tables.is_empty() {
                true => json!({}),
                false => json!({ "tables": tables }),
            };
            let said = at.post(&format!("/api/rounds/{round}/confirm"), &order)?;
            at.say(&said, people)
        }
        Command::Withdraw {
            round,
            tables,
            reason,
            at,
        } => {
            let order = json!({ "tables": tables, "reason": reason });
            let said = at.post(&format!("/api/rounds/{round}/withdraw"), &order)?;
            at.say(&said, people)
        }
        Command::Moves(moves) => run_moves(moves),
        Command::Export(export) => run_export(export),
    }
}

/// A round and a table of it.
fn seat(text: &str) -> Result<(u16, u16), Failure> {
    let seat = text.split_once('.');
    let seat = seat.and_then(|(round, table)| Some((round.parse().ok()?, table.parse().ok()?)));
    seat.ok_or_else(|| Failure::bad_input(format_args!("`{text}` is no ROUND.TABLE, such as 3.12")))
}

fn run_enter(enter: &Enter) -> Result<(), Failure> {
    let (round, table) = seat(&enter.table)?;
    let mut results = BTreeMap::from([(table, &*enter.result)]);
    for further in &enter.further {
        let (place, result) = further.split_once('=').ok_or_else(|| {
            Failure::bad_input(format_args!("`{further}` is no ROUND.TABLE=RESULT"))
        })?;
        let (of, table) = seat(place)?;
        if of != round {
            return Err(Failure::bad_input("results of one round at a time"));
        }
        if results.insert(table, result).is_some() {
            let what = format_args!("table {table} stands there twice");
            return Err(Failure::bad_input(what));
        }
    }
    let order = json!({ "results": results, "decided": enter.decided, "reason": enter.reason });
    let path = format!("/api/rounds/{round}/results");
    enter.at.say(&enter.at.post(&path, &order)?, people)
}

fn run_moves(moves: &Moves) -> Result<(), Failure> {
    let (round, table) = seat(&moves.table)?;
    let text = if moves.file.as_os_str() == "-" {
        let mut text = String::new();
        io::stdin().read_to_string(&mut text).map(|_| text)
    } else {
        fs::read_to_string(&moves.file)
    };
    let name = moves.file.display();
    let text = text.map_err(|error| Failure::bad_input(format_args!("{name}: {error}")))?;
    let order = json!({ "table": table, "after": moves.after, "moves": text });
    let said = moves
        .at
        .post(&format!("/api/rounds/{round}/moves"), &order)?;
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
    if export.full_names {
        path += "&full_names=true";
    }
    if let Some(years) = export.minors_under {
        path += &format!("&minors_under={years}");
    }
    let (bytes, left_out) = export.at.file(&path)?;
    if !left_out.is_empty() {
        eprintln!("left out, since the format has no sign for the result: tables {left_out}");
    }
    let Some(file) = &export.output else {
        if export.at.json {
            let said = json!({
                "round": export.round, "format": format, "base64": STANDARD.encode(&bytes),
            });
            return export.at.say(&said, |_| String::new());
        }
        let mut out = io::stdout().lock();
        out.write_all(&bytes)?;
        return Ok(out.flush()?);
    };
    let name = file.display();
    fs::write(file, &bytes).map_err(|error| Failure::failed(format_args!("{name}: {error}")))?;
    let said = json!({ "round": export.round, "file": file, "bytes": bytes.len() });
    export.at.say(&said, |_| format!("{name}\n"))
}
