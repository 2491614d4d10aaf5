use core::convert::Infallible;
use std::vec::Vec;

use board_wire::device::Identity;
use board_wire::{
    Accumulator, Capabilities, Evidence, FromBoard, Ring, Sensor, Serial, Side, Square, Step,
    Symbol, ToBoard, What, encode,
};
use proptest::prelude::*;

use super::*;

fn identity(sensor: Sensor) -> Identity {
    Identity {
        boot: 7,
        serial: Serial::new(b"bench-1").unwrap(),
        sensor,
        capabilities: Capabilities::CLOCK.with(Capabilities::ADJUST, true),
        pace: 1000,
        firmware: "",
    }
}

fn board(squares: Squares) -> Reporter<Ring<4096>> {
    started(0, squares, Controls::default())
}

/// A host asks who is there.
fn ask(board: &mut Reporter<Ring<4096>>, ms: u32) {
    let question = encode(&ToBoard::RequestHello { nonce: Some(1) });
    board.receive(ms, question.as_bytes(), |_| {});
}

/// A board whose host has asked who it is, and whose first scan, at `ms`, reads `squares` and
/// `controls`.
fn started(ms: u32, squares: Squares, controls: Controls) -> Reporter<Ring<4096>> {
    let mut board = Reporter::new(Ring::new(), identity(squares.sensor()), ms, None, 10);
    ask(&mut board, ms);
    board.scan(ms, Some(squares), controls);
    board
}

/// Everything the board sends now, decoded; the line takes `room` bytes at a time.
fn sent(board: &mut Reporter<Ring<4096>>, ms: u32, room: usize) -> Vec<FromBoard> {
    let mut bytes = Vec::new();
    let all: Result<(), Infallible> = board.transmit(ms, |offered| {
        let taken = offered.len().min(room);
        bytes.extend_from_slice(&offered[..taken]);
        Ok(taken)
    });
    all.unwrap();
    decode(&bytes)
}

fn decode(mut bytes: &[u8]) -> Vec<FromBoard> {
    let mut accumulator = Accumulator::default();
    let mut messages = Vec::new();
    loop {
        match accumulator.feed(bytes) {
            Step::Partial => return messages,
            Step::Message(message, rest) => {
                messages.push(message);
                bytes = rest;
            }
            Step::Damaged(damage, _) => panic!("the board sent {damage}"),
        }
    }
}

fn evidence(messages: &[FromBoard]) -> Vec<&Evidence> {
    messages
        .iter()
        .filter_map(|m| {
            if let FromBoard::Evidence(e) = m {
                Some(e)
            } else {
                None
            }
        })
        .collect()
}

/// Applies snapshots and changes as a host does.
fn follow(picture: &mut [Symbol; 64], messages: &[FromBoard]) {
    for e in evidence(messages) {
        match &e.what {
            What::Snapshot(squares) => *picture = *squares,
            What::Change(changes) => {
                changes
                    .as_slice()
                    .iter()
                    .for_each(|(square, symbol)| picture[usize::from(square.index())] = *symbol);
            }
            What::Press { .. } | What::Adjust { .. } => {}
        }
    }
}

/// Who opens the port minutes later must not read what was said before he came.
#[test]
fn nothing_is_written_before_the_host_has_spoken() {
    let mut board = Reporter::new(
        Ring::<4096>::new(),
        identity(Sensor::Occupancy),
        0,
        None,
        10,
    );
    for ms in 1..=5_000 {
        let squares = Squares::Occupancy(u64::from(ms / 1_000));
        board.scan(ms, Some(squares), Controls::default());
        assert_eq!(sent(&mut board, ms, 64), []);
    }
    ask(&mut board, 5_000);
    let messages = sent(&mut board, 5_000, 64);
    assert!(matches!(&messages[0], FromBoard::Hello(hello) if hello.next == 6));
    assert_eq!(evidence(&messages).len(), 6, "it is kept all the same");
}

