//! Who can still mate: 3,414 positions, each asked by the arbiter himself when a flag falls.
//!
//! `positions/README.md` says where they come from. Nothing may be wrong; what was not found out is
//! counted and printed. The short form asks of every eighth.

use std::sync::atomic::{AtomicUsize, Ordering};

use arbiter_core::input::{ArbiterAction, Setup, StartFen};
use arbiter_core::ruling::{Announcement, GameResult, Ruling};
use arbiter_core::shakmaty::fen::Fen;
use arbiter_core::shakmaty::{CastlingMode, Chess, Color, Position, PositionError};
use arbiter_core::{Event, Input, SensorClass, Time};
use daemon::mating::Follower;
use tests::form;

const POSITIONS: &str = include_str!("../positions/mating.txt");

/// What the arbiter says when the flag of each falls: White's, then, the game being taken up again,
/// Black's.
fn results(fen: &str) -> Vec<GameResult> {
    let start = StartFen::parse(fen).unwrap();
    let resume = Input::Arbiter(ArbiterAction::Result {
        result: GameResult::Open,
        game: None,
    });
    let inputs = [
        Input::Setup(
            Setup {
                fen: Some(start),
                ..Setup::new(SensorClass::Piece)
            }
            .into(),
        ),
        Input::FlagFall { by: Color::White },
        resume,
        Input::FlagFall { by: Color::Black },
    ];
    let (mut follower, mut said) = (Follower::new(), Vec::new());
    for (n, input) in inputs.into_iter().enumerate() {
        let _answers = follower.handle(
            &Event {
                at: Time(n as u64 * 1_000),
                input,
            },
            &mut said,
        );
    }
    let result = |a: &Announcement| match a.ruling {
        Ruling::Result { result, .. } => Some(result),
        _ => None,
    };
    said.iter().filter_map(result).collect()
}

/// What is wrong with the arbiter's results in a line of the file, and how many of them he left
/// open.
fn check(line: &str) -> (Option<String>, usize) {
    let (who, fen) = line.split_once(' ').unwrap();
    let mut white = if who.starts_with('W') {
        GameResult::WhiteWins
    } else {
        GameResult::Draw
    };
    let mut black = if who.ends_with('B') {
        GameResult::BlackWins
    } else {
        GameResult::Draw
    };
    let fen = format!("{fen} 0 1");
    let read = fen
        .parse::<Fen>()
        .unwrap()
        .into_position::<Chess>(CastlingMode::Standard);
    let read = read
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_too_much_material);
    let mated = read.ok();
    if let Some(pos) = mated.filter(Chess::is_checkmate) {
        // Whoever's flag falls, the game had ended.
        (white, black) = match pos.turn() {
            Color::White => (black, black),
            Color::Black => (white, white),
        };
    }
    let said = results(&fen);
    let open = said
        .iter()
        .filter(|result| **result == GameResult::Open)
        .count();
    let fits = |said: GameResult, wanted: GameResult| said == wanted || said == GameResult::Open;
    let right =
        matches!(said[..], [of_white, of_black] if fits(of_white, black) && fits(of_black, white));
    ((!right).then(|| format!("{line}: {said:?}")), open)
}

#[test]
fn every_position_is_answered_and_none_wrongly() {
    assert_eq!(POSITIONS.lines().count(), 3_414);
    let lines: Vec<&str> = POSITIONS.lines().step_by(form::every(8)).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let (mut wrong, mut open) = (Vec::new(), 0);
        while let Some(line) = lines.get(next.fetch_add(1, Ordering::Relaxed)) {
            let (fault, left) = check(line);
            wrong.extend(fault);
            open += left;
        }
        (wrong, open)
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let (wrong, open) = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let results = handles.into_iter().map(|handle| handle.join().unwrap());
        results.fold((Vec::new(), 0), |(mut all, n), (wrong, open)| {
            all.extend(wrong);
            (all, n + open)
        })
    });
    println!("{} positions, {} questions unanswered", lines.len(), open);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(open, 0, "unanswered");
}
