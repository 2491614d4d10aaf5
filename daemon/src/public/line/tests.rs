//! The way of a game to the public, moment by moment.

use proptest::prelude::*;

use super::*;
use crate::public::shown::Ply;

const DELAY: i64 = 60_000;

fn game(moves: &[&str], delay: Delay) -> Candidate {
    let ply = |uci: &&str| Ply {
        san: format!("S{uci}"),
        uci: (*uci).to_owned(),
        clock_ms: None,
        used_ms: None,
    };
    let whole = Shown {
        game: "g".to_owned(),
        round: Some(1),
        table: Some(2),
        start_fen: "start w - - 0 1".to_owned(),
        plies: moves.iter().map(ply).collect(),
        ..Shown::empty()
    };
    Candidate {
        fens: moves.iter().map(|m| format!("after {m}")).collect(),
        sure: moves.len(),
        completed: moves.len(),
        has_ended: false,
        stopped: false,
        delay,
        ends_with_game: false,
        unseen: false,
        whole,
    }
}

fn late() -> Delay {
    Delay {
        ms: DELAY,
        plies: 0,
    }
}

fn plies(line: &Line) -> Vec<&str> {
    let shown = line.shown.iter().flat_map(|shown| &shown.plies);
    shown.map(|ply| ply.uci.as_str()).collect()
}

#[test]
fn a_result_of_a_table_without_a_board_waits_for_its_moves_only() {
    let said = |moves: &[&str]| {
        let mut said = game(moves, late());
        (said.unseen, said.has_ended) = (true, true);
        said.whole.result = "1-0".to_owned();
        said
    };
    let shows = |line: &Line, count: usize, result: &str| {
        let shown = line.shown.as_ref().unwrap();
        assert_eq!((plies(line).len(), &*shown.result), (count, result));
    };
    let (mut bare, mut typed) = (Line::default(), Line::default());
    assert!(bare.look(&said(&[]), 1_000));
    shows(&bare, 0, "1-0");
    // What was public stays, though moves are typed.
    bare.look(&said(&["a"]), 2_000);
    shows(&bare, 0, "1-0");
    assert!(bare.look(&said(&["a"]), 2_000 + DELAY));
    shows(&bare, 1, "1-0");
    assert!(bare.corrections.is_empty());
    assert!(!typed.look(&said(&["a"]), 1_000) && !typed.look(&said(&["a"]), 999 + DELAY));
    assert!(typed.look(&said(&["a"]), 1_000 + DELAY));
    shows(&typed, 1, "1-0");
}

#[test]
fn a_correction_says_what_came_instead_once_that_is_public() {
    let mut line = Line::default();
    line.look(&game(&["a", "b", "c"], late()), 0);
    line.look(&game(&["a", "b", "c"], late()), DELAY);
    let other = game(&["a", "d", "e", "f"], late());
    let told = |line: &Line| {
        let [one] = &line.corrections[..] else {
            panic!("{:?}", line.corrections);
        };
        (one.event, one.ply, one.was.clone(), one.is.clone())
    };
    let of = |is: &str| (1, 2, "Sb Sc".to_owned(), is.to_owned());
    assert!(line.look(&other, DELAY + 1));
    assert_eq!(told(&line), of(""));
    assert!(line.look(&other, 2 * DELAY + 1));
    assert_eq!(told(&line), of("Sd Se"));
}

#[test]
fn a_move_is_public_when_its_time_has_come_and_not_before() {
    let mut line = Line::default();
    assert!(!line.look(&game(&["a"], late()), 1_000));
    let two = game(&["a", "b"], late());
    assert!(!line.look(&two, 30_000));
    assert_eq!(line.due(&two, 30_000), Some(1_000 + DELAY));
    assert!(!line.look(&two, 999 + DELAY));
    assert!(line.look(&two, 1_000 + DELAY));
    assert_eq!(plies(&line), ["a"]);
    assert_eq!(line.shown.as_ref().unwrap().fen, "after a");
    assert!(line.look(&two, 30_000 + DELAY));
    assert_eq!(plies(&line), ["a", "b"]);
    assert_eq!(line.due(&two, 30_000 + DELAY), None);
}

#[test]
fn half_moves_hold_back_until_a_person_has_said_how_the_game_ended() {
    let delay = Delay { ms: 0, plies: 2 };
    let mut line = Line::default();
    line.look(&game(&["a", "b"], delay), 0);
    assert!(line.shown.is_none());
    line.look(&game(&["a", "b", "c"], delay), 0);
    assert_eq!(plies(&line), ["a"]);
    let mut over = game(&["a", "b", "c"], delay);
    (over.has_ended, over.whole.result) = (true, "1-0".to_owned());
    line.look(&over, 1);
    assert_eq!(plies(&line), ["a", "b", "c"]);
    assert!(line.shown.as_ref().unwrap().over);
}

