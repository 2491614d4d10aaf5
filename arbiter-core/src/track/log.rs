//! The evidence log: what board and clock told since a few decided positions, so that it can be
//! replayed from there.

use alloc::collections::VecDeque;

use crate::said::time::Time;
use crate::sense::contacts::Contacts;
use crate::track::entry::{LogEntry, Logged};
use crate::track::hypothesis::Hypothesis;

/// Entries kept. Without one decided position among so many there is nothing to go back to.
const MOST_ENTRIES: usize = 320;
/// Checkpoints kept.
const MOST_CHECKPOINTS: usize = 3;
/// Plies from one checkpoint to the next.
const SPACING: usize = 4;

/// A decided position, and how the sensors stood.
#[derive(Clone, Debug)]
pub(crate) struct Checkpoint {
    /// Plies before it.
    pub(crate) length: usize,
    pub(crate) hypothesis: Hypothesis,
    pub(crate) contacts: Contacts,
    /// Number of the first entry after it.
    next: usize,
}

/// Checkpoints, and everything told since the first of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct EvidenceLog {
    checkpoints: VecDeque<Checkpoint>,
    entries: VecDeque<LogEntry>,
    /// Entries forgotten so far.
    forgotten: usize,
}

impl EvidenceLog {
    /// Whether a position after `length` plies should become a checkpoint.
    pub(crate) fn wants(&self, length: usize) -> bool {
        match self.checkpoints.back() {
            Some(last) => length >= last.length + SPACING,
            None => true,
        }
    }

    /// Makes a checkpoint of a decided position.
    pub(crate) fn set_checkpoint(
        &mut self,
        length: usize,
        hypothesis: Hypothesis,
        contacts: Contacts,
    ) {
        if self.checkpoints.len() == MOST_CHECKPOINTS {
            self.forget_checkpoint();
        }
        self.checkpoints.push_back(Checkpoint {
            length,
            hypothesis,
            contacts,
            next: self.next(),
        });
    }

    /// Notes what was told.
    pub(crate) fn note(&mut self, at: Time, told: Logged) {
        if self.entries.len() == MOST_ENTRIES {
            self.forget_checkpoint();
        }
        if !self.checkpoints.is_empty() {
            self.entries.push_back(LogEntry { at, told });
        }
    }

    /// Entries kept.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Forgets everything: what was told before has no bearing on what comes.
    pub(crate) fn clear(&mut self) {
        self.checkpoints.clear();
        self.entries.clear();
    }

    /// Forgets checkpoints of longer games: what they took for decided was a misreading.
    pub(crate) fn forget_longer(&mut self, length: usize) {
        self.checkpoints.retain(|c| c.length <= length);
    }

    /// Forgets the oldest checkpoint, and what no other needs.
    fn forget_checkpoint(&mut self) {
        self.checkpoints.pop_front();
        let needed = match self.checkpoints.front() {
            Some(oldest) => oldest.next,
            None => self.next(),
        };
        self.entries.drain(..needed - self.forgotten);
        self.forgotten = needed;
    }

    /// The number that the next entry will have.
    fn next(&self) -> usize {
        self.forgotten + self.entries.len()
    }

    /// Every checkpoint, latest first, with what was told after it.
    pub(crate) fn checkpoints(&mut self) -> impl Iterator<Item = (&Checkpoint, &[LogEntry])> {
        let entries: &[LogEntry] = self.entries.make_contiguous();
        let forgotten = self.forgotten;
        self.checkpoints
            .iter()
            .rev()
            .map(move |c| (c, &entries[c.next - forgotten..]))
    }
}
