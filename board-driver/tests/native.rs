//! Both ends of the native protocol in virtual time, over a line that damages what it carries.

#![cfg(feature = "simulators")]

use std::time::{Duration, Instant};

use arbiter_core::shakmaty::{Bitboard, Color, Square};
use arbiter_core::{Reading, SensorClass, Symbol, Time};
use board_driver::protocol::{Native, Outbox, Protocol};
use board_driver::sim::{BoardSim, LineNoise, NoisyLine, SimConfig};
use board_driver::{
    BoardEvent, Command, Condition, FaultReason, Mark, Report, Trouble, TroubleCode,
};
use board_wire::device::{Device, Identity};
use board_wire::{Capabilities, Sensor, Serial, Side};
use proptest::prelude::*;

type Sim = BoardSim<std::vec::IntoIter<BoardEvent>>;

/// Two ends and the line between them.
struct Table {
    now: Instant,
    board: Sim,
    host: Native,
    down: NoisyLine,
    up: NoisyLine,
    heard: Vec<BoardEvent>,
    faults: u32,
}

impl Table {
    fn new(script: Vec<BoardEvent>, noise: LineNoise) -> Table {
        let now = Instant::now();
        let mut config = SimConfig::new("unused", "T-1", SensorClass::Occupancy);
        config.linger = Duration::from_secs(20);
        let board = BoardSim::new(&config, 1, now, script.into_iter()).expect("a possible board");
        let other = LineNoise {
            seed: !noise.seed,
            ..noise
        };
        let (up, down) = (NoisyLine::new(noise), NoisyLine::new(other));
        let mut table = Table {
            now,
            board,
            host: Native::new(now, None),
            down,
            up,
            heard: Vec::new(),
            faults: 0,
        };
        table.connect();
        table
    }

    fn connect(&mut self) {
        let mut out = Outbox::default();
        self.host.open(self.now, &mut out);
        self.take(out);
    }

