//! The lamps of Certabo and Tabutronic boards with lamps of one colour: a byte a rank, the eighth
//! first, bit 7 the h-file.

use std::time::{Duration, Instant};

use crate::protocol::Outbox;

/// Orders that come closer together get lost.
const APART: Duration = Duration::from_millis(600);

/// What is lit, and what is to be lit.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lamps {
    sent: Option<Instant>,
    /// Not sent yet: bit 0 is a1.
    wanted: Option<u64>,
    lit: u64,
}

impl Lamps {
    /// The line was opened: what an earlier host lit goes out, what is wanted of this one is lit.
    pub(super) fn open(&mut self, now: Instant, out: &mut Outbox) {
        self.wanted = Some(self.wanted.unwrap_or(self.lit));
        self.sent = None;
        self.wake(now, out);
    }

    /// These squares and no others.
    pub(super) fn light(&mut self, now: Instant, squares: u64, out: &mut Outbox) {
        self.wanted = Some(squares);
        self.wake(now, out);
    }

    pub(super) fn next_wake(&self) -> Option<Instant> {
        self.wanted.and(self.sent).map(|sent| sent + APART)
    }

    pub(super) fn wake(&mut self, now: Instant, out: &mut Outbox) {
        if self.next_wake().is_some_and(|due| now < due) {
            return;
        }
        if let Some(squares) = self.wanted.take() {
            out.send.extend(encode(squares));
            (self.sent, self.lit) = (Some(now), squares);
        }
    }
}

/// The order for these squares: bit 0 is a1.
fn encode(squares: u64) -> [u8; 8] {
    squares.to_be_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_kept_apart_and_the_last_one_counts() {
        let now = Instant::now();
        let (mut lamps, mut out) = (Lamps::default(), Outbox::default());
        lamps.open(now, &mut out);
        assert_eq!(std::mem::take(&mut out.send), [0; 8]);
        lamps.light(now, 1, &mut out);
        lamps.light(now, 1 << 63, &mut out);
        assert!(out.send.is_empty());
        lamps.wake(lamps.next_wake().unwrap(), &mut out);
        assert_eq!(
            out.send,
            [0x80, 0, 0, 0, 0, 0, 0, 0],
            "h8 is bit 7 of the first byte"
        );
        assert_eq!(lamps.next_wake(), None);
    }
}
