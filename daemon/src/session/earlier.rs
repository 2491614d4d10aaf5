//! The game before, of which it is asked whether it has ended, while the next one is played.

use std::sync::Arc;
use std::time::Instant;

use arbiter_core::input::ArbiterAction;
use arbiter_core::ruling::{DoubtKind, ResultReason};
use arbiter_core::{Announcement, Arbiter, Event, Input};

use super::next_game::NextGame;
use super::orders::{named, refused};
use super::record::Record;
use super::{Session, adjourned};
use crate::hall::{self, Asked, OrderError, Running, View};
use crate::journal::Act;
use crate::mating::Follower;
use crate::office::Shown;
use crate::pgn;
use crate::store::{Game, Tags};

/// A game of which it is asked whether it has ended.
#[derive(Debug)]
pub(super) struct Earlier {
    arbiter: Arbiter,
    record: Record,
    tags: pgn::Tags,
    pub(super) asked: Asked,
}

/// White and Black, as the record has them.
fn players(record: &Record) -> [String; 2] {
    [record.tags.white.clone(), record.tags.black.clone()]
}

impl Earlier {
    /// It is called otherwise, if it is this game.
    pub(super) fn rename(&mut self, game: &str, tags: &Tags) {
        if *self.record.game == *game {
            let chess960 = self.tags.chess960;
            self.record.tags = tags.clone();
            self.asked.players = players(&self.record);
            self.tags = pgn::Tags {
                chess960,
                ..pgn::Tags::from(tags)
            };
        }
    }

    /// `None` where nothing is asked about the game.
    fn new(arbiter: Arbiter, record: Record, tags: pgn::Tags, view: &View) -> Option<Earlier> {
        let mut doubts = view.doubts.iter();
        let doubt = doubts.find(|doubt| doubt.kind == DoubtKind::GameEnded)?;
        let asked = Asked {
            game: record.game.clone(),
            ply: view.plies.len(),
            text: doubt.text.clone(),
            players: players(&record),
        };
        Some(Earlier {
            arbiter,
            record,
            tags,
            asked,
        })
    }

    /// The game before the one at hand, out of the store.
    pub(super) fn resume(game: &Game) -> Option<Earlier> {
        // Most games have ended, and are not followed for nothing.
        let name = serde_json::to_string(&DoubtKind::GameEnded).ok()?;
        game.ending.as_ref().filter(|e| e.view.contains(&name))?;
        let (arbiter, running) = followed(game);
        let view = hall::view(&arbiter, None)?;
        let record = Record::resume(game, running)?;
        Earlier::new(arbiter, record, pgn::Tags::of(game), &view)
    }

    /// A game of which nothing is asked.
    fn unasked(arbiter: Arbiter, record: Record, tags: pgn::Tags) -> Earlier {
        let asked = Asked {
            game: record.game.clone(),
            ply: 0,
            text: String::new(),
            players: players(&record),
        };
        Earlier {
            arbiter,
            record,
            tags,
            asked,
        }
    }

    /// Any game of the store.
    pub(super) fn of(game: &Game, tags: pgn::Tags) -> Option<Earlier> {
        let (arbiter, running) = followed(game);
        let record = Record::resume(game, running)?;
        Some(Earlier::unasked(arbiter, record, tags))
    }

    pub(super) fn arbiter(&self) -> &Arbiter {
        &self.arbiter
    }

    /// Events of it in the journal.
    pub(super) fn count(&self) -> u64 {
        self.record.count()
    }

    /// How it stands, and whether it is still asked whether it has ended.
    pub(super) fn view(&self) -> Option<(View, bool)> {
        let view = hall::view(&self.arbiter, None)?;
        let is_asked = asks(&view);
        Some((view, is_asked && !self.asked.text.is_empty()))
    }

    /// Whether half-moves would be taken back by a ruling.
    pub(super) fn is_cut_by(&self, event: &Event) -> bool {
        let plies = |arbiter: &Arbiter| hall::view(arbiter, None).map(|view| view.plies.len());
        let mut trial = self.arbiter.clone();
        trial.handle(event, &mut Vec::new());
        let is_uphold = matches!(
            event.input.plain(),
            Input::Arbiter(ArbiterAction::Uphold(_))
        );
        is_uphold && plies(&trial) < plies(&self.arbiter)
    }

