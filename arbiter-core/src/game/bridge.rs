//! A line of legal moves from a known position to what stands on the board, when its plies were not
//! seen one by one: after a gap in the evidence, or when a restore was ordered on a misreading and
//! play went on.

use alloc::vec::Vec;

use shakmaty::Position;

use crate::chess::moves::arrival;
use crate::game::{Game, Press};
use crate::said::view::{Finding, FindingStatus};
use crate::track::gap;
use crate::track::hypothesis::{Hypothesis, Step};

impl Game {
    /// Looks for the plies that were not seen one by one. What was found on the strength of not
    /// seeing them falls.
    pub(crate) fn bridge(&mut self, press: Option<Press>) -> bool {
        let root = self.root().clone();
        let Some(moves) = gap::line(&root.pos, &self.contacts, root.touched(&self.contacts)) else {
            return false;
        };
        let before = self.length(&root);
        let mut pos = root.pos.clone();
        let mut steps = root.steps.clone();
        for &m in &moves {
            pos.play_unchecked(m);
            steps.push(Step {
                m,
                made_at: self.contacts.since(arrival(m)),
            });
        }
        let mut account = Hypothesis::new(pos, self.contacts.last_change());
        account.steps = steps;
        let made = self.length(&account);
        let completed = if press.is_some_and(|p| p.by != account.pos.turn()) {
            made
        } else {
            made - 1
        };
        if press.is_some() && moves.len() == 1 && completed < made {
            return false;
        }
        self.beam.replace(alloc::vec![account.clone()]);
        self.withdraw_after(before);
        self.tell_line(&account, made, completed);
        self.completed = completed;
        (self.bound, self.restore, self.unread, self.obligation) = (None, None, None, None);
        self.gap = false;
        // Presses that waited were for the plies found.
        self.pending.clear();
        self.running = press.map(|p| if completed == made { !p.by } else { p.by });
        self.turn_start = self.now;
        self.prune_common();
        self.check_end(made, completed == made);
        true
    }

    /// Findings of plies after the first `n` were made on a misreading.
    pub(crate) fn withdraw_after(&mut self, n: usize) {
        let stands =
            |f: &Finding| f.status == FindingStatus::Open && f.irregularity.ply as usize > n;
        let ids: Vec<u32> = self
            .findings
            .iter()
            .filter(|f| stands(f))
            .map(|f| f.irregularity.id)
            .collect();
        ids.into_iter().for_each(|id| self.withdraw(id));
        self.drop_forfeit();
    }
}
