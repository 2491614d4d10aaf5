//! `arbiterd export`: one game out of the store.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use daemon::office::page_of_game_in;
use daemon::store::{Game, Store};

use super::failure::Failure;

/// Write one game of the store to standard output.
#[derive(Args, Debug)]
#[command(
    after_help = "Example: arbiterd export 2026-11-21-b01-1 --format pgn --dir arbiter-data > \
                  game.pgn"
)]
pub(crate) struct Arguments {
    /// The game's name, as the console and the PGN files show it
    game: String,
    /// PGN, or the event script from which every ruling can be replayed
    #[arg(long, value_enum)]
    format: Format,
    /// The daemon's store
    #[arg(long, default_value = "arbiter-data")]
    dir: PathBuf,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    Pgn,
    Script,
}

/// Writes the game.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let store = Store::open(&arguments.dir).map_err(Failure::bad_input)?;
    let game = store
        .game(&arguments.game)
        .map_err(Failure::failed)?
        .ok_or_else(|| unknown(&store, arguments))?;
    let text = match arguments.format {
        Format::Script => game.script().map_err(Failure::failed)?,
        Format::Pgn => page_of_game_in(&store, &game)
            .map_err(Failure::failed)?
            .ok_or_else(|| without_setup(&game))?,
    };
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    let (id, damage) = (&game.row.id, &game.row.damage);
    let damaged = damage
        .as_ref()
        .map(|damage| Failure::failed(format_args!("{id} is {damage}; written is what is whole")));
    damaged.map_or(Ok(()), Err)
}

/// There is nothing to be written.
fn without_setup(game: &Game) -> Failure {
    let id = &game.row.id;
    match &game.row.damage {
        Some(damage) => Failure::failed(format_args!("{id} is {damage}")),
        None => Failure::failed(format_args!("{id} has no setup")),
    }
}

/// No such game: name the newest, so that the next attempt can succeed.
fn unknown(store: &Store, arguments: &Arguments) -> Failure {
    let newest: Vec<String> = store
        .games()
        .unwrap_or_default()
        .into_iter()
        .take(3)
        .map(|game| game.id)
        .collect();
    let there = if newest.is_empty() {
        "it is empty".to_owned()
    } else {
        format!("the newest: {}", newest.join(", "))
    };
    let (game, dir) = (&arguments.game, arguments.dir.display());
    Failure::bad_input(format_args!("there is no game `{game}` in {dir}; {there}"))
}