    /// Whether it was annulled, and would not be any more.
    pub(super) fn counts_again_by(&self, event: &Event) -> bool {
        let is_annulled = |arbiter: &Arbiter| {
            let result = hall::view(arbiter, None).and_then(|view| view.result);
            result.is_some_and(|result| result.reason == ResultReason::Annulled)
        };
        let mut trial = self.arbiter.clone();
        trial.handle(event, &mut Vec::new());
        is_annulled(&self.arbiter) && !is_annulled(&trial)
    }

    /// Whether it is one of the event.
    pub(super) fn is_of_a_round(&self) -> bool {
        self.tags.seat().is_some()
    }

    pub(super) fn hear(
        &mut self,
        event: &Event,
        said: &mut Vec<Announcement>,
        acts: &mut Vec<Act>,
    ) {
        self.arbiter.handle(event, said);
        match self.record.enter(event, self.arbiter.state()) {
            Ok(act) => acts.push(act),
            Err(error) => tracing::error!(game = &*self.record.game, %error, "event not written"),
        }
    }
}

/// The arbiter of a game, who has heard all of it, and since when its clock runs.
pub(super) fn followed(game: &Game) -> (Arbiter, Running) {
    let (mut follower, mut running) = (Follower::new(), Running::default());
    for (event, wall) in game.events.iter().zip(&game.walls) {
        let _said_before = follower.handle(event, &mut Vec::new());
        running.heard(&event.input, follower.arbiter().state(), *wall);
    }
    (follower.into_arbiter(), running)
}

/// Which of a board's games, the newest first, is the one at hand: the newest, unless it was found
/// to be none and the one before goes on.
pub(super) fn at_hand(games: &[Game]) -> usize {
    let is_annulled = |game: &Game| {
        let last = game.events.last().map(|event| event.input.plain());
        matches!(last, Some(Input::Arbiter(ArbiterAction::Annul { .. })))
    };
    match games {
        [newest, before, ..] if is_annulled(newest) && before.ending.is_none() => 1,
        _ => 0,
    }
}

/// Whether it is asked whether a game has ended.
fn asks(view: &View) -> bool {
    let mut doubts = view.doubts.iter();
    doubts.any(|doubt| doubt.kind == DoubtKind::GameEnded)
}

impl Session {
    /// The game at hand, if it is asked whether it has ended. The next one is about to begin. One
    /// that is played on another day takes nothing from that.
    pub(super) fn asked_about(&mut self) -> Option<Box<Earlier>> {
        let view = self.view()?;
        let record = self.record.clone()?;
        if self.parts.office.book().is_postponed(&record.game) {
            return None;
        }
        let tags = self.tags(&record);
        Earlier::new(self.arbiter.clone(), record, tags, &view).map(Box::new)
    }

    /// What is asked of the game before, as long as the event does not say it.
    pub(super) fn still_asked(&self) -> Option<Asked> {
        let asked = self.earlier.as_ref().map(|earlier| &earlier.asked)?;
        let has_answer = self.parts.office.book().has_answer(&asked.game);
        (!has_answer).then(|| asked.clone())
    }

    /// A view as it is shown: where the event says how it is with the game, nobody is asked
    /// whether it has ended.
    pub(super) fn as_settled(&self, view: Arc<View>) -> Arc<View> {
        let view = self.as_over(view);
        let settled = self.parts.office.book().answered(&view);
        settled.map_or(view, Arc::new)
    }

    /// Whether something is shown as asked that the event has answered by now, or the other way
    /// round.
    pub(super) fn shows_what_is_settled(&mut self) -> bool {
        let shown = self.parts.station.state();
        let asked = shown.asked.as_ref().map(|asked| &*asked.game);
        if asked.is_some_and(|game| self.parts.office.book().has_answer(game)) {
            return true;
        }
        let now = self.view().filter(|_| self.recalled.is_none());
        let now = now.map(|view| self.as_settled(view));
        if self.next_names(now.as_deref()) != shown.next {
            return true;
        }
        let other = now
            .zip(shown.view())
            .is_some_and(|(now, shown)| now.doubts != shown.doubts || now.result != shown.result);
        other || self.shows_another_end()
    }

    /// Whether an order names the game before.
    pub(super) fn is_about_earlier(&self, input: &Input) -> bool {
        let (Input::Arbiter(action), Some(earlier)) = (input.plain(), &self.earlier) else {
            return false;
        };
        action.game() == Some(&*earlier.asked.game)
    }

