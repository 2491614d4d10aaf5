//! Every kind of board, both ends of its language in virtual time: what happens on the simulated
//! board is what the host tells, whatever pieces the bytes come in; and after noise the host soon
//! knows again how the board stands.

#![cfg(feature = "simulators")]

use std::time::{Duration, Instant};

use arbiter_core::shakmaty::{Board, Piece, Square};
use arbiter_core::{Reading, SensorClass, Symbol, Time};
use board_driver::protocol::{Outbox, Protocol};
use board_driver::sim::{BoardSim, LineNoise, NoisyLine, SimConfig};
use board_driver::{BoardEvent, BoardKind, Report, Start};
use proptest::prelude::*;

/// Between two changes: longer than any board needs to tell one.
const STEP: u64 = 1_000;

/// A board and its host.
struct Bench {
    now: Instant,
    board: BoardSim<std::vec::IntoIter<BoardEvent>>,
    host: Box<dyn Protocol>,
    up: NoisyLine,
    heard: Vec<BoardEvent>,
    /// Everything the board wrote.
    bytes: Vec<u8>,
    faults: usize,
}

fn class(kind: BoardKind) -> SensorClass {
    kind.profile().sensor.unwrap_or(SensorClass::Piece)
}

fn config(kind: BoardKind) -> SimConfig {
    SimConfig {
        kind,
        linger: Duration::from_secs(60),
        ..SimConfig::new("unused", "T-1", class(kind))
    }
}

impl Bench {
    fn new(kind: BoardKind, script: Vec<BoardEvent>) -> Bench {
        let now = Instant::now();
        let board =
            BoardSim::new(&config(kind), 1, now, script.into_iter()).expect("a possible board");
        let host = (kind.profile().host)(&Start::new(now));
        let up = NoisyLine::new(LineNoise::default());
        let mut bench = Bench {
            now,
            board,
            host,
            up,
            heard: Vec::new(),
            bytes: Vec::new(),
            faults: 0,
        };
        bench.connect();
        bench
    }

    fn connect(&mut self) {
        let mut out = Outbox::default();
        self.host.open(self.now, &mut out);
        self.take(out);
    }

    fn run_until(&mut self, end: Instant) {
        while self.now < end && !self.board.is_finished(self.now) {
            while let Some(frame) = self.board.next_frame(self.now) {
                let mut bytes = Vec::new();
                self.up.carry(&frame, &mut bytes);
                self.bytes.extend_from_slice(&bytes);
                let mut out = Outbox::default();
                self.host.receive(self.now, &bytes, &mut out);
                self.take(out);
            }
            let (board, host) = (self.board.next_wake(), self.host.next_wake());
            let next = host.map_or(board, |host| host.min(board)).min(end);
            self.now = self.now.max(next) + Duration::from_millis(1);
            self.board.wake(self.now);
            if host.is_some_and(|host| host <= self.now) {
                let mut out = Outbox::default();
                self.host.wake(self.now, &mut out);
                self.take(out);
            }
        }
    }

    fn run(&mut self) {
        self.run_until(self.now + Duration::from_secs(3_600));
    }

    fn take(&mut self, out: Outbox) {
        self.heard
            .extend(out.reports.into_iter().map(|delivery| delivery.event));
        if !out.send.is_empty() {
            self.board.receive(self.now, &out.send);
        }
        if out.fault.is_some() {
            self.faults += 1;
            assert!(self.faults < 20, "the board is never heard");
            self.connect();
        }
    }

    /// What the host knows of the squares. A snapshot may correct it, if the line was noisy.
    fn reading(&self) -> Reading {
        let mut known = Reading::EMPTY;
        for event in &self.heard {
            match &event.report {
                Report::Snapshot(reading) => known = *reading,
                Report::Changes(changes) => changes
                    .iter()
                    .for_each(|(square, symbol)| known.set(*square, *symbol)),
                _ => {}
            }
        }
        known
    }
}

/// Pieces are lifted and put down elsewhere, one or two at a time.
fn script(class: SensorClass, count: u64) -> (Vec<BoardEvent>, Reading) {
    let mut board = Board::new();
    let mut hand: Vec<Piece> = Vec::new();
    let mut events = Vec::new();
    for n in 1..=count {
        let first = (n * 23 % 64) as usize;
        let mut changes = Vec::new();
        for square in [Square::ALL[first], Square::ALL[first ^ 9]]
            .into_iter()
            .take(1 + usize::from(n % 3 == 0))
        {
            match board.remove_piece_at(square) {
                Some(piece) => {
                    hand.push(piece);
                    changes.push((square, Symbol::Empty));
                }
                None => {
                    let Some(piece) = hand.pop() else { continue };
                    board.set_piece_at(square, piece);
                    changes.push((square, class.sees(Some(piece))));
                }
            }
        }
        events.push(BoardEvent {
            at: Time(n * STEP),
            report: Report::Changes(changes),
        });
    }
    events.push(BoardEvent {
        at: Time((count + 1) * STEP),
        report: Report::Alive,
    });
    (events, class.reads(&board))
}

