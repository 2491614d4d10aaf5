//! A game that is played on later, be its pieces still on the board or the next game there.

use super::super::mark::StepKind;
use super::super::state::{Changed, Kept};
use super::{Case, Incident, Row, State, case, finding, with};
use serde_json::json;

const BACK: &str = "8/8/8/8/8/8/8/8 w - - 0 1";

/// A game that was upheld while it is postponed: its position waits to be put back.
fn upheld() -> Case {
    Case {
        game: "later1".to_owned(),
        plies: 48,
        restore: Some(BACK.to_owned()),
        stopped: true,
        clocks: [Some(600_000), Some(700_000)],
        ..case(vec![with(
            finding(1, 49, "certain"),
            "status",
            json!("upheld"),
        )])
    }
}

fn shown(kept: &mut Kept) -> Incident {
    let mut changes = kept.settle(&Row, 0).0;
    let Some(Changed::Is(incident, _)) = changes.pop() else {
        panic!("{changes:?}");
    };
    *incident
}

fn left(incident: &Incident) -> Vec<(StepKind, bool)> {
    let steps = incident.steps.iter();
    steps.map(|step| (step.step, step.done)).collect()
}

const WAITS: [(StepKind, bool); 3] = [
    (StepKind::Position, false),
    (StepKind::Clocks, false),
    (StepKind::Moves, false),
];

/// A kept ruling on a game that was open before.
fn ruled() -> Kept {
    let mut kept = Kept::default();
    let open = Case {
        game: "later1".to_owned(),
        ..case(vec![finding(1, 49, "certain")])
    };
    kept.take("later1".to_owned(), open);
    kept.settle(&Row, 0);
    for (mark, _) in kept.take("later1".to_owned(), upheld()) {
        kept.apply(&mark, super::by("Ada"));
    }
    kept
}

#[test]
fn nothing_is_done_at_a_board_for_a_game_that_is_postponed() {
    let mut kept = ruled();
    let incident = shown(&mut kept);
    assert_eq!(left(&incident), WAITS, "no board has said so");
    assert_eq!((incident.state, incident.over), (State::Ruled, false));
    assert_eq!(incident.restore, None, "nobody is asked to put it back now");
}

#[test]
fn a_game_that_is_postponed_is_not_over_once_the_next_one_is_on_its_board() {
    let mut kept = ruled();
    kept.settle(&Row, 0);
    kept.leave("b12", "g2");
    let incident = shown(&mut kept);
    assert!(!incident.at_hand && !incident.over && !incident.ended);
    assert_eq!(left(&incident), WAITS);
    // Of one that is over everything is as done as it will be.
    let mut over = upheld();
    over.game = "g1".to_owned();
    over.at_hand = false;
    assert!(over.is_over());
}
