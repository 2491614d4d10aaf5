//! A wrong array that is put right in play (7.2.1): it was told how the pieces stand, play has
//! begun, and then somebody puts them where they belong. That is nobody's move. The moves made so
//! far are those of a game from the right array, where all of them are legal there.

use alloc::vec::Vec;

use shakmaty::{Chess, Move, Position, Square};

use crate::game::Game;
use crate::game::change::{Changes, NOTHING};
use crate::game::record::Ply;
use crate::game::start_of;
use crate::track::hypothesis::Step;

impl Game {
    /// The board rests: looks whether what stood wrongly from the start has been put right.
    pub(crate) fn look_for_put_right(&mut self) -> Option<Changes> {
        let begun = self.record.len() > 0 && !self.is_idle();
        if !begun || !self.starts_as_it_stands() || self.wrong(self.best()).is_empty() {
            return None;
        }
        let required = start_of(&self.setup)?;
        let moves = self.moves_from(&required)?;
        let mut stands = required.clone();
        moves.iter().for_each(|m| stands.play_unchecked(*m));
        let is_put_right = self.differ(&stands).is_empty() && self.differs_as_set_up(&stands);
        is_put_right.then(|| self.go_on_from_array(required, &moves))
    }

    /// The moves of the record, made from `start`; `None` where they cannot be.
    fn moves_from(&self, start: &Chess) -> Option<Vec<Move>> {
        let mut pos = start.clone();
        let legal = |ply: &Ply| {
            let m = self.record.uci(ply.m?).to_move(&pos).ok()?;
            pos.play_unchecked(m);
            Some(m)
        };
        self.record.plies().iter().map(legal).collect()
    }

    /// Whether `stands` differs from the last position on the squares that were set up wrongly, and
    /// on no others.
    fn differs_as_set_up(&self, stands: &Chess) -> bool {
        let Some(required) = start_of(&self.setup) else {
            return false;
        };
        let (last, start) = (self.record.last(), self.record.start());
        let same = |sq: Square| last.board().piece_at(sq) == stands.board().piece_at(sq);
        let was_right = |sq: Square| start.board().piece_at(sq) == required.board().piece_at(sq);
        Square::ALL.into_iter().all(|sq| same(sq) || !was_right(sq))
    }

    /// The game began from the `required` array, as far as the record goes, and goes on from there.
    fn go_on_from_array(&mut self, required: Chess, moves: &[Move]) -> Changes {
        let was = self.clone();
        self.record.begin(required);
        for (i, (m, ply)) in moves.iter().zip(was.record.plies()).enumerate() {
            let made_at = ply.at;
            self.record.push(Step { m: *m, made_at }, ply.clock_ms);
            self.record.mark_completed(i, ply.completed);
        }
        self.record.set_completed(was.record.completed());
        self.keep_to_what_was_told();
        self.state.stop_putting_back();
        self.tell_other_plies(&was);
        let (pos, now) = (self.record.last().clone(), self.clock.now());
        // Nobody has touched for his move what he put right.
        self.board.forget_before(now);
        let contacts = self.board.contacts();
        self.track.reset(pos, self.record.len(), contacts, now);
        self.state.next_turn();
        NOTHING
    }
}
