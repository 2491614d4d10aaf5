//! Play in the game of a pairing that is not followed as that: before its round was started.

use std::sync::Arc;

use arbiter_core::{Arbiter, Time};

use super::{Parts, Session};
use crate::hall;
use crate::pgn;
use crate::store::Game;

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
    /// As it was when the program ended, of the game that is at hand on a board: what was played
    /// since its table's waits stands in the journal, with its moments.
    pub(super) fn kept(game: &Game, arbiter: &Arbiter, parts: &Parts) -> Option<Early> {
        let (office, board) = (&parts.office, &parts.board.id);
        let is_apart = pgn::Tags::of(game).seat().is_none();
        let is_awaited = is_apart && office.book().awaits(board);
        let since = is_awaited.then(|| office.awaited_since(board))??;
        let view = hall::view(arbiter, None).filter(|view| view.result.is_none())?;
        let written = game.events.iter().zip(&game.walls);
        let before = written.take_while(|(_, wall)| **wall <= since.as_millisecond());
        let last = before.last().map_or(Time::ZERO, |(event, _)| event.at);
        let before = view.plies.iter().filter(|ply| ply.at <= last);
        Some(Early {
            game: Some(game.row.id.as_str().into()),
            before: before.count(),
            now: view.plies.len(),
        })
    }

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
