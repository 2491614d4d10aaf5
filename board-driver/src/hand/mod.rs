//! A simulated human: plays a game's moves with hands, over a board, beside a clock. Seeded.
//!
//! What comes out is the physical truth, moment by moment; [`crate::noise`] turns it into what
//! sensors report.

mod act;
mod again;
mod astray;
mod breach;
mod castle;
mod castling;
mod course;
mod departure;
mod fidget;
pub mod games;
mod illegal;
mod manner;
mod moves;
mod plan;
mod play;
mod sign;
mod start;
mod table;

use arbiter_core::irregularity::Code;
use arbiter_core::ruling::GameResult;
use arbiter_core::shakmaty::{Board, Chess, Color, Move, Position, uci::UciMove};
use arbiter_core::time::Millis;
use serde::Serialize;

use crate::random::Random;
pub use act::{Act, Deed};
pub use departure::{Departure, Wish};
use manner::Manner;
pub use manner::Style;
use plan::Plan;
use start::Start;
use table::Table;

/// Every breach that hands can commit.
pub const BREACHES: [Code; 11] = [
    Code::TouchMoveOwnPiece,
    Code::TouchMoveOpponentPiece,
    Code::TouchMoveBothColours,
    Code::CastlingNotCompleted,
    Code::CastlingRookFirst,
    Code::PromotionChoiceChanged,
    Code::ReleasedPieceMovedAgain,
    Code::PieceDisplaced,
    Code::IllegalMove,
    Code::PawnNotPromoted,
    Code::ClockPressedWithoutMove,
];

/// What surrounds the game.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Whether the players press a clock.
    pub clock: bool,
    /// Milliseconds from the opponent's press to the first touch, from and to; `None` = as the
    /// style has it.
    pub think: Option<(Millis, Millis)>,
    /// Whether one move in fifty takes up to a minute.
    pub long_thinks: bool,
    /// Whether the players put their kings on the centre squares to show the result.
    pub kings_sign: bool,
    /// The result of the game.
    pub result: GameResult,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            clock: true,
            think: None,
            long_thinks: false,
            kings_sign: false,
            result: GameResult::Open,
        }
    }
}

/// A game as it was performed.
#[derive(Clone, Debug)]
pub struct Performance {
    /// What stood on the board before, as the board names its squares.
    pub start: Board,
    /// Everything that happened, in order of time.
    pub acts: Vec<Act>,
    /// What was really played and broken.
    pub truth: Truth,
    /// Where each ply began. Those of a second game follow those of the first.
    pub turns: Vec<Turn>,
    /// What was asked for, and by which ply, and could not be done in this game.
    pub left_out: Vec<(Wish, u32)>,
}

/// A player's turn.
#[derive(Clone, Debug)]
pub struct Turn {
    /// How much had happened before.
    pub acts: usize,
    /// The position that stood then, legal or not.
    pub position: Chess,
    /// What was played.
    pub mv: Move,
}

/// What was really played and broken.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Truth {
    /// The moves of the game; from-to for an illegal one that stands.
    pub moves: Vec<UciMove>,
    /// Its result.
    pub result: GameResult,
    /// The breaches that were committed.
    pub breaches: Vec<Breach>,
    /// What was wrong and put right before it mattered: it may have been told until then.
    pub put_right: Vec<Breach>,
    /// Where hands left the script, and how.
    pub departures: Vec<(Departure, u32)>,
    /// The game that was played after it on the same board, if one was.
    pub next: Option<Box<Truth>>,
}

/// A breach of the Laws and where it was committed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Breach {
    /// Which.
    pub code: Code,
    /// The half-move it belongs to; 1 is the first of the game.
    pub ply: u32,
    /// Who committed it.
    #[serde(serialize_with = "colour")]
    pub by: Color,
}

fn colour<S: serde::Serializer>(by: &Color, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(by.fold_wb("white", "black"))
}

/// A player's hands at the table; both players share one, since nothing here depends on whose they
/// are.
struct Hand {
    table: Table,
    random: Random,
    manner: &'static Manner,
    options: Options,
    turns: Vec<Turn>,
}

/// Plays `moves` from `start` by hand. Equal arguments give equal performances.
///
/// `moves` must be legal; play ends before the first that is not. A breach is committed at its ply,
/// or at the first later one where the position allows it.
pub fn perform(
    start: &Chess,
    moves: &[Move],
    style: Style,
    seed: u64,
    breaches: &[(Code, u32)],
    options: &Options,
) -> Performance {
    let wishes: Vec<(Wish, u32)> = breaches
        .iter()
        .map(|&(code, ply)| (code.into(), ply))
        .collect();
    perform_with(start, moves, style, seed, &wishes, options)
}

