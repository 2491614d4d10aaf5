//! A host and a board that keeps little, over a line that loses nothing unless it is told to.

use std::time::{Duration, Instant};

use arbiter_core::shakmaty::{Color, Square};
use arbiter_core::{Reading, Symbol};
use board_driver::protocol::{Native, Outbox, Protocol, Start};
use board_driver::{Command, FaultReason, Mark, Report};
use board_wire::device::{Device, Identity};
use board_wire::frame::Damage;
use board_wire::{Capabilities, ClockBits, ClockFace, Layout, Ring, Sensor, Serial, Side, Writer};

/// A host, and a board that keeps little.
struct Pair {
    now: Instant,
    /// The board's clock, in milliseconds.
    ms: u32,
    board: Device<Ring<512>>,
    host: Native,
    out: Outbox,
}

fn identity() -> Identity {
    Identity {
        boot: 9,
        serial: Serial::new(b"T-2").expect("printable"),
        sensor: Sensor::Occupancy,
        capabilities: Capabilities::LAMPS,
        pace: 1_000,
        firmware: "",
    }
}

impl Pair {
    fn new() -> Pair {
        let now = Instant::now();
        let board = Device::new(identity(), 0, [board_wire::Symbol::EMPTY; 64]);
        Pair {
            now,
            ms: 0,
            board,
            host: Native::new(&Start::new(now), 0),
            out: Outbox::default(),
        }
    }

    /// A host that has taken all evidence before `resume` in an earlier run of the program, when
    /// the squares read `stood`.
    fn resumed(resume: Mark, stood: Option<Reading>) -> Pair {
        let mut pair = Pair::new();
        let start = Start {
            resume: Some(resume),
            stood,
            ..Start::new(pair.now)
        };
        pair.host = Native::new(&start, 0);
        pair
    }

