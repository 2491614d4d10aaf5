//! Squares whose lines were exchanged: a scanner behind a map of them.

use board_wire::{RankLevels, Sensor, SquareMap};

use super::{Reading, Refusal, Scan};

/// A scanner whose lines are taken for the squares that a map says. What is shorted or broken is
/// still told by the lines as they are wired: that is where one has to look.
#[derive(Debug)]
pub struct Mapped<S> {
    scanner: S,
    map: SquareMap,
    /// For each square, whose line reads it.
    lines: SquareMap,
    /// Most boards have nothing to be mended, and spend no time on it.
    moves: bool,
}

impl<S> Mapped<S> {
    /// This scanner behind this map.
    pub fn new(scanner: S, map: SquareMap) -> Mapped<S> {
        Mapped {
            scanner,
            map,
            lines: map.inverse(),
            moves: map != SquareMap::IDENTITY,
        }
    }

    /// Reads the squares by another map from now on.
    pub fn set(&mut self, map: SquareMap) {
        (self.map, self.lines) = (map, map.inverse());
        self.moves = map != SquareMap::IDENTITY;
    }

    /// The map in force.
    pub fn map(&self) -> &SquareMap {
        &self.map
    }

    /// What is behind it.
    pub fn scanner(&mut self) -> &mut S {
        &mut self.scanner
    }
}

impl<S: Scan> Scan for Mapped<S> {
    type Error = S::Error;
    const SENSOR: Sensor = S::SENSOR;

    fn scan(&mut self) -> Result<Reading, S::Error> {
        let reading = self.scanner.scan()?;
        if !self.moves {
            return Ok(reading);
        }
        Ok(Reading {
            occupied: self.map.apply(reading.occupied),
            dark: self.map.apply(reading.dark),
            stuck: self.map.apply(reading.stuck),
            trouble: reading.trouble,
        })
    }

    fn levels(&self, rank: u8) -> Option<RankLevels> {
        let mut levels = self.scanner.levels(rank)?;
        if self.moves {
            let lines = self.lines.rank(rank).squares;
            for (level, line) in levels.squares.iter_mut().zip(lines) {
                let (rank, file) = (line.index() / 8, usize::from(line.index() % 8));
                *level = self.scanner.levels(rank)?.squares[file];
            }
        }
        Some(levels)
    }

    fn calibrate(&mut self) -> Result<(), Refusal> {
        self.scanner.calibrate()
    }
}

#[cfg(test)]
mod tests {
    use board_wire::{Level, Trouble, TroubleCode};
    use core::convert::Infallible;

    use super::*;
    use crate::scan::ScanError;

    impl ScanError for Infallible {
        fn trouble(&self) -> Trouble {
            match *self {}
        }
    }

    struct Fixed(Reading);

    impl Scan for Fixed {
        type Error = Infallible;
        const SENSOR: Sensor = Sensor::Colour;

        fn scan(&mut self) -> Result<Reading, Infallible> {
            Ok(self.0)
        }

        fn levels(&self, rank: u8) -> Option<RankLevels> {
            let level = |file: u8| Level {
                zero: u16::from(8 * rank + file),
                ..Level::default()
            };
            Some(RankLevels {
                rank,
                squares: core::array::from_fn(|file| level(file as u8)),
                ..RankLevels::default()
            })
        }
    }

    /// The files of the first rank backwards, and a8 for a1's.
    fn map() -> SquareMap {
        let mut squares = *SquareMap::IDENTITY.squares();
        squares[..8].reverse();
        squares.swap(7, 56);
        SquareMap::new(squares).unwrap()
    }

    #[test]
    fn every_line_is_taken_for_its_square() {
        let trouble = Trouble::new(TroubleCode::SHORTED, 1);
        let reading = Reading {
            occupied: 1 | 1 << 7 | 1 << 20 | 1 << 56,
            dark: 1 << 7,
            stuck: 1 << 56,
            trouble,
        };
        let mut board = Mapped::new(Fixed(reading), SquareMap::IDENTITY);
        assert_eq!(board.scan(), Ok(reading));
        board.set(map());
        assert_eq!(
            board.scan(),
            Ok(Reading {
                occupied: 1 << 7 | 1 << 56 | 1 << 20 | 1,
                dark: 1 << 56,
                stuck: 1,
                trouble,
            })
        );
    }

    #[test]
    fn levels_are_those_of_the_line_that_reads_the_square() {
        let board = Mapped::new(Fixed(Reading::default()), map());
        for square in 0..64 {
            let levels = board.levels(square / 8).unwrap();
            let zero = levels.squares[usize::from(square % 8)].zero;
            let line = board_wire::Square::new(zero as u8).unwrap();
            assert_eq!(map().of(line).index(), square);
        }
    }
}
