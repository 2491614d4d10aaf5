use std::vec::Vec;

use proptest::prelude::*;

use super::*;

const FULL: u16 = 4095;
const ZERO: u16 = 2048;
const E4: usize = 28;

fn settings() -> HallSettings {
    HallSettings::for_full_scale(FULL).within(FULL)
}

fn calibrated() -> Detector {
    Detector::new(settings(), FULL, Some([ZERO; 64]))
}

/// A board on which only e4 differs.
fn with_e4(level: u16) -> [u16; 64] {
    let mut levels = [ZERO; 64];
    levels[E4] = level;
    levels
}

/// What e4 reads at these levels, one scan each: `.`, `L` or `D`; `!` where it is stuck.
fn reads(detector: &mut Detector, levels: &[u16]) -> std::string::String {
    let mut e4 = |level: u16| {
        let reading = detector.take(&with_e4(level)).unwrap();
        let bits = [reading.stuck, reading.occupied, reading.dark].map(|word| word >> E4 & 1 == 1);
        match bits {
            [true, ..] => '!',
            [_, false, _] => '.',
            [_, _, false] => 'L',
            _ => 'D',
        }
    };
    levels.iter().map(|level| e4(*level)).collect()
}

#[test]
fn colours_lie_on_either_side_of_zero_with_hysteresis() {
    let HallSettings { on, off, .. } = settings();
    assert_eq!((on, off), (255, 170));
    let mut detector = calibrated();
    let light = [on - 1, on, off, off - 1, on - 1].map(|distance| ZERO + distance);
    assert_eq!(reads(&mut detector, &light), ".LL..");
    let dark = [on - 1, on, off, off - 1, on - 1].map(|distance| ZERO - distance);
    assert_eq!(reads(&mut detector, &dark), ".DD..");
    // Another piece in its place, and a strong pole that turns into a weak other one: the first
    // magnet is gone.
    assert_eq!(
        reads(
            &mut detector,
            &[ZERO + 500, ZERO - 500, ZERO + 500, ZERO - off]
        ),
        "LDL."
    );
}

#[test]
fn dark_pieces_may_be_those_that_raise() {
    let mut detector = Detector::new(
        HallSettings {
            dark: Polarity::Raises,
            ..settings()
        },
        FULL,
        Some([ZERO; 64]),
    );
    assert_eq!(reads(&mut detector, &[ZERO + 300, ZERO - 300]), "DL");
    assert_eq!(detector.rank(3).squares[4].now, 300);
}

#[test]
fn a_sensor_that_is_pulled_down_is_stuck_and_no_piece() {
    let HallSettings { rail, .. } = settings();
    let mut detector = calibrated();
    assert_eq!(
        reads(&mut detector, &[0, rail, rail + 1, ZERO, FULL + 1]),
        "!!D.!"
    );
    // It comes back as what it reads then.
    assert_eq!(
        reads(&mut detector, &[ZERO, ZERO + 400, 0, ZERO + 200]),
        ".L!L"
    );
}

#[test]
fn the_strongest_magnet_is_a_piece_up_to_the_end_of_the_scale() {
    let HallSettings { rail, .. } = settings();
    let levels = [FULL - rail - 1, FULL - rail, FULL, ZERO];
    assert_eq!(reads(&mut calibrated(), &levels), "LLL.");
    let mut raised = Detector::new(
        HallSettings {
            dark: Polarity::Raises,
            ..settings()
        },
        FULL,
        Some([ZERO; 64]),
    );
    assert_eq!(reads(&mut raised, &levels), "DDD.");
}

#[test]
fn a_zero_far_from_the_middle_is_no_zero() {
    let mut zeros = [ZERO; 64];
    // A piece stood on e4 while the board was calibrated.
    zeros[E4] = ZERO + 400;
    let mut detector = Detector::new(settings(), FULL, Some(zeros));
    let reading = detector.take(&[ZERO; 64]).unwrap();
    assert_eq!((reading.occupied, reading.stuck), (0, 1 << E4));
    assert_eq!(reading.trouble.code, TroubleCode::NOT_CALIBRATED);
    assert_eq!(detector.calibrate([ZERO; 64]), Ok(()));
    assert_eq!(detector.take(&[ZERO; 64]), Some(Reading::of(0)));
}