/// The same with departures from the script among the wishes. After one of them other moves are
/// played where the game's own no longer fit.
pub fn perform_with(
    start: &Chess,
    moves: &[Move],
    style: Style,
    seed: u64,
    wishes: &[(Wish, u32)],
    options: &Options,
) -> Performance {
    let mut hand = Hand::new(start, moves.len(), style, seed, options);
    let mut wishes = wishes.to_vec();
    let (begins, wished) = hand.begin_with(start, &mut wishes);
    let before = begins.board.clone();
    let mut truth = hand.game(&begins, moves, &mut wishes);
    if let Some(departure) = wished {
        truth.departures.insert(0, (departure, 1));
    }
    if let Some(code) = begins.breach {
        let by = start.turn();
        let breach = Breach { code, ply: 1, by };
        if begins.is_put_right() {
            truth.put_right.push(breach);
        } else {
            truth.breaches.insert(0, breach);
        }
    }
    if options.kings_sign {
        hand.show_result();
    }
    let mut performance = hand.finish(before, truth, wishes);
    performance.start = start::turned(&performance.start, begins.turned);
    start::turn_acts(&mut performance.acts, begins.turned);
    performance
}

/// Plays two games on one board with nothing between that says how the first ended: its pieces are
/// set up again by hand. Both begin from the start of their own moves.
pub fn perform_two(
    first: &games::Game,
    second: &games::Game,
    style: Style,
    seed: u64,
    options: &Options,
) -> Performance {
    let plies = first.moves.len() + second.moves.len();
    let mut hand = Hand::new(&first.start, plies, style, seed, options);
    let mut truth = hand.game(&Start::right(&first.start), &first.moves, &mut Vec::new());
    truth.result = GameResult::Open;
    hand.set_up_again(second.start.board());
    let mut next = hand.game(&Start::right(&second.start), &second.moves, &mut Vec::new());
    next.result = GameResult::Open;
    truth.next = Some(Box::new(next));
    hand.finish(first.start.board().clone(), truth, Vec::new())
}

impl Hand {
    fn new(start: &Chess, plies: usize, style: Style, seed: u64, options: &Options) -> Hand {
        let manner = style.manner();
        let clock = options.clock.then_some(manner.control);
        Hand {
            table: Table::new(start.board().clone(), clock, plies),
            random: Random::new(seed, 2),
            manner,
            options: *options,
            turns: Vec::with_capacity(plies),
        }
    }

    fn finish(self, start: Board, truth: Truth, left_out: Vec<(Wish, u32)>) -> Performance {
        Performance {
            start,
            acts: self.table.finish(),
            truth,
            turns: self.turns,
            left_out,
        }
    }

    fn wait(&mut self, span: (u64, u64)) {
        let ms = self.random.span(span);
        self.table.wait(ms);
    }

    /// One player's turn, from the first touch to the hand on its way to the clock.
    fn turn(&mut self, by: Color, mv: Move, legal: &[Move]) {
        let early = self.begin();
        if !early {
            self.adjust(by);
            self.straighten_idle(by, legal);
        }
        self.play(by, mv, early);
        self.knock(mv.to());
        self.topple(mv.to());
        self.press_after(by);
    }

    /// A turn with a breach in it. It begins after the opponent's press, with nothing else to
    /// confuse it.
    fn breach_turn(&mut self, by: Color, mv: Move, plan: Plan) {
        self.table.settle();
        self.wait((800, 3_000));
        self.commit(by, mv, plan);
    }

    /// A turn in which nothing is handled but the move.
    fn plain_turn(&mut self, by: Color, mv: Move) {
        let early = self.begin();
        self.play(by, mv, early);
        self.press_after(by);
    }

    /// The hand sets out for the clock.
    fn press_after(&mut self, by: Color) {
        let reach = self.random.span(self.manner.press);
        self.table.reach(by, reach);
    }

    /// Waits for the opponent's press and thinks; true when the reply begins before the press.
    fn begin(&mut self) -> bool {
        let left = self.table.reach_left();
        let soonest = self.manner.soonest;
        if left > soonest + 50 && self.random.chance(self.manner.early) {
            self.wait((soonest, left - 1));
            return true;
        }
        self.table.settle();
        self.wait(self.options.think.unwrap_or(self.manner.think));
        if self.options.long_thinks && self.random.chance(20) {
            self.wait((6_000, 54_000));
        }
        false
    }
}
