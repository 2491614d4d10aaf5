//! One board of a bus, as its host knows it.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use arbiter_core::{Reading, Symbol, Time};

use super::bus::{Answer, BusAsk};
use super::clock::{self, ClockMessage, Times};
use super::clock_sides::ClockSides;
use super::flags::Flags;
use super::info::info;
use super::log::{Mark as Entry, Token, tokens};
use super::message::reading;
use super::recall::{self, History};
use crate::event::{BoardInfo, Report};
use crate::fault::FaultReason;
use crate::orientation::starting_position;
use crate::protocol::{HostClock, Outbox, Squares, Start};

/// Between two polls of a board, where the line has time for it: nothing changes faster than a
/// scan.
const POLL: Duration = Duration::from_millis(150);

/// Between two whole readings, and two looks at the clock. Everything else comes with a checksum
/// and in its order.
const CHECK: Duration = Duration::from_secs(60);

/// A clock that may run out before that is looked at when it may have, but not sooner than this.
const LOOK: Duration = Duration::from_secs(2);

/// In so many parts of that time boards take their turn.
const SPREAD: u16 = 61;

/// Between two questions to a board that does not answer.
const ABSENT: Duration = Duration::from_secs(2);

/// Questions without an answer, and time without one, after which a board is taken for lost.
const MISSES: u32 = 5;
const SILENCE: Duration = Duration::from_secs(3);

/// Whole readings that no changes explain, before the memory is read from the start.
const DISAGREES: u32 = 2;

/// One board of a bus.
#[derive(Debug)]
pub(super) struct Station {
    pub(super) address: u16,
    pub(super) out: Outbox,
    clock: HostClock,
    /// Introduced in this connection.
    is_up: bool,
    /// What it did before this connection is wanted: it was followed before.
    is_known: bool,
    want: VecDeque<BusAsk>,
    /// What it did not answer in time: the answer may still come.
    owed: Option<BusAsk>,
    /// What it has to answer before it is asked anything else. A line keeps its order: an answer
    /// to this proves that nothing older is to come.
    probe: Option<BusAsk>,
    /// What it was asked last to prove that.
    probed: BusAsk,
    squares: Squares,
    sides: ClockSides,
    has_clock: bool,
    /// What the clock showed last, and when it is to be looked at next.
    times: Option<Times>,
    look: Instant,
    flags: Flags,
    heard: History,
    /// What its memory held when it was asked before its first reading.
    backlog: Vec<u8>,
    /// The last changes that were taken, to know them again.
    last_changes: Vec<u8>,
    /// The last poll was not answered: what is repeated may be older.
    unsure: bool,
    /// Up to when its changes are known.
    told: Time,
    disagrees: u32,
    /// A whole reading that is not what is known: the changes before it may still be to come.
    unexplained: Option<Reading>,
    polled: Instant,
    checked: Instant,
    answered: Instant,
    misses: u32,
    faulty: bool,
}

impl Station {
    pub(super) fn new(address: u16, start: &Start) -> Station {
        Station {
            address,
            out: Outbox::default(),
            clock: HostClock::new(start),
            is_up: false,
            is_known: start.resume.is_some(),
            want: VecDeque::new(),
            owed: None,
            probe: None,
            probed: BusAsk::Clock,
            squares: Squares::default(),
            sides: ClockSides::new(start.turned),
            has_clock: false,
            times: None,
            look: start.now,
            flags: Flags::default(),
            heard: History::default(),
            backlog: Vec::new(),
            last_changes: Vec::new(),
            unsure: false,
            told: Time::ZERO,
            disagrees: 0,
            unexplained: None,
            polled: start.now,
            checked: start.now,
            answered: start.now,
            misses: 0,
            faulty: false,
        }
    }

    /// The line was opened, or the board was lost: it is asked from the beginning.
    pub(super) fn begin(&mut self, now: Instant) {
        self.is_up = false;
        if self.probe.is_none() {
            // What it was sending when it was last listened to may have been lost.
            let was_heard = self.told > Time::ZERO;
            self.doubt(was_heard.then_some(BusAsk::Changes));
        }
        self.want = [BusAsk::Changes, BusAsk::Board, BusAsk::Clock].into();
        (self.disagrees, self.unexplained, self.misses) = (0, None, 0);
        (self.answered, self.polled) = (now, now);
    }

