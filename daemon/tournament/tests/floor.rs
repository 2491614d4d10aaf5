//! What happens on the floor of the hall: how tables stand, notes, breaks.

use tournament::{
    Act, Details, GivenTime, Halt, Halted, Note, Place, Plan, Refusal, Tournament, load, rows,
};

const PAIRS: &str = "table,white,black\n1,\"Berg, Anna\",\"Ek, Freja\"\n2,Fox,Gray\n3,Jung,bye\n";
const AT: &str = "2026-11-27T13:00:00Z";

fn drawn() -> Tournament {
    let mut event = Tournament::default();
    let sheet = load::read(PAIRS.as_bytes(), Some(1)).expect("a sheet");
    let plan = Plan::of(&event, &sheet, &Place::default()).expect("a plan");
    let acts = plan.acts.iter();
    acts.for_each(|act| event.apply(act).expect("an act"));
    event
}

fn start() -> Act {
    let at = String::new();
    Act::StartRound { round: 1, at }
}

fn leave(player: u16) -> Act {
    Act::Leave {
        round: 1,
        player,
        at: AT.to_owned(),
        having_move: Some(true),
    }
}

fn come_back(player: u16) -> Act {
    let at = "2026-11-27T13:04:30Z".to_owned();
    Act::ComeBack {
        round: 1,
        player,
        at,
    }
}

#[test]
fn rows_are_read_from_left_to_right() {
    let read = |text| rows(text).expect("a layout");
    assert_eq!(read("1-3 / 6-4"), [[1, 2, 3], [6, 5, 4]]);
    assert_eq!(read("1 – 2, 7; 9\n3"), [vec![1, 2, 7, 9], vec![3]]);
    for wrong in ["", " / ", "front", "0-3", "1-2-3", "1-600", "1-", "70000"] {
        assert_eq!(rows(wrong), None, "{wrong}");
    }
}

#[test]
fn the_layout_is_of_the_hall_and_stays_for_the_next_event() {
    let mut event = Tournament::default();
    let lay_out = |layout: &str| Act::LayOut {
        layout: layout.to_owned(),
    };
    event.apply(&lay_out(" 1-10 / 20-11 ")).unwrap();
    assert_eq!(event.layout, "1-10 / 20-11");
    assert!(event.is_unopened(), "an event can still be opened");
    let refused = event.apply(&lay_out("front")).unwrap_err();
    assert!(refused.to_string().contains("1-10 / 20-11"), "{refused}");
    assert_eq!(event.layout, "1-10 / 20-11", "nothing is changed then");
    assert_eq!(event.after().layout, event.layout);
    event.apply(&lay_out("")).unwrap();
    assert_eq!(event, Tournament::default());
}

