//! Writes event scripts into a directory, for a fuzzer to begin with: every scenario, as its first
//! variant, and on every class of boards a game in which hands leave the script, for each way in
//! which they can. `cargo run -p tests --example scripts DIR`

use std::path::PathBuf;
use std::{env, fs};

use arbiter_core::SensorClass;
use board_driver::hand::{Departure, Options, Style, games, perform_with};
use tests::accuracy::cases::CLASSES;
use tests::accuracy::{Cell, told};
use tests::anything;
use tests::scenario::{Scenario, Variant, directory, files, script};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let to = PathBuf::from(env::args_os().nth(1).ok_or("which directory?")?);
    fs::create_dir_all(&to)?;
    for (n, file) in files(&directory())?.iter().enumerate() {
        let scenario = Scenario::load(file)?;
        let Some(variant) = Variant::all(&scenario).into_iter().next() else {
            continue;
        };
        fs::write(
            to.join(format!("{n}.jsonl")),
            anything::text(&script(&scenario, variant)?),
        )?;
    }
    for (seed, departure) in (1..).zip(Departure::ALL) {
        for sensor in CLASSES {
            let text = departs(departure, sensor, seed).ok_or("no game has a place for it")?;
            fs::write(to.join(format!("{departure}-{sensor:?}.jsonl")), text)?;
        }
    }
    Ok(())
}

/// The first game in which hands can do it.
fn departs(departure: Departure, sensor: SensorClass, seed: u64) -> Option<String> {
    let cell = Cell {
        sensor,
        style: Style::Human,
        noise: 1,
        clock: seed.is_multiple_of(2),
    };
    let options = Options {
        clock: cell.clock,
        ..Options::default()
    };
    games::all().iter().find_map(|game| {
        let wish = [(departure.into(), 1)];
        let played = perform_with(&game.start, &game.moves, cell.style, seed, &wish, &options);
        let done = played.left_out.is_empty();
        done.then(|| anything::text(&told(game, cell, seed, &played)))
    })
}
