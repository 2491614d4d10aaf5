//! Two ends of a language that sends whole states, and the line between them, in virtual time.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use arbiter_core::shakmaty::{Board, Position};
use arbiter_core::{Reading, SensorClass};
use board_driver::hand::{Options, Style, games, perform};
use board_driver::noise::{Model, Sensors};
use board_driver::sim::{BoardSim, LineNoise, NoisyLine, SimConfig};
use board_driver::{BoardEvent, BoardKind, FaultReason, Learning, Outbox, Protocol, Report, Start};

/// Half-moves that are played.
const PLIES: usize = 12;

/// Two ends and the line between them.
pub(crate) struct Table {
    pub(crate) now: Instant,
    pub(crate) board: BoardSim<std::vec::IntoIter<BoardEvent>>,
    pub(crate) host: Box<dyn Protocol>,
    pub(crate) down: NoisyLine,
    pub(crate) up: NoisyLine,
    /// The line carries nothing.
    pub(crate) is_cut: bool,
    /// What the host wrote.
    pub(crate) written: Vec<u8>,
    pub(crate) heard: Vec<BoardEvent>,
    pub(crate) learned: Vec<Learning>,
    pub(crate) faults: Vec<FaultReason>,
}

pub(crate) fn class(kind: BoardKind) -> SensorClass {
    kind.profile()
        .sensor
        .expect("these kinds have sensors of one class")
}

pub(crate) fn config(kind: BoardKind) -> SimConfig {
    SimConfig {
        kind,
        clock: false,
        linger: Duration::from_secs(5),
        ..SimConfig::new("unused", "T", class(kind))
    }
}

/// The first half-moves of a game, by hands in no hurry; and every position of it.
pub(crate) fn script(kind: BoardKind, game: usize) -> (Vec<BoardEvent>, Vec<Board>) {
    let game = &games::all()[game];
    let moves = &game.moves[..PLIES.min(game.moves.len())];
    let options = Options {
        clock: false,
        ..Options::default()
    };
    let played = perform(&game.start, moves, Style::Tidy, 1, &[], &options);
    let mut position = game.start.clone();
    let mut boards = vec![position.board().clone()];
    for step in moves {
        position.play_unchecked(*step);
        boards.push(position.board().clone());
    }
    (
        Sensors::with(class(kind), Model::states(0), 1).read(game.start.board(), &played.acts),
        boards,
    )
}

impl Table {
    pub(crate) fn new(
        config: &SimConfig,
        host: BoardKind,
        script: Vec<BoardEvent>,
        noise: LineNoise,
        memory: Option<String>,
    ) -> Table {
        let now = Instant::now();
        let board = BoardSim::new(config, 1, now, script.into_iter()).expect("a possible board");
        let host = (host.profile().host)(&Start {
            memory,
            ..Start::new(now)
        });
        let other = LineNoise {
            seed: !noise.seed,
            ..noise
        };
        let (up, down) = (NoisyLine::new(noise), NoisyLine::new(other));
        let (written, heard, learned, faults) = Default::default();
        let mut table = Table {
            now,
            board,
            host,
            down,
            up,
            is_cut: false,
            written,
            heard,
            learned,
            faults,
        };
        table.connect();
        table
    }

    /// A game on a good line.
    pub(crate) fn at(kind: BoardKind, script: Vec<BoardEvent>) -> Table {
        Table::new(&config(kind), kind, script, LineNoise::default(), None)
    }

    pub(crate) fn connect(&mut self) {
        let mut out = Outbox::default();
        self.host.open(self.now, &mut out);
        self.take(out);
    }

    /// Runs for so long, or until the board's end.
    pub(crate) fn run(&mut self, time: Duration) {
        let end = self.now + time;
        while self.now < end && !self.board.is_finished(self.now) {
            self.carry();
            let host = self
                .host
                .next_wake()
                .expect("these hosts always wait for something");
            let board = self.board.next_wake();
            self.now = self.now.max(host.min(board)) + Duration::from_millis(1);
            if board <= self.now {
                self.board.wake(self.now);
            }
            if host <= self.now {
                let mut out = Outbox::default();
                self.host.wake(self.now, &mut out);
                self.take(out);
            }
        }
    }

    fn carry(&mut self) {
        while let Some(frame) = self.board.next_frame(self.now) {
            let mut bytes = Vec::new();
            self.up.carry(&frame, &mut bytes);
            if !self.is_cut {
                self.give(&bytes);
            }
        }
    }

    pub(crate) fn give(&mut self, bytes: &[u8]) {
        let mut out = Outbox::default();
        self.host.receive(self.now, bytes, &mut out);
        self.take(out);
    }

    pub(crate) fn take(&mut self, out: Outbox) {
        self.learned.extend(out.learning);
        self.heard
            .extend(out.reports.into_iter().map(|delivery| delivery.event));
        if !out.send.is_empty() {
            let mut bytes = Vec::new();
            self.down.carry(&out.send, &mut bytes);
            self.written.extend(&out.send);
            self.board.receive(self.now, &bytes);
        }
        if let Some(fault) = out.fault {
            self.faults.push(fault);
            self.connect();
        }
    }

    /// How often the host wrote this text, whatever the parity.
    pub(crate) fn writes(&self, text: &str) -> usize {
        let seven: Vec<u8> = self.written.iter().map(|byte| byte & 0x7f).collect();
        let is_there = |part: &&[u8]| *part == text.as_bytes();
        seven.windows(text.len()).filter(is_there).count()
    }

    /// Every reading the host was told, one after another.
    pub(crate) fn readings(&self) -> Vec<Reading> {
        let mut now = Reading::EMPTY;
        let mut readings = Vec::new();
        for event in &self.heard {
            match &event.report {
                Report::Snapshot(reading) => now = *reading,
                Report::Changes(changes) => changes
                    .iter()
                    .for_each(|(square, symbol)| now.set(*square, *symbol)),
                _ => continue,
            }
            readings.push(now);
        }
        readings
    }

    /// The first of `boards` that was not told after those before it.
    pub(crate) fn missing(&self, class: SensorClass, boards: &[Board]) -> Option<Reading> {
        let mut readings: VecDeque<Reading> = self.readings().into();
        boards
            .iter()
            .map(|board| class.reads(board))
            .find(|expected| {
                while readings.front().is_some_and(|reading| reading != expected) {
                    readings.pop_front();
                }
                readings.is_empty()
            })
    }

    pub(crate) fn snapshots(&self) -> usize {
        self.heard
            .iter()
            .filter(|event| matches!(event.report, Report::Snapshot(_)))
            .count()
    }
}
