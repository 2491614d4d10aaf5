//! The host's end of the native protocol (`docs/wire.md`).
//!
//! Evidence is numbered. What comes too early is held back, what is missing is asked for again, and
//! only what the board itself no longer keeps is given up, with a `Lost` report and a snapshot
//! after it. Nothing is believed of a line before its board has answered a question that was asked
//! on it.

mod past;
mod question;
mod run;

use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, Instant};

use arbiter_core::Time;
use board_wire as wire;
use board_wire::frame::Damage;
use board_wire::{Accumulator, Condition, Evidence, FromBoard, Heartbeat, Hello, Step, ToBoard};

use self::past::Past;
use self::question::Question;
use self::run::{Run, is_behind};
use super::{BenchOrder, Command, Delivery, Outbox, Protocol, Start};
use crate::event::{BoardEvent, LineTrouble, Report};
use crate::fault::FaultReason;
use crate::map;

/// A board sends a sign of life every second; three missed ones are a fault.
pub const SILENCE: Duration = Duration::from_secs(3);

/// After so long without a sign of life the board is asked who it is: one that was started anew
/// waits for that.
pub const QUIET: Duration = Duration::from_millis(1_500);

/// What was asked for and did not come is asked for again after this long.
pub const ASK_AGAIN: Duration = Duration::from_millis(150);

/// And after this, when other evidence has come meanwhile: the request or its answer was lost on
/// the way.
pub const ASK_SOON: Duration = Duration::from_millis(30);

/// What a speaking board has not repeated for this long is given up.
pub const GIVE_UP: Duration = Duration::from_secs(10);

/// How much evidence is held back at most; the rest is asked for again.
const HELD: usize = 1024;

/// The host's end of one native board's line.
#[derive(Debug)]
pub struct Native {
    line: Accumulator<FromBoard>,
    watch: Watch,
    run: Option<Run>,
    /// Of the board that was on this line before another one was: it may come back.
    away: Option<Run>,
    question: Question,
    /// The board has not said who it is, in this connection or since it was started anew.
    hello_missing: bool,
    lamps: Option<u64>,
}

/// When things were last heard and asked.
#[derive(Debug)]
struct Watch {
    /// The last frame that was whole.
    heard: Instant,
    /// Bytes have come since then.
    noise: bool,
    /// The last evidence that came in its place, or the opening of the line.
    progress: Instant,
    asked: Instant,
}

impl Watch {
    /// A line was opened.
    fn begin(now: Instant) -> Watch {
        Watch {
            heard: now,
            noise: false,
            progress: now,
            asked: now,
        }
    }

    fn is_quiet(&self, now: Instant) -> bool {
        now >= self.heard + QUIET
    }
}

impl Native {
    /// A host that has never heard of the board, or has taken all its evidence before
    /// [`Start::resume`]. `seed` is the number that its questions are counted from: see
    /// [`Native::seed`].
    pub fn new(start: &Start, seed: u32) -> Native {
        let run = start.resume.map(|mark| {
            let mut run = Run::new(mark.boot, mark.next);
            run.keep(mark);
            run.serial =
                wire::Serial::new(start.serial.as_bytes()).filter(|_| !start.serial.is_empty());
            run.stood = start.stood;
            run
        });
        Native {
            line: Accumulator::default(),
            watch: Watch::begin(start.now),
            run,
            away: None,
            question: Question::new(seed),
            hello_missing: true,
            lamps: None,
        }
    }

    /// A number of chance for a host's first question: a line may still hold answers to a host
    /// that was there before.
    pub fn seed() -> u32 {
        RandomState::new().hash_one(()) as u32
    }

