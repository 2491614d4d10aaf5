//! Hypotheses with an act in them that the Laws do not allow: they are followed beside the others,
//! on the same scale, until they win or die.

use alloc::vec::Vec;

use crate::said::time::Time;
use crate::sense::contacts::Contacts;
use crate::track::beam::expand::{admit, most_of};
use crate::track::beam::{Beam, KEEP};
use crate::track::hypothesis::Hypothesis;

/// Most of them kept alive at once.
const MOST: usize = 24;

impl Beam {
    /// Every hypothesis with such an act.
    pub(crate) fn irregular(&self) -> &[Hypothesis] {
        &self.irregular
    }

    /// Follows one more.
    pub(crate) fn follow(&mut self, line: Hypothesis, contacts: &Contacts, now: Time) {
        admit(&mut self.irregular, line, contacts, now);
    }

    /// Keeps those for which `keep` holds.
    pub(crate) fn retain_irregular(&mut self, keep: impl FnMut(&Hypothesis) -> bool) {
        self.irregular.retain(keep);
    }

    /// The same, to be changed.
    pub(crate) fn irregular_mut(&mut self) -> &mut Vec<Hypothesis> {
        &mut self.irregular
    }

    /// The cheapest of them for which `which` holds; of equals the one with more plies.
    pub(crate) fn best_irregular(
        &self,
        contacts: &Contacts,
        now: Time,
        at_press: bool,
        which: impl Fn(&Hypothesis) -> bool,
    ) -> Option<&Hypothesis> {
        let key = |h: &&Hypothesis| {
            let total = h.total(contacts, now, at_press);
            (total, core::cmp::Reverse(h.steps.len()))
        };
        self.irregular.iter().filter(|h| which(h)).min_by_key(key)
    }

    /// An act that was not told, and led to where legal moves led for no more, was none: what was
    /// played from there is the same game. Kept any longer it would only hold up the commit.
    pub(super) fn drop_disproved(&mut self) {
        let mut disproved = Vec::new();
        for line in &self.irregular {
            let legal = |h: &Hypothesis| h.is_twin(line) && h.cost <= line.cost;
            if line.act().is_some_and(|act| !act.told) && self.hypotheses.iter().any(legal) {
                disproved.push(line.clone());
            }
        }
        self.irregular.retain(|line| {
            !disproved
                .iter()
                .any(|other: &Hypothesis| other.has_same_act(line))
        });
    }

    /// Drops what is far dearer than the best of all.
    pub(super) fn prune_irregular(&mut self, contacts: &Contacts, now: Time) {
        let best = self.best(contacts, now, false).total(contacts, now, false);
        self.irregular
            .retain(|h| h.total(contacts, now, false) <= best + KEEP);
        let most = most_of(&self.irregular, MOST);
        if self.irregular.len() > most {
            self.irregular
                .sort_by_cached_key(|h| h.total(contacts, now, false));
            self.irregular.truncate(most);
        }
    }
}
