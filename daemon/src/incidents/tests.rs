mod adjourned;
mod end;
mod later;
mod many;
mod rulings;
mod undone;

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::case::Case;
use super::group::{Incident, Kind, State, group, rank};
use super::mark::{By, Mark, Marks, StepKind};
use super::noticed::noticed;
use super::state::{Changed, Kept, Tables};
use super::steps::Follows;
use crate::store::{Area, Author, Deed, Deeds};

/// Board n stands on table n.
struct Row;

impl Tables for Row {
    fn table(&self, _: &str, board: &str) -> Option<u16> {
        board.trim_start_matches('b').parse().ok()
    }

    fn round(&self, game: &str) -> Option<u16> {
        (!game.is_empty()).then_some(1)
    }

    fn has_answer(&self, game: &str) -> bool {
        self.has_result(game)
    }

    fn has_result(&self, game: &str) -> bool {
        game.starts_with("settled")
    }

    fn is_postponed(&self, game: &str) -> bool {
        game.starts_with("later")
    }
}

fn finding(id: u32, ply: u32, certainty: &str) -> Value {
    json!({
        "id": id, "at": 1000, "ply": ply, "by": "white", "code": "illegal-move",
        "certainty": certainty, "status": "open", "reason": null, "article": "7.5.1",
        "claim": null, "squares": [], "required": ["e2d1", "e2f1"],
        "penalty": {"opponent_ms": 120_000, "then": null}, "text": "Be2-d3.",
        "evidence": [{"event": "press", "by": "white", "white_ms": 727_000, "black_ms": 872_000}],
    })
}

fn case(findings: Vec<Value>) -> Case {
    Case {
        board: "b12".to_owned(),
        game: "g1".to_owned(),
        at_hand: true,
        plies: 49,
        findings,
        ..Case::default()
    }
}

fn with(mut value: Value, name: &str, to: Value) -> Value {
    value[name] = to;
    value
}

fn by(who: &str) -> By {
    By {
        who: who.to_owned(),
        at: 5,
    }
}

fn only(case: &Case, marks: &BTreeMap<String, Marks>, now: i64) -> Incident {
    let mut all = group(case, marks, now);
    assert_eq!(all.len(), 1, "{all:?}");
    all.remove(0)
}

fn marked(marks: &[(Mark, &str)]) -> BTreeMap<String, Marks> {
    let mut all: BTreeMap<String, Marks> = BTreeMap::new();
    for (mark, who) in marks {
        let of = all.entry(mark.incident().to_owned()).or_default();
        of.apply(mark, by(who));
    }
    all
}

fn id() -> String {
    "g1.49".to_owned()
}

#[test]
fn what_is_found_at_one_turn_is_one_incident_and_other_turns_are_others() {
    let mut game = case(vec![
        finding(1, 49, "possible"),
        finding(2, 49, "certain"),
        finding(3, 47, "likely"),
    ]);
    game.doubts = vec![json!({"ply": 49, "kind": "promotion-piece", "readings": []})];
    let all = group(&game, &BTreeMap::new(), 0);
    let ids: Vec<&str> = all.iter().map(|incident| &*incident.id).collect();
    assert_eq!(ids, ["g1.47", "g1.49"]);
    assert_eq!(all[1].findings.len() + all[1].doubts.len(), 3);
    assert_eq!(all[1].certainty.as_deref(), Some("certain"));
    assert_eq!((all[1].urgency, all[0].urgency), (0, 4));
    assert_eq!(all[1].state, State::New);
}

