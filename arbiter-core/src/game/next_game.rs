//! The next game: the starting position is set up again on the board of a game that has no result.
//!
//! Nobody is accused of setting up pieces. It is asked whether the game has ended, and what is
//! played from then on is a game of its own.

use alloc::vec::Vec;

use shakmaty::{Bitboard, Board, Chess, EnPassantMode, Move, Position, Square};

use crate::chess::moves::arrival;
use crate::chess::position::position;
use crate::game::Game;
use crate::game::board::Silence;
use crate::game::change::{Changes, NOTHING};
use crate::game::start_of;
use crate::game::state::Ending;
use crate::said::input::{Input, NextGame};
use crate::said::orientation::Orientation;
use crate::said::ruling::{DoubtKind, Ruling};
use crate::said::symbol::{Reading, SensorClass};
use crate::said::time::Time;
use crate::track::hypothesis::Hypothesis;

/// So many squares have other pieces than at the start once a game has been played for a while.
const PLAYED_ON: usize = 8;

/// Squares at most that have changed since White made his first move before the last pieces stood.
/// Fewer than a game that was [`PLAYED_ON`] leaves to be changed, the two of that move aside.
const SET_UP_LATER: usize = PLAYED_ON - 4;

/// So many pieces on each other's squares are an array that was set up wrongly.
pub(crate) const EXCHANGED: usize = 6;

/// A move puts down so many pieces at most: castling.
const PUT_DOWN: usize = 2;

/// The starting position, as the board shows it.
struct Array {
    position: Chess,
    /// How it lies on the board of the game at hand.
    turned: Orientation,
    /// White has made his first move.
    begun: bool,
}

/// How the next game on the board begins.
pub(crate) struct Beginning {
    pub(crate) at: Time,
    pub(crate) lies: Orientation,
    /// What the board itself reads, where that is not the starting position the right way round.
    pub(crate) shown: Option<Reading>,
}

impl Game {
    /// Whether the board shows the starting position, and no moves have led there.
    pub(crate) fn is_set_up_again(&self) -> bool {
        if self.setup.next_game == NextGame::GoesOn || self.record.len() == 0 || self.is_idle() {
            return false;
        }
        if self.wrong(self.best()).is_empty() {
            return false;
        }
        let stands = self.array_that_stands();
        stands.is_some_and(|array| !self.is_to_be_put_back(&array.position))
    }

    /// How the next game begins, on the board as it stands.
    pub(crate) fn next_begins(&self) -> Beginning {
        let (found, reading) = (self.array_that_stands(), self.board.planes().reading());
        let differs = start_of(&self.setup).is_some_and(|start| self.differ(&start).any());
        let lies = self.orientation();
        let shown = (found.is_some() && differs).then(|| lies.back().reading(reading));
        let Some(Array {
            turned,
            begun: true,
            ..
        }) = found
        else {
            return Beginning {
                at: self.now(),
                lies,
                shown,
            };
        };
        // What was read since the move was made is of the next game already.
        let at = self.board.contacts().last_change();
        Beginning {
            at,
            lies: lies.then(turned),
            shown,
        }
    }

    /// The starting position, as the board shows it: the right way round, or set up from the other
    /// side. How the next game lies is found when it begins. White may have made his first move
    /// while the last pieces were set up; or pieces stand on each other's squares for good.
    fn array_that_stands(&self) -> Option<Array> {
        let start = start_of(&self.setup)?;
        let half = turned_half(&start).map(|half| (Orientation::Half, half));
        let ways = [Some((Orientation::Upright, start.clone())), half];
        ways.into_iter().flatten().find_map(|(turned, position)| {
            let wrong = self.differ(&position);
            let (begun, position) = match wrong.count() {
                0 => (false, position),
                2 if self.was_played_on() && self.is_one_move_away(&start, turned) => {
                    (true, position)
                }
                _ => (false, self.array_set_up_wrongly(&position, wrong)?),
            };
            Some(Array {
                position,
                turned,
                begun,
            })
        })
    }

    /// The array, with the pieces that have stood on each other's squares for long: nobody has them
    /// there on the way to something else.
    fn array_set_up_wrongly(&self, start: &Chess, wrong: Bitboard) -> Option<Chess> {
        let exchanged = wrong.count() <= EXCHANGED && self.are_exchanged(start, wrong);
        let rests = self.board.was_silent(Silence::LongRest);
        (exchanged && rests).then(|| self.with_displaced(start, wrong))?
    }

    /// The starting position as it stands, or else as it is.
    fn array_or_start(&self) -> Option<Chess> {
        let stands = self.array_that_stands().map(|array| array.position);
        stands.or_else(|| start_of(&self.setup))
    }

