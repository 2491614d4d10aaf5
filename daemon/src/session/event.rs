//! The game at hand as part of the event: what the event is told of it, and what a person has said of
//! it there.

use tournament::ResultCode;

use arbiter_core::ruling::{GameResult, ResultReason};

use super::Session;
use super::record::Record;
use crate::hall::View;
use crate::office::{OfficeError, Shown, said_of};
use crate::pgn;
use crate::scribe::Page;
use crate::store::{Ending, Game};

impl Session {
    /// Tells the event how the game at hand stands, where that is news.
    pub(super) async fn inform(&mut self, view: Option<&View>) {
        let (Some(record), Some(view)) = (&self.record, view) else {
            return;
        };
        let shown = shown(view);
        let is_of_a_round = pgn::Tags::from(&record.tags).seat().is_some();
        if !is_of_a_round || view.game != *record.game || self.heard == Some(shown) {
            return;
        }
        let board = &self.parts.board.id;
        match self.parts.office.hear(board, &record.game, shown).await {
            Ok(()) => self.heard = Some(shown),
            // The journal itself has the game; it is told again when something else happens.
            Err(OfficeError::Journal(error)) => {
                tracing::error!(board, %error, "the result is not in the event yet");
            }
            // A person has said otherwise, or the event is damaged: he knows.
            Err(error) => {
                tracing::warn!(board, %error, "the event does not take the result");
                self.heard = Some(shown);
            }
        }
    }

    /// What a PGN says of a game besides its moves.
    pub(super) fn tags(&self, record: &Record) -> pgn::Tags {
        let mut tags = pgn::Tags {
            chess960: self.arbiter.setup().is_some_and(|setup| setup.chess960),
            ..pgn::Tags::from(&record.tags)
        };
        if let Some((round, table)) = tags.seat() {
            let book = self.parts.office.book();
            if book.event.seat_of(&record.game) == Some((round, table)) {
                (tags.result, tags.typed) = said_of(&book.event, round, table);
            }
        }
        tags
    }

    /// The page of a game as it was written when it ended.
    pub(super) fn written(&self, game: &Game, ending: &Ending) -> Page {
        let text = ending.pgn.clone();
        match pgn::Tags::of(game).seat() {
            Some((round, table)) => Page::Table { round, table, text },
            None => Page::Written {
                game: game.row.id.clone(),
                text,
            },
        }
    }
}

/// What a game shows to the event.
fn shown(view: &View) -> Shown {
    let both = |text| ResultCode::both(text).map_or(Shown::Open, Shown::Ended);
    match pgn::result(view) {
        _ if view
            .result
            .is_some_and(|r| r.reason == ResultReason::Annulled) =>
        {
            Shown::Annulled
        }
        GameResult::Open => Shown::Open,
        result => both(result.as_str()),
    }
}
