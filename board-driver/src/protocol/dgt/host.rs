//! The host's end of a line to one board.
//!
//! The board is asked for its version, for every change from then on, for its squares, its serial
//! number and its clock, and then listened to. A change is said once and without a checksum, so the
//! squares are read whole again after each move, after damage, and now and then. What was missed
//! while the board was away is looked for in its memory.

use std::time::{Duration, Instant};

use arbiter_core::shakmaty::Square;
use arbiter_core::{Reading, Symbol, Time};

use super::Framer;
use super::clock::{self, ClockMessage, Side, Times};
use super::clock_sides::ClockSides;
use super::flags::Flags;
use super::info::info;
use super::log::Token;
use super::message::{Ask, Message, reading};
use super::recall::{self, History};
use super::square::{Content, number};
use crate::event::Report;
use crate::fault::FaultReason;
use crate::protocol::{Command, HostClock, Outbox, Protocol, Squares, Start};

/// A board that has said nothing for this long is taken for dead.
const SILENCE: Duration = Duration::from_secs(3);

/// What was asked and not answered is asked again after this long. The longest answer takes 70 ms
/// at 9600 bits a second.
const ASK_AGAIN: Duration = Duration::from_millis(300);

/// Between two signs of life.
const KEEP_ALIVE: Duration = Duration::from_secs(1);

/// When nothing has moved for this long, the squares are read once to be sure.
const QUIET: Duration = Duration::from_millis(1_200);

/// And again after this long, whatever happens.
const CHECK: Duration = Duration::from_secs(20);

/// A board that says so little while it sends its memory has stopped.
const MEMORY: Duration = Duration::from_secs(10);

/// A clock does not gain so much: increments are seconds. What says so once was damaged.
const TOO_MUCH: u64 = 3_600_000;

/// The host's end of one board's line.
#[derive(Debug)]
pub struct Dgt {
    clock: HostClock,
    line: Framer,
    step: Step,
    watch: Watch,
    squares: Squares,
    /// What they read whole, when that was not what was known. Read so once more, it is believed.
    proposed: Option<Reading>,
    sides: ClockSides,
    serial: String,
    /// A serial number that was named once instead.
    other: Option<String>,
    /// What the clock said last, if one is connected.
    times: Option<Times>,
    flags: Flags,
    /// The clock said something grave; said again, it is believed.
    doubted: bool,
    heard: History,
    /// What was known when the connection before ended.
    before: Option<Before>,
    /// Something was damaged since the squares were last read whole.
    damaged: bool,
}

/// What the host waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Version,
    Board,
    Serial,
    Clock,
    Memory,
    Following,
}

#[derive(Debug)]
struct Watch {
    /// The last whole message.
    heard: Instant,
    /// Bytes have come since then.
    noise: bool,
    opened: Instant,
    asked: Instant,
    /// How often the present step's question was asked.
    tries: u32,
    /// When the squares were last read whole.
    whole: Instant,
    /// When one of them last changed after that.
    moved: Option<Instant>,
    /// The squares were asked for.
    checking: bool,
}

/// What was known of a board when it went away.
#[derive(Debug)]
struct Before {
    serial: String,
    reading: Reading,
    heard: History,
    at: Time,
}

impl Watch {
    fn new(now: Instant) -> Watch {
        Watch {
            heard: now,
            noise: false,
            opened: now,
            asked: now,
            tries: 0,
            whole: now,
            moved: None,
            checking: false,
        }
    }
}

impl Dgt {
    /// A host that has never heard of the board.
    pub fn new(start: &Start) -> Dgt {
        Dgt {
            clock: HostClock::new(start),
            line: super::single(),
            step: Step::Version,
            watch: Watch::new(start.now),
            squares: Squares::default(),
            proposed: None,
            sides: ClockSides::new(start.turned),
            serial: String::new(),
            other: None,
            times: None,
            flags: Flags::default(),
            doubted: false,
            heard: History::default(),
            before: None,
            damaged: false,
        }
    }

