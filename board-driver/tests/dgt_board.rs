//! A simulated DGT board and its host in virtual time, over lines that damage what they carry and
//! plugs that are pulled.

#![cfg(feature = "simulators")]

use std::time::{Duration, Instant};

use arbiter_core::shakmaty::{Board, Color, Role, Square};
use arbiter_core::{Reading, SensorClass, Symbol, Time};
use board_driver::hand::{Options, Style, games, perform};
use board_driver::noise::Sensors;
use board_driver::protocol::{Dgt, Outbox, Protocol, Start};
use board_driver::sim::{BoardSim, LineNoise, NoisyLine, SimConfig};
use board_driver::{BoardEvent, BoardKind, FaultReason, Report};

/// Two ends and the line between them.
struct Table {
    now: Instant,
    start: Instant,
    board: BoardSim<std::vec::IntoIter<BoardEvent>>,
    host: Dgt,
    up: NoisyLine,
    plugged: bool,
    heard: Vec<BoardEvent>,
    faults: Vec<FaultReason>,
    asked: Vec<u8>,
}

fn config() -> SimConfig {
    SimConfig {
        kind: BoardKind::Dgt,
        ..SimConfig::new("unused", "01025", SensorClass::Piece)
    }
}

impl Table {
    fn new(config: &SimConfig, script: Vec<BoardEvent>, noise: LineNoise) -> Table {
        let now = Instant::now();
        let board = BoardSim::new(config, 1, now, script.into_iter()).expect("a possible board");
        let host = Dgt::new(&Start::new(now));
        let (heard, faults, asked) = (Vec::new(), Vec::new(), Vec::new());
        let mut table = Table {
            now,
            start: now,
            board,
            host,
            up: NoisyLine::new(noise),
            plugged: true,
            heard,
            faults,
            asked,
        };
        table.plug();
        table
    }

    fn plug(&mut self) {
        self.plugged = true;
        let mut out = Outbox::default();
        self.host.open(self.now, &mut out);
        self.take(out);
    }

    /// Runs until `ms` after the start.
    fn run(&mut self, ms: u64) {
        let end = self.start + Duration::from_millis(ms);
        while self.now < end {
            self.carry();
            let board = self.board.next_wake();
            let host = self
                .host
                .next_wake()
                .filter(|_| self.plugged)
                .unwrap_or(end);
            let next = board.min(host).min(end);
            self.now = next.max(self.now + Duration::from_micros(500));
            if board <= self.now {
                self.board.wake(self.now);
            }
            if self.plugged && host <= self.now {
                let mut out = Outbox::default();
                self.host.wake(self.now, &mut out);
                self.take(out);
            }
        }
    }

    fn carry(&mut self) {
        while let Some(frame) = self.board.next_frame(self.now) {
            let (mut bytes, mut out) = (Vec::new(), Outbox::default());
            self.up.carry(&frame, &mut bytes);
            if self.plugged {
                self.host.receive(self.now, &bytes, &mut out);
            }
            self.take(out);
        }
    }

    fn take(&mut self, out: Outbox) {
        self.heard
            .extend(out.reports.into_iter().map(|delivery| delivery.event));
        self.asked.extend(&out.send);
        self.board.receive(self.now, &out.send);
        if let Some(fault) = out.fault {
            self.faults.push(fault);
            self.plug();
        }
    }

    /// What the board reads to whoever was told everything.
    fn reads(&self) -> Reading {
        let mut reading = Reading::EMPTY;
        for event in &self.heard {
            match &event.report {
                Report::Snapshot(all) => reading = *all,
                Report::Changes(changes) => changes
                    .iter()
                    .for_each(|(sq, seen)| reading.set(*sq, *seen)),
                _ => {}
            }
        }
        reading
    }

    fn presses(&self) -> Vec<(Color, Option<u64>, Option<u64>)> {
        let press = |event: &BoardEvent| match event.report {
            Report::Press {
                by,
                white_ms,
                black_ms,
            } => Some((by, white_ms, black_ms)),
            _ => None,
        };
        self.heard.iter().filter_map(press).collect()
    }
}

fn at(ms: u64, report: Report) -> BoardEvent {
    BoardEvent {
        at: Time(ms),
        report,
    }
}