    /// What the board reads where the starting position stands on it.
    pub(crate) fn array_read(&self) -> Option<Reading> {
        let start = start_of(&self.setup)?;
        let reading = self.setup.sensor.reads(start.board());
        Some(self.orientation().back().reading(&reading))
    }

    /// Whether what was played changed so much that it takes a person to have the starting position
    /// again: after a few moves it is those that are taken back.
    fn was_played_on(&self) -> bool {
        let start = start_of(&self.setup);
        let last = self.record.last().board();
        let moved = start.map(|start| {
            let same = Square::ALL.map(|sq| last.piece_at(sq) == start.board().piece_at(sq));
            same.iter().filter(|same| !**same).count()
        });
        moved.is_some_and(|moved| moved >= PLAYED_ON)
    }

    /// Whether the board shows what one move from `start` leaves, where it `lies` so.
    fn is_one_move_away(&self, start: &Chess, lies: Orientation) -> bool {
        let reading = lies.reading(self.board.planes().reading());
        start.legal_moves().into_iter().any(|m| {
            let mut after = start.clone();
            after.play_unchecked(m);
            self.setup.sensor.reads(after.board()) == reading
                && self.was_made_after_setting_up(m, lies)
        })
    }

    /// Whether little was set up after the piece of `m` arrived: one that has stood there since the
    /// game before, and whose own square is still to be filled, made no move.
    fn was_made_after_setting_up(&self, m: Move, lies: Orientation) -> bool {
        let contacts = self.board.contacts();
        let to = lies.square(arrival(m));
        let since = contacts.touched_since(contacts.since(to));
        since.count() <= SET_UP_LATER
    }

    /// The starting position stands again: it is asked whether the game has ended. What was taken
    /// for moves while the pieces were set up was none.
    pub(crate) fn ask_whether_ended(&mut self) -> Changes {
        let start = self.array_or_start();
        let array = start
            .as_ref()
            .map(|start| self.setup.sensor.reads(start.board()));
        match start.as_ref().and_then(|start| self.when_left(start)) {
            Some(rest) => {
                self.tell_as_left(&rest);
                // Nobody is accused of setting up pieces.
                for id in self.docket.open_since(rest.until()) {
                    self.withdraw_setting_up(id, &array);
                }
            }
            None => self.tell_as_before_setting_up(),
        }
        let played = self.record.len();
        for id in self.docket.open_after(played) {
            self.withdraw_setting_up(id, &array);
        }
        self.drop_forfeit();
        self.clock.stop_waiting();
        self.state.stop_putting_back();
        self.docket
            .retain_doubts(|d| d.doubt.ply as usize <= played);
        self.raise_doubt(played as u32, DoubtKind::GameEnded, Vec::new(), Vec::new());
        // Whoever sets up the pieces touches none of them.
        self.set_obligation(None);
        self.state.end(Ending::Asked);
        NOTHING
    }

    /// A finding of what may have been the setting up of the pieces of `array` falls. What was
    /// pressed for with no more pieces than a move puts down, and one that the array does not have
    /// there, was none.
    fn withdraw_setting_up(&mut self, id: u32, array: &Option<Reading>) {
        let found = self.docket.finding(id).map(|f| &f.irregularity);
        let is_played = found.is_some_and(|found| {
            let mut back = found.evidence.iter().rev().map(|event| event.input.plain());
            let is_press = |input: &&Input| matches!(input, Input::Press { .. });
            let his = back.find(|input| match input {
                Input::Press { by, .. } => found.by == (*by).into(),
                _ => false,
            });
            let turn = back.take_while(|input| !is_press(input));
            let put = turn.filter_map(|input| match input {
                Input::Place { square, seen } => Some((*square, *seen)),
                _ => None,
            });
            let put: Vec<_> = put.collect();
            let squares: Bitboard = put.iter().map(|(square, _)| *square).collect();
            let is_strange = |(square, seen): &(Square, _)| {
                array
                    .as_ref()
                    .is_some_and(|array| array.at(*square) != *seen)
            };
            his.is_some() && squares.count() <= PUT_DOWN && put.iter().any(is_strange)
        });
        if !is_played {
            self.withdraw(id);
        }
    }

    /// The board was not seen to rest before the pieces were set up: what may have been setting
    /// them up was no move.
    fn tell_as_before_setting_up(&mut self) {
        let played = self.played_before_setting_up();
        if played == self.record.len() {
            return;
        }
        self.record.truncate(played);
        self.record
            .set_completed(self.record.completed().min(played));
        self.say(Ruling::Revision {
            from_ply: played as u32 + 1,
            moves: Vec::new(),
        });
    }