    fn take(&mut self, now: Instant, message: FromBoard, out: &mut Outbox) {
        self.watch.heard = now;
        self.watch.noise = false;
        match message {
            FromBoard::Hello(hello) => self.hello(now, &hello, out),
            FromBoard::OtherVersion(theirs) => {
                out.fault = Some(FaultReason::WrongVersion {
                    theirs,
                    ours: wire::VERSION,
                });
            }
            FromBoard::Evidence(Evidence { boot, .. })
            | FromBoard::Heartbeat(Heartbeat { boot, .. })
            | FromBoard::Condition(Condition { boot, .. })
            | FromBoard::Levels { boot, .. }
            | FromBoard::Firmware { boot, .. }
            | FromBoard::Clock { boot, .. }
            | FromBoard::Loader { boot, .. }
            | FromBoard::Map { boot, .. }
            | FromBoard::Tested { boot, .. }
            | FromBoard::Gone { boot, .. }
                if self.hello_missing || self.run.as_ref().is_none_or(|run| run.boot != boot) =>
            {
                self.stranger(now, out);
            }
            FromBoard::Evidence(evidence) => self.evidence(now, evidence, out),
            FromBoard::Heartbeat(beat) => self.heartbeat(now, &beat, out),
            FromBoard::Gone { oldest, .. } => self.give_up(now, oldest, out),
            FromBoard::Condition(Condition { ms, health, .. }) => {
                self.told(|run| run.health(ms, health, out))
            }
            FromBoard::Levels { ms, levels, .. } => self.told(|run| run.levels(ms, levels, out)),
            FromBoard::Firmware { firmware, .. } => {
                let name = firmware.as_str().to_owned();
                self.told(|run| run.say(Report::Firmware(name), out));
            }
            FromBoard::Clock { ms, face, .. } => self.told(|run| run.clock(ms, face.bits, out)),
            FromBoard::Map { rank, .. } => self.told(|run| run.say(Report::Map(rank), out)),
            FromBoard::Tested { tested, .. } => {
                self.told(|run| run.say(Report::Tested(tested), out));
            }
            // Nobody at play asks for it.
            FromBoard::Loader { .. } => {}
        }
    }

    /// Something that is no evidence and needs no place among it.
    fn told(&mut self, tell: impl FnOnce(&mut Run)) {
        if let Some(run) = &mut self.run {
            tell(run);
        }
    }

    /// A frame of a run we know nothing of: nothing can be made of it before the hello has come.
    fn stranger(&mut self, now: Instant, out: &mut Outbox) {
        if !self.hello_missing {
            self.hello_missing = true;
            self.question.renew();
            self.watch.progress = now;
            self.ask(now, out);
        }
    }

    fn hello(&mut self, now: Instant, hello: &Hello, out: &mut Outbox) {
        if !self.hello_missing && self.run.as_ref().is_some_and(|run| run.boot == hello.boot) {
            return;
        }
        if !self.question.is_answered_by(hello) {
            self.stranger(now, out);
            // What lies in the line has come when it is asked again.
            self.watch.asked = now;
            return;
        }
        self.hello_missing = false;
        self.watch.progress = now;
        self.turn_to(&hello.serial, out);
        // A board that counts less than it has sent was started anew, even if its boot number
        // repeats.
        let continues =
            |run: &Run| run.boot == hello.boot && !is_behind(hello.next.wrapping_sub(run.expected));
        let same_run = self.run.as_ref().is_some_and(continues);
        if !same_run {
            self.lose_run(out);
        }
        let before = self.run.take();
        let mut run = match before.as_ref().and_then(Run::last_known) {
            _ if same_run => before.unwrap_or_else(|| Run::new(hello.boot, hello.next)),
            // A board we have followed is heard from the start of its new run.
            Some(stood) => Run::anew(hello.boot, Past::new(hello, stood)),
            // A new one from now on.
            None => Run::new(hello.boot, hello.next),
        };
        run.serial = Some(hello.serial);
        run.end = hello.next;
        run.snapshot_from = Some(hello.next);
        run.health = None;
        run.has_lamps = hello.capabilities.has(wire::Capabilities::LAMPS);
        run.latest = run.latest.max(u64::from(hello.ms));
        // What an earlier run's clock showed is of no use any more.
        out.heard = None;
        let at = run.time(hello.ms, out);
        out.reports.push(Delivery {
            event: BoardEvent {
                at,
                report: Report::Hello(map::info(hello)),
            },
            mark: run.begins_here(),
        });
        self.run = Some(run);
        self.ask(now, out);
        self.light(out);
        // A board that does not know the question passes over it.
        say(ToBoard::RequestFirmware, out);
    }

    /// Goes on with what is known of the board of this serial number, which is perhaps nothing.
    fn turn_to(&mut self, serial: &wire::Serial, out: &mut Outbox) {
        let is_another = |run: &mut Run| run.serial.is_some_and(|known| known != *serial);
        if let Some(mut run) = self.run.take_if(is_another) {
            run.flush(Time(run.latest), out);
            let before = self.away.replace(run);
            self.run = before.filter(|run| run.serial.as_ref() == Some(serial));
        }
    }

