//! A pawn goes from e2 to e4 on wires that flicker: what the host hears of it.

use std::convert::Infallible;
use std::fmt;

use board_wire::device::Identity;
use board_wire::{
    Accumulator, Capabilities, FromBoard, Ring, Sensor, Serial, Step, ToBoard, Trouble, encode,
};
use firmware::board::{Board, Settings};
use firmware::scan::{Reading, Scan, ScanError};

/// Reed contacts, which close and open a few times before they rest.
struct Wires {
    closed: u64,
    ms: u64,
}

#[derive(Debug)]
struct Broken;

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("broken")
    }
}

impl std::error::Error for Broken {}

impl ScanError for Broken {
    fn trouble(&self) -> Trouble {
        Trouble::NONE
    }
}

impl Scan for Wires {
    type Error = Broken;
    const SENSOR: Sensor = Sensor::Occupancy;

    fn scan(&mut self) -> Result<Reading, Broken> {
        self.ms += 1;
        let bounces = (500..503).contains(&self.ms) && self.ms.is_multiple_of(2);
        let e4 = u64::from(bounces || self.ms > 900) << 28;
        let e2 = u64::from(bounces || self.ms < 500) << 12;
        Ok(Reading::of(self.closed | e2 | e4))
    }
}

fn main() {
    let identity = Identity {
        boot: 1,
        serial: Serial::new(b"DEMO-1").expect("a short one"),
        sensor: Sensor::Occupancy,
        capabilities: Capabilities::default(),
        pace: 1_000,
        firmware: "",
    };
    let mut board = Board::<Ring<2048>>::new(identity, 0, Settings::default(), None);
    let mut wires = Wires { closed: 0, ms: 0 };
    let question = encode(&ToBoard::RequestHello { nonce: Some(42) });
    board.receive(0, question.as_bytes(), &mut wires, |_, _| {});
    let mut host = Accumulator::<FromBoard>::default();
    for ms in 0..1_500 {
        board.scan(ms, &mut wires, 0);
        let heard = board.transmit(ms, |bytes| {
            let mut rest = bytes;
            while let Step::Message(message, left) = host.feed(rest) {
                println!("{ms:5} {message:?}");
                rest = left;
            }
            Ok::<_, Infallible>(bytes.len())
        });
        let Ok(()) = heard;
    }
}
