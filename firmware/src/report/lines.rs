//! What the lines of a board mean: squares and controls, one bit each.

use board_wire::{Sensor, Side, Symbol};

/// What 64 squares read, by sensor class. Bit 0 is a1, bit 63 is h8.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Squares {
    /// Reed switches or digital Hall sensors: something or nothing.
    Occupancy(u64),
    /// Hall sensors read by polarity.
    Colour {
        /// Squares with a magnet of either polarity.
        occupied: u64,
        /// Those of them with a dark piece's polarity. Bits of empty squares mean nothing.
        dark: u64,
    },
}

impl Squares {
    /// What `sensor` tells with these lines set.
    pub fn of(sensor: Sensor, occupied: u64, dark: u64) -> Squares {
        match sensor {
            Sensor::Colour => Squares::Colour { occupied, dark },
            _ => Squares::Occupancy(occupied),
        }
    }

    /// The class to say in the board's hello.
    pub fn sensor(self) -> Sensor {
        match self {
            Squares::Occupancy(_) => Sensor::Occupancy,
            Squares::Colour { .. } => Sensor::Colour,
        }
    }

    /// The squares that read differently in `other`.
    pub fn differs(self, other: Squares) -> u64 {
        let (occupied, dark) = self.planes();
        let (was_occupied, was_dark) = other.planes();
        (occupied ^ was_occupied) | (dark ^ was_dark)
    }

    /// What each square reads, as the protocol says it.
    pub fn symbols(self) -> [Symbol; 64] {
        let (occupied, dark) = self.planes();
        let (light, dark_symbol) = match self {
            Squares::Occupancy(_) => (Symbol::SOMETHING, Symbol::SOMETHING),
            Squares::Colour { .. } => (Symbol::LIGHT, Symbol::DARK),
        };
        core::array::from_fn(|n| match (occupied >> n & 1, dark >> n & 1) {
            (0, _) => Symbol::EMPTY,
            (_, 0) => light,
            _ => dark_symbol,
        })
    }

    fn planes(self) -> (u64, u64) {
        match self {
            Squares::Occupancy(occupied) => (occupied, 0),
            Squares::Colour { occupied, dark } => (occupied, dark & occupied),
        }
    }
}

/// The clock's lever and the adjust buttons, one bit each; a set bit is a lever end or a button
/// that is down.
///
/// They fit a [`Debouncer`](crate::debounce::Debouncer) of one plane: `let [lines] =
/// debouncer.debounced()`, then `Controls::from_lines(lines)`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Controls(u8);

impl Controls {
    /// White's end of the lever is down.
    pub const WHITE_PRESS: Controls = Controls(1);
    /// Black's end of the lever is down.
    pub const BLACK_PRESS: Controls = Controls(2);
    /// White's adjust button is down.
    pub const WHITE_ADJUST: Controls = Controls(4);
    /// Black's adjust button is down.
    pub const BLACK_ADJUST: Controls = Controls(8);

    const LEVER: u8 = 0b0011;
    const ALL: u8 = 0b1111;

    /// From lines in this order: White's press, Black's press, White's adjust, Black's adjust.
    /// Further lines are ignored.
    pub fn from_lines(lines: u64) -> Controls {
        Controls(lines as u8 & Controls::ALL)
    }

    /// The lines again, as [`Controls::from_lines`] takes them: for a board that keeps them over a
    /// restart.
    pub fn lines(self) -> u64 {
        u64::from(self.0)
    }

    /// Whose end of the lever is down, where it is one and not both.
    pub fn lever(self) -> Option<Side> {
        match Controls(self.0 & Controls::LEVER) {
            Controls::WHITE_PRESS => Some(Side::White),
            Controls::BLACK_PRESS => Some(Side::Black),
            _ => None,
        }
    }

    /// The same buttons, and the lever of `other`.
    pub fn with_lever_of(self, other: Controls) -> Controls {
        Controls(self.0 & !Controls::LEVER | other.0 & Controls::LEVER)
    }

    /// A lever whose end on this side is down.
    pub fn lever_down(side: Side) -> Controls {
        match side {
            Side::White => Controls::WHITE_PRESS,
            Side::Black => Controls::BLACK_PRESS,
        }
    }

    /// Whether all of `other` are down.
    pub fn has(self, other: Controls) -> bool {
        self.0 & other.0 == other.0
    }

    /// Those that are down now and were up `before`.
    pub fn pressed_since(self, before: Controls) -> Controls {
        Controls(self.0 & !before.0)
    }
}
