//! Both ends of every language that sends whole states, in virtual time: games, noise, wrong
//! boards, boards that stop.

#![cfg(feature = "simulators")]

use std::time::Duration;

use arbiter_core::orientation::Orientation;
use arbiter_core::shakmaty::{Board, Color, Piece, Role, Square};
use arbiter_core::{SensorClass, Symbol, Time};
use board_driver::sim::{LineNoise, SimConfig};
use board_driver::{BoardEvent, BoardKind, Command, FaultReason, Learning, Outbox, Report, Start};
use proptest::prelude::*;

mod quirks;
mod table;

use table::{Table, class, config, script};

const KINDS: [BoardKind; 4] = [
    BoardKind::Certabo,
    BoardKind::Sentio,
    BoardKind::ChessLink,
    BoardKind::Chessnut,
];

#[test]
fn every_position_of_a_game_is_told_by_every_kind() {
    for kind in KINDS {
        let (script, boards) = script(kind, 3);
        let mut table = Table::at(kind, script);
        table.run(Duration::from_secs(600));
        assert!(table.board.is_heard(), "{kind}");
        assert_eq!(table.missing(class(kind), &boards), None, "{kind}");
        assert_eq!(
            (table.snapshots(), &table.faults[..]),
            (1, &[][..]),
            "{kind}"
        );
        let Report::Hello(info) = &table.heard[0].report else {
            panic!("{kind}: a hello comes first");
        };
        assert!(info.polled && info.scan_ms > 0 && !info.clock, "{kind}");
        assert!(
            table.heard.iter().map(|event| event.at).is_sorted(),
            "{kind}"
        );
    }
}

#[test]
fn scans_of_every_length_and_tags_read_badly() {
    for (scan_ms, misread) in [(20, 0), (20, 30), (100, 10), (250, 10)] {
        for kind in KINDS {
            let (script, boards) = script(kind, 5);
            let config = SimConfig {
                scan_ms,
                misread,
                ..config(kind)
            };
            let mut table = Table::new(&config, kind, script, LineNoise::default(), None);
            table.run(Duration::from_secs(600));
            assert_eq!(
                table.missing(class(kind), &boards),
                None,
                "{kind} {scan_ms} {misread}"
            );
            assert_eq!(table.faults, [], "{kind}");
        }
    }
}

#[test]
fn tags_are_learned_before_anything_rests_on_them_and_once() {
    let kind = BoardKind::Certabo;
    let (script, boards) = script(kind, 3);
    let mut table = Table::at(kind, script.clone());
    table.run(Duration::from_secs(600));
    let [Learning::Done { memory, words }] = &table.learned[..] else {
        panic!("{:?}", table.learned)
    };
    assert!(words.contains("34 pieces"), "{words}");
    assert_eq!(
        table.readings()[0],
        SensorClass::Piece.reads(&Board::new()),
        "second queens are not in the game"
    );
    let mut again = Table::new(
        &config(kind),
        kind,
        script,
        LineNoise::default(),
        Some(memory.clone()),
    );
    again.run(Duration::from_secs(600));
    // The same board, switched on with the same chance, has the same tags.
    assert_eq!(
        (
            again.learned.len(),
            again.missing(SensorClass::Piece, &boards)
        ),
        (0, None)
    );
}

#[test]
fn pieces_that_nobody_knows_are_something() {
    let kind = BoardKind::Certabo;
    let mut board = Board::new();
    board.discard_piece_at(Square::E2);
    board.discard_piece_at(Square::A1);
    board.discard_piece_at(Square::B8);
    board.discard_piece_at(Square::C8);
    board.discard_piece_at(Square::D8);
    let config = SimConfig {
        squares: SensorClass::Piece.reads(&board),
        ..config(kind)
    };
    let mut table = Table::new(&config, kind, Vec::new(), LineNoise::default(), None);
    table.run(Duration::from_secs(20));
    let [Learning::Wanted(words)] = &table.learned[..] else {
        panic!("{:?}", table.learned);
    };
    assert!(words.text.contains("starting position"), "{words:?}");
    let last = *table.readings().last().expect("what stands there is told");
    assert_eq!(last, SensorClass::Occupancy.reads(&board));
}

/// A third queen comes out of another box, and nobody has learned its tag.
#[test]
fn a_queen_out_of_another_box_is_something() {
    let queen = Symbol::Piece(Piece {
        color: Color::White,
        role: Role::Queen,
    });
    let place = |(n, square): (u64, Square)| BoardEvent {
        at: Time(2_000 * n),
        report: Report::Changes(vec![(square, queen)]),
    };
    let script = (1..).zip([Square::C4, Square::D4]).map(place).collect();
    let mut table = Table::at(BoardKind::Certabo, script);
    table.run(Duration::from_secs(60));
    let last = table.readings().pop().expect("what stands there is told");
    assert_eq!(
        (last.at(Square::C4), last.at(Square::D4)),
        (queen, Symbol::Something)
    );
}

#[test]
fn a_line_opened_again_tells_how_it_stands() {
    for kind in KINDS {
        let (script, boards) = script(kind, 3);
        let mut table = Table::at(kind, script);
        table.run(Duration::from_secs(25));
        table.connect();
        table.run(Duration::from_secs(600));
        assert_eq!(table.snapshots(), 2, "{kind}");
        assert_eq!(
            table.readings().last(),
            Some(&class(kind).reads(boards.last().unwrap())),
            "{kind}"
        );
    }
}

