//! Evidence kept for resending: the newest bodies that fit into a fixed number of bytes.

use crate::body::{MAX_BODY, Writer};

/// The shortest body of evidence, in bytes: an adjust button.
const SHORTEST: usize = 12;

/// Every so manieth body has a mark. It divides all of the sequence numbers, so that marks stay in
/// step when those wrap around.
const STRIDE: u32 = 32;

/// Where a board keeps the evidence that it has given out, under the sequence numbers from 0 on.
pub trait Store {
    /// The sequence number of the oldest body kept.
    fn oldest(&self) -> u32;

    /// The sequence number the next body will have.
    fn next(&self) -> u32;

    /// Keeps a body, of [`MAX_BODY`] bytes at most, at the cost of the oldest ones.
    fn push(&mut self, body: &[u8]);

    /// Appends the body numbered `seq`. `false` when it is not kept.
    fn copy(&self, seq: u32, body: &mut Writer) -> bool;
}

impl<S: Store> Store for &mut S {
    fn oldest(&self) -> u32 {
        (**self).oldest()
    }

    fn next(&self) -> u32 {
        (**self).next()
    }

    fn push(&mut self, body: &[u8]) {
        (**self).push(body);
    }

    fn copy(&self, seq: u32, body: &mut Writer) -> bool {
        (**self).copy(seq, body)
    }
}

/// Bodies one behind the other, each behind its length, in a circle of `BYTES` bytes; 4,096 hold
/// some 250 changes.
///
/// A body is found by walking there from the oldest one. That costs no memory, and on a
/// microcontroller more than a millisecond as soon as there are thousands: see [`IndexedRing`].
#[derive(Clone, Debug)]
pub struct Ring<const BYTES: usize> {
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

    /// One that keeps nothing yet.
    pub const fn new() -> Ring<BYTES> {
        let () = Self::LARGE_ENOUGH;
        Ring {
            bytes: [0; BYTES],
            start: 0,
            used: 0,
            oldest: 0,
            next: 0,
        }
    }

    /// Where the next body's length byte will be.
    fn end(&self) -> usize {
        (self.start + self.used) % BYTES
    }

    /// How many bodies behind the oldest one this is; `None` when it is not kept.
    fn place(&self, seq: u32) -> Option<u32> {
        let place = seq.wrapping_sub(self.oldest);
        (place < self.next.wrapping_sub(self.oldest)).then_some(place)
    }

    /// Appends the body that is so many behind the one at `at`.
    fn copy_from(&self, mut at: usize, bodies: u32, body: &mut Writer) {
        for _ in 0..bodies {
            at = (at + usize::from(self.bytes[at]) + 1) % BYTES;
        }
        // In one stretch, or in two around the end.
        let (from, len) = ((at + 1) % BYTES, usize::from(self.bytes[at]));
        let first = len.min(BYTES - from);
        body.bytes(&self.bytes[from..from + first]);
        body.bytes(&self.bytes[..len - first]);
    }
}

impl<const BYTES: usize> Default for Ring<BYTES> {
    fn default() -> Ring<BYTES> {
        Ring::new()
    }
}

impl<const BYTES: usize> Store for Ring<BYTES> {
    fn oldest(&self) -> u32 {
        self.oldest
    }

    fn next(&self) -> u32 {
        self.next
    }

    fn push(&mut self, body: &[u8]) {
        while BYTES - self.used < body.len() + 1 {
            let len = usize::from(self.bytes[self.start]) + 1;
            self.start = (self.start + len) % BYTES;
            self.used -= len;
            self.oldest = self.oldest.wrapping_add(1);
        }
        let end = self.end();
        for (n, byte) in core::iter::once(&(body.len() as u8))
            .chain(body)
            .enumerate()
        {
            self.bytes[(end + n) % BYTES] = *byte;
        }
        self.used += body.len() + 1;
        self.next = self.next.wrapping_add(1);
    }

