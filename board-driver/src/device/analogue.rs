//! Simulated analogue sensors: what a converter behind linear Hall sensors would tell.

use arbiter_core::shakmaty::{Color, Square};
use arbiter_core::{Reading, Symbol};
use board_wire::{Level, RankLevels};

/// A sensor without a magnet: the middle of a converter of 12 bits.
const ZERO: u16 = 2048;
/// A piece on its square.
const PIECE: i16 = 520;
/// Occupied from here on, and empty again below.
const ON: u16 = 200;
const OFF: u16 = 120;
const NOISE: u16 = 6;

/// The sensors of all squares, and which of them are to be told.
#[derive(Debug)]
pub(super) struct Analogue {
    ranks: [RankLevels; 8],
    /// The next rank to be told; 8 when nobody asks.
    next: usize,
}

impl Analogue {
    pub(super) fn new(reading: &Reading) -> Analogue {
        let empty = Level {
            zero: ZERO,
            now: 0,
            noise: NOISE,
        };
        let rank = |rank| RankLevels {
            rank,
            on: ON,
            off: OFF,
            squares: [empty; 8],
        };
        let mut sensors = Analogue {
            ranks: std::array::from_fn(|index| rank(index as u8)),
            next: 8,
        };
        sensors.read_all(reading);
        sensors
    }

    pub(super) fn read_all(&mut self, reading: &Reading) {
        Square::ALL
            .into_iter()
            .for_each(|square| self.read(square, reading.at(square)));
    }

    /// A square holds something else.
    pub(super) fn read(&mut self, square: Square, seen: Symbol) {
        let now = match (seen, seen.colour()) {
            (Symbol::Empty, _) => 0,
            (_, Some(Color::Black)) => -PIECE,
            _ => PIECE,
        };
        self.ranks[usize::from(square.rank())].squares[usize::from(square.file())].now = now;
    }

    /// The sensors of a rank read this.
    pub(super) fn set(&mut self, levels: RankLevels) {
        if let Some(rank) = self.ranks.get_mut(usize::from(levels.rank)) {
            *rank = levels;
        }
    }

    /// All ranks are to be told.
    pub(super) fn ask(&mut self) {
        self.next = 0;
    }

    /// What is read now is the zero of each.
    pub(super) fn calibrate(&mut self) {
        for level in self.ranks.iter_mut().flat_map(|rank| &mut rank.squares) {
            *level = Level {
                zero: level.zero.saturating_add_signed(level.now),
                now: 0,
                ..*level
            };
        }
        self.ask();
    }

    /// Offers the next rank to `tell`, which says whether it took it.
    pub(super) fn tell(&mut self, tell: impl FnOnce(RankLevels) -> bool) {
        if let Some(rank) = self.ranks.get(self.next) {
            self.next += usize::from(tell(*rank));
        }
    }
}
