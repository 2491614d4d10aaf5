use arbiter_core::input::Setup;
use arbiter_core::ruling::{Announcement, GameResult, ResultReason, Ruling};
use arbiter_core::{SensorClass, Time};

use super::*;

fn ask(fen: &str, thorough: bool) -> (Mating, Mating) {
    match solve(&Question {
        fen: fen.to_owned(),
        thorough,
    }) {
        Some(Input::Mating {
            white,
            black,
            quick,
            ..
        }) => {
            assert_eq!(quick, !thorough);
            (white, black)
        }
        other => panic!("{fen}: {other:?}"),
    }
}

const CAN: Mating = Mating::Can;
const CANNOT: Mating = Mating::Cannot;
const UNKNOWN: Mating = Mating::Unknown;

#[test]
fn mate_and_stalemate_are_what_they_are() {
    assert_eq!(
        ask("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", true),
        (CAN, CANNOT)
    );
    assert_eq!(
        ask("7k/5Q2/8/8/8/8/8/6K1 b - - 0 1", true),
        (CANNOT, CANNOT)
    );
    assert_eq!(
        ask("7k/5Q2/8/8/8/8/8/6K1 b - - 0 1", false),
        (CANNOT, CANNOT)
    );
}

#[test]
fn a_pawn_wall_is_dead_at_a_glance() {
    assert_eq!(
        ask("8/8/1k6/1p1p1p1p/1P1P1P1P/1K6/8/8 w - - 0 1", false),
        (CANNOT, CANNOT)
    );
    assert_eq!(ask("4k1n1/8/8/8/8/8/4P3/4K3 w - - 0 1", true), (CAN, CAN));
    assert_eq!(ask("4k1n1/8/8/8/8/8/8/3QK3 w - - 0 1", true), (CAN, CANNOT));
}

#[test]
fn a_glance_leaves_the_open_position_open() {
    assert_eq!(
        ask(
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            false
        ),
        (UNKNOWN, UNKNOWN)
    );
}

#[test]
fn castling_is_that_of_chess960() {
    let start = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
    assert_eq!(ask(start, true), (CAN, CAN));
    assert_eq!(ask("4k3/8/8/8/8/8/8/1RK5 w B - 0 1", true), (CAN, CANNOT));
}

#[test]
fn what_play_cannot_reach_is_not_searched() {
    // Black, who does not have the move, stands in check; a pawn on the last rank.
    assert_eq!(
        ask("4k3/8/8/8/8/8/8/4RK2 w - - 0 1", true),
        (UNKNOWN, UNKNOWN)
    );
    assert_eq!(
        ask("P3k3/8/8/8/8/8/8/5K2 w - - 0 1", true),
        (UNKNOWN, UNKNOWN)
    );
}

/// A game from `fen` in which White's flag falls.
fn flag_fall(fen: &str) -> Vec<Event> {
    let fen = Some(arbiter_core::input::StartFen::parse(fen).unwrap());
    let setup = Setup {
        fen,
        ..Setup::new(SensorClass::Piece)
    };
    vec![
        Event {
            at: Time(0),
            input: Input::Setup(setup.into()),
        },
        Event {
            at: Time(60_000),
            input: Input::FlagFall { by: Color::White },
        },
    ]
}

fn results(said: &[Announcement]) -> Vec<(GameResult, bool, ResultReason)> {
    let result = |a: &Announcement| match a.ruling {
        Ruling::Result {
            result,
            proposed,
            reason,
            ..
        } => Some((result, proposed, reason)),
        _ => None,
    };
    said.iter().filter_map(result).collect()
}

#[test]
fn a_follower_answers_what_a_flag_fall_turns_on() {
    for (fen, result, reason) in [
        (
            "4k1n1/8/8/8/8/8/4P3/4K3 w - - 0 1",
            GameResult::BlackWins,
            ResultReason::FlagFall,
        ),
        (
            "4k1n1/8/8/8/8/8/8/3QK3 w - - 0 1",
            GameResult::Draw,
            ResultReason::FlagFall,
        ),
        (
            "8/8/1k6/1p1p1p1p/1P1P1P1P/1K6/8/8 w - - 0 1",
            GameResult::Draw,
            ResultReason::DeadPosition,
        ),
    ] {
        let (mut follower, mut said) = (Follower::new(), Vec::new());
        flag_fall(fen)
            .iter()
            .for_each(|event| drop(follower.handle(event, &mut said)));
        assert_eq!(results(&said), [(result, false, reason)], "{fen}");
    }
}

#[test]
fn recorded_answers_are_not_given_twice() {
    let events = flag_fall("4k1n1/8/8/8/8/8/4P3/4K3 w - - 0 1");
    let (mut follower, mut said, mut written) = (Follower::new(), Vec::new(), Vec::new());
    for event in &events {
        written.push(event.clone());
        written.extend(follower.handle(event, &mut said));
    }
    assert!(written.len() > events.len());
    if let Input::Setup(setup) = &mut written[0].input {
        setup.answers = Answers::Recorded;
    }
    let (mut again, mut heard) = (Follower::new(), Vec::new());
    for event in &written {
        assert!(again.handle(event, &mut heard).is_empty());
    }
    assert_eq!(heard, said);
}

#[test]
fn without_an_answer_the_result_is_the_arbiters() {
    let mut events = flag_fall("4k1n1/8/8/8/8/8/4P3/4K3 w - - 0 1");
    if let Input::Setup(setup) = &mut events[0].input {
        setup.answers = Answers::Recorded;
    }
    let (mut follower, mut said) = (Follower::new(), Vec::new());
    events
        .iter()
        .for_each(|event| drop(follower.handle(event, &mut said)));
    assert_eq!(results(&said), []);
    follower.finish(&mut said);
    assert_eq!(
        results(&said),
        [(GameResult::Open, true, ResultReason::FlagFall)]
    );
}
