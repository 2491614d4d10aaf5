//! Games on the real firmware: a Cortex-M image in QEMU between a simulated sensor array and the
//! daemon. Records, findings and PGN equal what was played, whatever happens to the board
//! meanwhile.

mod chip;
mod hall;

use std::time::Duration;

use arbiter_core::SensorClass::{Colour, Occupancy};
use arbiter_core::irregularity::Code;
use arbiter_core::shakmaty::Bitboard;
use board_driver::hand::{Deed, Style};
use serde_json::Value;
use tests::cortex::Step;

use crate::hall::{Hall, Play, Seat};

/// No wait takes longer.
const PATIENCE: Duration = Duration::from_secs(90);

/// So much happens at an array in some two moves.
const MEANWHILE: usize = 16;

/// How many times faster than the world is played.
const PACE: u64 = 16;

#[test]
fn games_are_recorded_as_they_were_played() {
    let breaches = vec![
        (Code::TouchMoveOwnPiece, 7),
        (Code::IllegalMove, 12),
        (Code::ClockPressedWithoutMove, 16),
    ];
    let mut hall = Hall::open(vec![
        Seat::new(Play {
            style: Style::Tidy,
            breaches,
            ..Play::of(Occupancy, 11)
        }),
        Seat::new(Play::of(Occupancy, 28)),
        Seat::new(Play::of(Colour, 42)),
    ]);
    hall.play_to_the_end();
    hall.dismiss();
    hall.read_back();
}

/// When a piece is halfway between its squares for the first time in half-move `ply`.
fn in_the_air(seat: &Seat, ply: u32) -> u64 {
    let acts = &seat.played.acts;
    let before = acts
        .iter()
        .filter(|act| matches!(act.deed, Deed::Press { .. }))
        .nth(ply as usize - 2);
    let begun = before.map_or(0, |press| press.at.0);
    let lift = acts
        .iter()
        .position(|act| act.at.0 > begun && matches!(act.deed, Deed::LiftPiece(..)));
    let lift = lift.expect("a piece is lifted");
    (acts[lift].at.0 + acts[lift + 1].at.0) / 2 + Seat::OFFSET
}

/// A board that was started anew is silent until its host, having heard nothing for 1.5 s, asks
/// again. One that is reset before that has forgotten what it kept: by then, nobody has heard it.
const HEARD_AGAIN: u64 = 2_500;

/// How many times faster than the world a board is played on that is reset.
const PACE_OF_RESETS: u64 = 4;

/// Boards with the same game on which all of `resets` happen, each when the one before it has been
/// heard again.
fn reset_at(seat: &Seat, mut resets: Vec<u64>) -> Vec<Seat> {
    resets.sort_unstable();
    let mut seats: Vec<(u64, Seat)> = Vec::new();
    for at in resets {
        let heard = |(last, _): &(u64, Seat)| last + HEARD_AGAIN * PACE_OF_RESETS <= at;
        let n = seats.iter().position(heard).unwrap_or_else(|| {
            seats.push((0, seat.clone()));
            seats.len() - 1
        });
        let (last, one) = &mut seats[n];
        one.script = one.script.clone().with(at, Step::Reset);
        *last = at;
    }
    seats.into_iter().map(|(_, seat)| seat).collect()
}

#[test]
fn a_board_that_is_reset_in_mid_game_loses_nothing() {
    let breaches = vec![(Code::TouchMoveOwnPiece, 9)];
    let seats = [31, 57].map(|game| {
        let seat = Seat::new(Play {
            style: Style::Tidy,
            breaches: breaches.clone(),
            pace: PACE_OF_RESETS,
            ..Play::of(Occupancy, game)
        });
        let presses = seat.script.presses();
        // Pieces in the air, one of them only touched; around presses, from before the lever moves
        // to when its press has been told.
        let mut resets = vec![in_the_air(&seat, 3), in_the_air(&seat, 9)];
        for (press, after) in presses[4..]
            .iter()
            .zip([-8, -3, -1, 0, 1, 2, 3, 4, 5, 6, 8, 12, 30])
        {
            resets.push(press.saturating_add_signed(after));
        }
        reset_at(&seat, resets)
    });
    let hall = Hall::open(seats.into_iter().flatten().collect());
    hall.play_to_the_end();
    hall.close();
}

#[test]
fn a_daemon_that_was_away_hears_what_it_missed() {
    let mut hall = Hall::open(vec![Seat::new(Play {
        style: Style::Tidy,
        ..Play::of(Occupancy, 63)
    })]);
    for count in [4, 9] {
        hall.until(|boards| {
            let plies = boards[0]["plies"].as_array().map_or(0, Vec::len);
            (plies < count).then(|| format!("{plies} plies, fault {}", boards[0]["fault"]))
        });
        hall.dismiss();
        hall.play_on(MEANWHILE);
        hall.serve();
    }
    hall.play_to_the_end();
    hall.close();
}

fn fault(board: &Value) -> &str {
    board["fault"].as_str().unwrap_or_default()
}

#[test]
fn an_array_that_is_unplugged_is_a_fault_and_nobodys_move() {
    let mut seat = Seat::new(Play {
        plies: 10,
        ..Play::of(Occupancy, 5)
    });
    let at = seat.script.presses()[4] + 200;
    let away = 3_000 * PACE;
    seat.script = seat
        .script
        .pause(at, away)
        .with(at, Step::Unplug(true))
        .with(at + away / 2, Step::Unplug(false));
    let hall = Hall::open(vec![seat]);
    hall.until(|boards| {
        let told = fault(&boards[0]).contains("send nothing");
        (!told).then(|| format!("no fault but `{}`", boards[0]["fault"]))
    });
    hall.play_to_the_end();
    hall.close();
}

#[test]
fn a_square_that_chatters_is_a_fault_and_no_touch() {
    let mut seat = Seat::new(Play {
        plies: 12,
        ..Play::of(Occupancy, 19)
    });
    let used: Bitboard = seat
        .played
        .acts
        .iter()
        .filter_map(|act| act.square())
        .collect();
    let square = Bitboard(seat.script.start.occupied & !used.0)
        .first()
        .expect("a piece that is left alone");
    let from = seat.script.presses()[3];
    // Twelve seconds of the board, forty-five edges in each.
    for n in 0..540 {
        seat.script = seat.script.with(from + 22 * n, Step::Flip(square.into()));
    }
    let hall = Hall::open(vec![seat]);
    hall.until(|boards| {
        let told = fault(&boards[0]).contains(&square.to_string());
        (!told).then(|| format!("no fault of {square} but `{}`", boards[0]["fault"]))
    });
    hall.play_to_the_end();
    hall.close();
}
