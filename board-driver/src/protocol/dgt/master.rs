//! The host's end of a bus: asks its boards one after the other, and never two at once.

use std::time::{Duration, Instant};

use super::bus::{Answer, BusAsk, COMMAND};
use super::station::Station;
use super::{Framer, on_bus};
use crate::protocol::{Command, Outbox, Start};

/// How long a board may take to begin its answer: 80 ms, and what an adapter adds to it.
const PATIENCE: Duration = Duration::from_millis(110);

/// How long an answer may pause.
const PAUSE: Duration = Duration::from_millis(60);

/// Between two questions to boards that did not answer lately: they would cost the others their
/// time.
const BETWEEN_ABSENT: Duration = Duration::from_millis(500);

/// The host's end of a line with many boards. Like a [`crate::Protocol`], with an outbox for each
/// board.
#[derive(Debug)]
pub struct BusMaster {
    line: Framer,
    stations: Vec<Station>,
    /// The board that is asked, what, and until when it may answer.
    asked: Option<Asked>,
    /// The board that was asked last.
    last: usize,
    /// When a board that did not answer lately was asked last.
    absent: Option<Instant>,
}

#[derive(Clone, Copy, Debug)]
struct Asked {
    station: usize,
    ask: BusAsk,
    until: Instant,
    damaged: bool,
}

impl BusMaster {
    /// A host of the boards with these addresses.
    pub fn new(boards: impl IntoIterator<Item = (u16, Start)>) -> BusMaster {
        let stations = boards
            .into_iter()
            .map(|(address, start)| Station::new(address, &start))
            .collect();
        BusMaster {
            line: on_bus(),
            stations,
            asked: None,
            last: 0,
            absent: None,
        }
    }

    /// The line was opened.
    pub fn open(&mut self, now: Instant, send: &mut Vec<u8>) {
        self.line.reset();
        (self.asked, self.absent) = (None, None);
        self.stations
            .iter_mut()
            .for_each(|station| station.begin(now));
        self.ask_next(now, send);
    }

    /// Bytes came.
    pub fn receive(&mut self, now: Instant, bytes: &[u8], send: &mut Vec<u8>) {
        let mut answers = Vec::new();
        self.line.receive(bytes, |frame| {
            answers.push(frame.ok().and_then(Answer::read))
        });
        for answer in answers {
            self.take(now, answer);
        }
        match &mut self.asked {
            None => self.ask_next(now, send),
            Some(asked) if self.line.pending() > 0 => asked.until = asked.until.max(now + PAUSE),
            Some(asked) if asked.damaged => self.give_up(now, send),
            Some(_) => {}
        }
    }

    fn take(&mut self, now: Instant, answer: Option<(u16, Answer)>) {
        let Some((address, answer)) = answer else {
            if let Some(asked) = &mut self.asked {
                asked.damaged = true;
            }
            return;
        };
        let is_its = |station: &Station| station.address == address;
        let Some(from) = self.stations.iter().position(is_its) else {
            return;
        };
        let is_due = |asked: &mut Asked| asked.station == from && asked.ask.is_answered_by(&answer);
        match self.asked.take_if(is_due) {
            Some(asked) => self.stations[from].take(now, asked.ask, answer),
            None => self.stations[from].take_late(now, answer),
        }
    }

    /// When [`BusMaster::wake`] is to be called.
    pub fn next_wake(&self) -> Option<Instant> {
        match self.asked {
            Some(asked) => Some(asked.until),
            None => self.next().map(|(_, due)| due),
        }
    }

    /// A moment named by [`BusMaster::next_wake`] has come.
    pub fn wake(&mut self, now: Instant, send: &mut Vec<u8>) {
        match self.asked {
            Some(asked) if now >= asked.until => self.give_up(now, send),
            Some(_) => {}
            None => self.ask_next(now, send),
        }
    }

    /// The program wants something of a board.
    pub fn command(&mut self, station: usize, command: Command) {
        match command {
            Command::SetLamps(_) => {}
            Command::RequestSnapshot => self.stations[station].request_snapshot(),
            Command::RequestLevels
            | Command::Calibrate
            | Command::Bench(_)
            | Command::Acknowledge(_) => {}
        }
    }

    /// What came of it for each board, in the order in which they were named.
    pub fn outboxes(&mut self) -> impl Iterator<Item = &mut Outbox> {
        self.stations.iter_mut().map(|station| &mut station.out)
    }

    /// The board does not answer.
    fn give_up(&mut self, now: Instant, send: &mut Vec<u8>) {
        if let Some(Asked {
            station,
            ask,
            damaged,
            ..
        }) = self.asked.take()
        {
            self.stations[station].missed(now, ask, damaged || self.line.pending() > 0);
        }
        self.line.reset();
        self.ask_next(now, send);
    }

    /// Asks the board whose turn it is, if it is time.
    fn ask_next(&mut self, now: Instant, send: &mut Vec<u8>) {
        let Some((station, due)) = self.next() else {
            return;
        };
        if due > now {
            return;
        }
        self.last = station;
        if self.stations[station].is_faulty() {
            self.absent = Some(now);
        }
        let ask = self.stations[station].ask(now);
        let command: [u8; COMMAND] = ask.to(self.stations[station].address);
        send.extend(command);
        self.asked = Some(Asked {
            station,
            ask,
            until: now + PATIENCE,
            damaged: false,
        });
    }

    /// The board that is due first, and when; of several, the one next in turn.
    fn next(&self) -> Option<(usize, Instant)> {
        let count = self.stations.len();
        let in_turn = (1..=count).map(|n| (self.last + n) % count);
        in_turn
            .map(|n| (n, self.due(&self.stations[n])))
            .min_by_key(|(_, due)| *due)
    }

    fn due(&self, station: &Station) -> Instant {
        let gap = self
            .absent
            .filter(|_| station.is_faulty())
            .map(|absent| absent + BETWEEN_ABSENT);
        gap.map_or(station.due(), |gap| gap.max(station.due()))
    }
}