#[test]
fn of_both_delays_the_longer_counts() {
    let delay = Delay {
        ms: DELAY,
        plies: 1,
    };
    let mut line = Line::default();
    line.look(&game(&["a"], delay), 0);
    line.look(&game(&["a"], delay), 2 * DELAY);
    assert!(line.shown.is_none());
    line.look(&game(&["a", "b", "c"], delay), 2 * DELAY);
    assert_eq!(plies(&line), ["a"]);
    line.look(&game(&["a", "b", "c"], delay), 3 * DELAY);
    assert_eq!(plies(&line), ["a", "b"]);
}

#[test]
fn a_result_is_as_late_as_moves_and_comes_after_them() {
    let mut line = Line::default();
    line.look(&game(&["a"], late()), 0);
    let mut over = game(&["a", "b"], late());
    (over.has_ended, over.whole.result) = (true, "0-1".to_owned());
    line.look(&over, 10);
    line.look(&over, DELAY);
    assert_eq!(line.shown.as_ref().unwrap().result, "*");
    line.look(&over, 10 + DELAY);
    assert_eq!(line.shown.as_ref().unwrap().result, "0-1");
    let mut at_once = Line::default();
    over.ends_with_game = true;
    at_once.look(&over, 0);
    let shown = at_once.shown.as_ref().unwrap();
    assert_eq!((shown.plies.len(), shown.result.as_str()), (2, "0-1"));
}

#[test]
fn what_is_taken_back_is_taken_back_at_once_and_listed() {
    let mut line = Line::default();
    let three = game(&["a", "b", "c"], late());
    line.look(&three, 0);
    line.look(&three, DELAY);
    let other = game(&["a", "x"], late());
    assert!(line.look(&other, DELAY + 1));
    assert_eq!(plies(&line), ["a"]);
    line.look(&other, 2 * DELAY + 1);
    assert_eq!(plies(&line), ["a", "x"]);
    let [only] = &line.corrections[..] else {
        panic!("{:?}", line.corrections);
    };
    assert_eq!((only.kind, only.ply), (Kind::Moves, 2));
    assert_eq!((only.was.as_str(), only.is.as_str()), ("Sb Sc", "Sx"));
}

#[test]
fn a_result_that_is_changed_or_withdrawn_is_listed() {
    let mut line = Line::default();
    let of = |result: &str| {
        let mut game = game(&["a"], Delay::default());
        (game.has_ended, game.whole.result) = (result != "*", result.to_owned());
        game
    };
    line.look(&of("1-0"), 0);
    line.look(&of("0-1"), 1);
    line.look(&of("*"), 2);
    let told = line.corrections.iter();
    let told: Vec<_> = told
        .map(|c| (c.kind, c.was.as_str(), c.is.as_str()))
        .collect();
    let wanted = [(Kind::Result, "1-0", "0-1"), (Kind::Result, "0-1", "*")];
    assert_eq!(told, wanted);
}

#[test]
fn what_is_in_doubt_waits_and_what_was_public_stays() {
    let mut line = Line::default();
    let mut doubtful = game(&["a", "b", "c"], Delay::default());
    doubtful.sure = 1;
    line.look(&doubtful, 0);
    assert_eq!(plies(&line), ["a"]);
    doubtful.sure = 0;
    line.look(&doubtful, 1);
    assert_eq!(plies(&line), ["a"]);
    doubtful.sure = 3;
    line.look(&doubtful, 2);
    assert_eq!(plies(&line), ["a", "b", "c"]);
    assert!(line.corrections.is_empty());
}

#[test]
fn what_is_stopped_stays_as_it_is_until_it_goes_on() {
    let mut line = Line::default();
    line.look(&game(&["a"], Delay::default()), 0);
    let mut stopped = game(&["a", "b"], Delay::default());
    stopped.stopped = true;
    assert!(line.look(&stopped, 1));
    assert!(!line.look(&stopped, 2));
    assert_eq!(plies(&line), ["a"]);
    assert!(line.shown.as_ref().unwrap().stopped);
    stopped.stopped = false;
    line.look(&stopped, 3);
    assert_eq!(plies(&line), ["a", "b"]);
}

