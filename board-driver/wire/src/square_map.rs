//! Where a board's sensors really lie, where they are not wired square by square.

use crate::body::{Reader, Writer};
use crate::symbol::Square;

/// For each square's line, the square that it reads: a board whose lines for a1 and b1 were
/// exchanged has b1, a1, and then every other square itself. No two lines read the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SquareMap([u8; 64]);

/// A rank of a map: the squares that the eight lines of this rank read, the a-file's first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MapRank {
    /// 0 is the first rank.
    pub rank: u8,
    /// The squares.
    pub squares: [Square; 8],
}

impl SquareMap {
    /// Every line reads its own square.
    pub const IDENTITY: SquareMap = {
        let mut squares = [0; 64];
        let mut n = 0;
        while n < 64 {
            squares[n] = n as u8;
            n += 1;
        }
        SquareMap(squares)
    };

    /// The map with these squares, a1's line first; `None` where two lines would read the same.
    pub fn new(squares: [u8; 64]) -> Option<SquareMap> {
        let mut seen = 0u64;
        for square in squares {
            seen |= 1u64.checked_shl(square.into())?;
        }
        (seen == u64::MAX).then_some(SquareMap(squares))
    }

    /// The squares, a1's line first.
    pub fn squares(&self) -> &[u8; 64] {
        &self.0
    }

    /// The square that this square's line reads.
    pub fn of(&self, line: Square) -> Square {
        Square::new(self.0[usize::from(line.index())]).unwrap_or_default()
    }

    /// For each square, whose line reads it.
    pub fn inverse(&self) -> SquareMap {
        let mut lines = [0; 64];
        for (line, square) in (0..).zip(self.0) {
            lines[usize::from(square)] = line;
        }
        SquareMap(lines)
    }

    /// The map of which this one's lines are read by `next`: what read `s` here reads `next.of(s)`.
    pub fn then(&self, next: &SquareMap) -> SquareMap {
        SquareMap(self.0.map(|square| next.0[usize::from(square)]))
    }

    /// One bit a line into one bit a square.
    pub fn apply(&self, mut lines: u64) -> u64 {
        // In halves: a microcontroller has no shifts of 64 bits.
        let mut squares = [0u32; 2];
        for square in self.0 {
            if lines == 0 {
                break;
            }
            if lines & 1 == 1 {
                squares[usize::from(square / 32)] |= 1 << (square % 32);
            }
            lines >>= 1;
        }
        u64::from(squares[1]) << 32 | u64::from(squares[0])
    }

    /// One of its eight ranks, 0 to 7.
    pub fn rank(&self, rank: u8) -> MapRank {
        let rank = rank % 8;
        let line = |file: usize| Square::new(rank * 8 + file as u8).unwrap_or_default();
        MapRank {
            rank,
            squares: core::array::from_fn(|file| self.of(line(file))),
        }
    }
}

impl MapRank {
    pub(crate) fn write(&self, body: &mut Writer) {
        body.bytes(&[self.rank]);
        for square in self.squares {
            body.bytes(&[square.index()]);
        }
    }

    pub(crate) fn read(reader: &mut Reader<'_>) -> Option<MapRank> {
        let rank = reader.u8().filter(|rank| *rank < 8)?;
        let mut squares = [Square::default(); 8];
        for square in &mut squares {
            *square = Square::new(reader.u8()?)?;
        }
        Some(MapRank { rank, squares })
    }
}

/// Collects the eight ranks of a map, in their order.
#[derive(Clone, Copy, Debug)]
pub struct MapRanks {
    squares: [u8; 64],
    /// The next one.
    next: u8,
}

impl Default for MapRanks {
    fn default() -> MapRanks {
        MapRanks {
            squares: [0; 64],
            next: 0,
        }
    }
}

impl MapRanks {
    /// Takes a rank. After the eighth there is an end: the map, or nothing where a rank was missing
    /// or two lines would read the same square. The first rank begins anew.
    pub fn take(&mut self, rank: &MapRank) -> Option<Option<SquareMap>> {
        if rank.rank == 0 {
            self.next = 0;
        }
        if rank.rank == self.next {
            let at = usize::from(rank.rank % 8) * 8;
            for (place, square) in self.squares[at..at + 8].iter_mut().zip(rank.squares) {
                *place = square.index();
            }
            self.next += 1;
        }
        if rank.rank < 7 {
            return None;
        }
        let is_whole = core::mem::take(&mut self.next) == 8;
        Some(is_whole.then(|| SquareMap::new(self.squares)).flatten())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files backwards, which no square survives.
    fn mirrored() -> SquareMap {
        SquareMap::new(core::array::from_fn(|n| n as u8 ^ 7)).unwrap()
    }

    #[test]
    fn only_whole_maps_are_maps() {
        assert_eq!(
            SquareMap::new(core::array::from_fn(|n| n as u8)),
            Some(SquareMap::IDENTITY)
        );
        let mut twice = *SquareMap::IDENTITY.squares();
        twice[5] = 6;
        assert_eq!(SquareMap::new(twice), None);
        twice[5] = 64;
        assert_eq!(SquareMap::new(twice), None);
    }

    #[test]
    fn every_bit_goes_where_its_line_reads() {
        let map = SquareMap::new(core::array::from_fn(|n| (n * 37 + 11) as u8 % 64)).unwrap();
        for n in 0..64 {
            let to = map.of(Square::new(n).unwrap());
            assert_eq!(map.apply(1 << n), 1 << to.index());
            assert_eq!(map.inverse().of(to).index(), n);
        }
        assert_eq!(map.apply(u64::MAX), u64::MAX);
        let bits = 0x0123_4567_89ab_cdef;
        assert_eq!(map.inverse().apply(map.apply(bits)), bits);
        assert_eq!(map.then(&map.inverse()), SquareMap::IDENTITY);
        assert_eq!(
            map.then(&mirrored()).apply(bits),
            mirrored().apply(map.apply(bits))
        );
        assert_eq!(SquareMap::IDENTITY.apply(bits), bits);
    }

    #[test]
    fn ranks_make_a_map_in_their_order_and_not_otherwise() {
        let map = mirrored();
        let mut ranks = MapRanks::default();
        let ends = |ranks: &mut MapRanks, order: &[u8]| {
            let taken = order.iter().filter_map(|rank| ranks.take(&map.rank(*rank)));
            taken.last()
        };
        assert_eq!(ends(&mut ranks, &[0, 1, 2, 3, 4, 5, 6]), None);
        assert_eq!(ends(&mut ranks, &[7]), Some(Some(map)));
        assert_eq!(ends(&mut ranks, &[7]), Some(None), "it was taken");
        assert_eq!(ends(&mut ranks, &[0, 1, 2, 4, 5, 6, 7]), Some(None));
        let again = [3, 0, 1, 0, 1, 2, 2, 3, 4, 5, 6, 7];
        assert_eq!(ends(&mut ranks, &again), Some(Some(map)));
        for rank in 0..7 {
            assert_eq!(ranks.take(&map.rank(rank)), None);
        }
        // Twice the same rank of squares.
        let twice = MapRank {
            rank: 7,
            ..map.rank(6)
        };
        assert_eq!(ranks.take(&twice), Some(None));
    }
}
