//! What a clock shows along with a press ends nothing: it may count whole seconds, or have been set
//! anew. That a flag fell is told by itself.

use arbiter_core::ruling::Ruling;
use arbiter_core::{Arbiter, Event};

/// Six half-moves, each press with what both clocks show in seconds.
fn game(presses: [(u64, u64); 6]) -> (Arbiter, Vec<Ruling>) {
    let moves = ["e2 e4", "e7 e5", "g1 f3", "b8 c6", "f1 b5", "a7 a6"];
    let mut lines = vec![r#"{"event":"setup","at":0,"game":"g","sensor":"occupancy"}"#.to_owned()];
    for (n, (m, (white, black))) in moves.iter().zip(presses).enumerate() {
        let (from, to) = m.split_once(' ').expect("two squares");
        let (at, by) = (3000 * (n as u64 + 1), ["white", "black"][n % 2]);
        let (put, pressed) = (at + 400, at + 900);
        let left = format!(r#""white_ms":{},"black_ms":{}"#, white * 1000, black * 1000);
        lines.push(format!(r#"{{"event":"lift","at":{at},"square":"{from}"}}"#));
        lines.push(format!(r#"{{"event":"place","at":{put},"square":"{to}"}}"#));
        lines.push(format!(
            r#"{{"event":"press","at":{pressed},"by":"{by}",{left}}}"#
        ));
    }
    let mut arbiter = Arbiter::new();
    let (mut told, mut said) = (Vec::new(), Vec::new());
    for line in lines {
        let event: Event = serde_json::from_str(&line).expect(&line);
        arbiter.handle(&event, &mut said);
        told.extend(said.drain(..).map(|said| said.ruling));
    }
    (arbiter, told)
}

#[test]
fn a_clock_that_shows_nothing_left_ends_no_game_that_goes_on() {
    let (arbiter, told) = game([(60, 60), (58, 60), (0, 60), (2, 58), (2, 58), (2, 57)]);
    let ended = |ruling: &Ruling| matches!(ruling, Ruling::Result { .. });
    assert!(!told.iter().any(ended), "{told:?}");
    let view = arbiter.view().expect("a game");
    assert_eq!(view.plies.len(), 6);
    assert!(view.plies.iter().all(|ply| ply.completed));
    assert_eq!(view.white_ms, Some(2000));
}
