//! What is dealt and what is taken over, without any hall.

use std::collections::BTreeSet;

use access::Tables;
use tournament::{Act, Details, How, Pairing, Player, ResultCode, Tournament};

use super::deal;
use super::deal::{Moved, hall_of, same, strays, tables_of, was_of};
use super::gather::{Hall, News, Taken};
use super::keeper::failed;
use crate::hub::order::Reply;
use crate::hub::{Known, Undone};

mod corrected;
mod from_where;
mod givers;
mod history;
mod kept;
mod other;
mod over;
mod told;
mod undrawn;

fn codes(text: &str) -> [ResultCode; 2] {
    ResultCode::both(text).unwrap()
}

/// An event with a round of so many tables: players 1 and 2 at the first, and so on.
fn event(tables: impl Iterator<Item = u16> + Clone) -> Tournament {
    let player = |number| Player {
        number,
        name: format!("Berg {number}"),
        ..Player::default()
    };
    let pairing = |table: u16| Pairing {
        table: Some(table),
        white: 2 * table - 1,
        black: Some(2 * table),
        game: None,
        outcome: None,
        typed: None,
        start: None,
        postponed: false,
        withdrawn: false,
        annulled: false,
        annulled_games: Vec::new(),
    };
    let numbers = tables.clone().flat_map(|table| [2 * table - 1, 2 * table]);
    let details = Details {
        name: "Open".to_owned(),
        ..Details::default()
    };
    let draw = Act::Draw {
        round: 1,
        date: String::new(),
        players: numbers.map(player).collect(),
        pairings: tables.map(pairing).collect(),
        file: None,
        players_file: None,
        encoding: None,
    };
    Tournament::of(&[Act::Open { details }, draw]).unwrap()
}

/// What a hall is ordered next that has said nothing of results.
fn next(
    all: &Tournament,
    said: &Tournament,
    tables: impl Fn(u16) -> BTreeSet<u16>,
) -> Option<(String, String)> {
    deal::next((all, false), said, tables, |_, _| false)
}

fn does(event: &mut Tournament, act: Act) {
    event.apply(&act).unwrap();
}

fn start(event: &mut Tournament) {
    let at = String::new();
    does(event, Act::StartRound { round: 1, at });
}

fn result(text: &str, reason: &str) -> Act {
    Act::Result {
        round: 1,
        table: 1,
        codes: codes(text),
        how: How::Typed,
        reason: reason.to_owned(),
    }
}

/// A hall that has said all that was taken over of it, or has lost it.
fn says<'a>(
    name: &'a str,
    event: &'a Tournament,
    is_its: &'a dyn Fn(u16, bool) -> bool,
    went_on: bool,
) -> Hall<'a> {
    Hall {
        name,
        event,
        is_its,
        answers: &|_, _| false,
        went_on: match went_on {
            true => &|_, _| true,
            false => &|_, _| false,
        },
    }
}

fn known() -> Vec<Known> {
    let hall = |name: &str, tables: &str| Known {
        name: name.to_owned(),
        key: String::new(),
        nkey: None,
        tables: vec![tables.parse::<Tables>().unwrap()],
    };
    vec![hall("main", "1-2"), hall("juniors", "3-4")]
}

#[test]
fn a_table_is_given_only_when_the_other_hall_has_let_it_go() {
    let all = event(1..=4);
    let (known, mut moved) = (known(), Moved::new());
    let (mut main, juniors) = (event(1..=2), event(3..=4));
    let dealt = |hall: &str, moved: &Moved, main: &Tournament, juniors: &Tournament| {
        let halls = [("main".to_owned(), main), ("juniors".to_owned(), juniors)];
        let its = |table| hall_of(table, &known, moved) == Some(hall);
        tables_of(hall, (&all, 1), its, &halls)
    };
    assert_eq!(
        dealt("main", &moved, &main, &juniors),
        BTreeSet::from([1, 2])
    );
    moved.insert(2, vec!["juniors".to_owned()]);
    assert_eq!(dealt("main", &moved, &main, &juniors), BTreeSet::from([1]));
    assert_eq!(
        dealt("juniors", &moved, &main, &juniors),
        BTreeSet::from([3, 4])
    );
    assert_eq!(
        dealt("juniors", &moved, &event(1..=1), &juniors),
        BTreeSet::from([2, 3, 4])
    );
    // It has begun while it was on its way: it stays, and is nobody else's.
    start(&mut main);
    let game = "2026-11-27-b02-1".to_owned();
    does(
        &mut main,
        Act::Begin {
            round: 1,
            table: 2,
            game,
        },
    );
    assert_eq!(
        dealt("main", &moved, &main, &juniors),
        BTreeSet::from([1, 2])
    );
    assert_eq!(
        dealt("juniors", &moved, &main, &juniors),
        BTreeSet::from([3, 4])
    );
}

