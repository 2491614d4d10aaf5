//! What text boards and eChess write, byte for byte, as their public descriptions have it.

use std::time::{Duration, Instant};

use arbiter_core::shakmaty::{Board, Color, Square};
use arbiter_core::{Reading, SensorClass, Symbol};
use board_driver::protocol::{Outbox, affelino, echess, squareoff, text};
use board_driver::{BoardKind, FaultReason, Report, Start};

fn start(class: SensorClass) -> Reading {
    class.reads(&Board::new())
}

/// What a host tells after such bytes, and what it sends.
fn host(kind: BoardKind, bytes: &[u8]) -> Outbox {
    let now = Instant::now();
    let mut host = (kind.profile().host)(&Start::new(now));
    let mut out = Outbox::default();
    host.open(now, &mut out);
    host.receive(now, bytes, &mut out);
    out
}

fn reports(out: &Outbox) -> Vec<Report> {
    out.reports
        .iter()
        .map(|delivery| delivery.event.report.clone())
        .collect()
}

#[test]
fn square_off_says_squares_and_states_file_by_file() {
    let state = format!("30#{}*", "11000011".repeat(8));
    assert_eq!(
        squareoff::encode_state(&start(SensorClass::Occupancy)),
        state
    );
    assert_eq!(
        squareoff::encode_change(Square::E2, Symbol::Empty),
        "0#e2u*"
    );
    let out = host(
        BoardKind::SquareOff,
        format!("0#e2u*\r\n{state}\r\n0#e2u*\r\n0#e4d*\r\n27#x*").as_bytes(),
    );
    assert!(out.send.starts_with(b"30#R*\r\n"));
    let [Report::Hello(info), told @ ..] = &reports(&out)[..] else {
        panic!("no hello")
    };
    assert_eq!(
        (info.sensor, info.polled, info.clock),
        (SensorClass::Occupancy, true, false)
    );
    let [snapshot, lift, place] = told else {
        panic!("{told:?}")
    };
    assert_eq!(*snapshot, Report::Snapshot(start(SensorClass::Occupancy)));
    assert_eq!(*lift, Report::Changes(vec![(Square::E2, Symbol::Empty)]));
    assert_eq!(
        *place,
        Report::Changes(vec![(Square::E4, Symbol::Something)])
    );
    // What cannot be, or is damaged, is asked for.
    for wrong in ["0#e2d*", "0#e9u*", "0#e2x*", "30#0101*", "0#e2u0#e4d*"] {
        let clean = host(BoardKind::SquareOff, state.as_bytes());
        let out = host(BoardKind::SquareOff, format!("{state}{wrong}").as_bytes());
        assert_eq!(reports(&out), reports(&clean), "{wrong}");
        assert_eq!(
            out.send.len(),
            clean.send.len() + b"30#R*\r\n".len(),
            "{wrong}"
        );
    }
}

#[test]
fn echess_frames_are_found_though_their_end_is_also_a_full_rank() {
    let frame = echess::encode(&start(SensorClass::Colour));
    let mut expected = [0; 19];
    (expected[0], expected[2], expected[13], expected[15]) = (0xff, 0xff, 0xff, 0xff);
    expected[16..].fill(0xff);
    assert_eq!(frame, expected, "ranks 1, 2 light, 7, 8 dark, and the end");
    let mut moved = start(SensorClass::Colour);
    moved.set(Square::E2, Symbol::Empty);
    moved.set(Square::E4, Symbol::Colour(Color::White));
    // From every place in a stream, the next whole frames are found.
    let stream: Vec<u8> = [frame, echess::encode(&moved), frame, echess::encode(&moved)].concat();
    for skipped in 0..19 {
        let out = host(BoardKind::EChess, &stream[skipped..]);
        let last = reports(&out).pop();
        let change = vec![
            (Square::E2, Symbol::Empty),
            (Square::E4, Symbol::Colour(Color::White)),
        ];
        assert_eq!(last, Some(Report::Changes(change)), "after {skipped} bytes");
    }
    assert_eq!(
        echess::encode_lamps(1 << 12 | 1 << 28),
        [0xfe, 0x14, 0x34, 0xff]
    );
}

#[test]
fn an_echess_that_stops_in_mid_frame_is_heard_again() {
    let now = Instant::now();
    let mut host = (BoardKind::EChess.profile().host)(&Start::new(now));
    let frame = echess::encode(&start(SensorClass::Colour));
    let mut out = Outbox::default();
    host.open(now, &mut out);
    host.receive(now, &frame[..7], &mut out);
    let wake = host.next_wake().expect("it waits for the rest");
    host.wake(wake, &mut out);
    assert_eq!(out.trouble.damaged, 1);
    host.receive(wake + Duration::from_secs(9), &frame, &mut out);
    assert_eq!(
        reports(&out).last(),
        Some(&Report::Snapshot(start(SensorClass::Colour)))
    );
}

