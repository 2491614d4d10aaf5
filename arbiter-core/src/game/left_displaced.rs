//! Displaced pieces that nobody puts back: play goes on from where they stand.
//!
//! What was displaced is to be put back before anything else is played (7.4.1, 7.6), and until then
//! no move is looked for. But where a legal move stands beside it, and whoever plays on has pressed
//! or been answered, nobody is putting anything back. He has made a legal move from what stands: it
//! is recorded so, and he is accused of nothing. That the pieces were displaced has been told.
//!
//! Only boards that see pieces know what stands there instead.

use alloc::rc::Rc;
use alloc::vec::Vec;

use shakmaty::{Bitboard, Chess, Color, EnPassantMode, Move, Position, Square};

use crate::chess::moves::{arrival, legal_moves, origin, squares_of};
use crate::chess::position::fen_text;
use crate::game::Game;
use crate::game::change::{Change, Changes};
use crate::game::exchanged::differing;
use crate::game::start_of;
use crate::game::state::Displaced;
use crate::said::irregularity::{Certainty, Code, Party};
use crate::said::ruling::Ruling;
use crate::said::symbol::{SensorClass, Symbol};
use crate::said::view::FindingStatus;
use crate::track::hypothesis::{Hypothesis, Step};
use crate::track::look::Look;

/// A move, and its answer.
const ANSWERED: usize = 2;

impl Game {
    /// The position after `length` plies was `ordered`: where pieces on `wrong` squares have
    /// changed places since, notes how it stands with them there.
    pub(crate) fn note_displaced(&mut self, length: usize, ordered: &Chess, wrong: Bitboard) {
        let squares = match self.are_exchanged(ordered, wrong) {
            true => wrong,
            false => self.exchanged_among(ordered, wrong),
        };
        let stands = self.with_displaced(ordered, squares);
        if let Some(stands) = stands.filter(|_| squares.any()) {
            let put_there = squares
                .into_iter()
                .map(|sq| self.board.contacts().since(sq));
            let since = put_there.max().unwrap_or_default();
            let displaced = Displaced {
                stands,
                length,
                since,
            };
            self.state.note_displaced(displaced);
        }
    }

    /// `pos` with what a board that sees pieces reads on `squares` instead of its own.
    pub(crate) fn with_displaced(&self, pos: &Chess, squares: Bitboard) -> Option<Chess> {
        let mut setup = pos.to_setup(EnPassantMode::Legal);
        for sq in squares {
            let Symbol::Piece(piece) = self.board.planes().at(sq) else {
                return None;
            };
            setup.board.set_piece_at(sq, piece);
        }
        self.position_as_set_up(pos, setup)
    }

    /// The squares among the `wrong` ones on which two pieces of one player stand instead of each
    /// other in `pos`.
    fn exchanged_among(&self, pos: &Chess, wrong: Bitboard) -> Bitboard {
        let (board, planes) = (pos.board(), self.board.planes());
        let stands_for = |sq: Square, other: Square| {
            let piece = board.piece_at(other).filter(|_| sq != other);
            let alike = board.color_at(sq) == board.color_at(other);
            alike && piece.is_some_and(|piece| planes.at(sq) == Symbol::Piece(piece))
        };
        let changed = |a: Square| {
            let mut others = wrong.into_iter();
            others.any(|b| stands_for(a, b) && stands_for(b, a))
        };
        wrong.into_iter().filter(|sq| changed(*sq)).collect()
    }

    /// Without a clock: pieces of one player have changed places, which nobody has told, and
    /// `plies` legal moves have been made from there since. The line that was told before, and the
    /// squares.
    pub(crate) fn exchanged_and_moved_on(&self, plies: usize) -> Option<(Hypothesis, Bitboard)> {
        if self.setup.clock || self.state.is_putting_back() {
            return None;
        }
        let mut told = self.track.all().iter();
        let line = told.find(|line| self.length(line) == self.record.len())?;
        let squares = self.exchanged_among(&line.pos, self.wrong(line));
        let stands = self.with_displaced(&line.pos, squares);
        let played = self.played_from(&stands.filter(|_| squares.any())?, plies);
        played.map(|_| (line.clone(), squares))
    }

    /// A legal move after `root`, after which two other pieces of its player have changed places,
    /// and the opponent may have answered it before anybody pressed. The squares of the two.
    pub(crate) fn moved_and_exchanged(&self, root: &Hypothesis) -> Option<(Move, Bitboard)> {
        if self.setup.sensor != SensorClass::Piece {
            return None;
        }
        let found = root.legal().iter().map(|m| {
            let mut after = root.pos.clone();
            after.play_unchecked(*m);
            let wrong = self.differ(&after) & after.them() & !squares_of(*m);
            let squares = self.exchanged_among(&after, wrong);
            let stands = squares.any().then(|| self.with_displaced(&after, squares));
            let stands = stands.flatten()?;
            let explains = |plies| self.played_from(&stands, plies).is_some();
            (explains(0) || explains(1)).then_some((*m, squares))
        });
        found.flatten().next()
    }