#[test]
fn a_hall_is_ordered_what_it_lacks_one_after_the_other_and_nothing_then() {
    let mut all = event(1..=4);
    let tables = |_| BTreeSet::from([1, 2]);
    let address = |all: &Tournament, said: &Tournament| next(all, said, tables).map(|o| o.0);
    let is = |path: &str| Some(path.to_owned());
    assert_eq!(address(&all, &Tournament::default()), is("/api/event/part"));
    let mut said = event(1..=2);
    assert_eq!(address(&all, &said), None);
    // Another name of a player is news, and so is another table.
    assert_eq!(address(&all, &event(1..=3)), is("/api/event/part"));
    start(&mut all);
    assert_eq!(address(&all, &said), is("/api/rounds/1/start"));
    start(&mut said);
    assert_eq!(address(&all, &said), None);
    let mut none = all.clone();
    does(&mut none, Act::Undraw { round: 1 });
    assert_eq!(address(&none, &said), is("/api/rounds/1/undraw"));
    let mut let_go = said.clone();
    does(&mut let_go, Act::Undraw { round: 1 });
    assert_eq!(address(&none, &let_go), None);
    // An event of another name is not the hub's.
    said.details.name = "Rapid".to_owned();
    assert_eq!(same(&all, &said), None);
    assert_eq!(address(&all, &said), is("/api/event/part"));
}

#[test]
fn what_is_entered_at_the_hub_stands_until_the_hall_says_something_else() {
    let (mut all, mut main) = (event(1..=2), event(1..=1));
    let mut taken = Taken::default();
    let seat = (1, 1);
    let news = |taken: &mut Taken, all: &Tournament, main: &Tournament| {
        taken.news(all, &says("main", main, &|_, _| true, true))
    };
    start(&mut all);
    start(&mut main);
    assert_eq!(news(&mut taken, &all, &main), []);
    does(&mut main, result("1-0", ""));
    let [News::Take(at, acts)] = &news(&mut taken, &all, &main)[..] else {
        panic!("it is not taken over");
    };
    assert_eq!(
        (*at, acts),
        (seat, &vec![result("1-0", "so it is in hall main")])
    );
    does(&mut all, acts[0].clone());
    taken.note(&acts[0]);
    assert_eq!(news(&mut taken, &all, &main), []);
    // A correction at the hub, of which the hall says nothing: it stands, and that is said.
    does(&mut all, result("0-1", "the sheets"));
    assert_eq!(news(&mut taken, &all, &main), [News::Otherwise(seat)]);
    // Then both say something, and it is not the same.
    does(&mut main, result("1/2-1/2", "the sheets"));
    assert_eq!(news(&mut taken, &all, &main), [News::Otherwise(seat)]);
    // Whoever withdraws the wrong one lets the other through.
    let reason = "wrong".to_owned();
    let withdraw = Act::Withdraw {
        round: 1,
        table: 1,
        reason,
    };
    does(&mut all, withdraw.clone());
    let found = news(&mut taken, &all, &main);
    assert!(
        matches!(&found[..], [News::Take(_, acts)] if acts.len() == 1),
        "{found:?}"
    );
    let [News::Take(_, acts)] = &found[..] else {
        return;
    };
    does(&mut all, acts[0].clone());
    taken.note(&acts[0]);
    // What is taken back in the hall is taken back here, where it came from there.
    does(&mut main, withdraw);
    let found = news(&mut taken, &all, &main);
    assert!(
        matches!(&found[..], [News::Take(_, acts)] if matches!(acts[..], [Act::Withdraw { .. }])),
        "{found:?}"
    );
}