#[test]
fn urgency_is_that_of_the_console_and_a_passed_claim_sinks() {
    let past = json!({"by": "black", "open": false, "until": "reply"});
    let rank_of = |case: Case| rank(&group(&case, &BTreeMap::new(), 0)[0]);
    let certain = rank_of(case(vec![finding(1, 49, "certain")]));
    let restore = rank_of(Case {
        restore: Some("8/8 w".to_owned()),
        ..case(vec![])
    });
    let doubt = rank_of(Case {
        doubts: vec![json!({"ply": 2, "kind": "ambiguous-move", "readings": []})],
        ..case(vec![])
    });
    let fault = rank_of(Case {
        fault: Some("unplugged".to_owned()),
        ..case(vec![])
    });
    let likely = rank_of(case(vec![finding(1, 49, "likely")]));
    let possible = rank_of(case(vec![finding(1, 49, "possible")]));
    let over = only(
        &Case {
            ended: true,
            ..case(vec![finding(1, 49, "certain")])
        },
        &BTreeMap::new(),
        0,
    );
    assert!(over.over);
    let unconfirmed = Case {
        ended: true,
        proposed: Some(json!({"result": "0-1", "reason": "checkmate"})),
        ..case(vec![finding(1, 49, "certain")])
    };
    let waits = group(&unconfirmed, &BTreeMap::new(), 0);
    assert!(waits.iter().all(|incident| !incident.over), "{waits:?}");
    let passed = with(finding(1, 49, "certain"), "claim", past);
    let gone = only(&case(vec![passed]), &BTreeMap::new(), 0);
    assert!(gone.past);
    let all = [
        certain,
        restore,
        doubt,
        fault,
        likely,
        possible,
        rank(&over),
        rank(&gone),
    ];
    assert!(all.is_sorted(), "{all:?}");
}

#[test]
fn a_result_that_a_finding_brings_belongs_to_it_and_a_claim_is_called_one() {
    let ends = json!({"opponent_ms": 0, "then": "loss"});
    let mut game = case(vec![with(finding(1, 49, "certain"), "penalty", ends)]);
    game.proposed = Some(json!({"result": "0-1", "reason": "forfeit-illegal-moves"}));
    let one = only(&game, &BTreeMap::new(), 0);
    assert_eq!(one.proposed, game.proposed);

    let mut game = case(vec![]);
    game.proposed = Some(json!({"result": "1/2-1/2", "reason": "threefold"}));
    let claim = only(&game, &BTreeMap::new(), 0);
    assert_eq!((&*claim.id, claim.kind), ("g1.end", Kind::Claim));
}

#[test]
fn an_incident_is_seen_then_somebody_goes_and_later_ends_when_more_comes() {
    let game = case(vec![finding(1, 49, "likely")]);
    let seen = (Mark::Seen { incident: id() }, "Ada");
    let going = (Mark::Going { incident: id() }, "Ben");
    let one = only(&game, &marked(std::slice::from_ref(&seen)), 0);
    assert_eq!((one.state, &*one.seen.unwrap().who), (State::Seen, "Ada"));
    let one = only(&game, &marked(&[seen.clone(), going]), 0);
    assert_eq!((one.state, &*one.going.unwrap().who), (State::Going, "Ben"));

    let later = Mark::Later {
        incident: id(),
        until: 100,
        strength: 10,
        plies: None,
    };
    let marks = marked(&[seen, (later, "Ada")]);
    assert_eq!(only(&game, &marks, 99).state, State::Later);
    assert_eq!(only(&game, &marks, 100).state, State::Seen);
    let more = case(vec![finding(1, 49, "certain")]);
    assert_eq!(only(&more, &marks, 99).state, State::Seen);
}

/// White's finding, upheld, while the position waits to be put back.
fn upheld() -> Case {
    Case {
        plies: 48,
        restore: Some("before".to_owned()),
        orders: vec![json!({
            "event": "arbiter", "action": "uphold", "id": 1, "order": "o7", "author": "Ada"
        })],
        ..case(vec![with(
            finding(1, 49, "certain"),
            "status",
            json!("upheld"),
        )])
    }
}

