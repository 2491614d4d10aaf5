//! 64 small counters in a few words: bit `n` of every plane together is the count of line `n`.

/// 64 counters that stop at `2^PLANES - 1`. Every operation works on all lines of a mask at once.
#[derive(Clone, Debug)]
pub(super) struct Counters<const PLANES: usize> {
    /// Least significant plane first.
    planes: [u64; PLANES],
}

impl<const PLANES: usize> Counters<PLANES> {
    pub(super) const fn new() -> Self {
        Counters {
            planes: [0; PLANES],
        }
    }

    /// Adds one to the lines of `mask`; a full counter stays full.
    pub(super) fn increment(&mut self, mask: u64) {
        let full = self.planes.iter().fold(!0, |all, plane| all & plane);
        let mut carry = mask & !full;
        for plane in &mut self.planes {
            let overflow = *plane & carry;
            *plane ^= carry;
            carry = overflow;
        }
    }

    /// Sets the lines of `mask` to zero.
    pub(super) fn clear(&mut self, mask: u64) {
        for plane in &mut self.planes {
            *plane &= !mask;
        }
    }

    /// The lines that stand at `count` or above.
    pub(super) fn reached(&self, count: u8) -> u64 {
        // Compared from the most significant plane down: a line is above as soon as it has a one
        // where `count` has a zero.
        let (mut above, mut equal) = (0, !0);
        for (n, plane) in self.planes.iter().enumerate().rev() {
            if count >> n & 1 == 1 {
                equal &= plane;
            } else {
                above |= equal & plane;
                equal &= !plane;
            }
        }
        if count >> PLANES == 0 {
            above | equal
        } else {
            0
        }
    }

    /// The lines that are not at zero.
    pub(super) fn any(&self) -> u64 {
        self.planes.iter().fold(0, |any, plane| any | plane)
    }
}
