//! Findings in play that a ruling on an earlier one has taken back.

use serde_json::{Value, json};

use super::*;
use crate::incidents::mark::Dials;

/// White's second illegal move, in play that Black's at half-move 48 began.
fn later(status: &str) -> Value {
    with(finding(2, 49, "certain"), "status", json!(status))
}

fn undone(found: Value) -> Value {
    with(found, "undone", json!("8/8/8/8/8/8/8/8 w - - 0 25"))
}

fn earlier(status: &str) -> Value {
    let found = with(finding(1, 48, "certain"), "status", json!(status));
    with(found, "by", json!("black"))
}

/// What the rulings between two pictures of the game make of what was marked before.
fn ruled(before: &Case, after: &Case, marks: &mut BTreeMap<String, Marks>) {
    for (mark, _) in noticed(Some(before), after, marks) {
        let of = marks.entry(mark.incident().to_owned()).or_default();
        of.apply(&mark, by("Ada"));
    }
}

fn of_later(case: &Case, marks: &BTreeMap<String, Marks>) -> Incident {
    let all = group(case, marks, 0);
    all.into_iter().find(|one| one.ply == Some(49)).unwrap()
}

fn shown(dials: Dials) -> [Option<u64>; 2] {
    [dials.white.to, dials.black.to]
}

/// The position before both is to be put back: of the later one nothing is, and no move of it is
/// required. Its time is added to what the clocks show, whichever was ruled on first.
#[test]
fn nothing_is_put_back_twice_and_time_adds_up() {
    let open = case(vec![earlier("open"), later("open")]);
    let taken_back = Case {
        plies: 47,
        restore: Some("the position before Black's".to_owned()),
        ..case(vec![earlier("upheld"), undone(later("open"))])
    };
    let both = Case {
        findings: vec![earlier("upheld"), undone(later("upheld"))],
        ..taken_back.clone()
    };
    let later_first = Case {
        plies: 48,
        restore: Some("the position before White's".to_owned()),
        ..case(vec![earlier("open"), later("upheld")])
    };
    for between in [&taken_back, &later_first] {
        let mut marks = BTreeMap::new();
        ruled(&open, between, &mut marks);
        ruled(between, &both, &mut marks);
        let one = of_later(&both, &marks);
        let ruling = &one.rulings[0].ruling;
        assert_eq!((&ruling.restore, &ruling.moves), (&None, &None));
        let dials = ruling.dials.expect("time is due");
        assert_eq!(dials.adds(), [0, 120_000]);
        assert_eq!(
            shown(dials),
            [None, None],
            "they are set for the earlier one"
        );
        let steps: Vec<StepKind> = one.steps.iter().map(|step| step.step).collect();
        assert_eq!(steps, [StepKind::Clocks]);
    }
}

/// Where the clocks were set for the later one already, what the earlier one asks for has that in
/// it.
#[test]
fn time_that_is_on_the_clocks_is_not_taken_off_again() {
    let open = case(vec![earlier("open"), later("open")]);
    let first = Case {
        plies: 48,
        ..case(vec![earlier("open"), later("upheld")])
    };
    let both = Case {
        plies: 47,
        ..case(vec![earlier("upheld"), undone(later("upheld"))])
    };
    for (is_set, black) in [(false, 872_000), (true, 992_000)] {
        let mut marks = BTreeMap::new();
        ruled(&open, &first, &mut marks);
        if is_set {
            let tick = Mark::Ticked {
                incident: id(),
                step: StepKind::Clocks,
                order: None,
            };
            marks.get_mut(&id()).unwrap().apply(&tick, by("Ada"));
        }
        ruled(&first, &both, &mut marks);
        let dials = marks["g1.48"].rulings[0].1.dials.expect("time is due");
        assert_eq!(shown(dials), [Some(847_000), Some(black)]);
    }
}

/// The required move is in the record: the position was put back before it, and nothing of the
/// ruling is left, whatever lies about on the board later.
#[test]
fn what_was_played_as_required_is_done_for_good() {
    let open = case(vec![finding(1, 49, "certain")]);
    let ruling = upheld();
    let mut marks = BTreeMap::new();
    ruled(&open, &ruling, &mut marks);
    let left = |case: &Case| {
        let steps = of_later(case, &marks).steps.into_iter();
        let left = steps.filter(|step| !step.done).map(|step| step.step);
        left.collect::<Vec<_>>()
    };
    let [position, moves, clocks] = [StepKind::Position, StepKind::Moves, StepKind::Clocks];
    assert_eq!(left(&ruling), [position, clocks, moves]);
    let later = |played: &str| Case {
        plies: 55,
        played: [(49, played.to_owned())].into(),
        restore: None,
        disturbed: true,
        ..ruling.clone()
    };
    assert_eq!(left(&later("e2d1")), [clocks]);
    assert_eq!(left(&later("e2d3")), [position, clocks, moves]);
}