/// The players have put it right themselves, and it is ruled on many moves later.
#[test]
fn where_play_has_gone_on_time_is_added_to_what_the_clocks_show() {
    let before = case(vec![finding(1, 49, "certain")]);
    let after = Case {
        plies: 66,
        restore: None,
        ..upheld()
    };
    let mut news = noticed(Some(&before), &after, &BTreeMap::new());
    let marks = marked(&[(news.remove(0).0, "Ada")]);
    let one = only(&after, &marks, 0);
    let dials = one.rulings[0].ruling.dials.expect("times");
    assert_eq!((dials.black.add, dials.black.to), (120_000, None));
    assert_eq!((dials.white.add, dials.white.to), (0, None));
}

/// The result stands: nothing is put back any more.
#[test]
fn a_game_that_is_over_leaves_nothing_to_be_put_back() {
    let (before, mut after) = (case(vec![finding(1, 49, "certain")]), upheld());
    let mut news = noticed(Some(&before), &after, &BTreeMap::new());
    let marks = marked(&[(news.remove(0).0, "Ada")]);
    assert_eq!(only(&after, &marks, 0).state, State::Ruled);
    after.ended = true;
    // A second offence proposes that the game is lost: all of it still waits.
    after.proposed = Some(json!({"result": "0-1", "reason": "forfeit-illegal-moves"}));
    let left = |case: &Case| -> Vec<StepKind> {
        let steps = group(case, &marks, 0).swap_remove(0).steps;
        let left = steps.iter().filter(|step| !step.done);
        left.map(|step| step.step).collect()
    };
    let all = [StepKind::Position, StepKind::Clocks, StepKind::Moves];
    assert_eq!(left(&after), all);
    // The players had put it right themselves: the clocks wait until somebody has set them.
    let gone_on = Case {
        plies: 66,
        restore: None,
        ..after.clone()
    };
    assert_eq!(left(&gone_on), [StepKind::Clocks]);
    after.proposed = None;
    assert!(group(&after, &marks, 0).is_empty());
    // Another finding of the same turn still waits: no clock is said to have been set.
    after.findings.push(finding(2, 49, "likely"));
    let steps = group(&after, &marks, 0).swap_remove(0).steps;
    assert!(steps.iter().all(|step| step.step != StepKind::Clocks));
}

#[test]
fn a_ruling_leaves_a_list_that_the_board_and_the_arbiter_tick() {
    let (before, mut after) = (case(vec![finding(1, 49, "certain")]), upheld());
    let mut news = noticed(Some(&before), &after, &BTreeMap::new());
    assert_eq!(news.len(), 1);
    let (mark, who) = news.remove(0);
    assert_eq!(who, "Ada");
    let mut marks = marked(&[(mark, "Ada")]);
    assert!(noticed(Some(&after), &after, &marks).is_empty(), "once");
    let one = only(&after, &marks, 0);
    assert_eq!(one.state, State::Ruled);
    assert_eq!(one.restore, None, "it is a step of the ruling");
    let dials = one.rulings[0].ruling.dials.expect("times");
    assert_eq!(
        (dials.white.to, dials.black.to),
        (Some(727_000), Some(992_000))
    );
    let done = |case: &Case, marks: &BTreeMap<String, Marks>| -> Vec<bool> {
        let one = only(case, marks, 0);
        one.steps.iter().map(|step| step.done).collect()
    };
    assert_eq!(done(&after, &marks), [false, false, false]);
    after.restore = None;
    assert_eq!(done(&after, &marks), [true, false, false]);
    let step = StepKind::Clocks;
    let tick = Mark::Ticked {
        incident: id(),
        step,
        order: None,
    };
    marks.get_mut("g1.49").unwrap().apply(&tick, by("Ada"));
    assert_eq!(done(&after, &marks), [true, true, false]);
    after.plies = 49;
    assert!(group(&after, &marks, 0).is_empty(), "closed");
}