#[test]
fn starts_with_hello_and_snapshot() {
    let mut board = board(Squares::Colour {
        occupied: 0b11,
        dark: 0b10,
    });
    let messages = sent(&mut board, 0, 1);
    let FromBoard::Hello(hello) = &messages[0] else {
        panic!("{messages:?}")
    };
    assert_eq!((hello.boot, hello.sensor), (7, Sensor::Colour));
    let mut squares = [Symbol::EMPTY; 64];
    (squares[0], squares[1]) = (Symbol::LIGHT, Symbol::DARK);
    assert_eq!(evidence(&messages)[0].what, What::Snapshot(squares));
    assert_eq!(messages.len(), 2);
}

#[test]
fn one_scan_is_one_frame_and_comes_before_its_press() {
    let mut board = board(Squares::Occupancy(0b01));
    sent(&mut board, 0, 64);
    board.scan(500, Some(Squares::Occupancy(0b10)), Controls::WHITE_PRESS);
    let messages = sent(&mut board, 500, 64);
    let evidence = evidence(&messages);
    let What::Change(changes) = &evidence[0].what else {
        panic!("{evidence:?}")
    };
    let (a1, b1) = (Square::new(0).unwrap(), Square::new(1).unwrap());
    assert_eq!(
        changes.as_slice(),
        [(a1, Symbol::EMPTY), (b1, Symbol::SOMETHING)]
    );
    assert_eq!(
        evidence[1].what,
        What::Press {
            by: Side::White,
            white_ms: None,
            black_ms: None
        }
    );
    assert_eq!(
        evidence.iter().map(|e| (e.seq, e.ms)).collect::<Vec<_>>(),
        [(1, 500), (2, 500)]
    );
}

#[test]
fn only_going_down_is_a_press() {
    let lever = [
        Controls::WHITE_PRESS,
        Controls::WHITE_PRESS,
        Controls::default(),
        Controls::BLACK_PRESS,
    ];
    let buttons = [
        Controls::BLACK_ADJUST,
        Controls::BLACK_ADJUST,
        Controls::default(),
        Controls::WHITE_ADJUST,
    ];
    let squares = Squares::Occupancy(0);
    // White's end is down at the start: no press.
    let mut board = started(0, squares, Controls::WHITE_PRESS);
    for (ms, controls) in (1..).zip(lever.into_iter().chain(buttons)) {
        board.scan(ms, Some(squares), controls);
    }
    let messages = sent(&mut board, 9, 64);
    let said: Vec<_> = evidence(&messages)
        .iter()
        .skip(1)
        .map(|e| (e.ms, e.what.clone()))
        .collect();
    assert_eq!(
        said,
        [
            (
                4,
                What::Press {
                    by: Side::Black,
                    white_ms: None,
                    black_ms: None
                }
            ),
            (5, What::Adjust { by: Side::Black }),
            (8, What::Adjust { by: Side::White }),
        ]
    );
}

/// Over a restart the lever's position tells a press that was on its way.
#[test]
fn a_lever_that_went_down_during_a_restart_is_a_press() {
    let mut board = Reporter::new(
        Ring::<4096>::new(),
        identity(Sensor::Occupancy),
        0,
        Some(Controls::WHITE_PRESS),
        10,
    );
    ask(&mut board, 0);
    board.scan(1, Some(Squares::Occupancy(1)), Controls::BLACK_PRESS);
    let messages = sent(&mut board, 1, 64);
    assert!(matches!(evidence(&messages)[0].what, What::Snapshot(_)));
    assert_eq!(
        evidence(&messages)[1].what,
        What::Press {
            by: Side::Black,
            white_ms: None,
            black_ms: None
        }
    );
    assert!(board.is_drained() && board.controls() == Some(Controls::BLACK_PRESS));
}

/// Without squares there is a heartbeat, and a press is a press.
#[test]
fn a_board_that_cannot_read_its_squares_is_alive() {
    let mut board = Reporter::new(
        Ring::<4096>::new(),
        identity(Sensor::Occupancy),
        0,
        None,
        10,
    );
    ask(&mut board, 0);
    for ms in 1..=200 {
        let controls = if ms < 150 {
            Controls::default()
        } else {
            Controls::WHITE_PRESS
        };
        board.scan(ms, None, controls);
    }
    let messages = sent(&mut board, 200, 64);
    assert!(matches!(messages[0], FromBoard::Hello(_)));
    assert_eq!(evidence(&messages).len(), 1);
    assert!(
        matches!(messages.last(), Some(FromBoard::Heartbeat(_))),
        "{messages:?}"
    );
}