    fn ask(&mut self, now: Instant, out: &mut Outbox) {
        self.watch.asked = now;
        self.watch.tries += 1;
        let questions: &[Ask] = match self.step {
            // A board that has to leave bus mode does so at the first byte, and may not carry it
            // out.
            Step::Version => &[Ask::Version, Ask::Version],
            // Changes from now on, and then everything: nothing falls between.
            Step::Board => &[Ask::UpdatesNice, Ask::Board],
            Step::Serial => &[Ask::Serial],
            Step::Clock => &[Ask::Clock],
            Step::Memory if self.watch.tries > 1 => &[],
            Step::Memory => &[Ask::Log],
            Step::Following if self.watch.checking => &[Ask::Board],
            Step::Following => &[Ask::Serial],
        };
        out.send.extend(questions.iter().map(|ask| *ask as u8));
    }

    fn go_to(&mut self, step: Step, now: Instant, out: &mut Outbox) {
        self.step = step;
        self.watch.tries = 0;
        self.ask(now, out);
    }

    fn take(&mut self, now: Instant, message: Message, out: &mut Outbox) {
        (self.watch.heard, self.watch.noise) = (now, false);
        match (message, self.step) {
            (Message::Version { .. }, Step::Version) => self.go_to(Step::Board, now, out),
            (Message::Board(contents), _) => self.board(now, reading(&contents), out),
            (Message::Field { square, content }, _) => self.field(now, square, content, out),
            (Message::Serial(digits), step) => {
                self.serial(now, String::from_utf8_lossy(&digits).into_owned(), out);
                if step == Step::Serial {
                    self.go_to(Step::Clock, now, out);
                }
            }
            (Message::Clock(clock), step) => {
                self.clock(now, clock, out);
                if step == Step::Clock {
                    self.introduce(now, out);
                }
            }
            (Message::Log(log), Step::Memory) => self.follow(now, &log, out),
            _ => {}
        }
    }

    fn field(&mut self, now: Instant, square: Square, content: Content, out: &mut Outbox) {
        self.heard.note(Token::Field {
            square: number(square),
            content,
            fast: false,
        });
        let before = self
            .squares
            .known()
            .map_or(Symbol::Empty, |known| known.at(square));
        self.sides
            .changed(self.clock.at(now), before, content.symbol());
        self.watch.moved = Some(now);
        if let Some(proposed) = &mut self.proposed {
            proposed.set(square, content.symbol());
        }
        let changed = self.squares.changed([(square, content.symbol())]);
        if changed.is_none() {
            // It reads so already, as far as is known here: a change before this one may have been
            // lost.
            self.check(now, out);
        }
        self.report(now, changed, out);
    }

    /// Every square was told. No checksum guards it, so what is news has to be told twice.
    fn board(&mut self, now: Instant, reading: Reading, out: &mut Outbox) {
        if self.squares.known() != Some(&reading) && self.proposed.replace(reading) != Some(reading)
        {
            self.watch.checking = self.step == Step::Following;
            return self.ask(now, out);
        }
        (self.watch.checking, self.watch.whole, self.watch.moved) = (false, now, None);
        self.proposed = None;
        self.sides.read(&reading);
        let report = self.squares.told(reading);
        if matches!(self.step, Step::Version | Step::Board) {
            self.go_to(Step::Serial, now, out);
        }
        // What was lost on the way cannot be dated: this is how it stands, and not what just
        // happened.
        let damaged = std::mem::take(&mut self.damaged);
        let report = report.map(|report| {
            if damaged {
                Report::Snapshot(reading)
            } else {
                report
            }
        });
        self.report(now, report, out);
    }

    /// The board named itself. One that names itself otherwise twice is another board on the same
    /// port.
    fn serial(&mut self, now: Instant, serial: String, out: &mut Outbox) {
        if self.step != Step::Following || serial == self.serial {
            (self.serial, self.other) = (serial, None);
            self.report(now, Some(Report::Alive), out);
        } else if self.other.as_ref() == Some(&serial) {
            self.open(now, out);
        } else {
            self.other = Some(serial);
            self.ask(now, out);
        }
    }

    fn clock(&mut self, now: Instant, said: ClockMessage, out: &mut Outbox) {
        let was_there = self.times.is_some();
        match said {
            ClockMessage::Times(times) => self.times(now, times, out),
            ClockMessage::NoClock => self.times = None,
            ClockMessage::Ack(_) | ClockMessage::Void => return,
        }
        if self.step == Step::Following && was_there != self.times.is_some() {
            self.hello(now, out);
        }
    }

