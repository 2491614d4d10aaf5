use std::vec::Vec;

use board_wire::{ClockBits, Side};
use proptest::prelude::*;

use super::*;

/// A frame without its address, as it comes off the bus.
fn frame(to: u8, kind: u8, data: &[u8]) -> Vec<u8> {
    let mut bytes = std::vec![0x10, data.len() as u8 + 5, kind];
    bytes.extend_from_slice(data);
    let crc = bytes
        .iter()
        .fold(Crc::default().with(to), |crc, byte| crc.with(*byte));
    bytes.push(crc.value());
    bytes
}

fn bcd(number: u16) -> u8 {
    (number / 10 * 16 + number % 10) as u8
}

/// Data of a frame with times; the high halves of the hours mean nothing that is known.
fn times(left_s: u16, right_s: u16, left_is_down: bool) -> [u8; 19] {
    let mut data = [0xee; 19];
    for (at, seconds) in [(1, left_s), (7, right_s)] {
        data[at] = 0x20 | (seconds / 3600) as u8;
        data[at + 1] = bcd(seconds / 60 % 60);
        data[at + 2] = bcd(seconds % 60);
    }
    data[15] = 0xa0 | u8::from(left_is_down);
    data[16] = 0;
    data
}

fn say(clock: &mut Dgt3000, ms: u32, bytes: &[u8]) {
    for (n, byte) in bytes.iter().enumerate() {
        clock.receive(ms, *byte, n == 0);
    }
}

fn show(clock: &mut Dgt3000, ms: u32, left_s: u16, right_s: u16, left_is_down: bool) -> Told {
    say(
        clock,
        ms,
        &frame(0, 4, &times(left_s, right_s, left_is_down)),
    );
    clock.told(ms)
}

fn buttons(clock: &mut Dgt3000, ms: u32, now: u8, before: u8) -> Option<Lever> {
    say(clock, ms, &frame(0, 5, &[now, before]));
    clock.told(ms).lever
}

const LEFT: u8 = 0x40;
const SWITCH: u8 = 0x20;

fn clock() -> Dgt3000 {
    Dgt3000::new(0, Side::White, None)
}

fn step(bytes: &[u8]) -> Vec<Step> {
    let mut frames = Frames::default();
    let steps = bytes
        .iter()
        .enumerate()
        .map(|(n, byte)| frames.take(*byte, n == 0));
    steps.filter(|step| *step != Step::Partial).collect()
}

/// What two public programs send to clocks and expect of them, byte for byte.
#[test]
fn frames_that_are_known_from_elsewhere() {
    let crc = |bytes: &[u8]| {
        bytes
            .iter()
            .fold(Crc::default(), |crc, b| crc.with(*b))
            .value()
    };
    assert_eq!(crc(&[0x10, WAKE[0], WAKE[1], WAKE[2]]), WAKE[3]);
    assert_eq!(crc(&[0x10, 0x20, 0x05, 0x0f]), 0x48);
    assert_eq!(crc(&[0x10, 0x20, 0x06, 0x0b, 0x39]), 0xb9);
    let hello = [0x10, 0x07, 0x02, 0x22, 0x01, 0x05];
    assert_eq!(step(&hello), [Step::Message(Message::Hello)]);
}

