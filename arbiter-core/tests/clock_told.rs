//! What a clock shows along with a press: who has no time left has lost, once a person has looked.

use arbiter_core::ruling::{GameResult, ResultReason, Ruling};
use arbiter_core::{Arbiter, Event};

/// e4 and e5, each press with what both clocks show in seconds.
fn game(presses: &[(u64, u64)], setup: &str) -> (Arbiter, Vec<Ruling>) {
    let moves = [("e2", "e4"), ("e7", "e5"), ("g1", "f3"), ("b8", "c6")];
    let mut lines = vec![format!(
        r#"{{"event":"setup","at":0,"game":"g","sensor":"occupancy"{setup}}}"#
    )];
    for (n, ((from, to), (white, black))) in moves.iter().zip(presses).enumerate() {
        let (at, by) = (3000 * (n as u64 + 1), ["white", "black"][n % 2]);
        lines.push(format!(r#"{{"event":"lift","at":{at},"square":"{from}"}}"#));
        let put = at + 400;
        lines.push(format!(r#"{{"event":"place","at":{put},"square":"{to}"}}"#));
        let (pressed, white, black) = (at + 900, white * 1000, black * 1000);
        let left = format!(r#""white_ms":{white},"black_ms":{black}"#);
        lines.push(format!(
            r#"{{"event":"press","at":{pressed},"by":"{by}",{left}}}"#
        ));
    }
    // Whether somebody can mate is found out by others.
    let after = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
    lines.push(format!(
        r#"{{"event":"mating","at":20000,"fen":"{after}","white":"can","black":"can"}}"#
    ));
    let mut arbiter = Arbiter::new();
    let (mut told, mut said) = (Vec::new(), Vec::new());
    for line in lines {
        let event: Event = serde_json::from_str(&line).expect(&line);
        arbiter.handle(&event, &mut said);
        told.extend(said.drain(..).map(|said| said.ruling));
    }
    (arbiter, told)
}

fn result(told: &[Ruling]) -> Option<(GameResult, bool, ResultReason)> {
    told.iter().find_map(|ruling| match ruling {
        Ruling::Result {
            result,
            proposed,
            reason,
            ..
        } => Some((*result, *proposed, *reason)),
        _ => None,
    })
}

#[test]
fn no_time_left_is_a_loss_that_waits_for_a_person() {
    let (arbiter, told) = game(&[(60, 60), (58, 30), (0, 30)], "");
    let lost = (GameResult::BlackWins, true, ResultReason::FlagFall);
    assert_eq!(result(&told), Some(lost));
    let view = arbiter.view().expect("a game");
    assert_eq!(view.plies.len(), 3, "the move that was pressed for is made");
    assert_eq!(view.white_ms, Some(0));
}

#[test]
fn a_clock_that_was_never_set_tells_nothing() {
    for presses in [[(0, 0), (0, 0), (0, 0)], [(60, 60), (58, 30), (0, 0)]] {
        assert_eq!(result(&game(&presses, "").1), None, "{presses:?}");
    }
}

#[test]
fn what_players_must_claim_themselves_is_not_told() {
    let unsupervised = r#","laws":"fide-2009","class":"blitz","supervised":false"#;
    let (_, told) = game(&[(60, 60), (58, 30), (0, 30)], unsupervised);
    assert_eq!(result(&told), None);
}
