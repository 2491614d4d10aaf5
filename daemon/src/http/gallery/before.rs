//! What was public of boards before the program began: up to when, and who was to play there.

use std::sync::Arc;

use jiff::Timestamp;
use tournament::Publication;

use super::earlier::{self, Moment};
use crate::hall::{BoardState, Next};
use crate::office::Book;
use crate::public::{Rules, Spot};

/// Up to which moment that was which is stopped since.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::http) struct Before {
    /// In milliseconds since 1970.
    pub(super) until: i64,
    /// It was no more than so many milliseconds late then, or since.
    pub(super) late: i64,
    /// And so many half-moves.
    pub(super) plies: usize,
}

impl Before {
    /// Of a place whose publication is stopped, at least so many milliseconds late.
    pub(in crate::http) fn of(
        book: &Book,
        spot: &Spot<'_>,
        rules: &Rules,
        least: i64,
    ) -> Option<Before> {
        let said = book.stopped_since(spot.number, (spot.round, spot.table));
        let (until, _) = said.first()?;
        let late = |(_, said): &(i64, Publication)| rules.delay_by(said, spot.round, spot.table);
        Some(Before {
            until: *until,
            late: said.iter().map(|said| late(said).ms).fold(least, i64::max),
            plies: said.iter().map(|said| late(said).plies).max()?,
        })
    }
}

/// Who is to play on a board in the round under way, since its start: how they are called now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::http) struct Awaited {
    since: i64,
    /// Their game, once it has begun.
    game: Option<String>,
    next: Next,
}

/// Who is to play on a board.
pub(in crate::http) type AwaitedOn = Arc<dyn Fn(&str) -> Option<Awaited> + Send + Sync>;

impl Awaited {
    /// By the event.
    pub(in crate::http) fn on(book: &Book, board: &str) -> Option<Awaited> {
        let (table, event) = (book.table_of(board)?, &book.event);
        let (round, drawn) = event.under_way()?;
        let pairing = event.pairing(round, table).ok()?;
        let name = |number: u16| {
            let player = event.players.get(&number);
            player.map(|player| player.name.clone()).unwrap_or_default()
        };
        let start = pairing.start.as_ref().map(|start| start.fen.clone());
        Some(Awaited {
            since: drawn.started.parse::<Timestamp>().ok()?.as_millisecond(),
            game: pairing.game.clone(),
            next: Next {
                white: name(pairing.white),
                black: name(pairing.black?),
                round: format!("{round}.{table}"),
                start: start.filter(|fen| !fen.is_empty()),
            },
        })
    }

    /// From the start of the round on, what stood on the board stands there until their game is
    /// shown.
    pub(super) fn stand_in(&self, board: &BoardState, games: &mut Vec<Vec<Moment>>) {
        let is_theirs = |game: &[Moment]| {
            let state = game.first().map(|(_, state)| state);
            self.game.is_some() && state.and_then(BoardState::game) == self.game.as_deref()
        };
        let at = games.iter().position(|game| is_theirs(game));
        let at = at.unwrap_or(games.len());
        let Some(before) = at.checked_sub(1).and_then(|n| games.get_mut(n)) else {
            let bare = earlier::bare(board);
            games.insert(0, vec![(self.since, self.awaiting(&bare))]);
            return;
        };
        let first = before.partition_point(|(seen, _)| *seen < self.since);
        for (_, state) in &mut before[first..] {
            state.next = Some(self.next.clone());
        }
        if let Some((_, last)) = first.checked_sub(1).and_then(|n| before.get(n)) {
            let state = self.awaiting(last);
            before.insert(first, (self.since, state));
        }
    }

    fn awaiting(&self, board: &BoardState) -> BoardState {
        BoardState {
            next: Some(self.next.clone()),
            ..board.clone()
        }
    }
}