    /// When it is to be asked next.
    pub(super) fn due(&self) -> Instant {
        let wait = if self.faulty {
            ABSENT
        } else if self.want.is_empty() && self.probe.is_none() {
            POLL
        } else {
            Duration::ZERO
        };
        self.polled + wait
    }

    /// Whether it did not answer lately.
    pub(super) fn is_faulty(&self) -> bool {
        self.faulty
    }

    /// The next question to it.
    pub(super) fn ask(&mut self, now: Instant) -> BusAsk {
        self.polled = now;
        if let Some(probe) = self.probe {
            return probe;
        }
        if self.want.is_empty() && now >= self.checked + CHECK {
            self.checked = now;
            self.want = [BusAsk::Board, BusAsk::Clock].into();
        } else if self.want.is_empty() && self.has_clock && now >= self.look {
            self.want.push_back(BusAsk::Clock);
        }
        self.want.front().copied().unwrap_or(BusAsk::Changes)
    }

    /// It is to tell what every square reads.
    pub(super) fn request_snapshot(&mut self) {
        self.squares.forget();
        if self.is_up && !self.want.contains(&BusAsk::Board) {
            self.want.push_back(BusAsk::Board);
        }
    }

    /// It did not answer, or what came was damaged.
    pub(super) fn missed(&mut self, now: Instant, asked: BusAsk, damaged: bool) {
        self.misses += 1;
        self.out.trouble.damaged += u32::from(damaged);
        self.out.trouble.repeats += u32::from(is_poll(asked));
        if self.probe.is_none() {
            self.doubt(Some(asked));
        }
        if self.misses >= MISSES && now >= self.answered + SILENCE && !self.faulty {
            self.faulty = true;
            self.out.fault = Some(match (damaged, self.is_up) {
                (true, _) => FaultReason::Garbage,
                (false, true) => FaultReason::Silent,
                (false, false) => FaultReason::NoAnswer,
            });
            self.begin(now);
        }
    }

    /// It answered what it was asked.
    pub(super) fn take(&mut self, now: Instant, asked: BusAsk, answer: Answer) {
        (self.answered, self.misses, self.faulty) = (now, 0, false);
        if self.probe == Some(asked) {
            return self.is_in_step();
        }
        if self.want.front() == Some(&asked) {
            self.want.pop_front();
        }
        match answer {
            Answer::Changes(log) => self.changes(now, asked, log),
            Answer::Board(contents) => self.board(now, reading(&contents)),
            Answer::Clock(said) => self.clock_said(now, said),
            Answer::FromStart(log) => self.whole_game(now, &log),
            Answer::Ping | Answer::Started | Answer::Version(_) | Answer::Unknown(_) => {}
        }
    }

    /// An answer that nobody waits for any more: the line paused.
    pub(super) fn take_late(&mut self, now: Instant, answer: Answer) {
        (self.answered, self.misses) = (now, 0);
        let Answer::Changes(log) = answer else { return };
        match self.owed.take_if(|owed| is_poll(*owed)) {
            Some(owed) => {
                self.want.retain(|ask| *ask != owed);
                self.changes(now, owed, log);
            }
            // An earlier run of the program asked for it.
            None if !self.is_up && self.probe.is_some() => self.backlog.extend(log),
            None => {}
        }
    }

    /// From now on its answers may be those to earlier questions.
    fn doubt(&mut self, owed: Option<BusAsk>) {
        // Never the same twice: a late answer to the last one is not to be taken for this one's.
        self.probed = match self.probed {
            BusAsk::Ping => BusAsk::Clock,
            _ => BusAsk::Ping,
        };
        (self.owed, self.probe) = (owed, Some(self.probed));
    }

    /// Everything it sent before has come, or never will.
    fn is_in_step(&mut self) {
        self.probe = None;
        if self.owed.take().is_some_and(is_poll) {
            // What it sent is taken as heard: it has to be repeated. Not even that is known,
            // whether it was asked: what is repeated may be older.
            self.unsure = true;
            self.want.retain(|ask| !is_poll(*ask));
            self.want.push_front(BusAsk::RepeatChanges);
        }
    }

