//! Games that go on after all come to the board of their table: those that were adjourned, and
//! those whose result was withdrawn, where it has gone over to others since, or stands elsewhere.

use arbiter_core::view::Phase;
use tokio_util::sync::CancellationToken;

use super::{BoardState, Hall};
use crate::office::{Book, Office};

/// Brings games to their boards until the shutdown, each time that something of the event changes.
pub(crate) async fn usher(hall: Hall, office: Office, shutdown: CancellationToken) {
    let mut books = office.books();
    loop {
        let book = books.borrow_and_update().clone();
        for (game, board) in away(&book, &hall) {
            if let Err(error) = hall.take_up(&game, &board).await {
                tracing::warn!(board, game, %error, "the game cannot go on on this board");
            }
        }
        tokio::select! {
            () = shutdown.cancelled() => return,
            changed = books.changed() => if changed.is_err() {
                return;
            },
        }
    }
}

/// The games that go on after all and are not at hand on the board of their table, with that board.
/// Where another game is played on it, that one is not disturbed.
fn away(book: &Book, hall: &Hall) -> Vec<(String, String)> {
    let games = book.called().filter_map(|(round, table)| {
        let (_, pairing) = book.event.at_hand(table).filter(|(of, _)| *of == round)?;
        let (game, state) = (pairing.game.as_deref()?, hall.board(book.board_of(table)?)?);
        let is_away = state.game() != Some(game) && !is_disturbed(book, &state);
        is_away.then(|| (game.to_owned(), state.id.clone()))
    });
    games.collect()
}

/// Whether a game is played on a board, and goes on.
fn is_disturbed(book: &Book, state: &BoardState) -> bool {
    state.view().is_some_and(|view| {
        let is_over = matches!(view.state, Phase::Ended | Phase::Paused);
        !is_over && !view.plies.is_empty() && !book.has_answer(&view.game)
    })
}
