//! An examination told what a link tells.

use arbiter_core::shakmaty::{Bitboard, Board, Color, Square};
use arbiter_core::{SensorClass, Symbol, Time};
use board_driver::{BoardClock, FaultReason, Level, RankLevels, TroubleCode};

use super::*;

struct Bed {
    now: Instant,
    board: Examination,
}

impl Bed {
    /// A board that has said who it is and how it stands.
    fn new() -> Bed {
        let now = Instant::now();
        let mut bed = Bed {
            now,
            board: Examination::new(now),
        };
        bed.up(1);
        bed.report(
            0,
            Report::Snapshot(SensorClass::Occupancy.reads(&Board::new())),
        );
        bed
    }

    fn up(&mut self, boot: u16) {
        let info = BoardInfo {
            serial: "T-1".to_owned(),
            sensor: SensorClass::Occupancy,
            clock: true,
            scan_ms: 0,
            polled: false,
            lamps: true,
            adjust: true,
            levels: true,
            map: false,
            self_test: false,
            pace: 1.0,
            boot,
        };
        let clock = BoardClock::new(self.now, Time(0), 1.0);
        self.board.hear(
            self.now,
            &LinkEvent::Up {
                kind: BoardKind::Native,
                info,
                clock,
                mark: None,
            },
        );
    }

    fn report(&mut self, at: u64, report: Report) {
        let clock = BoardClock::new(self.now, Time(0), 1.0);
        let event = BoardEvent {
            at: Time(at),
            report,
        };
        self.board.hear(
            self.now,
            &LinkEvent::Board {
                event,
                clock,
                mark: None,
            },
        );
    }

    /// The square changes so often, so many milliseconds apart, and stands as before.
    fn flicker(&mut self, square: Square, times: u64, apart: u64) {
        let reading = self.board.squares.reading.expect("a snapshot");
        let (is, other) = match reading.at(square) {
            Symbol::Empty => (Symbol::Empty, Symbol::Something),
            is => (is, Symbol::Empty),
        };
        for n in 0..times {
            let seen = if n % 2 == 0 { other } else { is };
            self.report(1_000 + n * apart, Report::Changes(vec![(square, seen)]));
        }
    }

    fn found(&self) -> Vec<(Weight, String)> {
        let found = self.board.findings(self.now);
        found
            .into_iter()
            .map(|finding| (finding.weight, finding.text))
            .collect()
    }

    #[track_caller]
    fn finds(&self, weight: Weight, words: &str) {
        let found = self.found();
        assert!(
            found
                .iter()
                .any(|(w, text)| *w == weight && text.contains(words)),
            "{words}: {found:?}"
        );
    }
}

#[test]
fn a_good_board_has_no_findings() {
    let mut bed = Bed::new();
    bed.flicker(Square::E2, 6, 100);
    bed.flicker(Square::D2, 100, 500);
    bed.report(
        60_000,
        Report::Press {
            by: Color::Black,
            white_ms: None,
            black_ms: None,
        },
    );
    bed.report(60_000, Report::Adjust { by: Color::White });
    assert_eq!(bed.found(), []);
    let Counts {
        changes,
        presses,
        adjusts,
        ..
    } = bed.board.counts;
    assert_eq!((changes, presses, adjusts), (106, [0, 1], [1, 0]));
}

#[test]
fn a_square_that_changes_too_often_chatters() {
    let mut bed = Bed::new();
    bed.flicker(Square::E4, CHATTER as u64, 100);
    bed.finds(Weight::Wrong, "e4 changed up to 8 times within a second");
    assert!(bed.board.is_doubtful(Square::E4) && !bed.board.is_doubtful(Square::E2));
    bed.board.again(bed.now);
    assert_eq!(bed.found(), []);
}

#[test]
fn the_walk_takes_a_piece_over_all_squares() {
    let mut bed = Bed::new();
    assert_eq!(bed.board.unwalked(), Bitboard::FULL);
    for square in Square::ALL {
        assert!(bed.board.unwalked().contains(square));
        bed.flicker(square, 2, 400);
        assert!(!bed.board.unwalked().contains(square));
    }
    assert!(bed.board.unwalked().is_empty());
}

