//! How a game ended: one question of each game, and nothing else that its end has left behind.

use super::*;
use crate::incidents::mark::Dials;

fn game_ended() -> Value {
    json!({"ply": 49, "kind": "game-ended", "squares": [], "readings": [], "text": "The end?"})
}

/// The game before, of which its board asks while the next one is played.
fn asking(game: Option<&str>) -> Case {
    Case {
        board: "b12".to_owned(),
        at_hand: true,
        white: "Zhou".to_owned(),
        black: "Yilmaz".to_owned(),
        missed: game.map(|game| json!({"game": game, "ply": 49, "text": "The end?"})),
        missed_of: ["Berg".to_owned(), "Cole".to_owned()],
        ..Case::default()
    }
}

fn next_game() -> Case {
    Case {
        game: "g2".to_owned(),
        plies: 2,
        ..case(vec![])
    }
}

/// The board is set up anew: the game itself asks, then its board does; it is one question.
#[test]
fn whether_a_game_has_ended_is_one_question_however_long_it_is_asked() {
    let mut kept = Kept::default();
    let asks = Case {
        doubts: vec![game_ended()],
        ..case(vec![])
    };
    let ids = |kept: &Kept| -> Vec<String> {
        let all = kept.all();
        all.iter().map(|incident| incident.id.clone()).collect()
    };
    kept.take("board:b12".to_owned(), asking(None));
    kept.take("g1".to_owned(), asks);
    kept.settle(&Row, 0);
    assert_eq!(ids(&kept), ["g1.end"]);
    assert_eq!(kept.all()[0].kind, Kind::Doubt);
    let going = Mark::Going {
        incident: "g1.end".to_owned(),
    };
    kept.apply(&going, by("Ada"));
    kept.settle(&Row, 1);

    kept.leave("b12", "g2");
    kept.take("g2".to_owned(), next_game());
    kept.take("board:b12".to_owned(), asking(Some("g1")));
    kept.settle(&Row, 2);
    assert_eq!(ids(&kept), ["g1.end"]);
    let one = &kept.all()[0];
    assert_eq!((one.kind, &*one.game, one.since), (Kind::Missed, "g1", 0));
    let players = (&*one.white, &*one.black);
    assert_eq!(players, ("Berg", "Cole"), "not those who sit there now");
    assert_eq!(one.going.as_ref().unwrap().who, "Ada");
    assert_eq!(kept.asked_at("b12").as_deref(), Some("g1"));

    // It is answered at the board; the game is read again then.
    kept.take("board:b12".to_owned(), asking(None));
    let over = Case {
        at_hand: false,
        ended: true,
        ..case(vec![])
    };
    kept.take("g1".to_owned(), over);
    assert_eq!(kept.settle(&Row, 3).0, [Changed::Gone("g1.end".to_owned())]);
}

/// The second illegal move loses: once it is upheld the result alone waits. If that is not
/// confirmed after all, everything is to be done again.
#[test]
fn what_ends_the_game_asks_for_its_result_and_for_nothing_else() {
    let ends = json!({"opponent_ms": 0, "then": "loss"});
    let second = with(finding(1, 49, "certain"), "penalty", ends);
    let open = Case {
        plies: 48,
        restore: Some("before".to_owned()),
        proposed: Some(json!({"result": "0-1", "reason": "forfeit-illegal-moves"})),
        ..case(vec![second.clone()])
    };
    let unruled = only(&open, &BTreeMap::new(), 0);
    assert!(unruled.restore.is_none() && unruled.proposed.is_some());
    let after = Case {
        findings: vec![with(second, "status", json!("upheld"))],
        ..open.clone()
    };
    let mut news = noticed(Some(&open), &after, &BTreeMap::new());
    let marks = marked(&[(news.remove(0).0, "Ada")]);
    let one = only(&after, &marks, 0);
    assert_eq!((one.kind, one.restore.is_some()), (Kind::Proposed, false));
    assert!(one.steps.is_empty() && one.proposed.is_some(), "{one:?}");

    let goes_on = Case {
        proposed: None,
        ..after
    };
    let steps = only(&goes_on, &marks, 0).steps;
    let left: Vec<StepKind> = steps.iter().map(|step| step.step).collect();
    assert_eq!(left, [StepKind::Position, StepKind::Moves]);
}

