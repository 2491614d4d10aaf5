//! `arbiterd replay`: event scripts in, rulings out.

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use arbiter_core::{Announcement, Input, Ruling};
use clap::Args;
use daemon::mating::Follower;
use daemon::pgn;
use daemon::script::Reader;
use serde::Serialize;

use super::failure::Failure;
use super::pretty;
use super::terminal::Screen;

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
        replay(&name, open(file)?, &mut out, write)
    });
    out.flush()?;
    outcome
}

fn open(file: &Path) -> Result<Box<dyn Read>, Failure> {
    if file == Path::new("-") {
        return Ok(Box::new(io::stdin()));
    }
    match File::open(file) {
        Ok(opened) => Ok(Box::new(opened)),
        Err(error) => Err(Failure::bad_input(format_args!("cannot open {}: {error}", file.display()))),
    }
}

type Writer = fn(&mut dyn Write, &Announcement, Option<&str>) -> io::Result<()>;

/// One script through one arbiter.
fn replay(name: &str, input: impl Read, out: &mut impl Write, write: Writer) -> Result<(), Failure> {
    let mut game = Game::default();
    let mut reader = Reader::new(name, input);
    while let Some(event) = reader.next() {
        let event = event.map_err(Failure::bad_line)?;
        if let Input::Setup(setup) = &event.input {
            game.end(out, write)?;
            // A script knows neither players nor place.
            game.tags = pgn::Tags { chess960: setup.chess960, ..pgn::Tags::default() };
        }
        let _told_as_rulings = game.follower.handle(&event, &mut game.said);
        game.tell(out, write)?;
        if reader.is_drained() {
            out.flush()?;
        }
    }
    Ok(game.end(out, write)?)
}

/// The arbiter, what it has said, and the tags of the game it follows.
#[derive(Default)]
struct Game {
    follower: Follower,
    said: Vec<Announcement>,
    tags: pgn::Tags,
}

impl Game {
    /// Writes what the arbiter has said.
    fn tell(&mut self, out: &mut impl Write, write: Writer) -> io::Result<()> {
        for announcement in self.said.drain(..) {
            let summary = matches!(announcement.ruling, Ruling::Summary(_));
            let view = if summary { self.follower.arbiter().view() } else { None };
            let pgn = view.map(|view| pgn::render(&self.tags, &view));
            write(out, &announcement, pgn.as_deref())?;
        }
        Ok(())
    }

    /// Ends the game at hand, if there is one, while it can still be looked at: a setup would replace it.
    fn end(&mut self, out: &mut impl Write, write: Writer) -> io::Result<()> {
        self.follower.finish(&mut self.said);
        self.tell(out, write)
    }
}

/// An announcement as the event script's description has it: a summary carries its PGN.
#[derive(Serialize)]
struct Line<'a> {
    #[serde(flatten)]
    announcement: &'a Announcement,
    #[serde(skip_serializing_if = "Option::is_none")]
    pgn: Option<&'a str>,
}

fn write_json(mut out: &mut dyn Write, announcement: &Announcement, pgn: Option<&str>) -> io::Result<()> {
    serde_json::to_writer(&mut out, &Line { announcement, pgn })?;
    out.write_all(b"\n")
}

fn write_pretty(out: &mut dyn Write, announcement: &Announcement, _pgn: Option<&str>) -> io::Result<()> {
    writeln!(out, "{}", pretty::line(Screen::stdout(), announcement))
}
