//! Eight row lines, eight column lines, a switch and a diode at every crossing.

use core::fmt;

use board_wire::{Sensor, Trouble, TroubleCode};
use embedded_hal::delay::DelayNs;
use embedded_hal::digital::{Error as _, ErrorKind, InputPin, OutputPin, PinState};

use super::{Active, Reading, Scan, ScanError};

/// The squares of the first file.
const A_FILE: u64 = 0x0101_0101_0101_0101;

/// How long columns need to settle on the pull-downs of an RP2040 alone, in microseconds.
///
/// A column that was closed falls through its pull resistor only: the diodes keep the rows out of
/// it. From 2.6 V, a high behind a diode, to 0.8 V, the highest that surely reads low (RP2040 data
/// sheet, section 5.5.3.4), that takes 1.2 times resistance by capacitance. With 80 kilohms, the
/// weakest of those 50 to 80, 30 microseconds do for 300 pF; a board has 60 to 150, the diodes and
/// the wire of its column. Read before it has fallen, the column shows the rank before.
pub const PULL_DOWN_SETTLE_US: u32 = 30;

/// A pin of the matrix could not be read or set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MatrixError(pub ErrorKind);

impl fmt::Display for MatrixError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a pin of the matrix failed: {}", self.0)
    }
}

impl core::error::Error for MatrixError {}

impl ScanError for MatrixError {
    fn trouble(&self) -> Trouble {
        Trouble::new(TroubleCode::PIN, 0)
    }
}

/// Lines of a matrix that are not well, one bit each; bit 0 is rank 1, the a-file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MatrixLines {
    /// Ranks whose line does not follow.
    pub ranks: u8,
    /// Files that read closed with no rank selected.
    pub files: u8,
}

/// Scans a matrix: selects one rank at a time and reads its eight files.
///
/// The diodes are not optional. Without them three occupied corners of a rectangle make the fourth
/// read occupied.
///
/// Before the ranks are read, none is selected: a column that reads closed then is shorted, or a
/// row's line is, or a pull resistor is missing. Every square of that file would read occupied for
/// ever, so the whole file is stuck.
#[derive(Debug)]
pub struct Matrix<Row, Column, Delay> {
    rows: [Row; 8],
    columns: [Column; 8],
    delay: Delay,
    active: Active,
    settle_us: u32,
}

impl<Row: OutputPin, Column: InputPin, Delay: DelayNs> Matrix<Row, Column, Delay> {
    /// A matrix whose selected row and closed columns are at the `active` level. `settle_us`
    /// microseconds pass before each of the nine readings of a scan; 5 suit a board's length of
    /// wire with pull resistors of 10 kilohms, [`PULL_DOWN_SETTLE_US`] one without any.
    ///
    /// Every row is released first, whatever the pins did at power-up.
    ///
    /// # Errors
    /// The kind of error of the pin that refused.
    pub fn new(
        rows: [Row; 8],
        columns: [Column; 8],
        delay: Delay,
        active: Active,
        settle_us: u32,
    ) -> Result<Self, ErrorKind> {
        let mut matrix = Matrix {
            rows,
            columns,
            delay,
            active,
            settle_us,
        };
        (0..8).try_for_each(|row| matrix.select(row, false))?;
        Ok(matrix)
    }

    fn select(&mut self, row: usize, selected: bool) -> Result<(), ErrorKind> {
        let level = PinState::from(selected == (self.active == Active::High));
        self.rows[row].set_state(level).map_err(|e| e.kind())
    }

    /// Tries every line: a row must follow when it is selected and released, and no column may read
    /// closed while none is. `is_high` reads the level of a row's own pin. What stands on the board
    /// does not matter.
    ///
    /// # Errors
    /// A pin's own.
    pub fn test(
        &mut self,
        mut is_high: impl FnMut(&mut Row) -> bool,
    ) -> Result<MatrixLines, MatrixError> {
        let files = self.read_columns().map_err(MatrixError)?;
        let mut ranks = 0;
        for row in 0..8 {
            // Released last.
            for selected in [true, false] {
                self.select(row, selected).map_err(MatrixError)?;
                self.delay.delay_us(self.settle_us);
                let wanted = selected == (self.active == Active::High);
                ranks |= u8::from(is_high(&mut self.rows[row]) != wanted) << row;
            }
        }
        Ok(MatrixLines { ranks, files })
    }

    fn read_columns(&mut self) -> Result<u8, ErrorKind> {
        self.delay.delay_us(self.settle_us);
        let mut files = 0;
        for (file, column) in self.columns.iter_mut().enumerate() {
            let high = column.is_high().map_err(|e| e.kind())?;
            files |= u8::from(high == (self.active == Active::High)) << file;
        }
        Ok(files)
    }
}

impl<Row: OutputPin, Column: InputPin, Delay: DelayNs> Scan for Matrix<Row, Column, Delay> {
    type Error = MatrixError;
    const SENSOR: Sensor = Sensor::Occupancy;

