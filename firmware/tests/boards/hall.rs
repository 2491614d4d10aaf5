//! Linear Hall sensors behind simulated multiplexers, under a whole board.

use std::cell::RefCell;
use std::convert::Infallible;

use board_wire::{Sensor, Symbol, ToBoard, TroubleCode, encode};
use embedded_hal::delay::DelayNs;
use embedded_hal::digital::{ErrorType, OutputPin};
use firmware::scan::{AdcFn, AdcRead, Gated, Hall, HallSettings, Zeros};
use proptest::prelude::*;

use crate::rig::{Dice, Listener, board, order};

const SETTINGS: HallSettings = HallSettings::for_full_scale(4095);

/// Four multiplexers and what stands over their sensors.
struct Bench {
    address: u8,
    /// Which multiplexers are enabled.
    enabled: u8,
    zeros: Zeros,
    /// Counts from zero for each square: light pieces above.
    magnets: [i16; 64],
    dice: Dice,
}

impl Bench {
    /// Sensors that differ, and no piece.
    fn new(seed: u64) -> RefCell<Bench> {
        let mut dice = Dice::new(seed);
        let zeros = core::array::from_fn(|_| 1900 + dice.below(300) as u16);
        RefCell::new(Bench {
            address: 0,
            enabled: 0b1111,
            zeros,
            magnets: [0; 64],
            dice,
        })
    }

    /// What the common pins of all enabled multiplexers together read, with six counts of noise.
    fn counts(&mut self) -> u16 {
        let noise = self.dice.below(7) as i32 - 3;
        let on = (0..4u8).filter(|multiplexer| self.enabled >> multiplexer & 1 == 1);
        let squares: Vec<_> = on
            .map(|multiplexer| usize::from(16 * multiplexer + self.address))
            .collect();
        let sum: i32 = squares
            .iter()
            .map(|n| i32::from(self.zeros[*n]) + i32::from(self.magnets[*n]))
            .sum();
        (sum / squares.len() as i32 + noise).clamp(0, 4095) as u16
    }

    fn convert(&mut self, channel: u8) -> u16 {
        self.enabled = 1 << channel;
        self.counts()
    }
}

enum Line<'a> {
    Address(&'a RefCell<Bench>, u8),
    Enable(&'a RefCell<Bench>, u8),
}

impl Line<'_> {
    fn set(&mut self, high: bool) -> Result<(), Infallible> {
        match self {
            Line::Address(bench, n) => {
                let address = bench.borrow().address & !(1 << *n);
                bench.borrow_mut().address = address | u8::from(high) << *n;
            }
            Line::Enable(bench, n) => {
                let enabled = bench.borrow().enabled & !(1 << *n);
                bench.borrow_mut().enabled = enabled | u8::from(!high) << *n;
            }
        }
        Ok(())
    }
}

impl ErrorType for Line<'_> {
    type Error = Infallible;
}

impl OutputPin for Line<'_> {
    fn set_low(&mut self) -> Result<(), Infallible> {
        self.set(false)
    }

    fn set_high(&mut self) -> Result<(), Infallible> {
        self.set(true)
    }
}

struct NoWait;

impl DelayNs for NoWait {
    fn delay_ns(&mut self, _ns: u32) {}
}

fn hall<'a, A: AdcRead>(
    bench: &'a RefCell<Bench>,
    adc: A,
    zeros: Option<Zeros>,
) -> Hall<A, Line<'a>, NoWait> {
    Hall::new(
        adc,
        [0, 1, 2, 3].map(|n| Line::Address(bench, n)),
        NoWait,
        SETTINGS,
        zeros,
    )
}

/// One converter channel for each multiplexer.
fn four_channels(bench: &RefCell<Bench>) -> impl AdcRead {
    AdcFn::new(4095, |channel| {
        Ok::<u16, Infallible>(bench.borrow_mut().convert(channel))
    })
}

/// From the box to the first move: not calibrated, calibrated while empty, set up, played; and
/// after a restart with the kept zeros.
#[test]
fn a_new_board_is_calibrated_and_tells_colours() {
    let bench = Bench::new(7);
    let mut scanner = hall(&bench, four_channels(&bench), None);
    let (mut tested, mut host) = (board(Sensor::Colour), Listener::new());
    let mut run = |scanner: &mut Hall<_, _, _>, host: &mut Listener, from: u32, to: u32| {
        for ms in from..to {
            tested.scan(ms, scanner, 0);
            host.listen(&mut tested, ms);
        }
        if to == 100 {
            order(&mut tested, to, scanner, ToBoard::Calibrate);
        }
    };
    run(&mut scanner, &mut host, 0, 100);
    assert_eq!(
        (host.picture, host.health.trouble.code),
        (None, TroubleCode::NOT_CALIBRATED)
    );
    run(&mut scanner, &mut host, 100, 200);
    assert_eq!(host.picture, Some([Symbol::EMPTY; 64]));
    assert!(host.health.is_good());
    assert_eq!(host.levels.len(), 8);
    for (rank, levels) in host.levels.iter().enumerate() {
        assert_eq!(
            (usize::from(levels.rank), levels.on, levels.off),
            (rank, SETTINGS.on, SETTINGS.off)
        );
        let zeros = &bench.borrow().zeros[8 * rank..8 * rank + 8];
        assert!(
            levels
                .squares
                .iter()
                .zip(zeros)
                .all(|(level, zero)| level.zero.abs_diff(*zero) <= 2 && level.now.abs() <= 5)
        );
    }
    bench.borrow_mut().magnets[12] = 600;
    bench.borrow_mut().magnets[52] = -600;
    run(&mut scanner, &mut host, 200, 210);
    assert_eq!(
        host.changes,
        [(203, 12, Symbol::LIGHT), (203, 52, Symbol::DARK)]
    );

    let kept = scanner.zeros().copied();
    let mut scanner = hall(&bench, four_channels(&bench), kept);
    let (mut board, mut host) = (board(Sensor::Colour), Listener::new());
    for ms in 0..20 {
        board.scan(ms, &mut scanner, 0);
        host.listen(&mut board, ms);
    }
    assert_eq!(
        host.picture.map(|squares| (squares[12], squares[52])),
        Some((Symbol::LIGHT, Symbol::DARK))
    );
}

