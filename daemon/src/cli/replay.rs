//! `arbiterd replay`: event scripts in, rulings out.

mod game;
mod games;

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use arbiter_core::input::Edition;
use arbiter_core::orientation::Orientation;
use arbiter_core::settings::Language;
use board_driver::BoardKind;
use clap::Args;
use daemon::raw;
use daemon::script::Reader;
use serde::Serialize;

use super::failure::Failure;
use game::{Manner, Said, Writer, write_json, write_pretty};

/// Read event scripts and write the arbiter's rulings, one JSON object a line.
#[derive(Args, Debug)]
#[command(
    after_help = concat!(
        "Example: arbiterd replay game.jsonl\n",
        "         arbiterd export GAME --format script | arbiterd replay -\n",
        "         arbiterd replay --pretty --language fr game.jsonl\n",
        "         arbiterd replay --raw evening.rec --pretty\n",
        "         arbiterd replay --raw evening.rec --turned 180 --laws fide-2018"
    )
)]
pub(crate) struct Arguments {
    /// Event scripts; `-` reads standard input. With `--raw`, recordings
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write sentences for people instead of JSON
    #[arg(long)]
    pretty: bool,
    /// The language of the sentences: en, fr or de. Left out: the script's
    #[arg(long, value_name = "LANGUAGE", value_parser = language)]
    language: Option<Language>,
    /// The files are recordings of `arbiterd record`: play them through the board's driver first
    #[arg(long)]
    raw: bool,
    /// What the recorded board speaks, where the recording does not say it
    #[arg(long, value_name = "KIND", requires = "raw")]
    board: Option<BoardKind>,
    /// How the recorded board lies, in degrees: where the square lies that it calls a1, clockwise
    /// from White's left. 0, 90, 180 or 270
    #[arg(long, value_name = "DEGREES", value_parser = degrees, requires = "raw")]
    turned: Option<Orientation>,
    /// The edition of the Laws for a recording, such as fide-2018. Left out: the latest
    #[arg(long, value_name = "EDITION", value_parser = edition, requires = "raw")]
    laws: Option<Edition>,
}

/// A language by its name in scripts.
fn language(name: &str) -> Result<Language, String> {
    named(&Language::ALL, name).map_err(|names| format!("a language is {names}"))
}

/// An edition by its name in scripts.
fn edition(name: &str) -> Result<Edition, String> {
    named(&Edition::ALL, name).map_err(|names| format!("an edition is {names}"))
}

fn degrees(text: &str) -> Result<Orientation, String> {
    let turned = text.parse().ok().and_then(Orientation::from_degrees);
    turned.ok_or_else(|| "a board lies turned by 0, 90, 180 or 270 degrees".to_owned())
}

/// The one of that name in scripts, or all their names.
fn named<T: Copy + Serialize>(all: &[T], name: &str) -> Result<T, String> {
    let written = |one: &T| serde_json::to_value(one).unwrap_or_default();
    let known = all.iter().find(|one| written(one) == name);
    known.copied().ok_or_else(|| {
        let names: Vec<String> = all.iter().map(|one| written(one).to_string()).collect();
        names.join(" or ")
    })
}

/// Replays every file; stops at the first bad line, with the rulings up to it already written.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut out = BufWriter::new(io::stdout().lock());
    let write: Writer = if arguments.pretty {
        write_pretty
    } else {
        write_json
    };
    let manner = Manner {
        write,
        language: arguments.language,
    };
    let said = raw::Said {
        kind: arguments.board,
        turned: arguments.turned.unwrap_or_default(),
        laws: arguments.laws.unwrap_or_default(),
    };
    let outcome = arguments.files.iter().try_for_each(|file| {
        if arguments.raw {
            return replay_raw(file, said, &mut out, manner);
        }
        let name = file.display().to_string();
        replay(Reader::new(name, open(file)?), &mut out, manner)
    });
    out.flush()?;
    outcome
}

/// Writes what comes of a recording. What the driver did not understand is said on standard error,
/// and is no failure.
fn replay_raw(
    file: &Path,
    said: raw::Said,
    out: &mut impl Write,
    manner: Manner,
) -> Result<(), Failure> {
    let raw = raw::read(file, said).map_err(Failure::bad_line)?;
    if let Some(complaint) = raw.complaint() {
        eprintln!("{}: {complaint}", file.display());
    }
    if raw.info.is_none() {
        return Err(Failure::failed(format_args!(
            "{}: nothing to replay",
            file.display()
        )));
    }
    let mut text = Vec::new();
    game::rule_whole(&raw.events, &mut text, manner);
    Ok(out.write_all(&text)?)
}

fn open(file: &Path) -> Result<Box<dyn Read + Send>, Failure> {
    if file == Path::new("-") {
        return Ok(Box::new(io::stdin()));
    }
    match File::open(file) {
        Ok(opened) => Ok(Box::new(opened)),
        Err(error) => Err(Failure::bad_input(format_args!(
            "cannot open {}: {error}",
            file.display()
        ))),
    }
}

/// Writes what comes of a script, game after game.
fn replay(
    script: Reader<Box<dyn Read + Send>>,
    out: &mut impl Write,
    manner: Manner,
) -> Result<(), Failure> {
    for game in games::rule_all(script, manner)? {
        let mut is_over = false;
        for said in game {
            match said {
                Said::Wrong(error) => return Err(Failure::bad_line(error)),
                Said::Over => is_over = true,
                Said::Lines { text, at_once } => {
                    out.write_all(&text)?;
                    if at_once {
                        out.flush()?;
                    }
                }
            }
        }
        if !is_over {
            return Err(Failure::failed("a game was not ruled on to its end"));
        }
    }
    Ok(())
}
