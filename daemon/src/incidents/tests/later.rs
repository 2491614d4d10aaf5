//! What waits for the next move of its game, and what changes after a ruling.

use super::super::group::State;
use super::super::mark::{By, Dial, Dials, Mark, Marks, Ruling};
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

/// The first of two illegal moves is dismissed: the second, upheld before, brings time now. It was
/// ruled when it was.
#[test]
fn what_follows_from_a_ruling_may_change_and_who_gave_it_when_does_not() {
    let ruling = |dials| Mark::Ruled {
        incident: id(),
        ruling: Ruling {
            finding: 1,
            upheld: true,
            order: "a1".to_owned(),
            moves: None,
            restore: None,
            dials,
        },
    };
    let dial = |add| Dial {
        from: None,
        add,
        to: None,
    };
    let time = Dials {
        white: dial(0),
        black: dial(120_000),
    };
    let said = |who: &str, at| By {
        who: who.to_owned(),
        at,
    };
    let mut marks = Marks::default();
    marks.apply(&ruling(None), said("Ada", 1_000));
    marks.apply(&ruling(Some(time)), said("", 9_000));
    let [(by, now)] = &marks.rulings[..] else {
        panic!("{marks:?}")
    };
    assert_eq!((by, now.dials), (&said("Ada", 1_000), Some(time)));
}
