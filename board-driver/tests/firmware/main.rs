//! The firmware's board and the host's end of the line, in virtual time: bouncing, chattering and
//! failing sensors at one end, loss, damage and repetition in between. What hands did arrives, each
//! thing once and in order, and nothing else does.

#![cfg(feature = "simulators")]

mod bench;
mod hands;

use arbiter_core::shakmaty::Square;
use arbiter_core::{Reading as Picture, Symbol};
use board_driver::sim::LineNoise;
use board_driver::{Report, TroubleCode};
use board_wire::Trouble;
use firmware::scan::Reading;
use proptest::prelude::*;

use bench::*;
use hands::*;

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 200,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn what_hands_did_arrives_once_and_nothing_else_does(
        deeds in deeds(),
        seed: u64,
        chance in 0.0..0.12f64,
        twice in 0..4u32,
    ) {
        let mut hands = Hands::new(Bench::new(LineNoise::all(seed, chance), twice));
        // The hello and the first snapshot may be lost, and what a host asks for.
        hands.bench.steps(1_000);
        while !hands
            .bench
            .told
            .iter()
            .any(|report| matches!(report, Report::Snapshot(_)))
        {
            hands.bench.step();
        }
        deeds.iter().for_each(|deed| hands.act(deed));
        hands.bench.catch_up();
        prop_assert_eq!(hands.bench.played(), hands.expected);
        let picture = hands.bench.picture();
        for (square, symbol) in Square::ALL.into_iter().zip(hands.truth) {
            prop_assert_eq!(picture.at(square), symbol);
        }
        prop_assert_eq!(hands.bench.condition(), (0, 0, TroubleCode::NONE));
    }

    /// A line that was dead for so long that the board had to forget: the loss is said, what is
    /// told is what was done, in order, and the picture is right in the end.
    #[test]
    fn what_a_dead_line_lost_is_said_and_nothing_else_is(
        touches in prop::collection::vec((0..64u8, any::<bool>(), any::<u8>()), 150..400),
        seed: u64,
    ) {
        let mut hands = Hands::new(Bench::new(LineNoise::default(), 0));
        hands.bench.steps(100);
        hands.bench.up.change(LineNoise {
            seed,
            drop: 1.0,
            ..LineNoise::default()
        });
        for (square, light, bounce) in touches {
            let now = hands.truth[usize::from(square)];
            let symbol = if now != Symbol::Empty {
                Symbol::Empty
            } else if light {
                LIGHT
            } else {
                DARK
            };
            hands.act(&Deed::Touch {
                square,
                symbol,
                bounce,
            });
        }
        hands.bench.catch_up();
        let (played, all) = (hands.bench.played(), &hands.expected);
        let lost = all.len() - played.len();
        prop_assert_eq!(&played[..], &all[lost..]);
        prop_assert_eq!(
            lost > 0,
            hands
                .bench
                .told
                .iter()
                .any(|report| matches!(report, Report::Lost { .. }))
        );
        // From the last snapshot on the picture is whole.
        let last = hands
            .bench
            .told
            .iter()
            .rposition(|report| matches!(report, Report::Snapshot(_)))
            .expect("a snapshot");
        hands.bench.told.drain(..last);
        let picture = hands.bench.picture();
        prop_assert!(
            Square::ALL
                .into_iter()
                .zip(hands.truth)
                .all(|(square, symbol)| picture.at(square) == symbol)
        );
    }

    #[test]
    fn a_board_takes_any_bytes_and_any_readings(
        bytes in prop::collection::vec(prop_oneof![Just(0u8), any::<u8>()], 0..2_000),
        readings in prop::collection::vec(
            (any::<[u64; 3]>(), any::<u64>(), any::<bool>(), 0..5_000u32),
            1..200,
        ),
    ) {
        let mut bench = Bench::new(LineNoise::default(), 0);
        let pieces = bytes.chunks(bytes.len() / readings.len() + 1);
        for (bytes, ([occupied, dark, stuck], controls, broken, ms)) in
            pieces.chain(std::iter::repeat(&[][..])).zip(readings)
        {
            bench.sensors = Sensors {
                reading: Reading {
                    occupied,
                    dark,
                    stuck,
                    trouble: Trouble::NONE,
                },
                broken,
            };
            bench.controls = controls;
            bench
                .board
                .receive(bench.ms, bytes, &mut bench.sensors, |_, _| {});
            bench.ms = bench.ms.wrapping_add(ms);
            bench.step();
        }
        // It is still there, and says what it read last.
        bench.sensors = Sensors::default();
        bench.controls = 0;
        bench.steps(6_000);
        prop_assert_eq!(bench.condition(), (0, 0, TroubleCode::NONE));
        prop_assert!(
            bench
                .told
                .iter()
                .any(|report| matches!(report, Report::Alive))
        );
        prop_assert_eq!(bench.picture(), Picture::EMPTY);
    }
}

