//! Both ends of the native protocol in virtual time, over a line that damages what it carries.

#![cfg(feature = "simulators")]

mod pair;

use std::time::{Duration, Instant};

use arbiter_core::shakmaty::{Bitboard, Color, Square};
use arbiter_core::{Reading, SensorClass, Symbol, Time};
use board_driver::protocol::native::QUIET;
use board_driver::protocol::{Native, Outbox, Protocol, Start};
use board_driver::sim::{BoardSim, LineNoise, NoisyLine, SimConfig};
use board_driver::{BoardEvent, Command, Condition, Report, Trouble, TroubleCode};
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
            host: Native::new(&Start::new(now), 0),
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

    fn take(&mut self, mut out: Outbox) {
        // Whoever hears it keeps it at once.
        if let Some(mark) = out.reports.iter().rev().find_map(|delivery| delivery.mark) {
            self.host
                .command(self.now, Command::Acknowledge(mark), &mut out);
        }
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
            // What it sees before its host has asked is in its memory only.
            table.run(Some(2 * QUIET));
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
        let mut host = Native::new(&Start::new(now), 0);
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
