//! Boards that send whole states, both ends of their languages in virtual time, and the arbiter
//! behind them: many games at every length of scan. What was played is what is recorded, and tidy
//! hands are never accused.

use std::time::{Duration, Instant};

use arbiter_core::input::Setup;
use arbiter_core::irregularity::{Certainty, Code};
use arbiter_core::shakmaty::{Board, Position};
use arbiter_core::{Event, Input, Time};
use board_driver::hand::games::Game;
use board_driver::hand::{Options, Style, games, perform};
use board_driver::noise::{Model, Sensors};
use board_driver::sim::{BoardSim, SimConfig};
use board_driver::{BoardEvent, BoardKind, Outbox, Report, Start};
use tests::accuracy::{Outcome, rule};

const KINDS: [BoardKind; 4] = [
    BoardKind::Certabo,
    BoardKind::Sentio,
    BoardKind::ChessLink,
    BoardKind::Chessnut,
];

/// Between two scans, in milliseconds.
const SCANS: [u32; 3] = [20, 100, 250];

/// Games on each.
const GAMES: usize = 4;

/// Squares that a Certabo board reads badly in a scan, in a thousand.
const MISREAD: u16 = 10;

/// What the host tells of `script`.
fn heard(config: &SimConfig, script: Vec<BoardEvent>) -> Vec<BoardEvent> {
    let mut now = Instant::now();
    let mut board = BoardSim::new(config, 1, now, script.into_iter()).expect("a possible board");
    let mut host = (config.kind.profile().host)(&Start::new(now));
    let (mut out, mut heard) = (Outbox::default(), Vec::new());
    host.open(now, &mut out);
    while !board.is_finished(now) {
        board.receive(now, &std::mem::take(&mut out.send));
        while let Some(frame) = board.next_frame(now) {
            host.receive(now, &frame, &mut out);
        }
        heard.extend(out.reports.drain(..).map(|delivery| delivery.event));
        let (of_board, of_host) = (
            board.next_wake(),
            host.next_wake()
                .expect("these hosts always wait for something"),
        );
        now = now.max(of_board.min(of_host)) + Duration::from_micros(200);
        if of_board <= now {
            board.wake(now);
        }
        if of_host <= now {
            host.wake(now, &mut out);
        }
    }
    heard
}

/// A game on a board whose scans are so long, with these breaches, and what the arbiter says.
fn outcome(
    kind: BoardKind,
    scan_ms: u32,
    style: Style,
    (game, seed): (&Game, u64),
    breaches: &[(Code, u32)],
) -> Outcome {
    let class = kind
        .profile()
        .sensor
        .expect("these kinds have sensors of one class");
    let options = Options {
        clock: false,
        result: game.result,
        ..Options::default()
    };
    let played = perform(&game.start, &game.moves, style, seed, breaches, &options);
    let start: &Board = game.start.board();
    let happened = Sensors::with(class, Model::states(1), seed).read(start, &played.acts);
    let (squares, linger) = (class.reads(start), Duration::from_secs(30));
    let config = SimConfig::new("unused", "T-1", class);
    let config = SimConfig {
        kind,
        scan_ms,
        misread: MISREAD,
        clock: false,
        squares,
        linger,
        ..config
    };
    let events = heard(&config, happened);
    let Some(Report::Hello(info)) = events.first().map(|event| event.report.clone()) else {
        panic!("a hello first")
    };
    let mut setup = Setup {
        clock: info.clock,
        polled: info.polled,
        ..game.setup(class)
    };
    setup.options = info.windows(setup.options);
    let mut script = vec![Event {
        at: Time::ZERO,
        input: Input::Setup(setup.into()),
    }];
    script.extend(events.iter().flat_map(|e| {
        e.inputs()
            .into_iter()
            .map(|input| Event { at: e.at, input })
    }));
    let end = script.last().map_or(Time::ZERO, |event| event.at);
    script.push(Event {
        at: end + 20_000,
        input: Input::Tick,
    });
    let said = rule(&script);
    Outcome {
        script,
        played,
        said,
    }
}

fn hands(style: Style) {
    for (n, (kind, scan_ms)) in KINDS
        .iter()
        .flat_map(|kind| SCANS.map(|scan| (*kind, scan)))
        .enumerate()
    {
        for number in (0..GAMES).map(|game| 17 * game + n) {
            let game = &games::sample(games::CROSS_SECTION)[number];
            let outcome = outcome(kind, scan_ms, style, (game, number as u64), &[]);
            let name = format!("{kind}, {scan_ms} ms, game {number} by {style:?} hands");
            assert_eq!(outcome.wrong_plies(), 0, "{name}");
            let certain = outcome
                .findings()
                .into_iter()
                .filter(|(_, _, certainty, _)| *certainty == Certainty::Certain);
            assert_eq!(certain.count(), 0, "{name}: {:?}", outcome.findings());
            assert!(
                style != Style::Tidy || outcome.findings().is_empty(),
                "{name}: {:?}",
                outcome.findings()
            );
        }
    }
}

#[test]
fn human_hands_at_every_length_of_scan() {
    hands(Style::Human);
}

#[test]
fn hurried_hands_at_every_length_of_scan() {
    hands(Style::Hurried);
}

#[test]
fn tidy_hands_are_never_accused() {
    hands(Style::Tidy);
}

/// What lifts show is found, and never more than likely: such boards miss what is short, and no
/// press tells what was meant.
#[test]
fn breaches_are_never_certain() {
    let codes = [
        Code::TouchMoveOwnPiece,
        Code::TouchMoveOpponentPiece,
        Code::IllegalMove,
    ];
    for (kind, (n, code)) in KINDS
        .into_iter()
        .flat_map(|kind| codes.into_iter().enumerate().map(move |n| (kind, n)))
    {
        for seed in 0..3 {
            let game = &games::sample(games::CROSS_SECTION)[31 * n + seed];
            let outcome = outcome(kind, 100, Style::Tidy, (game, seed as u64), &[(code, 12)]);
            let name = format!("{kind}, {code}, {seed}: {:?}", outcome.findings());
            assert_eq!(outcome.played.truth.breaches.len(), 1, "{name}");
            assert!(
                code != Code::TouchMoveOwnPiece || outcome.missed().is_empty(),
                "{name}"
            );
            assert!(
                outcome
                    .findings()
                    .iter()
                    .all(|(_, _, certainty, _)| *certainty < Certainty::Certain),
                "{name}"
            );
        }
    }
}
