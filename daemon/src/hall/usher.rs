//! Games come to the board of their table: those that are at hand on another, since their table
//! was given this one; and those that go on after all, having been adjourned, or their result
//! withdrawn, where their board has gone over to others since.

use std::collections::{BTreeSet, HashMap, HashSet};

use arbiter_core::view::Phase;
use tokio_util::sync::CancellationToken;

use super::{BoardState, Hall};
use crate::office::{Book, Office};

/// Brings games to their boards until the shutdown, each time that something of the event changes.
pub(crate) async fn usher(hall: Hall, office: Office, shutdown: CancellationToken) {
    let mut books = office.books();
    loop {
        books.borrow_and_update();
        let mut tried = BTreeSet::new();
        // Each time as the event is then: a board may have been put elsewhere meanwhile.
        while let Some((game, board)) = next_away(&office.book(), &hall, &tried) {
            if let Err(error) = hall.take_up(&game, &board).await {
                tracing::warn!(board, game, %error, "the game cannot go on on this board");
            }
            tried.insert((game, board));
        }
        tokio::select! {
            () = shutdown.cancelled() => return,
            changed = books.changed() => if changed.is_err() {
                return;
            },
        }
    }
}

/// A game, and the board of its table.
type Away = (String, String);

/// The next of the games that are not at hand on the board of their table, with that board. Of
/// those that go on after all: where another game is played on it, that one is not disturbed.
fn next_away(book: &Book, hall: &Hall, tried: &BTreeSet<Away>) -> Option<Away> {
    let boards = hall.boards();
    let by_id: HashMap<&str, &BoardState> = boards.iter().map(|b| (&*b.id, &**b)).collect();
    let at_hand: HashSet<&str> = boards.iter().filter_map(|state| state.game()).collect();
    let called: BTreeSet<(u16, u16)> = book.called().collect();
    book.going_on().find_map(|(round, table, game)| {
        let board = book.board_of(table)?;
        let state = by_id
            .get(board)
            .filter(|state| state.game() != Some(game))?;
        let comes = match called.contains(&(round, table)) {
            true => !is_disturbed(book, state),
            false => at_hand.contains(game),
        };
        // Of several rounds it is asked last which is played there: that takes longest.
        let (of, _) = book.event.at_hand(table).filter(|_| comes)?;
        let away = (game.to_owned(), board.to_owned());
        (of == round && !tried.contains(&away)).then_some(away)
    })
}

/// Whether a game is played on a board, and goes on.
fn is_disturbed(book: &Book, state: &BoardState) -> bool {
    state.view().is_some_and(|view| {
        let is_over = matches!(view.state, Phase::Ended | Phase::Paused);
        !is_over && !view.plies.is_empty() && !book.has_answer(&view.game)
    })
}
