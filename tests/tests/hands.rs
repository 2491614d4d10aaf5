//! Every game carried with the program, by simulated hands on simulated sensors: the record is the
//! game, and nobody is accused of what was not done. Straight into the arbiter; `pipeline.rs` goes
//! the whole way. The short form plays a part of the games, another one on each board.

use std::panic::{AssertUnwindSafe, catch_unwind};

use arbiter_core::SensorClass;
use arbiter_core::irregularity::{Certainty, Code};
use arbiter_core::ruling::Ruling;
use board_driver::hand::{BREACHES, Style, games};
use tests::accuracy::cases::{CLASSES, is_observable};
use tests::accuracy::{Cell, Outcome, command, run};
use tests::form;

/// One game on one board.
struct Play {
    game: usize,
    cell: Cell,
    seed: u64,
    breaches: Vec<(Code, u32)>,
}

impl Play {
    fn run(&self) -> Outcome {
        run(
            &games::sample(games::CROSS_SECTION)[self.game],
            self.cell,
            self.seed,
            &self.breaches,
        )
    }

    fn complaint(&self, what: &str) -> String {
        let Play {
            game,
            cell,
            seed,
            breaches,
        } = self;
        format!("{what}\n  {}", command(*game, *cell, *seed, breaches))
    }
}

/// Judges all of them on all cores, and fails with what is wrong.
fn judge(plays: &[Play], what_is_wrong: fn(&Play) -> Vec<String>) {
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let judge_one = move |play: &Play| {
        let judged = catch_unwind(AssertUnwindSafe(|| what_is_wrong(play)));
        judged.unwrap_or_else(|_| vec![play.complaint("the arbiter panics")])
    };
    let complaints: Vec<String> = std::thread::scope(|scope| {
        let parts = plays.chunks(plays.len().div_ceil(cores));
        let judges: Vec<_> = parts
            .map(|part| scope.spawn(move || part.iter().flat_map(judge_one).collect::<Vec<_>>()))
            .collect();
        judges
            .into_iter()
            .flat_map(|judge| judge.join().expect("a judge"))
            .collect()
    });
    assert!(
        complaints.is_empty(),
        "{} complaints:\n{}",
        complaints.len(),
        complaints.join("\n")
    );
}

fn cells(styles: &[Style], levels: &[u8]) -> Vec<Cell> {
    let mut cells = Vec::new();
    for sensor in CLASSES {
        for style in styles {
            cells.extend(levels.iter().map(|&noise| Cell {
                sensor,
                style: *style,
                noise,
                clock: true,
            }));
        }
    }
    cells
}

/// Plies of the record that are in doubt and are no promotions.
fn doubtful(outcome: &Outcome) -> Vec<u32> {
    let Some(Ruling::Summary(summary)) = outcome.said.last().map(|said| &said.ruling) else {
        return vec![0];
    };
    let truth = &outcome.played.truth.moves;
    let promotes = |ply: &u32| {
        truth
            .get(*ply as usize - 1)
            .is_some_and(|played| played.to_string().len() == 5)
    };
    summary
        .doubts
        .iter()
        .copied()
        .filter(|ply| !promotes(ply))
        .collect()
}

/// Findings that are certain and rest on no breach of that name and ply.
fn accused(play: &Play, outcome: &Outcome) -> Vec<String> {
    let done = &outcome.played.truth.breaches;
    let mut complaints = Vec::new();
    for (code, ply, certainty, _) in outcome.findings() {
        let is_real = done
            .iter()
            .any(|breach| breach.code == code && breach.ply == ply);
        if certainty == Certainty::Certain && !is_real {
            complaints.push(play.complaint(&format!("{code} at ply {ply} is called certain")));
        }
    }
    complaints
}

fn faithful(play: &Play) -> Vec<String> {
    let outcome = play.run();
    let mut complaints = Vec::new();
    let wrong = outcome.wrong_plies();
    if wrong > 0 {
        complaints.push(play.complaint(&format!("{wrong} plies are wrong or missing")));
    }
    if play.cell.sensor != SensorClass::Occupancy {
        let doubtful = doubtful(&outcome).into_iter();
        complaints.extend(doubtful.map(|ply| play.complaint(&format!("ply {ply} is in doubt"))));
    }
    complaints.extend(accused(play, &outcome));
    complaints
}

#[test]
fn every_game_is_recorded_as_it_was_played() {
    let (mut plays, games) = (Vec::new(), games::sample(games::CROSS_SECTION).len());
    let (mut first, every) = (0, form::every(3));
    for cell in cells(&[Style::Tidy, Style::Human, Style::Hurried], &[0, 1]) {
        let play = |game| Play {
            game,
            cell,
            seed: game as u64 + 1,
            breaches: Vec::new(),
        };
        first = (first + 1) % every;
        plays.extend((first..games).step_by(every).map(play));
    }
    judge(&plays, faithful);
    let on_occupancy = plays
        .iter()
        .filter(|play| play.cell.sensor == SensorClass::Occupancy);
    let in_doubt: usize = on_occupancy.map(|play| doubtful(&play.run()).len()).sum();
    assert!(
        in_doubt <= MOST_DOUBTS / every,
        "{in_doubt} plies are in doubt without need"
    );
}

/// Plies of all games on occupancy boards that may be left in doubt, though the record has them
/// right; of a part of the games as many less.
const MOST_DOUBTS: usize = 12;

fn found(play: &Play) -> Vec<String> {
    let outcome = play.run();
    let missed = outcome.missed().into_iter();
    let mut complaints: Vec<String> = missed
        .map(|breach| {
            play.complaint(&format!(
                "{} at ply {} is not told",
                breach.code, breach.ply
            ))
        })
        .collect();
    complaints.extend(accused(play, &outcome));
    complaints
}

#[test]
fn every_breach_is_found_under_its_own_name() {
    let (mut plays, games) = (Vec::new(), games::sample(games::CROSS_SECTION).len());
    // Another part of the games for each breach.
    let (mut first, every) = (0, form::every(9));
    for cell in cells(&[Style::Tidy, Style::Human], &[0, 1]) {
        for code in BREACHES
            .into_iter()
            .filter(|code| is_observable(*code, cell.sensor))
        {
            let play = |game| Play {
                game,
                cell,
                seed: game as u64 + 1,
                breaches: vec![(code, 6 + game as u32 % 20)],
            };
            first = (first + 1) % every;
            plays.extend((first..games).step_by(every).map(play));
        }
    }
    for code in BREACHES {
        let committed = |play: &&Play| {
            play.breaches[0].0 == code && !play.run().played.truth.breaches.is_empty()
        };
        assert!(
            plays.iter().any(|play| committed(&play)),
            "{code} is never committed"
        );
    }
    judge(&plays, found);
}
