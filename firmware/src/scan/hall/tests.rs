use core::cell::RefCell;
use core::convert::Infallible;
use std::vec;
use std::vec::Vec;

use embedded_hal_mock::eh1::MockError;
use embedded_hal_mock::eh1::delay::{CheckedDelay, NoopDelay, Transaction as Wait};
use embedded_hal_mock::eh1::digital::{Mock, State, Transaction};

use super::super::AdcFn;
use super::*;

const SETTINGS: HallSettings = HallSettings::for_full_scale(4095);

/// Address lines for so many scans: each starts low, and line `n` changes in every `2^(n + 1)`-th
/// step of the Gray code.
fn lines(scans: usize) -> [Mock; 4] {
    let round = |n: usize| {
        let changes = if n == 3 { 2 } else { 1 << (3 - n) };
        (0..changes).map(|change| {
            if change % 2 == 0 {
                State::High
            } else {
                State::Low
            }
        })
    };
    core::array::from_fn(|n| {
        let states = core::iter::once(State::Low).chain((0..scans).flat_map(|_| round(n)));
        Mock::new(&states.map(Transaction::set).collect::<Vec<_>>())
    })
}

fn settles(scans: usize) -> CheckedDelay {
    CheckedDelay::new(&vec![Wait::delay_us(5); 16 * scans])
}

fn finish<Adc>(mut hall: Hall<Adc, Mock, CheckedDelay>) {
    hall.address.iter_mut().for_each(Mock::done);
    hall.delay.done();
}

#[test]
fn goes_round_the_channels_in_a_gray_code_and_reads_four_at_each() {
    let asked = RefCell::new(Vec::new());
    let adc = AdcFn::new(4095, |channel| {
        asked.borrow_mut().push(channel);
        // The first piece is light and the second dark, everything else is nothing.
        Ok::<u16, Infallible>(match asked.borrow().len() {
            1 => 2500,
            128 => 1500,
            _ => 2048,
        })
    });
    let mut hall = Hall::new(adc, lines(2), settles(2), SETTINGS, Some([2048; 64]));
    assert_eq!(hall.scan(), Ok(Reading::of(1)));
    // The last channel of the round is 8: rank 8 on the last multiplexer.
    assert_eq!(
        hall.scan(),
        Ok(Reading {
            occupied: 1 << 56,
            dark: 1 << 56,
            ..Reading::default()
        })
    );
    finish(hall);
    assert_eq!(asked.into_inner(), [0, 1, 2, 3].repeat(32));
}

/// A line that the sensors' simulation reads the address from.
struct Line<'a>(&'a RefCell<u8>, u8);

impl embedded_hal::digital::ErrorType for Line<'_> {
    type Error = Infallible;
}

impl OutputPin for Line<'_> {
    fn set_low(&mut self) -> Result<(), Infallible> {
        *self.0.borrow_mut() &= !(1 << self.1);
        Ok(())
    }

    fn set_high(&mut self) -> Result<(), Infallible> {
        *self.0.borrow_mut() |= 1 << self.1;
        Ok(())
    }
}

#[test]
fn a_sensor_that_reads_what_none_does_is_found_with_and_without_pieces() {
    let address = RefCell::new(0);
    let lines = [0, 1, 2, 3].map(|n| Line(&address, n));
    let adc = AdcFn::new(4095, |channel| {
        let level = match 16 * channel + *address.borrow() {
            0 => 254,
            1 => 255,
            62 => 3840,
            63 => 3841,
            square => 2048 - 100 * (u16::from(square) % 9),
        };
        Ok::<u16, Infallible>(level)
    });
    let mut hall = Hall::new(adc, lines, NoopDelay::new(), SETTINGS, None);
    assert_eq!(hall.test(), Ok(1 | 1 << 63));
}

#[test]
fn every_square_has_its_own_channel() {
    for square in 0..64u8 {
        let address = RefCell::new(0b1010);
        let lines = [0, 1, 2, 3].map(|n| Line(&address, n));
        let adc = AdcFn::new(4095, |channel| {
            let here = 16 * channel + *address.borrow();
            Ok::<u16, Infallible>(if here == square { 1000 } else { 2048 })
        });
        let mut hall = Hall::new(adc, lines, NoopDelay::new(), SETTINGS, Some([2048; 64]));
        for _ in 0..2 {
            assert_eq!(
                hall.scan(),
                Ok(Reading {
                    occupied: 1 << square,
                    dark: 1 << square,
                    ..Reading::default()
                })
            );
        }
        let levels = hall.levels(square / 8).unwrap();
        assert_eq!(levels.squares[usize::from(square % 8)].now, -1048);
    }
}

