//! A position was ordered, and the players play on beside it.

use shakmaty::{Bitboard, Chess, Position, Square};

use crate::chess::moves::{squares_of, unsorted_moves};
use crate::game::Game;
use crate::game::exchanged::differing;
use crate::track::hypothesis::Hypothesis;

impl Game {
    /// Whether a legal move after `root` leaves nothing on the board but what has stood wrongly
    /// since before another position was ordered: nobody has put it right, and that is not the
    /// doing of who moves. `stood`: what it left, where that is not what the board shows now.
    pub(crate) fn is_left_as_ordered(&self, root: &Hypothesis, stood: Option<&Chess>) -> bool {
        let Some(ordered) = self.state.ordered_since() else {
            return false;
        };
        let differ = |pos: &Chess| match stood {
            Some(stood) => differing(stood.board(), pos.board()),
            None => self.differ(pos),
        };
        let (contacts, wrong) = (self.board.contacts(), differ(&root.pos));
        let is_left = |sq: &Square| contacts.since(*sq) <= ordered;
        let left: Bitboard = wrong.into_iter().filter(is_left).collect();
        let moved = wrong ^ left;
        left.any()
            && moved.any()
            && unsorted_moves(&root.pos).iter().any(|m| {
                let mut after = root.pos.clone();
                after.play_unchecked(*m);
                moved.is_subset(squares_of(*m)) && differ(&after).is_subset(left)
            })
    }
}
