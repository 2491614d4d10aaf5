//! What a simulated DGT board writes looks like what real ones wrote: figures from three published
//! recordings of games (github.com/arnsholt/dgtdriver, `src/test/resources`), 199 half-moves with
//! 36 captures and six castlings.

#![cfg(feature = "simulators")]

use std::time::{Duration, Instant};

use arbiter_core::shakmaty::{Board, Color, Role, Square};
use arbiter_core::{SensorClass, Symbol, Time};
use board_driver::hand::{Act, Deed, Options, Performance, Style, games, perform};
use board_driver::noise::Sensors;
use board_driver::sim::{BoardSim, SimConfig};
use board_driver::{BoardEvent, BoardKind, Report};

/// A square's number, 0 at a8, and its piece's code, 0 for none.
type Update = (u8, u8);

/// A game by hands, and the sensors' account of it.
fn played(seed: u64) -> (Performance, Vec<BoardEvent>) {
    let game = games::pick(seed);
    let options = Options::default();
    let played = perform(&game.start, &game.moves, Style::Human, seed, &[], &options);
    let model = (BoardKind::Dgt.profile().simulator.sensors)(1);
    let mut sensors = Sensors::with(SensorClass::Piece, model, seed);
    let script = sensors.read(&Board::new(), &played.acts);
    (played, script)
}

/// The field updates that a board writes while that happens.
fn updates(script: Vec<BoardEvent>) -> Vec<Update> {
    let start = Instant::now();
    let end = start + Duration::from_millis(script.last().map_or(0, |event| event.at.0) + 5_000);
    let config = SimConfig {
        kind: BoardKind::Dgt,
        ..SimConfig::new("unused", "01025", SensorClass::Piece)
    };
    let mut board = BoardSim::new(&config, 1, start, script.into_iter()).expect("a board");
    // Out of the bus; all changes; the squares.
    board.receive(start, &[0x4d, 0x4b, 0x42]);
    let (mut now, mut updates) = (start, Vec::new());
    while now < end {
        while let Some(frame) = board.next_frame(now) {
            updates.extend((frame[0] == 0x8e).then(|| (frame[3], frame[4])));
        }
        now = board
            .next_wake()
            .max(now + Duration::from_millis(1))
            .min(end);
        board.wake(now);
    }
    updates
}

/// The codes of the initial position, from a8.
fn array() -> [u8; 64] {
    let mut codes = [0; 64];
    codes[..8].copy_from_slice(&[8, 9, 10, 12, 11, 10, 9, 8]);
    codes[8..16].fill(7);
    codes[48..56].fill(1);
    codes[56..].copy_from_slice(&[2, 3, 4, 6, 5, 4, 3, 2]);
    codes
}

#[derive(Default)]
struct Figures {
    /// Pieces put down where another stood a moment ago, and on squares that were never seen empty.
    captures: u32,
    overwritten: u32,
    /// Captured pieces that showed on a neighbouring square.
    swept: u32,
    /// A square told as it was.
    repeated: u32,
    /// More of a kind of piece than there are.
    doubled: u32,
}

impl Figures {
    fn count(&mut self, played: &Performance, updates: &[Update]) {
        let mut squares = array();
        let most = |code: u8, squares: &[u8; 64]| squares.iter().filter(|c| **c == code).count();
        let is_white = |code: u8| (1..=6).contains(&code);
        for (n, &(square, code)) in updates.iter().enumerate() {
            let before = std::mem::replace(&mut squares[usize::from(square)], code);
            self.repeated += u32::from(before == code);
            if code == 0 {
                continue;
            }
            // Pawns become other pieces; nobody has a second king.
            let limit = if matches!(code, 1 | 7) {
                8
            } else {
                most(code, &array())
            };
            let is_new = played.truth.moves.iter().any(|mv| mv.promotion().is_some());
            self.doubled += u32::from(!is_new && most(code, &squares) > limit);
            if before == 0 {
                continue;
            }
            if is_white(before) != is_white(code) {
                self.overwritten += 1;
                let shows = |&(at, seen): &Update| seen == before && distance(at, square) == 1;
                self.swept += u32::from(updates[n + 1..].iter().take(3).any(shows));
            }
        }
        self.captures += captures(played);
    }
}

fn captures(played: &Performance) -> u32 {
    let is_capture = |turn: &&board_driver::hand::Turn| turn.mv.is_capture();
    played.turns.iter().filter(is_capture).count() as u32
}

fn distance(a: u8, b: u8) -> u8 {
    (a / 8).abs_diff(b / 8).max((a % 8).abs_diff(b % 8))
}

#[test]
fn captures_are_seen_as_real_boards_saw_them() {
    let mut figures = Figures::default();
    for seed in 0..12 {
        let (played, script) = played(seed);
        assert!(
            played
                .acts
                .iter()
                .any(|act| matches!(act.deed, Deed::Press { .. }))
        );
        figures.count(&played, &updates(script));
    }
    let Figures {
        captures,
        overwritten,
        swept,
        repeated,
        doubled,
    } = figures;
    assert!(captures > 100, "{captures}");
    let of_captures = |n: u32| f64::from(n) / f64::from(captures);
    // 25 of 36 were overwritten, and 5 of 36 swept over a neighbour.
    let words = format!("{overwritten} and {swept} of {captures}");
    assert!((0.55..0.85).contains(&of_captures(overwritten)), "{words}");
    assert!((0.05..0.25).contains(&of_captures(swept)), "{words}");
    // Never told twice, and no piece on two squares.
    assert_eq!((repeated, doubled), (0, 0));
}

/// A square that is left is seen empty, though another piece comes to it soon: nobody captured
/// anything there.
#[test]
fn only_captures_hide_that_a_square_was_left() {
    let (white, black) = (Color::White, Color::Black);
    let king = (Square::E8, Square::G8, Role::King.of(black));
    let knight = (Square::E5, Square::F3, Role::Knight.of(white));
    // The rook follows the king; a black pawn follows the white knight.
    for ((from, to, piece), next) in [(king, Role::Rook.of(black)), (knight, Role::Pawn.of(black))]
    {
        let acts = [
            (1_000, Deed::LiftPiece(from, piece)),
            (1_100, Deed::PlacePiece(to, piece)),
            (2_500, Deed::PlacePiece(from, next)),
        ]
        .map(|(at, deed)| Act { at: Time(at), deed });
        let mut start = Board::empty();
        start.set_piece_at(from, piece);
        for seed in 0..40 {
            let model = (BoardKind::Dgt.profile().simulator.sensors)(1);
            let told = Sensors::with(SensorClass::Piece, model, seed).read(&start, &acts);
            let is_left = |event: &BoardEvent| {
                matches!(&event.report, Report::Changes(changes)
                    if changes.contains(&(from, Symbol::Empty)))
            };
            assert!(told.iter().any(is_left), "{from}, seed {seed}: {told:?}");
        }
    }
}
