//! The evidence log: what board and clock told since a few committed positions, so that it can
//! be replayed from there.

use alloc::collections::VecDeque;

use shakmaty::Chess;

use crate::said::time::Time;
use crate::sense::contacts::Contacts;
use crate::track::entry::{LogEntry, Logged};
use crate::track::hypothesis::Hypothesis;

/// Entries kept. Without a checkpoint among so many there is nothing to go back to.
const MOST_ENTRIES: usize = 320;
/// Checkpoints kept.
const MOST_CHECKPOINTS: usize = 3;
/// Plies from one checkpoint to the next.
const SPACING: usize = 4;

/// A committed position, and how the sensors stood.
#[derive(Clone, Debug)]
pub(crate) struct Checkpoint {
    /// Plies before it.
    pub(crate) length: usize,
    pub(crate) hypothesis: Hypothesis,
    pub(crate) contacts: Contacts,
    /// What the best explanation of the game up to here has cost.
    pub(crate) paid: i32,
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

    /// Makes a checkpoint of a committed position.
    pub(crate) fn set_checkpoint(
        &mut self,
        length: usize,
        hypothesis: Hypothesis,
        contacts: Contacts,
        paid: i32,
    ) {
        if self.checkpoints.len() == MOST_CHECKPOINTS {
            self.forget_checkpoint();
        }
        self.checkpoints.push_back(Checkpoint {
            length,
            hypothesis,
            contacts,
            paid,
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

    /// Forgets checkpoints of longer games: what they took for committed was a misreading.
    pub(crate) fn forget_longer(&mut self, length: usize) {
        self.checkpoints.retain(|c| c.length <= length);
    }

    /// Each checkpoint stands in another position than it was taken to, or falls.
    pub(crate) fn start_otherwise(&mut self, position: impl Fn(usize, &Chess) -> Option<Chess>) {
        self.checkpoints.retain_mut(|c| {
            let pos = position(c.length, &c.hypothesis.pos);
            let stands = pos.is_some();
            pos.into_iter().for_each(|pos| c.hypothesis.stand_in(pos));
            stands
        });
    }

    /// The checkpoint after `length` plies.
    pub(crate) fn checkpoint_of(&self, length: usize) -> Option<&Checkpoint> {
        self.checkpoints.iter().find(|c| c.length == length)
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

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use shakmaty::Color;

    use super::*;
    use crate::said::symbol::{Reading, SensorClass};

    fn set_checkpoint(log: &mut EvidenceLog, length: usize) {
        let contacts = Contacts::new(SensorClass::Occupancy, &Reading::EMPTY, Time::ZERO, 120);
        log.set_checkpoint(
            length,
            Hypothesis::new(Chess::default(), Time::ZERO),
            contacts,
            0,
        );
    }

    fn note(log: &mut EvidenceLog, times: core::ops::Range<u64>) {
        for at in times {
            log.note(Time(at), Logged::Press(Color::White));
        }
    }

    /// Every checkpoint's plies, with when the first entry after it was told and how many were.
    fn kept(log: &mut EvidenceLog) -> Vec<(usize, Option<u64>, usize)> {
        let checkpoints = log.checkpoints();
        checkpoints
            .map(|(c, entries)| (c.length, entries.first().map(|e| e.at.0), entries.len()))
            .collect()
    }

    #[test]
    fn nothing_is_kept_before_the_first_checkpoint() {
        let mut log = EvidenceLog::default();
        note(&mut log, 0..5);
        assert_eq!((log.len(), kept(&mut log)), (0, Vec::new()));
        assert!(log.wants(0));
    }

    #[test]
    fn the_oldest_checkpoint_is_forgotten_with_what_only_it_needs() {
        let mut log = EvidenceLog::default();
        for n in 0..4 {
            let length = SPACING * n as usize;
            assert!(log.wants(length));
            set_checkpoint(&mut log, length);
            assert!(!log.wants(length + SPACING - 1));
            note(&mut log, 10 * n..10 * n + 10);
        }
        let all = [(12, Some(30), 10), (8, Some(20), 20), (4, Some(10), 30)];
        assert_eq!(kept(&mut log), all);
        assert_eq!(log.len(), 30);
    }

    #[test]
    fn too_many_entries_cost_the_oldest_checkpoint() {
        let mut log = EvidenceLog::default();
        let most = MOST_ENTRIES as u64;
        set_checkpoint(&mut log, 0);
        note(&mut log, 0..100);
        set_checkpoint(&mut log, 4);
        note(&mut log, 100..most);
        assert_eq!(log.len(), MOST_ENTRIES);
        note(&mut log, most..most + 1);
        assert_eq!(kept(&mut log), [(4, Some(100), MOST_ENTRIES - 99)]);
        // Without another to go back to, all of it is of no use.
        note(&mut log, most + 1..2 * most);
        assert_eq!((log.len(), kept(&mut log)), (0, Vec::new()));
    }

    #[test]
    fn checkpoints_of_longer_games_rest_on_a_misreading() {
        let mut log = EvidenceLog::default();
        for length in [0, 4, 8] {
            set_checkpoint(&mut log, length);
            note(&mut log, 0..1);
        }
        log.forget_longer(7);
        let lengths: Vec<usize> = kept(&mut log).iter().map(|(length, ..)| *length).collect();
        assert_eq!(lengths, [4, 0]);
        log.clear();
        assert_eq!((log.len(), kept(&mut log)), (0, Vec::new()));
    }
}