    /// The board was started anew: what it had not repeated before cannot come any more.
    fn lose_run(&mut self, out: &mut Outbox) {
        let Some(run) = &mut self.run else { return };
        let count = run.end.wrapping_sub(run.expected);
        run.flush(Time(run.latest), out);
        if count > 0 && !is_behind(count) {
            let event = BoardEvent {
                at: Time(run.latest),
                report: Report::Lost { count },
            };
            out.reports.push(Delivery { event, mark: None });
        }
    }

    fn evidence(&mut self, now: Instant, evidence: Evidence, out: &mut Outbox) {
        let Some(run) = &mut self.run else { return };
        run.time(evidence.ms, out);
        let (seq, ahead) = (evidence.seq, evidence.seq.wrapping_sub(run.expected));
        if is_behind(ahead) {
            return;
        }
        if ahead == 0 || run.held.len() < HELD {
            run.held.insert(seq, evidence);
        }
        if run.deliver_held(out) {
            self.watch.progress = now;
            self.watch.asked = now;
        }
        self.missing_up_to(now, seq.wrapping_add(1), out);
    }

    fn heartbeat(&mut self, now: Instant, beat: &Heartbeat, out: &mut Outbox) {
        let Some(run) = &mut self.run else { return };
        let at = run.time(beat.ms, out);
        if beat.next == run.expected && run.snapshot_from.is_none() {
            // Said only when nothing is missing: it means that everything up to this moment has
            // been told.
            out.reports.push(Delivery {
                event: BoardEvent {
                    at,
                    report: Report::Alive,
                },
                mark: Some(run.mark()),
            });
        }
        // A board counts from its start, or longer than we know it: what its first heartbeat says
        // is not news.
        let before = run.beat.replace(*beat).unwrap_or(*beat);
        out.trouble.add(LineTrouble {
            damaged_at_board: beat.damaged.wrapping_sub(before.damaged),
            dropped: beat.dropped.wrapping_sub(before.dropped),
            late_scans: beat.late_scans.wrapping_sub(before.late_scans),
            ..LineTrouble::default()
        });
        let wrong_lamps = run.has_lamps && self.lamps.is_some_and(|lamps| lamps != beat.lamps);
        run.acknowledge(out);
        self.missing_up_to(now, beat.next, out);
        if wrong_lamps {
            self.light(out);
        }
    }

    /// All evidence before `end` exists. Asks for what is missing, unless that was asked a moment
    /// ago.
    fn missing_up_to(&mut self, now: Instant, end: u32, out: &mut Outbox) {
        let Some(run) = &mut self.run else { return };
        let was_whole = !run.has_gap();
        if !is_behind(end.wrapping_sub(run.end)) {
            run.end = end;
        }
        if was_whole && run.has_gap() {
            self.watch.progress = now;
        } else if now < self.watch.asked + ASK_SOON {
            return;
        }
        if run.has_gap() {
            self.watch.asked = now;
            out.trouble.repeats += 1;
            say(ToBoard::Resend { from: run.expected }, out);
        }
    }

    /// Evidence before `oldest` will never come.
    fn give_up(&mut self, now: Instant, oldest: u32, out: &mut Outbox) {
        let Some(run) = &mut self.run else { return };
        let count = oldest.wrapping_sub(run.expected);
        if count == 0 || is_behind(count) {
            return;
        }
        run.flush(Time(run.latest), out);
        run.skip_to(oldest, out);
        run.held
            .retain(|seq, _| !is_behind(seq.wrapping_sub(oldest)));
        run.snapshot_from.get_or_insert(oldest);
        run.deliver_held(out);
        self.watch.progress = now;
    }

    fn ask(&mut self, now: Instant, out: &mut Outbox) {
        self.watch.asked = now;
        if self.watch.is_quiet(now) {
            self.question.ask(out);
            return;
        }
        match &self.run {
            Some(run) if !self.hello_missing => {
                if run.has_gap() {
                    out.trouble.repeats += 1;
                    say(ToBoard::Resend { from: run.expected }, out);
                }
                if run.snapshot_from.is_some() {
                    say(ToBoard::RequestSnapshot, out);
                }
            }
            _ => self.question.ask(out),
        }
    }