fn change(ms: u64, square: Square, piece: Option<(Role, Color)>) -> BoardEvent {
    let seen = piece.map_or(Symbol::Empty, |(role, colour)| {
        Symbol::Piece(role.of(colour))
    });
    at(ms, Report::Changes(vec![(square, seen)]))
}

fn press(ms: u64, by: Color, white: u64, black: u64) -> BoardEvent {
    at(
        ms,
        Report::Press {
            by,
            white_ms: Some(white),
            black_ms: Some(black),
        },
    )
}

/// What the host was told of flags, and of the clock's being started and stopped.
fn told_by_the_clock(events: &[BoardEvent]) -> Vec<Report> {
    let is_such = |event: &&BoardEvent| {
        matches!(event.report, Report::FlagFall { .. } | Report::ClockRuns(_))
    };
    let told = events.iter().filter(is_such);
    told.map(|event| event.report.clone()).collect()
}

/// The moves e4 and e5, with the clock.
fn two_plies() -> Vec<BoardEvent> {
    let (white, black) = ((Role::Pawn, Color::White), (Role::Pawn, Color::Black));
    vec![
        change(2_000, Square::E2, None),
        change(2_700, Square::E4, Some(white)),
        press(3_500, Color::White, 181_500, 180_000),
        change(6_000, Square::E7, None),
        change(6_700, Square::E5, Some(black)),
        press(7_500, Color::Black, 181_500, 178_000),
    ]
}

/// What stands on a board after the moves of a script.
fn after(script: &[BoardEvent]) -> Reading {
    let mut reading = SensorClass::Piece.reads(&Board::new());
    for event in script {
        if let Report::Changes(changes) = &event.report {
            changes
                .iter()
                .for_each(|(sq, seen)| reading.set(*sq, *seen));
        }
    }
    reading
}

#[test]
fn hello_snapshot_changes_and_presses() {
    let mut table = Table::new(&config(), two_plies(), LineNoise::default());
    table.run(12_000);
    let Report::Hello(info) = &table.heard[0].report else {
        panic!("{:?}", table.heard[0])
    };
    assert_eq!(
        (info.serial.as_str(), info.sensor, info.clock),
        ("01025", SensorClass::Piece, true)
    );
    assert!(info.scan_ms >= 200 && !info.polled);
    let first: Vec<_> = table.heard[1..]
        .iter()
        .find(|e| !matches!(e.report, Report::Alive))
        .into_iter()
        .collect();
    assert_eq!(
        first[0].report,
        Report::Snapshot(SensorClass::Piece.reads(&Board::new()))
    );
    let changes = table
        .heard
        .iter()
        .filter(|e| matches!(e.report, Report::Changes(_)))
        .count();
    assert_eq!((changes, table.reads()), (4, after(&two_plies())));
    // The clock tells whole seconds.
    let told = table.presses();
    assert_eq!(told[0], (Color::White, Some(181_000), Some(180_000)));
    assert_eq!(told[1].0, Color::Black);
    assert!(table.faults.is_empty());
    // Read only: nothing was ever sent that commands a clock, starts a loader or blinds the
    // sensors.
    assert!(
        table
            .asked
            .iter()
            .all(|byte| ![0x2b, 0x4e, 0x51, 0x53, 0x54, 0x60].contains(byte)),
        "{:x?}",
        table.asked
    );
}

#[test]
fn a_flag_falls_and_a_clock_stops() {
    let by = Color::White;
    let mut script = two_plies();
    script.extend([
        at(9_000, Report::ClockRuns(false)),
        at(12_000, Report::ClockRuns(true)),
        at(15_000, Report::FlagFall { by }),
    ]);
    let expected = [
        Report::ClockRuns(true),
        Report::ClockRuns(false),
        Report::ClockRuns(true),
        Report::ClockRuns(false),
        Report::FlagFall { by },
    ];
    let mut table = Table::new(&config(), script.clone(), LineNoise::default());
    table.run(20_000);
    assert_eq!(told_by_the_clock(&table.heard), expected);
    let fell = table
        .heard
        .iter()
        .rfind(|e| matches!(e.report, Report::FlagFall { .. }));
    assert!((15_000..17_000).contains(&fell.expect("it fell").at.0));
    // Off the line and back: it is told once.
    table.plugged = false;
    table.run(21_000);
    let before = table.heard.len();
    table.plug();
    table.run(30_000);
    assert!(table.heard.len() > before);
    assert_eq!(told_by_the_clock(&table.heard[before..]), []);
    // It falls while the plug is out.
    let mut table = Table::new(&config(), script, LineNoise::default());
    table.run(14_000);
    table.plugged = false;
    table.run(17_000);
    table.plug();
    table.run(22_000);
    let told = told_by_the_clock(&table.heard);
    assert_eq!(told[3..], [Report::FlagFall { by }], "{told:?}");
}

