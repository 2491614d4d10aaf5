//! Who is on a bus.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use super::bus::{Answer, BusAsk, EVERYBODY};
use super::info::info;
use super::{Framer, on_bus};
use crate::event::Report;
use crate::fault::FaultReason;
use crate::protocol::{Command, HostClock, Outbox, Protocol, Start};

/// Every board answers a ping of everybody within 1.1 s.
const ROUND: Duration = Duration::from_millis(1_200);

/// How long a board that was found may take to promise silence.
const HUSH: Duration = Duration::from_millis(100);

/// Rounds in which nobody answers before there is nobody. One may be lost on boards that have to
/// leave single mode.
const SILENT: u32 = 2;

/// Asks who is on the line: all boards are pinged, those that answered are told to keep silent the
/// next time, and so on until nobody answers. Says so in one hello, whose serial number is all of
/// theirs.
#[derive(Debug)]
pub struct Discovery {
    clock: HostClock,
    line: Framer,
    found: BTreeSet<u16>,
    /// Found boards that have not promised silence in this round.
    loud: Vec<u16>,
    step: Step,
    until: Instant,
    /// Something came in this round: an answer, or several at once.
    heard: bool,
    silent: u32,
    noise: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Hush,
    Ping,
    Done,
}

impl Discovery {
    /// Nobody is known yet.
    pub fn new(start: &Start) -> Discovery {
        Discovery {
            clock: HostClock::new(start),
            line: on_bus(),
            found: BTreeSet::new(),
            loud: Vec::new(),
            step: Step::Done,
            until: start.now,
            heard: false,
            silent: 0,
            noise: false,
        }
    }

    /// The addresses found so far.
    pub fn found(&self) -> impl Iterator<Item = u16> + '_ {
        self.found.iter().copied()
    }

    /// Whether it is known who is there.
    pub fn is_done(&self) -> bool {
        self.step == Step::Done
    }

    fn go_on(&mut self, now: Instant, out: &mut Outbox) {
        if let Some(address) = self.loud.pop() {
            (self.step, self.until) = (Step::Hush, now + HUSH);
            out.send.extend(BusAsk::IgnoreNextPing.to(address));
        } else {
            (self.step, self.until, self.heard) = (Step::Ping, now + ROUND, false);
            out.send.extend(BusAsk::Ping.to(EVERYBODY));
        }
    }

    fn end_round(&mut self, now: Instant, out: &mut Outbox) {
        self.silent = if self.heard { 0 } else { self.silent + 1 };
        if self.silent == 0 || (self.found.is_empty() && self.silent < SILENT) {
            self.loud = self.found.iter().copied().collect();
            return self.go_on(now, out);
        }
        self.step = Step::Done;
        if self.found.is_empty() {
            out.fault = Some(if self.noise {
                FaultReason::Garbage
            } else {
                FaultReason::NoAnswer
            });
            return;
        }
        let serial = self
            .found
            .iter()
            .map(|address| format!("{address:05}"))
            .collect::<Vec<_>>()
            .join(" ");
        let info = info(serial, false, &self.clock);
        self.clock.report(now, Report::Hello(info), out);
    }
}

impl Protocol for Discovery {
    fn open(&mut self, now: Instant, out: &mut Outbox) {
        self.line.reset();
        self.found.clear();
        self.loud.clear();
        (self.silent, self.noise) = (0, false);
        self.go_on(now, out);
    }

    fn receive(&mut self, now: Instant, bytes: &[u8], out: &mut Outbox) {
        let mut answers = Vec::new();
        self.line.receive(bytes, |frame| {
            answers.push(frame.ok().and_then(Answer::read))
        });
        self.noise |= !bytes.is_empty();
        let mut hushed = false;
        for answer in answers {
            // Two that spoke at once are heard as damage: they are asked again.
            self.heard |= self.step == Step::Ping;
            if let Some((address, Answer::Ping)) = answer {
                self.found.insert(address);
                hushed |= self.step == Step::Hush;
            }
        }
        if hushed {
            self.go_on(now, out);
        }
    }

    fn next_wake(&self) -> Option<Instant> {
        (self.step != Step::Done).then_some(self.until)
    }

    fn wake(&mut self, now: Instant, out: &mut Outbox) {
        match self.step {
            Step::Hush if now >= self.until => self.go_on(now, out),
            Step::Ping if now >= self.until => self.end_round(now, out),
            _ => {}
        }
    }

    fn command(&mut self, _now: Instant, _command: Command, _out: &mut Outbox) {}
}
