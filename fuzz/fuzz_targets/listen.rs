//! What must hold of any host's end of a line, whatever comes over it.

use std::time::{Duration, Instant};

use board_driver::{BoardKind, Outbox, Protocol, Report, Start};

/// Feeds a host, with waits; then a second one, byte by byte: no panic, no report before the
/// board's hello, and the same reports however the bytes are cut.
pub fn listen(kind: BoardKind, bytes: &[u8]) {
    let start = Instant::now();
    let (mut whole, mut split) = (host(kind, start), host(kind, start));
    let (mut now, mut rest, mut greeted) = (start, bytes, false);
    // Each piece: a length, a wait, and so many bytes.
    while let [length, wait, tail @ ..] = rest {
        let (piece, left) = tail.split_at(usize::from(*length).min(tail.len()));
        rest = left;
        now += Duration::from_millis(u64::from(*wait) * 4);
        let (mut one, mut other) = (Outbox::default(), Outbox::default());
        if !piece.is_empty() {
            whole.receive(now, piece, &mut one);
        }
        piece
            .iter()
            .for_each(|byte| split.receive(now, &[*byte], &mut other));
        assert_eq!((&one.reports, &one.fault), (&other.reports, &other.fault));
        for host in [&mut whole, &mut split] {
            if host.next_wake().is_some_and(|wake| wake <= now) {
                host.wake(now, &mut one);
            }
        }
        for delivery in one.reports {
            greeted |= matches!(delivery.event.report, Report::Hello(_));
            assert!(greeted, "{delivery:?} before any hello");
        }
        if one.fault.is_some() {
            (whole, split, greeted) = (host(kind, now), host(kind, now), false);
        }
    }
}

fn host(kind: BoardKind, now: Instant) -> Box<dyn Protocol> {
    let mut host = (kind.profile().host)(&Start::new(now));
    host.open(now, &mut Outbox::default());
    host
}
