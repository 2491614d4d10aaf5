//! What is played at one board, and how.

use std::time::Duration;

use arbiter_core::SensorClass;
use arbiter_core::irregularity::Code;
use board_driver::BoardKind;
use board_driver::hand::{Options, Performance, Style, games, perform};
use board_driver::sim::LineNoise;

use crate::accuracy::Cell;

/// What is played at one board, and how.
#[derive(Clone, Debug)]
pub struct Play {
    /// What the board speaks.
    pub kind: BoardKind,
    /// The daemon is not told, and finds out.
    pub auto: bool,
    /// The board, the hand and the sensors.
    pub cell: Cell,
    /// The number of the game among those carried with the program.
    pub game: usize,
    /// Half-moves of it that are played at most.
    pub plies: usize,
    /// The seed of hand and sensors.
    pub seed: u64,
    /// Breaches of the Laws.
    pub breaches: Vec<(Code, u32)>,
    /// How many times faster than the world the board's clock runs; 0: as fast as the daemon takes
    /// it.
    pub pace: f32,
    /// What the line does to bytes.
    pub line: LineNoise,
    /// Between two scans of a board that sends whole states, in its milliseconds; 0: as boards of
    /// its kind do.
    pub scan_ms: u32,
    /// Squares it reads badly in a scan, in a thousand, where it can.
    pub misread: u16,
}

impl Play {
    /// A game played to its end on a good line, as fast as the daemon takes it.
    pub fn new(cell: Cell, game: usize, seed: u64) -> Play {
        let line = LineNoise::default();
        let (kind, game) = (BoardKind::Native, game % games::all().len());
        let (breaches, pace, scan_ms, misread) = (Vec::new(), 0.0, 0, 0);
        Play {
            kind,
            auto: false,
            cell,
            game,
            plies: usize::MAX,
            seed,
            breaches,
            pace,
            line,
            scan_ms,
            misread,
        }
    }

    /// A game on a board of a kind, with human hands and the sensors such boards have; `pace` times
    /// as fast as the world.
    pub fn on(kind: BoardKind, sensor: SensorClass, game: usize, seed: u64, pace: f32) -> Play {
        let cell = Cell {
            sensor,
            style: Style::Human,
            noise: 1,
            clock: kind.profile().clock,
        };
        Play {
            kind,
            pace,
            ..Play::new(cell, game, seed)
        }
    }

    /// The same game, at the pace that makes it last so long.
    #[must_use]
    pub fn lasting(mut self, length: Duration) -> Play {
        let last = self.perform().acts.last().map_or(0, |act| act.at.0);
        self.pace = Duration::from_millis(last).div_duration_f32(length);
        self
    }

    pub(super) fn perform(&self) -> Performance {
        let game = &games::all()[self.game];
        let moves = &game.moves[..self.plies.min(game.moves.len())];
        let options = Options {
            clock: self.cell.clock,
            ..Options::default()
        };
        perform(
            &game.start,
            moves,
            self.cell.style,
            self.seed,
            &self.breaches,
            &options,
        )
    }
}
