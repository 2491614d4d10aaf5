//! What the contact filter lets through, and what becomes of the rest.

use alloc::vec::Vec;

use shakmaty::{Bitboard, Board, Color, Piece, Role, Square};

use crate::said::symbol::{Reading, SensorClass, Symbol};
use crate::said::time::{Millis, Time};
use crate::sense::changes::{ChangeLog, SquareChange};
use crate::sense::contacts::Contacts;
use crate::sense::trust::{LATEST, ScanWindow};

const START: Time = Time(1_000);
const MINIMUM_CONTACT: Millis = 120;
const PAWN: Symbol = Symbol::Piece(Piece {
    color: Color::White,
    role: Role::Pawn,
});
const KNIGHT: Symbol = Symbol::Piece(Piece {
    color: Color::Black,
    role: Role::Knight,
});
const EMPTY: Symbol = Symbol::Empty;

/// A board that reads nothing but `symbol` on e4.
fn board_with(symbol: Symbol) -> Contacts {
    let mut reading = Reading::EMPTY;
    reading.set(Square::E4, symbol);
    Contacts::new(SensorClass::Piece, &reading, START, MINIMUM_CONTACT)
}

fn after(first: Symbol, changes: &[(u64, Symbol)]) -> Contacts {
    let mut contacts = board_with(first);
    for &(at, symbol) in changes {
        contacts.change(Time(at), Square::E4, symbol);
    }
    contacts
}

/// What one square reads, and what is made of it.
struct Case {
    name: &'static str,
    first: Symbol,
    changes: &'static [(u64, Symbol)],
    facts: &'static [(u64, Symbol)],
    /// Since when the square has its present state.
    since: u64,
    flickered: Option<u64>,
    glimpsed: bool,
}

const CASES: [Case; 9] = [
    Case {
        name: "full-empty-full keeps the first full",
        first: PAWN,
        changes: &[(2_000, EMPTY), (2_119, PAWN)],
        facts: &[],
        since: 1_000,
        flickered: Some(2_119),
        glimpsed: false,
    },
    Case {
        name: "empty for a minimum contact is a lift",
        first: PAWN,
        changes: &[(2_000, EMPTY), (2_120, PAWN)],
        facts: &[(2_000, EMPTY), (2_120, PAWN)],
        since: 2_120,
        flickered: None,
        glimpsed: false,
    },
    Case {
        name: "empty-full-empty keeps the first empty with its time",
        first: EMPTY,
        changes: &[(2_000, PAWN), (2_119, EMPTY)],
        facts: &[],
        since: 1_000,
        flickered: None,
        glimpsed: true,
    },
    Case {
        name: "full for a minimum contact is a stay",
        first: EMPTY,
        changes: &[(2_000, PAWN), (2_120, EMPTY)],
        facts: &[(2_000, PAWN), (2_120, EMPTY)],
        since: 2_120,
        flickered: None,
        glimpsed: false,
    },
    Case {
        name: "another piece that comes at once is a fact",
        first: PAWN,
        changes: &[(2_000, EMPTY), (2_010, KNIGHT)],
        facts: &[(2_000, EMPTY), (2_010, KNIGHT)],
        since: 2_010,
        flickered: None,
        glimpsed: false,
    },
    Case {
        name: "a piece exchanged without a gap is a fact",
        first: PAWN,
        changes: &[(2_000, KNIGHT)],
        facts: &[(2_000, KNIGHT)],
        since: 2_000,
        flickered: None,
        glimpsed: false,
    },
    Case {
        name: "a lift that bounces is the first lift",
        first: PAWN,
        changes: &[
            (2_000, EMPTY),
            (2_010, PAWN),
            (2_020, EMPTY),
            (2_040, PAWN),
            (2_070, EMPTY),
        ],
        facts: &[(2_000, EMPTY)],
        since: 2_000,
        flickered: Some(2_040),
        glimpsed: false,
    },
    Case {
        name: "a lift long after a flicker is a lift of its own",
        first: PAWN,
        changes: &[(2_000, EMPTY), (2_010, PAWN), (2_130, EMPTY)],
        facts: &[(2_130, EMPTY)],
        since: 2_130,
        flickered: Some(2_010),
        glimpsed: false,
    },
    Case {
        name: "what reads as before is no change",
        first: PAWN,
        changes: &[(2_000, PAWN)],
        facts: &[],
        since: 1_000,
        flickered: None,
        glimpsed: false,
    },
];

