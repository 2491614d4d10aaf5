use std::vec::Vec;

use board_wire::device::Identity;
use board_wire::{Capabilities, Evidence, FromBoard, Ring, Serial, Side, What, encode};
use proptest::prelude::*;

use super::*;
use crate::board::{Board, Settings};
use crate::report::Controls;

const E4: u64 = 1 << 28;

fn sample(ms: u32, occupied: u64) -> Sample {
    Sample {
        ms,
        pace: 1_000,
        occupied,
        dark: 0,
        controls: 0,
    }
}

/// The times of all scans that are due, and what the last of them read.
fn scans(array: &mut Array<false>) -> (Vec<u32>, Option<Result<Reading, ArrayError>>) {
    let mut last = None;
    let due = core::iter::from_fn(|| {
        let due = array.next_scan()?;
        last = Some(array.scan());
        Some(due.ms)
    });
    (due.collect(), last)
}

fn feed(array: &mut Array<false>, bytes: &[u8]) -> Vec<u32> {
    let mut times = Vec::new();
    for byte in bytes {
        array.receive(*byte);
        times.extend(scans(array).0);
    }
    times
}

#[test]
fn a_sample_is_these_bytes() {
    let sample = Sample {
        ms: 0x0403_0201,
        pace: 1_000,
        occupied: 0xffff_0000_0000_ffff,
        dark: 1 << 63,
        controls: 0b10,
    };
    let mut body = Writer::default();
    sample.write(&mut body);
    let expected = [
        0x40, 1, 2, 3, 4, 0xe8, 3, 0, 0, 0xff, 0xff, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0,
        0x80, 2,
    ];
    assert_eq!(body.as_slice(), expected);
    assert_eq!(Sample::read(&expected), Ok(sample));
    assert_eq!(Sample::read(&expected[..25]), Err(Damage::Malformed));
    assert_eq!(Sample::read(&[]), Err(Damage::Malformed));
    assert_eq!(Sample::read(&[0x81]), Err(Damage::UnknownKind(0x81)));
}

#[test]
fn the_boards_clock_follows_the_arrays() {
    let mut array = Array::<false>::default();
    // Wherever the array's clock stands, and over its end.
    assert_eq!(
        feed(&mut array, encode(&sample(u32::MAX - 1, 0)).as_bytes()),
        [1]
    );
    assert_eq!(
        feed(&mut array, encode(&sample(2, E4)).as_bytes()),
        [2, 3, 4, 5]
    );
    assert_eq!(array.scan(), Ok(Reading::of(E4)));
    // Started anew, or a leap: time neither goes back nor leaps with it.
    assert_eq!(feed(&mut array, encode(&sample(0, 0)).as_bytes()), [6]);
    assert_eq!(feed(&mut array, encode(&sample(2, 0)).as_bytes()), [7, 8]);
    assert_eq!(
        feed(&mut array, encode(&sample(LONGEST_STEP + 3, 0)).as_bytes()),
        [9]
    );
}

#[test]
fn damage_is_one_scan_that_failed() {
    let mut array = Array::<false>::default();
    feed(&mut array, encode(&sample(1, E4)).as_bytes());
    let mut bytes = encode(&sample(2, 0)).as_bytes().to_vec();
    bytes[7] ^= 4;
    assert_eq!(feed(&mut array, &bytes), []);
    for byte in encode(&sample(3, E4)).as_bytes() {
        array.receive(*byte);
    }
    assert_eq!(array.next_scan(), Some(Due { ms: 2, controls: 0 }));
    assert_eq!(array.scan(), Err(ArrayError::Damaged));
    assert_eq!(scans(&mut array), ([3].to_vec(), Some(Ok(Reading::of(E4)))));
}

#[test]
fn an_array_that_is_unplugged_is_no_empty_board() {
    let mut array = Array::<false>::default();
    feed(
        &mut array,
        encode(&Sample {
            pace: 2_500,
            ..sample(1, E4)
        })
        .as_bytes(),
    );
    for _ in 1..SILENCE_MS {
        array.pass();
        assert_eq!(scans(&mut array), ([].to_vec(), None));
    }
    // The clock goes on at the array's pace.
    let times: Vec<u32> = (0..4)
        .flat_map(|_| {
            array.pass();
            let (times, last) = scans(&mut array);
            assert_eq!(last, Some(Err(ArrayError::Silent)));
            times
        })
        .collect();
    assert_eq!(times, [3, 6, 8, 11]);
    assert_eq!(
        feed(
            &mut array,
            encode(&Sample {
                pace: 2_500,
                ..sample(9, 0)
            })
            .as_bytes()
        ),
        [12]
    );
    assert_eq!(array.scan(), Ok(Reading::of(0)));
}

