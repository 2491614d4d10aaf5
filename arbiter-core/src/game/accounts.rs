//! Two accounts of how a game began, both followed until a move tells which of them is played.
//!
//! Where only occupied squares are read, the array looks the same from both sides, and a White
//! piece that moves on a board turned half way is one of Black's on a board that is not. And a
//! piece alone on a wrong square stood there from the start, or White has moved it there already.
//! The other account is a game of its own that hears the same and says nothing, until it is the
//! one.

use alloc::boxed::Box;

use shakmaty::{Color, Position, Square};

use crate::game::Game;
use crate::game::press::{CLEAN, ELIGIBLE};
use crate::game::start_of;
use crate::judge::array::is_alike_from_both_sides;
use crate::said::input::{ArbiterAction, Event, Input};
use crate::said::irregularity::{Certainty, Code};
use crate::said::orientation::Orientation;
use crate::said::ruling::DoubtKind;
use crate::said::symbol::SensorClass;
use crate::said::time::Time;
use crate::said::view::{Finding, FindingStatus};
use crate::track::cost;

/// An account of how the game began that nobody expects must be so much cheaper: more than one lost
/// reading makes of the one that everybody expects.
const UNUSUAL: i32 = cost::LOST + cost::LATE;

impl Game {
    /// Begins to follow the other account, where the start asks for it.
    pub(crate) fn consider_half_turn(&mut self, at: Time) {
        let start = start_of(&self.setup);
        let alike = start.is_some_and(|start| is_alike_from_both_sides(start.board()));
        let open = self.setup.sensor == SensorClass::Occupancy
            && self.setup.turned == Orientation::Upright
            && self.orientation() == Orientation::Upright;
        if open && alike {
            let mut setup = self.setup.clone();
            setup.turned = Orientation::Half;
            let mut other = Game::new(setup, at);
            other.setup.turned = Orientation::Upright;
            self.other = Some(Box::new(other));
        }
    }

    /// The other account waits until what it decides at `wake`.
    pub(crate) fn other_waits(&mut self, wake: Time) {
        if let Some(other) = &mut self.other {
            other.pass_time(wake + 1);
            other.told().for_each(drop);
        }
    }

    /// The other account hears that a scan ends.
    pub(crate) fn other_passes(&mut self, at: Time) {
        if let Some(other) = &mut self.other {
            other.take_moment(at);
            other.told().for_each(drop);
        }
    }

    /// The other account takes an input. Where White presses for a move that only the other one
    /// has, that is the one that is played.
    pub(crate) fn other_takes(&mut self, event: &Event) {
        if self.other.is_none() {
            return;
        }
        let exchanged = self.may_be_exchanged();
        match event.input.plain() {
            Input::Arbiter(ArbiterAction::BoardTurned { .. }) if !exchanged => return,
            Input::Arbiter(ArbiterAction::Pause | ArbiterAction::Resume) => {}
            // The other one has findings of its own.
            Input::Arbiter(ArbiterAction::Dismiss(_) | ArbiterAction::Report { .. })
                if exchanged =>
            {
                return self.other_passes(event.at);
            }
            Input::Arbiter(_) if exchanged => return self.keep_to_what_was_told(),
            _ => {}
        }
        if let Input::Press { by, .. } = event.input
            && !exchanged
        {
            // Both have seen the same when it comes.
            self.other_passes(event.at);
            self.end_scan();
            self.decide_at_press(by);
        }
        if let Some(other) = &mut self.other {
            other.pass_time(event.at);
            other.advance(event.at);
            other.take_alone(event);
            other.told().for_each(drop);
        }
    }

    fn decide_at_press(&mut self, by: Color) {
        let made = |game: &Game| game.is_made_where(|cost| cost <= ELIGIBLE);
        let Some(other) = &self.other else {
            return;
        };
        let first = self.record.completed() == 0 && by == self.presser();
        // The opponent may have taken up a piece for his reply already.
        let explained = match self.other_is_turned() {
            true => other.is_made_where(|cost| cost <= CLEAN),
            false => made(other) && other.wrong(other.best()).is_empty(),
        };
        // White's first move stood when the board was first read, and Black presses for his answer.
        let answered = by != self.presser()
            && self.record.completed() == 0
            && !self.other_is_turned()
            && other.answers_first_move();
        let unexplained = self.wrong(self.best()).any();
        if (first && explained && !made(self)) || (answered && unexplained) {
            self.take_other_account();
        }
    }

    /// Whether both have made their first moves, by an account that explains the board.
    fn answers_first_move(&self) -> bool {
        let best = self.best();
        self.length(best) == 2 && self.wrong(best).is_empty()
    }

