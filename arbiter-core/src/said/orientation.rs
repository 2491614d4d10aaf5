//! How a board lies between the players. A turned board names its squares wrongly; once that is
//! known they are read rightly.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use shakmaty::{Bitboard, Square};

use crate::said::symbol::Reading;

/// Where the square lies that the board itself calls a1, clockwise from White's left. In scripts:
/// degrees.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(into = "u16", try_from = "u16")]
pub enum Orientation {
    /// At White's left hand: as it should.
    #[default]
    Upright,
    /// At a8.
    Quarter,
    /// At h8.
    Half,
    /// At h1.
    ThreeQuarters,
}

impl Orientation {
    /// Every orientation, clockwise.
    pub const ALL: [Orientation; 4] = [
        Orientation::Upright,
        Orientation::Quarter,
        Orientation::Half,
        Orientation::ThreeQuarters,
    ];

    /// A turn by 0, 90, 180 or 270 degrees.
    pub fn from_degrees(degrees: i64) -> Option<Orientation> {
        Orientation::ALL
            .into_iter()
            .find(|o| i64::from(u16::from(*o)) == degrees)
    }

    /// The turn back.
    pub fn back(self) -> Orientation {
        match self {
            Orientation::Quarter => Orientation::ThreeQuarters,
            Orientation::ThreeQuarters => Orientation::Quarter,
            same => same,
        }
    }

    /// This turn, and `more` after it.
    pub fn then(self, more: Orientation) -> Orientation {
        Orientation::ALL[(self as usize + more as usize) % 4]
    }

    /// The game's square for the board's square.
    pub fn square(self, square: Square) -> Square {
        (0..self as u32).fold(square, |sq, _| sq.rotate_90())
    }

    /// The same for many squares.
    pub fn squares(self, squares: Bitboard) -> Bitboard {
        squares
            .into_iter()
            .map(|square| self.square(square))
            .collect()
    }

    /// The game's reading for the board's reading.
    pub fn reading(self, board: &Reading) -> Reading {
        let mut turned = Reading::EMPTY;
        for square in Square::ALL {
            turned.set(self.square(square), board.at(square));
        }
        turned
    }

    pub(crate) fn is_upright(&self) -> bool {
        *self == Orientation::Upright
    }
}

impl From<Orientation> for u16 {
    fn from(orientation: Orientation) -> u16 {
        90 * orientation as u16
    }
}

impl TryFrom<u16> for Orientation {
    type Error = String;

    fn try_from(degrees: u16) -> Result<Orientation, String> {
        let told = || alloc::format!("{degrees} is not 0, 90, 180 or 270 degrees");
        Orientation::from_degrees(i64::from(degrees)).ok_or_else(told)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners() {
        for (orientation, a1, h1) in [
            (Orientation::Upright, Square::A1, Square::H1),
            (Orientation::Quarter, Square::A8, Square::A1),
            (Orientation::Half, Square::H8, Square::A8),
            (Orientation::ThreeQuarters, Square::H1, Square::H8),
        ] {
            assert_eq!(
                (
                    orientation.square(Square::A1),
                    orientation.square(Square::H1)
                ),
                (a1, h1),
                "{orientation:?}"
            );
            for square in Square::ALL {
                assert_eq!(
                    orientation.back().square(orientation.square(square)),
                    square,
                    "{orientation:?}"
                );
            }
        }
    }
}
