//! Many simulated DGT boards on one line of 960 bytes a second, and their host, in virtual time.

#![cfg(feature = "simulators")]

use std::collections::{BTreeMap, HashSet};
use std::time::{Duration, Instant};

use arbiter_core::shakmaty::{Board, Color, Square};
use arbiter_core::{Reading, SensorClass, Symbol, Time};
use board_driver::hand::{Options, Style, games, perform};
use board_driver::noise::Sensors;
use board_driver::protocol::dgt::Discovery;
use board_driver::protocol::{BusMaster, Outbox, Protocol, Start};
use board_driver::sim::{BusSim, LineNoise, NoisyLine, SimConfig};
use board_driver::{BoardEvent, BoardKind, FaultReason, Report};
use proptest::collection::vec;
use proptest::prelude::*;

const BAUD: u32 = 9_600;

type Sim = BusSim<std::vec::IntoIter<BoardEvent>>;

fn config(address: u16) -> SimConfig {
    SimConfig {
        kind: BoardKind::DgtBus,
        ..SimConfig::new("unused", format!("{address:05}"), SensorClass::Piece)
    }
}

/// A game by such hands, up to `plies` half-moves.
fn game(style: Style, seed: u64, plies: usize) -> Vec<BoardEvent> {
    let game = games::pick(seed);
    let moves = &game.moves[..plies.min(game.moves.len())];
    let played = perform(&game.start, moves, style, seed, &[], &Options::default());
    let model = (BoardKind::DgtBus.profile().simulator.sensors)(1);
    Sensors::with(SensorClass::Piece, model, seed).read(&Board::new(), &played.acts)
}

fn after(script: &[BoardEvent]) -> Reading {
    let mut reading = SensorClass::Piece.reads(&Board::new());
    script
        .iter()
        .for_each(|event| apply(&mut reading, &event.report));
    reading
}

fn apply(reading: &mut Reading, report: &Report) {
    match report {
        Report::Snapshot(all) => *reading = *all,
        Report::Changes(changes) => changes
            .iter()
            .for_each(|(sq, seen)| reading.set(*sq, *seen)),
        _ => {}
    }
}

/// Every change, in its order on each square: those of one scan have none among themselves.
fn changes(events: &[BoardEvent]) -> BTreeMap<Square, Vec<Symbol>> {
    let mut changes: BTreeMap<Square, Vec<Symbol>> = BTreeMap::new();
    for event in events {
        if let Report::Changes(all) = &event.report {
            for (square, seen) in all {
                changes.entry(*square).or_default().push(*seen);
            }
        }
    }
    changes
}

fn pressers(events: &[BoardEvent]) -> Vec<Color> {
    let by = |event: &BoardEvent| match event.report {
        Report::Press { by, .. } => Some(by),
        _ => None,
    };
    events.iter().filter_map(by).collect()
}

/// A line that holds back what boards say: the adapter, the hub or the computer between was busy.
#[derive(Default)]
struct Pauses {
    /// From when and until when, in milliseconds.
    spans: Vec<(u64, u64)>,
    held: Vec<u8>,
    /// So many bytes come in one read after a pause.
    read: usize,
}

impl Pauses {
    /// Pauses with so much time between them, and so long, over and over.
    fn over_and_over(between_and_long: &[(u64, u64)], read: usize) -> Pauses {
        let mut end = 9_000;
        let spans = between_and_long.iter().cycle().map(|(between, long)| {
            let from = end + between;
            end = from + long;
            (from, end)
        });
        Pauses {
            spans: spans.take_while(|(from, _)| *from < 300_000).collect(),
            held: Vec::new(),
            read,
        }
    }

    /// What comes at the host now.
    fn carry(&mut self, ms: u64, said: Vec<u8>) -> Vec<u8> {
        self.held.extend(said);
        if self
            .spans
            .iter()
            .any(|(from, to)| (*from..*to).contains(&ms))
        {
            return Vec::new();
        }
        let most = if self.read == 0 {
            usize::MAX
        } else {
            self.read
        };
        self.held.drain(..most.min(self.held.len())).collect()
    }
}

