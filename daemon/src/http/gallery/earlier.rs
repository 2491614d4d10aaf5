//! What games were before anybody followed them here, as the journal has it: what was shown before
//! the program began is shown at once.

use std::sync::Arc;

use crate::hall::{self, BoardState, Running};
use crate::mating::Follower;
use crate::store::{Game, Store, StoreError};

/// A board at a moment, in milliseconds since 1970.
pub(super) type Moment = (i64, BoardState);

/// What the game at hand of a board and the one before were, each the oldest first; the game that
/// is at hand is the last.
///
/// # Errors
/// Where the store cannot be read.
pub(super) fn games(
    store: &Store,
    board: &BoardState,
    is_elsewhere: impl Fn(&str) -> bool,
) -> Result<Vec<Vec<Moment>>, StoreError> {
    let at_hand = board.game().unwrap_or_default();
    let now = match at_hand {
        "" => None,
        game => store.game(game)?,
    };
    let is_before = |game: &Game| game.row.id != at_hand && !is_elsewhere(&game.row.id);
    let before = store.latest(&board.id, 2)?.into_iter().find(is_before);
    let before = before.map(|game| {
        let tags = &game.row.tags;
        let then = BoardState {
            white: tags.white.clone(),
            black: tags.black.clone(),
            round: tags.round.clone(),
            ..bare(board)
        };
        moments(&game, &then)
    });
    let now = now.map(|game| moments(&game, board));
    Ok(before.into_iter().chain(now).collect())
}

/// A board of which nothing is told but how it is called.
pub(super) fn bare(board: &BoardState) -> BoardState {
    BoardState {
        name: board.name.clone(),
        ..BoardState::new(&board.id, None)
    }
}

/// A game after each event by which something was told of it.
fn moments(game: &Game, board: &BoardState) -> Vec<Moment> {
    let named = BoardState {
        white: board.white.clone(),
        black: board.black.clone(),
        round: board.round.clone(),
        ..bare(board)
    };
    let (mut follower, mut said) = (Follower::new(), Vec::new());
    let (mut moments, mut before, mut running) = (Vec::new(), None, Running::default());
    for (event, wall) in game.events.iter().zip(&game.walls) {
        said.clear();
        let _recorded_or_not = follower.handle(event, &mut said);
        running.heard(&event.input, follower.arbiter().state(), *wall);
        if said.is_empty() && !moments.is_empty() {
            continue;
        }
        let Some(view) = hall::view(follower.arbiter(), before.as_deref()) else {
            continue;
        };
        let view = Arc::new(view);
        let mut state = named.clone();
        state.show(view.clone(), running.clone());
        moments.push((*wall, state));
        before = Some(view);
    }
    moments
}