    fn times(&mut self, now: Instant, times: Times, out: &mut Outbox) {
        let falls = match self.step {
            Step::Following => self.flags.news(&times),
            _ => Vec::new(),
        };
        let before = self.times.unwrap_or(times);
        let gains = |side| times.face(side).ms() > before.face(side).ms() + TOO_MUCH;
        let moved = before.right_high != times.right_high;
        // No checksum guards it either: what accuses players or sets their clocks has to be said
        // twice.
        let is_grave =
            moved || !falls.is_empty() || [Side::Left, Side::Right].into_iter().any(gains);
        if is_grave && !std::mem::replace(&mut self.doubted, true) {
            return out.send.push(Ask::Clock as u8);
        }
        // A lever that is moved while the clock stands is being set.
        if moved && (before.running || times.running) {
            let side = times.pressed();
            self.heard.note(Token::Stopped {
                side,
                hms: times.face(side).hms,
            });
            let press = self.sides.press(self.clock.at(now), side, &times.ms());
            self.report(now, Some(press), out);
        }
        if before.running != times.running {
            self.report(now, Some(Report::ClockRuns(times.running)), out);
        }
        for side in falls {
            self.report(now, Some(self.sides.flag_fall(side)), out);
        }
        if self.step == Step::Following {
            self.flags.look(&times);
        } else {
            self.flags.look_first(&times);
        }
        self.doubted = false;
        self.sides.show(&times.ms());
        self.times = Some(times);
    }

    /// Everything is known that a hello needs. What happened while the board was away is looked for
    /// first.
    fn introduce(&mut self, now: Instant, out: &mut Outbox) {
        let known = self.squares.known();
        let has_moved =
            |before: &Before| before.serial == self.serial && Some(&before.reading) != known;
        if self.before.as_ref().is_some_and(has_moved) {
            self.go_to(Step::Memory, now, out);
        } else {
            self.follow(now, &[], out);
        }
    }

    /// From now on the board is listened to. `memory`: what it remembers, if it was asked.
    fn follow(&mut self, now: Instant, memory: &[u8], out: &mut Outbox) {
        self.step = Step::Following;
        self.hello(now, out);
        let Some(reading) = self.squares.known().copied() else {
            return;
        };
        if let Some(before) = self.before.take() {
            let missed = recall::missed(memory, &before.reading, &before.heard);
            for (at, token) in recall::dated(&missed, before.at, self.clock.at(now)) {
                self.recall(at, token, out);
            }
        }
        self.report(now, Some(Report::Snapshot(reading)), out);
        if self
            .times
            .is_some_and(|times| !self.flags.news(&times).is_empty())
        {
            // A flag that fell meanwhile is told when it is said again.
            out.send.push(Ask::Clock as u8);
        }
    }

    /// Tells what the memory says of `at`.
    fn recall(&mut self, at: Time, token: Token, out: &mut Outbox) {
        let report = match token {
            Token::Field { .. } => recall::change(&token).map(|change| {
                self.sides.changed(at, Symbol::Empty, change.1);
                recall::changed(change)
            }),
            Token::Stopped { side, hms } => {
                Some(self.sides.press(at, side, &[(side, clock::ms(hms))]))
            }
            Token::Mark(_) => None,
        };
        let Some(report) = report else { return };
        self.heard.note(token);
        self.clock.recall(at, report, out);
    }

    fn hello(&self, now: Instant, out: &mut Outbox) {
        let info = info(self.serial.clone(), self.times.is_some(), &self.clock);
        self.clock.report(now, Report::Hello(info), out);
    }

    /// Passes a report on, once the board has been introduced.
    fn report(&self, now: Instant, report: Option<Report>, out: &mut Outbox) {
        if let Some(report) = report.filter(|_| self.step == Step::Following) {
            self.clock.report(now, report, out);
        }
    }

    fn damage(&mut self, now: Instant, out: &mut Outbox) {
        out.trouble.damaged += 1;
        self.damaged = true;
        self.check(now, out);
    }

    /// The squares have to be read whole.
    fn check(&mut self, now: Instant, out: &mut Outbox) {
        if self.step == Step::Following && !self.watch.checking {
            self.watch.checking = true;
            out.trouble.repeats += 1;
            self.ask(now, out);
        }
    }