    /// Whether that has been asked.
    pub(crate) fn is_asked(&self) -> bool {
        self.state.is_asked()
    }

    /// Whether the next game is to begin, the one at hand having ended or not.
    pub(crate) fn is_next_due(&self) -> bool {
        self.setup.next_game == NextGame::Begins && (self.is_asked() || self.next_stands)
    }

    /// Whether the board of an ended game is watched for the next one.
    pub(crate) fn awaits_next(&self) -> bool {
        self.setup.next_game == NextGame::Begins && self.state.result().is_some()
    }

    /// The game has ended, and the board stands still: it may be set up for the next one.
    pub(crate) fn look_for_next(&mut self) {
        if !self.awaits_next() {
            return;
        }
        let left = self.differ(self.record.last()).any();
        self.next_stands = left && self.record.len() > 0 && self.array_that_stands().is_some();
    }

    /// The plies before those that may have been the setting up of pieces.
    fn played_before_setting_up(&self) -> usize {
        let Some(start) = self.array_or_start() else {
            return self.record.len();
        };
        let pressed = if self.setup.clock {
            self.record.completed()
        } else {
            0
        };
        let mut played = self.record.len();
        while played > pressed && self.goes_home(played, &start) {
            played -= 1;
        }
        // A board that sees no pieces takes any move to the first ranks for one: the first of them
        // was rather played.
        let vague = self.setup.sensor == SensorClass::Occupancy;
        let legal = self
            .record
            .ply(played + 1)
            .is_some_and(|ply| ply.m.is_some());
        if vague && legal { played + 1 } else { played }
    }

    /// Whether ply `n` put its piece where the starting position has one like it.
    pub(crate) fn goes_home(&self, n: usize, start: &Chess) -> bool {
        let (before, after) = (self.record.position(n - 1), self.record.after(n));
        let own = before.turn();
        let filled = after.board().by_color(own) & !before.board().by_color(own);
        filled.any()
            && filled
                .into_iter()
                .all(|to| self.comes_home(to, after.board(), start))
    }

    /// Whether what `square` reads now is what the starting position has there.
    pub(crate) fn is_home(&self, square: Square, start: &Chess) -> bool {
        let due = start.board().piece_at(square);
        due.is_some() && self.board.planes().at(square) == self.setup.sensor.sees(due)
    }

    /// Whether what `board` has on `to` looks like what the starting position has there.
    fn comes_home(&self, to: Square, board: &Board, start: &Chess) -> bool {
        let class = self.setup.sensor;
        let (stands, due) = (board.piece_at(to), start.board().piece_at(to));
        due.is_some() && class.sees(stands) == class.sees(due)
    }

    /// Whether `m`, made with a piece of `board`, may be that piece being set up for the next game.
    /// Nobody takes a piece from a square for that on which the array has one that reads the same.
    pub(crate) fn sets_up(&self, board: &Board, m: Move) -> bool {
        let (Some(start), Some(from)) = (start_of(&self.setup), m.from()) else {
            return false;
        };
        if m.is_castle() || self.comes_home(from, board, &start) {
            return false;
        }
        let mut after = board.clone();
        if let Some(piece) = after.remove_piece_at(from) {
            after.set_piece_at(arrival(m), piece);
        }
        self.comes_home(arrival(m), &after, &start)
    }

    /// Whether the act of `line` and what followed it may be pieces that are being set up for the
    /// next game.
    pub(crate) fn may_be_setting_up(&self, line: &Hypothesis) -> bool {
        let (Some(start), Some(act)) = (start_of(&self.setup), line.act()) else {
            return false;
        };
        let answers = &line.steps[act.step + 1..];
        self.comes_home(act.to, act.after.board(), &start)
            && answers
                .iter()
                .all(|step| self.comes_home(arrival(step.m), line.pos.board(), &start))
    }

    /// The game has not ended: it goes on where it was.
    pub(crate) fn go_on(&mut self) {
        self.setup.next_game = NextGame::GoesOn;
    }
}

/// The same pieces as they stand when the board lies turned by half.
fn turned_half(start: &Chess) -> Option<Chess> {
    let mut setup = start.to_setup(EnPassantMode::Legal);
    let mut board = Board::empty();
    for (square, piece) in start.board() {
        board.set_piece_at(Orientation::Half.square(square), piece);
    }
    setup.board = board;
    setup.castling_rights = Bitboard::EMPTY;
    position(&setup, start.castles().mode())
}