    /// The arbiter says of the game before how it ended, or that it goes on.
    pub(super) async fn answer(&mut self, input: Input) -> Result<Option<String>, OrderError> {
        self.may_go_on(&input)?;
        self.may_end(&input)?;
        // The game at hand is in the journal up to here.
        self.commit().await;
        let Some(mut earlier) = self.earlier.take() else {
            return Err(OrderError::NoGame);
        };
        let at = self.timeline.declared(Instant::now());
        let input = named(input, earlier.record.count(), &earlier.arbiter);
        let event = Event { at, input };
        match event.input.plain() {
            Input::Arbiter(ArbiterAction::GoesOn { .. }) => self.go_on(earlier, &event).await,
            _ => {
                let before = self.said.len();
                earlier.hear(&event, &mut self.said, &mut self.acts);
                let refused = refused(&self.said[before..], &event.input);
                self.is_told = true;
                if let Some(refused) = refused {
                    self.earlier = Some(earlier);
                    return Err(refused);
                }
                self.close(&mut earlier);
                self.commit().await;
                if let Some((view, _)) = earlier.view().filter(|_| earlier.is_of_a_round()) {
                    let game = earlier.asked.game.clone();
                    self.tell_office(&game, &Shown::of(&view)).await;
                }
                Ok(event.input.order().map(str::to_owned))
            }
        }
    }

    /// Writes down how a game stands that is not the one at hand.
    pub(super) fn close(&mut self, game: &mut Earlier) {
        let Some(view) = hall::view(&game.arbiter, None).map(Arc::new) else {
            return;
        };
        self.acts.extend(game.record.outcome(&view));
        let over = self.ended_as(&game.record, &game.tags, &view);
        self.acts.extend(over);
        let view = self.as_settled(view);
        self.pages.push(self.page(game.tags.clone(), view));
    }

    /// The game before goes on: what was taken for the next one belongs to it, and that one is
    /// annulled.
    async fn go_on(
        &mut self,
        mut earlier: Box<Earlier>,
        event: &Event,
    ) -> Result<Option<String>, OrderError> {
        let Some(since) = self.told_since().await else {
            return Err(OrderError::ShuttingDown);
        };
        if let Some(damage) = since.row.damage {
            self.earlier = Some(earlier);
            let game = since.row.id;
            return Err(OrderError::refused(adjourned::damaged(&game, &damage)));
        }
        let since = since.events;
        let (asked, mut acts) = (earlier.asked.clone(), Vec::new());
        let before = earlier.record.clone();
        for event in since.iter().filter(|event| is_evidence(&event.input)) {
            earlier.hear(event, &mut Vec::new(), &mut acts);
        }
        let mut said = Vec::new();
        earlier.hear(event, &mut said, &mut acts);
        if let Some(refusal) = refused(&said, &event.input) {
            // It stays as it was: what was heard for nothing is not written down.
            let game = self.parts.store.game(&before.game).ok().flatten();
            self.earlier = game.and_then(|game| Earlier::resume(&game)).map(Box::new);
            return Err(refusal);
        }
        self.said.append(&mut said);
        self.acts.append(&mut acts);
        self.acts.push(Act::Reopened { game: asked.game });
        self.annul_next(event);
        (self.arbiter, self.record) = (earlier.arbiter, Some(earlier.record));
        (self.view, self.ended, self.recalled) = (None, None, None);
        self.heard = None;
        (self.is_told, self.ticked) = (true, None);
        self.next_game = NextGame::default();
        Ok(event.input.order().map(str::to_owned))
    }

    /// The game at hand was none.
    fn annul_next(&mut self, goes_on: &Event) {
        let annul = ArbiterAction::Annul { game: None };
        let input = Input::Arbiter(annul).signed(None, goes_on.input.author().map(Into::into));
        let at = goes_on.at;
        self.tell(Event { at, input });
        let Some(record) = self.record.take() else {
            return;
        };
        let (tags, arbiter) = (self.tags(&record), std::mem::take(&mut self.arbiter));
        self.close(&mut Earlier::unasked(arbiter, record, tags));
    }

    /// What the journal has of the game at hand. `None` when the session ends before the store
    /// answers.
    pub(super) async fn told_since(&mut self) -> Option<Game> {
        let name = self.record.as_ref()?.game.clone();
        loop {
            match self.parts.store.game(&name) {
                Ok(game) => return game,
                Err(error) => self.hold_back(error.to_string()).await?,
            }
        }
    }
}

/// Whether a board has reported it, or the clock. Orders were given in the game that was none.
pub(super) fn is_evidence(input: &Input) -> bool {
    input.order().is_none()
        && !matches!(
            input,
            Input::Setup(_) | Input::Arbiter(_) | Input::Mating { .. }
        )
}