/// Its result is typed at the desk while its pieces still stand there.
#[test]
fn a_game_with_its_result_has_nothing_to_be_put_back_or_set() {
    let settled = |findings: Vec<Value>| Case {
        game: "settled".to_owned(),
        ..case(findings)
    };
    let mut kept = Kept::default();
    let open = settled(vec![finding(1, 49, "certain")]);
    kept.take("settled".to_owned(), open);
    kept.settle(&Row, 0);
    assert!(kept.all()[0].over, "its clocks are set no more");
    let upheld = with(finding(1, 49, "certain"), "status", json!("upheld"));
    let after = Case {
        restore: Some("before".to_owned()),
        disturbed: true,
        ..settled(vec![upheld])
    };
    for (mark, who) in kept.take("settled".to_owned(), after) {
        kept.apply(&mark, by(&who));
    }
    kept.settle(&Row, 1);
    assert!(kept.all().is_empty());
}

/// Nobody needs to know any more what was played in it, or how it ended.
#[test]
fn nothing_is_asked_of_a_game_that_was_annulled() {
    let doubts = json!([
        game_ended(),
        {"ply": 12, "kind": "ambiguous-move", "squares": ["e4"], "readings": [], "text": "Which?"},
    ]);
    let of = |reason: &str| {
        let result = json!({"result": "*", "reason": reason, "proposed": false});
        let view = json!({"plies": [], "findings": [], "doubts": doubts, "result": result});
        Case::of_past("g1", "b12", Default::default(), &view)
    };
    let asked = |reason| group(&of(reason), &BTreeMap::new(), 0).len();
    assert_eq!((asked("arbiter"), asked("annulled")), (2, 0));
}

/// The second illegal move was upheld, and the first is dismissed then: nothing is lost, and the
/// opponent is given the time of a first one.
#[test]
fn what_loses_no_more_has_its_time_to_be_given() {
    let ends = json!({"opponent_ms": 0, "then": "loss"});
    let second = with(finding(2, 49, "certain"), "status", json!("upheld"));
    let lost = Case {
        plies: 48,
        restore: Some("before".to_owned()),
        proposed: Some(json!({"result": "0-1", "reason": "forfeit-illegal-moves"})),
        ..case(vec![with(second.clone(), "penalty", ends)])
    };
    let unruled = Case {
        findings: vec![with(lost.findings[0].clone(), "status", json!("open"))],
        ..lost.clone()
    };
    let mut news = noticed(Some(&unruled), &lost, &BTreeMap::new());
    let upheld = (news.remove(0).0, "Ada");
    let goes_on = Case {
        findings: vec![second],
        proposed: None,
        ..lost.clone()
    };
    let mut news = noticed(
        Some(&lost),
        &goes_on,
        &marked(std::slice::from_ref(&upheld)),
    );
    let (anew, who) = news.remove(0);
    assert_eq!(who, "Ada", "who has upheld it");
    let marks = marked(&[upheld, (anew, "Ada")]);
    let one = only(&goes_on, &marks, 0);
    assert_eq!(one.rulings.len(), 1);
    let left: Vec<StepKind> = one.steps.iter().map(|step| step.step).collect();
    assert_eq!(
        left,
        [StepKind::Position, StepKind::Clocks, StepKind::Moves]
    );
    let again = noticed(Some(&goes_on), &goes_on, &marks);
    assert!(again.is_empty(), "said once: {again:?}");
}

/// An illegal move that the players have put right is ruled on while a later one is put back: what
/// is put back is not for it, its time is added to what the clock shows, and it leaves no moves.
#[test]
fn what_was_put_right_is_nothing_of_what_is_put_back_for_another() {
    let first = with(finding(1, 5, "certain"), "status", json!("upheld"));
    let before = Case {
        plies: 12,
        restore: Some("before 13".to_owned()),
        ..case(vec![finding(1, 5, "certain")])
    };
    let after = Case {
        findings: vec![first],
        ..before.clone()
    };
    let mut news = noticed(Some(&before), &after, &BTreeMap::new());
    let Mark::Ruled { ruling, .. } = news.remove(0).0 else {
        panic!("a ruling");
    };
    assert_eq!((ruling.restore, ruling.moves), (None, None));
    let dials = ruling.dials.expect("two minutes for Black");
    assert_eq!(
        (dials.black.from, dials.black.to, dials.black.add),
        (None, None, 120_000)
    );
}