/// What a clock shows when it is first heard is of the game before.
#[test]
fn a_flag_that_had_fallen_before_is_nobodys() {
    let mut host = Dgt::new(&Start::new(Instant::now()));
    let (now, mut out) = (Instant::now(), Outbox::default());
    host.open(now, &mut out);
    let mut board = vec![0x86, 0, 67];
    board.extend([0; 64]);
    // White's flag, on the left; then a new game's time, and that flag too.
    let clock = |left: [u8; 3], status| {
        let [a, b, c] = left;
        [0x8d, 0, 10, 0x20, 3, 2, a, b, c, status]
    };
    let mut hear = |bytes: &[u8]| {
        host.receive(now, bytes, &mut out);
        host.receive(now, bytes, &mut out);
        told_by_the_clock(
            &std::mem::take(&mut out.reports)
                .into_iter()
                .map(|told| told.event)
                .collect::<Vec<_>>(),
        )
    };
    hear(&[0x93, 0, 5, 1, 8]);
    hear(&board);
    hear(&[0x91, 0, 8, b'0', b'1', b'0', b'2', b'5']);
    assert_eq!(hear(&clock([0x30, 0, 0], 0x08)), []);
    assert_eq!(hear(&clock([0x20, 3, 2], 0x08)), []);
    assert_eq!(hear(&clock([0x20, 0, 1], 0x09)), [Report::ClockRuns(true)]);
    let by = Color::White;
    assert_eq!(
        hear(&clock([0x30, 0, 0], 0x08)),
        [Report::ClockRuns(false), Report::FlagFall { by }]
    );
}

/// The bytes of a clock in a game with increments, and its version.
#[test]
fn a_simulated_clock_says_what_real_ones_do() {
    let mut table = Table::new(&config(), two_plies(), LineNoise::default());
    let mut clocks = Vec::new();
    // What the board writes, as the line has it.
    for ms in 0..10_000 {
        table.now = table.start + Duration::from_millis(ms);
        table.board.wake(table.now);
        if ms == 9_000 {
            table.board.receive(table.now, &[0x2b, 3, 3, 9, 0]);
        }
        while let Some(frame) = table.board.next_frame(table.now) {
            clocks.extend((frame[0] == 0x8d).then(|| frame[3..].to_vec()));
            let mut out = Outbox::default();
            table.host.receive(table.now, &frame, &mut out);
            table.take(out);
        }
    }
    let acks: Vec<_> = clocks
        .iter()
        .filter(|clock| clock[0] & 0x0f == 0x0a)
        .collect();
    assert_eq!(acks, [&[0x0a, 0x10, 0x09, 0x0a, 0x22, 0, 0]]);
    clocks.retain(|clock| clock[0] & 0x0f != 0x0a);
    assert!(
        clocks
            .iter()
            .all(|c| c[0] & 0x70 == 0x20 && c[3] & 0x70 == 0x20)
    );
    let mut status: Vec<u8> = clocks.iter().map(|clock| clock[6]).collect();
    status.dedup();
    // It stands; the right runs; the left runs.
    assert_eq!(status, [0x08, 0x13, 0x09]);
}

#[test]
fn a_board_without_a_clock() {
    let mut table = Table::new(
        &SimConfig {
            clock: false,
            ..config()
        },
        two_plies(),
        LineNoise::default(),
    );
    table.run(10_000);
    assert!(matches!(&table.heard[0].report, Report::Hello(info) if !info.clock));
    assert_eq!(
        (table.presses(), table.reads()),
        (vec![], after(&two_plies()))
    );
}