#[test]
fn a_standing_illegal_move_is_told_only_when_its_time_has_come() {
    let mut line = Line::default();
    line.look(&game(&["a"], late()), 0);
    let mut stands = game(&["a"], late());
    stands.whole.with_arbiter = true;
    line.look(&stands, 10);
    line.look(&stands, DELAY);
    assert!(!line.shown.as_ref().unwrap().with_arbiter);
    line.look(&stands, 10 + DELAY);
    assert!(line.shown.as_ref().unwrap().with_arbiter);
}

#[test]
fn clocks_are_as_late_as_their_moves() {
    let mut line = Line::default();
    let mut timed = game(&["a", "b", "c"], late());
    for (ply, ms) in timed.whole.plies.iter_mut().zip([59_000, 58_000, 7_000]) {
        ply.clock_ms = Some(ms);
    }
    timed.whole.clocks.white_ms = Some(7_000);
    let mut two = timed.clone();
    two.whole.plies.truncate(2);
    line.look(&two, 0);
    line.look(&timed, 5);
    line.look(&timed, DELAY);
    let clocks = line.shown.as_ref().unwrap().clocks;
    let wanted = Clocks {
        white_ms: Some(59_000),
        black_ms: Some(58_000),
        running: Some('w'),
        at: DELAY,
    };
    assert_eq!(clocks, wanted);
}

#[test]
fn a_clock_that_is_set_shows_nothing_early() {
    let mut line = Line::default();
    line.look(&game(&["a"], late()), 10 * DELAY);
    // The world's clock was set back while the program was down.
    line.look(&game(&["a"], late()), DELAY);
    line.look(&game(&["a"], late()), 2 * DELAY - 1);
    assert!(line.shown.is_none());
    line.look(&game(&["a"], late()), 2 * DELAY);
    assert_eq!(plies(&line), ["a"]);
}

/// What happens to a record.
#[derive(Clone, Debug)]
enum Step {
    Move(u8),
    TakeBack(usize),
    Pass(i64),
    Kill,
    Stop(bool),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => (0..3u8).prop_map(Step::Move),
        1 => (1..4usize).prop_map(Step::TakeBack),
        4 => (0..40_000i64).prop_map(Step::Pass),
        1 => Just(Step::Kill),
        1 => any::<bool>().prop_map(Step::Stop),
    ];
    proptest::collection::vec(step, 1..60)
}

proptest! {
    /// Whatever happens, a move is public only when it has been on the record for so long, so many
    /// have followed it, and it still is; nothing public goes without being listed; and in the end
    /// the public has the record.
    #[test]
    fn nothing_is_public_early_and_nothing_goes_unsaid(
        steps in steps(), ms in 0..90_000i64, behind in 0..4usize,
    ) {
        let delay = Delay { ms, plies: behind };
        let (mut line, mut now, mut stopped) = (Line::default(), 0i64, false);
        let mut record: Vec<(String, i64)> = Vec::new();
        let mut last = Step::Pass(0);
        for step in steps {
            match step {
                Step::Move(m) => record.push((format!("m{m}"), now)),
                Step::TakeBack(n) => record.truncate(record.len().saturating_sub(n)),
                Step::Pass(passed) => now += passed,
                // What is on the disk is all that is left.
                Step::Kill => {
                    let text = serde_json::to_string(&line).unwrap();
                    line = serde_json::from_str(&text).unwrap();
                }
                Step::Stop(stop) => stopped = stop,
            }
            let moves: Vec<&str> = record.iter().map(|(uci, _)| uci.as_str()).collect();
            let mut candidate = game(&moves, delay);
            candidate.stopped = stopped;
            let before = line.clone();
            line.look(&candidate, now);
            let had = plies(&before).len();
            let has = plies(&line);
            if !stopped {
                prop_assert_eq!(&has[..], &moves[..has.len()]);
            }
            let kept = plies(&before).iter().zip(&has).take_while(|(a, b)| a == b).count();
            for (n, (_, at)) in record.iter().enumerate().take(has.len()).skip(kept) {
                prop_assert!(at + ms <= now, "half-move {n} after {last:?}");
                prop_assert!(n + behind < record.len(), "half-move {n}");
            }
            let listed = line.corrections.len() - before.corrections.len();
            prop_assert_eq!(kept < had, listed > 0);
            last = step;
        }
        let moves: Vec<&str> = record.iter().map(|(uci, _)| uci.as_str()).collect();
        let mut ended = game(&moves, delay);
        (ended.has_ended, ended.whole.result) = (true, "1-0".to_owned());
        line.look(&ended, now);
        line.look(&ended, now + ms);
        prop_assert_eq!(plies(&line), moves);
        prop_assert_eq!(&line.shown.as_ref().unwrap().result, "1-0");
    }
}

