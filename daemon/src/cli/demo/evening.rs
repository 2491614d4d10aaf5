//! A simulated board's evening: real games one after another, the pieces set up again by hand
//! between them.

use std::collections::VecDeque;
use std::ops::RangeInclusive;
use std::time::Instant;

use arbiter_core::irregularity::Code;
use arbiter_core::ruling::GameResult;
use arbiter_core::shakmaty::{Board, Position, Square};
use arbiter_core::{SensorClass, Time};
use board_driver::hand::games::Game;
use board_driver::hand::{Act, Deed, Options, Style, games, perform};
use board_driver::noise::Sensors;
use board_driver::{BoardEvent, Report};
use tokio::sync::mpsc;

use super::gate::{Budget, Gate};

/// Poor enough to be real: sensors of a healthy board.
const NOISE: u8 = 1;
/// Players look at the final position for this long, in board milliseconds.
pub(super) const AFTERWARDS: u64 = 12_000;
/// One piece after another is put back on its square.
const PER_PIECE: u64 = 350;
/// The starting position stands this long before the first touch.
const BEFORE: u64 = 4_000;
/// Players who wait for their round look up so often.
const LOOK: u64 = 400;
/// Half-moves of the games of a round, and how many games are looked at for that.
const OF_A_ROUND: RangeInclusive<usize> = 50..=80;
const TRIES: u64 = 40;
/// A game with an early promotion, the trap of Lasker's in the Albin Counter-Gambit: boards that do
/// not see pieces have to ask for the new one, and it stays where it is.
const PROMOTION: &str = "0-1\td4 d5 c4 e5 dxe5 d4 e3 Bb4 Bd2 dxe3 Bxb4 exf2 Ke2 fxg1=N Ke1 Qh4 g3 \
                         Qe4 Qe2 Qxh1 \
    Qf2 Nc6 Bc3 Be6 Nd2 O-O-O Rd1 Nge7 b3 Ng6 a3 Rhe8 Qe3 Kb8 Qf2 a6 a4 Ka8 a5 Rd7 Qe3 Red8 Qf2";
/// Breaches that are committed now and then.
const BREACHES: [Code; 6] = [
    Code::TouchMoveOwnPiece,
    Code::TouchMoveOpponentPiece,
    Code::ReleasedPieceMovedAgain,
    Code::IllegalMove,
    Code::CastlingRookFirst,
    Code::ClockPressedWithoutMove,
];

/// A game is over at a board.
#[derive(Debug)]
pub(super) struct Ended {
    /// The board.
    pub(super) board: String,
    /// When its last report was made.
    pub(super) when: Instant,
    /// What the players agree the result is.
    pub(super) result: GameResult,
}

/// Everything a board reports, game after game while the budget lasts.
#[derive(Debug)]
pub(super) struct Evening {
    board: String,
    sensor: SensorClass,
    sensors: Sensors,
    seed: u64,
    /// Games played so far.
    played: u64,
    /// The game of Chess960 that is played every time; without one, orthodox games of all kinds.
    array: Option<&'static Game>,
    /// What stands on the board when everything in `events` has happened.
    table: Board,
    /// When that is, in board milliseconds.
    now: u64,
    events: VecDeque<BoardEvent>,
    result: GameResult,
    ended: mpsc::UnboundedSender<Ended>,
    budget: Budget,
    /// Where games are those of rounds.
    gate: Option<Gate>,
    /// The last game was told to be over.
    told: bool,
    /// No game is left to be begun.
    over: bool,
}

impl Evening {
    /// An evening on the board `board`; `ended` hears of every game that is over.
    pub(super) fn new(
        board: &str,
        sensor: SensorClass,
        seed: u64,
        array: Option<&'static Game>,
        ended: mpsc::UnboundedSender<Ended>,
        budget: Budget,
        gate: Option<Gate>,
    ) -> Evening {
        Evening {
            board: board.to_owned(),
            sensor,
            sensors: Sensors::new(sensor, NOISE, seed),
            seed,
            played: 0,
            array,
            table: array.map_or_else(Board::new, |game| game.start.board().clone()),
            now: 0,
            events: VecDeque::new(),
            result: GameResult::Open,
            ended,
            budget,
            gate,
            told: true,
            over: false,
        }
    }

    /// Tells that a game is over, once.
    fn tell(&mut self) {
        if !std::mem::replace(&mut self.told, true) {
            // Nobody listens any more when the demonstration ends.
            let _ = self.ended.send(Ended {
                board: self.board.clone(),
                when: Instant::now(),
                result: self.result,
            });
            self.now += AFTERWARDS;
        }
    }

    /// Whether the round of the next game has still to be started.
    fn waits(&self) -> bool {
        let is_closed = |gate: &Gate| !gate.is_open_after(self.played);
        self.budget.is_left() && self.gate.as_ref().is_some_and(is_closed)
    }