    fn changes(&mut self, now: Instant, asked: BusAsk, log: Vec<u8>) {
        let may_be_old = std::mem::take(&mut self.unsure) && asked == BusAsk::RepeatChanges;
        if may_be_old {
            // The poll may never have arrived: what it asked for is still to come.
            self.want.push_front(BusAsk::Changes);
            if log == self.last_changes {
                // Known already, or the very same was done again: the squares tell.
                let is_done = log.is_empty() || self.want.contains(&BusAsk::Board);
                return if !is_done {
                    self.want.push_back(BusAsk::Board)
                };
            }
        }
        self.last_changes.clone_from(&log);
        if !self.is_up {
            self.backlog.extend(log);
            return;
        }
        self.tell(now, &log);
        self.report(now, Report::Alive);
        if self.unexplained.take().is_some() {
            self.want.push_back(BusAsk::Board);
        }
    }

    /// Tells what the memory holds, with times between what was told before and now.
    fn tell(&mut self, now: Instant, log: &[u8]) {
        let log: Vec<Token> = tokens(log).flatten().collect();
        let lost_power =
            |token: &Token| matches!(token, Token::Mark(Entry::PowerUp | Entry::Watchdog));
        let broken = log.iter().position(lost_power);
        self.relate(now, &log[..broken.unwrap_or(log.len())]);
        if broken.is_some() {
            // What it found then is no doing of hands: how everything stands is asked anew.
            self.request_snapshot();
        } else if log.contains(&Token::Mark(Entry::Array))
            && !log.contains(&Token::Mark(Entry::Start))
        {
            // A new game: the memory needs to be read from here at most.
            self.want.push_back(BusAsk::StartGame);
        }
    }

    fn relate(&mut self, now: Instant, log: &[Token]) {
        let until = self.clock.at(now);
        for (at, token) in recall::dated(log, self.told, until) {
            let report = match token {
                Token::Field { .. } => self.change(at, &token),
                Token::Stopped { side, hms } => {
                    Some(self.sides.press(at, side, &[(side, clock::ms(hms))]))
                }
                Token::Mark(_) => None,
            };
            let Some(report) = report else { continue };
            self.heard.note(token);
            self.clock.recall(at, report, &mut self.out);
        }
        self.told = until;
    }

    fn change(&mut self, at: Time, token: &Token) -> Option<Report> {
        let (square, seen) = recall::change(token)?;
        let before = self
            .squares
            .known()
            .map_or(Symbol::Empty, |known| known.at(square));
        self.sides.changed(at, before, seen);
        if self.squares.known().is_none() {
            // Followed by an earlier run of the program, which knew what stood there.
            return Some(recall::changed((square, seen)));
        }
        let report = self.squares.changed([(square, seen)]);
        if self.unexplained.as_ref() == self.squares.known() {
            (self.unexplained, self.disagrees) = (None, 0);
        }
        report
    }

    /// Every square was told.
    fn board(&mut self, now: Instant, reading: Reading) {
        if !self.is_up {
            return self.first_board(now, reading);
        }
        self.sides.read(&reading);
        let is_news = self.squares.known() != Some(&reading);
        if is_news && self.squares.known().is_some() && self.disagrees < DISAGREES {
            // Changes that it made before, after it was last asked for them, may lead there.
            self.disagrees += 1;
            self.unexplained = Some(reading);
            self.want.push_back(BusAsk::Changes);
            return;
        }
        if is_news && self.squares.known().is_some() {
            self.want.push_front(BusAsk::FromStart);
            return;
        }
        self.disagrees = 0;
        if let Some(snapshot) = self.squares.told(reading) {
            self.report(now, snapshot);
        }
    }

    /// The first reading of a connection comes after the backlog, which leads to it.
    fn first_board(&mut self, now: Instant, reading: Reading) {
        self.sides.read(&reading);
        let log = std::mem::take(&mut self.backlog);
        if self.is_known {
            self.report(now, Report::Hello(self.info()));
            self.is_up = true;
            self.tell(now, &log);
        }
        self.squares.forget();
        let _snapshot_follows = self.squares.told(reading);
        self.told = self.clock.at(now);
        if self.is_up {
            self.report(now, Report::Snapshot(reading));
        } else if reading == starting_position() {
            self.want.push_back(BusAsk::StartGame);
        }
    }