#[test]
fn only_the_hall_of_a_table_says_how_it_ended() {
    let (mut all, mut main, mut other) = (event(1..=2), event(1..=2), event(1..=2));
    for event in [&mut all, &mut main, &mut other] {
        start(event);
    }
    does(&mut main, result("1-0", ""));
    does(&mut other, result("0-1", ""));
    let (known, mut moved) = (known(), Moved::new());
    let mut taken = Taken::default();
    let mut news = |hall: &str, said: &Tournament, moved: &Moved| {
        let is_its = |table, has_begun| {
            hall_of(table, &known, moved) == Some(hall)
                || has_begun && was_of(table, hall, &known, moved)
        };
        taken.news(&all, &says(hall, said, &is_its, true)).len()
    };
    assert_eq!(news("juniors", &other, &moved), 0);
    assert_eq!(news("main", &main, &moved), 1);
    // It has begun: what says that it was moved changes nothing.
    moved.insert(1, vec!["juniors".to_owned()]);
    assert_eq!(news("juniors", &other, &moved), 0);
    assert_eq!(news("main", &main, &moved), 1);
    // It has let it go, and the other has it.
    assert_eq!(news("main", &event(2..=2), &moved), 0);
    assert_eq!(news("juniors", &other, &moved), 1);
}

#[test]
fn a_result_that_a_hall_has_lost_stays_at_the_hub() {
    let (mut all, mut main) = (event(1..=1), event(1..=1));
    start(&mut all);
    start(&mut main);
    let bare = main.clone();
    let act = result("1-0", "");
    does(&mut main, act.clone());
    does(&mut all, act.clone());
    let mut taken = Taken::default();
    taken.note(&act);
    let mut news =
        |said: &Tournament, went_on| taken.news(&all, &says("main", said, &|_, _| true, went_on));
    assert_eq!(news(&main, false), []);
    assert_eq!(news(&bare, false), [News::Otherwise((1, 1))]);
    // An older copy has it proposed only.
    let mut older = bare.clone();
    let proposed = Act::Propose {
        round: 1,
        table: 1,
        codes: codes("1-0"),
        how: How::Typed,
    };
    does(&mut older, proposed);
    assert_eq!(news(&older, false), [News::Otherwise((1, 1))]);
    assert!(matches!(news(&bare, true)[..], [News::Take(..)]));
}