/// A host that has the board calibrated while a piece stands on it: the zeros stay, nothing is
/// kept, and the levels that come show the piece.
#[test]
fn a_board_with_a_piece_on_it_is_not_calibrated() {
    let bench = Bench::new(11);
    let zeros = bench.borrow().zeros;
    let mut scanner = hall(&bench, four_channels(&bench), Some(zeros));
    let (mut board, mut host) = (board(Sensor::Colour), Listener::new());
    bench.borrow_mut().magnets[12] = 600;
    for ms in 0..40 {
        if ms == 10 {
            let calibrate = encode(&ToBoard::Calibrate);
            board.receive(ms, calibrate.as_bytes(), &mut scanner, |_, order| {
                panic!("{order:?} was obeyed")
            });
        }
        board.scan(ms, &mut scanner, 0);
        host.listen(&mut board, ms);
    }
    assert_eq!(scanner.zeros(), Some(&zeros));
    assert_eq!(host.levels.len(), 8);
    assert!(host.levels[1].squares[4].now > 590);
    assert_eq!(host.picture.map(|squares| squares[12]), Some(Symbol::LIGHT));
}

#[test]
fn four_multiplexers_on_one_input_are_told_apart() {
    let bench = Bench::new(3);
    let shared = AdcFn::new(4095, |input| {
        assert_eq!(input, 1);
        Ok::<u16, Infallible>(bench.borrow_mut().counts())
    });
    let gated = Gated::new(
        shared,
        1,
        [0, 1, 2, 3].map(|n| Line::Enable(&bench, n)),
        NoWait,
        2,
    )
    .unwrap();
    let zeros = bench.borrow().zeros;
    let mut scanner = hall(&bench, gated, Some(zeros));
    let (mut board, mut host) = (board(Sensor::Colour), Listener::new());
    let mut expected = [Symbol::EMPTY; 64];
    for (n, magnet) in [(0, 700), (16, -700), (35, 700), (63, -700)] {
        bench.borrow_mut().magnets[n] = magnet;
        expected[n] = if magnet > 0 {
            Symbol::LIGHT
        } else {
            Symbol::DARK
        };
    }
    for ms in 0..20 {
        board.scan(ms, &mut scanner, 0);
        host.listen(&mut board, ms);
    }
    assert_eq!(host.picture, Some(expected));
}

#[test]
fn a_sensor_that_breaks_under_a_piece_is_a_fault_and_no_lift() {
    let bench = Bench::new(5);
    bench.borrow_mut().magnets[12] = 600;
    let zeros = bench.borrow().zeros;
    let mut scanner = hall(&bench, four_channels(&bench), Some(zeros));
    let (mut board, mut host) = (board(Sensor::Colour), Listener::new());
    for ms in 0..200 {
        // Its wire breaks and is mended.
        bench.borrow_mut().magnets[12] = if (50..150).contains(&ms) { -4000 } else { 600 };
        board.scan(ms, &mut scanner, 0);
        host.listen(&mut board, ms);
        if ms == 100 {
            assert_eq!(host.health.stuck, 1 << 12);
        }
    }
    assert_eq!(host.changes, []);
    assert!(host.health.is_good());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Players put pieces down and take them up, each field growing and falling over some
    /// milliseconds: the host hears each change once, with its colour, and never another colour on
    /// the way.
    #[test]
    fn every_touch_is_heard_once_and_in_its_colour(
        seed: u64,
        touches in prop::collection::vec(
            (0..64usize, any::<bool>(), 1..12u32, 350..1800i16),
            1..40,
        ),
    ) {
        let bench = Bench::new(seed);
        let zeros = bench.borrow().zeros;
        let mut scanner = hall(&bench, four_channels(&bench), Some(zeros));
        let (mut board, mut host) = (board(Sensor::Colour), Listener::new());
        let (mut ms, mut expected) = (0, Vec::new());
        let mut wait = |ms: &mut u32, host: &mut Listener, scans: u32| {
            for _ in 0..scans {
                board.scan(*ms, &mut scanner, 0);
                host.listen(&mut board, *ms);
                *ms += 1;
            }
        };
        wait(&mut ms, &mut host, 20);
        for (square, dark, slowness, strength) in touches {
            let (from, strength) = (
                bench.borrow().magnets[square],
                if dark { -strength } else { strength },
            );
            let to = if from == 0 { strength } else { 0 };
            expected.push((
                square as u8,
                match to {
                    0 => Symbol::EMPTY,
                    1.. => Symbol::LIGHT,
                    _ => Symbol::DARK,
                },
            ));
            for step in 1..=slowness {
                let field = i32::from(from)
                    + (i32::from(to) - i32::from(from)) * step as i32 / slowness as i32;
                bench.borrow_mut().magnets[square] = field as i16;
                wait(&mut ms, &mut host, 1);
            }
            wait(&mut ms, &mut host, 10);
        }
        let heard: Vec<_> = host
            .changes
            .iter()
            .map(|(_, square, symbol)| (*square, *symbol))
            .collect();
        prop_assert_eq!(heard, expected);
        prop_assert!(host.health.is_good());
    }
}