#[test]
fn an_array_that_never_spoke_is_silent_as_well() {
    let mut array = Array::<false>::default();
    (0..SILENCE_MS).for_each(|_| array.pass());
    assert_eq!(
        scans(&mut array),
        ([1].to_vec(), Some(Err(ArrayError::Silent)))
    );
}

/// All evidence of a board behind an array that sends `samples`; it remembers `told` of the run
/// before.
fn evidence(samples: impl IntoIterator<Item = Sample>, told: Option<Controls>) -> Vec<Evidence> {
    let identity = Identity {
        boot: 1,
        serial: Serial::new(b"array").unwrap(),
        sensor: Sensor::Occupancy,
        capabilities: Capabilities::CLOCK,
        pace: 1_000,
        firmware: "",
    };
    let mut board = Board::<Ring<4096>>::new(identity, 0, Settings::default(), told);
    let mut array = Array::<false>::default();
    // A host is there.
    board.receive(0, &[0], &mut array, |_, _| {});
    let mut line = Accumulator::<FromBoard>::default();
    let mut all = Vec::new();
    for byte in samples
        .into_iter()
        .flat_map(|sample| encode(&sample).as_bytes().to_vec())
    {
        array.receive(byte);
        while let Some(due) = array.next_scan() {
            board.scan(due.ms, &mut array, due.controls);
            let sent: Result<(), ()> = board.transmit(due.ms, |bytes| {
                if let Step::Message(FromBoard::Evidence(evidence), _) = line.feed(bytes) {
                    all.push(evidence);
                }
                Ok(bytes.len())
            });
            sent.unwrap();
        }
    }
    all
}

#[test]
fn a_press_during_a_restart_is_told_behind_the_first_reading() {
    let pressed = (0..40).map(|ms| Sample {
        controls: 0b10,
        ..sample(ms, E4)
    });
    let told = |before| -> Vec<_> {
        evidence(pressed.clone(), before)
            .into_iter()
            .map(|e| e.what)
            .collect()
    };
    assert!(matches!(
        told(Some(Controls::WHITE_PRESS))[..],
        [
            What::Snapshot(_),
            What::Press {
                by: Side::Black,
                ..
            }
        ]
    ));
    assert!(matches!(
        told(Some(Controls::BLACK_PRESS))[..],
        [What::Snapshot(_)]
    ));
    assert!(matches!(told(None)[..], [What::Snapshot(_)]));
}

proptest! {
    /// Who leaves out equal samples is understood as who sends one a millisecond.
    #[test]
    fn equal_samples_may_be_left_out(
        start: u32,
        readings in prop::collection::vec((any::<u64>(), any::<u64>(), 0..16u8, 1..40u32), 1..60),
        last in 1..400u32,
    ) {
        let (mut all, mut few) = (Vec::new(), Vec::new());
        let (mut occupied, mut ms) = (0, start);
        for (a, b, controls, lasts) in readings.into_iter().chain([(0, 0, 0, last)]) {
            occupied ^= a & b & b.rotate_left(9) & b.rotate_left(17);
            let now = Sample {
                controls,
                ..sample(ms, occupied)
            };
            few.push(now);
            all.extend((0..lasts).map(|n| Sample {
                ms: ms.wrapping_add(n),
                ..now
            }));
            ms = ms.wrapping_add(lasts);
        }
        // The last one ends the game; said twice it would be one scan more.
        few.extend(all.last().copied().filter(|_| last > 1));
        prop_assert_eq!(evidence(all, None), evidence(few, None));
    }

    /// Whatever comes over the line, time never goes back, and no reading is made up.
    #[test]
    fn a_bad_line_invents_nothing(
        samples in prop::collection::vec((1..300u32, 0..8u8), 1..40),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..30),
    ) {
        let mut ms = 0;
        let sent: Vec<Sample> = samples
            .into_iter()
            .map(|(step, rank)| {
                ms += step;
                sample(ms, 0xff << (8 * rank))
            })
            .collect();
        let mut bytes: Vec<u8> = sent
            .iter()
            .flat_map(|sample| encode(sample).as_bytes().to_vec())
            .collect();
        for (at, with) in damage {
            let at = at.index(bytes.len());
            bytes[at] ^= with;
        }
        let mut array = Array::<false>::default();
        let mut before = 0;
        for byte in bytes {
            array.receive(byte);
            while let Some(due) = array.next_scan() {
                prop_assert_eq!(due.ms, before + 1);
                before = due.ms;
                if let Ok(reading) = array.scan() {
                    prop_assert!(
                        sent.iter()
                            .any(|sample| sample.occupied == reading.occupied)
                    );
                }
            }
        }
        prop_assert!(before <= ms);
    }
}
