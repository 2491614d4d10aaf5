//! Any bytes from a sensor array, and any from a host, into a whole board: no panic, and what it
//! says can be read.
#![no_main]

use std::convert::Infallible;

use board_wire::device::Identity;
use board_wire::{
    Accumulator, Capabilities, FromBoard, Layout, Ring, Sensor, Serial, Step, ToBoard, encode,
};
use firmware::array::{Array, Sample};
use firmware::board::{Board, Settings};
use libfuzzer_sys::fuzz_target;

/// Scans that are made of one input at most: a sample may lie a minute behind the one before.
const MOST: usize = 20_000;

fuzz_target!(|bytes: &[u8]| {
    let Some(serial) = Serial::new(b"fuzz") else {
        return;
    };
    let identity = Identity {
        boot: 1,
        serial,
        sensor: Sensor::Colour,
        capabilities: Capabilities(31),
        pace: 1_000,
        firmware: "",
    };
    let mut board = Board::<Ring<512>>::new(identity, 0, Settings::default(), None);
    let mut array = Array::<true>::default();
    let (mut said, mut scans) = (Vec::new(), 0);
    for piece in bytes.chunks(27) {
        let (kind, rest) = (piece[0], &piece[1..]);
        match kind % 4 {
            // Noise on either line.
            0 => rest.iter().for_each(|byte| array.receive(*byte)),
            1 => board.receive(array.ms(), rest, &mut array, |_, _| {}),
            // What could have been said.
            2 => {
                if let Ok(sample) = Sample::read(rest) {
                    encode(&sample)
                        .as_bytes()
                        .iter()
                        .for_each(|byte| array.receive(*byte));
                }
            }
            _ => {
                if let Ok(order) = ToBoard::read(rest) {
                    board.receive(array.ms(), encode(&order).as_bytes(), &mut array, |_, _| {});
                }
            }
        }
        if kind > 200 {
            array.pass();
        }
        while let Some(due) = array.next_scan() {
            board.scan(due.ms, &mut array, due.controls);
            scans += 1;
            if scans > MOST {
                return;
            }
        }
        let room = usize::from(kind);
        let _infallible = board.transmit(array.ms(), |frame| -> Result<usize, Infallible> {
            let taken = frame.len().min(room);
            said.extend_from_slice(&frame[..taken]);
            Ok(taken)
        });
    }
    let mut accumulator = Accumulator::<FromBoard>::default();
    let mut left = said.as_slice();
    loop {
        match accumulator.feed(left) {
            Step::Partial => break,
            Step::Message(_, rest) => left = rest,
            Step::Damaged(damage, _) => panic!("the board says what nobody can read: {damage}"),
        }
    }
});