#[test]
fn a_stay_shorter_than_the_minimum_contact_between_two_equal_ones_is_no_fact() {
    for case in &CASES {
        let contacts = after(case.first, case.changes);
        let facts: Vec<_> = contacts.log().iter().map(|c| (c.at.0, c.symbol)).collect();
        assert_eq!(facts, case.facts, "{}", case.name);
        assert_eq!(contacts.since(Square::E4).0, case.since, "{}", case.name);
        let flickered = contacts.flickered(Square::E4).map(|at| at.0);
        assert_eq!(flickered, case.flickered, "{}", case.name);
        let glimpsed = contacts.glimpsed(Square::E4, START);
        assert_eq!(glimpsed, case.glimpsed, "{}", case.name);
        let last = case.changes.last().map_or(case.first, |change| change.1);
        assert_eq!(contacts.planes().at(Square::E4), last, "{}", case.name);
    }
}

#[test]
fn a_square_was_lately_right_for_a_minimum_contact() {
    let mut pawn = Board::empty();
    pawn.set_piece_at(Square::E4, Color::White.pawn());
    let lifted = after(PAWN, &[(2_000, EMPTY)]);
    let glimpsed = after(EMPTY, &[(2_000, PAWN), (2_050, EMPTY)]);
    let right = |contacts: &Contacts, now| contacts.lately(Square::E4, &pawn, Time(now));
    assert_eq!(right(&lifted, 2_120), Some(START));
    assert_eq!(right(&lifted, 2_121), None);
    assert_eq!(right(&glimpsed, 2_170), Some(Time(2_000)));
    assert_eq!(right(&glimpsed, 2_171), None);
}

#[test]
fn changes_within_the_scan_window_have_no_order() {
    let window = ScanWindow::of(60);
    assert!(!window.is_before(Time(100), Time(160)));
    assert!(window.is_before(Time(100), Time(161)));
    assert!(!ScanWindow::AFTER_GAP.is_before(Time(100), Time(3_600_000)));
    assert!(ScanWindow::AFTER_GAP.hides_readings());
    assert!(!ScanWindow::of(LATEST).hides_readings());
}

#[test]
fn two_squares_were_empty_at_once_if_their_order_can_be_so() {
    let mut contacts = board_with(PAWN);
    contacts.change(Time(2_000), Square::E4, EMPTY);
    contacts.change(Time(3_000), Square::E4, PAWN);
    contacts.change(Time(2_500), Square::D4, PAWN);
    contacts.change(Time(3_050), Square::D4, EMPTY);
    contacts.change(Time(3_500), Square::D4, PAWN);
    let at_once = |start, window| {
        let window = ScanWindow::of(window);
        contacts.were_empty_at_once(Square::E4, Square::D4, Time(start), window)
    };
    // Both until 2.5 s; after that d4 was left 50 ms after e4 was filled.
    assert!(at_once(1_500, 0));
    assert!(!at_once(2_600, 49));
    assert!(at_once(2_600, 50));
}

/// Fills a log with a lift from d2, and then with `times` of a piece lifted from e2 and put back.
fn fidgeting(times: u64) -> ChangeLog {
    let mut log = ChangeLog::default();
    let mut push = |at, square, symbol| log.push(SquareChange { at, square, symbol });
    push(Time(1), Square::D2, EMPTY);
    for n in 0..times {
        push(Time(1_000 * n + 1_000), Square::E2, EMPTY);
        push(Time(1_000 * n + 1_500), Square::E2, PAWN);
    }
    log
}

#[test]
fn fidgeting_pushes_no_first_touch_out_of_the_log() {
    let log = fidgeting(1_000);
    let times = |n: usize| log.all()[n].at;
    assert_eq!((times(0), times(1)), (Time(1), Time(1_000)));
    assert_eq!(log.all().last().unwrap().at, Time(1_000_500));
    let between = log.lifted_between(Bitboard::from(Square::E2), Time(1), Time(1_000));
    assert!(between);
    assert!(log.all().is_sorted_by_key(|c| c.at));
}

#[test]
fn the_log_tells_what_stood_empty_when() {
    let mut log = fidgeting(2);
    let lifted_at = |log: &ChangeLog, at| log.lifted_at(Time(at), Time::ZERO);
    assert_eq!(
        lifted_at(&log, 1_200),
        Bitboard::from(Square::D2) | Bitboard::from(Square::E2)
    );
    assert_eq!(lifted_at(&log, 1_700), Bitboard::from(Square::D2));
    log.forget(Square::D2, Time(1));
    assert_eq!(lifted_at(&log, 1_700), Bitboard::EMPTY);
    log.prune(Time(1_500));
    assert_eq!(log.all().first().unwrap().at, Time(2_000));
}