#[test]
fn a_calibration_is_refused_where_a_piece_stands_and_the_old_zeros_stay() {
    let HallSettings { off, .. } = settings();
    let mut detector = calibrated();
    for level in [ZERO + off, ZERO - off, ZERO + 900, FULL] {
        let refused = detector.calibrate(with_e4(level));
        assert_eq!(refused, Err(Refusal::Occupied(1 << E4)));
        assert_eq!(detector.zeros(), Some(&[ZERO; 64]));
    }
    // Nearer than any piece, the zeros follow.
    assert_eq!(detector.calibrate(with_e4(ZERO + off - 1)), Ok(()));
    assert_eq!(detector.zeros(), Some(&with_e4(ZERO + off - 1)));
}

#[test]
fn a_calibration_is_refused_where_no_zero_can_be() {
    let HallSettings { zero_tolerance, .. } = settings();
    let middle = FULL / 2;
    let mut detector = Detector::new(settings(), FULL, None);
    for level in [middle + zero_tolerance + 1, middle - zero_tolerance - 1] {
        let refused = detector.calibrate(with_e4(level));
        assert_eq!(refused, Err(Refusal::Implausible(1 << E4)));
        assert_eq!(detector.zeros(), None);
    }
    // What the zeros creep to step by step stays within the same bounds.
    let edge = middle + zero_tolerance;
    assert_eq!(detector.calibrate(with_e4(edge)), Ok(()));
    let refused = detector.calibrate(with_e4(edge + 1));
    assert_eq!(refused, Err(Refusal::Implausible(1 << E4)));
    assert_eq!(detector.zeros(), Some(&with_e4(edge)));
}

#[test]
fn a_broken_sensor_keeps_nobody_from_calibrating_the_others() {
    let mut detector = calibrated();
    let mut levels = with_e4(0);
    levels[0] = ZERO + 30;
    assert_eq!(detector.calibrate(levels), Ok(()));
    let reading = detector.take(&levels).unwrap();
    assert_eq!((reading.stuck, reading.occupied), (1 << E4, 0));
    assert_eq!(detector.zeros[0], ZERO + 30);
    // Mended, it takes any zero that a sensor may have.
    assert_eq!(detector.calibrate([ZERO - 100; 64]), Ok(()));
    assert_eq!(detector.take(&[ZERO - 100; 64]), Some(Reading::of(0)));
}

/// One round of the sampler: each square once.
const ROUND: usize = 32 * 64;

#[test]
fn an_empty_square_follows_its_drift_a_count_a_round_and_no_farther_than_allowed() {
    let drift = settings().drift;
    let mut detector = calibrated();
    let mut after = |rounds: usize, level: u16| {
        (0..rounds * ROUND)
            .for_each(|_| assert_eq!(detector.take(&with_e4(level)), Some(Reading::of(0))));
        (detector.zeros[E4], detector.zeros().unwrap()[E4])
    };
    assert_eq!(after(3, ZERO + 40), (ZERO + 3, ZERO));
    assert_eq!(after(100, ZERO + 20), (ZERO + 20, ZERO));
    assert_eq!(after(100, ZERO + 60), (ZERO + drift, ZERO));
    assert_eq!(after(200, ZERO - 60), (ZERO - drift, ZERO));
}

#[test]
fn a_standing_piece_is_never_learned_away() {
    let HallSettings { on, off, .. } = settings();
    let mut detector = calibrated();
    // Put down properly, then pushed to the edge of its square for ten minutes.
    assert_eq!(reads(&mut detector, &[ZERO - on]), "D");
    for _ in 0..300 * ROUND {
        assert_eq!(detector.take(&with_e4(ZERO - off)).unwrap().dark, 1 << E4);
    }
    assert_eq!(detector.zeros[E4], ZERO);
    // And at once empty when it is gone.
    assert_eq!(reads(&mut detector, &[ZERO]), ".");
}