    fn light(&self, out: &mut Outbox) {
        if let (
            Some(lamps),
            Some(Run {
                has_lamps: true, ..
            }),
        ) = (self.lamps, &self.run)
        {
            say(ToBoard::SetLamps(lamps), out);
        }
    }

    fn waits(&self) -> bool {
        self.hello_missing
            || self
                .run
                .as_ref()
                .is_some_and(|run| run.has_gap() || run.snapshot_from.is_some())
    }
}

impl Protocol for Native {
    fn open(&mut self, now: Instant, out: &mut Outbox) {
        self.line.reset();
        self.watch = Watch::begin(now);
        self.hello_missing = true;
        self.question.renew();
        // Ends whatever half frame the board may have in its buffer.
        out.send.push(0);
        self.ask(now, out);
    }

    fn receive(&mut self, now: Instant, mut bytes: &[u8], out: &mut Outbox) {
        self.watch.noise |= !bytes.is_empty();
        while out.fault.is_none() {
            match self.line.feed(bytes) {
                Step::Partial => return,
                Step::Message(message, rest) => {
                    bytes = rest;
                    self.take(now, message, out);
                }
                // A later version's message is whole, and means nothing here.
                Step::Damaged(Damage::UnknownKind(_), rest) => bytes = rest,
                Step::Damaged(_, rest) => {
                    bytes = rest;
                    out.trouble.damaged += 1;
                }
            }
        }
    }

    fn overhear(&mut self, mut bytes: &[u8]) {
        let mut line = Accumulator::default();
        while let Step::Message(order, rest) = line.feed(bytes) {
            bytes = rest;
            if let ToBoard::RequestHello { nonce } = order {
                self.question.overhear(nonce);
            }
        }
    }

    fn next_wake(&self) -> Option<Instant> {
        let Watch { heard, asked, .. } = self.watch;
        let again = asked + ASK_AGAIN;
        let ask = if self.waits() {
            again
        } else {
            again.max(heard + QUIET)
        };
        Some(ask.min(heard + SILENCE))
    }

    fn wake(&mut self, now: Instant, out: &mut Outbox) {
        let Watch {
            heard,
            noise,
            progress,
            asked,
        } = self.watch;
        let no_hello = self.hello_missing && now >= progress + SILENCE;
        if now >= heard + SILENCE || no_hello {
            out.fault = Some(match (noise, self.hello_missing) {
                (true, _) => FaultReason::Garbage,
                (false, true) => FaultReason::NoAnswer,
                (false, false) => FaultReason::Silent,
            });
            return;
        }
        if !self.waits() && !self.watch.is_quiet(now) {
            return;
        }
        let given_up = self
            .run
            .as_ref()
            .filter(|run| !self.hello_missing && run.has_gap());
        if let Some(run) = given_up.filter(|_| now >= progress + GIVE_UP) {
            self.give_up(now, run.first_held_or_end(), out);
        }
        if now >= asked + ASK_AGAIN {
            self.ask(now, out);
        }
    }

    fn command(&mut self, now: Instant, command: Command, out: &mut Outbox) {
        match command {
            Command::SetLamps(squares) => {
                self.lamps = Some(squares);
                self.light(out);
            }
            Command::RequestSnapshot => {
                if let Some(run) = &mut self.run {
                    run.snapshot_from = Some(run.end);
                }
                self.ask(now, out);
            }
            Command::RequestLevels => say(ToBoard::RequestLevels, out),
            Command::Calibrate => say(ToBoard::Calibrate, out),
            Command::Bench(BenchOrder::RequestMap) => say(ToBoard::RequestMap, out),
            Command::Bench(BenchOrder::SetMap(map)) => {
                (0..8).for_each(|rank| say(ToBoard::SetMap(map.rank(rank)), out));
            }
            Command::Bench(BenchOrder::SelfTest) => say(ToBoard::SelfTest, out),
            Command::Acknowledge(mark) => {
                self.told(|run| {
                    run.keep(mark);
                    run.acknowledge(out);
                });
            }
        }
    }
}

fn say(message: ToBoard, out: &mut Outbox) {
    out.send
        .extend_from_slice(wire::encode(&message).as_bytes());
}
