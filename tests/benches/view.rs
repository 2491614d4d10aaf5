//! What it costs to show a board: `cargo bench -p tests --bench view`.
//!
//! A game of two hundred plies is followed event by event. After each the view is made twice: whole
//! ([`Arbiter::view`]), and as the daemon makes it, with what did not change taken from the view
//! before ([`hall::view`]). Each event counts with the best of its times, which other work on the
//! machine disturbs least; the table has their mean and their worst.

use std::fmt;
use std::hint::black_box;
use std::time::{Duration, Instant};

use arbiter_core::irregularity::Code;
use arbiter_core::{Arbiter, Event, SensorClass};
use board_driver::hand::games::Game;
use board_driver::hand::{Style, games};
use daemon::hall;
use tests::accuracy::{Cell, evidence};

/// A hundred moves.
const PLIES: usize = 200;
/// What a view may cost on average.
const GOAL: Duration = Duration::from_micros(5);
/// Every event is timed so often, and its best time counts.
const TIMES: usize = 5;

fn main() {
    let long = |game: &&Game| game.moves.len() >= PLIES;
    let game = games::all().iter().find(long).expect("a long game");
    let game = Game {
        moves: game.moves[..PLIES].to_vec(),
        ..game.clone()
    };
    println!(
        "{:<46} {:>6}  {:<22} {:<22}",
        "200 plies", "events", "whole: mean, worst", "changed: mean, worst"
    );
    for (name, cell, breaches) in cases() {
        let (script, _) = evidence(&game, cell, 7, &breaches);
        let [whole, changed] = costs(&script);
        let goal = match changed.mean() < GOAL {
            true => "met",
            false => "missed",
        };
        let events = script.len();
        println!("{name:<46} {events:>6}  {whole:<22} {changed:<22} goal of 5 us: {goal}");
    }
}

type Case = (String, Cell, Vec<(Code, u32)>);

/// With and without a clock, with and without a breach every dozen plies.
fn cases() -> impl Iterator<Item = Case> {
    let codes = [Code::TouchMoveOwnPiece, Code::TouchMoveOpponentPiece];
    let plies = (15..PLIES as u32).step_by(12);
    let breaches: Vec<_> = codes.into_iter().cycle().zip(plies).collect();
    let hands = [
        (SensorClass::Piece, Style::Tidy, 0, true),
        (SensorClass::Occupancy, Style::Human, 1, true),
        (SensorClass::Occupancy, Style::Tidy, 0, false),
    ];
    hands
        .into_iter()
        .flat_map(move |(sensor, style, noise, clock)| {
            [vec![], breaches.clone()].map(|breaches| {
                let cell = Cell {
                    sensor,
                    style,
                    noise,
                    clock,
                };
                let clock = if clock { "clock" } else { "no clock" };
                let broken = if breaches.is_empty() {
                    ""
                } else {
                    ", breaches"
                };
                (
                    format!("{sensor:?}, {style:?} hands, noise {noise}, {clock}{broken}"),
                    cell,
                    breaches,
                )
            })
        })
}

/// What the views of a game cost, event by event.
struct Cost(Vec<Duration>);

impl Cost {
    fn mean(&self) -> Duration {
        self.0.iter().sum::<Duration>() / self.0.len() as u32
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let worst = self.0.iter().max().copied().unwrap_or_default();
        let [mean, worst] = [self.mean(), worst].map(|time| time.as_secs_f64() * 1e6);
        f.pad(&format!("{mean:.2} us, {worst:.0} us"))
    }
}

/// The whole view after every event, and the view that takes from the one before what it can.
fn costs(script: &[Event]) -> [Cost; 2] {
    let mut best = [
        vec![Duration::MAX; script.len()],
        vec![Duration::MAX; script.len()],
    ];
    for _ in 0..TIMES {
        let (mut arbiter, mut shown) = (Arbiter::new(), None);
        for (n, event) in script.iter().enumerate() {
            arbiter.handle(event, &mut Vec::new());
            let start = Instant::now();
            drop(black_box(arbiter.view()));
            best[0][n] = start.elapsed().min(best[0][n]);
            let start = Instant::now();
            // The one before is dropped within the time: the daemon drops it as well.
            shown = hall::view(&arbiter, shown.as_ref());
            best[1][n] = start.elapsed().min(best[1][n]);
        }
        assert!(shown.is_some_and(|view| Some(view.plies.len()) == plies(&arbiter)));
    }
    best.map(Cost)
}

fn plies(arbiter: &Arbiter) -> Option<usize> {
    arbiter.view().map(|view| view.plies.len())
}