/// Of two findings at one turn one is upheld; the other can no longer be claimed.
#[test]
fn what_is_left_after_a_ruling_is_not_past_with_what_can_no_longer_be_claimed() {
    let past = json!({"by": "black", "open": false, "until": "reply"});
    let passed = with(finding(2, 49, "likely"), "claim", past);
    let before = case(vec![finding(1, 49, "certain"), passed.clone()]);
    let mut after = upheld();
    after.findings.push(passed);
    let (mark, _) = noticed(Some(&before), &after, &BTreeMap::new()).remove(0);
    let marks = marked(&[(mark, "Ada")]);
    let one = only(&after, &marks, 0);
    assert!(!one.past && one.steps.iter().any(|step| !step.done));
    assert_eq!(one.state, State::Seen);
}

#[test]
fn what_follows_from_taking_back_is_said_and_the_finding_waits_again() {
    let before = case(vec![finding(1, 49, "certain")]);
    let (mark, _) = noticed(Some(&before), &upheld(), &BTreeMap::new()).remove(0);
    let mut marks = marked(&[(mark, "Ada")]);
    let one = only(&upheld(), &marks, 0);
    let expected = [Follows::Open, Follows::NoRestore, Follows::Free];
    assert_eq!(one.rulings[0].follows, expected);
    // What the finding asked for before it was ruled on it asks for again.
    let asked = Case {
        plies: 48,
        restore: upheld().restore,
        ..before.clone()
    };
    let (mark, _) = noticed(Some(&asked), &upheld(), &BTreeMap::new()).remove(0);
    let one = only(&upheld(), &marked(&[(mark, "Ada")]), 0);
    assert_eq!(one.rulings[0].follows, [Follows::Open]);
    let (undone, _) = noticed(Some(&upheld()), &before, &marks).remove(0);
    marks.get_mut("g1.49").unwrap().apply(&undone, by("Ben"));
    let one = only(&before, &marks, 0);
    assert_eq!(
        (one.state, &*one.undone.unwrap().who),
        (State::Undone, "Ben")
    );
    assert!(one.rulings.is_empty());
    let of = marks.get_mut("g1.49").unwrap();
    of.apply(&Mark::Seen { incident: id() }, by("Ada"));
    assert_eq!(only(&before, &marks, 0).state, State::Undone, "only seen");
    let of = marks.get_mut("g1.49").unwrap();
    of.apply(&Mark::Going { incident: id() }, by("Ada"));
    of.apply(&Mark::Left { incident: id() }, by("Ada"));
    assert_eq!(only(&before, &marks, 0).state, State::Seen, "seen to since");
}

/// Two minutes were given, and both clocks set: taken back, they are to be set once more.
#[test]
fn time_that_was_given_is_taken_off_when_its_ruling_is_taken_back() {
    let before = case(vec![finding(1, 49, "certain")]);
    let (mark, _) = noticed(Some(&before), &upheld(), &BTreeMap::new()).remove(0);
    let undone = || Mark::Undone {
        incident: id(),
        finding: 1,
    };
    let tick = |step| Mark::Ticked {
        incident: id(),
        step,
        order: None,
    };
    let ruled = (mark, "Ada");
    let marks = marked(&[ruled.clone(), (undone(), "Ada")]);
    assert!(only(&before, &marks, 0).steps.is_empty(), "nothing was set");
    let set = (tick(StepKind::Clocks), "Ada");
    let mut marks = marked(&[ruled.clone(), set, (undone(), "Ada")]);
    let one = only(&before, &marks, 0);
    let steps: Vec<StepKind> = one.steps.iter().map(|step| step.step).collect();
    assert_eq!(steps, [StepKind::ClocksBack]);
    assert_eq!(one.added.map(|added| added.black.add), Some(120_000));
    let of = marks.get_mut("g1.49").unwrap();
    let again = of.clone();
    of.apply(&tick(StepKind::ClocksBack), by("Ada"));
    assert!(only(&before, &marks, 0).steps.is_empty(), "it is done");
    let mut marks = BTreeMap::from([(id(), again)]);
    marks.get_mut("g1.49").unwrap().apply(&ruled.0, by("Ada"));
    let one = only(&upheld(), &marks, 0);
    assert_eq!(one.added, None, "it is on the clocks already");
    let clocks = one.steps.iter().find(|s| s.step == StepKind::Clocks);
    assert!(clocks.is_some_and(|step| step.done), "nobody adds it twice");
}

