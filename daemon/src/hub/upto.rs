//! Up to when a hub has everything, by a clock that may be set back.

use replica::Place;

use crate::store::{Store, StoreError};

/// Times that are looked at together.
const TOGETHER: usize = 10_000;

/// What is known of when that was written which the hub has not. All times are in milliseconds
/// since 1970.
#[derive(Debug, Default)]
pub(super) struct UpTo {
    epoch: String,
    /// Rows up to here were looked at.
    looked: u64,
    /// When the last of them was written.
    last: i64,
    /// Those that seem to be older than the one before them: since then, the clock was set back.
    back: Vec<(u64, i64)>,
}

impl UpTo {
    /// The latest time, `time` at most, before which nothing was written that is not up to
    /// `applied`.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub(super) fn earlier(
        &mut self,
        store: &Store,
        applied: &Place,
        time: i64,
    ) -> Result<i64, StoreError> {
        if self.epoch != applied.epoch || self.looked < applied.seq {
            *self = UpTo {
                epoch: applied.epoch.clone(),
                looked: applied.seq,
                last: store.written_by(applied.seq)?.unwrap_or(i64::MIN),
                back: Vec::new(),
            };
        }
        loop {
            let times = store.times(self.looked, TOGETHER)?;
            for (seq, wall) in &times {
                self.back
                    .extend((*wall < self.last).then_some((*seq, *wall)));
                (self.looked, self.last) = (*seq, *wall);
            }
            if times.len() < TOGETHER {
                break;
            }
        }
        self.back.retain(|(seq, _)| *seq > applied.seq);
        let first = store.times(applied.seq, 1)?;
        let missing = first.iter().chain(&self.back).map(|(_, wall)| wall - 1);
        Ok(missing.chain([time]).min().unwrap_or(time))
    }
}
