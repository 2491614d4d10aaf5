//! `arbiterd backup` and `arbiterd restore`: copies of a store.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use daemon::store::{Verdict, back_up, back_up_into, put_back};
use serde::Serialize;

use super::failure::Failure;

/// Copy a store to one file, be a daemon running on it or not.
///
/// The copy is looked through after it was written; the exit status is 1 when something in it is
/// damaged. Accounts, keys and certificates of the console are not in it.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  arbiterd backup /media/stick/round-3.sqlite\n  \
                        arbiterd backup /media/stick --keep 20    (nothing where nothing is new)"
)]
pub(crate) struct BackUp {
    /// The copy, which must not exist; or a directory, in which it is named by the time
    file: PathBuf,
    /// The daemon's store
    #[arg(long, default_value = "arbiter-data")]
    dir: PathBuf,
    /// Of a directory: keep the last N copies and remove older ones
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    keep: Option<u16>,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

/// Put a copy back as a store.
///
/// It is looked through first.
#[derive(Args, Debug)]
#[command(after_help = "Example: arbiterd restore /media/stick/round-3.sqlite --dir arbiter-data")]
pub(crate) struct Restore {
    /// The copy
    file: PathBuf,
    /// The store's directory, in which there must be none
    #[arg(long, default_value = "arbiter-data")]
    dir: PathBuf,
    /// Put it back although something in it is damaged
    #[arg(long)]
    damaged: bool,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

/// What is said of a copy.
#[derive(Serialize)]
struct Said<'a> {
    file: &'a Path,
    games: usize,
    events: usize,
    damaged: Vec<&'a Verdict>,
    wrong: &'a [String],
}

/// Copies a store.
pub(crate) fn run_back_up(arguments: &BackUp) -> Result<(), Failure> {
    let looked = match arguments.file.is_dir() {
        true => placed(arguments)?,
        false if arguments.keep.is_some() => {
            let file = arguments.file.display();
            let what = format!("{file} is no directory: `--keep` is about the copies in one");
            return Err(Failure::failed(what));
        }
        false => {
            let looked = back_up(&arguments.dir, &arguments.file).map_err(Failure::failed)?;
            say("copied to", &arguments.file, &looked, arguments.json)?;
            looked
        }
    };
    if is_whole(&looked) {
        return Ok(());
    }
    Err(Failure::failed(
        "something in the store is damaged, and so it is in the copy",
    ))
}

/// Copies a store into a directory.
fn placed(arguments: &BackUp) -> Result<Looked, Failure> {
    let keep = arguments.keep.map(usize::from);
    let placed = back_up_into(&arguments.dir, &arguments.file, keep).map_err(Failure::failed)?;
    let what = match placed.is_same {
        true => "nothing is new since",
        false => "copied to",
    };
    say(what, &placed.file, &placed.looked, arguments.json)?;
    Ok(placed.looked)
}

/// Puts a copy back.
pub(crate) fn run_restore(arguments: &Restore) -> Result<(), Failure> {
    let looked = put_back(&arguments.file, &arguments.dir, arguments.damaged);
    let looked = looked.map_err(Failure::failed)?;
    if !is_whole(&looked) && !arguments.damaged {
        say("not put back:", &arguments.file, &looked, arguments.json)?;
        return Err(Failure::failed(
            "something in the copy is damaged; `--damaged` takes it all the same",
        ));
    }
    say("put back from", &arguments.file, &looked, arguments.json)
}

/// What of a copy is whole.
type Looked = (Vec<Verdict>, Vec<String>);

fn is_whole((games, wrong): &Looked) -> bool {
    wrong.is_empty() && games.iter().all(|game| game.damage.is_none())
}

fn say(what: &str, file: &Path, (games, wrong): &Looked, json: bool) -> Result<(), Failure> {
    let damaged: Vec<&Verdict> = games.iter().filter(|game| game.damage.is_some()).collect();
    let events = games.iter().map(|game| game.events).sum();
    let mut out = io::stdout().lock();
    if json {
        let said = Said {
            file,
            games: games.len(),
            events,
            damaged,
            wrong,
        };
        serde_json::to_writer(&mut out, &said).map_err(io::Error::from)?;
        return Ok(writeln!(out)?);
    }
    writeln!(
        out,
        "{what} {}: {} games with {events} events, and what people have done",
        file.display(),
        games.len()
    )?;
    for game in damaged {
        let damage = game
            .damage
            .as_ref()
            .map(ToString::to_string)
            .unwrap_or_default();
        writeln!(out, "{}: {damage}", game.game)?;
    }
    wrong
        .iter()
        .try_for_each(|wrong| writeln!(out, "the file: {wrong}"))?;
    Ok(())
}
