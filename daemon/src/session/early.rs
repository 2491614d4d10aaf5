//! Play in the game of a pairing that is not followed as that: before its round was started.

use std::sync::Arc;

use super::Session;
use crate::pgn;

/// A game of no pairing that is at hand while its table's waits.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Early {
    game: Option<Arc<str>>,
    /// Half-moves that it had when the pairing began to wait.
    before: usize,
    /// Half-moves that it has.
    now: usize,
}

impl Early {
    /// Whether somebody has played on in it since.
    pub(super) fn is_played(&self) -> bool {
        self.now > self.before
    }
}

impl Session {
    /// Looks whether somebody plays before he should. Whether a pairing waits for its game here.
    pub(super) fn look_for_early_play(&mut self) -> bool {
        let is_awaited = self.parts.office.book().awaits(&self.parts.board.id);
        let record = self.record.as_ref().filter(|_| is_awaited);
        let apart = record.filter(|record| pgn::Tags::from(&record.tags).seat().is_none());
        let game = apart.map(|record| record.game.clone());
        let view = game.as_ref().and_then(|_| self.view());
        let view = view.filter(|view| view.result.is_none());
        let now = view.map_or(0, |view| view.plies.len());
        let before = match self.early.game == game {
            true => self.early.before.min(now),
            false => now,
        };
        self.early = Early { game, before, now };
        is_awaited
    }
}
