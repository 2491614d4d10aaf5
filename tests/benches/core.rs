//! How fast the arbiter thinks: `cargo bench -p tests --bench core`.
//!
//! A harness of its own: what counts is the cost of single events, and the worst of them, which differ by orders of
//! magnitude within one game.

use std::fmt;
use std::time::{Duration, Instant};

use arbiter_core::{Arbiter, Event, SensorClass};
use board_driver::hand::{Style, games};
use tests::accuracy::{Cell, run};
use tests::storm::{self, Storm};

/// Games a cell.
const GAMES: usize = 40;
/// Every event is timed so often, and its best time counts: the same event always costs the same work.
const TIMES: usize = 5;

fn main() {
    println!("{:<44} {:>9} {:>9} {:>9} {:>9} {:>10}", "cell", "median", "p99", "p99.9", "worst", "events/s");
    for sensor in [SensorClass::Piece, SensorClass::Colour, SensorClass::Occupancy] {
        for (style, noise) in [(Style::Tidy, 0), (Style::Human, 1), (Style::Human, 2), (Style::Hurried, 2)] {
            for clock in [true, false] {
                let cell = Cell { sensor, style, noise, clock };
                println!("{:<44} {}", format!("{sensor:?} {style:?} noise {noise} clock {clock}"), measure(cell));
            }
        }
    }
    for Storm { name, script } in storm::all() {
        println!("{:<44} {}", format!("storm: {name}"), Cost::of(&[script]));
    }
}

/// What events cost.
struct Cost {
    sorted: Vec<Duration>,
    rate: f64,
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let us = |part: f64| {
            let index = (self.sorted.len() as f64 * part) as usize;
            self.sorted[index.min(self.sorted.len() - 1)].as_secs_f64() * 1e6
        };
        let [median, p99, p999, worst] = [0.5, 0.99, 0.999, 1.0].map(us);
        write!(f, "{median:>6.2} us {p99:>6.1} us {p999:>6.0} us {worst:>6.0} us {:>10.0}", self.rate)
    }
}

fn measure(cell: Cell) -> Cost {
    let all = games::all();
    Cost::of(&(0..GAMES).map(|n| run(&all[n], cell, n as u64 + 1, &[]).script).collect::<Vec<_>>())
}

impl Cost {
    fn of(scripts: &[Vec<Event>]) -> Cost {
        let mut sorted: Vec<Duration> = scripts.iter().flat_map(|script| single(script)).collect();
        sorted.sort();
        let events: usize = scripts.iter().map(Vec::len).sum();
        let whole = (0..TIMES).map(|_| scripts.iter().map(|script| at_once(script)).sum::<Duration>()).min();
        Cost { sorted, rate: events as f64 / whole.unwrap_or_default().as_secs_f64() }
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

/// The cost of a game without a look at the clock between its events.
fn at_once(script: &[Event]) -> Duration {
    let (mut arbiter, mut said) = (Arbiter::new(), Vec::new());
    let start = Instant::now();
    for event in script {
        arbiter.handle(event, &mut said);
        said.clear();
    }
    start.elapsed()
}
