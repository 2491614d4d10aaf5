//! Evidence kept for resending: the newest bodies that fit into a fixed number of bytes.

use crate::body::{MAX_BODY, Writer};

/// Bodies one behind the other, each behind its length, in a circle of `BYTES` bytes.
#[derive(Clone, Debug)]
pub(crate) struct Ring<const BYTES: usize> {
    bytes: [u8; BYTES],
    /// Where the oldest body's length byte is.
    start: usize,
    used: usize,
    oldest: u32,
    next: u32,
}

impl<const BYTES: usize> Ring<BYTES> {
    /// A ring that could not hold one body would never keep anything.
    const LARGE_ENOUGH: () = assert!(BYTES > MAX_BODY, "a ring must hold at least one body");

    pub(crate) fn new() -> Ring<BYTES> {
        let () = Self::LARGE_ENOUGH;
        Ring {
            bytes: [0; BYTES],
            start: 0,
            used: 0,
            oldest: 0,
            next: 0,
        }
    }

    /// The sequence number of the oldest body kept.
    pub(crate) fn oldest(&self) -> u32 {
        self.oldest
    }

    /// The sequence number the next body will have.
    pub(crate) fn next(&self) -> u32 {
        self.next
    }

    /// Keeps a body, at the cost of the oldest ones.
    pub(crate) fn push(&mut self, body: &[u8]) {
        while BYTES - self.used < body.len() + 1 {
            let len = usize::from(self.bytes[self.start]) + 1;
            self.start = (self.start + len) % BYTES;
            self.used -= len;
            self.oldest = self.oldest.wrapping_add(1);
        }
        let end = self.start + self.used;
        for (n, byte) in core::iter::once(&(body.len() as u8))
            .chain(body)
            .enumerate()
        {
            self.bytes[(end + n) % BYTES] = *byte;
        }
        self.used += body.len() + 1;
        self.next = self.next.wrapping_add(1);
    }

    /// Appends the body numbered `seq`. `false` when it is not kept.
    pub(crate) fn copy(&self, seq: u32, body: &mut Writer) -> bool {
        let back = seq.wrapping_sub(self.oldest);
        if back >= self.next.wrapping_sub(self.oldest) {
            return false;
        }
        let mut at = self.start;
        for _ in 0..back {
            at = (at + usize::from(self.bytes[at]) + 1) % BYTES;
        }
        // In one stretch, or in two around the end.
        let (from, len) = ((at + 1) % BYTES, usize::from(self.bytes[at]));
        let first = len.min(BYTES - from);
        body.bytes(&self.bytes[from..from + first]);
        body.bytes(&self.bytes[..len - first]);
        true
    }
}
