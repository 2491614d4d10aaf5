//! Any bytes into DGT's decoders: no panic, what is read is written as it was read, and how bytes
//! are cut does not matter.
#![no_main]

use board_driver::protocol::dgt::bus::Answer;
use board_driver::protocol::dgt::log::tokens;
use board_driver::protocol::dgt::{Framer, Message, on_bus, single};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let [cut, bytes @ ..] = bytes else { return };
    let messages = heard(single(), bytes, *cut, |frame| Message::read(frame));
    assert_eq!(
        messages,
        heard(single(), bytes, 0, |frame| Message::read(frame))
    );
    for message in messages.into_iter().flatten() {
        // Bits that mean nothing are not kept; what is meant is.
        if !matches!(message, Message::Unknown(_)) {
            assert_eq!(
                heard(single(), &message.bytes(), 0, |frame| Message::read(frame)),
                [Some(message)]
            );
        }
    }
    let answers = heard(on_bus(), bytes, *cut, |frame| Answer::read(frame));
    assert_eq!(
        answers,
        heard(on_bus(), bytes, 0, |frame| Answer::read(frame))
    );
    assert!(tokens(bytes).count() <= bytes.len());
});

fn heard<T>(
    mut framer: Framer,
    bytes: &[u8],
    cut: u8,
    read: impl Fn(board_driver::protocol::dgt::frame::Frame<'_>) -> Option<T>,
) -> Vec<Option<T>> {
    let mut out = Vec::new();
    let (first, second) = bytes.split_at(usize::from(cut).min(bytes.len()));
    for piece in [first, second] {
        framer.receive(piece, |frame| out.push(frame.ok().and_then(&read)));
    }
    out
}
