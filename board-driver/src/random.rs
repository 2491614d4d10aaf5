//! Seeded chance for the simulated hand and the simulated sensors: the same seed gives the same
//! evening.

/// A small generator (SplitMix64). Good enough for gestures and contacts, the same on every
/// machine.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

/// From the first to the last value, both included.
pub(crate) type Span = (u64, u64);

impl Random {
    /// A generator with its own stream: equal seeds of different `purpose` do not run alike.
    pub(crate) fn new(seed: u64, purpose: u64) -> Random {
        let mut random = Random(seed ^ purpose.wrapping_mul(0xd6e8_feb8_6659_fd93));
        random.next();
        random
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`; 0 when `n` is 0.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        // The high half of a product is fair enough for the small numbers used here.
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }

    /// A number of the span.
    pub(crate) fn span(&mut self, (low, high): Span) -> u64 {
        low + self.below((high - low + 1) as usize) as u64
    }

    /// True this often in a thousand.
    pub(crate) fn chance(&mut self, per_mille: u16) -> bool {
        self.below(1000) < usize::from(per_mille)
    }

    /// The same for habits that only some have: what never happens draws no number, so that the
    /// others stay as they are.
    pub(crate) fn sometimes(&mut self, per_mille: u16) -> bool {
        per_mille > 0 && self.chance(per_mille)
    }

    /// One of the list; `None` when it is empty.
    pub(crate) fn pick<T: Copy>(&mut self, list: &[T]) -> Option<T> {
        list.get(self.below(list.len())).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_hold_their_ends_and_nothing_else() {
        let mut random = Random::new(1, 1);
        let seen: std::collections::BTreeSet<u64> =
            (0..1_000).map(|_| random.span((3, 7))).collect();
        assert_eq!(seen.into_iter().collect::<Vec<_>>(), [3, 4, 5, 6, 7]);
    }

    #[test]
    fn chances_come_out_about_as_often_as_they_should() {
        let mut random = Random::new(1, 1);
        let mut hits = |per_mille| (0..10_000).filter(|_| random.chance(per_mille)).count();
        assert_eq!((hits(0), hits(1_000)), (0, 10_000));
        assert!((2_300..2_700).contains(&hits(250)));
    }

    #[test]
    fn equal_seeds_of_different_purposes_do_not_run_alike() {
        assert_ne!(Random::new(1, 1).next(), Random::new(1, 2).next());
        assert_eq!(Random::new(1, 1).pick::<u8>(&[]), None);
    }
}
