//! Every kind of board: bytes of any kind between the frames of a simulated board, in pieces, at
//! any time. No panic, and no report before the board's hello.
#![no_main]

use std::time::{Duration, Instant};

use arbiter_core::shakmaty::Square;
use arbiter_core::{SensorClass, Symbol, Time};
use board_driver::protocol::Outbox;
use board_driver::sim::{BoardSim, SimConfig};
use board_driver::{BoardEvent, BoardKind, Command, Report, Start};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let [which, bytes @ ..] = bytes else { return };
    let kind = BoardKind::ALL[usize::from(*which) % BoardKind::ALL.len()];
    let sensor = kind.profile().sensor.unwrap_or(SensorClass::Piece);
    let mut now = Instant::now();
    let script = (1..200).map(|n: u64| {
        let change = (Square::ALL[(n * 7 % 64) as usize], Symbol::Empty);
        BoardEvent {
            at: Time(n * 300),
            report: Report::Changes(vec![change]),
        }
    });
    let config = SimConfig {
        kind,
        ..SimConfig::new("unused", "F-1", sensor)
    };
    let mut board = BoardSim::new(&config, 1, now, script).expect("a board");
    let mut host = (kind.profile().host)(&Start::new(now));
    let mut out = Outbox::default();
    host.open(now, &mut out);
    let mut greeted = false;
    let mut rest = bytes;
    // Each piece: what to do, a wait, and perhaps bytes.
    while let [what, wait, tail @ ..] = rest {
        rest = tail;
        now += Duration::from_millis(u64::from(*wait) * 4);
        board.wake(now);
        match what {
            0..100 => {
                let (piece, left) = tail.split_at(usize::from(*what).min(tail.len()));
                rest = left;
                host.receive(now, piece, &mut out);
            }
            100..110 => host.command(now, Command::SetLamps(u64::from(*wait) << 20), &mut out),
            110..116 => host.command(now, Command::RequestSnapshot, &mut out),
            116..118 => host.command(now, Command::RequestLevels, &mut out),
            118..120 => host.command(now, Command::Calibrate, &mut out),
            _ => {
                if let Some(mut frame) = board.next_frame(now) {
                    if *what > 240 && !frame.is_empty() {
                        let at = usize::from(*wait) % frame.len();
                        frame[at] ^= 1 << (what & 7);
                    }
                    host.receive(now, &frame, &mut out);
                }
            }
        }
        if host.next_wake().is_some_and(|wake| wake <= now) {
            host.wake(now, &mut out);
        }
        for delivery in out.reports.drain(..) {
            greeted |= matches!(delivery.event.report, Report::Hello(_));
            assert!(greeted, "{kind}: {delivery:?} before any hello");
        }
        if out.fault.take().is_some() {
            host.open(now, &mut out);
        }
        board.receive(now, &std::mem::take(&mut out.send));
    }
});
