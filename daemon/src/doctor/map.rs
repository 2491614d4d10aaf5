//! The map by which a board reads its squares, as it tells it.

use board_driver::{MapRank, MapRanks, SquareMap};

/// What is known of it.
#[derive(Clone, Debug, Default)]
pub struct Map {
    ranks: MapRanks,
    known: Option<SquareMap>,
}

impl Map {
    pub(super) fn hear(&mut self, rank: &MapRank) {
        // A rank that was lost on the line is told again with all others.
        if let Some(map) = self.ranks.take(rank) {
            self.known = map.or(self.known);
        }
    }

    /// The map that was told last.
    pub fn known(&self) -> Option<SquareMap> {
        self.known
    }
}
