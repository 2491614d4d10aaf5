//! What can be done to a round that is drawn, before anybody plays in it.

use tournament::{Act, How, Place, Plan, Refusal, ResultCode, Tournament, Typed, load};

const TABLE: &str = "table,white_no,white,black_no,black\n1,1,\"Berg, Anna\",2,\"Cole, Ben\"\n\
                     2,3,\"Ek, Freja\",4,\"Fox, Guy\"\n";

fn drawn(round: u16) -> Tournament {
    let mut event = Tournament::default();
    let sheet = load::read(TABLE.as_bytes(), Some(round)).expect("a sheet");
    let place = Place {
        round: Some(round),
        ..Place::default()
    };
    let plan = Plan::of(&event, &sheet, &place).expect("a plan");
    for act in &plan.acts {
        event.apply(act).expect("an act");
    }
    event
}

fn start(round: u16) -> Act {
    let at = "2026-11-24T10:00:00Z".to_owned();
    Act::StartRound { round, at }
}

fn result(table: u16, text: &str) -> Act {
    let codes = ResultCode::both(text).expect("a result");
    Act::Result {
        round: 1,
        table,
        codes,
        how: How::Forfeit,
        reason: String::new(),
    }
}

#[test]
fn a_forfeit_is_known_before_the_round_is_started() {
    let mut event = drawn(1);
    let played = event.apply(&result(1, "1-0"));
    assert_eq!(played, Err(Refusal::NotUnderWay(1)));
    event.apply(&result(1, "-/+")).expect("a forfeit");
    // Who comes after all plays.
    event.apply(&result(2, "+/-")).expect("a forfeit");
    let (round, table, reason) = (1, 2, "he comes".to_owned());
    let back = Act::Withdraw {
        round,
        table,
        reason,
    };
    event.apply(&back).expect("taken back");
    event.apply(&start(1)).expect("a start");
    let forfeit = event.pairing(1, 1).expect("a pairing").confirmed();
    assert_eq!(forfeit.map(ResultCode::written).as_deref(), Some("-/+"));
    assert_eq!(
        (event.not_begun(1), event.open_tables(1)),
        (vec![2], vec![2])
    );
    assert_eq!(event.next_at(1), None, "no game begins there");
}

#[test]
fn a_round_that_was_drawn_by_mistake_is_taken_back() {
    let undraw = Act::Undraw { round: 1 };
    let mut event = drawn(1);
    event.apply(&undraw).expect("taken back");
    assert!(event.rounds.is_empty());
    assert_eq!(event.apply(&undraw), Err(Refusal::NoRound(1)));
    // Also once it was started.
    let mut event = drawn(1);
    event.apply(&start(1)).expect("a start");
    event.apply(&undraw).expect("taken back");
    assert_eq!(event.under_way(), None);
}

#[test]
fn a_round_in_which_something_was_played_or_said_stays() {
    let undraw = Act::Undraw { round: 1 };
    let (round, table) = (1, 2);
    let game = "g1".to_owned();
    let typed = Typed {
        after: 0,
        moves: vec!["e4".to_owned()],
        ..Typed::default()
    };
    let penalty = Act::Penalise {
        player: 1,
        round,
        what: "a warning".to_owned(),
        reason: String::new(),
        at: String::new(),
        time: None,
    };
    let reason = String::new();
    for (acts, words) in [
        (
            vec![start(1), Act::Begin { round, table, game }],
            "round 1 stays drawn: there is a game, moves, a result or a postponement at table 2",
        ),
        (
            vec![
                start(1),
                Act::Moves {
                    round,
                    table,
                    typed,
                    reason: reason.clone(),
                },
            ],
            "at table 2",
        ),
        (vec![result(1, "+/-"), result(2, "+/-")], "at tables 1, 2"),
        (
            vec![Act::Postpone {
                round,
                table,
                reason,
            }],
            "at table 2",
        ),
        (
            vec![penalty],
            "round 1 stays drawn: there is a penalty of it",
        ),
    ] {
        let mut event = drawn(1);
        for act in &acts {
            event.apply(act).expect("an act");
        }
        let before = event.clone();
        let refused = event.apply(&undraw).expect_err("it stays").to_string();
        assert!(refused.contains(words), "{refused}");
        assert_eq!(event, before);
    }
}

/// Somebody types a result that counts nowhere yet, as at a wrong table: its game is played.
#[test]
fn a_result_that_is_only_proposed_keeps_no_game_from_its_table() {
    let mut event = drawn(1);
    event.apply(&start(1)).expect("a start");
    let proposed = Act::Propose {
        round: 1,
        table: 1,
        codes: ResultCode::both("1-0").expect("a result"),
        how: How::Typed,
    };
    event.apply(&proposed).expect("proposed");
    assert_eq!(event.next_at(1).map(|(round, _)| round), Some(1));
    let (round, table) = (1, 1);
    event
        .apply(&Act::Confirm { round, table })
        .expect("confirmed");
    assert_eq!(event.next_at(1), None);
}