#[test]
fn what_is_not_whole_is_damaged_and_what_is_not_for_us_means_nothing() {
    let right = frame(0, 4, &times(3_661, 59, true));
    let dial = Dial {
        left_s: 3_661,
        right_s: 59,
        left_is_down: true,
    };
    assert_eq!(step(&right), [Step::Message(Message::Dial(dial))]);
    for bit in 0..8 * right.len() {
        let mut wrong = right.clone();
        wrong[bit / 8] ^= 1 << (bit % 8);
        // A bit may make it a frame to somebody else, which means nothing either.
        let steps = step(&wrong);
        let is_nothing = matches!(
            steps[..],
            [] | [Step::Damaged] | [Step::Message(Message::Else)]
        );
        assert!(is_nothing, "bit {bit}: {steps:?}");
    }
    let nothing = [Step::Message(Message::Else)];
    assert_eq!(step(&frame(0x20, 1, &[0x0f, 0x08, 0])), nothing);
    assert_eq!(step(&frame(0, 9, &[1; 200])), nothing);
    let mut no_news = times(10, 10, true);
    no_news[16] = 1;
    assert_eq!(step(&frame(0, 4, &no_news)), nothing);
    for (at, byte) in [(1, 0x0a), (2, 0x60), (3, 0x0a), (8, 0x99), (9, 0xff)] {
        let mut impossible = times(10, 10, true);
        impossible[at] = byte;
        assert_eq!(step(&frame(0, 4, &impossible)), nothing);
    }
    assert_eq!(step(&frame(0, 4, &[0; 18])), [Step::Damaged]);
    assert_eq!(step(&frame(0, 5, &[LEFT])), [Step::Damaged]);
    assert_eq!(step(&[0, 0]), []);
    assert_eq!(step(&[0x10, 4]), [Step::Damaged]);
}

#[test]
fn a_frame_that_is_cut_is_damaged_and_the_next_one_is_heard() {
    let mut clock = clock();
    say(&mut clock, 0, &frame(0, 4, &times(60, 60, true))[..9]);
    assert_eq!(
        show(&mut clock, 2, 50, 40, true).face.white_ms,
        Some(50_000)
    );
    assert_eq!(clock.damaged(), 1);
    say(&mut clock, 1_000, &frame(0, 4, &times(60, 60, true))[..9]);
    clock.told(1_051);
    assert_eq!(clock.damaged(), 2);
}

#[test]
fn left_and_right_are_who_sits_there() {
    for (left, white_ms, down) in [
        (Side::White, 60_000, Side::White),
        (Side::Black, 90_000, Side::Black),
    ] {
        let mut clock = Dgt3000::new(0, left, None);
        let told = show(&mut clock, 0, 60, 90, true);
        assert_eq!(told.face.white_ms, Some(white_ms));
        assert_eq!(told.lever, Some(Lever::Lies(down)));
    }
}

#[test]
fn a_lever_that_is_first_heard_of_was_not_pressed() {
    let mut clock = clock();
    assert_eq!(
        show(&mut clock, 0, 60, 60, true).lever,
        Some(Lever::Lies(Side::White))
    );
    assert_eq!(show(&mut clock, 1, 60, 60, true).lever, None);
    let pressed = Some(Lever::Pressed(Side::Black));
    assert_eq!(buttons(&mut clock, 500, 0, LEFT), pressed);
    let mut unheard = self::clock();
    assert_eq!(
        buttons(&mut unheard, 0, 0, LEFT),
        pressed,
        "as it was before is told too"
    );
}

#[test]
fn a_press_without_its_frame_is_told_by_the_second_times_that_show_it() {
    let mut clock = clock();
    show(&mut clock, 0, 60, 60, true);
    assert_eq!(show(&mut clock, 1_000, 59, 60, false).lever, None);
    assert_eq!(
        show(&mut clock, 2_000, 59, 59, false).lever,
        Some(Lever::Pressed(Side::Black))
    );
    // These were on their way when the lever moved.
    buttons(&mut clock, 2_500, LEFT, 0);
    assert_eq!(show(&mut clock, 2_501, 59, 59, false).lever, None);
    assert_eq!(show(&mut clock, 3_500, 59, 59, true).lever, None);
    assert_eq!(show(&mut clock, 4_500, 59, 59, false).lever, None);
}

#[test]
fn a_press_that_was_missed_is_not_told_at_the_time_of_the_next() {
    let mut clock = clock();
    show(&mut clock, 0, 60, 60, true);
    assert_eq!(
        buttons(&mut clock, 9, LEFT, 0),
        Some(Lever::Pressed(Side::White))
    );
    assert_eq!(
        buttons(&mut clock, 19, 0, 0),
        Some(Lever::Lies(Side::Black))
    );
}