/// A hall: the boards, the line, the host, and what it told of each board.
struct Hall {
    now: Instant,
    start: Instant,
    sim: Sim,
    host: BusMaster,
    up: NoisyLine,
    pauses: Pauses,
    told: Vec<Vec<BoardEvent>>,
    faults: Vec<Vec<FaultReason>>,
    repeats: u32,
}

impl Hall {
    fn new(boards: &[(u16, Vec<BoardEvent>)], noise: LineNoise) -> Hall {
        let now = Instant::now();
        let seats = boards
            .iter()
            .map(|(address, script)| (config(*address), script.clone().into_iter()));
        let sim = BusSim::new(seats, BAUD, now).expect("possible boards");
        let addresses: HashSet<u16> = boards.iter().map(|(address, _)| *address).collect();
        let mut addresses: Vec<u16> = addresses.into_iter().collect();
        addresses.sort();
        let (told, faults) = (
            vec![Vec::new(); addresses.len()],
            vec![Vec::new(); addresses.len()],
        );
        let host = BusMaster::new(
            addresses
                .into_iter()
                .map(|address| (address, Start::new(now))),
        );
        let mut hall = Hall {
            now,
            start: now,
            sim,
            host,
            up: NoisyLine::new(noise),
            pauses: Pauses::default(),
            told,
            faults,
            repeats: 0,
        };
        hall.open();
        hall
    }

    fn open(&mut self) {
        let mut send = Vec::new();
        self.host.open(self.now, &mut send);
        self.sim.receive(self.now, &send);
    }

    fn run(&mut self, ms: u64) {
        let end = self.start + Duration::from_millis(ms);
        while self.now < end {
            let next = self
                .sim
                .next_wake()
                .into_iter()
                .chain(self.host.next_wake())
                .min()
                .unwrap_or(end);
            self.now = next.min(end).max(self.now + Duration::from_micros(200));
            self.sim.wake(self.now);
            let ms = (self.now - self.start).as_millis() as u64;
            let said = self.pauses.carry(ms, self.sim.take(self.now));
            let (mut heard, mut send) = (Vec::new(), Vec::new());
            // Bytes come one by one: each is a frame to the noise.
            said.into_iter()
                .for_each(|byte| self.up.carry(&[byte], &mut heard));
            if !heard.is_empty() {
                self.host.receive(self.now, &heard, &mut send);
            }
            if self.host.next_wake().is_some_and(|wake| wake <= self.now) {
                self.host.wake(self.now, &mut send);
            }
            self.sim.receive(self.now, &send);
            for (n, out) in self.host.outboxes().enumerate() {
                let out = std::mem::take(out);
                self.told[n].extend(out.reports.into_iter().map(|delivery| delivery.event));
                self.faults[n].extend(out.fault);
                self.repeats += out.trouble.repeats;
            }
        }
    }

    fn reads(&self, board: usize) -> Reading {
        let mut reading = Reading::EMPTY;
        self.told[board]
            .iter()
            .for_each(|event| apply(&mut reading, &event.report));
        reading
    }
}

fn boards(style: Style, count: u16, plies: usize) -> Vec<(u16, Vec<BoardEvent>)> {
    boards_from(0, style, count, plies)
}

fn boards_from(seed: u64, style: Style, count: u16, plies: usize) -> Vec<(u16, Vec<BoardEvent>)> {
    let game = |n| game(style, seed.wrapping_add(u64::from(n)), plies);
    (0..count).map(|n| (1_025 + 37 * n, game(n))).collect()
}

fn check(hall: &Hall, boards: &[(u16, Vec<BoardEvent>)], most_lost: usize) {
    for (n, (address, script)) in boards.iter().enumerate() {
        let Report::Hello(info) = &hall.told[n][0].report else {
            panic!("{:?}", hall.told[n][0])
        };
        assert_eq!(
            (info.serial.clone(), info.clock),
            (format!("{address:05}"), true)
        );
        assert_eq!(hall.reads(n), after(script), "board {address}");
        let (told, done) = (pressers(&hall.told[n]), pressers(script));
        // A lever moved back before the clock told of it was never moved, to the board.
        let lost = done.len() - told.len();
        assert!(
            lost.is_multiple_of(2) && lost <= most_lost,
            "board {address}: {lost} of {} presses lost",
            done.len()
        );
        assert!(
            told.windows(2).all(|pair| pair[0] != pair[1]) && told.last() == done.last(),
            "{address}: {told:?}"
        );
        let played: Vec<_> = hall.told[n]
            .iter()
            .filter(|e| !matches!(e.report, Report::Hello(_)))
            .collect();
        let disorder = played.windows(2).find(|pair| pair[0].at > pair[1].at);
        assert_eq!(disorder, None, "board {address}");
    }
}