    /// Drops the account that the board tells against, when both have seen the same.
    pub(crate) fn decide_between(&mut self) {
        let Some(other) = &self.other else {
            return;
        };
        if other.is_next_due() {
            // It is over before anything spoke for it.
            return self.drop_other_account();
        }
        if self.may_be_exchanged() {
            return self.decide_how_set_up();
        }
        let (mine, theirs) = (self.plies_explained(), other.plies_explained());
        let (cost, others) = (self.cost_of_account(), other.cost_of_account());
        let pressed = self.setup.clock && self.record.completed() > 0;
        if mine > 0 && (pressed || cost <= others) {
            self.drop_other_account();
        } else if theirs >= 2 && other.explains_all() && cost > others + UNUSUAL {
            self.take_other_account();
        }
    }

    /// Whether nothing but how the board lies is found amiss, or worth a look, nothing is awaited,
    /// and no square is distrusted: an unusual account has to explain everything.
    fn explains_all(&self) -> bool {
        let asks = |kind| kind == DoubtKind::CheckSquare;
        let asked = self.docket.doubts().iter().any(|d| asks(d.doubt.kind));
        let amiss = |f: &Finding| {
            f.status == FindingStatus::Open && f.irregularity.code != Code::BoardOrientationWrong
        };
        let found = self.docket.findings().iter().any(amiss);
        let awaited = self.board.unread().is_some();
        !asked && !found && !awaited && self.board.suspect().is_empty()
    }

    /// How many plies were told, if they explain the board.
    fn plies_explained(&self) -> usize {
        match self.wrong(self.best()).is_empty() {
            true => self.record.len(),
            false => 0,
        }
    }

    /// What the account has cost since the game began, the board as it reads included.
    fn cost_of_account(&self) -> i32 {
        self.track.paid() + self.total(self.best())
    }

    /// Whether the other account is one of how the board lies.
    fn other_is_turned(&self) -> bool {
        let lies = self.orientation();
        self.other
            .as_ref()
            .is_some_and(|other| other.orientation() != lies)
    }

    /// The game begins from the position that is required, and no other.
    pub(crate) fn drop_other_start(&mut self) {
        if !self.other_is_turned() {
            self.other = None;
        }
    }

    /// The board lies as this account has it.
    pub(crate) fn drop_other_account(&mut self) {
        if self.other.take().is_some() {
            self.forget_question();
        }
    }

    /// Whether the other account explains the board by a move, and this one does not explain it.
    pub(crate) fn lies_rather_otherwise(&self) -> bool {
        let open = self.board.suspect().is_empty() && !self.may_be_exchanged();
        self.other.as_ref().filter(|_| open).is_some_and(|other| {
            let theirs = other.best();
            other.length(theirs) > 0
                && other.wrong(theirs).is_empty()
                && self.wrong(self.best()).any()
        })
    }

    /// The board stands still as only the other account has it: how it lies is asked, and nobody is
    /// accused meanwhile.
    pub(crate) fn asks_how_board_lies(&mut self) -> bool {
        let unread = self.board.gap() || self.state.turn().empty_press.is_some();
        if unread || !self.lies_rather_otherwise() {
            self.forget_first_move();
            return false;
        }
        if !self.found_turned().is_empty() || !self.other_is_turned() {
            return true;
        }
        let lies = self.orientation().then(Orientation::Half);
        self.ask_about_corners(lies.back().square(Square::A1).into());
        true
    }

    /// It was asked how the board lies, and now the starting position stands again: if a piece of
    /// Black's had been moved, it was put back (1.3). Where Black presses, that is told at his
    /// press.
    fn forget_first_move(&mut self) {
        let asked = self.docket.has_doubt(1, DoubtKind::BoardTurned);
        let other = self.other_is_turned() && self.record.len() == 0;
        if !asked || !other || self.differ(self.record.start()).any() {
            return;
        }
        self.forget_question();
        if self.setup.clock || self.docket.has_found(Code::MovedOutOfTurn) {
            return;
        }
        let root = self.root();
        let moved = root.touched(self.board.contacts()) & root.pos.them();
        let (by, certainty) = ((!root.pos.turn()).into(), Certainty::Possible);
        self.raise_unbinding(Code::MovedOutOfTurn, by, certainty, moved, 1);
    }

    /// What was played shows that the other account is the one.
    pub(crate) fn take_other_account(&mut self) {
        let Some(other) = self.other.take() else {
            return;
        };
        let mut was = core::mem::replace(self, *other);
        if was.orientation() != self.orientation() && self.found_turned().is_empty() {
            self.ask_about_corners(self.orientation().back().square(Square::A1).into());
        }
        // What it said is told as a difference, after what was said already.
        self.told().for_each(drop);
        was.told().for_each(|said| self.repeat(said));
        self.tell_difference(&was, None);
    }
}
