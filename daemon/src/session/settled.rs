//! A game whose result a person has said is over on its board: what is moved there afterwards is
//! nobody's move. A result that is withdrawn was never said, and the game goes on.

use std::sync::Arc;
use std::time::Instant;

use arbiter_core::input::ArbiterAction;
use arbiter_core::view::Phase;
use arbiter_core::{Event, Input};

use super::Session;
use super::orders::refused;
use crate::hall::View;

/// What the order is called that stops a game because of its result: by this it is known again.
const SETTLED: &str = "settled-";

impl Session {
    /// Stops the game at hand, or lets it go on, as the event says.
    pub(super) fn follow_the_event(&mut self) {
        self.stop_once_postponed();
        let has_result = self.has_result();
        let state = self.arbiter.state();
        let is_over = matches!(state, None | Some(Phase::Paused | Phase::Ended));
        if has_result && !is_over {
            // With whatever result: a pause says none, and of the event there are more than a game
            // can have.
            self.give(ArbiterAction::Pause, SETTLED);
        } else if !has_result && state == Some(Phase::Paused) {
            self.go_on_as_if_nothing_was_said();
        }
    }

    fn has_result(&self) -> bool {
        let game = self.record.as_ref().map(|record| &record.game);
        game.is_some_and(|game| self.parts.office.book().has_result(game))
    }

    /// What was played since its result was said belongs to the game: the desk has erred, and
    /// nobody at the board.
    fn go_on_as_if_nothing_was_said(&mut self) {
        let Some(order) = self.stopped_by_result() else {
            return;
        };
        let before = self.said.len();
        let input = Input::Arbiter(ArbiterAction::TakeBack { order });
        self.tell(Event {
            at: self.timeline.last(),
            input: input.clone(),
        });
        // So much was handled since that it is not kept any more.
        if refused(&self.said[before..], &input).is_some() {
            self.give(ArbiterAction::Resume, "o");
        }
    }

    /// The order that stops the game at hand, where that is its result.
    fn stopped_by_result(&mut self) -> Option<Box<str>> {
        let view = self.view().filter(|view| view.state == Phase::Paused)?;
        let stops = |event: &&Event| {
            let input = event.input.plain();
            matches!(
                input,
                Input::Arbiter(ArbiterAction::Pause | ArbiterAction::Resume)
            )
        };
        let last = view.orders.iter().rev().find(stops)?;
        let name = last.input.order()?;
        is_settled(name).then(|| name.into())
    }

    /// The game comes to another board, or back to its own: what was handled since it was stopped
    /// is not of it, also once its result is withdrawn.
    pub(super) fn stays_stopped(&mut self) {
        if self.stopped_by_result().is_some() {
            self.give(ArbiterAction::Resume, "o");
        }
    }

    /// Gives an order in the name of the program.
    fn give(&mut self, action: ArbiterAction, prefix: &str) {
        let count = self.record.as_ref().map_or(0, |record| record.count());
        let mut names = (count..).map(|n| format!("{prefix}{n}"));
        let free = names.find(|name| !self.arbiter.knows_order(name));
        let at = self.timeline.declared(Instant::now());
        let input = Input::Arbiter(action).signed(free.map(Into::into), None);
        self.tell(Event { at, input });
    }

    /// A view as it is shown: a game that is stopped and has its result is over.
    pub(super) fn as_over(&self, view: Arc<View>) -> Arc<View> {
        if view.state != Phase::Paused || !self.has_result() {
            return view;
        }
        let mut over = View::clone(&view);
        over.state = Phase::Ended;
        Arc::new(over)
    }

    /// Whether a stopped game is shown as over, or the other way round, and the event says
    /// otherwise by now.
    pub(super) fn shows_another_end(&self) -> bool {
        let is_stopped = self.arbiter.state() == Some(Phase::Paused);
        let shown = self.parts.station.state();
        let is_over = shown.view().is_some_and(|view| view.state == Phase::Ended);
        is_stopped && is_over != self.has_result()
    }
}

/// Whether an order of this name has stopped a game because of its result.
pub(super) fn is_settled(order: &str) -> bool {
    order.starts_with(SETTLED)
}
