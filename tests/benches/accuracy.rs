//! How well the record equals the game: `cargo bench -p tests --bench accuracy -- --help`.
//!
//! Real games, played by simulated hands on simulated sensors, told to the arbiter and to three
//! simple programs that read the same evidence ([`tests::accuracy::baseline`] says how). No wall
//! clock has a part in it: the same seeds give the same figures everywhere.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;

use tests::accuracy::bench::{Row, evidence, play, script, tasks};
use tests::accuracy::options::{HELP, Options};
use tests::accuracy::progress::Progress;
use tests::accuracy::source::Source;
use tests::accuracy::tables::tables;
use tests::accuracy::{earlier, reached, report};
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
    if !options.taken.is_empty() {
        let rows = earlier::take(&options.taken)?;
        show(&source, &rows, &options, None)?;
        return Ok(ExitCode::SUCCESS);
    }
    let tasks = if options.quick {
        reached::quick(&options, 500)?
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
    show(&source, &rows, &options, Some(progress.seconds()))?;
    if let Some(directory) = &options.scripts {
        write_scripts(&source, &rows, &options, directory)
            .map_err(|error| format!("{}: {error}", directory.display()))?;
    }
    let missed: Vec<String> = if options.quick {
        rows.iter().flat_map(reached::missed).collect()
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

fn show(
    source: &Source,
    rows: &[Row],
    options: &Options,
    seconds: Option<f64>,
) -> Result<(), String> {
    if options.json {
        rows.iter()
            .for_each(|row| println!("{}", report::json(row)));
    } else {
        println!("{}", tables(rows));
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

/// The event script of every game whose failure is printed, and what was played.
fn write_scripts(
    source: &Source,
    rows: &[Row],
    options: &Options,
    directory: &Path,
) -> std::io::Result<()> {
    std::fs::create_dir_all(directory)?;
    for row in rows {
        let shown = row.failures.iter().take(options.failures);
        let games: BTreeSet<usize> = shown.map(|failure| failure.game).collect();
        for game in games {
            let (played, script) = evidence(source, row.case, game, options);
            let name = directory.join(format!("{}-{game}.jsonl", row.case.name()));
            std::fs::write(&name, text(&script))?;
            let truth = serde_json::to_string_pretty(&played.truth)?;
            std::fs::write(name.with_extension("truth.json"), truth)?;
        }
    }
    Ok(())
}
