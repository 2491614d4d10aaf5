use std::vec::Vec;

use proptest::prelude::*;

use super::counters::Counters;
use super::*;

/// The same filter, one line at a time and with plain arithmetic. A state is any number: one bit
/// for each plane.
#[derive(Clone, Copy)]
struct Line {
    settled: u8,
    candidate: u8,
    scans: u8,
}

impl Line {
    fn new(first: u8) -> Line {
        Line {
            settled: first,
            candidate: first,
            scans: 0,
        }
    }

    fn update(&mut self, raw: u8, depth: u8, frozen: bool) -> bool {
        if raw == self.settled || frozen {
            *self = Line {
                candidate: raw,
                scans: 0,
                ..*self
            };
            return false;
        }
        self.scans = if raw == self.candidate {
            self.scans + 1
        } else {
            1
        };
        self.candidate = raw;
        let changed = self.scans >= depth;
        if changed {
            *self = Line::new(raw);
        }
        changed
    }

    fn pending(&self) -> bool {
        self.scans > 0
    }
}

/// What line `n` reads in all planes.
fn state<const PLANES: usize>(planes: &[u64; PLANES], n: usize) -> u8 {
    planes
        .iter()
        .rev()
        .fold(0, |state, plane| state << 1 | (plane >> n & 1) as u8)
}

/// `scans` random scans of a board on which few squares flip at a time, against 64 lines alone.
fn against_lines_alone<const PLANES: usize>(depth: u8, scans: u32, seed: u64) {
    let mut random = seed;
    let mut word = || {
        // xorshift64: George Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8 (14),
        // 2003.
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random
    };
    let mut raw: [u64; PLANES] = core::array::from_fn(|_| word());
    let mut all = Debouncer::new(Depth::new(depth).unwrap(), raw);
    let mut lines: [Line; 64] = core::array::from_fn(|n| Line::new(state(&raw, n)));
    let (mut frozen, mut heard) = (0, 0u64);
    for scan in 0..scans {
        // Quiet and lively stretches, so that lines settle at every depth.
        let lively = scan / 64 % 3 == 0;
        for plane in &mut raw {
            let few = word() & word() & word();
            *plane ^= if lively {
                few
            } else {
                few & word() & word() & word()
            };
        }
        if scan % 97 == 0 {
            frozen = word() & word() & word();
        }
        let changed = all.update_except(raw, frozen);
        heard += u64::from(changed.count_ones());
        let expected = gather(|n| lines[n].update(state(&raw, n), depth, frozen >> n & 1 == 1));
        assert_eq!(changed, expected, "scan {scan}");
        let settled = all.debounced();
        assert!(
            (0..64).all(|n| lines[n].settled == state(&settled, n)),
            "scan {scan}"
        );
        assert_eq!(all.pending(), gather(|n| lines[n].pending()), "scan {scan}");
    }
    assert!(
        heard > u64::from(scans) / 20,
        "{heard} changes in {scans} scans of depth {depth} prove little"
    );
}

#[test]
fn millions_of_scans_are_as_64_lines_alone() {
    for depth in [1, 2, 3, 4, 5, 8, 15] {
        against_lines_alone::<1>(depth, 150_000, 0x9e37_79b9_7f4a_7c15 ^ u64::from(depth));
        against_lines_alone::<2>(depth, 150_000, 0xd1b5_4a32_d192_ed03 ^ u64::from(depth));
    }
}

fn gather(mut bit: impl FnMut(usize) -> bool) -> u64 {
    (0..64).fold(0, |word, n| word | u64::from(bit(n)) << n)
}

/// Scans that differ from the one before in a few squares only, as a board's do, so that long runs
/// occur.
fn scans() -> impl Strategy<Value = Vec<u64>> {
    let few = any::<u64>().prop_map(|a| a & a.rotate_left(7) & a.rotate_left(19));
    let flips = prop_oneof![3 => Just(0), 2 => few, 1 => any::<u64>()];
    prop::collection::vec(flips, 1..200).prop_map(|flips| {
        let mut raw = 0;
        flips
            .into_iter()
            .map(|f| {
                raw ^= f;
                raw
            })
            .collect()
    })
}

