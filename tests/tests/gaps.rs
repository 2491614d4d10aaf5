//! Boards that lose their power in mid-game: what happened meanwhile nobody saw, and then the board
//! says how it stands. The record holds what was played or says that it is in doubt, and nobody is
//! accused of what the gap hides.

use arbiter_core::irregularity::Certainty;
use arbiter_core::symbol::{Reading, Symbol};
use arbiter_core::{Event, Input, SensorClass, Time};
use board_driver::hand::{Style, games};
use tests::accuracy::cases::CLASSES;
use tests::accuracy::{Cell, Outcome, evidence, rule};

/// How long nothing is seen, in milliseconds, from less than a move to several; and of the games
/// of all classes of sensors by tidy and human hands, with a clock and without: how many may have a
/// ply that is wrong though nothing is in doubt before it, how many a finding that is `likely`, and
/// how many one that is `certain`.
const OUTAGES: [(u64, [Most; 2]); 4] = [
    (1_500, [most(0, 0, 0), most(0, 0, 0)]),
    (5_000, [most(1, 7, 0), most(1, 1, 0)]),
    (15_000, [most(7, 11, 0), most(22, 11, 0)]),
    (45_000, [most(4, 9, 0), most(15, 7, 0)]),
];

/// The same where a board comes back and repeats its picture but for one square at most, and what
/// it hid is one press and what was told just before and after it, in two places of every game.
const UNHEARD: Most = most(5, 2, 0);

/// What is hidden with a press: so many events before it, and so many after it, at most.
const BESIDE: (usize, usize) = (3, 2);

/// One game of so many is played.
const EVERY: usize = 2;

/// What may be wrong in so many games, and no more.
#[derive(Clone, Copy, Default, Debug)]
struct Most {
    made_up: usize,
    likely: usize,
    certain: usize,
}

const fn most(made_up: usize, likely: usize, certain: usize) -> Most {
    Most {
        made_up,
        likely,
        certain,
    }
}

/// What every square reads after `script`, where it read `reading` before.
fn reading_after(mut reading: Reading, script: &[Event]) -> Reading {
    for event in script {
        match &event.input {
            Input::Lift { square } => reading.set(*square, Symbol::Empty),
            Input::Place { square, seen } => reading.set(*square, *seen),
            Input::Snapshot { board } => reading = **board,
            _ => {}
        }
    }
    reading
}

/// `script` without what the board told from `from` on for `outage` milliseconds; then how it
/// stands. What people say is heard all the same.
fn without(start: Reading, script: &[Event], from: Time, outage: u64) -> Vec<Event> {
    let until = from + outage;
    let seen = script.partition_point(|event| event.at <= from);
    let last = script.partition_point(|event| event.at <= until);
    let snapshot = |at, board| Event {
        at,
        input: Input::Snapshot {
            board: Box::new(board),
        },
    };
    let is_said = |event: &&Event| matches!(event.input, Input::Adjust { .. });
    let mut told = script[..seen].to_vec();
    told.insert(1, snapshot(Time::ZERO, start));
    told.extend(script[seen..last].iter().filter(is_said).cloned());
    told.push(snapshot(until, reading_after(start, &script[..last])));
    told.extend_from_slice(&script[last..]);
    told
}

/// What a short outage hides around the press that is event `press` of `script`: as much as leaves
/// the board reading as it did but for one square, and every other press heard.
fn around(start: Reading, script: &[Event], press: usize) -> Option<(usize, usize)> {
    let is_press = |n: usize| matches!(script[n].input, Input::Press { .. });
    let first = (press.saturating_sub(BESIDE.0)..press).rev();
    let first = first.take_while(|n| *n > 0 && !is_press(*n));
    let last = (press + 1..script.len()).take(BESIDE.1);
    let last: Vec<usize> = last.take_while(|n| !is_press(*n)).collect();
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for from in [press].into_iter().chain(first) {
        ranges.extend(last.iter().chain([&press]).map(|to| (from, to + 1)));
    }
    ranges.sort_by_key(|(from, to)| from + script.len() - to);
    let repeats = |(from, to): &(usize, usize)| {
        let before = reading_after(start, &script[..*from]);
        let after = reading_after(before, &script[*from..*to]);
        before.differs_from(&after).count() <= 1
    };
    ranges.into_iter().find(repeats)
}

/// `script` with such an outage around its press number `nth`, counted from 0.
fn without_press(start: Reading, script: &[Event], nth: usize) -> Option<Vec<Event>> {
    let is_press = |n: &usize| matches!(script[*n].input, Input::Press { .. });
    let press = (0..script.len()).filter(is_press).nth(nth)?;
    let (from, to) = around(start, script, press)?;
    let snapshot = |at, board| Event {
        at,
        input: Input::Snapshot {
            board: Box::new(board),
        },
    };
    let mut told = script[..from].to_vec();
    told.insert(1, snapshot(Time::ZERO, start));
    told.push(snapshot(
        script[to - 1].at,
        reading_after(start, &script[..to]),
    ));
    told.extend_from_slice(&script[to..]);
    Some(told)
}

