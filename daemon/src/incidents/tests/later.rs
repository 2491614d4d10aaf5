//! What waits for the next move of its game, and what changes after a ruling.

use super::super::group::State;
use super::super::mark::{By, Dial, Dials, Mark, Marks, Ruling, StepKind};
use super::super::{Say, refusal};
use super::{Case, case, finding, id, marked, only};
use crate::store::Author;

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

fn ruling(finding: u32, order: &str, dials: Option<Dials>) -> Mark {
    Mark::Ruled {
        incident: id(),
        ruling: Ruling {
            finding,
            upheld: true,
            order: order.to_owned(),
            moves: None,
            asked: false,
            restore: None,
            dials,
        },
    }
}

/// Two minutes more for Black.
fn time() -> Dials {
    let dial = |add| Dial {
        from: None,
        add,
        to: None,
    };
    Dials {
        white: dial(0),
        black: dial(120_000),
    }
}

fn undone(finding: u32) -> Mark {
    Mark::Undone {
        incident: id(),
        finding,
    }
}

fn set(order: Option<&str>) -> Mark {
    Mark::Ticked {
        incident: id(),
        step: StepKind::Clocks,
        order: order.map(str::to_owned),
    }
}

fn after(marks: &[Mark]) -> Marks {
    let said = marks.iter().map(|mark| (mark.clone(), "Ada"));
    marked(&said.collect::<Vec<_>>()).remove(&id()).unwrap()
}

/// The first of two illegal moves is dismissed: the second, upheld before, brings time now. It was
/// ruled when it was.
#[test]
fn what_follows_from_a_ruling_may_change_and_who_gave_it_when_does_not() {
    let said = |who: &str, at| By {
        who: who.to_owned(),
        at,
    };
    let mut marks = Marks::default();
    marks.apply(&ruling(1, "a1", None), said("Ada", 1_000));
    marks.apply(&ruling(1, "a1", Some(time())), said("", 9_000));
    let [(by, now)] = &marks.rulings[..] else {
        panic!("{marks:?}")
    };
    assert_eq!((by, now.dials), (&said("Ada", 1_000), Some(time())));
}

#[test]
fn clocks_that_were_set_stay_so_whatever_is_ruled_on_another_finding() {
    let first = [ruling(1, "a1", Some(time())), set(Some("a1"))];
    let is_set = |more: &[Mark]| {
        let marks = after(&[&first, more].concat());
        (marks.clocks_set().is_some(), marks.added.is_some())
    };
    assert_eq!(is_set(&[ruling(2, "a2", None)]), (true, false));
    assert_eq!(is_set(&[ruling(2, "a2", None), undone(2)]), (true, false));
    // What brings time itself is to be set, and what was set is to be set back.
    assert_eq!(is_set(&[ruling(2, "a2", Some(time()))]), (false, false));
    assert_eq!(is_set(&[undone(1)]), (false, true));
}

/// Whoever has set the clocks says so after the ruling was taken back: the time is on them.
#[test]
fn clocks_that_are_said_to_be_set_for_a_ruling_taken_back_are_set_back() {
    let fell = [ruling(1, "a1", Some(time())), undone(1)];
    assert_eq!(after(&fell).added, None, "nobody has set them");
    let late = after(&[&fell[..], &[set(Some("a1"))]].concat());
    assert_eq!(late.added, Some(time()));
    assert!(late.fallen.is_empty() && late.set.is_empty());
    // Upheld again by then, it is on the clocks that are to be set.
    let again = [ruling(1, "a3", Some(time())), set(Some("a1"))];
    let again = after(&[&fell[..], &again].concat());
    assert_eq!(again.added, None);
    assert!(again.clocks_set().is_some());
}

/// Of two findings of one turn each brings time: for which of them the clocks are set is known of
/// each, and so what is to be taken off again.
#[test]
fn clocks_are_set_for_each_ruling_of_a_turn() {
    let both = [ruling(1, "a1", Some(time())), ruling(2, "a2", Some(time()))];
    let then = |more: &[Mark]| after(&[&both, more].concat());
    assert!(
        then(&[set(Some("a1"))]).clocks_set().is_none(),
        "one of two"
    );
    let each = [set(Some("a1")), set(Some("a2"))];
    assert!(then(&each).clocks_set().is_some());
    assert!(then(&[set(None)]).clocks_set().is_some());
    // One is taken back: the other stays set.
    let one_back = then(&[&each[..], &[undone(1)]].concat());
    assert!(one_back.clocks_set().is_some());
    assert_eq!(one_back.added, Some(time()));
    let both_back = then(&[&each[..], &[undone(1), undone(2)]].concat());
    assert_eq!(
        both_back.added.map(|added| added.adds()),
        Some([0, 240_000])
    );
    // The same is said of both after the second was taken back.
    let late = then(&[&[undone(2)], &each[..]].concat());
    assert_eq!(
        (late.clocks_set().is_some(), late.added),
        (true, Some(time()))
    );
    // Taken back before the other is set.
    let first = then(&[set(Some("a1")), undone(1)]);
    assert_eq!((first.clocks_set(), first.added), (None, Some(time())));
}

/// Who says late that he does not go, or that it may wait, does not send away who goes.
#[test]
fn who_is_on_the_way_stays_so_whatever_another_said_before() {
    let going = Mark::Going { incident: id() };
    let marks = marked(&[(going, "Ben")]);
    let incident = only(&case(vec![finding(1, 49, "likely")]), &marks, 0);
    let refused = |who: &str, say: Say| {
        let author = Author {
            who: who.to_owned(),
            ..Author::default()
        };
        refusal(&incident, &author, &say, false).is_some()
    };
    let later = || Say::Later {
        until: 100,
        until_move: false,
    };
    assert!(refused("Ada", Say::Left) && refused("Ada", later()));
    assert!(!refused("Ben", Say::Left) && !refused("Ben", later()));
    assert!(!refused("Ada", Say::Going));
}
