//! The simulated hand is physically possible, and ideal sensors see what it does.

#![cfg(feature = "simulators")]

mod support;

use arbiter_core::ruling::GameResult;
use arbiter_core::shakmaty::{Color, Position, Square};
use arbiter_core::{Reading, SensorClass};
use board_driver::hand::games::{self, Game};
use board_driver::hand::{Deed, Options, Performance, Style, perform};
use board_driver::noise::Sensors;
use board_driver::{BoardEvent, Report};
use support::{positions, replayed};

fn play(game: &Game, style: Style, seed: u64) -> Performance {
    perform(
        &game.start,
        &game.moves,
        style,
        seed,
        &[],
        &Options::default(),
    )
}

#[test]
fn every_game_in_every_style_is_physically_possible_and_ends_in_its_last_position() {
    for game in games::all() {
        let last = positions(game).pop().unwrap();
        for style in Style::ALL {
            for seed in 0..4 {
                let played = play(game, style, seed);
                assert_eq!(&replayed(game.start.board(), &played.acts), last.board());
                assert_eq!(played.truth.moves.len(), game.moves.len());
            }
        }
    }
}

#[test]
fn players_press_in_turn_once_a_move() {
    for game in games::all() {
        for style in Style::ALL {
            let acts = play(game, style, 7).acts;
            let presses: Vec<_> = acts
                .iter()
                .filter_map(|a| match a.deed {
                    Deed::Press { by, .. } => Some(by),
                    _ => None,
                })
                .collect();
            assert_eq!(presses.len(), game.moves.len());
            assert!(
                presses
                    .iter()
                    .enumerate()
                    .all(|(i, by)| by.is_white() == (i % 2 == 0))
            );
        }
    }
}

/// What the board reads at every press, as told by the reports alone.
fn readings_at_presses(start: Reading, events: &[BoardEvent]) -> Vec<Reading> {
    let mut reading = start;
    let mut at_presses = Vec::new();
    for event in events {
        match &event.report {
            Report::Changes(changes) => changes
                .iter()
                .for_each(|(sq, seen)| reading.set(*sq, *seen)),
            Report::Press { .. } => at_presses.push(reading),
            _ => {}
        }
    }
    at_presses
}

#[test]
fn ideal_sensors_under_tidy_hands_read_each_position_at_each_press() {
    for class in [
        SensorClass::Piece,
        SensorClass::Colour,
        SensorClass::Occupancy,
    ] {
        for (seed, game) in (0..).zip(games::all()) {
            let played = play(game, Style::Tidy, seed);
            let events = Sensors::new(class, 0, seed).read(game.start.board(), &played.acts);
            let readings = readings_at_presses(class.reads(game.start.board()), &events);
            assert_eq!(readings.len(), game.moves.len());
            for (position, reading) in positions(game)[1..].iter().zip(readings) {
                assert_eq!(reading, class.reads(position.board()));
            }
        }
    }
}

#[test]
fn poor_sensors_come_to_the_last_position_too() {
    for class in [
        SensorClass::Piece,
        SensorClass::Colour,
        SensorClass::Occupancy,
    ] {
        for (seed, game) in (0..).zip(games::all()) {
            for style in Style::ALL {
                let played = play(game, style, seed);
                let level = 2 + (seed % 3) as u8;
                let events =
                    Sensors::new(class, level, seed).read(game.start.board(), &played.acts);
                let mut reading = class.reads(game.start.board());
                for event in &events {
                    if let Report::Changes(changes) = &event.report {
                        changes
                            .iter()
                            .for_each(|(sq, seen)| reading.set(*sq, *seen));
                    }
                }
                assert_eq!(reading, class.reads(positions(game).pop().unwrap().board()));
            }
        }
    }
}

#[test]
fn equal_seeds_give_equal_reports() {
    let game = games::pick(3);
    let report = |seed| {
        let played = play(game, Style::Human, seed);
        Sensors::new(SensorClass::Occupancy, 2, seed).read(game.start.board(), &played.acts)
    };
    assert_eq!(report(5), report(5));
    assert_ne!(report(5), report(6));
}

#[test]
fn the_kings_tell_the_result_on_the_centre_squares() {
    let ended = |game: &&Game| game.result != GameResult::Open;
    for (seed, game) in (0..).zip(games::all().iter().filter(ended)) {
        let options = Options {
            kings_sign: true,
            result: game.result,
            ..Options::default()
        };
        let played = perform(&game.start, &game.moves, Style::Human, seed, &[], &options);
        let board = replayed(game.start.board(), &played.acts);
        let kings = Color::ALL.map(|c| board.king_of(c).unwrap());
        let centre = [Square::D4, Square::E4, Square::D5, Square::E5];
        assert!(kings.iter().all(|sq| centre.contains(sq)), "{board:?}");
        let light = kings.map(Square::is_light);
        match game.result {
            GameResult::WhiteWins => assert_eq!(light, [true, true]),
            GameResult::BlackWins => assert_eq!(light, [false, false]),
            GameResult::Draw | GameResult::Open => assert_ne!(light[0], light[1]),
        }
    }
}