fn end(boards: &[(u16, Vec<BoardEvent>)]) -> u64 {
    boards
        .iter()
        .map(|(_, script)| script.last().expect("a game").at.0)
        .max()
        .unwrap_or_default()
        + 15_000
}

#[test]
fn blitz_on_twenty_four_boards() {
    let boards = boards(Style::Hurried, 24, 60);
    let mut hall = Hall::new(&boards, LineNoise::default());
    hall.run(end(&boards));
    check(&hall, &boards, 24);
    assert!(hall.faults.iter().all(Vec::is_empty), "{:?}", hall.faults);
    // Once all are introduced, every board is heard at least once a second and a half, in the
    // average twice a second.
    for told in &hall.told {
        let alive: Vec<u64> = told
            .iter()
            .filter(|e| e.report == Report::Alive)
            .map(|e| e.at.0)
            .filter(|at| *at > 8_000)
            .collect();
        let longest = alive
            .windows(2)
            .map(|pair| pair[1] - pair[0])
            .max()
            .unwrap_or_default();
        let average = (alive[alive.len() - 1] - alive[0]) / alive.len() as u64;
        assert!(
            longest < 1_500 && average < 500,
            "{longest} ms, in the average {average} ms"
        );
    }
    // The line is as slow as it says.
    let (counts, seconds) = (hall.sim.counts(), end(&boards) / 1_000);
    assert!(
        counts.up <= seconds * 960 && counts.down <= seconds * 960,
        "{counts:?} in {seconds} s"
    );
    assert_eq!(counts.collided, 0, "two boards were asked at once");
}