    /// Runs until the board's end, or the moment given.
    fn run(&mut self, until: Option<Duration>) {
        let end = until.map(|until| self.now + until);
        while end.is_none_or(|end| self.now < end) && !self.board.is_finished(self.now) {
            self.carry();
            let host = self
                .host
                .next_wake()
                .expect("this host always waits for something");
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

    /// Carries what the board has to say.
    fn carry(&mut self) {
        while let Some(frame) = self.board.next_frame(self.now) {
            let mut bytes = Vec::new();
            self.up.carry(&frame, &mut bytes);
            let mut out = Outbox::default();
            self.host.receive(self.now, &bytes, &mut out);
            self.take(out);
        }
    }

    fn take(&mut self, out: Outbox) {
        self.heard
            .extend(out.reports.into_iter().map(|delivery| delivery.event));
        if !out.send.is_empty() {
            let mut bytes = Vec::new();
            self.down.carry(&out.send, &mut bytes);
            self.board.receive(self.now, &bytes);
        }
        if out.fault.is_some() {
            self.faults += 1;
            self.connect();
        }
    }

    /// What hands did.
    fn played(&self) -> Vec<Report> {
        let by_hand = |report: &Report| {
            matches!(
                report,
                Report::Changes(_) | Report::Press { .. } | Report::Adjust { .. }
            )
        };
        self.heard
            .iter()
            .map(|event| event.report.clone())
            .filter(by_hand)
            .collect()
    }

    /// What the host believes stands on the board; every snapshot must agree with what was told
    /// before it.
    fn reading(&self) -> Reading {
        let mut known: Option<Reading> = None;
        for event in &self.heard {
            match &event.report {
                Report::Snapshot(reading) => assert_eq!(known.get_or_insert(*reading), reading),
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
}

fn report() -> impl Strategy<Value = Report> {
    let square = prop::sample::select(Square::ALL.to_vec());
    let symbol = prop_oneof![Just(Symbol::Empty), Just(Symbol::Something)];
    let colour = || prop_oneof![Just(Color::White), Just(Color::Black)];
    let told = || prop::option::of(0..10_000_000u64);
    let changes = prop::collection::hash_map(square, symbol, 1..64);
    let press = (colour(), told(), told());
    let press = press.prop_map(|(by, white_ms, black_ms)| Report::Press {
        by,
        white_ms,
        black_ms,
    });
    prop_oneof![
        6 => changes.prop_map(|map| Report::Changes(map.into_iter().collect())),
        2 => press,
        1 => colour().prop_map(|by| Report::Adjust { by }),
    ]
}

fn script() -> impl Strategy<Value = Vec<BoardEvent>> {
    prop::collection::vec((0..1_500u64, report()), 1..60).prop_map(|steps| {
        let mut at = 0;
        let event = |(gap, report)| {
            at += gap;
            BoardEvent {
                at: Time(at),
                report,
            }
        };
        steps.into_iter().map(event).collect()
    })
}

fn condition() -> impl Strategy<Value = Condition> {
    (
        1..u64::MAX,
        any::<u64>(),
        any::<u32>(),
        0..12u8,
        any::<u8>(),
    )
        .prop_map(|(stuck, unsteady, failed_scans, code, part)| {
            let trouble = Trouble::new(TroubleCode(code), part);
            Condition {
                stuck: Bitboard(stuck),
                unsteady: Bitboard(unsteady),
                failed_scans,
                trouble,
            }
        })
}

fn reports(script: &[BoardEvent]) -> Vec<Report> {
    script.iter().map(|event| event.report.clone()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 200,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_event_exactly_once_in_order(
        script in script(),
        seed in any::<u64>(),
        chance in 0.0..0.15f64,
    ) {
        let mut table = Table::new(script.clone(), LineNoise::all(seed, chance));
        table.run(None);
        prop_assert_eq!(table.played(), reports(&script));
        table.reading();
        // A hello tells its own moment, and what had happened before may still follow it.
        let told = table
            .heard
            .iter()
            .filter(|event| !matches!(event.report, Report::Hello(_)));
        prop_assert!(
            told.map(|event| event.at).is_sorted(),
            "board time never goes back"
        );
    }

    #[test]
    fn a_line_opened_anew_again_and_again(
        script in script(),
        seed in any::<u64>(),
        chance in 0.0..0.1f64,
        breaks in prop::collection::vec(1..20_000u64, 1..4),
    ) {
        let mut table = Table::new(script.clone(), LineNoise::all(seed, chance));
        for after in breaks {
            table.run(Some(Duration::from_millis(after)));
            table.connect();
        }
        table.run(None);
        prop_assert_eq!(table.played(), reports(&script));
        table.reading();
    }

    /// What a board had sent when it lost its power counts, and so does everything from its new
    /// start on.
    #[test]
    fn reboots(script in script(), breaks in prop::collection::vec(1..20_000u64, 1..4)) {
        let mut table = Table::new(script.clone(), LineNoise::default());
        for after in breaks {
            table.run(Some(Duration::from_millis(after)));
            table.carry();
            table.board.reboot(table.now);
        }
        table.run(None);
        prop_assert_eq!(table.played(), reports(&script));
        table.reading();
    }

    /// Whatever is lost on the way, the host knows in the end how well the sensors are, and nothing
    /// is told of them that never was.
    #[test]
    fn the_condition_of_the_sensors_arrives(
        script in script(),
        seed in any::<u64>(),
        chance in 0.0..0.15f64,
        conditions in prop::collection::vec((1..60u64, condition()), 1..6),
    ) {
        let mut mixed = script.clone();
        for (place, condition) in &conditions {
            let place = usize::try_from(*place).unwrap() % mixed.len();
            let at = mixed[place].at;
            mixed.insert(
                place + 1,
                BoardEvent {
                    at,
                    report: Report::Condition(*condition),
                },
            );
        }
        let mut table = Table::new(mixed.clone(), LineNoise::all(seed, chance));
        table.run(None);
        prop_assert_eq!(table.played(), reports(&script));
        let of = |events: &[BoardEvent]| -> Vec<Condition> {
            let condition = |event: &BoardEvent| {
                if let Report::Condition(it) = event.report {
                    Some(it)
                } else {
                    None
                }
            };
            events.iter().filter_map(condition).collect()
        };
        let (were, told) = (of(&mixed), of(&table.heard));
        prop_assert!(
            told.iter()
                .all(|it| were.contains(it) || *it == Condition::default()),
            "{:?} of {:?}",
            told,
            were
        );
        let mut known = None;
        for event in &table.heard {
            match event.report {
                Report::Hello(_) => known = None,
                Report::Condition(it) => prop_assert_ne!(known.replace(it), Some(it), "told twice"),
                _ => {}
            }
        }
        prop_assert_eq!(told.last(), were.last());
    }

    #[test]
    fn a_host_takes_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..1_000)) {
        let now = Instant::now();
        let mut host = Native::new(now, None);
        let mut out = Outbox::default();
        host.open(now, &mut out);
        host.receive(now, &bytes, &mut out);
        prop_assert!(out.reports.is_empty());
    }
}

#[test]
fn a_clean_line_needs_no_second_asking() {
    let script: Vec<BoardEvent> = (0..50)
        .map(|n| BoardEvent {
            at: Time(n * 400),
            report: Report::Changes(vec![(Square::E4, Symbol::Empty)]),
        })
        .collect();
    let mut table = Table::new(script.clone(), LineNoise::default());
    table.run(None);
    assert_eq!(table.faults, 0);
    let snapshots = table
        .heard
        .iter()
        .filter(|event| matches!(event.report, Report::Snapshot(_)))
        .count();
    assert_eq!(snapshots, 1);
    assert_eq!(table.played(), reports(&script));
}

/// A host, and a board that keeps little.
struct Pair {
    now: Instant,
    board: Device<512>,
    host: Native,
    out: Outbox,
}

impl Pair {
    fn new(resume: Option<Mark>) -> Pair {
        let serial = Serial::new(b"T-2").expect("printable");
        let capabilities = Capabilities::LAMPS;
        let identity = Identity {
            boot: 9,
            serial,
            sensor: Sensor::Occupancy,
            capabilities,
            pace: 1_000,
        };
        let now = Instant::now();
        let board = Device::new(identity, 0, [board_wire::Symbol::EMPTY; 64]);
        Pair {
            now,
            board,
            host: Native::new(now, resume),
            out: Outbox::default(),
        }
    }

    /// Carries everything there is to carry, and gives what was reported.
    fn exchange(&mut self) -> Vec<Report> {
        loop {
            self.board
                .receive(0, &std::mem::take(&mut self.out.send), |_| {});
            let Some(frame) = self.board.next_frame(0) else {
                break;
            };
            self.host.receive(self.now, frame.as_bytes(), &mut self.out);
        }
        self.out
            .reports
            .drain(..)
            .map(|delivery| delivery.event.report)
            .collect()
    }
}

#[test]
fn what_the_board_no_longer_keeps_is_lost_aloud() {
    let mut pair = Pair::new(None);
    pair.host.open(pair.now, &mut pair.out);
    assert!(matches!(
        pair.exchange()[..],
        [Report::Hello(_), Report::Snapshot(_)]
    ));
    for n in 0..100 {
        pair.board.press(n, Side::White, Some(n), None);
        pair.board.next_frame(n).expect("a frame that nobody hears");
    }
    pair.board.heartbeat();
    let told = pair.exchange();
    let Report::Lost { count } = told[0] else {
        panic!("{:?}", told[0])
    };
    assert!((60..100).contains(&count), "{count} of 100 lost");
    assert!(matches!(told.last(), Some(Report::Snapshot(_))));
    let presses: Vec<u64> = told.iter().filter_map(white_ms).collect();
    assert_eq!(presses, (u64::from(count)..100).collect::<Vec<_>>());
}

fn white_ms(report: &Report) -> Option<u64> {
    match report {
        Report::Press { white_ms, .. } => *white_ms,
        _ => None,
    }
}

#[test]
fn a_board_that_does_not_repeat_itself_is_given_up() {
    let mut pair = Pair::new(None);
    pair.host.open(pair.now, &mut pair.out);
    pair.exchange();
    pair.board.press(1, Side::White, None, None);
    pair.board.next_frame(1).expect("a frame that nobody hears");
    let start = pair.now;
    for second in 1..13 {
        pair.now = start + Duration::from_secs(second);
        pair.board.heartbeat();
        let beat = pair.board.next_frame(1).expect("a heartbeat");
        pair.host.receive(pair.now, beat.as_bytes(), &mut pair.out);
        pair.host.wake(pair.now, &mut pair.out);
        pair.out.send.clear();
    }
    assert_eq!(pair.out.fault, None);
    let told: Vec<Report> = pair
        .out
        .reports
        .drain(..)
        .map(|delivery| delivery.event.report)
        .collect();
    assert!(told.contains(&Report::Lost { count: 1 }), "{told:?}");
    pair.host
        .command(pair.now, Command::RequestSnapshot, &mut pair.out);
    assert!(
        pair.exchange()
            .iter()
            .any(|report| matches!(report, Report::Snapshot(_)))
    );
}

#[test]
fn a_known_mark_is_continued_and_an_unknown_one_is_not_believed() {
    let next = |resume| {
        let mut pair = Pair::new(resume);
        for n in 0..5 {
            pair.board.press(n, Side::White, Some(n), None);
        }
        pair.host.open(pair.now, &mut pair.out);
        pair.exchange()
            .iter()
            .filter_map(white_ms)
            .collect::<Vec<u64>>()
    };
    assert_eq!(
        next(None),
        Vec::<u64>::new(),
        "a new host begins with the snapshot"
    );
    assert_eq!(next(Some(Mark { boot: 9, next: 3 })), [2, 3, 4]);
    assert_eq!(
        next(Some(Mark { boot: 8, next: 3 })),
        [0, 1, 2, 3, 4],
        "another run is heard from its start"
    );
    assert_eq!(
        next(Some(Mark { boot: 9, next: 300 })),
        [0, 1, 2, 3, 4],
        "so is one that counts less than we heard"
    );
}

#[test]
fn silence_is_a_fault() {
    let mut pair = Pair::new(None);
    pair.host.open(pair.now, &mut pair.out);
    pair.exchange();
    let mut waits = 0;
    while pair.out.fault.is_none() {
        pair.now = pair.host.next_wake().expect("it waits for the heartbeat");
        pair.host.wake(pair.now, &mut pair.out);
        waits += 1;
        assert!(waits < 100);
    }
    assert_eq!(pair.out.fault, Some(FaultReason::Silent));
}

#[test]
fn lamps_are_lit_again_until_the_board_says_so() {
    let mut pair = Pair::new(None);
    pair.host.open(pair.now, &mut pair.out);
    pair.exchange();
    pair.host
        .command(pair.now, Command::SetLamps(6), &mut pair.out);
    pair.out.send.clear();
    assert_eq!(pair.board.lamps(), 0, "the order was lost");
    pair.board.heartbeat();
    pair.exchange();
    assert_eq!(pair.board.lamps(), 6);
}