#[test]
fn the_polarity_of_an_empty_square_is_nothing() {
    let mut board = board(Squares::Colour {
        occupied: 1,
        dark: 0,
    });
    sent(&mut board, 0, 64);
    board.scan(
        1,
        Some(Squares::Colour {
            occupied: 1,
            dark: !1,
        }),
        Controls::default(),
    );
    assert!(sent(&mut board, 1, 64).is_empty());
    board.scan(
        2,
        Some(Squares::Colour {
            occupied: 1,
            dark: 1,
        }),
        Controls::default(),
    );
    assert_eq!(sent(&mut board, 2, 64).len(), 1);
}

#[test]
fn beats_soon_after_evidence_and_then_less_often_across_the_wrap_of_its_clock() {
    let start = u32::MAX - 1500;
    let squares = Squares::Occupancy(0);
    let mut board = started(start, squares, Controls::default());
    let mut beats = Vec::new();
    for after in 0..4000 {
        let ms = start.wrapping_add(after);
        board.scan(
            ms,
            Some(Squares::Occupancy(u64::from(after >= 2500))),
            Controls::default(),
        );
        let heard = sent(&mut board, ms, 64)
            .into_iter()
            .filter(|m| matches!(m, FromBoard::Heartbeat(_)));
        beats.extend(heard.map(|_| after));
    }
    assert_eq!(beats, [100, 500, 1500, 2600, 3000]);
}

#[test]
fn late_scans_are_counted_and_told() {
    let mut board = board(Squares::Occupancy(0));
    for ms in [1, 2, 13, 23, 90, 200] {
        board.scan(ms, Some(Squares::Occupancy(0)), Controls::default());
    }
    let messages = sent(&mut board, 200, 64);
    let Some(FromBoard::Heartbeat(beat)) = messages.last() else {
        panic!("{messages:?}")
    };
    assert_eq!(beat.late_scans, 3);
}

#[test]
fn a_line_that_fails_loses_nothing() {
    for failing in 0..100 {
        let mut board = board(Squares::Occupancy(3));
        let mut bytes = Vec::new();
        let mut calls = 0;
        let result = board.transmit(0, |offered| {
            calls += 1;
            if calls > failing {
                return Err("unplugged");
            }
            bytes.push(offered[0]);
            Ok(1)
        });
        assert_eq!(result, Err("unplugged"));
        bytes.extend(sent_bytes(&mut board));
        assert_eq!(decode(&bytes).len(), 2);
    }
}

fn sent_bytes(board: &mut Reporter<Ring<4096>>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let all: Result<(), Infallible> = board.transmit(0, |offered| {
        bytes.extend_from_slice(offered);
        Ok(offered.len())
    });
    all.unwrap();
    bytes
}

proptest! {
    #[test]
    fn a_host_that_listens_knows_every_picture(
        pictures in prop::collection::vec((any::<u64>(), any::<u64>()), 1..40),
        room in 1..200usize,
        colour: bool,
    ) {
        let read = |(occupied, dark): (u64, u64)| match colour {
            true => Squares::Colour { occupied, dark },
            false => Squares::Occupancy(occupied),
        };
        let mut board = board(read((0xffff, 0)));
        let mut host = [Symbol::EMPTY; 64];
        for (ms, lines) in (1..).zip(pictures) {
            board.scan(ms, Some(read(lines)), Controls::default());
            follow(&mut host, &sent(&mut board, ms, room));
            prop_assert_eq!(host, read(lines).symbols());
        }
    }

    #[test]
    fn a_host_that_missed_everything_asks_and_gets_it(
        pictures in prop::collection::vec(any::<u64>(), 1..12),
    ) {
        let mut board = board(Squares::Occupancy(0));
        let mut once = Vec::new();
        for (ms, occupied) in (1..).zip(&pictures) {
            board.scan(ms, Some(Squares::Occupancy(*occupied)), Controls::default());
            once.extend(sent(&mut board, ms, 64));
        }
        board.receive(20, encode(&ToBoard::Resend { from: 0 }).as_bytes(), |_| {});
        let again = sent(&mut board, 20, 64);
        prop_assert_eq!(evidence(&once), evidence(&again));
    }
}
