//! The tape: what board and clock told since a few decided positions, so that it can be heard
//! again.

use alloc::collections::VecDeque;

use shakmaty::{Color, Square};

use crate::said::symbol::Symbol;
use crate::said::time::Time;
use crate::sense::contacts::Contacts;
use crate::track::hypothesis::Hypothesis;

/// Entries kept. Without one decided position among so many there is nothing to go back to.
const MOST_ENTRIES: usize = 320;
/// Decided positions kept.
const MOST_MARKS: usize = 3;
/// Plies from one to the next.
const SPACING: usize = 4;

/// Something told.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Logged {
    /// A square reads otherwise.
    Change(Square, Symbol),
    /// A player pressed.
    Press(Color),
}

/// Something told, and when.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LogEntry {
    pub(crate) at: Time,
    pub(crate) told: Logged,
}

/// A decided position, and how the sensors stood.
#[derive(Clone, Debug)]
pub(crate) struct Checkpoint {
    /// Plies before it.
    pub(crate) length: usize,
    pub(crate) account: Hypothesis,
    pub(crate) contacts: Contacts,
    /// Number of the first entry after it.
    next: usize,
}

/// Marks, and everything told since the first of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct EvidenceLog {
    marks: VecDeque<Checkpoint>,
    entries: VecDeque<LogEntry>,
    /// Entries forgotten so far.
    forgotten: usize,
}

impl EvidenceLog {
    /// Whether a position after `length` plies should be marked.
    pub(crate) fn wants(&self, length: usize) -> bool {
        self.marks
            .back()
            .is_none_or(|m| length >= m.length + SPACING)
    }

    /// Marks a decided position.
    pub(crate) fn mark(&mut self, length: usize, account: Hypothesis, contacts: Contacts) {
        if self.marks.len() == MOST_MARKS {
            self.forget_mark();
        }
        let next = self.forgotten + self.entries.len();
        self.marks.push_back(Checkpoint {
            length,
            account,
            contacts,
            next,
        });
    }

    /// Notes what was told.
    pub(crate) fn note(&mut self, at: Time, told: Logged) {
        if self.entries.len() == MOST_ENTRIES {
            self.forget_mark();
        }
        if !self.marks.is_empty() {
            self.entries.push_back(LogEntry { at, told });
        }
    }

    /// Entries kept.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Forgets everything: what was told before has no bearing on what comes.
    pub(crate) fn clear(&mut self) {
        self.marks.clear();
        self.entries.clear();
    }

    /// Forgets marks of longer games: what they took for decided was a misreading.
    pub(crate) fn forget_longer(&mut self, length: usize) {
        self.marks.retain(|m| m.length <= length);
    }

    fn forget_mark(&mut self) {
        self.marks.pop_front();
        let next = self
            .marks
            .front()
            .map_or(self.forgotten + self.entries.len(), |m| m.next);
        self.entries.drain(..next - self.forgotten);
        self.forgotten = next;
    }

    /// Every mark, latest first, with what was told after it.
    pub(crate) fn marks(&mut self) -> impl Iterator<Item = (&Checkpoint, &[LogEntry])> {
        let entries: &[LogEntry] = self.entries.make_contiguous();
        let forgotten = self.forgotten;
        self.marks
            .iter()
            .rev()
            .map(move |m| (m, &entries[m.next - forgotten..]))
    }
}
