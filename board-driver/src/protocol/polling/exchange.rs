//! What boards without a clock and without numbered evidence have in common: they are asked what
//! stands on them, what they say between is told as changes, and the question is repeated so that
//! nothing lost stays lost.

use std::time::{Duration, Instant};

use arbiter_core::shakmaty::Square;
use arbiter_core::{Reading, Symbol};

use crate::event::{BoardInfo, Report};
use crate::fault::FaultReason;
use crate::protocol::{HostClock, Outbox, Squares, Start};

/// A question that was not answered is asked again after this long.
const ASK_AGAIN: Duration = Duration::from_millis(300);

/// Who has not answered for this long is not there.
const SILENCE: Duration = Duration::from_secs(3);

/// A board that answers is usually asked this often, in case something was lost.
pub(crate) const POLL: Duration = Duration::from_secs(2);

/// The host's end of a conversation of questions and news.
#[derive(Debug)]
pub(crate) struct Exchange {
    clock: HostClock,
    poll: Duration,
    squares: Squares,
    /// What the board is, once it has been told in this connection.
    told: Option<BoardInfo>,
    /// A question waits for its answer since then.
    waiting: Option<Instant>,
    asked: Instant,
    /// The board has answered a question in this connection.
    answers: bool,
    /// Bytes came that meant nothing, and nothing has been understood since.
    noise: bool,
}

impl Exchange {
    /// A conversation in which the question is repeated after `poll`.
    pub(crate) fn new(start: &Start, poll: Duration) -> Exchange {
        let (squares, clock) = (Squares::default(), HostClock::new(start));
        Exchange {
            clock,
            poll,
            squares,
            told: None,
            waiting: None,
            asked: start.now,
            answers: false,
            noise: false,
        }
    }

    /// A line was opened. The caller asks.
    pub(crate) fn open(&mut self, now: Instant) {
        self.squares.forget();
        (self.told, self.answers, self.noise) = (None, false, false);
        (self.waiting, self.asked) = (Some(now), now);
    }

    /// A board of which nothing but this is known; the clock is this program's.
    pub(crate) fn info(&self, serial: &str, sensor: arbiter_core::SensorClass) -> BoardInfo {
        let (pace, boot) = (self.clock.pace(), self.clock.boot());
        let serial = serial.to_owned();
        let (clock, polled, scan_ms, lamps, adjust) = (false, false, 0, false, false);
        BoardInfo {
            serial,
            sensor,
            clock,
            polled,
            scan_ms,
            lamps,
            adjust,
            levels: false,
            map: false,
            self_test: false,
            pace,
            boot,
        }
    }

    /// Something was understood, said by such a board.
    pub(crate) fn hello(&mut self, now: Instant, info: &BoardInfo, out: &mut Outbox) {
        self.noise = false;
        if self.told.as_ref() != Some(info) {
            self.told = Some(info.clone());
            self.squares.forget();
            self.clock.report(now, Report::Hello(info.clone()), out);
        }
    }

    /// Whether the board has said who it is in this connection, and what it said.
    pub(crate) fn told(&self) -> Option<&BoardInfo> {
        self.told.as_ref()
    }

    /// What every square reads: the answer to the question.
    pub(crate) fn state(&mut self, now: Instant, reading: Reading, out: &mut Outbox) {
        (self.waiting, self.answers, self.noise) = (None, true, false);
        let report = self.squares.told(reading).unwrap_or(Report::Alive);
        self.clock.report(now, report, out);
    }

    /// Squares changed in one scan. Whether that fits what is known; if not, something was lost,
    /// and the caller asks.
    pub(crate) fn changes(
        &mut self,
        now: Instant,
        changes: Vec<(Square, Symbol)>,
        out: &mut Outbox,
    ) -> bool {
        self.noise = false;
        let Some(known) = self.squares.known() else {
            // The answer that is awaited holds it. A board that never answers is believed as it
            // speaks.
            if self.is_mute(now) && !changes.is_empty() {
                self.clock.report(now, Report::Changes(changes), out);
            }
            return true;
        };
        let fits = changes
            .iter()
            .all(|(square, symbol)| known.at(*square) != *symbol);
        if let Some(report) = self.squares.changed(changes) {
            self.clock.report(now, report, out);
        }
        fits
    }

    /// Anything else that happened.
    pub(crate) fn report(&mut self, now: Instant, report: Report, out: &mut Outbox) {
        self.noise = false;
        self.clock.report(now, report, out);
    }

    /// Bytes came that mean nothing. Whether the caller should ask, because something may be lost.
    pub(crate) fn damaged(&mut self, out: &mut Outbox) -> bool {
        out.trouble.damaged += 1;
        self.noise = true;
        self.told.is_some()
    }

    /// The caller asks now.
    pub(crate) fn asked(&mut self, now: Instant) {
        self.asked = now;
        self.waiting.get_or_insert(now);
    }

    /// What is known may be wrong: it is asked for as soon as what is on its way has come.
    pub(crate) fn doubt(&mut self, now: Instant) {
        self.asked(now);
    }

    /// When something is to be done if nothing comes.
    pub(crate) fn next_wake(&self) -> Instant {
        self.asked
            + if self.waiting.is_some() {
                ASK_AGAIN
            } else {
                self.poll
            }
    }

    /// Whether to ask now. Sets the fault when the board must be taken for gone.
    pub(crate) fn wake(&mut self, now: Instant, out: &mut Outbox) -> bool {
        let silent = self.waiting.is_some_and(|since| now >= since + SILENCE);
        let expected = self.told.is_none() || self.answers;
        if silent && expected {
            out.fault = Some(match (self.noise, &self.told) {
                (true, _) => FaultReason::Garbage,
                (false, None) => FaultReason::NoAnswer,
                (false, Some(_)) => FaultReason::Silent,
            });
            return false;
        }
        now >= self.next_wake()
    }

    /// Questions have been asked and not one was answered.
    pub(crate) fn is_mute(&self, now: Instant) -> bool {
        !self.answers
            && self
                .waiting
                .is_some_and(|since| now >= since + 2 * ASK_AGAIN)
    }
}
