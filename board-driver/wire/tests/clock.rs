//! When a board tells what its clock shows.

use board_wire::device::Identity;
use board_wire::{
    Accumulator, Capabilities, ClockBits, ClockFace, Device, FromBoard, Ring, Sensor, Serial, Side,
    Step, Symbol, ToBoard, What, encode,
};

/// A board whose host has asked who it is.
fn board() -> Device<Ring<1024>> {
    let identity = Identity {
        boot: 7,
        serial: Serial::new(b"T-1").expect("printable"),
        sensor: Sensor::Occupancy,
        capabilities: Capabilities::CLOCK,
        pace: 1_000,
        firmware: "",
    };
    let mut board = Device::new(identity, 0, [Symbol::EMPTY; 64]);
    ask(&mut board);
    board
}

fn ask(board: &mut Device<Ring<1024>>) {
    let question = encode(&ToBoard::RequestHello { nonce: Some(1) });
    board.receive(0, question.as_bytes(), |_| {});
}

fn drain(board: &mut Device<Ring<1024>>) -> Vec<FromBoard> {
    let frames = std::iter::from_fn(|| board.next_frame(0));
    let message = |frame: board_wire::Frame| match Accumulator::default().feed(frame.as_bytes()) {
        Step::Message(message, []) => message,
        other => panic!("{other:?}"),
    };
    frames.map(message).collect()
}

fn faces(board: &mut Device<Ring<1024>>) -> Vec<ClockFace> {
    let face = |message| match message {
        FromBoard::Clock { boot: 7, face, .. } => Some(face),
        _ => None,
    };
    drain(board).into_iter().filter_map(face).collect()
}

fn shows(bits: ClockBits, white_ms: u32) -> ClockFace {
    ClockFace {
        white_ms: Some(white_ms),
        black_ms: None,
        bits,
    }
}

#[test]
fn a_clock_that_has_ever_spoken_is_told_of_when_more_than_its_times_changes() {
    let mut board = board();
    let mut told = |face: Option<ClockFace>, beat: bool| {
        face.into_iter().for_each(|face| board.clock(face));
        if beat {
            board.heartbeat();
        }
        faces(&mut board)
    };
    let silent = ClockFace::default();
    assert_eq!(told(Some(silent), true), []);
    let first = shows(ClockBits::SPEAKS, 60_000);
    assert_eq!(told(Some(first), false), [first]);
    let second = shows(ClockBits::SPEAKS, 59_000);
    assert_eq!(told(Some(second), false), []);
    assert_eq!(told(None, true), [second]);
    let third = shows(ClockBits::SPEAKS.with(ClockBits::WHITE_RUNS, true), 59_000);
    assert_eq!(told(Some(third), false), [third]);
    assert_eq!(told(Some(silent), false), [silent]);
    assert_eq!(told(None, true), [silent]);
}

#[test]
fn a_host_that_asks_who_is_there_hears_of_the_clock_behind_the_evidence() {
    let mut board = board();
    let face = shows(ClockBits::SPEAKS, 60_000);
    board.clock(face);
    drain(&mut board);
    board.press_by_clock(5, Side::Black);
    ask(&mut board);
    let told = drain(&mut board);
    let [
        FromBoard::Hello(_),
        FromBoard::Evidence(press),
        FromBoard::Clock { .. },
    ] = &told[..]
    else {
        panic!("{told:?}")
    };
    let expected = What::Press {
        by: Side::Black,
        white_ms: Some(60_000),
        black_ms: None,
    };
    assert_eq!(press.what, expected);
}