    /// Sets the pieces up and plays the next game, in advance.
    fn play(&mut self) {
        self.over = !self.budget.take();
        if self.over {
            return;
        }
        (self.played, self.told) = (self.played + 1, false);
        let before = self.table.clone();
        let target = self
            .array
            .map_or_else(Board::new, |game| game.start.board().clone());
        let mut acts = set_up(&before, &target, self.now);
        self.now = acts.last().map_or(self.now, |act| act.at.0) + BEFORE;
        let chance = mix(self.seed, self.played);
        let asks = self.played == 1 && self.sensor == SensorClass::Occupancy;
        let shown = asks.then(|| games::parse(PROMOTION)).flatten();
        let game = self
            .array
            .or(shown.as_ref())
            .unwrap_or_else(|| self.pick(chance));
        let breaches: Vec<(Code, u32)> = self
            .breach(chance, game.moves.len() as u32)
            .into_iter()
            .collect();
        let style = if chance.is_multiple_of(5) {
            Style::Hurried
        } else {
            Style::Human
        };
        let options = Options {
            kings_sign: true,
            result: game.result,
            ..Options::default()
        };
        let performance = perform(&game.start, &game.moves, style, chance, &breaches, &options);
        let start = self.now;
        acts.extend(performance.acts.into_iter().map(|act| Act {
            at: act.at + start,
            ..act
        }));
        self.table = after(&before, &acts);
        self.events = self.sensors.read(&before, &acts).into();
        let last_event = self.events.back().map_or(start, |event| event.at.0);
        self.now = acts.last().map_or(start, |act| act.at.0).max(last_event);
        self.result = performance.truth.result;
    }

    /// A game. Those of a round are about as long as each other: whoever is done waits for the
    /// others.
    fn pick(&self, chance: u64) -> &'static Game {
        let mut picked = (0..TRIES).map(|n| games::pick(chance.wrapping_add(n)));
        let fits = |game: &&Game| self.gate.is_none() || OF_A_ROUND.contains(&game.moves.len());
        picked.find(fits).unwrap_or_else(|| games::pick(chance))
    }

    /// One game in three has a breach. Visitors see one soon: a touched piece in the first game on
    /// a board that knows its pieces, an illegal move with its penalty in the first on a board that
    /// sees colours.
    fn breach(&self, chance: u64, plies: u32) -> Option<(Code, u32)> {
        if self.played == 1 {
            return match self.sensor {
                SensorClass::Piece => Some((Code::TouchMoveOwnPiece, 6)),
                SensorClass::Colour => Some((Code::IllegalMove, 7)),
                SensorClass::Occupancy => None,
            };
        }
        let one_of = BREACHES[(chance >> 8) as usize % BREACHES.len()];
        let ply = 5 + (chance >> 16) as u32 % plies.max(10);
        (chance >> 32).is_multiple_of(3).then_some((one_of, ply))
    }
}

impl Iterator for Evening {
    type Item = BoardEvent;

    fn next(&mut self) -> Option<BoardEvent> {
        if self.events.is_empty() && !self.over {
            self.tell();
            if self.waits() {
                self.now += LOOK;
                return Some(BoardEvent {
                    at: Time(self.now),
                    report: Report::Alive,
                });
            }
            self.play();
        }
        self.events.pop_front()
    }
}

/// From whatever stands on `board` to the starting position `target`, one piece at a time,
/// beginning at `at`.
fn set_up(board: &Board, target: &Board, at: u64) -> Vec<Act> {
    let wrong = || {
        Square::ALL
            .into_iter()
            .filter(|square| board.piece_at(*square) != target.piece_at(*square))
    };
    let lifts = wrong().filter_map(|square| Some(Deed::LiftPiece(square, board.piece_at(square)?)));
    let places =
        wrong().filter_map(|square| Some(Deed::PlacePiece(square, target.piece_at(square)?)));
    let times = (1..).map(|n| Time(at + n * PER_PIECE));
    lifts
        .chain(places)
        .zip(times)
        .map(|(deed, at)| Act { at, deed })
        .collect()
}

/// What stands on the board after `acts`.
fn after(board: &Board, acts: &[Act]) -> Board {
    let mut board = board.clone();
    for act in acts {
        match act.deed {
            Deed::LiftPiece(square, _) => board.discard_piece_at(square),
            Deed::PlacePiece(square, piece) => board.set_piece_at(square, piece),
            Deed::Press { .. } | Deed::Adjust { .. } => {}
        }
    }
    board
}

/// Chance for game `n` of an evening: numbers that look unrelated for related seeds (the finish of
/// SplitMix64).
pub(super) fn mix(seed: u64, n: u64) -> u64 {
    let mut z = seed.wrapping_add(n.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_game_with_the_promotion_can_be_played() {
        let game = games::parse(PROMOTION).expect("legal moves");
        assert!(game.moves.iter().any(|m| m.promotion().is_some()));
    }
}