#[test]
fn times_that_nobody_tells_any_more_are_not_told_on() {
    let mut clock = clock();
    assert_eq!(clock.told(0).face, board_wire::ClockFace::default());
    show(&mut clock, 0, 60, 50, true);
    assert_eq!(clock.told(2_999).face.black_ms, Some(50_000));
    assert_eq!(clock.told(3_000).face.black_ms, None);
    assert!(clock.told(4_999).face.bits.has(ClockBits::SPEAKS));
    assert!(!clock.told(5_000).face.bits.has(ClockBits::SPEAKS));
    // It lies as it lay; nobody knows what happened meanwhile.
    assert_eq!(
        show(&mut clock, 9_000, 60, 50, false).lever,
        Some(Lever::Lies(Side::Black))
    );
}

#[test]
fn who_counts_down_runs_and_who_has_had_nothing_for_a_second_has_lost() {
    let mut clock = clock();
    let [white, black] = [ClockBits::WHITE_RUNS, ClockBits::BLACK_RUNS];
    let fell = ClockBits::BLACK_FELL;
    assert!(!show(&mut clock, 0, 60, 2, true).face.bits.has(black));
    let face = show(&mut clock, 1_000, 60, 1, true).face;
    assert!(face.bits.has(black) && !face.bits.has(white));
    buttons(&mut clock, 1_100, 0, LEFT);
    let face = show(&mut clock, 1_200, 59, 1, false).face;
    assert!(
        face.bits.has(white) && !face.bits.has(black),
        "both became less of late"
    );
    buttons(&mut clock, 1_300, LEFT, 0);
    let out = show(&mut clock, 2_000, 60, 0, true).face;
    assert!(
        out.bits.has(black) && !out.bits.has(fell),
        "part of a second may be left"
    );
    assert!(!show(&mut clock, 2_999, 60, 0, true).face.bits.has(fell));
    let face = show(&mut clock, 3_000, 60, 0, true).face;
    assert!(face.bits.has(fell) && face.black_ms == Some(0));
    let face = show(&mut clock, 5_000, 60, 0, true).face;
    assert!(face.bits.has(fell) && !face.bits.has(black));
    assert!(
        !show(&mut clock, 6_000, 60, 60, true).face.bits.has(fell),
        "set anew"
    );
}

#[test]
fn a_clock_that_is_set_to_nothing_has_not_run_out() {
    for (shown, left_is_down) in [([0, 0, 6, 0, 0, 0], false), ([3, 2, 1, 0, 0, 0], true)] {
        let mut clock = clock();
        for (n, left_s) in shown.into_iter().enumerate() {
            let told = show(&mut clock, 2_000 * n as u32, left_s, 60, left_is_down);
            assert!(!told.face.bits.has(ClockBits::WHITE_FELL), "{n}");
        }
    }
}

/// The moments at which a wake-up is wanted, in this time.
fn wakes(clock: &mut Dgt3000, times: core::ops::Range<u32>) -> Vec<u32> {
    times.filter(|ms| clock.wants_waking(*ms)).collect()
}

#[test]
fn a_silent_clock_is_woken_three_times_and_no_more() {
    let mut clock = clock();
    assert_eq!(wakes(&mut clock, 0..60_000), [0, 1_000, 2_000]);
    show(&mut clock, 60_000, 9, 9, true);
    assert_eq!(wakes(&mut clock, 60_000..90_000), [65_000, 66_000, 67_000]);
    // An answer alone does not make it a clock that may be woken again.
    say(&mut clock, 90_000, &frame(0, 2, &[0x22, 1]));
    assert_eq!(wakes(&mut clock, 90_000..120_000), []);
}