#[test]
fn chatter_outage_and_stuck_squares_are_told_while_they_last() {
    let mut bench = Bench::new(LineNoise::default(), 0);
    bench.steps(100);
    let e4 = 1 << 28;
    for scan in 0..200 {
        bench.sensors.reading.occupied = if scan % 2 == 0 { e4 } else { 0 };
        bench.step();
    }
    assert_eq!(bench.condition(), (0, e4, TroubleCode::NONE));
    // From now on it may be as slow as a hand: it is not believed.
    for scan in 0..1_500 {
        bench.sensors.reading.occupied = if scan / 16 % 2 == 0 { e4 } else { 0 };
        bench.step();
    }
    assert_eq!(bench.condition(), (0, e4, TroubleCode::NONE));
    bench.sensors.reading.stuck = 0xff;
    bench.steps(2_500);
    assert_eq!(bench.condition(), (0xff, 0, TroubleCode::NONE));
    bench.sensors.broken = true;
    bench.steps(100);
    assert_eq!(bench.condition(), (!0, 0, TroubleCode::BUS));
    bench.sensors = Sensors::default();
    bench.steps(100);
    assert_eq!(bench.condition(), (0, 0, TroubleCode::NONE));
    assert_eq!(bench.played(), []);
}

/// How often the host hears of trouble when one scan of so many fails.
fn told_of_one_failure_in(scans: u32) -> Vec<TroubleCode> {
    let mut bench = Bench::new(LineNoise::default(), 0);
    bench.steps(100);
    for scan in 0..600 {
        bench.sensors.broken = scan % scans == 0;
        bench.sensors.reading.occupied = if scan < 300 { 0 } else { 1 << 28 };
        bench.step();
    }
    bench.sensors.broken = false;
    bench.steps(200);
    assert_eq!(bench.played(), [Report::Changes(vec![(Square::E4, LIGHT)])]);
    let code = |report: &Report| {
        if let Report::Condition(it) = report {
            Some(it.trouble.code)
        } else {
            None
        }
    };
    let mut codes: Vec<_> = bench.told.iter().filter_map(code).collect();
    // Heartbeats repeat it when only the number of failures has changed.
    codes.dedup();
    codes
}

#[test]
fn a_bus_that_fails_now_and_then_is_told_once_and_one_that_fails_rarely_not_at_all() {
    assert_eq!(
        told_of_one_failure_in(2),
        [TroubleCode::BUS, TroubleCode::NONE]
    );
    assert_eq!(told_of_one_failure_in(10), []);
}

/// A sensor that touches its rail again and again is one fault, not a hundred.
#[test]
fn a_square_that_can_be_read_now_and_then_is_unsteady() {
    let mut bench = Bench::new(LineNoise::default(), 0);
    bench.steps(100);
    for scan in 0..3_000 {
        bench.sensors.reading.stuck = if scan / 6 % 2 == 0 { 1 } else { 0 };
        bench.step();
    }
    assert_eq!(bench.condition(), (0, 1, TroubleCode::NONE));
    let told = bench
        .told
        .iter()
        .filter(|report| matches!(report, Report::Condition(_)))
        .count();
    assert!(told < 40, "told {told} times");
    assert_eq!(bench.played(), []);
}
