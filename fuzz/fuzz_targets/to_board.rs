//! Any bytes and any orders into a board, at play and at the bench: no panic, and it comes to an
//! end of what it has to say.
#![no_main]

use board_wire::device::Identity;
use board_wire::{
    Capabilities, Device, IndexedRing, Job, Layout, Sensor, Serial, Side, Square, SquareMap,
    Symbol, ToBoard, Workshop, encode,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some(serial) = Serial::new(b"fuzz") else {
        return;
    };
    let identity = Identity {
        boot: 1,
        serial,
        sensor: Sensor::Piece,
        capabilities: Capabilities(!16),
        pace: 1_000,
        firmware: "",
    };
    let mut board = Device::<IndexedRing<512, 4>>::new(identity, 0, [Symbol::EMPTY; 64]);
    let (mut workshop, mut map) = (Workshop::default(), SquareMap::IDENTITY);
    board.receive(0, bytes, |_| {});
    for (ms, piece) in (0..).zip(bytes.chunks(9)) {
        if let Ok(order) = ToBoard::read(piece) {
            board.receive(ms, encode(&order).as_bytes(), |_| {});
            if let Some(Job::TakeMap(wanted)) = workshop.hear(ms, order, ms) {
                assert_eq!(wanted.apply(u64::MAX), u64::MAX);
                map = wanted;
            }
        }
        match piece[0] {
            0..64 => board.change(
                ms,
                &[(Square::new(piece[0]).unwrap_or_default(), Symbol::LIGHT)],
            ),
            64..96 => board.press(ms, Side::White, Some(ms), None),
            96..128 => board.heartbeat(),
            _ => {}
        }
        if piece.len() > 4 {
            workshop.tell(&map, |aside| board.say(aside));
            board.next_frame(ms);
        }
    }
    let mut left = 0;
    while {
        workshop.tell(&map, |aside| board.say(aside));
        board.next_frame(0).is_some()
    } {
        left += 1;
        assert!(left < 1_000, "a board that never stops speaking");
    }
});