fn play(cell: Cell, n: usize, outage: u64) -> Outcome {
    let game = &games::sample(games::CROSS_SECTION)[n];
    let (script, played) = evidence(game, cell, n as u64 + 1, &[]);
    let end = script.last().map_or(Time::ZERO, |event| event.at);
    // Somewhere in the first two thirds, elsewhere in every game.
    let part = (n as u64 * 37 + outage) % 100;
    let from = Time::ZERO + (5_000 + (end.since(Time::ZERO) - 5_000) * part * 2 / 300);
    let script = without(cell.sensor.reads(&played.start), &script, from, outage);
    let said = rule(&script);
    Outcome {
        script,
        played,
        said,
    }
}

/// The first ply that is wrong, and neither it nor one before it is in doubt.
fn made_up(outcome: &Outcome) -> Option<usize> {
    let (summary, truth) = (outcome.summary()?, &outcome.played.truth.moves);
    let right = |n: usize| summary.moves.get(n) == truth.get(n);
    let wrong = (0..summary.moves.len()).find(|n| !right(*n))?;
    let doubted = summary.doubts.iter().any(|ply| *ply as usize <= wrong + 1);
    (!doubted).then_some(wrong + 1)
}

#[test]
fn what_a_gap_hides_is_found_or_in_doubt() {
    let count = games::sample(games::CROSS_SECTION).len();
    for (outage, allowed) in OUTAGES {
        for (clock, allowed) in [true, false].into_iter().zip(allowed) {
            let (mut all, mut told) = (Most::default(), String::new());
            for (sensor, style) in cells() {
                let cell = Cell {
                    sensor,
                    style,
                    noise: 0,
                    clock,
                };
                for n in (0..count).step_by(EVERY) {
                    let outcome = play(cell, n, outage);
                    let (findings, wrong) = (outcome.findings(), made_up(&outcome));
                    let is = |wanted| findings.iter().any(|(.., c, _)| *c == wanted);
                    let (likely, certain) = (is(Certainty::Likely), is(Certainty::Certain));
                    all.made_up += usize::from(wrong.is_some());
                    all.likely += usize::from(likely);
                    all.certain += usize::from(certain);
                    if likely || certain || wrong.is_some() {
                        told += &format!("{sensor:?} {style:?} game {n}: {wrong:?} {findings:?}\n");
                    }
                }
            }
            assert!(
                all.made_up <= allowed.made_up
                    && all.likely <= allowed.likely
                    && all.certain <= allowed.certain,
                "{outage} ms, clock {clock}: {all:?} where {allowed:?} may be\n{told}"
            );
            println!("{outage} ms, clock {clock}: {all:?}");
        }
    }
}

#[test]
fn a_press_that_was_not_heard_is_found_or_in_doubt() {
    let games = games::sample(games::CROSS_SECTION);
    let (mut all, mut told, mut count) = (Most::default(), String::new(), 0);
    for (sensor, style) in cells() {
        let cell = Cell {
            sensor,
            style,
            noise: 1,
            clock: true,
        };
        for (n, game) in games.iter().enumerate().step_by(EVERY) {
            let (script, played) = evidence(game, cell, n as u64 + 1, &[]);
            let start = cell.sensor.reads(&played.start);
            // Somewhere after the first moves, elsewhere in every game.
            let presses = [2 + n * 7 % 20, 23 + n * 11 % 30];
            for nth in presses {
                let Some(script) = without_press(start, &script, nth) else {
                    continue;
                };
                let outcome = Outcome {
                    said: rule(&script),
                    script,
                    played: played.clone(),
                };
                let (findings, wrong) = (outcome.findings(), made_up(&outcome));
                let is = |wanted| findings.iter().any(|(.., c, _)| *c == wanted);
                let (likely, certain) = (is(Certainty::Likely), is(Certainty::Certain));
                count += 1;
                all.made_up += usize::from(wrong.is_some());
                all.likely += usize::from(likely);
                all.certain += usize::from(certain);
                if likely || certain || wrong.is_some() {
                    told += &format!(
                        "{sensor:?} {style:?} game {n}, press {nth}: {wrong:?} {findings:?}\n"
                    );
                }
            }
        }
    }
    assert!(
        all.made_up <= UNHEARD.made_up
            && all.likely <= UNHEARD.likely
            && all.certain == UNHEARD.certain,
        "{count} presses: {all:?} where {UNHEARD:?} may be\n{told}"
    );
    println!("{count} presses: {all:?}");
}

/// Every class of sensors, with tidy hands and with human ones.
fn cells() -> impl Iterator<Item = (SensorClass, Style)> {
    let styles = [Style::Tidy, Style::Human];
    CLASSES
        .into_iter()
        .flat_map(move |sensor| styles.map(|style| (sensor, style)))
}