    /// At a rest, where nobody presses: pieces have changed places, and moves have been made and
    /// answered from where they stand.
    pub(crate) fn find_exchanged_and_answered(&mut self) -> Option<Changes> {
        if self.setup.clock {
            return None;
        }
        if let Some((line, squares)) = self.exchanged_and_moved_on(ANSWERED) {
            self.find_exchanged_before(&line, squares, Certainty::Likely);
        }
        self.go_on_from_displaced(None)
    }

    /// What follows where play goes on from displaced pieces: `by` has pressed, or without a clock
    /// a move has been answered.
    pub(crate) fn go_on_from_displaced(&mut self, by: Option<Color>) -> Option<Changes> {
        let Displaced {
            stands,
            length,
            since,
        } = self.state.displaced()?.clone();
        let plies = match by {
            Some(by) if stands.turn() == by => 1,
            _ => ANSWERED,
        };
        let mut steps = self.played_from(&stands, plies)?;
        // The last of the moves is found as any other is.
        steps.pop();
        let since = steps.last().map_or(since, |step| step.made_at);
        self.take_up_displaced(stands.clone(), length);
        self.board.forget_before(since);
        let mut pos = stands;
        steps.iter().for_each(|step| pos.play_unchecked(step.m));
        let mut line = Hypothesis::new(pos, since);
        line.steps = steps;
        self.adopt(line.clone());
        let look = Look::at(self.clock.now(), self.scan_window(), true);
        self.track.expand(self.board.contacts(), &look);
        let completed = length + line.steps.len();
        let mut changes = match line.steps.len() {
            0 => Changes::new(),
            _ => self.complete_without_press(&Rc::new(line), completed),
        };
        changes.push(match by {
            Some(by) => Change::Press(by),
            None => Change::Rested,
        });
        Some(changes)
    }

    /// The game goes on from what `stands` after `length` plies. Nothing is to be put back any
    /// more.
    fn take_up_displaced(&mut self, stands: Chess, length: usize) {
        if self.record.len() > length {
            self.record.truncate(length);
            self.say(Ruling::Revision {
                from_ply: length as u32 + 1,
                moves: Default::default(),
            });
        }
        match length {
            0 => self.begin_displaced(stands.clone()),
            _ => self.record.jump(stands.clone()),
        }
        self.record.set_completed(length);
        let now = self.clock.now();
        let fen = fen_text(&stands);
        self.track.reset(stands, length, self.board.contacts(), now);
        self.state.next_turn();
        self.say(Ruling::Restore {
            fen,
            squares: Default::default(),
        });
    }

    /// Nothing had been played: the game began as the pieces stand, as far as anybody can tell, and
    /// whoever put them so (7.2.1).
    fn begin_displaced(&mut self, stands: Chess) {
        let required = start_of(&self.setup);
        let squares = required.map(|required| differing(required.board(), stands.board()));
        self.record.begin(stands);
        let told = self.docket.raised().iter().find(|f| {
            f.irregularity.code == Code::PieceDisplaced && f.status == FindingStatus::Open
        });
        if let Some(id) = told.map(|f| f.irregularity.id) {
            self.withdraw(id);
            let (code, by) = (Code::PositionSetupWrong, Party::Either);
            let squares = squares.unwrap_or_default();
            self.raise_unbinding(code, by, Certainty::Likely, squares, 1);
        }
    }

    /// `plies` legal moves from `stands` that leave what the board shows, or but for a piece that
    /// is in the air for the reply.
    fn played_from(&self, stands: &Chess, plies: usize) -> Option<Vec<Step>> {
        let ordered = self.state.ordered_since().unwrap_or_default();
        let lifted = self.board.contacts().touched_since(ordered) & !self.board.planes().occupied();
        let all = |in_hand| {
            let mut steps = Vec::new();
            self.is_played(stands, (plies, in_hand), &mut steps)
                .then_some(steps)
        };
        all(Bitboard::EMPTY).or_else(|| all(lifted))
    }

    /// Whether so many legal moves from `pos` leave what the board shows, but for men of the next
    /// player that are in the air; they are added to `steps`. What moved has left its square.
    fn is_played(
        &self,
        pos: &Chess,
        (plies, in_hand): (usize, Bitboard),
        steps: &mut Vec<Step>,
    ) -> bool {
        let wrong = self.differ(pos);
        if plies == 0 {
            return wrong.is_subset(pos.us() & in_hand);
        }
        for m in legal_moves(pos) {
            if !origin(m).is_some_and(|from| wrong.contains(from)) {
                continue;
            }
            let mut after = pos.clone();
            after.play_unchecked(m);
            let made_at = self.board.contacts().since(arrival(m));
            steps.push(Step { m, made_at });
            if self.is_played(&after, (plies - 1, in_hand), steps) {
                return true;
            }
            steps.pop();
        }
        false
    }
}
