//! What waits for the next move of its game.

use super::super::group::State;
use super::super::mark::Mark;
use super::{Case, case, finding, id, marked, only};

#[test]
fn an_incident_waits_for_the_next_move_and_no_longer_than_the_game_goes_on() {
    let game = case(vec![finding(1, 49, "likely")]);
    let until_move = Mark::Later {
        incident: id(),
        until: 100,
        strength: 10,
        plies: Some(game.plies as u32 + 1),
    };
    let marks = marked(&[(until_move, "Ada")]);
    let one = only(&game, &marks, 99);
    assert_eq!((one.state, one.until_move), (State::Later, true));
    assert_eq!(only(&game, &marks, 100).state, State::Seen);
    let moved = Case {
        plies: game.plies + 1,
        ..game.clone()
    };
    assert_eq!(only(&moved, &marks, 99).state, State::Seen);
    let ended = Case {
        ended: true,
        ..game
    };
    assert_ne!(only(&ended, &marks, 99).state, State::Later);
}
