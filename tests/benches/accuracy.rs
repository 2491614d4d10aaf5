//! How well the record equals the game: `cargo bench -p tests --bench accuracy -- --help`.
//!
//! Real games, played by simulated hands on simulated sensors, told to the arbiter and to three
//! simple programs that read the same evidence ([`tests::accuracy::baseline`] says how). No wall
//! clock has a part in it: the same seeds give the same figures everywhere.

use std::process::ExitCode;

use tests::accuracy::bench::{Row, play, script, tasks};
use tests::accuracy::options::{HELP, Options};
use tests::accuracy::progress::Progress;
use tests::accuracy::source::Source;
use tests::accuracy::{goals, report};
use tests::anything::text;

fn main() -> ExitCode {
    match bench() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn bench() -> Result<ExitCode, String> {
    let Some(options) = Options::read(std::env::args().skip(1))? else {
        print!("{HELP}");
        return Ok(ExitCode::SUCCESS);
    };
    let source = Source::open()?;
    let tasks = if options.quick {
        goals::quick(&options)?
    } else {
        tasks(&source, &options)?
    };
    if options.script {
        let events = script(&source, tasks[0].case, tasks[0].games[0], &options);
        print!("{}", text(&events));
        return Ok(ExitCode::SUCCESS);
    }
    let total = tasks.iter().map(|task| task.games.len()).sum();
    let progress = Progress::new(total);
    let rows = play(&source, &tasks, &options, &progress);
    show(&source, &rows, &options, progress.seconds())?;
    let missed: Vec<String> = if options.quick {
        rows.iter().flat_map(goals::missed).collect()
    } else {
        Vec::new()
    };
    missed.iter().for_each(|complaint| eprintln!("{complaint}"));
    let good = missed.is_empty() && rows.iter().all(|row| row.tally.panics == 0);
    Ok(if good {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn show(source: &Source, rows: &[Row], options: &Options, seconds: f64) -> Result<(), String> {
    if options.json {
        rows.iter()
            .for_each(|row| println!("{}", report::json(row)));
    } else {
        println!("{}", report::tables(rows));
        println!("{}", report::made(source, rows, seconds));
    }
    for row in rows {
        report::failures(row, options.failures)
            .iter()
            .for_each(|line| eprintln!("{line}"));
    }
    if options.refresh {
        report::refresh(source, rows, seconds)?;
    }
    Ok(())
}