#[test]
fn a_clock_that_was_switched_off_is_left_alone() {
    let mut clock = clock();
    show(&mut clock, 0, 60, 60, true);
    buttons(&mut clock, 100, LEFT | SWITCH, LEFT);
    assert_eq!(wakes(&mut clock, 100..60_000), []);
    // One that was not: the button was let go, and it goes on.
    show(&mut clock, 60_000, 60, 60, true);
    buttons(&mut clock, 60_100, LEFT | SWITCH, LEFT);
    buttons(&mut clock, 60_200, LEFT, LEFT | SWITCH);
    assert_eq!(wakes(&mut clock, 60_200..66_000), [65_200]);
}

#[test]
fn after_a_restart_of_the_board_the_lever_is_remembered_and_the_clock_not_woken() {
    let after = |down, shown: bool| {
        let mut clock = Dgt3000::new(0, Side::White, Some(down));
        assert_eq!(wakes(&mut clock, 0..500), []);
        let first = show(&mut clock, 500, 60, 60, shown).lever;
        first.or(show(&mut clock, 1_500, 60, 60, shown).lever)
    };
    assert_eq!(after(Side::White, true), None);
    assert_eq!(after(Side::White, false), Some(Lever::Pressed(Side::Black)));
}

/// A byte off the bus, whether it is a first one, and how long it lets wait for it.
fn byte() -> impl Strategy<Value = (u8, bool, u32)> {
    (any::<u8>(), prop::bool::weighted(0.1), 0u32..3_000)
}

proptest! {
    /// Any bytes at any time: no panic, and times that a clock can show.
    #[test]
    fn any_bytes_are_survived(
        bytes in prop::collection::vec(byte(), 0..400),
        start in any::<u32>(),
    ) {
        let mut clock = Dgt3000::new(start, Side::Black, None);
        let mut ms = start;
        for (byte, first, pause) in bytes {
            ms = ms.wrapping_add(if pause < 2_900 { 0 } else { pause });
            clock.receive(ms, byte, first);
            clock.wants_waking(ms);
            let Told { face, .. } = clock.told(ms);
            for told in [face.white_ms, face.black_ms].into_iter().flatten() {
                prop_assert!(told < 36_000_000 && told % 1_000 == 0);
            }
        }
    }

    /// What a clock sends is understood, whatever came before, and a damaged byte is not.
    #[test]
    fn every_frame_is_read_as_it_was_sent_or_not_at_all(
        before in prop::collection::vec(any::<u8>(), 0..40),
        left_s in 0u16..36_000,
        right_s in 0u16..36_000,
        left_is_down in any::<bool>(),
        spoilt in prop::option::of((0usize..23, 1u8..=255)),
    ) {
        let mut frames = Frames::default();
        for (n, byte) in before.iter().enumerate() {
            frames.take(*byte, n == 0);
        }
        let mut bytes = frame(0, 4, &times(left_s, right_s, left_is_down));
        if let Some((at, by)) = spoilt {
            bytes[at] ^= by;
        }
        let steps = bytes.iter().enumerate().map(|(n, byte)| frames.take(*byte, n == 0));
        let last = steps.last();
        let sent = Step::Message(Message::Dial(Dial { left_s, right_s, left_is_down }));
        prop_assert_eq!(last == Some(sent), spoilt.is_none());
    }

    /// Presses take turns and are told once each, whatever frames are lost; none is invented.
    #[test]
    fn presses_are_those_of_the_frames_that_came(
        lost in prop::collection::vec(any::<bool>(), 1..60),
    ) {
        let mut clock = clock();
        show(&mut clock, 0, 600, 600, true);
        for (n, lost) in lost.into_iter().enumerate() {
            let (now, before, by) = if n % 2 == 0 {
                (0, LEFT, Side::Black)
            } else {
                (LEFT, 0, Side::White)
            };
            if !lost {
                let told = buttons(&mut clock, 40 * n as u32 + 40, now, before);
                prop_assert_eq!(told, Some(Lever::Pressed(by)));
            }
        }
    }
}
