//! Any bytes into the host's decoder: no panic, and what is read is what would have been sent.
#![no_main]

use board_wire::{Accumulator, FromBoard, Layout, Step, encode};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut line = Accumulator::<FromBoard>::default();
    let mut rest = bytes;
    loop {
        match line.feed(rest) {
            Step::Partial => break,
            Step::Message(message, left) => {
                check(&message);
                rest = left;
            }
            Step::Damaged(_, left) => rest = left,
        }
    }
    // The CRC keeps a fuzzer out; this is the way in.
    if let Ok(message) = FromBoard::read(bytes) {
        check(&message);
    }
});

fn check(message: &FromBoard) {
    let frame = encode(message);
    match Accumulator::<FromBoard>::default().feed(frame.as_bytes()) {
        Step::Message(again, []) => assert_eq!(&again, message),
        other => panic!("{other:?}"),
    }
}
