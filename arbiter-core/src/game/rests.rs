//! What a finding rests on. A square in question takes certainty only from what turns on it.

use shakmaty::{Bitboard, Position};

use crate::game::Game;
use crate::said::ruling::DoubtKind;
use crate::track::hypothesis::Hypothesis;

impl Game {
    /// The squares that may be read wrongly: somebody has been asked to look at them, and they do
    /// not read right yet.
    pub(crate) fn in_question(&self) -> Bitboard {
        let asked = self
            .doubts
            .iter()
            .filter(|d| d.doubt.kind == DoubtKind::CheckSquare);
        asked
            .flat_map(|d| d.doubt.squares.iter().copied())
            .collect()
    }

    /// Squares in question that read right at last: whatever was wrong there, no player has touched
    /// the piece by it.
    pub(crate) fn hear_answers(&mut self, changed: Bitboard) {
        for sq in changed & self.in_question() {
            let right = |a: &Hypothesis| {
                a.misread.contains(sq) && !self.contacts.planes.differ(a.pos.board()).contains(sq)
            };
            if self.beam.all().iter().all(right) {
                self.contacts.forget_last(sq);
            }
        }
    }
}