    fn clock_said(&mut self, now: Instant, said: Option<ClockMessage>) {
        let had = self.has_clock;
        match said {
            Some(ClockMessage::Times(times)) => {
                self.has_clock = true;
                self.sides.show(&times.ms());
                self.look = now + next_look(&times);
            }
            Some(ClockMessage::NoClock) => self.has_clock = false,
            Some(ClockMessage::Ack(_) | ClockMessage::Void) | None => {}
        }
        if !self.is_known {
            // Boards that were introduced together are not read whole together.
            self.checked =
                now + CHECK.mul_f64(f64::from(self.address % SPREAD) / f64::from(SPREAD));
        }
        if !self.is_up {
            self.is_up = true;
            self.report(now, Report::Hello(self.info()));
            if let Some(reading) = self.squares.known() {
                self.report(now, Report::Snapshot(*reading));
            }
        } else if had != self.has_clock {
            self.report(now, Report::Hello(self.info()));
        }
        self.is_known = true;
        if let Some(ClockMessage::Times(times)) = said {
            self.times_said(now, times);
        }
    }

    /// What the clock shows besides the times.
    fn times_said(&mut self, now: Instant, times: Times) {
        let before = self.times.replace(times);
        if before.is_some_and(|before| before.running != times.running) {
            self.report(now, Report::ClockRuns(times.running));
        }
        for side in self.flags.news(&times) {
            self.report(now, self.sides.flag_fall(side));
        }
        self.flags.look(&times);
    }

    /// Its memory from the last start on: what is missing there is told, then how everything
    /// stands.
    fn whole_game(&mut self, now: Instant, log: &[u8]) {
        if let Some(known) = self.squares.known().copied() {
            let missed = recall::missed(log, &known, &self.heard);
            self.relate(now, &missed);
        }
        self.disagrees = 0;
        self.request_snapshot();
    }

    fn info(&self) -> BoardInfo {
        info(format!("{:05}", self.address), self.has_clock, &self.clock)
    }

    fn report(&mut self, now: Instant, report: Report) {
        self.told = self.clock.at(now);
        self.clock.report(now, report, &mut self.out);
    }
}

fn is_poll(ask: BusAsk) -> bool {
    matches!(ask, BusAsk::Changes | BusAsk::RepeatChanges)
}

/// How long a clock need not be looked at.
fn next_look(times: &Times) -> Duration {
    let may_fall = times.running.then(|| times.ms().map(|(_, ms)| ms));
    let least = may_fall.and_then(|ms| ms.into_iter().min());
    least.map_or(CHECK, |ms| {
        Duration::from_millis(ms + 1_000).clamp(LOOK, CHECK)
    })
}

#[cfg(test)]
mod tests {
    use arbiter_core::shakmaty::{Role, Square};

    use super::super::message::squares;
    use super::super::square::{Content, number};
    use super::*;

    /// A station whose board was introduced with the starting position.
    fn introduced(now: Instant) -> Station {
        let mut station = Station::new(1_025, &Start::new(now));
        station.begin(now);
        let array = Box::new(squares(&starting_position()));
        station.take(now, BusAsk::Changes, Answer::Changes(Vec::new()));
        station.take(now, BusAsk::Board, Answer::Board(array));
        station.take(
            now,
            BusAsk::Clock,
            Answer::Clock(Some(ClockMessage::NoClock)),
        );
        station.want.clear();
        station
    }

    fn changes(changes: &[(Square, Symbol)]) -> Answer {
        let mut log = Vec::new();
        for (square, seen) in changes {
            let field = Token::Field {
                square: number(*square),
                content: Content::of(*seen),
                fast: false,
            };
            field.write(&mut log);
        }
        Answer::Changes(log)
    }

    #[test]
    fn a_reading_in_the_middle_of_changes_is_explained_by_them() {
        let now = Instant::now();
        let pawn = Symbol::Piece(Role::Pawn.of(arbiter_core::shakmaty::Color::White));
        let mut seen = starting_position();
        seen.set(Square::E2, Symbol::Empty);
        let board = Box::new(squares(&seen));
        let log = [(Square::E2, Symbol::Empty), (Square::E4, pawn)];
        let read = |log: &[(Square, Symbol)]| {
            let mut station = introduced(now);
            station.take(now, BusAsk::Board, Answer::Board(board.clone()));
            assert_eq!(station.want, [BusAsk::Changes]);
            station.take(now, BusAsk::Changes, changes(log));
            station.want.into_iter().collect::<Vec<_>>()
        };
        assert_eq!(read(&log), [], "it was read between the two");
        assert_eq!(read(&log[1..]), [BusAsk::Board], "something was lost");
    }
}