    /// Carries everything there is to carry, and gives what was reported.
    fn exchange(&mut self) -> Vec<Report> {
        loop {
            self.board
                .receive(self.ms, &std::mem::take(&mut self.out.send), |_| {});
            let Some(frame) = self.board.next_frame(self.ms) else {
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
    let mut pair = Pair::new();
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

#[test]
fn the_name_of_the_firmware_is_told_once_the_board_is_known() {
    let mut pair = Pair::new();
    let identity = Identity {
        firmware: "pair 1.2.3",
        ..identity()
    };
    pair.board = Device::new(identity, 0, [board_wire::Symbol::EMPTY; 64]);
    pair.host.open(pair.now, &mut pair.out);
    let told = pair.exchange();
    assert!(matches!(told[0], Report::Hello(_)), "{told:?}");
    let named = |report: &&Report| **report == Report::Firmware("pair 1.2.3".to_owned());
    assert_eq!(told.iter().filter(named).count(), 1, "{told:?}");
}

#[test]
fn a_flag_that_falls_is_told_once_and_none_of_a_game_before() {
    let mut pair = Pair::new();
    let shows = |pair: &mut Pair, bits: &[ClockBits]| -> Vec<Color> {
        let bits = bits
            .iter()
            .fold(ClockBits::SPEAKS, |all, bit| all.with(*bit, true));
        pair.board.clock(ClockFace {
            bits,
            ..ClockFace::default()
        });
        pair.board.heartbeat();
        let fallen = |report| match report {
            Report::FlagFall { by } => Some(by),
            _ => None,
        };
        pair.exchange().into_iter().filter_map(fallen).collect()
    };
    pair.host.open(pair.now, &mut pair.out);
    pair.exchange();
    let [white, black] = [ClockBits::WHITE_FELL, ClockBits::BLACK_FELL];
    assert_eq!(shows(&mut pair, &[white]), [], "of the game before");
    assert_eq!(shows(&mut pair, &[]), []);
    assert_eq!(shows(&mut pair, &[black]), [Color::Black]);
    assert_eq!(shows(&mut pair, &[black]), []);
    assert_eq!(shows(&mut pair, &[black, white]), [Color::White]);
    // A clock that is gone, and comes back as it fell.
    pair.board.clock(ClockFace::default());
    assert_eq!(pair.exchange().len(), 0);
    assert_eq!(shows(&mut pair, &[black]), []);
}

/// A later version's message is no damage.
#[test]
fn a_kind_that_nobody_knows_is_passed_over() {
    struct Unknown;
    impl Layout for Unknown {
        fn write(&self, body: &mut Writer) {
            body.bytes(&[0x7e, 1, 2, 3]);
        }
        fn read(_: &[u8]) -> Result<Unknown, Damage> {
            Err(Damage::UnknownKind(0x7e))
        }
    }
    let mut pair = Pair::new();
    pair.host.open(pair.now, &mut pair.out);
    pair.exchange();
    let frame = board_wire::encode(&Unknown);
    pair.host.receive(pair.now, frame.as_bytes(), &mut pair.out);
    assert_eq!((pair.out.trouble.damaged, pair.out.fault), (0, None));
}

fn white_ms(report: &Report) -> Option<u64> {
    match report {
        Report::Press { white_ms, .. } => *white_ms,
        _ => None,
    }
}

#[test]
fn a_board_that_does_not_repeat_itself_is_given_up() {
    let mut pair = Pair::new();
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
    let next = |mut pair: Pair| {
        for n in 0..5 {
            pair.board.press(n, Side::White, Some(n), None);
        }
        pair.host.open(pair.now, &mut pair.out);
        pair.exchange()
            .iter()
            .filter_map(white_ms)
            .collect::<Vec<u64>>()
    };
    let mark = |boot, next| Pair::resumed(Mark { boot, next }, Some(Reading::EMPTY));
    assert_eq!(
        next(Pair::new()),
        Vec::<u64>::new(),
        "a new host begins with the snapshot"
    );
    assert_eq!(next(mark(9, 3)), [2, 3, 4]);
    assert_eq!(
        next(mark(8, 3)),
        [0, 1, 2, 3, 4],
        "another run is heard from its start"
    );
    assert_eq!(
        next(mark(9, 300)),
        [0, 1, 2, 3, 4],
        "so is one that counts less than we heard"
    );
    assert_eq!(
        next(Pair::resumed(Mark { boot: 8, next: 3 }, None)),
        Vec::<u64>::new(),
        "but not when nobody knows what stood there"
    );
}

/// What is told of a run in which a piece came to stand on e4 and was taken away again, with a
/// press before, between and after, by a host that knew the board to read `stood`. The run is `ms`
/// old.
fn told_of_a_new_run(stood: Reading, ms: u32) -> Vec<Report> {
    let e4 = || board_wire::Square::new(28).expect("a square");
    let something = board_wire::Symbol::SOMETHING;
    let mut pair = Pair::resumed(Mark { boot: 8, next: 3 }, Some(stood));
    pair.board.press(1, Side::White, Some(1), None);
    pair.board.change(2, &[(e4(), something)]);
    pair.board.press(3, Side::Black, Some(3), None);
    pair.board.change(4, &[(e4(), board_wire::Symbol::EMPTY)]);
    pair.board.snapshot(5);
    pair.board.press(6, Side::White, Some(6), None);
    pair.ms = ms;
    pair.host.open(pair.now, &mut pair.out);
    pair.exchange()
}

fn presses(told: &[Report]) -> Vec<u64> {
    told.iter().filter_map(white_ms).collect()
}

/// What others have played on a board that was started anew, before the game goes on.
#[test]
fn evidence_of_a_new_run_counts_from_the_last_known_position_on() {
    let told = |stood| told_of_a_new_run(stood, 60_000);
    let lifted = Report::Changes(vec![(Square::E4, Symbol::Empty)]);

    let as_it_stands = told(Reading::EMPTY);
    assert_eq!(as_it_stands[1], lifted, "{as_it_stands:?}");
    assert_eq!(presses(&as_it_stands), [6], "it came to stand so twice");

    let mut on_e4 = Reading::EMPTY;
    on_e4.set(Square::E4, Symbol::Something);
    assert_eq!(presses(&told(on_e4)), [3, 6]);

    let mut elsewhere = Reading::EMPTY;
    elsewhere.set(Square::E5, Symbol::Something);
    assert_eq!(
        told(elsewhere)[1..],
        [Report::Lost { count: 7 }, Report::Snapshot(Reading::EMPTY)],
        "nobody knows whose game that was"
    );
}

/// In a few seconds no game is played and set up again, whatever stands.
#[test]
fn all_evidence_of_a_restart_counts() {
    let told = told_of_a_new_run(Reading::EMPTY, 3_000);
    assert_eq!(presses(&told), [1, 3, 6], "{told:?}");
    let told = told_of_a_new_run(Reading::EMPTY, 8_000);
    assert_eq!(presses(&told), [6], "{told:?}");

    let mut elsewhere = Reading::EMPTY;
    elsewhere.set(Square::E5, Symbol::Something);
    let told = told_of_a_new_run(elsewhere, 3_000);
    assert_eq!(told[1], Report::Snapshot(Reading::EMPTY), "{told:?}");
    assert_eq!(presses(&told), [1, 3, 6], "{told:?}");
}

/// The lever went down in the moment of the restart, and the board told it before it had read a
/// square.
#[test]
fn a_press_before_the_first_picture_of_a_restart_counts() {
    let mut pair = Pair::resumed(Mark { boot: 8, next: 3 }, Some(Reading::EMPTY));
    pair.board = Device::unread(Ring::new(), identity());
    pair.board.press(1, Side::White, Some(1), None);
    pair.board.scan(9, &[board_wire::Symbol::EMPTY; 64]);
    pair.ms = 10;
    pair.host.open(pair.now, &mut pair.out);
    let told = pair.exchange();
    assert_eq!(presses(&told), [1], "{told:?}");
}

#[test]
fn silence_is_a_fault() {
    let mut pair = Pair::new();
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
    let mut pair = Pair::new();
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

#[test]
fn a_board_is_told_what_is_kept_and_not_what_has_come() {
    let mut pair = Pair::new();
    pair.host.open(pair.now, &mut pair.out);
    pair.exchange();
    pair.board.press(1, Side::White, None, None);
    pair.board.press(2, Side::Black, None, None);
    pair.board.heartbeat();
    assert!(pair.exchange().len() >= 3);
    assert_eq!(pair.board.unacknowledged(), 4, "nobody has kept anything");
    let mut keep = |boot, next| {
        let mark = Mark { boot, next };
        pair.host
            .command(pair.now, Command::Acknowledge(mark), &mut pair.out);
        pair.exchange();
        pair.board.unacknowledged()
    };
    assert_eq!(keep(9, 3), 1);
    assert_eq!(keep(9, 2), 1, "an older word");
    assert_eq!(keep(8, 4), 1, "another run's");
    pair.host.command(
        pair.now,
        Command::Acknowledge(Mark { boot: 9, next: 4 }),
        &mut pair.out,
    );
    pair.out.send.clear();
    assert_eq!(pair.board.unacknowledged(), 1, "that was lost");
    pair.board.heartbeat();
    pair.exchange();
    assert_eq!(pair.board.unacknowledged(), 0, "and is said again");
}

#[test]
fn what_was_kept_by_an_earlier_run_of_the_program_is_acknowledged() {
    let mut pair = Pair::resumed(Mark { boot: 9, next: 1 }, Some(Reading::EMPTY));
    pair.host.open(pair.now, &mut pair.out);
    pair.exchange();
    pair.board.heartbeat();
    pair.exchange();
    assert_eq!(
        pair.board.unacknowledged(),
        1,
        "the snapshot just asked for"
    );
}
