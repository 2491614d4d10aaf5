//! What is known of one run of a board: what has been taken of its evidence, what waits, what is
//! missing.

use std::collections::BTreeMap;

use arbiter_core::shakmaty::Square;
use arbiter_core::{Symbol, Time};
use board_wire::{Evidence, Health, Heartbeat, RankLevels, What};

use crate::event::{BoardEvent, Mark, Report};
use crate::map;
use crate::protocol::{Delivery, Outbox};

/// What is known of one run of the board.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) boot: u16,
    /// The next evidence to deliver.
    pub(super) expected: u32,
    /// All evidence before this is known to exist.
    pub(super) end: u32,
    /// Evidence that came before its turn.
    pub(super) held: BTreeMap<u32, Evidence>,
    /// Changes of a scan whose rest is still to come.
    part: Vec<(Square, Symbol)>,
    /// A snapshot is wanted that has at least this number.
    pub(super) snapshot_from: Option<u32>,
    pub(super) has_lamps: bool,
    /// The last heartbeat.
    pub(super) beat: Option<Heartbeat>,
    /// The condition of the sensors, as last told in this connection.
    pub(super) health: Option<Health>,
    /// The board's milliseconds, carried on beyond 32 bits.
    pub(super) latest: u64,
}

impl Run {
    pub(super) fn new(boot: u16, expected: u32) -> Run {
        Run {
            boot,
            expected,
            end: expected,
            held: BTreeMap::new(),
            part: Vec::new(),
            snapshot_from: None,
            has_lamps: false,
            beat: None,
            health: None,
            latest: 0,
        }
    }

    pub(super) fn mark(&self) -> Mark {
        Mark {
            boot: self.boot,
            next: self.expected,
        }
    }

    pub(super) fn has_gap(&self) -> bool {
        self.expected != self.end
    }

    pub(super) fn first_held_or_end(&self) -> u32 {
        let first = self
            .held
            .keys()
            .min_by_key(|seq| seq.wrapping_sub(self.expected));
        first.copied().unwrap_or(self.end)
    }

    /// The full time of a frame's 32 bits, and a note that the board's clock has shown it.
    pub(super) fn time(&mut self, ms: u32, out: &mut Outbox) -> Time {
        let step = ms.wrapping_sub(self.latest as u32) as i32;
        let full = self.latest.saturating_add_signed(i64::from(step));
        self.latest = self.latest.max(full);
        out.heard = out.heard.max(Some(Time(full)));
        Time(full)
    }

    /// Delivers what is held and in its place; whether there was any.
    pub(super) fn deliver_held(&mut self, out: &mut Outbox) -> bool {
        let before = self.expected;
        while let Some(evidence) = self.held.remove(&self.expected) {
            self.expected = self.expected.wrapping_add(1);
            self.deliver(evidence, out);
        }
        self.expected != before
    }

    pub(super) fn deliver(&mut self, evidence: Evidence, out: &mut Outbox) {
        let at = self.time(evidence.ms, out);
        let report = match evidence.what {
            What::Change(changes) => {
                self.part.extend(map::changes(&changes));
                if !changes.more {
                    self.flush(at, out);
                }
                return;
            }
            What::Snapshot(squares) => {
                self.snapshot_from
                    .take_if(|from| !is_behind(evidence.seq.wrapping_sub(*from)));
                Report::Snapshot(map::reading(&squares))
            }
            What::Press {
                by,
                white_ms,
                black_ms,
            } => {
                let [white_ms, black_ms] = [white_ms, black_ms].map(|ms| ms.map(u64::from));
                Report::Press {
                    by: map::colour(by),
                    white_ms,
                    black_ms,
                }
            }
            What::Adjust { by } => Report::Adjust {
                by: map::colour(by),
            },
        };
        self.flush(at, out);
        out.reports.push(Delivery {
            event: BoardEvent { at, report },
            mark: Some(self.mark()),
        });
    }

    /// Reports how well the sensors work, if that is news: boards repeat it.
    pub(super) fn health(&mut self, ms: u32, health: Health, out: &mut Outbox) {
        let at = self.time(ms, out);
        if self.health.replace(health) != Some(health) {
            let event = BoardEvent {
                at,
                report: Report::Condition(map::condition(&health)),
            };
            out.reports.push(Delivery { event, mark: None });
        }
    }

    /// Reports what a rank of analogue sensors reads.
    pub(super) fn levels(&mut self, ms: u32, levels: RankLevels, out: &mut Outbox) {
        let at = self.time(ms, out);
        out.reports.push(Delivery {
            event: BoardEvent {
                at,
                report: Report::Levels(levels),
            },
            mark: None,
        });
    }

    /// Reports the changes collected of a scan.
    pub(super) fn flush(&mut self, at: Time, out: &mut Outbox) {
        if !self.part.is_empty() {
            let report = Report::Changes(std::mem::take(&mut self.part));
            out.reports.push(Delivery {
                event: BoardEvent { at, report },
                mark: Some(self.mark()),
            });
        }
    }
}

/// Whether a difference of sequence numbers means "earlier": they wrap around.
pub(super) fn is_behind(difference: u32) -> bool {
    difference > u32::MAX / 2
}
