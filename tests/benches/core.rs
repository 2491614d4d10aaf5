//! How fast the arbiter thinks: `cargo bench -p tests --bench core`.
//!
//! Criterion measures whole games: events a second, against the run before. It knows no worst case,
//! and single events of one game differ by orders of magnitude, so a table of the cost of every
//! single event follows. Its rate is what they come to together: the best times of each, which
//! other work on the machine disturbs least. `cargo bench -p tests --bench core -- piece-tidy`
//! measures the cells with that in their name, `-- --table` has the table alone, and `-- --once`
//! only follows every game, for whoever counts instructions.

use std::fmt;
use std::hint::black_box;
use std::time::{Duration, Instant};

use arbiter_core::{Arbiter, Event};
use board_driver::hand::Style;
use board_driver::noise::LEVELS;
use criterion::{BenchmarkId, Criterion, Throughput};
use tests::accuracy::bench;
use tests::accuracy::cases::{self, Kind, every};
use tests::accuracy::options::Options;
use tests::accuracy::source::Source;
use tests::storm;

/// Games a cell.
const GAMES: usize = 40;
/// Every event is timed so often, and its best time counts: the same event always costs the same
/// work.
const TIMES: usize = 5;

/// Games of one kind.
struct Case {
    name: String,
    scripts: Vec<Vec<Event>>,
}

fn main() {
    let wanted = std::env::args().skip(1).find(|arg| !arg.starts_with('-'));
    let cases: Vec<Case> = measured(wanted.as_deref()).collect();
    if std::env::args().any(|arg| arg == "--once") {
        return cases
            .iter()
            .flat_map(|case| &case.scripts)
            .for_each(|script| follow(script));
    }
    if std::env::args().any(|arg| arg == "--table") {
        return table(&cases);
    }
    let mut criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(500))
        .configure_from_args();
    whole_games(&mut criterion, &cases);
    criterion.final_summary();
    table(&cases);
}

/// What single events of each case cost.
fn table(cases: &[Case]) {
    println!(
        "{:<46} {:>9} {:>9} {:>9} {:>9} {:>10}",
        "one event", "median", "p99", "p99.9", "worst", "events/s"
    );
    for case in cases {
        println!("{:<46} {}", case.name, Cost::of(&case.scripts));
    }
}

/// Ordinary games in all kinds of hands on all kinds of boards, games that leave the script, and
/// storms. Any other case of the bench `accuracy` is measured when it is asked for by name.
fn measured(wanted: Option<&str>) -> impl Iterator<Item = Case> {
    let cells = every().into_iter().filter_map(move |case| {
        let name = case.name();
        let is_asked_for = wanted.map_or_else(|| is_usual(&case), |part| name.contains(part));
        is_asked_for.then(|| Case {
            scripts: played(&case),
            name,
        })
    });
    let storms = storm::all().into_iter().map(|storm| Case {
        name: format!("storm/{}", storm.name),
        scripts: vec![storm.script],
    });
    cells.chain(storms.filter(move |storm| wanted.is_none_or(|part| storm.name.contains(part))))
}

fn is_usual(case: &cases::Case) -> bool {
    let noise = LEVELS[usize::from(case.cell.noise)];
    let hands = (case.cell.style, noise);
    match case.kind {
        Kind::Play => matches!(
            hands,
            (Style::Tidy, "ideal")
                | (Style::Human, "healthy" | "poor")
                | (Style::Hurried, "poor" | "untold")
                | (Style::Blitz, "lossy" | "untold")
        ),
        Kind::Breaches | Kind::PlayedOn => hands == (Style::Human, "poor"),
        Kind::TwoGames | Kind::Departures => hands == (Style::Hurried, "lossy"),
    }
}

fn played(case: &cases::Case) -> Vec<Vec<Event>> {
    let (source, options) = (Source::carried(), Options::default());
    (0..GAMES)
        .map(|game| bench::evidence(&source, *case, game, &options).1)
        .collect()
}

fn whole_games(criterion: &mut Criterion, cases: &[Case]) {
    let mut group = criterion.benchmark_group("games");
    for Case { name, scripts } in cases {
        group.throughput(Throughput::Elements(
            scripts.iter().map(Vec::len).sum::<usize>() as u64,
        ));
        group.bench_with_input(
            BenchmarkId::from_parameter(name),
            scripts,
            |bencher, scripts| {
                bencher.iter(|| scripts.iter().for_each(|script| follow(script)));
            },
        );
    }
    group.finish();
}

/// Follows a game from its first event to its last.
fn follow(script: &[Event]) {
    let (mut arbiter, mut said) = (Arbiter::new(), Vec::new());
    for event in script {
        arbiter.handle(event, &mut said);
        black_box(&said);
        said.clear();
    }
}

/// What single events cost, cheapest first.
struct Cost(Vec<Duration>);

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let us = |part: f64| {
            let index = (self.0.len() as f64 * part) as usize;
            self.0[index.min(self.0.len() - 1)].as_secs_f64() * 1e6
        };
        let [median, p99, p999, worst] = [0.5, 0.99, 0.999, 1.0].map(us);
        let rate = self.0.len() as f64 / self.0.iter().sum::<Duration>().as_secs_f64();
        write!(
            f,
            "{median:>6.2} us {p99:>6.1} us {p999:>6.0} us {worst:>6.0} us {rate:>10.0}"
        )
    }
}

impl Cost {
    fn of(scripts: &[Vec<Event>]) -> Cost {
        let mut sorted: Vec<Duration> = scripts.iter().flat_map(|script| single(script)).collect();
        sorted.sort();
        Cost(sorted)
    }
}

/// The cost of each event of a game.
fn single(script: &[Event]) -> Vec<Duration> {
    let mut best = vec![Duration::MAX; script.len()];
    for _ in 0..TIMES {
        let (mut arbiter, mut said) = (Arbiter::new(), Vec::new());
        for (event, best) in script.iter().zip(&mut best) {
            let start = Instant::now();
            arbiter.handle(event, &mut said);
            *best = start.elapsed().min(*best);
            said.clear();
        }
    }
    best
}