#[test]
fn a_game_ends_too_as_no_pgn_can_say() {
    let mut line = Line::default();
    let mut game = game(&["a", "b"], late());
    (game.has_ended, game.ends_with_game) = (true, true);
    line.look(&game, 0);
    assert_eq!(plies(&line), ["a", "b"]);
}

#[test]
fn what_is_annulled_is_taken_back_and_listed() {
    let mut line = Line::default();
    let mut game = game(&["a", "b"], Delay::default());
    game.whole.paired = true;
    line.look(&game, 0);
    let shown = line.shown.clone().unwrap();
    game.whole.round = None;
    game.withdraw(&shown, &Tournament::default());
    assert!(line.look(&game, 1));
    let shown = line.shown.as_ref().unwrap();
    assert_eq!((shown.round, shown.plies.len()), (Some(1), 0));
    assert_eq!(
        (line.corrections.len(), &*line.corrections[0].was),
        (1, "Sa Sb")
    );
    assert!(line.corrections[0].annulled);
    assert!(!line.look(&game, 2), "once");
    // That is taken back.
    line.look(&self::game(&["a", "b"], Delay::default()), 3);
    let one = &line.corrections[0];
    assert_eq!((one.annulled, one.is.as_str()), (false, "Sa Sb"));
}

/// A game from another position.
fn elsewhere(moves: &[&str], delay: Delay) -> Candidate {
    let mut game = game(moves, delay);
    game.whole.start_fen = "elsewhere w - - 0 1".to_owned();
    game
}

fn start(line: &Line) -> &str {
    line.shown.as_ref().map_or("", |shown| &shown.start_fen)
}

#[test]
fn a_start_is_as_late_as_moves_and_one_of_a_moment_is_never_public() {
    let mut line = Line::default();
    line.look(&game(&["a"], late()), 0);
    line.look(&game(&["a"], late()), DELAY);
    let before = line.shown.clone();
    for other in [&[][..], &["a"], &["x"]] {
        line.look(&elsewhere(other, late()), DELAY + 10);
        assert_eq!(line.shown, before, "{other:?}");
    }
    line.look(&game(&["a"], late()), DELAY + 20);
    line.look(&game(&["a"], late()), 3 * DELAY);
    assert_eq!((&line.shown, line.corrections.len()), (&before, 0));
    let stays = elsewhere(&["x"], late());
    line.look(&stays, 3 * DELAY);
    assert_eq!(line.due(&stays, 3 * DELAY), Some(4 * DELAY));
    line.look(&stays, 4 * DELAY - 1);
    assert_eq!(line.shown, before);
    line.look(&stays, 4 * DELAY);
    assert_eq!(
        (start(&line), &plies(&line)[..]),
        ("elsewhere w - - 0 1", &["x"][..])
    );
    let kinds: Vec<Kind> = line.corrections.iter().map(|c| c.kind).collect();
    assert_eq!(kinds, [Kind::Start, Kind::Moves]);
}

#[test]
fn a_start_waits_with_the_first_move() {
    let mut line = Line::default();
    line.look(&game(&["a", "b"], Delay { ms: 0, plies: 1 }), 0);
    assert_eq!(plies(&line), ["a"]);
    let behind = Delay { ms: 0, plies: 1 };
    line.look(&elsewhere(&[], behind), 1);
    line.look(&elsewhere(&["x"], behind), 2);
    assert_eq!((start(&line), plies(&line)), ("start w - - 0 1", vec!["a"]));
    let mut doubtful = elsewhere(&["x", "y"], behind);
    doubtful.sure = 0;
    line.look(&doubtful, 3);
    assert_eq!(start(&line), "start w - - 0 1");
    line.look(&elsewhere(&["x", "y"], behind), 4);
    assert_eq!(
        (start(&line), plies(&line)),
        ("elsewhere w - - 0 1", vec!["x"])
    );
}

#[test]
fn of_what_stays_public_it_is_known_that_it_is_in_doubt_now() {
    let mut line = Line::default();
    let mut game = game(&["a", "b"], Delay::default());
    assert!(line.look(&game, 1_000));
    assert_eq!(line.shown.as_ref().unwrap().sure, 2);
    game.sure = 1;
    assert!(line.look(&game, 2_000), "outlets are told");
    let shown = line.shown.as_ref().unwrap();
    assert_eq!((shown.plies.len(), shown.sure), (2, 1));
    assert!(line.corrections.is_empty());
}
