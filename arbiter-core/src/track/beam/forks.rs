//! Plies of which more than one reading fits.

use alloc::vec::Vec;

use shakmaty::{Move, Position};

use crate::said::time::Time;
use crate::sense::contacts::Contacts;
use crate::track::beam::Beam;
use crate::track::cost;
use crate::track::hypothesis::Hypothesis;

/// A ply of which two readings lead to one position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Fork {
    /// Which of a hypothesis's plies, the first open one being 0.
    pub(crate) step: usize,
    pub(crate) readings: [Move; 2],
}

impl Fork {
    /// The plies on which two hypotheses differ.
    pub(crate) fn between(one: &Hypothesis, other: &Hypothesis) -> impl Iterator<Item = Fork> {
        let steps = one.steps.iter().zip(&other.steps).enumerate();
        steps.filter_map(|(step, (a, b))| {
            let readings = [a.m, b.m];
            (!is_same_way(a.m, b.m)).then_some(Fork { step, readings })
        })
    }
}

/// Whether two moves take the same piece the same way: what they capture may differ.
fn is_same_way(a: Move, b: Move) -> bool {
    (a.from(), a.to(), a.promotion(), a.is_castle())
        == (b.from(), b.to(), b.promotion(), b.is_castle())
}

impl Beam {
    /// Of hypotheses that stand in the same position after as many plies, keeps the cheapest.
    /// Returns the plies on which equally good ones will never be told apart again.
    pub(crate) fn merge(&mut self, contacts: &Contacts, now: Time) -> Vec<Fork> {
        let mut forks = Vec::new();
        let mut n = 0;
        while n + 1 < self.hypotheses.len() {
            let mut i = n + 1;
            while i < self.hypotheses.len() {
                if self.hypotheses[n].is_twin(&self.hypotheses[i]) {
                    let twin = self.hypotheses.remove(i);
                    let kept = &mut self.hypotheses[n];
                    merge_twin(kept, twin, &mut forks, contacts, now);
                } else {
                    i += 1;
                }
            }
            n += 1;
        }
        self.drop_disproved();
        forks
    }

    /// The plies on which hypotheses that explain the board, and cost no more than `margin` above
    /// the best, differ from it.
    pub(crate) fn rivals(&self, contacts: &Contacts, now: Time, margin: i32) -> Vec<Fork> {
        let best = self.best(contacts, now, true);
        let dearest = best.total(contacts, now, true) + margin;
        let mut forks = Vec::new();
        for h in &self.hypotheses {
            if h.cost <= dearest && contacts.planes().differ(h.pos.board()).is_empty() {
                forks.extend(Fork::between(best, h));
            }
        }
        forks
    }
}

/// Keeps the cheaper of two twins as `kept`.
fn merge_twin(
    kept: &mut Hypothesis,
    mut twin: Hypothesis,
    forks: &mut Vec<Fork>,
    contacts: &Contacts,
    now: Time,
) {
    let more = twin.total(contacts, now, false) - kept.total(contacts, now, false);
    let between: Vec<Fork> = Fork::between(kept, &twin).collect();
    if more < 0 {
        core::mem::swap(kept, &mut twin);
    }
    if more.abs() <= cost::TIE {
        kept.part(&between);
        kept.part(twin.parted());
        forks.extend(between);
    }
}
