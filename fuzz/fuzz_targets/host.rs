//! Any messages, in any order and at any time, into the host's end of the protocol: no panic, and
//! no report before the board's hello.
#![no_main]

use std::time::{Duration, Instant};

use board_driver::Report;
use board_driver::protocol::{Native, Outbox, Protocol, Start};
use board_wire::{FromBoard, Layout, encode};
use libfuzzer_sys::fuzz_target;

/// The number of the first question is the one after it.
const SEED: u32 = 0;

fuzz_target!(|bytes: &[u8]| {
    let mut now = Instant::now();
    let mut host = Native::new(&Start::new(now), SEED);
    let mut out = Outbox::default();
    host.open(now, &mut out);
    let mut greeted = false;
    let mut rest = bytes;
    // Each piece: a length, a wait, and a body of that length.
    while let [len, wait, tail @ ..] = rest {
        let (body, left) = tail.split_at(usize::from(*len).min(tail.len()));
        rest = left;
        now += Duration::from_millis(u64::from(*wait));
        match FromBoard::read(body) {
            Ok(message) => host.receive(now, encode(&message).as_bytes(), &mut out),
            Err(_) => host.receive(now, body, &mut out),
        }
        if host.next_wake().is_some_and(|wake| wake <= now) {
            host.wake(now, &mut out);
        }
        for delivery in out.reports.drain(..) {
            greeted |= matches!(delivery.event.report, Report::Hello(_));
            assert!(greeted, "{delivery:?} before any hello");
        }
        if out.fault.take().is_some() {
            host.open(now, &mut out);
        }
        out.send.clear();
    }
});
