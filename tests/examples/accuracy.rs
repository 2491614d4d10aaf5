//! Prints how well the arbiter records simulated play: `accuracy [GAMES] [FIRST] [verbose]`.

use std::time::Instant;

use arbiter_core::SensorClass;
use arbiter_core::irregularity::Certainty;
use board_driver::hand::{Style, games};
use tests::accuracy::{Cell, run};

fn main() {
    let mut args = std::env::args().skip(1);
    let count: usize = args.next().and_then(|a| a.parse().ok()).unwrap_or(40);
    let first: usize = args.next().and_then(|a| a.parse().ok()).unwrap_or(0);
    let only = args.next();
    println!(
        "{:<38} {:>6} {:>6} {:>7} {:>7} {:>6} {:>9}",
        "cell", "exact", "wrong", "doubts", "certain", "other", "events/s"
    );
    for sensor in [SensorClass::Piece, SensorClass::Colour, SensorClass::Occupancy] {
        for style in [Style::Tidy, Style::Human, Style::Hurried] {
            for noise in [0, 1, 2] {
                for clock in [true, false] {
                    let cell = Cell { sensor, style, noise, clock };
                    let name = format!("{sensor:?} {style:?} noise {noise} clock {clock}");
                    if only.as_ref().is_none_or(|o| name.contains(o.as_str())) {
                        report(cell, &name, first, count, only.is_some());
                    }
                }
            }
        }
    }
}

fn report(cell: Cell, name: &str, first: usize, count: usize, verbose: bool) {
    let (mut exact, mut wrong, mut doubts, mut certain, mut other, mut events) = (0, 0, 0, 0, 0, 0);
    let start = Instant::now();
    let all = games::all();
    for n in first..first + count {
        let outcome = run(&all[n % all.len()], cell, n as u64 + 1, &[]);
        events += outcome.script.len();
        let bad = outcome.wrong_plies();
        wrong += bad;
        exact += usize::from(bad == 0);
        doubts += outcome.doubts();
        let findings = outcome.findings();
        let sure = findings.iter().filter(|f| f.2 == Certainty::Certain).count();
        certain += sure;
        other += findings.len() - sure;
        if verbose && (bad > 0 || !findings.is_empty()) {
            println!("  game {n} seed {}: {bad} wrong; {:?}", n + 1, findings);
        }
    }
    let rate = events as f64 / start.elapsed().as_secs_f64();
    println!("{name:<38} {exact:>6} {wrong:>6} {doubts:>7} {certain:>7} {other:>6} {rate:>9.0}");
}
