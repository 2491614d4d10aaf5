//! In which order a board names its squares and its lamps.
//!
//! Programs that work with real boards count from h1 to a1, rank by rank, where the cable is on one
//! side, and turned by half where it is on the other. The maker's text is the second of the two,
//! a8 to h8, rank by rank. So no rank is ever seen in a mirror, and how the board lies is found
//! like that of any other. Sources: see [`super::frame`]; github.com/Programmierbaer/BearChess and
//! github.com/adrian-dybwad/DGTCentaurMods (`emulators/millennium.py`) count alike.

use arbiter_core::shakmaty::{File, Piece, Rank, Square};
use arbiter_core::{Reading, Symbol};

/// Lamps, at the corners of squares.
pub(crate) const LAMPS: usize = 81;

/// The square of a place in a state, 0 to 63.
pub(crate) fn square(place: usize) -> Square {
    let (rank, from_h) = (place / 8 % 8, place % 8);
    Square::from_coords(File::new(7 - from_h as u32), Rank::new(rank as u32))
}

/// What the squares read.
pub(super) fn reading(codes: &[Option<Piece>; 64]) -> Reading {
    let mut reading = Reading::EMPTY;
    for (place, code) in codes.iter().enumerate() {
        reading.set(square(place), code.map_or(Symbol::Empty, Symbol::Piece));
    }
    reading
}

/// The places of the lamps at the corners of a square. They are counted like the squares, but file
/// by file: up the outer edge of the h-file, from h1.
pub(crate) fn corners(square: Square) -> [usize; 4] {
    let first = 9 * (7 - usize::from(square.file())) + usize::from(square.rank());
    [0, 1, 9, 10].map(|next| first + next)
}

/// The lamps at the corners of these squares, each lit by `pattern`; bit 0 of `squares` is a1.
pub(super) fn lamps(squares: u64, pattern: u8) -> Box<[u8; LAMPS]> {
    let mut lamps = Box::new([0; LAMPS]);
    let is_wanted = |square: &Square| squares >> u32::from(*square) & 1 != 0;
    for corner in Square::ALL.into_iter().filter(is_wanted).flat_map(corners) {
        lamps[corner] = pattern;
    }
    lamps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_counted_from_h1_rank_by_rank() {
        let names: Vec<String> = [0, 1, 7, 8, 15, 56, 63]
            .map(|place| square(place).to_string())
            .into();
        assert_eq!(names, ["h1", "g1", "a1", "h2", "a2", "h8", "a8"]);
    }

    /// The maker's: lamp 1 is at the corner of a8, 9 at a1, 73 at h8 and 81 at h1. Turned by half.
    #[test]
    fn lamps_are_counted_from_h1_file_by_file() {
        let outer = |square: Square, lamp: usize| corners(square).contains(&(lamp - 1));
        assert!(outer(Square::H1, 1) && outer(Square::H8, 9));
        assert!(outer(Square::A1, 73) && outer(Square::A8, 81));
        // 43, 44, 52 and 53 of the maker's order, for e2, turned by half: 82 less each.
        assert_eq!(corners(Square::E2).map(|place| place + 1), [29, 30, 38, 39]);
        let lamps = lamps(1 << u32::from(Square::E2) | 1, 0xff);
        assert_eq!(lamps.iter().filter(|lamp| **lamp == 0xff).count(), 8);
        assert!(
            corners(Square::A1)
                .iter()
                .all(|place| lamps[*place] == 0xff)
        );
    }
}