#[test]
fn what_a_board_said_of_its_sensors_is_not_forgotten_when_it_is_over() {
    let mut bed = Bed::new();
    let trouble = Trouble::new(TroubleCode::NO_ANSWER, 0x22);
    let ill = Condition {
        stuck: Square::A5.into(),
        unsteady: Square::E4.into(),
        failed_scans: 7,
        trouble,
    };
    bed.report(1_000, Report::Condition(ill));
    bed.finds(Weight::Wrong, "a5 cannot be read");
    bed.finds(Weight::Wrong, "e4 flickers");
    bed.finds(Weight::Wrong, "0x22 does not answer");
    assert_eq!(bed.found().len(), 3);
    bed.report(
        2_000,
        Report::Condition(Condition {
            failed_scans: 9,
            ..Condition::default()
        }),
    );
    bed.finds(Weight::Wrong, "a5 could not be read for some time");
    bed.finds(Weight::Wrong, "e4 flickered for some time");
    bed.finds(
        Weight::Wrong,
        "for some time, the chip at address 0x22 does not answer",
    );
    bed.board.again(bed.now);
    assert_eq!(bed.found(), []);
    bed.report(
        3_000,
        Report::Condition(Condition {
            failed_scans: 12,
            ..Condition::default()
        }),
    );
    bed.finds(Weight::Notice, "3 scans failed");
}

#[test]
fn lines_that_break_lose_and_damage() {
    let mut bed = Bed::new();
    bed.board
        .hear(bed.now, &LinkEvent::Down(FaultReason::Silent));
    bed.finds(Weight::Wrong, "gone silent");
    bed.up(2);
    bed.finds(
        Weight::Wrong,
        "the line broke once; at last: the board has gone silent",
    );
    bed.finds(Weight::Wrong, "the board was started anew once");
    bed.report(1, Report::Lost { count: 3 });
    bed.finds(Weight::Wrong, "3 reports were lost");
    let damaged = |damaged| {
        LinkEvent::Trouble(LineTrouble {
            damaged,
            ..LineTrouble::default()
        })
    };
    bed.board.hear(bed.now, &damaged(2));
    bed.finds(Weight::Notice, "2 damaged messages");
    bed.board.hear(bed.now, &damaged(2));
    bed.finds(Weight::Wrong, "4 damaged messages");
    (0..1_000).for_each(|at| bed.report(at, Report::Alive));
    bed.finds(Weight::Notice, "4 damaged messages");
}

#[test]
fn nothing_heard_is_a_finding() {
    let now = Instant::now();
    let board = Examination::new(now);
    assert_eq!(
        board.findings(now),
        [Finding::wrong("nothing was heard of a board")]
    );
}

#[test]
fn levels_that_leave_no_room() {
    let mut bed = Bed::new();
    let level = |now| Level {
        zero: 2048,
        now,
        noise: 6,
    };
    let good = RankLevels {
        rank: 3,
        on: 200,
        off: 120,
        squares: [0, 10, -15, 500, -520, 260, 0, 0].map(level),
    };
    bed.report(0, Report::Levels(good));
    assert_eq!(bed.found(), []);
    let mut bad = good;
    bad.squares = [0, 70, 150, 500, -520, -210, 0, 0].map(level);
    bad.squares[0].noise = 80;
    bad.squares[7].zero = 2148;
    bed.report(0, Report::Levels(bad));
    bed.finds(Weight::Wrong, "the noise of a4 (up to 80 counts)");
    bed.finds(Weight::Wrong, "c4 read neither a piece nor an empty square");
    bed.finds(Weight::Notice, "b4 read far from zero");
    bed.finds(Weight::Notice, "the pieces on f4 are read weakly");
    bed.finds(Weight::Notice, "the zeros of h4 move");
    let weakest = bed.board.levels.weakest().expect("a piece");
    assert_eq!(
        (weakest.square, weakest.level.now, bed.board.levels.noise()),
        (Square::F4, -210, 80)
    );
    let strongest = bed.board.levels.strongest().expect("a piece");
    assert_eq!((strongest.square, strongest.level.now), (Square::E4, -520));
    assert_eq!(
        (bed.board.levels.drift(), bed.board.levels.is_known()),
        (100, false)
    );
}
