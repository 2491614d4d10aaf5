//! A board and its host in one program: a pawn goes from e2 to e4, and the host hears of it.

use board_wire::device::Identity;
use board_wire::{
    Accumulator, Capabilities, Device, FromBoard, Ring, Sensor, Serial, Square, Step, Symbol,
    ToBoard, encode,
};

fn main() {
    let identity = Identity {
        boot: 1,
        serial: Serial::new(b"DEMO-1").expect("a short one"),
        sensor: Sensor::Occupancy,
        capabilities: Capabilities::default(),
        pace: 1_000,
        firmware: "",
    };
    let mut squares = [Symbol::EMPTY; 64];
    squares[12] = Symbol::SOMETHING;
    let mut board = Device::<Ring<2048>>::new(identity, 0, squares);
    // It is silent until a host has spoken.
    let question = encode(&ToBoard::RequestHello { nonce: Some(42) });
    board.receive(1, question.as_bytes(), |_| {});

    let (e2, e4) = (Square::new(12).expect("e2"), Square::new(28).expect("e4"));
    board.change(500, &[(e2, Symbol::EMPTY)]);
    board.change(900, &[(e4, Symbol::SOMETHING)]);

    let mut host = Accumulator::<FromBoard>::default();
    while let Some(frame) = board.next_frame(1_000) {
        let Step::Message(message, []) = host.feed(frame.as_bytes()) else {
            panic!("the line is sound");
        };
        println!("{message:?}");
    }
}
