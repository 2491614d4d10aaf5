//! `arbiterd replay`: event scripts in, rulings out.

mod game;
mod games;

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use daemon::script::Reader;

use super::failure::Failure;
use game::{Said, Writer, write_json, write_pretty};

/// Read event scripts and write the arbiter's rulings, one JSON object a line.
#[derive(Args, Debug)]
#[command(
    after_help = "Example: arbiterd replay game.jsonl\n         arbiterd export GAME --format script | arbiterd replay -"
)]
pub(crate) struct Arguments {
    /// Event scripts; `-` reads standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write sentences for people instead of JSON
    #[arg(long)]
    pretty: bool,
}

/// Replays every file; stops at the first bad line, with the rulings up to it already written.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut out = BufWriter::new(io::stdout().lock());
    let write: Writer = if arguments.pretty { write_pretty } else { write_json };
    let outcome = arguments.files.iter().try_for_each(|file| {
        let name = file.display().to_string();
        replay(Reader::new(name, open(file)?), &mut out, write)
    });
    out.flush()?;
    outcome
}

fn open(file: &Path) -> Result<Box<dyn Read + Send>, Failure> {
    if file == Path::new("-") {
        return Ok(Box::new(io::stdin()));
    }
    match File::open(file) {
        Ok(opened) => Ok(Box::new(opened)),
        Err(error) => Err(Failure::bad_input(format_args!("cannot open {}: {error}", file.display()))),
    }
}

/// Writes what comes of a script, game after game.
fn replay(script: Reader<Box<dyn Read + Send>>, out: &mut impl Write, write: Writer) -> Result<(), Failure> {
    for game in games::rule_all(script, write)? {
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