#[test]
fn without_a_clock_no_time_is_made_up() {
    let silent = with(finding(1, 49, "certain"), "evidence", json!([]));
    let after = Case {
        findings: vec![with(silent.clone(), "status", json!("upheld"))],
        ..upheld()
    };
    let news = noticed(Some(&case(vec![silent])), &after, &BTreeMap::new());
    let Mark::Ruled { ruling, .. } = &news[0].0 else {
        panic!("{news:?}");
    };
    let dials = ruling.dials.expect("time is due");
    assert_eq!((dials.black.add, dials.black.to), (120_000, None));
}

#[test]
fn a_ruling_decided_upon_something_else_is_told_what_has_changed() {
    let before = only(&case(vec![finding(1, 49, "certain")]), &BTreeMap::new(), 0);
    assert_eq!(before.differs_from(&before.version), None);
    let open = case(vec![finding(1, 49, "certain")]);
    let (mark, _) = noticed(Some(&open), &upheld(), &BTreeMap::new()).remove(0);
    let after = only(&upheld(), &marked(&[(mark, "Tomasz")]), 0);
    let told = after.differs_from(&before.version).expect("it differs");
    assert_eq!(told.text, "Tomasz has ruled on this already: upheld");
    assert_eq!(told.with["who"], "Tomasz");
    let more = case(vec![finding(1, 49, "certain"), finding(2, 49, "possible")]);
    let more = only(&more, &BTreeMap::new(), 0);
    assert!(
        more.differs_from(&before.version)
            .unwrap()
            .text
            .starts_with("more has come")
    );
}

#[test]
fn incidents_outlive_their_game_and_what_was_said_outlives_the_program() {
    let seen = Mark::Seen { incident: id() };
    let author = Author {
        who: "Ada".to_owned(),
        ..Author::default()
    };
    let deed = Deed::now(author, Area::Incidents, &seen).unwrap();
    let mut kept = Kept::read(&Deeds {
        sound: vec![deed],
        ..Deeds::default()
    });
    kept.take("g1".to_owned(), case(vec![finding(1, 49, "certain")]));
    let changes = kept.settle(&Row, 10).0;
    let [Changed::Is(one, _)] = &changes[..] else {
        panic!("{changes:?}");
    };
    assert_eq!(
        (one.state, one.table, one.since),
        (State::Seen, Some(12), 10)
    );
    kept.leave("b12", "g2");
    kept.take(
        "g2".to_owned(),
        Case {
            game: "g2".to_owned(),
            ..case(vec![])
        },
    );
    let changes = kept.settle(&Row, 20).0;
    let [Changed::Is(one, _)] = &changes[..] else {
        panic!("{changes:?}");
    };
    assert!(!one.at_hand && one.since == 10);
    assert!(kept.settle(&Row, 30).0.is_empty(), "differences only");
    let dismissed = with(finding(1, 49, "certain"), "status", json!("dismissed"));
    kept.take(
        "g1".to_owned(),
        Case {
            at_hand: false,
            ..case(vec![dismissed])
        },
    );
    assert_eq!(kept.settle(&Row, 40).0, [Changed::Gone(id())]);
}