#[test]
fn a_poor_line_ends_with_the_right_position() {
    for seed in 0..60 {
        let noise = LineNoise {
            seed,
            drop: 0.05,
            corrupt: 0.05,
            cut: 0.05,
            ..LineNoise::default()
        };
        let mut table = Table::new(&config(), two_plies(), noise);
        table.run(60_000);
        assert_eq!(table.reads(), after(&two_plies()), "seed {seed}");
    }
}

#[test]
fn what_happened_while_the_plug_was_out_is_told_in_its_order() {
    let mut table = Table::new(&config(), two_plies(), LineNoise::default());
    table.run(2_300);
    assert!(
        table.reads().at(Square::E2) == Symbol::Empty && table.heard.iter().all(|e| e.at.0 < 2_400)
    );
    table.plugged = false;
    table.run(9_000);
    let before = table.heard.len();
    table.plug();
    table.run(12_000);
    let told: Vec<_> = table.heard[before..]
        .iter()
        .filter(|e| !matches!(e.report, Report::Alive))
        .collect();
    let kinds: Vec<&str> = told
        .iter()
        .map(|event| match &event.report {
            Report::Hello(_) => "hello",
            Report::Changes(_) => "change",
            Report::Press {
                by: Color::White, ..
            } => "white",
            Report::Press {
                by: Color::Black, ..
            } => "black",
            Report::Snapshot(_) => "snapshot",
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(
        kinds,
        [
            "hello", "change", "white", "change", "change", "black", "snapshot"
        ]
    );
    assert!(
        told[1..].windows(2).all(|pair| pair[0].at <= pair[1].at),
        "{told:?}"
    );
    assert!(told[1].at.0 >= 2_300 && told[5].at.0 <= 9_200, "{told:?}");
    assert_eq!(table.reads(), after(&two_plies()));
}

#[test]
fn a_board_that_lost_its_power_tells_what_stands_on_it() {
    let mut table = Table::new(&config(), two_plies(), LineNoise::default());
    table.run(3_000);
    table.plugged = false;
    table.run(5_000);
    table.board.reboot(table.now);
    table.run(9_000);
    let before = table.heard.len();
    table.plug();
    table.run(12_000);
    let changes = table.heard[before..]
        .iter()
        .filter(|e| matches!(e.report, Report::Changes(_)))
        .count();
    assert_eq!(
        changes, 0,
        "what it found when it was switched on is no doing of hands"
    );
    assert_eq!(table.reads(), after(&two_plies()));
}

#[test]
fn a_silent_board_is_a_fault_and_noise_is_another() {
    let mut host = Dgt::new(&Start::new(Instant::now()));
    let start = Instant::now();
    let mut run = |bytes: &[u8]| {
        let mut out = Outbox::default();
        host.open(start, &mut out);
        let mut now = start;
        while out.fault.is_none() {
            host.receive(now, bytes, &mut out);
            now = now.max(host.next_wake().expect("it waits for something"));
            host.wake(now, &mut out);
            assert!(now < start + Duration::from_secs(10));
        }
        out.fault
    };
    assert_eq!(run(&[]), Some(FaultReason::NoAnswer));
    assert_eq!(
        run(b"Hello, this is no chess board.\n"),
        Some(FaultReason::Garbage)
    );
}

#[test]
fn games_arrive_as_the_sensors_saw_them() {
    for seed in 0..6 {
        let game = games::pick(seed);
        let played = perform(
            &game.start,
            &game.moves[..40.min(game.moves.len())],
            Style::Tidy,
            seed,
            &[],
            &Options::default(),
        );
        let model = BoardKind::Dgt.profile().simulator.sensors;
        let script =
            Sensors::with(SensorClass::Piece, model(1), seed).read(&Board::new(), &played.acts);
        let end = script.last().expect("a game").at.0 + 5_000;
        let mut table = Table::new(&config(), script.clone(), LineNoise::default());
        table.run(end);
        let presses = script
            .iter()
            .filter(|e| matches!(e.report, Report::Press { .. }))
            .count();
        assert_eq!(
            (table.reads(), table.presses().len()),
            (after(&script), presses),
            "seed {seed}"
        );
        let colours: Vec<Color> = table.presses().iter().map(|press| press.0).collect();
        assert!(
            colours.windows(2).all(|pair| pair[0] != pair[1]),
            "seed {seed}: {colours:?}"
        );
    }
}