/// Two offences at one turn are upheld. Where the first is taken back, the second stands.
#[test]
fn what_another_ruling_at_the_turn_asks_for_stays() {
    let both = [1, 2].map(|id| with(finding(id, 49, "certain"), "status", json!("upheld")));
    let after = Case {
        plies: 48,
        restore: Some("before".to_owned()),
        ..case(both.to_vec())
    };
    let ruled = |findings: &[u32]| {
        let open = |id: u32| with(finding(id, 49, "certain"), "status", json!("open"));
        let before = Case {
            findings: findings.iter().map(|id| open(*id)).collect(),
            restore: None,
            ..after.clone()
        };
        let after = Case {
            findings: after.findings[..findings.len()].to_vec(),
            ..after.clone()
        };
        let news = noticed(Some(&before), &after, &BTreeMap::new());
        let news: Vec<(Mark, &str)> = news.into_iter().map(|(mark, _)| (mark, "Ada")).collect();
        only(&after, &marked(&news), 0).rulings.remove(0).follows
    };
    assert!(ruled(&[1]).contains(&Follows::NoRestore) && ruled(&[1]).contains(&Follows::Free));
    assert_eq!(ruled(&[1, 2]), [Follows::Open]);
}

/// The clocks that a ruling sets, two minutes more for Black, when so much was given to White and
/// Black since the press.
fn dials_given(given: [i64; 2]) -> Dials {
    let upheld = with(finding(1, 5, "certain"), "status", json!("upheld"));
    let before = Case {
        plies: 4,
        given,
        ..case(vec![finding(1, 5, "certain")])
    };
    let after = Case {
        findings: vec![upheld],
        ..before.clone()
    };
    let mut news = noticed(Some(&before), &after, &BTreeMap::new());
    let Mark::Ruled { ruling, .. } = news.remove(0).0 else {
        panic!("a ruling");
    };
    ruling.dials.expect("two minutes for Black")
}

/// The light went out after the offender had pressed, and both were given two minutes: the clocks
/// show that when his offence is upheld.
#[test]
fn time_that_both_were_given_since_the_press_is_on_the_clocks() {
    let dials = dials_given([120_000; 2]);
    assert_eq!(
        (dials.white.from, dials.white.to),
        (Some(847_000), Some(847_000))
    );
    assert_eq!(
        (dials.black.from, dials.black.to),
        (Some(992_000), Some(1_112_000))
    );
}

/// White was given less time after he had pressed, and Black more: the new times go on from there.
#[test]
fn penalties_of_time_since_the_press_are_on_the_clocks() {
    let dials = dials_given([-30_000, 60_000]);
    assert_eq!(
        (dials.white.from, dials.white.to),
        (Some(697_000), Some(697_000))
    );
    assert_eq!(
        (dials.black.from, dials.black.to),
        (Some(932_000), Some(1_052_000))
    );
}

/// Nobody was at the table yet: the players go on with the move that is not allowed. That is no
/// step that was done.
#[test]
fn whoever_plays_on_beside_a_ruling_has_put_nothing_back() {
    let open = with(finding(1, 49, "certain"), "required", json!(["e2d1"]));
    let before = case(vec![open.clone()]);
    let ordered = Case {
        plies: 48,
        findings: vec![with(open, "status", json!("upheld"))],
        restore: Some("before 25".to_owned()),
        orders: vec![json!({"event": "arbiter", "action": "uphold", "id": 1, "order": "r1"})],
        ..before.clone()
    };
    let mut news = noticed(Some(&before), &ordered, &BTreeMap::new());
    let marks = marked(&[(news.remove(0).0, "Ada")]);
    let done = |case: &Case| {
        let steps = only(case, &marks, 0).steps;
        let by_board = steps.iter().filter(|step| step.step != StepKind::Clocks);
        by_board.map(|step| step.done).collect::<Vec<bool>>()
    };
    assert_eq!(done(&ordered), [false, false]);
    let goes_on = |played: &str| Case {
        plies: 51,
        restore: None,
        played: BTreeMap::from([(49, played.to_owned())]),
        ..ordered.clone()
    };
    assert_eq!(done(&goes_on("e2d3")), [false, false]);
    assert_eq!(done(&goes_on("e2d1")), [true, true]);
    // Over, with something more to be ruled on: it is no step any more, and not said to be done.
    let over = |played: &str| {
        let mut over = Case {
            ended: true,
            ..goes_on(played)
        };
        over.findings.push(finding(2, 49, "certain"));
        over
    };
    assert_eq!(done(&over("e2d3")), [false; 0]);
    assert_eq!(done(&over("e2d1")), [true, true]);
}