#[test]
fn a_game_that_is_postponed_at_the_hub_or_in_its_hall_is_so_in_both() {
    let (mut all, mut main) = (event(1..=2), event(1..=2));
    start(&mut all);
    start(&mut main);
    let postpone = Act::Postpone {
        round: 1,
        table: 1,
        reason: String::new(),
    };
    let resume = Act::Resume { round: 1, table: 1 };
    let mut taken = Taken::default();
    let mut news = |all: &Tournament, said: &Tournament| {
        let news = taken.news(all, &says("main", said, &|_, _| true, true));
        let News::Take(_, acts) = news.first()? else {
            return None;
        };
        acts.iter().for_each(|act| taken.note(act));
        acts.first().cloned()
    };
    let tables = |_| BTreeSet::from([1, 2]);
    let ordered = |all: &Tournament, said: &Tournament| next(all, said, tables);
    let is = |what: &str| {
        let path = format!("/api/rounds/1/{what}");
        Some((path, r#"{"tables":[1]}"#.to_owned()))
    };
    // At the hub.
    does(&mut all, postpone.clone());
    assert_eq!(news(&all, &main), None);
    assert_eq!(ordered(&all, &main), is("postpone"));
    does(&mut main, postpone.clone());
    assert_eq!(news(&all, &main), None);
    assert_eq!(ordered(&all, &main), None);
    // Beside it the round is closed, in the hall too.
    let mut other = result("1-0", "");
    if let Act::Result { table, .. } = &mut other {
        *table = 2;
    }
    does(&mut all, other.clone());
    does(&mut main, other);
    does(&mut all, Act::CloseRound { round: 1 });
    let close = ordered(&all, &main).map(|(path, _)| path);
    assert_eq!(close.as_deref(), Some("/api/rounds/1/close"));
    does(&mut main, Act::CloseRound { round: 1 });
    // The hall lets it be played, and postpones it again.
    does(&mut main, resume.clone());
    assert_eq!(news(&all, &main), Some(resume.clone()));
    does(&mut all, resume.clone());
    does(&mut main, postpone.clone());
    assert!(matches!(news(&all, &main), Some(Act::Postpone { .. })));
    does(&mut all, postpone);
    assert_eq!(news(&all, &main), None);
    // And so does the hub.
    does(&mut all, resume);
    assert_eq!(news(&all, &main), None);
    assert_eq!(ordered(&all, &main), is("resume"));
}

#[test]
fn a_result_that_was_given_at_the_hub_comes_to_the_hall_before_its_round_is_closed() {
    let (mut all, mut main) = (event(1..=2), event(1..=2));
    start(&mut all);
    start(&mut main);
    let tables = |_| BTreeSet::from([1, 2]);
    let mut decided = result("0-1", "");
    if let Act::Result { table, how, .. } = &mut decided {
        (*table, *how) = (2, How::Arbiter);
    }
    does(&mut all, result("1/2-1/2", ""));
    does(&mut all, decided.clone());
    assert_eq!(
        next(&all, &main, tables),
        None,
        "until then the hall may say it"
    );
    does(&mut all, Act::CloseRound { round: 1 });
    let (path, body) = next(&all, &main, tables).unwrap();
    assert_eq!(path, "/api/rounds/1/results");
    let body: serde_json::Value = serde_json::from_str(&body).unwrap();
    assert_eq!(
        (&body["results"]["1"], &body["decided"]),
        (&"1/2-1/2".into(), &false.into())
    );
    does(&mut main, result("1/2-1/2", ""));
    let (_, body) = next(&all, &main, tables).unwrap();
    let body: serde_json::Value = serde_json::from_str(&body).unwrap();
    assert_eq!(
        (&body["results"]["2"], &body["decided"]),
        (&"0-1".into(), &true.into())
    );
    does(&mut main, decided);
    let close = next(&all, &main, tables).map(|(path, _)| path);
    assert_eq!(close.as_deref(), Some("/api/rounds/1/close"));
}

/// The hall takes a result back in the moment in which the round is closed at the hub: that does
/// not come to it as the word of the hub, and a game that is postponed there stays so.
#[test]
fn what_a_hall_has_taken_back_is_not_given_to_it_again() {
    let (mut all, mut main) = (event(1..=1), event(1..=1));
    for event in [&mut all, &mut main] {
        start(event);
        does(event, result("1-0", ""));
    }
    let mut taken = Taken::default();
    assert_eq!(
        taken.news(&all, &says("main", &main, &|_, _| true, true)),
        []
    );
    let reason = "the wrong table".to_owned();
    let (round, table) = (1, 1);
    does(
        &mut main,
        Act::Withdraw {
            round,
            table,
            reason,
        },
    );
    does(&mut all, Act::CloseRound { round });
    let ordered = |main: &Tournament| {
        let is_of_hall = |seat, outcome: &_| taken.is_of_hall(seat, outcome);
        deal::next((&all, false), main, |_| BTreeSet::from([1]), is_of_hall).map(|(path, _)| path)
    };
    let close = Some("/api/rounds/1/close".to_owned());
    assert_eq!(ordered(&main), close, "which the hall refuses");
    let reason = "tomorrow".to_owned();
    does(
        &mut main,
        Act::Postpone {
            round,
            table,
            reason,
        },
    );
    assert_eq!(ordered(&main), close);
    // What somebody has entered at the hub himself is given to it.
    does(&mut all, result("0-1", "seen"));
    let ordered = deal::next(
        (&all, false),
        &main,
        |_| BTreeSet::from([1]),
        |seat, outcome: &_| taken.is_of_hall(seat, outcome),
    );
    assert_eq!(ordered.unwrap().0, "/api/rounds/1/results");
}

/// The second round was played before the first: that is over in the hall too before another
/// begins.
#[test]
fn what_is_under_way_in_a_hall_and_over_at_the_hub_comes_first() {
    let mut all = event(1..=1);
    let second = Act::Draw {
        round: 2,
        date: String::new(),
        players: Vec::new(),
        pairings: all.rounds[&1].pairings.clone(),
        file: None,
        players_file: None,
        encoding: None,
    };
    does(&mut all, second);
    let starts = |all: &mut Tournament, round| {
        let at = String::new();
        does(all, Act::StartRound { round, at });
    };
    starts(&mut all, 2);
    let mut main = all.clone();
    let mut given = result("1-0", "");
    if let Act::Result { round, .. } = &mut given {
        *round = 2;
    }
    does(&mut all, given.clone());
    does(&mut all, Act::CloseRound { round: 2 });
    starts(&mut all, 1);
    let ordered =
        |main: &Tournament| next(&all, main, |_| BTreeSet::from([1])).map(|(path, _)| path);
    assert_eq!(ordered(&main).as_deref(), Some("/api/rounds/2/results"));
    does(&mut main, given);
    assert_eq!(ordered(&main).as_deref(), Some("/api/rounds/2/close"));
    does(&mut main, Act::CloseRound { round: 2 });
    assert_eq!(ordered(&main).as_deref(), Some("/api/rounds/1/start"));
    starts(&mut main, 1);
    assert_eq!(ordered(&main), None);
}

/// The hub was put back to a copy from before a table was moved.
#[test]
fn a_table_that_has_begun_elsewhere_than_the_hub_knows_is_told() {
    let (mut all, mut there) = (event(1..=2), event(1..=2));
    let told = |all: &Tournament, there: &Tournament, moved: &Moved| -> Vec<(u16, u16)> {
        strays(all, ("juniors", there), &known(), moved).collect()
    };
    let none = Moved::new();
    let was = Moved::from([(1, vec!["juniors".to_owned()])]);
    assert_eq!(told(&all, &there, &none), []);
    start(&mut all);
    start(&mut there);
    does(&mut there, result("1-0", ""));
    assert_eq!(told(&all, &there, &none), [(1, 1)]);
    assert_eq!(told(&all, &there, &was), [], "moved there, it is its own");
    does(&mut all, result("0-1", ""));
    assert_eq!(told(&all, &there, &none), [(1, 1)], "with another result");
    does(&mut all, result("1-0", "typed wrongly"));
    assert_eq!(told(&all, &there, &none), []);
}

#[test]
fn who_postpones_a_game_and_thinks_better_of_it_at_once_is_not_answered_by_his_own_order() {
    let (mut all, mut main) = (event(1..=1), event(1..=1));
    start(&mut all);
    start(&mut main);
    let postpone = Act::Postpone {
        round: 1,
        table: 1,
        reason: String::new(),
    };
    let resume = Act::Resume { round: 1, table: 1 };
    let tables = |_| BTreeSet::from([1]);
    let ordered = |all: &Tournament, said: &Tournament| Some(next(all, said, tables)?.0);
    let is = |what: &str| Some(format!("/api/rounds/1/{what}"));
    let mut taken = Taken::default();
    let mut news = |all: &Tournament, said: &Tournament| {
        taken.news(all, &says("main", said, &|_, _| true, true))
    };
    for (first, second, what) in [
        (&postpone, &resume, ["postpone", "resume"]),
        (&resume, &postpone, ["resume", "postpone"]),
    ] {
        does(&mut all, first.clone());
        assert_eq!(news(&all, &main), []);
        assert_eq!(ordered(&all, &main), is(what[0]));
        // While the order is on its way, the other thing is said.
        does(&mut all, second.clone());
        does(&mut main, first.clone());
        assert_eq!(news(&all, &main), []);
        assert_eq!(ordered(&all, &main), is(what[1]));
        does(&mut main, second.clone());
        assert_eq!(news(&all, &main), []);
        assert_eq!(ordered(&all, &main), None);
        // The next pair begins where this one began not.
        if what[0] == "postpone" {
            for event in [&mut all, &mut main] {
                does(event, postpone.clone());
            }
            assert_eq!(news(&all, &main), []);
        }
    }
    // What the hall says itself is news as before.
    does(&mut main, resume.clone());
    assert_eq!(news(&all, &main), [News::Take((1, 1), vec![resume])]);
}

#[test]
fn what_a_hall_does_not_answer_is_said_and_ordered_again() {
    let is = |answer| failed(answer).map(|(_, again)| again);
    assert_eq!(is(Err(Undone::Silent("main".to_owned()))), Some(true));
    assert_eq!(is(Ok(Reply::refused(409, "no"))), Some(false));
    assert_eq!(is(Ok(Reply::refused(503, "later"))), Some(true));
    let done = Reply {
        status: 200,
        body: String::new(),
    };
    assert_eq!(is(Ok(done)), None);
}