#[test]
fn noise_is_repeated_away() {
    for seed in 0..8 {
        let boards = boards(Style::Tidy, 6, 30);
        // One byte in two hundred: some three answers in a hundred.
        let mut hall = Hall::new(
            &boards,
            LineNoise {
                seed,
                drop: 0.002,
                corrupt: 0.003,
                cut: 0.0,
                ..LineNoise::default()
            },
        );
        hall.run(end(&boards) + 15_000);
        check(&hall, &boards, 0);
        assert!(hall.repeats > 0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_line_that_pauses_tells_everything_once(
        seed in any::<u64>(),
        count in 1..24_u16,
        between_and_long in vec((1_000..7_000_u64, 60..2_500_u64), 8),
        read in 3..64_usize,
    ) {
        let boards = boards_from(seed, Style::Tidy, count, 24);
        let mut hall = Hall::new(&boards, LineNoise::default());
        hall.pauses = Pauses::over_and_over(&between_and_long, read);
        hall.run(end(&boards) + 15_000);
        check(&hall, &boards, 0);
        for (told, (address, script)) in hall.told.iter().zip(&boards) {
            prop_assert_eq!(changes(told), changes(script), "board {}", address);
        }
    }
}

#[test]
fn a_board_that_is_away_costs_the_others_little_and_tells_what_it_missed() {
    let boards = boards(Style::Tidy, 4, 40);
    let mut hall = Hall::new(&boards, LineNoise::default());
    hall.run(10_000);
    hall.sim.switch(2, true);
    hall.run(25_000);
    assert_eq!(hall.faults[2], [FaultReason::Silent]);
    let meanwhile = hall.told[1]
        .iter()
        .filter(|e| e.report == Report::Alive && e.at.0 > 15_000)
        .count();
    assert!(meanwhile > 25, "heard {meanwhile} times in 10 s");
    hall.sim.switch(2, false);
    hall.run(end(&boards));
    check(&hall, &boards, 0);
    assert!([0, 1, 3].iter().all(|n| hall.faults[*n].is_empty()));
    let hellos = hall.told[2]
        .iter()
        .filter(|e| matches!(e.report, Report::Hello(_)))
        .count();
    assert_eq!(hellos, 2);
}

#[test]
fn a_line_that_is_opened_again_loses_nothing() {
    let boards = boards(Style::Tidy, 3, 40);
    let mut hall = Hall::new(&boards, LineNoise::default());
    hall.run(9_000);
    // Unplugged: the boards play on and nobody asks.
    let asleep = hall.now + Duration::from_secs(12);
    while hall.now < asleep {
        hall.now += Duration::from_millis(5);
        hall.sim.wake(hall.now);
        hall.sim.take(hall.now);
    }
    hall.open();
    hall.run(end(&boards));
    check(&hall, &boards, 0);
}

#[test]
fn two_boards_with_one_serial_number_are_a_fault_and_no_game() {
    let (first, second) = (game(Style::Tidy, 1, 10), game(Style::Tidy, 2, 10));
    let boards = vec![
        (2_000, first),
        (2_000, second),
        (3_000, game(Style::Tidy, 3, 10)),
    ];
    let mut hall = Hall::new(&boards, LineNoise::default());
    hall.run(end(&boards));
    assert!(
        hall.faults[0].contains(&FaultReason::Garbage),
        "{:?} {:?}",
        hall.faults[0],
        hall.told[0]
    );
    assert_eq!(hall.reads(1), after(&boards[2].1), "the others play on");
}

#[test]
fn who_is_there() {
    for count in [0, 1, 24] {
        let now = Instant::now();
        let seats = (0..count).map(|n| (config(1_025 + 37 * n), Vec::new().into_iter()));
        let mut sim = match BusSim::new(
            seats.chain([(config(9), Vec::new().into_iter())]),
            BAUD,
            now,
        ) {
            Ok(sim) => sim,
            Err(text) => panic!("{text}"),
        };
        // The last one is there and switched off.
        sim.switch(usize::from(count), true);
        let (mut host, mut out) = (Discovery::new(&Start::new(now)), Outbox::default());
        host.open(now, &mut out);
        let mut moment = now;
        while let Some(wake) = host.next_wake() {
            sim.receive(moment, &std::mem::take(&mut out.send));
            moment = sim
                .next_wake()
                .into_iter()
                .chain([wake])
                .min()
                .expect("a moment")
                .max(moment + Duration::from_micros(200));
            sim.wake(moment);
            let heard = sim.take(moment);
            host.receive(moment, &heard, &mut out);
            if wake <= moment {
                host.wake(moment, &mut out);
            }
        }
        let expected: Vec<u16> = (0..count).map(|n| 1_025 + 37 * n).collect();
        assert_eq!(host.found().collect::<Vec<_>>(), expected);
        let hello = out
            .reports
            .first()
            .map(|delivery| delivery.event.report.clone());
        match hello {
            Some(Report::Hello(info)) => {
                assert_eq!(info.serial.split(' ').count(), usize::from(count))
            }
            _ => assert_eq!((count, out.fault), (0, Some(FaultReason::NoAnswer))),
        }
    }
}

/// A bus is asked for its clocks once a minute, and when one may run out.
#[test]
fn a_flag_falls_on_a_bus() {
    let at = |ms, report| BoardEvent {
        at: Time(ms),
        report,
    };
    let by = Color::Black;
    let press = |by, white_ms, black_ms| Report::Press {
        by,
        white_ms: Some(white_ms),
        black_ms: Some(black_ms),
    };
    let script = vec![
        at(3_000, press(Color::White, 70_000, 66_000)),
        at(9_000, press(Color::Black, 70_000, 60_000)),
        at(12_000, press(Color::White, 67_000, 60_000)),
        at(72_000, Report::FlagFall { by }),
    ];
    let mut hall = Hall::new(&[(1_025, script)], LineNoise::default());
    hall.run(90_000);
    let fell: Vec<_> = hall.told[0]
        .iter()
        .filter(|event| matches!(event.report, Report::FlagFall { .. }))
        .collect();
    assert_eq!(fell.len(), 1, "{fell:?}");
    assert_eq!(fell[0].report, Report::FlagFall { by });
    assert!((72_000..78_000).contains(&fell[0].at.0), "{fell:?}");
    let stopped = |event: &BoardEvent| event.report == Report::ClockRuns(false);
    assert!(hall.told[0].iter().any(stopped));
}
