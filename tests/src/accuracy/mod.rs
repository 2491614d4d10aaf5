//! Real games by simulated hands on simulated sensors, straight through the arbiter: is the record
//! what was played?
//!
//! [`run`] plays one game in one [`Cell`]. The bench `accuracy` plays many in every
//! [`cases::Case`]: [`source`] gives it games, [`judge`] judges each, [`tally`] sums them up,
//! [`mod@bench`] spreads the work, [`report`] prints it, [`earlier`]
//! takes up what was printed, [`goals`] says what is to be reached and
//! [`reached`] what has been, and [`baseline`] reads the same evidence in three simpler ways.

pub mod baseline;
pub mod bench;
pub mod cases;
pub mod decidable;
pub mod earlier;
pub mod findings;
pub mod goals;
pub mod judge;
pub mod options;
pub mod progress;
pub mod reached;
pub mod report;
pub mod source;
pub mod tables;
pub mod tally;

use arbiter_core::input::Setup;
use arbiter_core::irregularity::{Certainty, Code};
use arbiter_core::ruling::{Ruling, Summary};
use arbiter_core::shakmaty::Position;
use arbiter_core::time::Time;
use arbiter_core::{Announcement, Event, Input, SensorClass};
use board_driver::hand::games::Game;
use board_driver::hand::{Breach, Options, Performance, Style, perform};
use board_driver::noise::{Sensors, script};
use board_driver::{BoardEvent, Report};
use daemon::mating::Follower;

/// One kind of board, hand and clock.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    /// What the sensors tell.
    pub sensor: SensorClass,
    /// Who plays.
    pub style: Style,
    /// How bad the sensors are: 0, 1 or 2.
    pub noise: u8,
    /// Whether a clock is pressed.
    pub clock: bool,
}

/// What became of one game.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The event script that repeats it.
    pub script: Vec<Event>,
    /// What was really played and broken.
    pub played: Performance,
    /// Everything the arbiter said.
    pub said: Vec<Announcement>,
}

/// Plays `game` in `cell` and asks the arbiter.
pub fn run(game: &Game, cell: Cell, seed: u64, breaches: &[(Code, u32)]) -> Outcome {
    let (script, played) = evidence(game, cell, seed, breaches);
    let said = rule(&script);
    Outcome {
        script,
        played,
        said,
    }
}

/// What the sensors tell of `game` in `cell`, and what was really played.
pub fn evidence(
    game: &Game,
    cell: Cell,
    seed: u64,
    breaches: &[(Code, u32)],
) -> (Vec<Event>, Performance) {
    let options = Options {
        clock: cell.clock,
        result: game.result,
        ..Options::default()
    };
    let played = perform(
        &game.start,
        &game.moves,
        cell.style,
        seed,
        breaches,
        &options,
    );
    (told(game, cell, seed, &played), played)
}

/// What the sensors of `cell` tell of a performance that began with `game`.
pub fn told(game: &Game, cell: Cell, seed: u64, played: &Performance) -> Vec<Event> {
    let mut sensors = Sensors::new(cell.sensor, cell.noise, seed);
    let mut reports = sensors.read(&played.start, &played.acts);
    if played.start != *game.start.board() {
        // A board that does not stand as the arbiter was told says how it stands.
        let reading = cell.sensor.reads(&played.start);
        let first = BoardEvent {
            at: Time::ZERO,
            report: Report::Snapshot(reading),
        };
        reports.insert(0, first);
    }
    let mut script = script(
        Setup {
            clock: cell.clock,
            ..game.setup(cell.sensor)
        },
        &reports,
    );
    let end = script.last().map_or(Time::ZERO, |e| e.at);
    script.push(Event {
        at: end + 20_000,
        input: Input::Tick,
    });
    script
}

/// The command that prints the event script of [`run`] again.
pub fn command(game: usize, cell: Cell, seed: u64, breaches: &[(Code, u32)]) -> String {
    let [sensor, style] =
        [format!("{:?}", cell.sensor), format!("{:?}", cell.style)].map(|name| name.to_lowercase());
    let noise = cell.noise;
    let clock = if cell.clock { "" } else { " --no-clock" };
    let breaches: String = breaches
        .iter()
        .map(|(code, ply)| format!(" --breach {code}@{ply}"))
        .collect();
    format!(
        "cargo run -p board-driver --example perform -- --game {game} --sensor {sensor} --hand \
        {style} \
         --noise {noise} --seed {seed}{clock}{breaches}"
    )
}

/// What the arbiter says to a script.
pub fn rule(script: &[Event]) -> Vec<Announcement> {
    let (mut follower, mut said) = (Follower::new(), Vec::new());
    for event in script {
        let _told_as_rulings = follower.handle(event, &mut said);
    }
    follower.finish(&mut said);
    said
}

impl Outcome {
    /// Every record that was made of what was played on the board.
    pub fn summaries(&self) -> impl Iterator<Item = &Summary> {
        self.said.iter().filter_map(|said| match &said.ruling {
            Ruling::Summary(summary) => Some(summary),
            _ => None,
        })
    }

    /// The game as the arbiter has it in the end.
    pub fn summary(&self) -> Option<&Summary> {
        match self.said.last().map(|said| &said.ruling) {
            Some(Ruling::Summary(summary)) => Some(summary),
            _ => None,
        }
    }

    /// Plies of the truth that the record does not hold, and plies of the record that were never
    /// played.
    pub fn wrong_plies(&self) -> usize {
        let Some(summary) = self.summary() else {
            return usize::MAX;
        };
        let (truth, record) = (&self.played.truth.moves, &summary.moves);
        let wrong = |(n, m): (usize, &_)| {
            !summary.doubts.contains(&(n as u32 + 1)) && truth.get(n) != Some(m)
        };
        let extra = record
            .iter()
            .enumerate()
            .filter(|&(n, m)| wrong((n, m)))
            .count();
        extra + truth.len().saturating_sub(record.len())
    }

    /// Irregularities raised and not withdrawn, with what was really broken at that ply, if
    /// anything.
    pub fn findings(&self) -> Vec<(Code, u32, Certainty, bool)> {
        let withdrawn = |id: u32| {
            self.said
                .iter()
                .any(|a| matches!(a.ruling, Ruling::Withdrawn { id: w } if w == id))
        };
        let raised = self.said.iter().filter_map(|a| match &a.ruling {
            Ruling::Irregularity(i) if !withdrawn(i.id) => {
                let real = self.played.truth.breaches.iter().any(|b| b.ply == i.ply);
                Some((i.code, i.ply, i.certainty, real))
            }
            _ => None,
        });
        raised.collect()
    }

    /// Breaches that were committed and not found under their own name.
    pub fn missed(&self) -> Vec<Breach> {
        let found = self.findings();
        let breaches = self.played.truth.breaches.iter().copied();
        breaches
            .filter(|b| {
                !found
                    .iter()
                    .any(|(code, ply, ..)| *code == b.code && *ply == b.ply)
            })
            .collect()
    }
}
