//! The beam: the hypotheses that still explain the evidence.
//!
//! A hypothesis is a line of moves from the last committed ply to a position, and what had to be
//! assumed for it. All of them are matched afresh at every scan; the one in which the ply is *not*
//! made stays alive beside those in which it is. Hypotheses die by their cost, never by age.

mod charges;
mod expand;
mod forks;
mod irregular;

use alloc::vec::Vec;

use shakmaty::{Bitboard, Chess};

use crate::said::time::Time;
use crate::sense::contacts::Contacts;
use crate::track::cost;
use crate::track::hypothesis::{Hypothesis, Step};

pub(crate) use forks::Fork;

/// Hypotheses this much dearer than the best are dropped between presses.
pub(crate) const KEEP: i32 = 1000;
/// Hypotheses dearer than the best by more than this are dropped at a press. Of those that differ
/// in an unseen promotion all stay.
pub(crate) const KEEP_AT_PRESS: i32 = 300 + cost::TIE;

/// Every hypothesis that still explains the evidence; never empty.
#[derive(Clone, Debug)]
pub(crate) struct Beam {
    /// Those in which every move is a legal one; never empty.
    hypotheses: Vec<Hypothesis>,
    /// Those with an act in them that the Laws do not allow, and which has not entered the record.
    /// They compete with the others on the same scale.
    irregular: Vec<Hypothesis>,
    /// Hypotheses that have been matched against the board, and those that came of it.
    effort: usize,
}

impl Beam {
    /// One hypothesis: `pos`, reached at `since`.
    pub(crate) fn new(pos: Chess, since: Time) -> Beam {
        Beam::of(Hypothesis::new(pos, since))
    }

    /// This hypothesis alone.
    pub(crate) fn of(hypothesis: Hypothesis) -> Beam {
        Beam {
            hypotheses: alloc::vec![hypothesis],
            irregular: Vec::new(),
            effort: 0,
        }
    }

    /// Every hypothesis of legal moves; never empty.
    pub(crate) fn all(&self) -> &[Hypothesis] {
        &self.hypotheses
    }

    /// How much has been thought of so far: what it costs is in proportion to it.
    pub(crate) fn effort(&self) -> usize {
        self.effort
    }

    /// The cheapest hypothesis; of equals the one with more plies.
    pub(crate) fn best(&self, contacts: &Contacts, now: Time, at_press: bool) -> &Hypothesis {
        if let [only] = self.hypotheses.as_slice() {
            return only;
        }
        let mut best = (&self.hypotheses[0], i32::MAX);
        for h in &self.hypotheses {
            // What the board costs it comes on top.
            if h.cost > best.1 {
                continue;
            }
            let total = h.total(contacts, now, at_press);
            if total < best.1 || (total == best.1 && h.steps.len() > best.0.steps.len()) {
                best = (h, total);
            }
        }
        best.0
    }

    /// Plies of the hypothesis that has the fewest.
    fn fewest_plies(&self) -> usize {
        let plies = self.hypotheses.iter().map(|h| h.steps.len());
        plies.min().unwrap_or(0)
    }

    /// The least cost so far.
    pub(crate) fn least_cost(&self) -> i32 {
        let costs = self.hypotheses.iter().map(|h| h.cost);
        costs.min().unwrap_or(0)
    }

    /// The hypothesis with the least cost so far among those of `plies` plies.
    fn cheapest_after(&self, plies: usize) -> Option<&Hypothesis> {
        let made = self.hypotheses.iter().filter(|h| h.steps.len() == plies);
        made.min_by_key(|h| h.cost)
    }

    /// Keeps the hypotheses for which `keep` holds, unless none would be left. Returns whether any
    /// was.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(&Hypothesis) -> bool) -> bool {
        if !self.hypotheses.iter().any(&mut keep) {
            return false;
        }
        self.hypotheses.retain(keep);
        true
    }

    /// Keeps the `most` cheapest hypotheses.
    pub(crate) fn keep_cheapest(&mut self, most: usize) {
        self.hypotheses.sort_by_key(|h| h.cost);
        self.hypotheses.truncate(most);
    }

    /// Replaces every hypothesis of legal moves. `hypotheses` must not be empty.
    pub(crate) fn replace(&mut self, hypotheses: Vec<Hypothesis>) {
        debug_assert!(!hypotheses.is_empty());
        self.hypotheses = hypotheses;
    }

    /// Every hypothesis, with an irregular act in it or without.
    fn every(&mut self) -> impl Iterator<Item = &mut Hypothesis> {
        self.hypotheses.iter_mut().chain(&mut self.irregular)
    }

    /// `squares` say nothing until they are read again.
    pub(crate) fn assume_misread(&mut self, squares: Bitboard) {
        for h in self.every() {
            h.misread |= squares;
        }
    }

    /// `squares` were read again at `now`: they are taken at their word.
    pub(crate) fn take_as_read(&mut self, squares: Bitboard, now: Time) {
        for h in self.every() {
            h.take_as_read(squares, now);
        }
    }

    /// Takes away and returns the first ply if every hypothesis begins with it.
    pub(crate) fn commit(&mut self) -> Option<Step> {
        let first = *self.hypotheses[0].steps.first()?;
        for h in self.hypotheses.iter().chain(&self.irregular) {
            if h.steps.first()?.m != first.m || h.begins_irregularly() {
                return None;
            }
        }
        for h in self.every() {
            h.drop_steps(1);
        }
        Some(first)
    }

    /// The time before which no hypothesis needs the changes.
    pub(crate) fn oldest(&self, contacts: &Contacts) -> Time {
        let every = self.hypotheses.iter().chain(&self.irregular);
        let needed = every.map(|h| needed_from(h, contacts));
        needed.min().unwrap_or_default()
    }
}

/// The time before which a hypothesis does not need the changes.
fn needed_from(h: &Hypothesis, contacts: &Contacts) -> Time {
    let mut needed = match h.steps.first() {
        Some(step) => step.made_at.min(h.since),
        None => h.since,
    };
    for sq in h.early {
        needed = needed.min(contacts.since(sq) - 1);
    }
    needed
}