#[test]
fn lines_are_read_tolerantly() {
    let squares = "LLLLLLLL/LLLLLLLL/......../......../......../......../DDDDDDDD/DDDDDDDD";
    let lines = format!(
        "debug: hello\n# a comment\nboard B7 color clock lamps adjust scan=20 later\r\n={squares}\n"
    );
    let more = "-e2\n+E4L -d2\npress white 5000 6000\nadjust black\n";
    let out = host(BoardKind::Text, format!("{lines}{more}").as_bytes());
    let [Report::Hello(info), told @ ..] = &reports(&out)[..] else {
        panic!("no hello")
    };
    assert_eq!(
        (info.serial.as_str(), info.sensor, info.scan_ms),
        ("B7", SensorClass::Colour, 20)
    );
    assert_eq!(
        (info.clock, info.lamps, info.adjust, info.polled),
        (true, true, true, false)
    );
    let light = Symbol::Colour(Color::White);
    let expected = [
        Report::Snapshot(start(SensorClass::Colour)),
        Report::Changes(vec![(Square::E2, Symbol::Empty)]),
        Report::Changes(vec![(Square::D2, Symbol::Empty), (Square::E4, light)]),
        Report::Press {
            by: Color::White,
            white_ms: Some(5_000),
            black_ms: Some(6_000),
        },
        Report::Adjust { by: Color::Black },
    ];
    assert_eq!(told, expected);
}

#[test]
fn once_lines_are_checked_all_must_be() {
    let checked = |text: &str| format!("{text}*{}\n", text::encode_check(text));
    assert_eq!(text::encode_check("-e2"), "84C4");
    // The value that is commonly given for this text.
    assert_eq!(text::encode_check("abcde"), "C8F0");
    let head = checked("board B7 occupancy")
        + &checked(&format!(
            "={}",
            "1".repeat(16) + &"0".repeat(32) + &"1".repeat(16)
        ));
    let told =
        |line: &str| reports(&host(BoardKind::Text, format!("{head}{line}").as_bytes())).len();
    assert_eq!(told(&checked("-e2")), 3);
    assert_eq!(told("-e2\n"), 2, "no check");
    assert_eq!(told("-e3*84C4\n"), 2, "a wrong one");
    assert_eq!(told("# no check is needed here\n"), 2);
}

#[test]
fn a_board_that_cannot_be_asked_is_believed_as_it_speaks() {
    for kind in [BoardKind::Text, BoardKind::Affelino] {
        let mut now = Instant::now();
        let mut host = (kind.profile().host)(&Start::new(now));
        let mut out = Outbox::default();
        host.open(now, &mut out);
        while now < Instant::now() + Duration::from_secs(2) {
            now = host.next_wake().expect("it asks");
            host.wake(now, &mut out);
        }
        host.receive(now, b"-e2\r\n+e4\r\n", &mut out);
        let [Report::Hello(info), told @ ..] = &reports(&out)[..] else {
            panic!("{kind}: no hello")
        };
        assert!(info.polled, "{kind}");
        let [lift, place] = [(Square::E2, Symbol::Empty), (Square::E4, Symbol::Something)]
            .map(|c| Report::Changes(vec![c]));
        assert_eq!(told, [lift, place], "{kind}");
        // It goes on asking, and its silence is no fault.
        for _ in 0..40 {
            now = host.next_wake().expect("it asks");
            host.wake(now, &mut out);
        }
        assert_eq!(out.fault, None, "{kind}");
    }
}

#[test]
fn gameboard_words() {
    assert_eq!(affelino::encode_answer(true, 40), "#3f");
    let mut now = Instant::now();
    let mut host = (BoardKind::Affelino.profile().host)(&Start::new(now));
    let mut out = Outbox::default();
    host.open(now, &mut out);
    let board = start(SensorClass::Occupancy);
    for square in Square::ALL {
        assert!(
            out.send.ends_with(format!("?{square}\r").as_bytes()),
            "one question at a time"
        );
        let answer = affelino::encode_answer(board.at(square) != Symbol::Empty, 31);
        host.receive(now, format!("{answer}\r").as_bytes(), &mut out);
    }
    assert_eq!(
        out.reports.len(),
        1,
        "the board, and no state before it is sure that no answer came late"
    );
    now = host.next_wake().expect("a moment of quiet");
    host.wake(now, &mut out);
    assert_eq!(reports(&out).last(), Some(&Report::Snapshot(board)));
    // A board that keeps a game tells its own reckoning; only what its sensors tell counts.
    let game = "RRNBQKBNRPPPPPPPP................................pppppppprnbqkbnr ";
    host.receive(now, game.as_bytes(), &mut out);
    assert_eq!(reports(&out).last(), Some(&Report::Alive));
    assert_eq!(out.fault, None::<FaultReason>);
}
