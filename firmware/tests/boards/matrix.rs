//! A matrix of switches and diodes: current flows from a selected row through every closed switch
//! into its column, and nowhere else.

use std::cell::RefCell;
use std::convert::Infallible;

use board_wire::{Sensor, Trouble, TroubleCode};
use embedded_hal::delay::DelayNs;
use embedded_hal::digital::{ErrorType, InputPin, OutputPin};
use firmware::scan::{Active, Matrix};
use proptest::prelude::*;

use crate::rig::{Dice, Listener, board, symbols};

/// The copper.
#[derive(Default)]
struct Copper {
    closed: u64,
    /// The rows at the active level.
    selected: u8,
    /// Since then nothing has settled.
    unsettled: bool,
    /// What the columns read while they have not.
    before: u8,
    /// Columns that are shorted to the active level.
    shorted: u8,
}

impl Copper {
    fn columns(&self) -> u8 {
        let rows = (0..8).filter(|row| self.selected >> row & 1 == 1);
        rows.fold(self.shorted, |columns, row| {
            columns | (self.closed >> (8 * row)) as u8
        })
    }

    fn select(&mut self, row: u8, selected: bool) {
        self.before = self.columns();
        self.unsettled = true;
        self.selected = self.selected & !(1 << row) | u8::from(selected) << row;
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
        let columns = if copper.unsettled {
            copper.before
        } else {
            copper.columns()
        };
        Ok((columns >> self.1 & 1 == 1) == (self.2 == Active::High))
    }

    fn is_low(&mut self) -> Result<bool, Infallible> {
        self.is_high().map(|high| !high)
    }
}

impl DelayNs for Settle<'_> {
    fn delay_ns(&mut self, ns: u32) {
        if ns >= 1_000 {
            self.0.borrow_mut().unsettled = false;
        }
    }
}

fn matrix(copper: &RefCell<Copper>, active: Active) -> Matrix<Row<'_>, Column<'_>, Settle<'_>> {
    let lines = [0, 1, 2, 3, 4, 5, 6, 7];
    let (rows, columns) = (
        lines.map(|n| Row(copper, n, active)),
        lines.map(|n| Column(copper, n, active)),
    );
    Matrix::new(rows, columns, Settle(copper), active, 5).unwrap()
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
            ..Copper::default()
        });
        let mut scanner = matrix(&copper, if low { Active::Low } else { Active::High });
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
