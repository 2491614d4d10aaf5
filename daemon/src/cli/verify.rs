//! `arbiterd verify` and `arbiterd repair`: what of a store is as it was written, and a new store
//! of that.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use daemon::store::{Store, Verdict, repair, verify};
use serde::Serialize;

use super::failure::Failure;
use super::terminal::Screen;

/// Check that every game of a store, and every act of people, is as it was written. Works beside a
/// running daemon.
///
/// Also how far boards are, what was learned of them, the order in which all was written, and
/// whether accounts and sessions are those that acts made. An account that is not there can do
/// nothing, and is not told.
///
/// The checksum of the last act stands for all of them: where it is the same as when it was noted
/// elsewhere, nothing before it was changed.
///
/// The exit status is 1 when something is damaged.
#[derive(Args, Debug)]
#[command(after_help = "Example: arbiterd verify --dir arbiter-data")]
pub(crate) struct Verify {
    /// The daemon's store
    #[arg(long, default_value = "arbiter-data")]
    dir: PathBuf,
    /// Write one JSON object a line
    #[arg(long)]
    json: bool,
}

/// Write everything that is sound in a store to a new one, and say what is not.
///
/// The store itself stays as it is. No daemon may use it meanwhile.
#[derive(Args, Debug)]
#[command(after_help = "Example: arbiterd repair --dir arbiter-data --into mended")]
pub(crate) struct Repair {
    /// The daemon's store
    #[arg(long, default_value = "arbiter-data")]
    dir: PathBuf,
    /// The new store's directory, which must not exist
    #[arg(short = 'o', long, value_name = "DIR")]
    into: PathBuf,
    /// Write one JSON object a line
    #[arg(long)]
    json: bool,
}

/// All that people have done.
#[derive(Serialize)]
struct Acts {
    acts: usize,
    sum: String,
}

/// What is wrong with the file, and with no one game.
#[derive(Serialize)]
struct OfFile<'a> {
    file: &'a str,
}

/// Checks a store.
pub(crate) fn run_verify(arguments: &Verify) -> Result<(), Failure> {
    let (games, wrong) = verify(&arguments.dir).map_err(Failure::failed)?;
    let mut out = io::stdout().lock();
    write(&mut out, &games, arguments.json)?;
    for file in &wrong {
        match arguments.json {
            true => line(&mut out, &OfFile { file })?,
            false => writeln!(out, "the file: {file}")?,
        }
    }
    let deeds = Store::open(&arguments.dir).and_then(|store| store.deeds());
    let deeds = deeds.map_err(Failure::failed)?;
    if let (count @ 1.., sum) = (deeds.sound.len(), deeds.head) {
        match arguments.json {
            true => line(&mut out, &Acts { acts: count, sum })?,
            false => writeln!(
                out,
                "{count} acts of people; the checksum of the last is {sum}"
            )?,
        }
    }
    let damaged = games.iter().filter(|game| game.damage.is_some()).count();
    match (damaged, wrong.is_empty()) {
        (0, true) if games.is_empty() && !arguments.json => {
            Ok(writeln!(out, "no games; what people have done is sound")?)
        }
        (0, true) => Ok(()),
        (0, false) => Err(Failure::failed(
            "the file or the acts in it are damaged, or another file does not fit them; every game \
             can be read",
        )),
        (damaged, _) => Err(Failure::failed(format_args!(
            "{damaged} of {} games damaged; `arbiterd repair` keeps what is sound",
            games.len()
        ))),
    }
}

/// Repairs a store.
pub(crate) fn run_repair(arguments: &Repair) -> Result<(), Failure> {
    let games = repair(&arguments.dir, &arguments.into).map_err(Failure::failed)?;
    let mut out = io::stdout().lock();
    write(&mut out, &games, arguments.json)?;
    if !arguments.json {
        writeln!(out, "{}: written", arguments.into.display())?;
    }
    Ok(out.flush()?)
}

fn write(out: &mut impl Write, games: &[Verdict], json: bool) -> Result<(), Failure> {
    if json {
        return games.iter().try_for_each(|game| line(out, game));
    }
    let said = |game: &Verdict| {
        let damage = game.damage.as_ref().map(ToString::to_string);
        damage.unwrap_or_else(|| "ok".to_owned())
    };
    let cells = |game: &Verdict| {
        let events = game.events.to_string();
        vec![game.game.clone(), game.board.clone(), events, said(game)]
    };
    let rows: Vec<_> = games.iter().map(cells).collect();
    let headings = ["GAME", "BOARD", "EVENTS", "STATE"];
    Ok(out.write_all(Screen::stdout().table(&headings, &rows).as_bytes())?)
}

fn line(out: &mut impl Write, said: &impl Serialize) -> Result<(), Failure> {
    serde_json::to_writer(&mut *out, said).map_err(io::Error::from)?;
    Ok(out.write_all(b"\n")?)
}