proptest! {
    #[test]
    fn every_square_behaves_as_one_alone(first: u64, depth in 1..=15u8, scans in scans()) {
        let mut all = Debouncer::new(Depth::new(depth).unwrap(), [first]);
        let mut lines: Vec<_> = (0..64).map(|n| Line::new(state(&[first], n))).collect();
        for raw in scans {
            let changed = all.update([raw]);
            let expected = gather(|n| lines[n].update(state(&[raw], n), depth, false));
            prop_assert_eq!(changed, expected);
            prop_assert_eq!(all.debounced(), [gather(|n| lines[n].settled == 1)]);
            prop_assert_eq!(all.pending(), gather(|n| lines[n].pending()));
        }
    }

    #[test]
    fn a_steady_change_arrives_after_depth_scans(from: u64, to: u64, depth in 1..=15u8) {
        let mut debouncer = Debouncer::new(Depth::new(depth).unwrap(), [from]);
        for _ in 1..depth {
            prop_assert_eq!(debouncer.update([to]), 0);
        }
        prop_assert_eq!(debouncer.update([to]), from ^ to);
        prop_assert_eq!(debouncer.update([to]), 0);
    }

    #[test]
    fn a_glitch_shorter_than_the_depth_is_nothing(
        rest: u64,
        glitch: u64,
        depth in 2..=15u8,
        repeats in 1..20usize,
    ) {
        let mut debouncer = Debouncer::new(Depth::new(depth).unwrap(), [rest]);
        for _ in 0..repeats {
            for _ in 1..depth {
                prop_assert_eq!(debouncer.update([rest ^ glitch]), 0);
            }
            prop_assert_eq!(debouncer.update([rest]), 0);
        }
        prop_assert_eq!(debouncer.debounced(), [rest]);
    }

    #[test]
    fn counters_count_stop_when_full_and_compare(
        steps in prop::collection::vec((any::<u64>(), any::<u64>()), 0..60),
    ) {
        let mut counters = Counters::<4>::new();
        let mut plain = [0u8; 64];
        for (add, clear) in steps {
            // Few clears, or no counter would ever fill.
            let clear =
                clear & clear.rotate_left(11) & clear.rotate_left(23) & clear.rotate_left(31);
            counters.increment(add);
            counters.clear(clear);
            for (n, count) in plain.iter_mut().enumerate() {
                *count = (*count + (add >> n & 1) as u8).min(15) * (!clear >> n & 1) as u8;
            }
            for limit in 0..20 {
                prop_assert_eq!(counters.reached(limit), gather(|n| plain[n] >= limit));
            }
        }
    }
}

#[test]
fn a_bouncing_neighbour_delays_nobody() {
    let (a1, h8) = (1, 1 << 63);
    let mut debouncer = Debouncer::new(Depth::default(), [0]);
    let changed: Vec<u64> = (0..4)
        .map(|n| debouncer.update([a1 | if n % 2 == 0 { h8 } else { 0 }]))
        .collect();
    assert_eq!(changed, [0, 0, 0, a1]);
}

#[test]
fn a_passing_colour_is_never_reported() {
    let e4 = 1u64 << 28;
    let (empty, light, dark) = ([0, 0], [e4, 0], [e4, e4]);
    let mut debouncer = Debouncer::new(Depth::default(), empty);
    // A dark magnet on its way reads light for three scans, then dark: occupied all the time, and
    // still four scans of dark are wanted.
    for raw in [light, light, light, dark, dark, dark] {
        assert_eq!(debouncer.update(raw), 0);
        assert_eq!(debouncer.debounced(), empty);
    }
    assert_eq!(debouncer.update(dark), e4);
    assert_eq!(debouncer.debounced(), dark);
}

#[test]
fn a_frozen_square_keeps_what_it_was_and_thaws_slowly() {
    let (a1, b1) = (1, 2);
    let mut debouncer = Debouncer::new(Depth::default(), [0]);
    for _ in 0..20 {
        debouncer.update_except([a1 | b1], a1);
    }
    assert_eq!(debouncer.debounced(), [b1]);
    let thawed: Vec<u64> = (0..4).map(|_| debouncer.update([a1 | b1])).collect();
    assert_eq!(thawed, [0, 0, 0, a1]);
}

#[test]
fn a_depth_is_one_to_fifteen_scans() {
    assert_eq!(Depth::new(0), None);
    assert_eq!(Depth::new(16), None);
    assert_eq!(Depth::new(15), Some(Depth::MAX));
    let mut believing = Debouncer::new(Depth::MIN, [0]);
    assert_eq!(believing.update([5]), 5);
}

#[test]
fn a_flickering_square_is_named_until_a_window_is_quiet() {
    let e4 = 1u64 << 28;
    let mut chatter = Chatter::new(10, 50, [0]);
    let named: Vec<u64> = (0..40)
        .map(|n| chatter.update([if n % 2 == 0 { e4 } else { 0 }]))
        .collect();
    assert_eq!(named[8], 0);
    assert_eq!(named[9], e4);
    // The rest of this window and the whole of the next are quiet; only then is the square clean
    // again.
    let quiet: Vec<u64> = (40..110).map(|_| chatter.update([0])).collect();
    assert_eq!(quiet[59], e4);
    assert_eq!(quiet[60], 0);
}

#[test]
fn a_piece_that_cannot_tell_its_colour_chatters() {
    let e4 = 1u64 << 28;
    let mut chatter = Chatter::new(10, 50, [e4, 0]);
    let named: Vec<u64> = (0..20)
        .map(|n| chatter.update([e4, if n % 2 == 0 { e4 } else { 0 }]))
        .collect();
    assert_eq!((named[8], named[9]), (0, e4));
}

#[test]
fn ordinary_use_is_not_chatter() {
    let d5 = 1u64 << 35;
    let mut chatter = Chatter::new(24, 1000, [d5]);
    // Lift and place with four bounces each, twice in a second.
    for n in 0..1000 {
        let bouncing = n % 250 < 8;
        let raw = if bouncing && n % 2 == 0 {
            0
        } else {
            d5 * u64::from(n / 250 % 2 == 0)
        };
        assert_eq!(chatter.update([raw]), 0, "scan {n}");
    }
}
