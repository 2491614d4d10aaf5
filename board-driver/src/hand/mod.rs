//! A simulated human: plays a game's moves with hands, over a board, beside a clock. Seeded.
//!
//! What comes out is the physical truth, moment by moment; [`crate::noise`] turns it into what
//! sensors report.

mod act;
mod breach;
mod castle;
mod castling;
mod fidget;
pub mod games;
mod manner;
mod moves;
mod plan;
mod sign;
mod table;

use arbiter_core::irregularity::Code;
use arbiter_core::ruling::GameResult;
use arbiter_core::shakmaty::{
    Chess, Color, EnPassantMode, Move, MoveList, Position, fen::Fen, uci::UciMove,
};
use arbiter_core::time::Millis;
use serde::Serialize;

use crate::random::Random;
pub use act::{Act, Deed};
use manner::Manner;
pub use manner::Style;
use plan::{Plan, Ply};
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
    /// Everything that happened, in order of time.
    pub acts: Vec<Act>,
    /// What was really played and broken.
    pub truth: Truth,
    /// Breaches that were asked for and could not be committed in this game.
    pub left_out: Vec<Breach>,
}

/// What was really played and broken.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Truth {
    /// The moves of the game.
    pub moves: Vec<UciMove>,
    /// Its result.
    pub result: GameResult,
    /// The breaches that were committed.
    pub breaches: Vec<Breach>,
}

/// A breach of the Laws and where it was committed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Breach {
    /// Which.
    pub code: Code,
    /// The half-move it belongs to; 1 is the first of the game.
    pub ply: u32,
}

impl Truth {
    /// The position after every move, as FEN.
    pub fn fens(&self, start: &Chess) -> Vec<String> {
        let mut position = start.clone();
        let mut after = |uci: &UciMove| {
            let mv = uci.to_move(&position).ok()?;
            position.play_unchecked(mv);
            Some(Fen::from_position(&position, EnPassantMode::Legal).to_string())
        };
        self.moves.iter().map_while(&mut after).collect()
    }
}

/// A player's hands at the table; both players share one, since nothing here depends on whose they
/// are.
struct Hand {
    table: Table,
    random: Random,
    manner: &'static Manner,
    options: Options,
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
    let mut hand = Hand::new(start, moves.len(), style, seed, options);
    let mut wishes: Vec<Breach> = breaches
        .iter()
        .map(|&(code, ply)| Breach { code, ply })
        .collect();
    let mut position = start.clone();
    let mut truth = Truth {
        moves: Vec::with_capacity(moves.len()),
        result: options.result,
        breaches: Vec::new(),
    };
    for (&mv, ply) in moves.iter().zip(1..) {
        let legal = position.legal_moves();
        if !legal.contains(&mv) {
            break;
        }
        let at = Ply {
            position: &position,
            legal: &legal,
            mv,
            clock: options.clock,
        };
        truth.breaches.extend(hand.make(&at, ply, &mut wishes));
        truth.moves.push(mv.to_uci(position.castles().mode()));
        position.play_unchecked(mv);
    }
    if options.kings_sign {
        hand.show_result();
    }
    Performance {
        acts: hand.table.finish(),
        truth,
        left_out: wishes,
    }
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
        }
    }

    /// Makes a ply's move, with a breach that was wished for if it can be. Says which.
    fn make(&mut self, at: &Ply<'_>, ply: u32, wishes: &mut Vec<Breach>) -> Option<Breach> {
        let by = at.position.turn();
        let Some((code, plan)) = self.choose(at, ply, wishes) else {
            self.turn(by, at.mv, at.legal);
            return None;
        };
        self.breach_turn(by, at.mv, plan);
        Some(Breach { code, ply })
    }

    fn wait(&mut self, span: (u64, u64)) {
        let ms = self.random.span(span);
        self.table.wait(ms);
    }

    /// The first breach that was wished for by this ply and can be committed here; it leaves the
    /// wishes.
    fn choose(&mut self, at: &Ply<'_>, ply: u32, wishes: &mut Vec<Breach>) -> Option<(Code, Plan)> {
        let random = &mut self.random;
        let mut due = wishes.iter().enumerate().filter(|(_, w)| w.ply <= ply);
        let (i, plan) = due.find_map(|(i, w)| Some((i, at.plan(w.code, random)?)))?;
        Some((wishes.remove(i).code, plan))
    }

    /// One player's turn, from the first touch to the hand on its way to the clock.
    fn turn(&mut self, by: Color, mv: Move, legal: &MoveList) {
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

    /// The hand sets out for the clock.
    fn press_after(&mut self, by: Color) {
        let reach = self.random.span(self.manner.press);
        self.table.reach(by, reach);
    }

    /// Waits for the opponent's press and thinks; true when the reply begins before the press.
    fn begin(&mut self) -> bool {
        let left = self.table.reach_left();
        if left > 150 && self.random.chance(self.manner.early) {
            self.wait((100, left - 1));
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
