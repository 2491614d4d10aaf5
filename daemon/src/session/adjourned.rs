//! A game that is played on another day: its board follows it no more, until it is called and the
//! arbiter lets it go on, on this board or on another.

use arbiter_core::input::ArbiterAction;
use arbiter_core::ruling::ResultReason;
use arbiter_core::view::Phase;
use arbiter_core::{Event, Input};

use super::Session;
use super::earlier::Earlier;
use super::moved::Cargo;
use super::settled::is_settled;
use crate::hall::OrderError;
use crate::reason::Reason;
use crate::store::{Damage, GameRow, StoreError};

/// Why a game does not go on whose result a person has said.
pub(super) fn has_its_result((round, table): (u16, u16)) -> Reason {
    let what = format!(
        "the game at table {table} of round {round} has its result: withdraw that first \
         (`arbiterd results withdraw {round}.{table}`)"
    );
    let reason = Reason::new("game-has-result", what).with("round", round);
    reason.with("table", table)
}

impl Session {
    /// The game at hand is postponed, or its table has no board any more: whoever puts its pieces
    /// away touches nothing in it.
    pub(super) fn stop_once_set_aside(&mut self) {
        let state = self.arbiter.state();
        let is_over = matches!(state, None | Some(Phase::Paused | Phase::Ended));
        if !is_over && (self.is_postponed() || self.is_without_board()) {
            self.tell(Event {
                at: self.timeline.last(),
                input: Input::Arbiter(ArbiterAction::Pause),
            });
        }
    }

    fn is_without_board(&self) -> bool {
        let game = self.record.as_ref().map(|record| &record.game);
        game.is_some_and(|game| self.parts.office.book().is_without_board(game))
    }

    fn is_postponed(&self) -> bool {
        let game = self.record.as_ref().map(|record| &record.game);
        game.is_some_and(|game| self.parts.office.book().is_postponed(game))
    }

    /// Refuses to let a game go on that is to be played another day, or has its result; and one
    /// that would take from the next what has its result.
    pub(super) fn may_go_on(&self, input: &Input) -> Result<(), OrderError> {
        self.brings_nothing_back(input)?;
        let book = self.parts.office.book();
        let at_hand = self.record.as_ref().map(|record| &*record.game);
        let meant = match input.plain() {
            Input::Arbiter(ArbiterAction::Resume) => at_hand,
            Input::Arbiter(ArbiterAction::TakeBack { order }) if is_settled(order) => at_hand,
            Input::Arbiter(ArbiterAction::GoesOn { game }) => game.as_deref().or(at_hand),
            _ => None,
        };
        let Some(meant) = meant else { return Ok(()) };
        let seat = book.seat_of(meant).map(|(_, seat)| seat);
        let refused = |kind, (round, table): (u16, u16), what: String| {
            let reason = Reason::new(kind, what).with("round", round);
            Err(OrderError::refused(reason.with("table", table)))
        };
        match (seat, at_hand) {
            (Some(seat), _) if book.has_result(meant) => {
                Err(OrderError::refused(has_its_result(seat)))
            }
            (Some((round, table)), Some(at_hand))
                if at_hand != meant && book.has_result(at_hand) =>
            {
                refused(
                    "played-since",
                    (round, table),
                    format!(
                        "what was played since is the game {at_hand}, which has its result: a \
                         postponed game goes on once it is resumed (`arbiterd round resume \
                         {round}.{table}`)"
                    ),
                )
            }
            (Some((round, table)), _) if book.is_postponed(meant) => refused(
                "game-postponed",
                (round, table),
                format!(
                    "the game at table {table} of round {round} is postponed: resume it first \
                     (`arbiterd round resume {round}.{table}`)"
                ),
            ),
            _ => Ok(()),
        }
    }

