//! The firmware's board and the host's end of the line, in virtual time: bouncing, chattering and
//! failing sensors at one end, loss, damage and repetition in between. What hands did arrives, each
//! thing once and in order, and nothing else does.

#![cfg(feature = "simulators")]

use std::convert::Infallible;
use std::fmt;
use std::time::{Duration, Instant};

use arbiter_core::shakmaty::{Color, Square};
use arbiter_core::{Reading as Picture, Symbol};
use board_driver::protocol::{Native, Outbox, Protocol};
use board_driver::sim::{LineNoise, NoisyLine};
use board_driver::{Report, TroubleCode};
use board_wire::device::Identity;
use board_wire::{Capabilities, Sensor, Serial, Trouble};
use firmware::board::{Board, Settings};
use firmware::scan::{Reading, Scan, ScanError};
use proptest::prelude::*;

/// Longer than a bounce and the depth of debouncing together, in milliseconds.
const SETTLED: u32 = 12;

const LIGHT: Symbol = Symbol::Colour(Color::White);
const DARK: Symbol = Symbol::Colour(Color::Black);

/// Sensors that tell colours and do as they are told.
#[derive(Default)]
struct Sensors {
    reading: Reading,
    broken: bool,
}

#[derive(Debug)]
struct Broken;

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
struct Bench {
    start: Instant,
    ms: u32,
    sensors: Sensors,
    /// The raw lines of lever and buttons.
    controls: u64,
    board: Board<4096>,
    host: Native,
    up: NoisyLine,
    down: NoisyLine,
    /// Every so many frames one is said twice; never if 0.
    twice: u32,
    frames: u32,
    told: Vec<Report>,
}

impl Bench {
    fn new(noise: LineNoise, twice: u32) -> Bench {
        let identity = Identity {
            boot: 3,
            serial: Serial::new(b"T-3").expect("printable"),
            sensor: Sensor::Colour,
            capabilities: Capabilities::CLOCK.with(Capabilities::ADJUST, true),
            pace: 1000,
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
            host: Native::new(start, None),
            up: NoisyLine::new(noise),
            down: NoisyLine::new(other),
            twice,
            frames: 0,
            told: Vec::new(),
        };
        bench.connect();
        bench
    }

    fn now(&self) -> Instant {
        self.start + Duration::from_millis(self.ms.into())
    }

    fn connect(&mut self) {
        let mut out = Outbox::default();
        self.host.open(self.now(), &mut out);
        self.take(out);
    }

    /// One millisecond: a scan, and whatever the two have to say.
    fn step(&mut self) {
        self.ms += 1;
        self.board.scan(self.ms, &mut self.sensors, self.controls);
        self.carry();
        if self.host.next_wake().is_some_and(|at| at <= self.now()) {
            let mut out = Outbox::default();
            self.host.wake(self.now(), &mut out);
            self.take(out);
        }
    }

    fn steps(&mut self, count: u32) {
        (0..count).for_each(|_| self.step());
    }

