//! Rulings on games of this board that are over: what was found in them waits for the arbiter
//! though the next game is played.

use std::sync::Arc;
use std::time::Instant;

use arbiter_core::input::ArbiterAction;
use arbiter_core::{Event, Input, Time};

use super::earlier::Earlier;
use super::orders::{described, legible, may_be_declared, named, refused};
use super::{Session, adjourned, rests};
use crate::hall::OrderError;
use crate::office::{OfficeError, Shown};
use crate::pgn;
use crate::reason::Reason;
use crate::store::StoreError;

/// Why a finding of a game that is over is not upheld.
const CUTS: &str = "upheld, it would put a position back, and the pieces of a game that is over \
                    stand nowhere any more: uphold it without consequence (`for_record`), or \
                    dismiss it, and enter a result or a penalty where one is due";

impl Session {
    /// Rules on a game of the store; on the one at hand, or the one before, as always.
    pub(super) async fn rule_on(
        &mut self,
        game: &str,
        input: Input,
    ) -> Result<Option<String>, OrderError> {
        may_be_declared(&input)?;
        let names = [input.order(), input.author()];
        names.into_iter().flatten().try_for_each(legible)?;
        if self
            .record
            .as_ref()
            .is_some_and(|at_hand| *at_hand.game == *game)
        {
            return self.declare(input);
        }
        if !needs_no_board(&input) {
            let what = format!("{game} is over: its board plays another game");
            let reason = Reason::new("game-over", what).with("game", game);
            return Err(OrderError::refused(reason));
        }
        // The game at hand is in the journal up to here.
        self.commit().await;
        let is_before = |earlier: &mut Box<Earlier>| *earlier.asked.game == *game;
        let before_this = self.earlier.take_if(is_before);
        let is_before_this = before_this.is_some();
        let (mut past, at) = match before_this {
            Some(earlier) => (*earlier, self.timeline.declared(Instant::now())),
            None => self.past(game)?,
        };
        let findings = past.view().map(|(view, _)| view.findings);
        let input = described(input, findings.as_deref());
        let input = named(input, past.count(), past.arbiter());
        let order = input.order().map(str::to_owned);
        let (event, before) = (Event { at, input }, self.said.len());
        if past.is_cut_by(&event) {
            self.earlier = is_before_this.then(|| Box::new(past));
            return Err(OrderError::refused(Reason::new(
                "nothing-stands-any-more",
                CUTS,
            )));
        }
        let allowed = self.may_count_again(&past, &event);
        let allowed = allowed.and_then(|()| self.may_be_for_record_of(game, &event.input));
        if let Err(refused) = allowed.and_then(|()| rests::may_take_back(past.arbiter(), &event)) {
            self.earlier = is_before_this.then(|| Box::new(past));
            return Err(refused);
        }
        past.hear(&event, &mut self.said, &mut self.acts);
        self.note_who_undoes(&event.input);
        let refused = refused(&self.said[before..], &event.input);
        self.close(&mut past);
        let (is_of_a_round, view) = (past.is_of_a_round(), past.view());
        if view.as_ref().is_some_and(|(_, is_asked)| *is_asked) {
            self.earlier = Some(Box::new(past));
        }
        self.is_told = true;
        self.commit().await;
        if let Some((view, _)) = view.filter(|_| is_of_a_round) {
            self.tell_office(game, &Shown::of(&view)).await;
        }
        refused.map_or(Ok(order), Err)
    }

    /// Refuses to take back the annulment of a game that is played anew at its table: two games
    /// would be that of one pairing.
    fn may_count_again(&self, past: &Earlier, event: &Event) -> Result<(), OrderError> {
        let book = self.parts.office.book();
        let seat = book.event.annulled_seat_of(&past.asked.game);
        let pairing = seat.and_then(|(round, table)| book.event.pairing(round, table).ok());
        let anew = pairing.and_then(|pairing| pairing.game.as_deref());
        let Some(game) = anew.filter(|_| past.counts_again_by(event)) else {
            return Ok(());
        };
        let what = format!("{game} is played in its place: annul that one first");
        let reason = Reason::new("played-anew", what).with("game", game);
        Err(OrderError::refused(reason))
    }

    /// A game of the store that nobody has at hand, and the time of its last event.
    fn past(&self, game: &str) -> Result<(Earlier, Time), OrderError> {
        let unread = |error: StoreError| OrderError::refused(adjourned::unread(&error));
        let kept = self.parts.store.game(game).map_err(unread)?;
        let kept = kept.ok_or_else(|| OrderError::UnknownGame(game.to_owned()))?;
        if let Some(damage) = &kept.row.damage {
            return Err(OrderError::refused(adjourned::damaged(game, damage)));
        }
        let at = kept.events.last().map_or(Time::ZERO, |event| event.at);
        let tags = self.with_said(pgn::Tags::of(&kept), game);
        Ok((Earlier::of(&kept, tags).ok_or(OrderError::NoGame)?, at))
    }

    /// An order is taken back: by whom, the event is told with what its game shows then.
    pub(super) fn note_who_undoes(&mut self, input: &Input) {
        if let Input::Arbiter(ArbiterAction::TakeBack { .. }) = input.plain() {
            self.undone_by = input.author().map(Arc::from);
        }
    }

    /// Tells the event that a game counts again, in the name of who has taken its annulment back.
    pub(super) async fn tell_who_undid(&mut self, game: &str, shown: &Shown) {
        let Some(who) = self.undone_by.take() else {
            return;
        };
        let (board, office) = (&self.parts.board.id, &self.parts.office);
        // Where it is refused, it is once more when the rest is told.
        if let Err(error) = office.hear_undone(board, game, shown, &who).await {
            tracing::info!(board, game, %error, "the event does not count the game again");
        }
    }

    /// Tells the event what a game that is over shows now. What a person has confirmed stays.
    pub(super) async fn tell_office(&mut self, game: &str, shown: &Shown) {
        self.tell_who_undid(game, shown).await;
        let board = &self.parts.board.id;
        match self.parts.office.hear(board, game, shown).await {
            Ok(()) => {}
            Err(OfficeError::Refused(refusal)) => {
                tracing::info!(board, game, %refusal, "the event keeps its result");
            }
            Err(error) => tracing::error!(board, game, %error, "the event was not told"),
        }
    }
}

/// Whether the arbiter can order it of a game whose pieces stand nowhere any more.
fn needs_no_board(input: &Input) -> bool {
    matches!(
        input.plain(),
        Input::Arbiter(
            ArbiterAction::Uphold(_)
                | ArbiterAction::Dismiss(_)
                | ArbiterAction::Promotion { .. }
                | ArbiterAction::Reading { .. }
                | ArbiterAction::Played { .. }
                | ArbiterAction::TakeBack { .. }
                | ArbiterAction::Report { .. }
                | ArbiterAction::Result { .. }
        )
    )
}
