//! A matrix: rows on GP0 to GP7 (ranks 1 to 8), columns on GP8 to GP15 (files a to h), a diode from
//! row to column at each square.
//!
//! The selected row is high: behind a silicon diode a closed column still reads 2.6 V of 3.3 V, far
//! above the 2.0 V that the pins ask for (RP2040 data sheet, section 5.5.3.4). The other way round,
//! 0.6 V would be close to the 0.8 V of a low.

use board_wire::{Part, Tested, Verdict};
use embedded_hal::digital::InputPin;
use firmware::scan::{Active, Matrix, MatrixLines, PULL_DOWN_SETTLE_US};
use rp2040_hal::gpio::{DynPinId, FunctionSioInput, FunctionSioOutput, Pin, PullDown};

use crate::Sensors;
use crate::pause::Pause;

/// A rank's line.
pub(crate) type Row = Pin<DynPinId, FunctionSioOutput, PullDown>;

/// A file's line.
pub(crate) type Column = Pin<DynPinId, FunctionSioInput, PullDown>;

/// The squares on these lines.
pub(crate) fn scanner(rows: [Row; 8], columns: [Column; 8]) -> Option<Matrix<Row, Column, Pause>> {
    let settle_us = PULL_DOWN_SETTLE_US;
    Matrix::new(rows, columns, Pause, Active::High, settle_us).ok()
}

impl Sensors for Matrix<Row, Column, Pause> {
    /// A pin of the chip's own cannot fail.
    fn test(&mut self) -> Tested {
        let is_high = |row: &mut Row| row.as_input().is_high().unwrap_or(false);
        let all = MatrixLines {
            ranks: 0xff,
            files: 0xff,
        };
        let MatrixLines { ranks, files } = self.test(is_high).unwrap_or(all);
        let verdict = Verdict::of(ranks == 0 && files == 0);
        Tested::new(Part::LINES, verdict, [ranks.into(), files.into()])
    }
}