#[test]
fn a_board_that_stops_in_the_middle_of_a_frame_is_silent_and_comes_back() {
    for kind in KINDS {
        let (script, boards) = script(kind, 3);
        let mut table = Table::at(kind, script);
        table.run(Duration::from_secs(20));
        let half = match kind {
            BoardKind::Chessnut => vec![0x01, 0x3d, 0x58],
            BoardKind::ChessLink => vec![b's', b'.' | 0x80],
            _ => b":255 2".to_vec(),
        };
        table.give(&half);
        table.is_cut = true;
        table.run(Duration::from_secs(5));
        let fault = table.faults.first().cloned();
        assert!(
            matches!(fault, Some(FaultReason::Silent | FaultReason::Garbage)),
            "{kind}: {fault:?}"
        );
        table.is_cut = false;
        table.run(Duration::from_secs(600));
        assert_eq!(
            table.readings().last(),
            Some(&class(kind).reads(boards.last().unwrap())),
            "{kind}"
        );
    }
}

#[test]
fn a_board_that_lost_its_power_goes_on() {
    for kind in KINDS {
        let (script, boards) = script(kind, 3);
        let mut table = Table::at(kind, script);
        table.run(Duration::from_secs(20));
        table.board.reboot(table.now);
        table.run(Duration::from_secs(600));
        assert_eq!(
            table.readings().last(),
            Some(&class(kind).reads(boards.last().unwrap())),
            "{kind}"
        );
    }
}

#[test]
fn a_wrong_board_is_named_or_called_garbage() {
    let fault = |board: BoardKind, host: BoardKind| {
        let mut table = Table::new(&config(board), host, Vec::new(), LineNoise::default(), None);
        table.run(Duration::from_secs(8));
        assert_eq!(table.heard, [], "{board} is no {host}");
        table
            .faults
            .first()
            .cloned()
            .unwrap_or_else(|| panic!("{board} is no {host}"))
    };
    let named = |board: BoardKind| FaultReason::OtherBoard {
        is: board.profile().title,
        kind: board.name(),
    };
    assert_eq!(
        fault(BoardKind::Certabo, BoardKind::Sentio),
        named(BoardKind::Certabo)
    );
    assert_eq!(
        fault(BoardKind::Sentio, BoardKind::Certabo),
        named(BoardKind::Sentio)
    );
    assert_eq!(
        fault(BoardKind::Certabo, BoardKind::ChessLink),
        FaultReason::Garbage
    );
    assert_eq!(
        fault(BoardKind::Sentio, BoardKind::Chessnut),
        FaultReason::Garbage
    );
    assert_eq!(
        fault(BoardKind::ChessLink, BoardKind::Certabo),
        FaultReason::Garbage
    );
    assert_eq!(
        fault(BoardKind::Chessnut, BoardKind::ChessLink),
        FaultReason::NoAnswer
    );
}

#[test]
fn lamps_are_lit_and_snapshots_told_when_wanted() {
    let squares = 1 << u32::from(Square::A8) | 1 << u32::from(Square::E4) | 1;
    for kind in KINDS {
        let mut table = Table::at(kind, Vec::new());
        table.run(Duration::from_secs(3));
        let before = table.snapshots();
        for command in [Command::SetLamps(squares), Command::RequestSnapshot] {
            let mut out = Outbox::default();
            table.host.command(table.now, command, &mut out);
            table.take(out);
        }
        table.run(Duration::from_secs(2));
        assert_eq!(
            (table.board.lamps(), table.snapshots()),
            (squares, before + 1),
            "{kind}"
        );
    }
}

#[test]
fn a_turned_certabo_learns_as_it_lies() {
    let kind = BoardKind::Certabo;
    let half = Orientation::Half;
    let squares = half.reading(&SensorClass::Piece.reads(&Board::new()));
    let config = SimConfig {
        squares,
        ..config(kind)
    };
    let mut table = Table::new(&config, kind, Vec::new(), LineNoise::default(), None);
    table.host = (kind.profile().host)(&Start {
        turned: half,
        ..Start::new(table.now)
    });
    table.connect();
    table.run(Duration::from_secs(20));
    assert_eq!(
        table.readings().last().map(|reading| half.reading(reading)),
        Some(SensorClass::Piece.reads(&Board::new()))
    );
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 24,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// What a bad line costs is made good: the last position is always known in the end.
    #[test]
    fn on_a_bad_line_the_end_is_known(
        kind in prop::sample::select(KINDS.to_vec()),
        seed in any::<u64>(),
        chance in 0.0..0.05f64,
    ) {
        let (script, boards) = script(kind, 3);
        let script_length = script.last().map_or(0, |event| event.at.0);
        let config = SimConfig {
            linger: Duration::from_secs(60),
            ..config(kind)
        };
        let mut table = Table::new(&config, kind, script, LineNoise::all(seed, chance), None);
        // What comes last on a bad line may be noise: the line gets better at the end.
        let length = Duration::from_millis(script_length) + Duration::from_secs(30);
        table.run(length);
        table.up.change(LineNoise::default());
        table.down.change(LineNoise::default());
        table.run(Duration::from_secs(600));
        prop_assert!(table.board.is_heard());
        let expected = class(kind).reads(boards.last().unwrap());
        prop_assert_eq!(table.readings().pop(), Some(expected), "{}", kind);
    }
}