    fn carry(&mut self) {
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

    fn take(&mut self, out: Outbox) {
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
    fn catch_up(&mut self) {
        self.up.change(LineNoise::default());
        self.down.change(LineNoise::default());
        self.steps(4_000);
    }

    /// What hands did, as the host was told.
    fn played(&self) -> Vec<Report> {
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
    fn picture(&self) -> Picture {
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
    fn condition(&self) -> (u64, u64, TroubleCode) {
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

/// What hands and hardware do, one thing after another.
#[derive(Clone, Debug)]
enum Deed {
    /// A square becomes something else; for three scans it reads what the bits say, old (0) or new
    /// (1) or, with the other bits, another colour on the way.
    Touch {
        square: u8,
        symbol: Symbol,
        bounce: u8,
    },
    /// The clock is pressed by the side whose lever end is up.
    Press,
    Adjust(Color),
    /// A square flickers for a while, faster than anything settles.
    Chatter {
        square: u8,
        scans: u32,
    },
    /// Squares cannot be read for a while.
    Stuck {
        squares: u64,
        scans: u32,
    },
    /// No scan works for a while.
    Outage {
        scans: u32,
    },
    Pause {
        ms: u32,
    },
}

fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let symbol = prop_oneof![2 => Just(Symbol::Empty), 1 => Just(LIGHT), 1 => Just(DARK)];
    let colour = prop_oneof![Just(Color::White), Just(Color::Black)];
    let touch = (0..64u8, symbol, any::<u8>());
    let touch = touch.prop_map(|(square, symbol, bounce)| Deed::Touch {
        square,
        symbol,
        bounce,
    });
    let deed = prop_oneof![
        8 => touch,
        3 => Just(Deed::Press),
        1 => colour.prop_map(Deed::Adjust),
        1 => (0..64u8, 1..300u32).prop_map(|(square, scans)| Deed::Chatter { square, scans }),
        1 => (any::<u64>(), 1..300u32).prop_map(|(squares, scans)| Deed::Stuck { squares, scans }),
        1 => (1..300u32).prop_map(|scans| Deed::Outage { scans }),
        3 => (0..1500u32).prop_map(|ms| Deed::Pause { ms }),
    ];
    prop::collection::vec(deed, 1..50)
}

/// Does what is told on the bench, and remembers what has to arrive.
struct Hands {
    bench: Bench,
    truth: [Symbol; 64],
    expected: Vec<Report>,
    /// Whose end of the lever is down.
    down: Option<Color>,
}

impl Hands {
    fn new(bench: Bench) -> Hands {
        Hands {
            bench,
            truth: [Symbol::Empty; 64],
            expected: Vec::new(),
            down: None,
        }
    }

    /// The sensors read this on one square, and elsewhere the truth.
    fn show(&mut self, square: u8, symbol: Symbol) {
        let bit = 1 << square;
        let Reading { occupied, dark, .. } = &mut self.bench.sensors.reading;
        (*occupied, *dark) = (*occupied & !bit, *dark & !bit);
        match symbol {
            Symbol::Empty => {}
            DARK => (*occupied, *dark) = (*occupied | bit, *dark | bit),
            _ => *occupied |= bit,
        }
    }

    fn act(&mut self, deed: &Deed) {
        match *deed {
            Deed::Touch {
                square,
                symbol,
                bounce,
            } => self.touch(square, symbol, bounce),
            Deed::Press => {
                let by = self.down.map_or(Color::White, |down| !down);
                self.down = Some(by);
                self.bench.controls = if by == Color::White { 1 } else { 2 };
                self.expected.push(Report::Press {
                    by,
                    white_ms: None,
                    black_ms: None,
                });
            }
            Deed::Adjust(by) => {
                let lever = self.bench.controls;
                self.bench.controls |= if by == Color::White { 4 } else { 8 };
                self.bench.steps(SETTLED);
                self.bench.controls = lever;
                self.expected.push(Report::Adjust { by });
            }
            Deed::Chatter { square, scans } => {
                let truth = self.truth[usize::from(square)];
                let other = if truth == Symbol::Empty {
                    LIGHT
                } else {
                    Symbol::Empty
                };
                for scan in 0..scans {
                    self.show(square, if scan % 3 == 0 { truth } else { other });
                    self.bench.step();
                }
                self.show(square, truth);
            }
            Deed::Stuck { squares, scans } => {
                let before = self.bench.sensors.reading;
                let nonsense = Reading {
                    occupied: !before.occupied,
                    stuck: squares,
                    ..before
                };
                self.bench.sensors.reading = Reading {
                    occupied: (nonsense.occupied & squares) | (before.occupied & !squares),
                    ..nonsense
                };
                self.bench.steps(scans);
                self.bench.sensors.reading = before;
            }
            Deed::Outage { scans } => {
                self.bench.sensors.broken = true;
                self.bench.steps(scans);
                self.bench.sensors.broken = false;
            }
            Deed::Pause { ms } => self.bench.steps(ms),
        }
        self.bench.steps(SETTLED);
    }

    fn touch(&mut self, square: u8, symbol: Symbol, bounce: u8) {
        self.wait_for(square);
        let before = std::mem::replace(&mut self.truth[usize::from(square)], symbol);
        for scan in 0..3 {
            let shown = match bounce >> (2 * scan) & 3 {
                0 => before,
                1 => symbol,
                2 => LIGHT,
                _ => DARK,
            };
            self.show(square, shown);
            self.bench.step();
        }
        self.show(square, symbol);
        if symbol != before {
            self.expected
                .push(Report::Changes(vec![(Square::new(square.into()), symbol)]));
        }
        self.bench.steps(SETTLED);
        self.wait_for(square);
    }

    /// A square that has just chattered is not believed before it has been quiet for up to two
    /// windows.
    fn wait_for(&mut self, square: u8) {
        while self.bench.board.health().unsteady >> square & 1 == 1 {
            self.bench.step();
        }
        self.bench.steps(SETTLED);
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 200,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn what_hands_did_arrives_once_and_nothing_else_does(
        deeds in deeds(),
        seed: u64,
        chance in 0.0..0.12f64,
        twice in 0..4u32,
    ) {
        let mut hands = Hands::new(Bench::new(LineNoise::all(seed, chance), twice));
        // The hello and the first snapshot may be lost, and what a host asks for.
        hands.bench.steps(1_000);
        while !hands
            .bench
            .told
            .iter()
            .any(|report| matches!(report, Report::Snapshot(_)))
        {
            hands.bench.step();
        }
        deeds.iter().for_each(|deed| hands.act(deed));
        hands.bench.catch_up();
        prop_assert_eq!(hands.bench.played(), hands.expected);
        let picture = hands.bench.picture();
        for (square, symbol) in Square::ALL.into_iter().zip(hands.truth) {
            prop_assert_eq!(picture.at(square), symbol);
        }
        prop_assert_eq!(hands.bench.condition(), (0, 0, TroubleCode::NONE));
    }

    /// A line that was dead for so long that the board had to forget: the loss is said, what is
    /// told is what was done, in order, and the picture is right in the end.
    #[test]
    fn what_a_dead_line_lost_is_said_and_nothing_else_is(
        touches in prop::collection::vec((0..64u8, any::<bool>(), any::<u8>()), 150..400),
        seed: u64,
    ) {
        let mut hands = Hands::new(Bench::new(LineNoise::default(), 0));
        hands.bench.steps(100);
        hands.bench.up.change(LineNoise {
            seed,
            drop: 1.0,
            ..LineNoise::default()
        });
        for (square, light, bounce) in touches {
            let now = hands.truth[usize::from(square)];
            let symbol = if now != Symbol::Empty {
                Symbol::Empty
            } else if light {
                LIGHT
            } else {
                DARK
            };
            hands.act(&Deed::Touch {
                square,
                symbol,
                bounce,
            });
        }
        hands.bench.catch_up();
        let (played, all) = (hands.bench.played(), &hands.expected);
        let lost = all.len() - played.len();
        prop_assert_eq!(&played[..], &all[lost..]);
        prop_assert_eq!(
            lost > 0,
            hands
                .bench
                .told
                .iter()
                .any(|report| matches!(report, Report::Lost { .. }))
        );
        // From the last snapshot on the picture is whole.
        let last = hands
            .bench
            .told
            .iter()
            .rposition(|report| matches!(report, Report::Snapshot(_)))
            .expect("a snapshot");
        hands.bench.told.drain(..last);
        let picture = hands.bench.picture();
        prop_assert!(
            Square::ALL
                .into_iter()
                .zip(hands.truth)
                .all(|(square, symbol)| picture.at(square) == symbol)
        );
    }

    #[test]
    fn a_board_takes_any_bytes_and_any_readings(
        bytes in prop::collection::vec(prop_oneof![Just(0u8), any::<u8>()], 0..2_000),
        readings in prop::collection::vec(
            (any::<[u64; 3]>(), any::<u64>(), any::<bool>(), 0..5_000u32),
            1..200,
        ),
    ) {
        let mut bench = Bench::new(LineNoise::default(), 0);
        let pieces = bytes.chunks(bytes.len() / readings.len() + 1);
        for (bytes, ([occupied, dark, stuck], controls, broken, ms)) in
            pieces.chain(std::iter::repeat(&[][..])).zip(readings)
        {
            bench.sensors = Sensors {
                reading: Reading {
                    occupied,
                    dark,
                    stuck,
                    trouble: Trouble::NONE,
                },
                broken,
            };
            bench.controls = controls;
            bench
                .board
                .receive(bench.ms, bytes, &mut bench.sensors, |_, _| {});
            bench.ms = bench.ms.wrapping_add(ms);
            bench.step();
        }
        // It is still there, and says what it read last.
        bench.sensors = Sensors::default();
        bench.controls = 0;
        bench.steps(6_000);
        prop_assert_eq!(bench.condition(), (0, 0, TroubleCode::NONE));
        prop_assert!(
            bench
                .told
                .iter()
                .any(|report| matches!(report, Report::Alive))
        );
        prop_assert_eq!(bench.picture(), Picture::EMPTY);
    }
}

#[test]
fn chatter_outage_and_stuck_squares_are_told_while_they_last() {
    let mut bench = Bench::new(LineNoise::default(), 0);
    bench.steps(100);
    let e4 = 1 << 28;
    for scan in 0..200 {
        bench.sensors.reading.occupied = if scan % 2 == 0 { e4 } else { 0 };
        bench.step();
    }
    assert_eq!(bench.condition(), (0, e4, TroubleCode::NONE));
    // From now on it may be as slow as a hand: it is not believed.
    for scan in 0..1_500 {
        bench.sensors.reading.occupied = if scan / 16 % 2 == 0 { e4 } else { 0 };
        bench.step();
    }
    assert_eq!(bench.condition(), (0, e4, TroubleCode::NONE));
    bench.sensors.reading.stuck = 0xff;
    bench.steps(2_500);
    assert_eq!(bench.condition(), (0xff, 0, TroubleCode::NONE));
    bench.sensors.broken = true;
    bench.steps(100);
    assert_eq!(bench.condition(), (!0, 0, TroubleCode::BUS));
    bench.sensors = Sensors::default();
    bench.steps(100);
    assert_eq!(bench.condition(), (0, 0, TroubleCode::NONE));
    assert_eq!(bench.played(), []);
}

/// How often the host hears of trouble when one scan of so many fails.
fn told_of_one_failure_in(scans: u32) -> Vec<TroubleCode> {
    let mut bench = Bench::new(LineNoise::default(), 0);
    bench.steps(100);
    for scan in 0..600 {
        bench.sensors.broken = scan % scans == 0;
        bench.sensors.reading.occupied = if scan < 300 { 0 } else { 1 << 28 };
        bench.step();
    }
    bench.sensors.broken = false;
    bench.steps(200);
    assert_eq!(bench.played(), [Report::Changes(vec![(Square::E4, LIGHT)])]);
    let code = |report: &Report| {
        if let Report::Condition(it) = report {
            Some(it.trouble.code)
        } else {
            None
        }
    };
    let mut codes: Vec<_> = bench.told.iter().filter_map(code).collect();
    // Heartbeats repeat it when only the number of failures has changed.
    codes.dedup();
    codes
}

#[test]
fn a_bus_that_fails_now_and_then_is_told_once_and_one_that_fails_rarely_not_at_all() {
    assert_eq!(
        told_of_one_failure_in(2),
        [TroubleCode::BUS, TroubleCode::NONE]
    );
    assert_eq!(told_of_one_failure_in(10), []);
}

/// A sensor that touches its rail again and again is one fault, not a hundred.
#[test]
fn a_square_that_can_be_read_now_and_then_is_unsteady() {
    let mut bench = Bench::new(LineNoise::default(), 0);
    bench.steps(100);
    for scan in 0..3_000 {
        bench.sensors.reading.stuck = if scan / 6 % 2 == 0 { 1 } else { 0 };
        bench.step();
    }
    assert_eq!(bench.condition(), (0, 1, TroubleCode::NONE));
    let told = bench
        .told
        .iter()
        .filter(|report| matches!(report, Report::Condition(_)))
        .count();
    assert!(told < 40, "told {told} times");
    assert_eq!(bench.played(), []);
}