#[test]
fn noise_is_told_for_squares_on_which_nothing_moves() {
    let mut detector = calibrated();
    for scan in 0..ROUND {
        let mut levels = with_e4(if scan % 3 == 0 { 2040 } else { 2052 });
        // On e5 a piece comes and goes.
        levels[36] = if scan % 10 < 5 { 2048 } else { 2500 };
        detector.take(&levels);
    }
    assert_eq!(detector.rank(3).squares[4].noise, 12);
    assert_eq!(detector.rank(4).squares[4].noise, 0);
}

/// A square, one scan after another: its real zero and what stands there.
#[derive(Clone, Copy, Debug)]
struct Standing {
    rounds: usize,
    /// Counts from the real zero, sign and all; nothing is weaker than drift and noise allow.
    piece: Option<i32>,
    /// Where the real zero goes meanwhile.
    drift: i32,
}

fn standings() -> impl Strategy<Value = Vec<Standing>> {
    let piece = prop_oneof![
        Just(None),
        (400..1700i32).prop_map(Some),
        (-1700..-400i32).prop_map(Some)
    ];
    let standing = (1..12usize, piece, -12..12i32).prop_map(|(rounds, piece, drift)| Standing {
        rounds,
        piece,
        drift,
    });
    prop::collection::vec(standing, 1..12)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Pieces come, stand for long and go, on a sensor that drifts and flickers: read as they are
    /// in every scan.
    #[test]
    fn what_stands_there_is_read_while_sensors_drift(
        standings in standings(),
        offset in -200..200i32,
        seed: u32,
    ) {
        let mut real = i32::from(ZERO) + offset;
        let calibrated = real;
        let mut detector = Detector::new(settings(), FULL, Some(with_e4(real as u16)));
        let mut random = seed | 1;
        for Standing {
            rounds,
            piece,
            drift,
        } in standings
        {
            let goal = (real + drift).clamp(calibrated - 60, calibrated + 60);
            let scans = rounds * ROUND;
            for scan in 0..scans {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let flicker = (random >> 24) as i32 % 17 - 8;
                let zero = real + (goal - real) * scan as i32 / scans as i32;
                let reading = detector
                    .take(&with_e4((zero + piece.unwrap_or(0) + flicker) as u16))
                    .unwrap();
                let wanted = (piece.is_some(), piece.is_some_and(|piece| piece < 0));
                prop_assert_eq!(
                    (reading.occupied >> E4 & 1 == 1, reading.dark >> E4 & 1 == 1),
                    wanted
                );
                prop_assert_eq!(reading.stuck, 0);
            }
            real = goal;
        }
    }
}

proptest! {
    /// Whatever a converter says and whoever chose the settings: nothing panics, no zero runs away,
    /// what is stuck is neither occupied nor dark, and what is dark is occupied.
    #[test]
    fn any_counts_and_settings_keep_the_promises(
        full in 3..=u16::MAX,
        numbers: [u16; 5],
        zeros in prop::array::uniform32(any::<u16>()),
        raises: bool,
        scans in prop::collection::vec(prop::array::uniform32(any::<u16>()), 1..80),
    ) {
        let [on, off, drift, rail, zero_tolerance] = numbers;
        let dark = if raises {
            Polarity::Raises
        } else {
            Polarity::Lowers
        };
        let settings = HallSettings {
            dark,
            on,
            off,
            drift,
            rail,
            zero_tolerance,
            settle_us: 0,
        }
        .within(full);
        prop_assert!(settings.off < settings.on && 2 * settings.drift < settings.off);
        let twice = |half: [u16; 32]| -> [u16; 64] {
            core::array::from_fn(|n| half[n % 32].rotate_left((n / 32) as u32))
        };
        let mut detector = Detector::new(settings, full, Some(twice(zeros)));
        for scan in scans {
            for _ in 0..20 {
                let Reading {
                    occupied,
                    dark,
                    stuck,
                    ..
                } = detector.take(&twice(scan)).unwrap();
                prop_assert_eq!((occupied & stuck, dark & !occupied), (0, 0));
            }
            for rank in 0..8 {
                prop_assert_eq!(detector.rank(rank).rank, rank);
            }
        }
        let calibrated = detector.zeros().unwrap();
        prop_assert!((0..64).all(|n| detector.zeros[n].abs_diff(calibrated[n]) <= settings.drift));
    }
}