    fn patience(&self) -> Duration {
        if self.step == Step::Memory {
            MEMORY
        } else {
            SILENCE
        }
    }

    /// When the next question is due.
    fn due(&self) -> Instant {
        let Watch {
            asked, checking, ..
        } = self.watch;
        match self.step {
            Step::Memory => asked + MEMORY,
            Step::Following if checking => asked + ASK_AGAIN,
            Step::Following => self.check_due().min(asked + KEEP_ALIVE),
            _ => asked + ASK_AGAIN,
        }
    }

    /// When the squares are to be read again: once a move has been made, and now and then.
    fn check_due(&self) -> Instant {
        let Watch { whole, moved, .. } = self.watch;
        moved.map_or(whole + CHECK, |moved| (moved + QUIET).min(whole + CHECK))
    }

    fn fault(&self, now: Instant) -> Option<FaultReason> {
        let Watch {
            heard,
            noise,
            opened,
            ..
        } = self.watch;
        let is_new = matches!(self.step, Step::Version | Step::Board | Step::Serial);
        if now < heard + self.patience() && !(is_new && now >= opened + SILENCE) {
            return None;
        }
        Some(match (noise, is_new) {
            (true, _) => FaultReason::Garbage,
            (false, true) => FaultReason::NoAnswer,
            (false, false) => FaultReason::Silent,
        })
    }
}

impl Protocol for Dgt {
    fn open(&mut self, now: Instant, out: &mut Outbox) {
        if let (Step::Following, Some(reading)) = (self.step, self.squares.known()) {
            let at = self.clock.at(self.watch.heard);
            self.before = Some(Before {
                serial: self.serial.clone(),
                reading: *reading,
                heard: self.heard.clone(),
                at,
            });
        }
        self.line.reset();
        self.watch = Watch::new(now);
        self.squares.forget();
        self.proposed = None;
        (self.times, self.doubted, self.damaged) = (None, false, false);
        self.go_to(Step::Version, now, out);
    }

    fn receive(&mut self, now: Instant, bytes: &[u8], out: &mut Outbox) {
        self.watch.noise |= !bytes.is_empty();
        // Byte by byte: what is made of a message may begin the conversation anew, and the bytes
        // after it belong to that.
        for byte in bytes {
            let mut messages = Vec::new();
            self.line.receive(&[*byte], |frame| {
                messages.push(frame.ok().and_then(Message::read))
            });
            for message in messages {
                match message {
                    Some(message) => self.take(now, message, out),
                    None => self.damage(now, out),
                }
            }
        }
        if self.step == Step::Memory && self.line.pending() > 0 {
            // The memory takes eight seconds to come.
            self.watch.heard = now;
        }
    }

    fn next_wake(&self) -> Option<Instant> {
        Some(self.due().min(self.watch.heard + self.patience()))
    }

    fn wake(&mut self, now: Instant, out: &mut Outbox) {
        if self.step == Step::Memory && now >= self.watch.asked + MEMORY && self.line.pending() == 0
        {
            // Not every board sends its memory; what stands on it counts.
            return self.follow(now, &[], out);
        }
        if let Some(fault) = self.fault(now) {
            out.fault = Some(fault);
            return;
        }
        if now < self.due() {
            return;
        }
        match self.step {
            // Boards that do not say their version, or have no clock to speak of, are boards all
            // the same.
            Step::Version if self.watch.tries >= 2 => self.go_to(Step::Board, now, out),
            Step::Clock if self.watch.tries >= 2 => self.introduce(now, out),
            Step::Following => {
                self.watch.checking |= now >= self.check_due();
                self.ask(now, out);
            }
            _ => self.ask(now, out),
        }
    }

    fn command(&mut self, now: Instant, command: Command, out: &mut Outbox) {
        match command {
            // Only boards with lamps of their own kind have any, and this is none of those.
            Command::SetLamps(_) => {}
            Command::RequestSnapshot if self.step == Step::Following => {
                // Told as a snapshot even if it is no news.
                self.squares.forget();
                self.watch.checking = true;
                self.ask(now, out);
            }
            Command::RequestSnapshot
            | Command::RequestLevels
            | Command::Bench(_)
            | Command::Calibrate
            | Command::Acknowledge(_) => {}
        }
    }
}