#[test]
fn a_note_says_something_of_somebody_or_something() {
    let mut event = drawn();
    let note = Note {
        text: "his telephone rang".to_owned(),
        at: AT.to_owned(),
        ..Note::default()
    };
    let of = |event: &mut Tournament, note: Note| event.apply(&Act::Note(note));
    let empty = of(&mut event, note.clone());
    assert!(matches!(empty, Err(Refusal::Empty(_))), "{empty:?}");
    let about = |about: &[u16]| Note {
        about: about.to_vec(),
        ..note.clone()
    };
    assert_eq!(of(&mut event, about(&[77])), Err(Refusal::NoPlayer(77)));
    let table = |table| Note {
        round: Some(1),
        table: Some(table),
        ..about(&[1, 2])
    };
    let missing = Refusal::NoPairing { round: 1, table: 9 };
    assert_eq!(of(&mut event, table(9)), Err(missing));
    let mute = Note {
        text: " ".to_owned(),
        ..table(1)
    };
    assert!(of(&mut event, mute).is_err());
    let photo = Note {
        text: String::new(),
        photo: Some("ab".repeat(32)),
        ..table(1)
    };
    for note in [table(1), about(&[5]), photo] {
        of(&mut event, note).expect("a note");
    }
    assert_eq!(event.notes.len(), 3);
    let written = serde_json::to_string(&Act::Note(event.notes[0].clone())).unwrap();
    assert!(written.starts_with(r#"{"act":"note","round":1,"table":1,"about":[1,2]"#));
    let read: Act = serde_json::from_str(&written).expect("an act");
    assert_eq!(read, Act::Note(event.notes[0].clone()));
}

#[test]
fn what_is_noted_before_an_event_is_opened_hinders_nobody() {
    let mut event = Tournament::default();
    let note = Note {
        game: "2026-11-27-b01-1".to_owned(),
        text: "the clock is broken".to_owned(),
        at: AT.to_owned(),
        ..Note::default()
    };
    event.apply(&Act::Note(note)).unwrap();
    let details = Details {
        name: "Harbour Open".to_owned(),
        ..Details::default()
    };
    event.apply(&Act::Open { details }).unwrap();
    assert_eq!(event.notes.len(), 1);
    assert!(event.after().notes.is_empty(), "it is of this event");
}

#[test]
fn a_player_leaves_once_and_comes_back_once() {
    let mut event = drawn();
    assert_eq!(event.apply(&leave(1)), Err(Refusal::NotUnderWay(1)));
    event.apply(&start()).unwrap();
    assert_eq!(event.apply(&come_back(1)), Err(Refusal::NotOut(1)));
    event.apply(&leave(1)).unwrap();
    assert_eq!(event.apply(&leave(1)), Err(Refusal::Out(1)));
    event.apply(&leave(2)).unwrap();
    event.apply(&come_back(1)).unwrap();
    event.apply(&leave(1)).unwrap();
    let out: Vec<_> = event
        .breaks
        .iter()
        .map(|b| (b.player, b.back.is_some()))
        .collect();
    assert_eq!(out, [(1, true), (2, false), (1, false)]);
    assert_eq!(event.breaks[0].having_move, Some(true));
    // The bye, and nobody.
    for player in [5, 77] {
        let refused = Refusal::NotInRound { round: 1, player };
        assert_eq!(event.apply(&leave(player)), Err(refused));
    }
}

#[test]
fn a_break_that_was_said_by_mistake_is_taken_back() {
    let mut event = drawn();
    event.apply(&start()).unwrap();
    let back = |player: u16, left: &str| Act::TakeBreakBack {
        round: 1,
        player,
        left: left.to_owned(),
        reason: String::new(),
    };
    let none = Err(Refusal::NoBreak {
        round: 1,
        player: 1,
    });
    assert_eq!(event.apply(&back(1, AT)), none);
    event.apply(&leave(1)).unwrap();
    event.apply(&leave(2)).unwrap();
    // Who is out is here again, and may leave once more.
    event.apply(&back(1, AT)).unwrap();
    assert_eq!(event.apply(&come_back(1)), Err(Refusal::NotOut(1)));
    event.apply(&leave(1)).unwrap();
    event.apply(&come_back(1)).unwrap();
    let later = "2026-11-27T13:10:00Z";
    event
        .apply(&Act::Leave {
            round: 1,
            player: 1,
            at: later.to_owned(),
            having_move: None,
        })
        .unwrap();
    // The one that is meant, be there a later one; and once.
    event.apply(&back(1, AT)).unwrap();
    assert_eq!(event.apply(&back(1, AT)), none);
    let left: Vec<_> = event.breaks.iter().map(|b| (b.player, &*b.left)).collect();
    assert_eq!(left, [(2, AT), (1, later)]);
}

#[test]
fn of_two_penalties_that_read_alike_the_one_that_is_meant_is_taken_back() {
    let mut event = drawn();
    let penalise = |reason: &str, at: &str| Act::Penalise {
        player: 1,
        round: 1,
        what: "a warning".to_owned(),
        reason: reason.to_owned(),
        at: at.to_owned(),
        time: None,
    };
    let back = |at: &str| Act::TakePenaltyBack {
        player: 1,
        round: 1,
        what: "a warning".to_owned(),
        at: at.to_owned(),
        reason: "it was player 2".to_owned(),
    };
    let reasons = |event: &Tournament| -> Vec<String> {
        let all = event.penalties.iter();
        all.map(|one| one.reason.clone()).collect()
    };
    for (reason, at) in [("early", "t1"), ("middle", "t2"), ("late", "t3")] {
        event.apply(&penalise(reason, at)).unwrap();
    }
    event.apply(&back("t1")).unwrap();
    assert_eq!(reasons(&event), ["middle", "late"]);
    // Two devices mean the same one: it goes once.
    let refused = Err(Refusal::NoPenalty {
        player: 1,
        round: 1,
    });
    assert_eq!(event.apply(&back("t1")), refused);
    // As acts were written before.
    let before = r#"{"act":"take-penalty-back","player":1,"round":1,"what":"a warning",
        "reason":"x"}"#;
    let before: Act = serde_json::from_str(before).unwrap();
    assert_eq!(before, {
        let mut same = back("");
        if let Act::TakePenaltyBack { reason, .. } = &mut same {
            "x".clone_into(reason);
        }
        same
    });
    event.apply(&before).unwrap();
    assert_eq!(reasons(&event), ["middle"]);
}

#[test]
fn games_that_were_stopped_together_go_on_together() {
    let mut event = Tournament::default();
    let halt = |stops, games: &[&str]| {
        let board = |game: &&str| Halted {
            board: format!("board-of-{game}"),
            table: None,
            game: (*game).to_owned(),
            order: None,
        };
        Act::Halt(Halt {
            stops,
            boards: games.iter().map(board).collect(),
            by: "Ada".to_owned(),
            at: AT.to_owned(),
        })
    };
    assert!(event.apply(&halt(true, &[])).is_err());
    event.apply(&halt(true, &["a", "b"])).unwrap();
    assert!(event.is_unopened(), "a fire alarm opens no event");
    event.apply(&halt(false, &["a"])).unwrap();
    let halted = ["a", "b", "c"].map(|game| event.halted(game).is_some());
    assert_eq!(halted, [false, true, false]);
    event.closed = true;
    event
        .apply(&halt(true, &["a"]))
        .expect("after the event too");
    assert!(event.halted("a").is_some());
}

#[test]
fn both_players_are_given_time_with_a_reason() {
    let mut event = drawn();
    let give = |table, seconds, reason: &str| {
        Act::GiveTime(GivenTime {
            round: 1,
            table,
            seconds,
            reason: reason.to_owned(),
            by: "Ada".to_owned(),
            at: AT.to_owned(),
        })
    };
    event.apply(&give(1, 120, "the light went out")).unwrap();
    assert_eq!(event.times.len(), 1);
    for (act, words) in [
        (give(9, 120, "x"), "no table 9"),
        (give(1, 0, "x"), "1 to 1800"),
        (give(1, 1801, "x"), "1 to 1800"),
        (give(1, 120, " "), "the reason is missing"),
    ] {
        let refused = event.apply(&act).unwrap_err().to_string();
        assert!(refused.contains(words), "{refused}");
    }
    assert_eq!(event.times.len(), 1, "nothing is changed then");
}

fn observe(table: u16, by: &str) -> Act {
    let (by, at) = (by.to_owned(), AT.to_owned());
    let round = 1;
    Act::Observe {
        round,
        table,
        by,
        at,
    }
}

fn stop_observing(table: u16, by: &str) -> Act {
    Act::StopObserving {
        round: 1,
        table,
        by: by.to_owned(),
        at: "2026-11-27T13:20:00Z".to_owned(),
        by_itself: false,
    }
}

#[test]
fn a_game_is_observed_by_one_arbiter_or_more_while_it_is_played() {
    let mut event = drawn();
    assert_eq!(
        event.apply(&observe(1, "Ada")),
        Err(Refusal::NotUnderWay(1))
    );
    assert_eq!(event.observable_at(1), Err(Refusal::NotPlayed(1)));
    event.apply(&start()).unwrap();
    assert_eq!(event.observable_at(1), Ok(1));
    assert_eq!(event.observable_at(3), Err(Refusal::NotPlayed(3)), "a bye");
    event.apply(&observe(1, "Ada")).unwrap();
    event.apply(&observe(1, "Ben")).unwrap();
    event.apply(&observe(2, "Ada")).unwrap();
    let (round, table) = (1, 1);
    let by = "Ada".to_owned();
    let refused = Refusal::Observes { round, table, by };
    assert_eq!(event.apply(&observe(1, "Ada")), Err(refused));
    let missing = Refusal::NoPairing { round: 1, table: 9 };
    assert_eq!(event.apply(&observe(9, "Ada")), Err(missing));
    event.apply(&stop_observing(1, "Ada")).unwrap();
    let refused = Refusal::ObservesNot { round, table };
    assert_eq!(event.apply(&stop_observing(1, "Ada")), Err(refused));
    let observers: Vec<_> = event.observers(1, 1).map(|one| &*one.by).collect();
    assert_eq!(observers, ["Ben"]);
    event.apply(&observe(1, "Ada")).unwrap();
    assert_eq!(event.observed.len(), 4, "each time is one of its own");
    let undraw = event.apply(&Act::Undraw { round: 1 }).unwrap_err();
    assert!(undraw.to_string().contains("an observation"), "{undraw}");
}

#[test]
fn what_is_not_played_any_more_is_not_observed_any_more() {
    let observed = |table| {
        let mut event = drawn();
        event.apply(&start()).unwrap();
        event.apply(&observe(table, "Ada")).unwrap();
        event
    };
    let acts_after = |table, act: &Act| {
        let before = observed(table);
        let mut after = before.clone();
        after.apply(act).unwrap();
        let acts = after.not_observed_since(Some(&before), AT);
        acts.iter().try_for_each(|act| after.apply(act)).unwrap();
        assert_eq!(after.is_observed(), acts.is_empty());
        assert!(after.not_observed_since(Some(&before), AT).is_empty());
        acts.len()
    };
    let codes = tournament::ResultCode::both("1-0").expect("a result");
    let (round, table) = (1, 1);
    let propose = Act::Propose {
        round,
        table,
        codes,
        how: tournament::How::Board,
    };
    let reason = "White is ill".to_owned();
    let postpone = Act::Postpone {
        round,
        table,
        reason,
    };
    for (act, table, ends) in [(&propose, 1, 1), (&propose, 2, 0), (&postpone, 1, 1)] {
        assert_eq!(acts_after(table, act), ends, "{act:?} at table {table}");
    }
    let begin = Act::Begin {
        round,
        table,
        game: "2026-11-27-b01-1".to_owned(),
    };
    assert_eq!(acts_after(1, &begin), 0);
    let other = PAIRS.replace(
        "1,\"Berg, Anna\",\"Ek, Freja\"\n2,Fox,Gray",
        "2,Fox,\"Berg, Anna\"\n1,Gray,\"Ek, Freja\"",
    );
    let sheet = load::read(other.as_bytes(), Some(1)).expect("a sheet");
    let plan = Plan::of(&observed(1), &sheet, &Place::default()).expect("a plan");
    assert_eq!(acts_after(1, &plan.acts[0]), 1, "others sit there");
    let mut ended = observed(1);
    ended.apply(&propose).unwrap();
    let refused = Refusal::HasEnded { round, table };
    assert_eq!(ended.apply(&observe(1, "Ben")), Err(refused));
    assert_eq!(ended.observable_at(1), Err(Refusal::NotPlayed(1)));
}
