//! What a game costs in memory, counted by the allocator: the arbiter, and what a console is shown
//! of it.

use allocation_counter::{AllocationInfo, measure};
use arbiter_core::irregularity::Code;
use arbiter_core::{Arbiter, Event, SensorClass};
use board_driver::hand::games::{self, Game};
use board_driver::hand::{Breach, Style};
use daemon::hall;
use tests::accuracy::{Cell, run};

/// What a board may take, in bytes: the arbiter, and the view of his game that the daemon keeps for
/// consoles.
const GOAL: i64 = 128 * 1024;
/// Plies of the game that the goal speaks of: a hundred moves.
const PLIES: usize = 200;

/// What the arbiter holds at the end of `script`, and what he ever held; then what one view of the
/// game takes besides.
fn held(script: &[Event]) -> (AllocationInfo, i64) {
    let mut arbiter = Arbiter::new();
    let counted = measure(|| {
        for event in script {
            arbiter.handle(event, &mut Vec::new());
        }
    });
    let mut view = None;
    let shown = measure(|| view = hall::view(&arbiter, None));
    assert!(view.is_some_and(|view| !view.plies.is_empty()));
    (counted, shown.bytes_current)
}

fn check(plies: usize, cell: Cell, script: &[Event]) {
    let (arbiter, view) = held(script);
    let [end, most, view] =
        [arbiter.bytes_current, arbiter.bytes_max as i64, view].map(|bytes| bytes / 1024);
    println!("{plies} plies, {cell:?}: {end} KiB, at most {most} KiB; a view of it {view} KiB");
    assert!(end + view < GOAL / 1024, "{cell:?}: {arbiter:?}");
}

/// `game` with a breach now and then.
fn script(
    game: &Game,
    plies: usize,
    cell: Cell,
    breaches: &[(Code, u32)],
) -> (Vec<Event>, Vec<Breach>) {
    let game = Game {
        moves: game.moves[..plies.min(game.moves.len())].to_vec(),
        ..game.clone()
    };
    let outcome = run(&game, cell, 7, breaches);
    (outcome.script, outcome.played.truth.breaches)
}

fn cells() -> impl Iterator<Item = Cell> {
    let classes = [
        SensorClass::Piece,
        SensorClass::Colour,
        SensorClass::Occupancy,
    ];
    classes.into_iter().flat_map(|sensor| {
        [true, false].map(|clock| Cell {
            sensor,
            style: Style::Human,
            noise: 2,
            clock,
        })
    })
}

/// Turns are kept as lists of events, and most events are a square.
#[test]
fn an_event_is_small() {
    assert!(size_of::<Event>() <= 48, "{}", size_of::<Event>());
}

#[test]
fn a_hundred_moves_with_findings_fit_into_a_small_room() {
    let game = games::all()
        .iter()
        .find(|game| game.moves.len() >= PLIES)
        .expect("a long game");
    let codes = [
        Code::TouchMoveOwnPiece,
        Code::IllegalMove,
        Code::TouchMoveOpponentPiece,
        Code::PieceDisplaced,
    ];
    let breaches: Vec<(Code, u32)> = codes
        .into_iter()
        .cycle()
        .zip((15..PLIES as u32).step_by(12))
        .collect();
    for cell in cells() {
        let (script, broken) = script(game, PLIES, cell, &breaches);
        assert!(
            broken.len() >= 5,
            "{cell:?}: only {} breaches",
            broken.len()
        );
        check(PLIES, cell, &script);
    }
}

#[test]
fn the_longest_game_does_too() {
    let longest = games::all()
        .iter()
        .max_by_key(|game| game.moves.len())
        .expect("a game");
    for cell in cells() {
        let (script, _) = script(longest, usize::MAX, cell, &[]);
        check(longest.moves.len(), cell, &script);
    }
}
