//! What is known of one run of a board: what has been taken of its evidence, what waits, what is
//! missing.

use std::collections::BTreeMap;

use arbiter_core::shakmaty::{Color, Square};
use arbiter_core::{Reading, Symbol, Time};
use board_wire::{ClockBits, Evidence, Health, Heartbeat, RankLevels, Serial, ToBoard, What};

use super::past::Past;
use super::say;
use crate::event::{BoardEvent, Mark, Report};
use crate::map;
use crate::protocol::{Delivery, Outbox};

/// What is known of one run of the board.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) boot: u16,
    /// The board's serial number, once it is known.
    pub(super) serial: Option<Serial>,
    /// The next evidence to deliver.
    pub(super) expected: u32,
    /// All evidence before this is kept for good, as far as anybody has said.
    kept: Option<u32>,
    /// All evidence before this is known to exist.
    pub(super) end: u32,
    /// Evidence that came before its turn.
    pub(super) held: BTreeMap<u32, Evidence>,
    /// Changes of a scan whose rest is still to come.
    part: Vec<(Square, Symbol)>,
    /// What every square reads after what was delivered, where that is known.
    pub(super) stood: Option<Reading>,
    /// The evidence from before the hello of a new run, until it is known what of it counts.
    pub(super) past: Option<Past>,
    /// A snapshot is wanted that has at least this number.
    pub(super) snapshot_from: Option<u32>,
    pub(super) has_lamps: bool,
    /// The last heartbeat.
    pub(super) beat: Option<Heartbeat>,
    /// The condition of the sensors, as last told in this connection.
    pub(super) health: Option<Health>,
    /// What the clock showed last, while it spoke.
    clock: Option<ClockBits>,
    /// The board's milliseconds, carried on beyond 32 bits.
    pub(super) latest: u64,
}

impl Run {
    pub(super) fn new(boot: u16, expected: u32) -> Run {
        Run {
            boot,
            serial: None,
            expected,
            kept: None,
            end: expected,
            held: BTreeMap::new(),
            part: Vec::new(),
            stood: None,
            past: None,
            snapshot_from: None,
            has_lamps: false,
            beat: None,
            health: None,
            clock: None,
            latest: 0,
        }
    }

    /// A run that is heard from its start.
    pub(super) fn anew(boot: u16, past: Past) -> Run {
        Run {
            past: Some(past),
            ..Run::new(boot, 0)
        }
    }

    /// What every square read when that was known last.
    pub(super) fn last_known(&self) -> Option<Reading> {
        self.past.as_ref().map(Past::known).or(self.stood)
    }

    /// Where what counts of it begins, unless that hangs on what it saw before anybody heard of it.
    pub(super) fn begins_here(&self) -> Option<Mark> {
        self.past.is_none().then(|| self.mark())
    }

    pub(super) fn mark(&self) -> Mark {
        Mark {
            boot: self.boot,
            next: self.expected,
        }
    }

    /// All evidence before this mark is kept for good. It may be of an earlier run.
    pub(super) fn keep(&mut self, mark: Mark) {
        let is_news = self
            .kept
            .is_none_or(|kept| !is_behind(mark.next.wrapping_sub(kept)));
        if mark.boot == self.boot && is_news {
            self.kept = Some(mark.next);
        }
    }

    /// Tells the board what it need not keep any longer.
    pub(super) fn acknowledge(&self, out: &mut Outbox) {
        let boot = self.boot;
        self.kept
            .into_iter()
            .for_each(|next| say(ToBoard::Ack { boot, next }, out));
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
        let mut asked_for = false;
        let report = match evidence.what {
            What::Change(changes) => {
                self.part.extend(map::changes(&changes));
                if !changes.more {
                    self.flush(at, out);
                }
                return;
            }
            What::Snapshot(squares) => {
                let taken = self
                    .snapshot_from
                    .take_if(|from| !is_behind(evidence.seq.wrapping_sub(*from)));
                asked_for = taken.is_some();
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
        self.tell(BoardEvent { at, report }, asked_for, out);
    }

    /// Tells of evidence, once it is known that it counts.
    fn tell(&mut self, event: BoardEvent, asked_for: bool, out: &mut Outbox) {
        let mark = Some(self.mark());
        let delivery = Delivery { event, mark };
        let expected = self.expected;
        let mut told = match &mut self.past {
            Some(past) => {
                past.take(delivery, asked_for);
                let over = self.past.take_if(|past| past.is_over(expected));
                over.map(Past::into_counts).unwrap_or_default()
            }
            None => vec![delivery],
        };
        told.iter()
            .for_each(|delivery| delivery.event.report.apply_to(&mut self.stood));
        out.reports.append(&mut told);
    }

    /// Evidence before `oldest` will never come.
    pub(super) fn skip_to(&mut self, oldest: u32, out: &mut Outbox) {
        let count = oldest.wrapping_sub(self.expected);
        self.expected = oldest;
        self.past.iter_mut().for_each(Past::break_off);
        self.stood = None;
        out.reports.push(Delivery {
            event: BoardEvent {
                at: Time(self.latest),
                report: Report::Lost { count },
            },
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

    /// Reports what the board says of itself, and not of a moment.
    pub(super) fn say(&mut self, report: Report, out: &mut Outbox) {
        let at = Time(self.latest);
        let event = BoardEvent { at, report };
        out.reports.push(Delivery { event, mark: None });
    }

    /// Reports flags that have fallen. What a clock shows when it is first heard is of a game
    /// before. That it stands is not told: while a delay runs, a clock's times stand too.
    pub(super) fn clock(&mut self, ms: u32, bits: ClockBits, out: &mut Outbox) {
        let at = self.time(ms, out);
        let now = Some(bits).filter(|bits| bits.has(ClockBits::SPEAKS));
        let Some(before) = std::mem::replace(&mut self.clock, now) else {
            return;
        };
        for (flag, by) in [
            (ClockBits::WHITE_FELL, Color::White),
            (ClockBits::BLACK_FELL, Color::Black),
        ] {
            if bits.has(flag) && !before.has(flag) {
                let report = Report::FlagFall { by };
                let event = BoardEvent { at, report };
                out.reports.push(Delivery { event, mark: None });
            }
        }
    }

    /// Reports the changes collected of a scan.
    pub(super) fn flush(&mut self, at: Time, out: &mut Outbox) {
        if !self.part.is_empty() {
            let report = Report::Changes(std::mem::take(&mut self.part));
            self.tell(BoardEvent { at, report }, false, out);
        }
    }
}

/// Whether a difference of sequence numbers means "earlier": they wrap around.
pub(super) fn is_behind(difference: u32) -> bool {
    difference > u32::MAX / 2
}