#[test]
fn after_a_failure_the_address_begins_anew() {
    let mut answers = [Ok(2048), Err("no reference"), Ok(2048)]
        .into_iter()
        .chain(core::iter::repeat(Ok(2048)));
    let adc = AdcFn::new(4095, |_| answers.next().unwrap());
    let address = core::array::from_fn(|n| {
        let mut states = vec![State::Low, State::Low];
        let round = if n == 3 { 2 } else { 8 >> n };
        states.extend((0..round).map(|change| {
            if change % 2 == 0 {
                State::High
            } else {
                State::Low
            }
        }));
        Mock::new(&states.into_iter().map(Transaction::set).collect::<Vec<_>>())
    });
    let delay = CheckedDelay::new(&[(); 17].map(|()| Wait::delay_us(5)));
    let mut hall = Hall::new(adc, address, delay, SETTINGS, Some([2048; 64]));
    let failed = hall.scan().unwrap_err();
    assert_eq!(
        failed,
        HallError::Converter {
            channel: 1,
            error: "no reference"
        }
    );
    assert_eq!(failed.trouble(), Trouble::new(TroubleCode::CONVERTER, 1));
    assert_eq!(hall.scan(), Ok(Reading::of(0)));
    finish(hall);
}

#[test]
fn an_address_line_that_refuses_is_told() {
    let refusal = MockError::Io(std::io::ErrorKind::TimedOut);
    let address = core::array::from_fn(|n| match n {
        0 => Mock::new(&[Transaction::set(State::Low).with_error(refusal.clone())]),
        _ => Mock::new(&[]),
    });
    let adc = AdcFn::new(4095, |_| Ok::<u16, Infallible>(2048));
    let mut hall = Hall::new(
        adc,
        address,
        CheckedDelay::new(&[]),
        SETTINGS,
        Some([2048; 64]),
    );
    let failed = hall.scan().unwrap_err();
    assert_eq!(failed.trouble(), Trouble::new(TroubleCode::PIN, 0));
    finish(hall);
}

#[test]
fn an_uncalibrated_board_says_so_and_tells_its_levels_all_the_same() {
    // Every sensor has its own zero, and the converter flickers by two counts.
    let address = RefCell::new(0);
    let count = RefCell::new(0u16);
    let adc = AdcFn::new(4095, |channel| {
        *count.borrow_mut() += 1;
        let flicker = *count.borrow() / 64 % 2 * 2;
        Ok::<u16, Infallible>(2000 + 4 * u16::from(16 * channel + *address.borrow()) + flicker)
    });
    let mut hall = Hall::new(
        adc,
        [0, 1, 2, 3].map(|n| Line(&address, n)),
        NoopDelay::new(),
        SETTINGS,
        None,
    );
    assert_eq!(hall.scan(), Err(HallError::NotCalibrated));
    assert_eq!(
        hall.scan().unwrap_err().trouble(),
        Trouble::new(TroubleCode::NOT_CALIBRATED, 0)
    );
    assert_eq!(hall.levels(7).unwrap().squares[7].now, 2002 + 4 * 63 - 2047);
    assert_eq!(hall.zeros(), None);
    assert_eq!(hall.calibrate(), Ok(()));
    let wanted: Zeros = core::array::from_fn(|n| 2001 + 4 * n as u16);
    assert_eq!(hall.zeros(), Some(&wanted));
    assert_eq!(hall.scan(), Ok(Reading::of(0)));
}

#[test]
fn a_calibration_that_cannot_read_changes_nothing() {
    let mut left = 100;
    let adc = AdcFn::new(4095, |_| {
        left -= 1;
        if left >= 0 { Ok(1900) } else { Err(()) }
    });
    let address = RefCell::new(0);
    let mut hall = Hall::new(
        adc,
        [0, 1, 2, 3].map(|n| Line(&address, n)),
        NoopDelay::new(),
        SETTINGS,
        Some([2048; 64]),
    );
    assert_eq!(hall.calibrate(), Err(Refusal::Unread));
    assert_eq!(hall.zeros(), Some(&[2048; 64]));
}
