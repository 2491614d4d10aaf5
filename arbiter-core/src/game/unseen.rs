//! Captures of which nothing was seen but that a piece has gone. They are legal, and cheaper than
//! an illegal move; but what stands where such a capture is said to have ended is not known. An
//! illegal move that is found of it later is no likelier than that the earlier one was illegal.

use shakmaty::{Bitboard, Chess};

use crate::chess::moves::{arrival, legs, squares_of, victim_square};
use crate::game::Game;
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
        let unsure = self.brought_by_unseen(ply - 1);
        breach.code.is_illegal_move() && rests_on(breach, before, unsure)
    }

    /// The squares that hold, after `n` plies, a piece that such a capture has brought there, or
    /// its victim.
    fn brought_by_unseen(&self, n: usize) -> Bitboard {
        let mut unsure = Bitboard::EMPTY;
        for ply in self.record.plies().iter().take(n) {
            let Some(m) = ply.m else { continue };
            let moved = legs(m).filter(|(from, _)| unsure.contains(*from));
            let moved: Bitboard = moved.map(|(_, to)| to).collect();
            unsure = unsure & !squares_of(m) | moved;
            if ply.unseen {
                unsure.add(arrival(m));
            }
        }
        unsure
    }
}