    fn copy(&self, seq: u32, body: &mut Writer) -> bool {
        let place = self.place(seq);
        if let Some(place) = place {
            self.copy_from(self.start, place, body);
        }
        place.is_some()
    }
}

/// A large [`Ring`] with an index: where every thirty-second body is. Each body is found within 31
/// steps, however many are kept.
///
/// Too large for a stack: it is made where it stays, and a board borrows it.
#[derive(Clone, Debug)]
pub struct IndexedRing<const BYTES: usize, const MARKS: usize> {
    ring: Ring<BYTES>,
    /// Where the length byte of the bodies is whose number the stride divides, each in the place
    /// that its number leads to.
    marks: [u32; MARKS],
}

impl<const BYTES: usize, const MARKS: usize> IndexedRing<BYTES, MARKS> {
    /// No mark of a body that is kept may lie where another one does, before and after the numbers
    /// wrap around.
    const ENOUGH_MARKS: () = assert!(
        MARKS.is_power_of_two() && (MARKS - 1) * STRIDE as usize * (SHORTEST + 1) >= BYTES,
        "an index needs a mark for each 32 of the shortest bodies, and a power of two of them"
    );

    /// One that keeps nothing yet. All of it is zeros, so a static one takes no flash.
    pub const fn new() -> IndexedRing<BYTES, MARKS> {
        let () = Self::ENOUGH_MARKS;
        IndexedRing {
            ring: Ring::new(),
            marks: [0; MARKS],
        }
    }

    fn mark(seq: u32) -> usize {
        (seq / STRIDE) as usize % MARKS
    }
}

impl<const BYTES: usize, const MARKS: usize> Default for IndexedRing<BYTES, MARKS> {
    fn default() -> IndexedRing<BYTES, MARKS> {
        IndexedRing::new()
    }
}

impl<const BYTES: usize, const MARKS: usize> Store for IndexedRing<BYTES, MARKS> {
    fn oldest(&self) -> u32 {
        self.ring.oldest()
    }

    fn next(&self) -> u32 {
        self.ring.next()
    }

    fn push(&mut self, body: &[u8]) {
        let (seq, at) = (self.ring.next, self.ring.end());
        if seq.is_multiple_of(STRIDE) {
            self.marks[Self::mark(seq)] = at as u32;
        }
        self.ring.push(body);
    }

    fn copy(&self, seq: u32, body: &mut Writer) -> bool {
        let Some(place) = self.ring.place(seq) else {
            return false;
        };
        let behind_mark = seq % STRIDE;
        if behind_mark <= place {
            let at = self.marks[Self::mark(seq)] as usize;
            self.ring.copy_from(at, behind_mark, body);
        } else {
            self.ring.copy_from(self.ring.start, place, body);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_wrap_around_in_both_rings() {
        let mut indexed = IndexedRing::<2_000, 16>::new();
        // As after four thousand million pieces of evidence.
        let first = u32::MAX - 700;
        (indexed.ring.oldest, indexed.ring.next) = (first, first);
        let mut plain = indexed.ring.clone();
        let mut seq = first;
        for n in 0..1_400u32 {
            let body = [n as u8; SHORTEST + 3];
            plain.push(&body[..SHORTEST + n as usize % 4]);
            indexed.push(&body[..SHORTEST + n as usize % 4]);
            seq = seq.wrapping_add(1);
            assert_eq!((plain.next(), indexed.next()), (seq, seq));
            for back in 0..=150 {
                let [one, other] = [&plain as &dyn Store, &indexed].map(|ring| {
                    let mut writer = Writer::default();
                    ring.copy(seq.wrapping_sub(back), &mut writer)
                        .then_some(writer)
                });
                let both = (one.as_ref(), other.as_ref());
                match both {
                    (Some(one), Some(other)) => assert_eq!(one.as_slice(), other.as_slice()),
                    (one, other) => assert!(one.is_none() && other.is_none(), "{seq} - {back}"),
                }
            }
        }
    }
}
