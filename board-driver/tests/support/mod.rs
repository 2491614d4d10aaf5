//! A second look at performances: a board of its own, on which the acts are replayed.

use arbiter_core::shakmaty::{Board, Chess, Position};
use board_driver::hand::games::Game;
use board_driver::hand::{Act, Deed};

/// Replays the acts; panics where a piece comes from nowhere, lands on another, or time runs
/// backwards.
pub(crate) fn replayed(start: &Board, acts: &[Act]) -> Board {
    let mut board = start.clone();
    for pair in acts.windows(2) {
        assert!(
            pair[0].at <= pair[1].at,
            "time runs backwards at {:?}",
            pair[1]
        );
    }
    for act in acts {
        match act.deed {
            Deed::LiftPiece(sq, piece) => {
                assert_eq!(board.remove_piece_at(sq), Some(piece), "{act:?}")
            }
            Deed::PlacePiece(sq, piece) => {
                assert_eq!(board.piece_at(sq), None, "{act:?}");
                board.set_piece_at(sq, piece);
            }
            Deed::Press { .. } | Deed::Adjust { .. } => {}
        }
    }
    board
}

/// The position before each move of the game, and the last one.
pub(crate) fn positions(game: &Game) -> Vec<Chess> {
    let mut positions = vec![game.start.clone()];
    for (i, mv) in game.moves.iter().enumerate() {
        let mut next = positions[i].clone();
        next.play_unchecked(*mv);
        positions.push(next);
    }
    positions
}