#[test]
fn a_report_that_is_taken_back_leaves_nothing_to_be_done_but_clocks_to_set_back() {
    let upheld = with(finding(1, 49, "certain"), "status", json!("upheld"));
    let withdrawn = with(upheld.clone(), "status", json!("withdrawn"));
    for are_set in [false, true] {
        let mut kept = Kept::default();
        let before = case(vec![]);
        kept.take("g1".to_owned(), before);
        let ruled = kept.take("g1".to_owned(), case(vec![upheld.clone()]));
        let mut marks = vec![(ruled[0].0.clone(), "Ada")];
        let step = StepKind::Clocks;
        if are_set {
            marks.push((
                Mark::Ticked {
                    incident: id(),
                    step,
                    order: None,
                },
                "Ada",
            ));
        }
        let known = marked(&marks);
        let news = noticed(
            Some(&case(vec![upheld.clone()])),
            &case(vec![withdrawn.clone()]),
            &known,
        );
        marks.push((news[0].0.clone(), "Ada"));
        let all = group(&case(vec![withdrawn.clone()]), &marked(&marks), 0);
        let left = all
            .iter()
            .flat_map(|one| &one.steps)
            .filter(|step| !step.done);
        let left: Vec<StepKind> = left.map(|step| step.step).collect();
        let expected = if are_set {
            vec![StepKind::ClocksBack]
        } else {
            vec![]
        };
        assert_eq!(left, expected);
    }
}

#[test]
fn what_the_play_settles_is_superseded_for_a_minute() {
    let mut kept = Kept::default();
    kept.take("g1".to_owned(), case(vec![finding(1, 49, "possible")]));
    kept.settle(&Row, 0);
    let withdrawn = with(finding(1, 49, "possible"), "status", json!("withdrawn"));
    kept.take("g1".to_owned(), case(vec![withdrawn]));
    kept.settle(&Row, 1_000);
    assert_eq!(kept.all()[0].state, State::Superseded);
    kept.settle(&Row, 61_000);
    assert!(kept.all().is_empty());
}

#[test]
fn a_fault_that_returns_is_a_new_one() {
    let mut kept = Kept::default();
    let unplugged = Case {
        board: "b12".to_owned(),
        fault: Some("unplugged".to_owned()),
        ..Case::default()
    };
    let put = |kept: &mut Kept, case: &Case, now| {
        kept.take("board:b12".to_owned(), case.clone());
        kept.settle(&Row, now);
    };
    put(&mut kept, &unplugged, 0);
    let incident = "b12.fault".to_owned();
    kept.apply(&Mark::Seen { incident }, by("Ada"));
    kept.settle(&Row, 1);
    assert_eq!(kept.all()[0].state, State::Seen);
    assert!(kept.all()[0].is_of_board());
    put(
        &mut kept,
        &Case {
            fault: None,
            ..unplugged.clone()
        },
        2,
    );
    put(&mut kept, &unplugged, 3);
    assert_eq!((kept.all()[0].state, kept.all()[0].since), (State::New, 3));
}

/// Somebody looks at an incident at the very moment at which it is settled.
#[test]
fn what_is_said_of_an_incident_does_not_outlive_it() {
    let mut kept = Kept::default();
    let unplugged = Case {
        board: "b12".to_owned(),
        fault: Some("unplugged".to_owned()),
        ..Case::default()
    };
    let plugged = Case {
        fault: None,
        ..unplugged.clone()
    };
    let key = || "board:b12".to_owned();
    let incident = "b12.fault".to_owned();
    kept.take(key(), unplugged.clone());
    kept.settle(&Row, 0);
    kept.take(key(), plugged);
    kept.settle(&Row, 1);
    let seen = Mark::Seen {
        incident: incident.clone(),
    };
    kept.apply(&seen, by("Ada"));
    let (_, closed) = kept.settle(&Row, 2);
    assert_eq!(closed, [Mark::Closed { incident }]);
    kept.take(key(), unplugged.clone());
    kept.settle(&Row, 3);
    assert_eq!(kept.all()[0].state, State::New);
    // Or the fault went while the program did not run.
    let deed = Deed::now(Author::default(), Area::Incidents, &seen).unwrap();
    let mut kept = Kept::read(&Deeds {
        sound: vec![deed],
        ..Deeds::default()
    });
    assert_eq!(kept.settle(&Row, 0).1, [], "the board has not told yet");
    assert_eq!(kept.forget_unborne().len(), 1);
}