#[test]
fn what_happens_is_told() {
    for kind in BoardKind::ALL.iter().copied() {
        let (events, end) = script(class(kind), 40);
        let mut bench = Bench::new(kind, events.clone());
        bench.run();
        let hello =
            matches!(&bench.heard[0].report, Report::Hello(info) if info.sensor == class(kind));
        let snapshot = bench.heard.iter().find_map(|event| match &event.report {
            Report::Snapshot(reading) => Some(*reading),
            _ => None,
        });
        assert!(hello, "{kind}: {:?}", bench.heard.first());
        assert_eq!(snapshot, Some(class(kind).reads(&Board::new())), "{kind}");
        assert_eq!((bench.reading(), bench.faults), (end, 0), "{kind}");
        let told = bench.heard.iter().map(|event| match &event.report {
            Report::Changes(changes) => changes.len(),
            _ => 0,
        });
        let happened: usize = events
            .iter()
            .map(|e| {
                if let Report::Changes(c) = &e.report {
                    c.len()
                } else {
                    0
                }
            })
            .sum();
        assert_eq!(told.sum::<usize>(), happened, "{kind}: each change once");
    }
}

#[test]
fn after_noise_the_host_knows_again_how_the_board_stands() {
    for kind in BoardKind::ALL.iter().copied() {
        for seed in 1..=5 {
            let (events, end) = script(class(kind), 60);
            let mut bench = Bench::new(kind, events);
            bench.run_until(bench.now + Duration::from_secs(5));
            bench.up.change(LineNoise {
                seed,
                drop: 0.2,
                corrupt: 0.2,
                cut: 0.2,
                ..LineNoise::default()
            });
            bench.run_until(bench.now + Duration::from_secs(30));
            bench.up.change(LineNoise::default());
            bench.run();
            assert_eq!(bench.reading(), end, "{kind}, seed {seed}");
        }
    }
}

#[test]
fn a_board_that_never_speaks_is_a_fault_unless_it_speaks_only_of_changes() {
    for kind in BoardKind::ALL.iter().copied() {
        let start = Instant::now();
        let mut host = (kind.profile().host)(&Start::new(start));
        let mut out = Outbox::default();
        host.open(start, &mut out);
        while let Some(wake) = host.next_wake().filter(|_| out.fault.is_none()) {
            assert!(
                wake < start + Duration::from_secs(20),
                "{kind} waits for ever"
            );
            host.wake(wake, &mut out);
        }
        assert_eq!(out.fault.is_none(), kind == BoardKind::EChess, "{kind}");
        assert!(out.reports.is_empty(), "{kind}");
    }
}

/// What a fresh host makes of bytes that come in such pieces, all at one moment.
fn heard_in_pieces(
    kind: BoardKind,
    bytes: &[u8],
    mut cuts: impl FnMut() -> usize,
) -> (Vec<Report>, u32) {
    let now = Instant::now();
    let mut host = (kind.profile().host)(&Start::new(now));
    let mut out = Outbox::default();
    host.open(now, &mut out);
    let mut rest = bytes;
    while !rest.is_empty() {
        let (piece, left) = rest.split_at(cuts().clamp(1, rest.len()));
        host.receive(now, piece, &mut out);
        rest = left;
    }
    (
        out.reports
            .into_iter()
            .map(|delivery| delivery.event.report)
            .collect(),
        out.trouble.damaged,
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn any_split_of_the_stream_tells_the_same(
        sizes in prop::collection::vec(1..40usize, 50),
        noise in prop_oneof![Just(0.0), Just(0.1)],
        seed in 0..1_000u64,
    ) {
        for kind in BoardKind::ALL.iter().copied() {
            let mut bench = Bench::new(kind, script(class(kind), 12).0);
            bench.up.change(LineNoise::all(seed, noise));
            bench.run();
            let whole = heard_in_pieces(kind, &bench.bytes, || usize::MAX);
            let mut sizes = sizes.iter().cycle();
            let cut = heard_in_pieces(kind, &bench.bytes, || *sizes.next().expect("endless"));
            prop_assert_eq!(&whole, &cut, "{}", kind);
            prop_assert_eq!(
                &whole,
                &heard_in_pieces(kind, &bench.bytes, || 1),
                "{}",
                kind
            );
        }
    }

    #[test]
    fn nonsense_is_no_board(bytes in prop::collection::vec(any::<u8>(), 0..2_000)) {
        for kind in BoardKind::ALL.iter().copied() {
            let (reports, _) = heard_in_pieces(kind, &bytes, || 64);
            prop_assert!(reports.is_empty(), "{}: {:?}", kind, reports.first());
        }
    }
}