/// White was ruled on once, and his mate stands there, which another finding keeps from counting:
/// nobody sets clocks for a game that may be over. Where it goes on, they are to be set.
#[test]
fn no_clock_is_set_while_a_mate_stands_that_is_held_back() {
    let upheld = with(finding(1, 5, "certain"), "status", json!("upheld"));
    let before = Case {
        plies: 12,
        ..case(vec![finding(1, 5, "certain"), finding(2, 9, "certain")])
    };
    let goes_on = Case {
        findings: vec![upheld, finding(2, 9, "certain")],
        ..before.clone()
    };
    let mated = Case {
        held_back: true,
        ..goes_on.clone()
    };
    let mut news = noticed(Some(&before), &goes_on, &BTreeMap::new());
    let marks = marked(&[(news.remove(0).0, "Ada")]);
    let steps = |case: &Case| -> Vec<StepKind> {
        let all = group(case, &marks, 0);
        let steps = all.iter().flat_map(|one| &one.steps);
        steps.map(|step| step.step).collect()
    };
    assert_eq!(steps(&goes_on), [StepKind::Clocks]);
    assert_eq!(steps(&mated), [StepKind::Clocks; 0]);
}

/// A step that nobody has ticked is told once it can be done no more.
#[test]
fn clocks_that_nobody_has_set_are_told_once_the_game_is_left() {
    let before = case(vec![finding(1, 5, "certain")]);
    let ruled = Case {
        findings: vec![with(finding(1, 5, "certain"), "status", json!("upheld"))],
        ..before.clone()
    };
    let left = |is_ticked: bool| {
        let mut kept = Kept::default();
        kept.take("g1".to_owned(), before.clone());
        kept.settle(&Row, 0);
        for (mark, _) in kept.take("g1".to_owned(), ruled.clone()) {
            kept.apply(&mark, by("Ada"));
        }
        kept.settle(&Row, 0);
        assert_eq!(kept.clocks_not_set("g1"), [0; 0], "it waits");
        if is_ticked {
            let incident = "g1.5".to_owned();
            let (step, order) = (StepKind::Clocks, None);
            kept.apply(
                &Mark::Ticked {
                    incident,
                    step,
                    order,
                },
                by("Ada"),
            );
        }
        kept.leave("b12", "g2");
        kept.settle(&Row, 0);
        assert_eq!(kept.clocks_not_set("g10"), [0; 0], "another game");
        kept.clocks_not_set("g1")
    };
    assert_eq!(left(false), [1]);
    assert_eq!(left(true), [0; 0]);
}

/// Pieces that were set up wrongly make the game void (7.2.1): that is to be done until it is, or
/// until nobody may object to it any more.
#[test]
fn a_game_whose_pieces_were_set_up_wrongly_is_to_be_cancelled() {
    let wrong = |status: &str, open: bool| {
        let found = with(
            finding(1, 1, "certain"),
            "code",
            json!("position-setup-wrong"),
        );
        let found = with(with(found, "penalty", Value::Null), "required", Value::Null);
        let claim = json!({"by": "either", "open": open, "until": "game"});
        with(with(found, "claim", claim), "status", json!(status))
    };
    let steps = |open: bool, ended: bool| -> Vec<StepKind> {
        let before = case(vec![wrong("open", open)]);
        let after = Case {
            ended,
            ..case(vec![wrong("upheld", open)])
        };
        let mark = noticed(Some(&before), &after, &BTreeMap::new()).remove(0).0;
        let all = group(&after, &marked(&[(mark, "Ada")]), 0);
        let steps = all.iter().flat_map(|one| &one.steps);
        steps.map(|step| step.step).collect()
    };
    assert_eq!(steps(true, false), [StepKind::Cancel]);
    assert_eq!(steps(true, true), [], "it was annulled");
    assert_eq!(steps(false, false), [], "too late");
}