    /// Refuses to take back that a game goes on, where the next had begun: that one was annulled,
    /// and what its board has seen belongs to this one.
    fn brings_nothing_back(&self, input: &Input) -> Result<(), OrderError> {
        let Input::Arbiter(ArbiterAction::TakeBack { order }) = input.plain() else {
            return Ok(());
        };
        let goes_on = |given: &Input| {
            let is_it = given.order() == Some(&**order);
            is_it && matches!(given.plain(), Input::Arbiter(ArbiterAction::GoesOn { .. }))
        };
        let shown = self.parts.station.state();
        let mut orders = shown.view().into_iter().flat_map(|view| &view.orders);
        let (true, Some(record)) = (orders.any(|given| goes_on(&given.input)), &self.record) else {
            return Ok(());
        };
        let games = self.parts.store.games().unwrap_or_default();
        let board = &self.parts.board.id;
        let here = || games.iter().filter(|row| row.board == *board);
        let own = here().find(|row| row.id == *record.game);
        // One without a move was only set up.
        let played = here().filter(|row| row.plies > 0);
        let next = played.filter(|row| own.is_some_and(|own| own.started < row.started));
        let next = next.max_by(|one, other| one.started.cmp(&other.started));
        // A game that was adjourned may have had others after it.
        let is_none = |row: &&GameRow| {
            let game = self.parts.store.game(&row.id).ok().flatten();
            let result = game.and_then(|game| game.view()?.result);
            result.is_some_and(|result| result.reason == ResultReason::Annulled)
        };
        match next.filter(is_none) {
            Some(next) => {
                let what = format!(
                    "the game {} was annulled with it, and is not brought back: type its moves \
                     from the scoresheets, or have it played again",
                    next.id
                );
                let reason = Reason::new("annulled-with-it", what);
                Err(OrderError::refused(reason.with("game", &next.id)))
            }
            None => Ok(()),
        }
    }

    /// Goes on with a game that no board has at hand any more, from where it was adjourned. The
    /// one at hand is over, be it without a result. The pieces are set up for it: until the arbiter
    /// lets it go on, what is handled is nobody's move.
    pub(super) async fn take_up(&mut self, game: &str) -> Result<Option<String>, OrderError> {
        let at_hand = self.record.as_ref().map(|record| &*record.game);
        if at_hand == Some(game) {
            return Ok(None);
        }
        self.commit().await;
        let kept = match self.parts.store.game(game) {
            Ok(Some(kept)) => kept,
            Ok(None) => return Err(OrderError::UnknownGame(game.to_owned())),
            Err(error) => return Err(OrderError::refused(unread(&error))),
        };
        if let Some(damage) = &kept.row.damage {
            return Err(OrderError::refused(damaged(game, damage)));
        }
        let Some(taken) = Cargo::of(&kept) else {
            return Err(OrderError::NoGame);
        };
        let earlier = self
            .asked_about()
            .filter(|earlier| earlier.asked.game.as_ref() != game);
        let before = self.ended.take().is_none().then(|| self.view()).flatten();
        let over = before.and_then(|before| self.over(&before));
        self.acts.extend(over);
        self.commit().await;
        let stands = self.stands();
        self.load(taken);
        self.earlier = earlier;
        self.stop_while_set_up(stands);
        Ok(None)
    }

    /// Another board goes on with a game, of which it was asked here whether it has ended.
    pub(super) fn let_go(&mut self, game: &str) -> Result<Option<String>, OrderError> {
        let at_hand = self.record.as_ref().map(|record| &*record.game);
        if at_hand == Some(game) {
            let board = &self.parts.board.id;
            let reason = Reason::new("at-hand", format!("{game} is at hand on `{board}`"));
            let reason = reason.with("game", game).with("board", board);
            return Err(OrderError::refused(reason));
        }
        let is_it = |earlier: &mut Box<Earlier>| *earlier.asked.game == *game;
        self.is_told |= self.earlier.take_if(is_it).is_some();
        Ok(None)
    }
}

/// A game is damaged on disk.
pub(super) fn damaged(game: &str, damage: &Damage) -> Reason {
    let reason = Reason::new("game-damaged", format!("the game {game} is {damage}"));
    reason.with("game", game)
}

/// The store cannot be read.
pub(super) fn unread(error: &StoreError) -> Reason {
    Reason::new("store-unread", error.to_string()).with("error", error)
}
