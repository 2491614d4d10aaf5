//! The game at hand, as the journal knows it.

use std::sync::Arc;

use arbiter_core::ruling::GameResult;
use arbiter_core::view::Phase;
use arbiter_core::{Event, Input};

use crate::hall::{Running, View};
use crate::journal::Act;
use crate::pgn;
use crate::store::{Game, StoreError, Tags};

/// The game at hand: its place in the journal, and what lists show of it.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) game: Arc<str>,
    pub(super) tags: Tags,
    /// Events in the journal.
    count: u64,
    ended: Option<String>,
    result: GameResult,
    plies: usize,
    /// Since when the clock runs.
    pub(super) running: Running,
}

impl Record {
    /// A new game, and the act that begins it. Its setup is to be entered next.
    pub(super) fn begin(board: &Arc<str>, tags: Tags, game: &str) -> (Record, Act) {
        let game: Arc<str> = Arc::from(game);
        let act = Act::Begin {
            game: game.clone(),
            board: board.clone(),
            tags: tags.clone(),
            started: now().to_string(),
        };
        (
            Record {
                game,
                tags,
                count: 0,
                ended: None,
                result: GameResult::Open,
                plies: 0,
                running: Running::default(),
            },
            act,
        )
    }

    /// A game out of the store, whose clock runs so. `None` when it does not begin with a setup.
    pub(super) fn resume(game: &Game, running: Running) -> Option<Record> {
        let Some(Input::Setup(_)) = game.events.first().map(|event| &event.input) else {
            return None;
        };
        let results = [
            GameResult::WhiteWins,
            GameResult::BlackWins,
            GameResult::Draw,
        ];
        let result = results
            .into_iter()
            .find(|result| result.as_str() == game.row.result);
        Some(Record {
            game: Arc::from(game.row.id.as_str()),
            tags: game.row.tags.clone(),
            count: game.events.len() as u64,
            ended: game.row.ended.clone(),
            result: result.unwrap_or_default(),
            plies: game.row.plies as usize,
            running,
        })
    }

    /// Events in the journal.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// The act that enters `event`, after which the game is in this phase.
    pub(super) fn enter(&mut self, event: &Event, phase: Option<Phase>) -> Result<Act, StoreError> {
        let line = serde_json::to_string(event)?;
        let seq = self.count;
        self.count += 1;
        let wall = now().as_millisecond();
        self.running.heard(&event.input, phase, wall);
        Ok(Act::Event {
            game: self.game.clone(),
            seq,
            at: event.at.0,
            wall,
            line,
        })
    }

    /// The board says that its clock was started or stopped.
    pub(super) fn clock_runs(&mut self, runs: bool) {
        self.running.runs(runs, now().as_millisecond());
    }

    /// The act that brings lists up to date, if they are not.
    pub(super) fn outcome(&mut self, view: &View) -> Option<Act> {
        let (result, plies) = (pgn::result(view), view.plies.len());
        let over = result != GameResult::Open || view.is_annulled();
        let same = result == self.result && over == self.ended.is_some();
        if view.game != *self.game || (same && plies == self.plies) {
            return None;
        }
        if !same {
            self.ended = over.then(|| now().to_string());
        }
        (self.result, self.plies) = (result, plies);
        let plies = u32::try_from(plies).unwrap_or(u32::MAX);
        Some(Act::Outcome {
            game: self.game.clone(),
            ended: self.ended.clone(),
            result: result.as_str(),
            plies,
        })
    }
}

/// The moment by the wall clock; for people only.
pub(super) fn now() -> jiff::Timestamp {
    jiff::Timestamp::now()
}
