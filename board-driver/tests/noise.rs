//! What noise does to a game, as a table: a change of the model shows here before it shows anywhere
//! else.

#![cfg(feature = "simulators")]

use std::fmt::Write;

use arbiter_core::shakmaty::Position;
use arbiter_core::{Input, SensorClass, Setup, Symbol};
use board_driver::hand::{Options, Style, games, perform};
use board_driver::noise::{LEVELS, Sensors, script};
use board_driver::{BoardEvent, Report};

/// Counts over twenty games.
#[derive(Default)]
struct Effect {
    lifts: u32,
    places: u32,
    /// Squares that read another piece without having read empty.
    swaps: u32,
    /// Scans in which more than one square changed.
    ties: u32,
    /// Readings that lasted less than 40 ms.
    flickers: u32,
    presses: u32,
    /// Snapshots that tell something new.
    untold: u32,
}

impl Effect {
    fn add(&mut self, class: SensorClass, start: &impl Position, events: &[BoardEvent]) {
        let mut reading = class.reads(start.board());
        let mut changed = [0; 64];
        for event in events {
            let changes = match &event.report {
                Report::Changes(changes) => changes,
                Report::Press { .. } => {
                    self.presses += 1;
                    continue;
                }
                Report::Snapshot(snapshot) => {
                    self.untold += u32::from(*snapshot != reading);
                    reading = *snapshot;
                    continue;
                }
                _ => continue,
            };
            self.ties += u32::from(changes.len() > 1);
            for &(square, seen) in changes {
                let was = reading.at(square);
                assert_ne!(was, seen, "{square} is reported without a change");
                match (was, seen) {
                    (_, Symbol::Empty) => self.lifts += 1,
                    (Symbol::Empty, _) => self.places += 1,
                    _ => self.swaps += 1,
                }
                let since =
                    event.at.0 - std::mem::replace(&mut changed[usize::from(square)], event.at.0);
                self.flickers += u32::from(since < 40 && since < event.at.0);
                reading.set(square, seen);
            }
        }
    }
}

#[test]
fn the_effect_of_noise_by_class_and_level() {
    let mut table =
        String::from("class      level  lifts places swaps ties flickers presses untold\n");
    for class in [
        SensorClass::Piece,
        SensorClass::Colour,
        SensorClass::Occupancy,
    ] {
        for level in 0..LEVELS.len() as u8 {
            let mut effect = Effect::default();
            for (seed, game) in (0..20).zip(games::sample(games::CROSS_SECTION)) {
                let played = perform(
                    &game.start,
                    &game.moves,
                    Style::Human,
                    seed,
                    &[],
                    &Options::default(),
                );
                let events =
                    Sensors::new(class, level, seed).read(game.start.board(), &played.acts);
                effect.add(class, &game.start, &events);
            }
            let Effect {
                lifts,
                places,
                swaps,
                ties,
                flickers,
                presses,
                untold,
            } = effect;
            let name = format!("{class:?}");
            writeln!(
                table,
                "{name:<10} {level:>5} {lifts:>6} {places:>6} {swaps:>5} {ties:>4} {flickers:>8} \
                 {presses:>7} {untold:>6}"
            )
            .unwrap();
        }
    }
    assert_eq!(
        table, TABLE,
        "\nif the change is meant, the table is now:\n{table}"
    );
}

const TABLE: &str = "\
class      level  lifts places swaps ties flickers presses untold
Piece          0   1704   1467    12   48       46    1116      0
Piece          1   2056   1819    14   70      768    1116      0
Piece          2   2098   1861    12   97      798    1116      0
Piece          3   2043   1806    10   74      737    1116      0
Piece          4   2014   1777    37   75      704    1116      0
Piece          5   2039   1802    10   74      733    1116      0
Piece          6   2036   1792    12   79      736    1116      7
Colour         0   1704   1467    12   48       46    1116      0
Colour         1   2056   1819    14   70      768    1116      0
Colour         2   2098   1861    12   97      798    1116      0
Colour         3   2043   1806    10   74      737    1116      0
Colour         4   2014   1777    37   75      704    1116      0
Colour         5   2039   1802    10   74      733    1116      0
Colour         6   2036   1792    12   79      736    1116      7
Occupancy      0   1704   1467     0   48       46    1116      0
Occupancy      1   2056   1819     0   70      765    1116      0
Occupancy      2   2098   1861     0   97      796    1116      0
Occupancy      3   2043   1806     0   73      735    1116      0
Occupancy      4   2014   1777     0   75      704    1116      0
Occupancy      5   2039   1802     0   73      731    1116      0
Occupancy      6   2036   1792     0   79      734    1116      7
";

/// The last level of all: what no change tells is in a snapshot.
#[test]
fn snapshots_tell_what_changes_do_not_and_in_the_end_the_whole_board() {
    let (class, mut only_there) = (SensorClass::Piece, 0);
    for (seed, game) in (0..).zip(games::sample(60)) {
        let (moves, options) = (&game.moves, Options::default());
        let played = perform(&game.start, moves, Style::Hurried, seed, &[], &options);
        let events = Sensors::new(class, LEVELS.len() as u8 - 1, seed)
            .read(game.start.board(), &played.acts);
        let mut reading = class.reads(game.start.board());
        for event in &events {
            match &event.report {
                Report::Changes(changes) => changes
                    .iter()
                    .for_each(|(square, seen)| reading.set(*square, *seen)),
                Report::Snapshot(snapshot) => {
                    only_there += u32::from(reading != *snapshot);
                    reading = *snapshot;
                }
                _ => {}
            }
        }
        let mut last = game.start.clone();
        moves.iter().for_each(|mv| last.play_unchecked(*mv));
        assert_eq!(reading, class.reads(last.board()), "seed {seed}");
    }
    assert!(only_there >= 10, "{only_there}");
}

#[test]
fn time_never_runs_backwards_and_a_press_follows_the_changes_of_its_moment() {
    for (seed, game) in (0..).zip(games::sample(games::CROSS_SECTION)) {
        let played = perform(
            &game.start,
            &game.moves,
            Style::Hurried,
            seed,
            &[],
            &Options::default(),
        );
        let events =
            Sensors::new(SensorClass::Colour, 2, seed).read(game.start.board(), &played.acts);
        for pair in events.windows(2) {
            assert!(pair[0].at <= pair[1].at);
            let press_first = matches!(pair[0].report, Report::Press { .. });
            let changes_after = matches!(pair[1].report, Report::Changes(_));
            assert!(!(press_first && changes_after && pair[0].at == pair[1].at));
        }
    }
}

#[test]
fn a_script_begins_with_the_setup_and_tells_every_change_in_the_symbols_of_the_class() {
    let game = games::pick(11);
    let played = perform(
        &game.start,
        &game.moves,
        Style::Human,
        1,
        &[],
        &Options::default(),
    );
    let setup = Setup::new(SensorClass::Occupancy);
    let events = Sensors::new(SensorClass::Occupancy, 1, 1).read(game.start.board(), &played.acts);
    let script = script(setup.clone(), &events);
    assert_eq!(script[0].input, Input::Setup(setup.into()));
    let told = events.iter().map(|e| e.inputs().len()).sum::<usize>();
    assert_eq!(script.len(), told + 1);
    let coarse =
        |input: &Input| !matches!(input, Input::Place { seen, .. } if *seen != Symbol::Something);
    assert!(script.iter().all(|e| coarse(&e.input)));
}
