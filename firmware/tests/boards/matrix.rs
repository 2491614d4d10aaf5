//! A matrix of switches and diodes: current flows from a selected row through every closed switch
//! into its column, and nowhere else; what it has charged there takes its time to go.

use std::cell::RefCell;
use std::convert::Infallible;

use board_wire::{Sensor, Trouble, TroubleCode};
use embedded_hal::delay::DelayNs;
use embedded_hal::digital::{ErrorType, InputPin, OutputPin};
use firmware::scan::{Active, Matrix, PULL_DOWN_SETTLE_US, Scan};
use proptest::prelude::*;

use crate::rig::{Dice, Listener, board, symbols};

/// The copper: each column is a capacitor that a closed switch charges at once, through row and
/// diode, and that nothing but its pull resistor discharges.
struct Copper {
    closed: u64,
    /// The rows at the active level.
    selected: u8,
    /// How far each column is from where its pull resistor takes it, in volts.
    volts: [f64; 8],
    /// Resistance by capacitance, in microseconds.
    tau_us: f64,
    /// Columns that are shorted to the active level.
    shorted: u8,
}

/// A closed column behind its diode, and the highest that surely reads open (RP2040 data sheet,
/// section 5.5.3.4).
const CLOSED: f64 = 2.6;
const OPEN: f64 = 0.8;

impl Copper {
    /// A board whose columns have this pull resistor, in kilohms, and this capacitance, in
    /// picofarads.
    fn new(kilohms: f64, picofarads: f64) -> Copper {
        Copper {
            closed: 0,
            selected: 0,
            volts: [0.0; 8],
            tau_us: kilohms * picofarads / 1000.0,
            shorted: 0,
        }
    }

    fn columns(&self) -> u8 {
        let rows = (0..8).filter(|row| self.selected >> row & 1 == 1);
        rows.fold(self.shorted, |columns, row| {
            columns | (self.closed >> (8 * row)) as u8
        })
    }

    fn select(&mut self, row: u8, selected: bool) {
        self.selected = self.selected & !(1 << row) | u8::from(selected) << row;
    }

    /// Time goes by.
    fn settle(&mut self, us: f64) {
        let (driven, left) = (self.columns(), (-us / self.tau_us).exp());
        for (column, volts) in self.volts.iter_mut().enumerate() {
            *volts = if driven >> column & 1 == 1 {
                CLOSED
            } else {
                *volts * left
            };
        }
    }
}

struct Row<'a>(&'a RefCell<Copper>, u8, Active);
struct Column<'a>(&'a RefCell<Copper>, u8, Active);
struct Settle<'a>(&'a RefCell<Copper>);

impl ErrorType for Row<'_> {
    type Error = Infallible;
}

impl OutputPin for Row<'_> {
    fn set_low(&mut self) -> Result<(), Infallible> {
        self.0.borrow_mut().select(self.1, self.2 == Active::Low);
        Ok(())
    }

    fn set_high(&mut self) -> Result<(), Infallible> {
        self.0.borrow_mut().select(self.1, self.2 == Active::High);
        Ok(())
    }
}

impl ErrorType for Column<'_> {
    type Error = Infallible;
}

impl InputPin for Column<'_> {
    fn is_high(&mut self) -> Result<bool, Infallible> {
        let copper = self.0.borrow();
        let closed = copper.volts[usize::from(self.1)] > OPEN;
        Ok(closed == (self.2 == Active::High))
    }

    fn is_low(&mut self) -> Result<bool, Infallible> {
        self.is_high().map(|high| !high)
    }
}

impl DelayNs for Settle<'_> {
    fn delay_ns(&mut self, ns: u32) {
        self.0.borrow_mut().settle(f64::from(ns) / 1000.0);
    }
}

fn matrix(
    copper: &RefCell<Copper>,
    active: Active,
    settle_us: u32,
) -> Matrix<Row<'_>, Column<'_>, Settle<'_>> {
    let lines = [0, 1, 2, 3, 4, 5, 6, 7];
    let (rows, columns) = (
        lines.map(|n| Row(copper, n, active)),
        lines.map(|n| Column(copper, n, active)),
    );
    Matrix::new(rows, columns, Settle(copper), active, settle_us).unwrap()
}

/// What is read of the two ranks of White's pieces.
fn array_as_read(kilohms: f64, picofarads: f64, settle_us: u32) -> u64 {
    let copper = RefCell::new(Copper::new(kilohms, picofarads));
    copper.borrow_mut().closed = ARRAY;
    let reading = matrix(&copper, Active::High, settle_us).scan();
    reading.expect("pins that work").occupied
}

const ARRAY: u64 = 0xffff;

/// 80 kilohms are the weakest pull-down of an RP2040, 60 pF a board with short wires.
#[test]
fn a_rank_that_is_read_too_early_shows_the_one_before() {
    assert_eq!(array_as_read(80.0, 60.0, 5), ARRAY | ARRAY << 8);
    assert_eq!(array_as_read(80.0, 60.0, PULL_DOWN_SETTLE_US), ARRAY);
}

#[test]
fn the_settle_time_does_for_the_longest_wires_of_the_guide() {
    for picofarads in [20.0, 60.0, 150.0, 300.0] {
        let read = array_as_read(80.0, picofarads, PULL_DOWN_SETTLE_US);
        assert_eq!(read, ARRAY, "{picofarads} pF");
    }
    // Beyond, resistors of 10 kilohms are needed, and do.
    assert_ne!(array_as_read(80.0, 400.0, PULL_DOWN_SETTLE_US), ARRAY);
    assert_eq!(array_as_read(8.9, 2_000.0, PULL_DOWN_SETTLE_US), ARRAY);
}

proptest! {
    /// Whatever stands on it and however it is wired, each square is read as it is; a shorted file
    /// is stuck, and what happens on the other files is heard.
    #[test]
    fn every_position_is_read_and_a_short_spoils_its_file_alone(
        seed: u64,
        low: bool,
        shorted in prop_oneof![Just(0u8), any::<u8>()],
    ) {
        let copper = RefCell::new(Copper {
            shorted,
            ..Copper::new(80.0, 150.0)
        });
        let active = if low { Active::Low } else { Active::High };
        let mut scanner = matrix(&copper, active, PULL_DOWN_SETTLE_US);
        let (mut board, mut host, mut dice) =
            (board(Sensor::Occupancy), Listener::new(), Dice::new(seed));
        let stuck = u64::from(shorted) * 0x0101_0101_0101_0101;
        for ms in 0..400 {
            if ms % 20 == 0 {
                copper.borrow_mut().closed = dice.word();
            }
            board.scan(ms, &mut scanner, 0);
            host.listen(&mut board, ms);
            if ms % 20 == 19 {
                prop_assert_eq!(host.picture, Some(symbols(copper.borrow().closed & !stuck)));
            }
        }
        let trouble = if shorted == 0 {
            Trouble::NONE
        } else {
            Trouble::new(TroubleCode::SHORTED, shorted)
        };
        prop_assert_eq!((host.health.stuck, host.health.trouble), (stuck, trouble));
    }
}
