//! Whatever happens on a board, what awaits the arbiter and what is kept of it stay small.

use std::time::{Duration, Instant};

use allocation_counter::measure;
use arbiter_core::input::Edition;
use arbiter_core::view::FindingStatus;
use arbiter_core::{Arbiter, Event, SensorClass};
use tests::wild::{Habit, Wild};

/// Events of all boards together.
const EVENTS: usize = 200_000;
/// Findings that wait for the arbiter at once, and findings kept, as docs/inference.md says.
const MOST_OPEN: usize = 24;
const MOST_FINDINGS: usize = 64;
/// Doubts that are open at once.
const MOST_DOUBTS: usize = 48;
/// What the arbiter of a board may hold, in bytes.
const MOST_HELD: i64 = 512 * 1024;
/// After so many events what is kept is looked at.
const LOOK: usize = 250;

/// What was the most of a board.
#[derive(Debug, Default)]
struct Most {
    open: usize,
    findings: usize,
    doubts: usize,
    plies: usize,
    held: i64,
    /// With what a single event takes while it is heard.
    peak: i64,
    slowest: Duration,
}

/// Follows hands for so many events.
fn follow(mut wild: Wild, events: usize) -> Most {
    let mut arbiter = Arbiter::new();
    let (mut most, mut held) = (Most::default(), 0);
    for _ in 0..events / LOOK {
        let chunk: Vec<Event> = wild.by_ref().take(LOOK).collect();
        let counted = measure(|| {
            for event in &chunk {
                let began = Instant::now();
                arbiter.handle(event, &mut Vec::new());
                most.slowest = most.slowest.max(began.elapsed());
            }
        });
        most.peak = most.peak.max(held + counted.bytes_max as i64);
        held += counted.bytes_current;
        most.held = most.held.max(held);
        let Some(view) = arbiter.view() else { continue };
        let open = view
            .findings
            .iter()
            .filter(|f| f.status == FindingStatus::Open);
        most.open = most.open.max(open.count());
        most.findings = most.findings.max(view.findings.len());
        most.doubts = most.doubts.max(view.doubts.len());
        most.plies = most.plies.max(view.plies.len());
    }
    most
}

#[test]
fn nothing_grows_without_end() {
    let mut cells = Vec::new();
    for sensor in [
        SensorClass::Piece,
        SensorClass::Colour,
        SensorClass::Occupancy,
    ] {
        for clock in [true, false] {
            for habit in Habit::ALL {
                // A rest has no end under the Laws before 2014: nothing ends a game by itself.
                let laws = if clock {
                    Edition::Fide2009
                } else {
                    Edition::default()
                };
                cells.push((sensor, clock, laws, habit));
            }
        }
    }
    let each = EVENTS / cells.len() / LOOK * LOOK;
    let mut grown = Vec::new();
    for (sensor, clock, laws, habit) in cells {
        let began = Instant::now();
        let most = follow(Wild::new(sensor, clock, laws, habit, 1), each);
        println!(
            "{sensor:?} clock {clock} {habit:?}: {most:?}, {:?}",
            began.elapsed()
        );
        let is_small = most.open <= MOST_OPEN
            && most.findings <= MOST_FINDINGS
            && most.doubts <= MOST_DOUBTS
            && most.held <= MOST_HELD;
        if !is_small {
            grown.push((sensor, clock, habit, most));
        }
    }
    assert!(grown.is_empty(), "{grown:#?}");
}
