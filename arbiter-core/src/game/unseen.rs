//! Captures of which nothing was seen but that a piece has gone. They are legal, and cheaper than
//! an illegal move; but what stands where such a capture is said to have ended is not known. An
//! illegal move that is found of it later is no likelier than that the earlier one was illegal.

use alloc::vec::Vec;

use shakmaty::{Bitboard, Chess, Square, uci::UciMove};

use crate::chess::moves::{arrival, legs, squares_of, victim_square};
use crate::game::Game;
use crate::game::record::Ply;
use crate::judge::article_4::Breach;
use crate::judge::rests_on::rests_on;
use crate::said::symbol::SensorClass;
use crate::sense::changes::SquareChange;
use crate::track::hypothesis::Hypothesis;

impl Game {
    /// Notes whether ply `ply` of `line`, which is completed, was such a capture.
    pub(crate) fn note_unseen(&mut self, line: &Hypothesis, ply: usize) {
        let Some(step) = self.step_of(line, ply).copied() else {
            return;
        };
        let before = self.step_of(line, ply - 1).map(|step| step.made_at);
        let reached = before.or_else(|| Some(self.record.ply(ply - 1)?.at));
        let reached = reached.unwrap_or_default();
        let contacts = self.board.contacts();
        let touched = |c: &SquareChange| c.at <= step.made_at && c.square == arrival(step.m);
        let seen = contacts.log_since(reached).any(touched)
            || contacts.flickered_since(reached).contains(arrival(step.m));
        let takes = victim_square(step.m) == Some(arrival(step.m));
        let unseen = self.setup.sensor == SensorClass::Occupancy && takes && !seen;
        self.record.set_unseen(ply, unseen);
    }

    /// Whether `breach` of ply `ply`, which was played in `before`, may look otherwise if an
    /// earlier capture of which nothing was seen was another move.
    pub(crate) fn rests_on_unseen(&self, breach: &Breach, ply: usize, before: &Chess) -> bool {
        let plies = ply.saturating_sub(1);
        breach.code.is_illegal_move() && rests_on(breach, before, self.brought_unseen(plies))
    }

    /// The squares that hold, after `n` plies, a piece that such a capture has brought there, or
    /// its victim.
    fn brought_unseen(&self, n: usize) -> Bitboard {
        let mut unsure = Bitboard::EMPTY;
        for ply in self.record.plies().iter().take(n) {
            let (ways, changed) = ways_of(ply);
            let moved = ways.into_iter().filter(|(from, _)| unsure.contains(*from));
            let moved: Bitboard = moved.map(|(_, to)| to).collect();
            unsure = unsure & !changed | moved;
            if let Some(m) = ply.m.filter(|_| ply.unseen) {
                unsure.add(arrival(m));
            }
        }
        unsure
    }
}

/// From where to where the pieces of a ply went, and the squares that it changed.
fn ways_of(ply: &Ply) -> (Vec<(Square, Square)>, Bitboard) {
    match (ply.m, ply.uci) {
        (Some(m), _) => (legs(m).collect(), squares_of(m)),
        // An illegal move that stands.
        (None, UciMove::Normal { from, to, .. }) => {
            let changed = Bitboard::from(from) | Bitboard::from(to);
            (alloc::vec![(from, to)], changed)
        }
        (None, _) => (Vec::new(), Bitboard::EMPTY),
    }
}