    fn scan(&mut self) -> Result<Reading, MatrixError> {
        let shorted = self.read_columns().map_err(MatrixError)?;
        let mut squares = 0;
        for row in 0..8 {
            self.select(row, true).map_err(MatrixError)?;
            let files = self.read_columns();
            // Released even when reading failed: two selected rows would read as one another.
            self.select(row, false).map_err(MatrixError)?;
            squares |= u64::from(files.map_err(MatrixError)?) << (8 * row);
        }
        if shorted == 0 {
            return Ok(Reading::of(squares));
        }
        let stuck = u64::from(shorted) * A_FILE;
        let trouble = Trouble::new(TroubleCode::SHORTED, shorted);
        Ok(Reading {
            occupied: squares & !stuck,
            dark: 0,
            stuck,
            trouble,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::vec::Vec;

    use embedded_hal_mock::eh1::MockError;
    use embedded_hal_mock::eh1::delay::{CheckedDelay, Transaction as Wait};
    use embedded_hal_mock::eh1::digital::{Mock, State, Transaction};

    use super::*;

    /// Pins that expect exactly one scan of `board`, wired `active`, with these files shorted.
    fn pins(board: u64, shorted: u8, active: Active) -> ([Mock; 8], [Mock; 8]) {
        let level = |on: bool| {
            if on == (active == Active::High) {
                State::High
            } else {
                State::Low
            }
        };
        let rows = core::array::from_fn(|_| {
            Mock::new(&[false, true, false].map(|selected| Transaction::set(level(selected))))
        });
        let columns = core::array::from_fn(|file| {
            let short = shorted >> file & 1 == 1;
            let ranks = (0..8).map(|rank| board >> (8 * rank + file) & 1 == 1);
            let reads: Vec<_> = core::iter::once(false)
                .chain(ranks)
                .map(|on| Transaction::get(level(on || short)))
                .collect();
            Mock::new(&reads)
        });
        (rows, columns)
    }

    /// One scan's waits.
    fn waits() -> CheckedDelay {
        CheckedDelay::new(&[(); 9].map(|()| Wait::delay_us(5)))
    }

    fn finish(mut matrix: Matrix<Mock, Mock, CheckedDelay>) {
        matrix.rows.iter_mut().for_each(Mock::done);
        matrix.columns.iter_mut().for_each(Mock::done);
        matrix.delay.done();
    }

    #[test]
    fn selects_waits_reads_and_releases_each_rank() {
        for active in [Active::High, Active::Low] {
            for board in [0xffff_0000_0000_ffff, 0x8000_0000_1000_0001, 0] {
                let (rows, columns) = pins(board, 0, active);
                let mut matrix = Matrix::new(rows, columns, waits(), active, 5).unwrap();
                assert_eq!(matrix.scan(), Ok(Reading::of(board)));
                finish(matrix);
            }
        }
    }

    /// A test sets each row twice, and reads the columns once.
    #[test]
    fn every_row_has_to_follow_and_no_column_may_be_closed() {
        for active in [Active::High, Active::Low] {
            let level = |on: bool| {
                if on == (active == Active::High) {
                    State::High
                } else {
                    State::Low
                }
            };
            let rows = core::array::from_fn(|_| {
                Mock::new(&[false, true, false].map(|on| Transaction::set(level(on))))
            });
            let columns =
                core::array::from_fn(|file| Mock::new(&[Transaction::get(level(file == 3))]));
            let waits = CheckedDelay::new(&[(); 17].map(|()| Wait::delay_us(5)));
            let mut matrix = Matrix::new(rows, columns, waits, active, 5).unwrap();
            // The third row is held high, the fifth low; the others follow.
            let mut asked = 0;
            let lines = matrix.test(|_| {
                let (row, selected) = (asked / 2, asked % 2 == 0);
                asked += 1;
                match row {
                    2 => true,
                    4 => false,
                    _ => selected == (active == Active::High),
                }
            });
            let wanted = MatrixLines {
                ranks: 0b1_0100,
                files: 0b1000,
            };
            assert_eq!(lines, Ok(wanted));
            finish(matrix);
        }
    }

    #[test]
    fn a_shorted_column_is_a_whole_file_and_no_other() {
        let board = 0xffff_0000_1000_ffff;
        for active in [Active::High, Active::Low] {
            let (rows, columns) = pins(board, 0b1000_1000, active);
            let mut matrix = Matrix::new(rows, columns, waits(), active, 5).unwrap();
            let stuck = 0x8888_8888_8888_8888;
            let trouble = Trouble::new(TroubleCode::SHORTED, 0b1000_1000);
            assert_eq!(
                matrix.scan(),
                Ok(Reading {
                    occupied: board & !stuck,
                    dark: 0,
                    stuck,
                    trouble
                })
            );
            finish(matrix);
        }
    }

    #[test]
    fn a_row_is_released_although_its_reading_failed() {
        let rows = core::array::from_fn(|row| {
            let states: &[State] = if row == 0 {
                &[State::Low, State::High, State::Low]
            } else {
                &[State::Low]
            };
            Mock::new(
                &states
                    .iter()
                    .map(|s| Transaction::set(*s))
                    .collect::<Vec<_>>(),
            )
        });
        let broken = MockError::Io(io::ErrorKind::TimedOut);
        let columns = core::array::from_fn(|file| match file {
            0 => Mock::new(&[
                Transaction::get(State::Low),
                Transaction::get(State::Low).with_error(broken.clone()),
            ]),
            _ => Mock::new(&[Transaction::get(State::Low)]),
        });
        let delay = CheckedDelay::new(&[(); 2].map(|()| Wait::delay_us(5)));
        let mut matrix = Matrix::new(rows, columns, delay, Active::High, 5).unwrap();
        assert_eq!(matrix.scan(), Err(MatrixError(ErrorKind::Other)));
        finish(matrix);
    }
}
