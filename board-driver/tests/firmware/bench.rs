//! Both ends of a line, and sensors that do as they are told.

use std::convert::Infallible;
use std::fmt;
use std::time::{Duration, Instant};

use arbiter_core::shakmaty::Color;
use arbiter_core::{Reading as Picture, Symbol};
use board_driver::protocol::{Native, Outbox, Protocol, Start};
use board_driver::sim::{LineNoise, NoisyLine};
use board_driver::{Report, TroubleCode};
use board_wire::device::Identity;
use board_wire::{Capabilities, Ring, Sensor, Serial, Trouble};
use firmware::board::{Board, Settings};
use firmware::scan::{Reading, Scan, ScanError};

/// Longer than a bounce and the depth of debouncing together, in milliseconds.
pub(crate) const SETTLED: u32 = 12;

pub(crate) const LIGHT: Symbol = Symbol::Colour(Color::White);
pub(crate) const DARK: Symbol = Symbol::Colour(Color::Black);

/// Sensors that tell colours and do as they are told.
#[derive(Default)]
pub(crate) struct Sensors {
    pub(crate) reading: Reading,
    pub(crate) broken: bool,
}

#[derive(Debug)]
pub(crate) struct Broken;

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("broken")
    }
}

impl std::error::Error for Broken {}

impl ScanError for Broken {
    fn trouble(&self) -> Trouble {
        Trouble::new(board_wire::TroubleCode::BUS, 0)
    }
}

impl Scan for Sensors {
    type Error = Broken;
    const SENSOR: Sensor = Sensor::Colour;

    fn scan(&mut self) -> Result<Reading, Broken> {
        if self.broken {
            Err(Broken)
        } else {
            Ok(self.reading)
        }
    }
}

/// Both ends, and a line that harms what it carries and says things twice.
pub(crate) struct Bench {
    pub(crate) start: Instant,
    pub(crate) ms: u32,
    pub(crate) sensors: Sensors,
    /// The raw lines of lever and buttons.
    pub(crate) controls: u64,
    pub(crate) board: Board<Ring<4096>>,
    pub(crate) host: Native,
    pub(crate) up: NoisyLine,
    pub(crate) down: NoisyLine,
    /// Every so many frames one is said twice; never if 0.
    pub(crate) twice: u32,
    pub(crate) frames: u32,
    pub(crate) told: Vec<Report>,
}

impl Bench {
    pub(crate) fn new(noise: LineNoise, twice: u32) -> Bench {
        let identity = Identity {
            boot: 3,
            serial: Serial::new(b"T-3").expect("printable"),
            sensor: Sensor::Colour,
            capabilities: Capabilities::CLOCK.with(Capabilities::ADJUST, true),
            pace: 1000,
            firmware: "",
        };
        let start = Instant::now();
        let other = LineNoise {
            seed: !noise.seed,
            ..noise
        };
        let mut bench = Bench {
            start,
            ms: 0,
            sensors: Sensors::default(),
            controls: 0,
            board: Board::new(identity, 0, Settings::default(), None),
            host: Native::new(&Start::new(start), 0),
            up: NoisyLine::new(noise),
            down: NoisyLine::new(other),
            twice,
            frames: 0,
            told: Vec::new(),
        };
        bench.connect();
        bench
    }

    pub(crate) fn now(&self) -> Instant {
        self.start + Duration::from_millis(self.ms.into())
    }

    pub(crate) fn connect(&mut self) {
        let mut out = Outbox::default();
        self.host.open(self.now(), &mut out);
        self.take(out);
    }

    /// One millisecond: a scan, and whatever the two have to say.
    pub(crate) fn step(&mut self) {
        self.ms += 1;
        self.board.scan(self.ms, &mut self.sensors, self.controls);
        self.carry();
        if self.host.next_wake().is_some_and(|at| at <= self.now()) {
            let mut out = Outbox::default();
            self.host.wake(self.now(), &mut out);
            self.take(out);
        }
    }

    pub(crate) fn steps(&mut self, count: u32) {
        (0..count).for_each(|_| self.step());
    }

    pub(crate) fn carry(&mut self) {
        let mut sent = Vec::new();
        let all: Result<(), Infallible> = self.board.transmit(self.ms, |bytes| {
            sent.extend_from_slice(bytes);
            Ok(bytes.len())
        });
        all.expect("a line that takes everything");
        for frame in sent.split_inclusive(|byte| *byte == 0) {
            let mut bytes = Vec::new();
            self.frames += 1;
            let times = if self.twice > 0 && self.frames.is_multiple_of(self.twice) {
                2
            } else {
                1
            };
            (0..times).for_each(|_| self.up.carry(frame, &mut bytes));
            let mut out = Outbox::default();
            self.host.receive(self.now(), &bytes, &mut out);
            self.take(out);
        }
    }

    pub(crate) fn take(&mut self, out: Outbox) {
        self.told.extend(
            out.reports
                .into_iter()
                .map(|delivery| delivery.event.report),
        );
        for frame in out.send.split_inclusive(|byte| *byte == 0) {
            let mut bytes = Vec::new();
            self.down.carry(frame, &mut bytes);
            self.board
                .receive(self.ms, &bytes, &mut self.sensors, |_, _| {});
        }
        if out.fault.is_some() {
            self.connect();
        }
    }

    /// The line is clean from now on, and there is time to ask for what is missing.
    pub(crate) fn catch_up(&mut self) {
        self.up.change(LineNoise::default());
        self.down.change(LineNoise::default());
        self.steps(4_000);
    }

    /// What hands did, as the host was told.
    pub(crate) fn played(&self) -> Vec<Report> {
        let by_hand = |report: &&Report| {
            matches!(
                report,
                Report::Changes(_) | Report::Press { .. } | Report::Adjust { .. }
            )
        };
        self.told.iter().filter(by_hand).cloned().collect()
    }

    /// What the host believes stands on the board; every snapshot agrees with what was told before
    /// it.
    pub(crate) fn picture(&self) -> Picture {
        let mut known: Option<Picture> = None;
        for report in &self.told {
            match report {
                Report::Snapshot(picture) => assert_eq!(known.get_or_insert(*picture), picture),
                Report::Changes(changes) => {
                    let known = known.as_mut().expect("a snapshot comes first");
                    changes
                        .iter()
                        .for_each(|(square, symbol)| known.set(*square, *symbol));
                }
                _ => {}
            }
        }
        known.expect("a snapshot")
    }

    /// The condition as it was told last: squares that are not to be trusted, and the trouble.
    pub(crate) fn condition(&self) -> (u64, u64, TroubleCode) {
        let condition = self.told.iter().rev().find_map(|report| match report {
            Report::Condition(condition) => Some(*condition),
            _ => None,
        });
        let condition = condition.unwrap_or_default();
        (
            condition.stuck.0,
            condition.unsteady.0,
            condition.trouble.code,
        )
    }
}
