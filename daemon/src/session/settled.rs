//! A game whose result a person has said is over on its board: what is moved there afterwards is
//! nobody's move. A result that is withdrawn was never said, and the game goes on.

use std::sync::Arc;
use std::time::Instant;

use arbiter_core::input::ArbiterAction;
use arbiter_core::ruling::{GameResult, ResultReason};
use arbiter_core::view::{Phase, ResultView};
use arbiter_core::{Arbiter, Event, Input};
use tournament::How;

use super::Session;
use super::adjourned::has_its_result;
use super::orders::refused;
use crate::hall::{self, OrderError, Table, Told, View};

/// What the order is called that stops a game because of its result: by this it is known again.
const SETTLED: &str = "settled-";
/// What other orders of the program's are called.
const PROGRAM: &str = "program-";

impl Session {
    /// Stops the game at hand, or lets it go on, as the event says.
    pub(super) fn follow_the_event(&mut self) {
        self.stop_once_set_aside();
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
            self.give(ArbiterAction::Resume, PROGRAM);
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
            self.give(ArbiterAction::Resume, PROGRAM);
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

    /// A view as it is shown: a game that is stopped and has its result is over, and nothing is put
    /// back for it any more.
    pub(super) fn as_over(&self, view: Arc<View>) -> Arc<View> {
        let is_stopped = view.state == Phase::Paused;
        if !(is_stopped || view.restore.is_some()) || !self.has_result() {
            return view;
        }
        let mut over = View::clone(&view);
        if is_stopped {
            over.state = Phase::Ended;
        }
        over.restore = None;
        Arc::new(over)
    }

    /// A view as it is shown: of a flag that a clock alone has told to have fallen, somebody has to
    /// say that it has. A clock is set wrongly, or misread, and play goes on.
    pub(super) fn as_clocks_tell(&self, view: Arc<View>) -> Arc<View> {
        let is_flag = |result: ResultView| result.reason == ResultReason::FlagFall;
        let is_said = |event: &Event| {
            let input = event.input.plain();
            matches!(input, Input::FlagFall { .. } | Input::Claim { .. })
        };
        let is_told = view.result.is_some_and(is_flag) && !view.orders.iter().any(is_said);
        if !is_told || self.has_result() {
            return view;
        }
        let mut told = View::clone(&view);
        if let Some(result) = &mut told.result {
            result.proposed = true;
        }
        Arc::new(told)
    }

    /// Refuses what would take half-moves out of the record of a game that has its result, and put
    /// its pieces back: a ruling, or another position.
    pub(super) fn may_cut(&self, input: &Input) -> Result<(), OrderError> {
        use ArbiterAction::{Report, SetPosition, Uphold};
        let sets = matches!(input.plain(), Input::Arbiter(SetPosition { .. }));
        let is_ruling = sets || matches!(input.plain(), Input::Arbiter(Uphold(_) | Report { .. }));
        let game = self.record.as_ref().map(|record| &*record.game);
        let book = self.parts.office.book();
        let of = game.filter(|game| is_ruling && book.has_result(game));
        let Some((_, seat)) = of.and_then(|game| book.seat_of(game)) else {
            return Ok(());
        };
        if sets {
            return Err(OrderError::refused(has_its_result(seat)));
        }
        let plies = |arbiter: &Arbiter| hall::view(arbiter, None).map(|view| view.plies.len());
        let mut trial = self.arbiter.clone();
        let event = Event {
            at: self.timeline.last(),
            input: input.clone(),
        };
        trial.handle(&event, &mut Vec::new());
        match plies(&trial) < plies(&self.arbiter) {
            true => Err(OrderError::refused(has_its_result(seat))),
            false => Ok(()),
        }
    }

    /// Refuses what would end a game otherwise whose result a person has said: it would stand in
    /// the journal beside that, and count for nothing.
    pub(super) fn may_end(&self, input: &Input) -> Result<(), OrderError> {
        let at_hand = self.record.as_ref().map(|record| &*record.game);
        let meant = match input.plain() {
            Input::Arbiter(ArbiterAction::Result { game, .. } | ArbiterAction::Annul { game }) => {
                game.as_deref().or(at_hand)
            }
            Input::Resign { .. }
            | Input::Draw { .. }
            | Input::FlagFall { .. }
            | Input::Stop { .. }
            | Input::Claim { .. } => at_hand,
            _ => None,
        };
        let book = self.parts.office.book();
        let settled = meant.filter(|game| book.has_result(game));
        match settled.and_then(|game| book.seat_of(game)) {
            Some((_, seat)) => Err(OrderError::refused(has_its_result(seat))),
            None => Ok(()),
        }
    }

    /// A view as it is shown to everybody: with the result that a person has said, whatever its
    /// board proposes. `None` for that result is one that no game can have by itself, as 0-0.
    pub(super) fn as_said(&self, view: Arc<View>) -> Arc<View> {
        let Some((said, how)) = self.said() else {
            return view;
        };
        let shown = said.map(|said| declared(said, how, view.result));
        if view.result == shown {
            return view;
        }
        let mut settled = View::clone(&view);
        settled.result = shown;
        (settled.result_text, settled.held_back) = (None, None);
        Arc::new(settled)
    }

    /// The same of a game that is told as it was told when it ended.
    pub(super) fn told_as_said(&self, told: &Told) -> Told {
        let of = told.game().is_some_and(|game| self.plays(game));
        match self.said().filter(|_| of) {
            Some((said, how)) => told.with_result(said.map(|said| declared(said, how, None))),
            None => told.clone(),
        }
    }

    /// The result that a person has said of the game at hand, in the event, and how that came.
    fn said(&self) -> Option<(Option<GameResult>, How)> {
        let game = &self.record.as_ref()?.game;
        let book = self.parts.office.book();
        let (said, how) = (book.result_of(game)?, book.how(game)?);
        let all = [
            GameResult::WhiteWins,
            GameResult::BlackWins,
            GameResult::Draw,
        ];
        let said = all.into_iter().find(|result| result.as_str() == said);
        Some((said, how))
    }

    fn plays(&self, game: &str) -> bool {
        let at_hand = self.record.as_ref();
        at_hand.is_some_and(|record| *record.game == *game)
    }

    /// Whether a game is shown with another end than the event says by now: as over, or not, or
    /// with another result.
    pub(super) fn shows_another_end(&self) -> bool {
        let shown = self.parts.station.state();
        match (&self.recalled, shown.view(), &self.view) {
            (Some(told), ..) => shown.table != Table::Told(self.told_as_said(told)),
            (None, Some(shown), Some(view)) => {
                let is = self.as_said(self.as_over(view.clone()));
                let end = |view: &View| (view.state, view.result, view.restore.clone());
                end(shown) != end(&is)
            }
            (None, ..) => false,
        }
    }
}

/// A result by the word of a person. Where its board shows the same, that is still why: what is
/// only typed nobody has decided, and a loss by illegal moves that an arbiter declares rests on
/// these. What a board has shown and does no more, as a mate that a finding holds back, was
/// confirmed.
fn declared(result: GameResult, how: How, shown: Option<ResultView>) -> ResultView {
    let is_offence = |shown: &ResultView| shown.reason == ResultReason::ForfeitIllegalMoves;
    let counts = |shown: &ResultView| !shown.proposed || how != How::Arbiter || is_offence(shown);
    let same = shown.filter(|shown| shown.result == result && counts(shown));
    ResultView {
        result,
        proposed: false,
        reason: match (same, how) {
            (Some(same), _) => same.reason,
            (None, How::Arbiter) => ResultReason::Arbiter,
            (None, How::Board) => ResultReason::Confirmed,
            (None, _) => ResultReason::Entered,
        },
    }
}

/// Whether an order of this name has stopped a game because of its result.
pub(crate) fn is_settled(order: &str) -> bool {
    order.starts_with(SETTLED)
}
