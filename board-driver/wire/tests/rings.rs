//! A large ring with an index is a ring: whatever is kept in it and asked of it, both say the same.

use board_wire::{IndexedRing, Ring, Store, Writer};
use proptest::prelude::*;

/// Small enough to turn around often, and with as few marks as it may have.
const BYTES: usize = 3_000;
const MARKS: usize = 16;

/// A body of so many bytes that no other one looks like.
fn body(seq: u32, len: usize) -> Vec<u8> {
    let number = seq.to_le_bytes();
    (0..len).map(|n| number[n % 4] ^ n as u8).collect()
}

fn copied(ring: &impl Store, seq: u32) -> Option<Vec<u8>> {
    let mut writer = Writer::default();
    ring.copy(seq, &mut writer)
        .then(|| writer.as_slice().to_vec())
}

proptest! {
    #[test]
    fn a_ring_with_an_index_keeps_what_a_ring_keeps(
        lens in prop::collection::vec(prop_oneof![Just(12usize), 12..=96usize], 1..900),
        asked in prop::collection::vec(any::<u16>(), 8),
    ) {
        let (mut plain, mut indexed) = (Ring::<BYTES>::new(), IndexedRing::<BYTES, MARKS>::new());
        for (seq, len) in (0..).zip(&lens) {
            let body = body(seq, *len);
            plain.push(&body);
            indexed.push(&body);
            prop_assert_eq!(plain.oldest(), indexed.oldest());
            prop_assert_eq!(plain.next(), indexed.next());
            prop_assert_eq!(copied(&indexed, seq), Some(body));
            let asked = asked.iter().map(|back| seq.wrapping_sub(u32::from(*back) % 400));
            for seq in asked.chain([plain.oldest(), plain.oldest().wrapping_sub(1), seq + 1]) {
                prop_assert_eq!(copied(&plain, seq), copied(&indexed, seq), "{}", seq);
            }
        }
        for seq in indexed.oldest()..indexed.next() {
            let len = lens[seq as usize];
            prop_assert_eq!(copied(&indexed, seq), Some(body(seq, len)));
        }
    }
}

#[test]
fn a_ring_of_128_kibibytes_keeps_thousands_of_bodies_and_finds_every_one() {
    let mut ring = Box::new(IndexedRing::<{ 128 * 1024 }, 512>::new());
    for seq in 0..30_000 {
        ring.push(&body(seq, 12));
    }
    let kept = ring.next() - ring.oldest();
    assert_eq!(kept, 128 * 1024 / 13);
    for seq in ring.oldest()..ring.next() {
        assert_eq!(copied(&*ring, seq), Some(body(seq, 12)));
    }
    for seq in [0, ring.oldest() - 1, ring.next(), u32::MAX] {
        assert_eq!(copied(&*ring, seq), None);
    }
}
