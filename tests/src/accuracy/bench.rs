//! Spreads games over all cores and gathers what became of them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use arbiter_core::Event;
use arbiter_core::shakmaty::Chess;
use board_driver::hand::games::Game;
use board_driver::hand::{Performance, Wish};
use serde::Serialize;

use super::cases::Case;
use super::judge::{Judged, judge};
use super::options::Options;
use super::progress::Progress;
use super::source::{Source, VARIABLE};
use super::tally::Tally;
use super::{Outcome, rule, told};

/// Games handed to a core at a time.
const BATCH: usize = 20;
/// Failures kept of each case.
const KEPT: usize = 200;

/// A case and the games that are played in it.
#[derive(Clone, Debug)]
pub struct Task {
    /// The case.
    pub case: Case,
    /// The numbers of the games.
    pub games: Vec<usize>,
}

/// Something that should not be, and how to see it again.
#[derive(Clone, Debug, Serialize)]
pub struct Failure {
    /// The number of the game.
    pub game: usize,
    /// The seed of hand, sensors and wishes.
    pub seed: u64,
    /// What was asked of the hands.
    pub wishes: Vec<(Wish, u32)>,
    /// What.
    pub what: String,
    /// The command that repeats it.
    pub command: String,
}

/// What became of a task.
#[derive(Clone, Debug)]
pub struct Row {
    /// The case.
    pub case: Case,
    /// The counts.
    pub tally: Tally,
    /// What should not be, in the order of games; not more than can be read.
    pub failures: Vec<Failure>,
}

/// Plays everything, on all cores.
///
/// # Panics
/// When a thread does, which none should.
pub fn play(source: &Source, tasks: &[Task], options: &Options, progress: &Progress) -> Vec<Row> {
    let row = |task: &Task| Row {
        case: task.case,
        tally: Tally::default(),
        failures: Vec::new(),
    };
    let rows: Vec<Mutex<Row>> = tasks.iter().map(|task| Mutex::new(row(task))).collect();
    let batches: Vec<(usize, &[usize])> = (0..)
        .zip(tasks)
        .flat_map(|(n, task)| task.games.chunks(BATCH).map(move |games| (n, games)))
        .collect();
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some((n, games)) = batches.get(next.fetch_add(1, Ordering::Relaxed)) {
            let case = tasks[*n].case;
            for game in games.iter() {
                let (tally, failures) = one(source, case, *game, options);
                let mut row = rows[*n].lock().expect("no thread panics");
                row.tally += &tally;
                let room = KEPT.saturating_sub(row.failures.len());
                row.failures.extend(failures.into_iter().take(room));
            }
            progress.add(games.len(), &case.name());
        }
    };
    std::thread::scope(|scope| {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        (0..cores).for_each(|_| drop(scope.spawn(work)));
    });
    progress.end();
    let mut rows: Vec<Row> = rows
        .into_iter()
        .map(|row| row.into_inner().expect("no thread panics"))
        .collect();
    rows.iter_mut()
        .for_each(|row| row.failures.sort_by_key(|failure| failure.game));
    rows
}

/// Every game that is asked for in every case that is asked for.
///
/// # Errors
/// When there are none.
pub fn tasks(source: &Source, options: &Options) -> Result<Vec<Task>, String> {
    let end = options.games.map_or(source.games.len(), |games| {
        source.games.len().min(options.first + games)
    });
    if options.first >= end {
        return Err(format!(
            "there are {} games, from number 0 on",
            source.games.len()
        ));
    }
    let games: Vec<usize> = (options.first..end).collect();
    let task = |case| Task {
        case,
        games: games.clone(),
    };
    Ok(options.cases()?.into_iter().map(task).collect())
}

/// The evidence of one game of a case, as [`play`] tells it to the arbiter.
pub fn script(source: &Source, case: Case, number: usize, options: &Options) -> Vec<Event> {
    evidence(source, case, number, options).1
}

/// What was played in one game of a case, and what the sensors told of it.
pub fn evidence(
    source: &Source,
    case: Case,
    number: usize,
    options: &Options,
) -> (Performance, Vec<Event>) {
    let (game, seed) = (&source.games[number], seed_of(number, options));
    let usual = |game: &&Game| game.start == Chess::default();
    let mut later = source.games[number + 1..].iter().chain(source.games.iter());
    let next = later.find(usual).unwrap_or(game);
    let played = case.perform(game, next, seed);
    let script = told(game, case.cell, seed, &played);
    (played, script)
}

/// The seed of a game.
pub fn seed_of(game: usize, options: &Options) -> u64 {
    game as u64 + 1 + options.seed
}

fn one(source: &Source, case: Case, number: usize, options: &Options) -> (Tally, Vec<Failure>) {
    let (game, seed) = (&source.games[number], seed_of(number, options));
    let judged = catch_unwind(AssertUnwindSafe(|| {
        let (played, script) = evidence(source, case, number, options);
        let said = rule(&script);
        let outcome = Outcome {
            script,
            played,
            said,
        };
        judge(game, case, &outcome)
    }));
    let Judged {
        tally, complaints, ..
    } = judged.unwrap_or_else(|_| Judged::panicked());
    let wishes = if complaints.is_empty() {
        Vec::new()
    } else {
        case.wishes(game, seed)
    };
    let failure = |what| Failure {
        game: number,
        seed,
        wishes: wishes.clone(),
        what,
        command: command(source, case, number, options),
    };
    (tally, complaints.into_iter().map(failure).collect())
}

/// The command that plays one game of a case again.
fn command(source: &Source, case: Case, game: usize, options: &Options) -> String {
    let file = source.file.as_ref().map_or(String::new(), |file| {
        format!("{VARIABLE}={} ", file.display())
    });
    let seed = if options.seed == 0 {
        String::new()
    } else {
        format!(" --seed {}", options.seed)
    };
    let name = case.name();
    format!(
        "{file}cargo bench -p tests --bench accuracy -- --cell {name} --first {game} --games \
        1{seed}"
    )
}
