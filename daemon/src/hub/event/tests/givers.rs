//! In whose name halls are ordered something, and of which event.

use tokio_util::sync::CancellationToken;
use tournament::Act;

use super::super::Stays;
use super::told::{Hub, drawn, ended, opened, started};
use super::{does, event, next, start};
use crate::store::Author;

fn by(who: &str, role: &str) -> Author {
    Author {
        who: who.to_owned(),
        role: role.to_owned(),
        ..Author::default()
    }
}

fn put_off(table: u16) -> Act {
    Act::Postpone {
        round: 1,
        table,
        reason: "ill".to_owned(),
    }
}

/// Ada has drawn the round, and Bob of a sector has put off a game, as Ada has another: the hall is
/// ordered each in the name of who has said it, and of Bob's tables alone.
#[tokio::test]
async fn what_is_said_of_a_table_is_ordered_in_the_name_of_who_has_said_it() {
    let mut hub = Hub::new(&[]).await;
    let (ada, bob) = (by("Ada", "chief"), by("Bob", "sector"));
    let drawn_by_ada = [opened("Open"), drawn(1, 1..=2), started(1)];
    hub.office.act(&ada, &drawn_by_ada).await.unwrap();
    hub.office.act(&bob, &[put_off(1)]).await.unwrap();
    hub.office.act(&ada, &[put_off(2)]).await.unwrap();
    let part = [opened("Open"), hub.part_of(), drawn(1, 1..=2), started(1)];
    hub.main.does(&part).await;
    hub.main.calls(&hub.event).await;
    let shutdown = CancellationToken::new();
    let keeping = tokio::spawn(hub.event.clone().keep(shutdown.clone()));
    let orders = hub.main.orders().await;
    let [first] = &orders[..] else {
        panic!("{orders:?}");
    };
    assert_eq!(
        (&*first.who, &*first.path),
        ("Bob", "/api/rounds/1/postpone")
    );
    assert_eq!(first.body, r#"{"tables":[1]}"#);
    assert_eq!(first.tables, "1-1".parse().ok());
    hub.main.does(&[put_off(1)]).await;
    hub.main.answers(&hub.event, first).await;
    let orders = hub.main.orders().await;
    let [second] = &orders[..] else {
        panic!("{orders:?}");
    };
    assert_eq!((&*second.who, &*second.body), ("Ada", r#"{"tables":[2]}"#));
    assert_eq!(second.tables, None);
    shutdown.cancel();
    keeping.await.unwrap();
}

/// A hub that was put back to a copy from before its event was opened opens it anew: the hall's
/// part is of it.
#[tokio::test]
async fn an_event_that_is_opened_anew_by_its_name_is_the_one_in_the_halls() {
    let mut hub = Hub::new(&[opened("Open"), drawn(1, 1..=1), started(1)]).await;
    let Act::PartOf { event } = hub.part_of() else {
        panic!("no part");
    };
    let (number, _) = event.rsplit_once('.').unwrap();
    let before = Act::PartOf {
        event: format!("{number}.1"),
    };
    let part = [opened("Open"), before, drawn(1, 1..=1), started(1)];
    hub.main.does(&part).await;
    hub.main.does(&[ended(1, 1, "1-0")]).await;
    hub.main.calls(&hub.event).await;
    hub.keeper().look().await;
    let book = hub.office.book();
    assert!(book.event.pairing(1, 1).unwrap().is_settled());
    assert!(
        !hub.note("main").contains("copy put back"),
        "{}",
        hub.note("main")
    );
}

/// A hub that was put back to an older copy opens another event by the number of the one that it
/// has lost: what the hall has of that one is none of it.
#[tokio::test]
async fn an_event_by_the_same_number_is_another_one() {
    let mut hub = Hub::new(&[opened("Rapid"), drawn(1, 1..=1), started(1)]).await;
    let Act::PartOf { event } = hub.part_of() else {
        panic!("no part");
    };
    let (number, _) = event.rsplit_once('.').unwrap();
    let lost = Act::PartOf {
        event: format!("{number}.1"),
    };
    let part = [opened("Blitz"), lost, drawn(1, 1..=1), started(1)];
    hub.main.does(&part).await;
    hub.main.does(&[ended(1, 1, "1-0")]).await;
    hub.main.calls(&hub.event).await;
    hub.keeper().look().await;
    let book = hub.office.book();
    assert_eq!(book.event.pairing(1, 1).unwrap().outcome, None);
    let note = hub.note("main");
    assert!(note.contains("`Blitz` is open there"), "{note}");
}

/// A hall was away for a whole round, which nobody has started there: it is brought to its end.
#[test]
fn a_round_that_is_over_here_and_only_drawn_there_is_started_given_and_closed() {
    let (mut all, mut said) = (event(1..=1), event(1..=1));
    start(&mut all);
    does(&mut all, ended(1, 1, "1-0"));
    does(&mut all, Act::CloseRound { round: 1 });
    let tables = |_| std::collections::BTreeSet::from([1]);
    let path = |said: &_| next(&all, said, tables).map(|(path, _)| path);
    assert_eq!(path(&said).as_deref(), Some("/api/rounds/1/start"));
    start(&mut said);
    assert_eq!(path(&said).as_deref(), Some("/api/rounds/1/results"));
    does(&mut said, ended(1, 1, "1-0"));
    assert_eq!(path(&said).as_deref(), Some("/api/rounds/1/close"));
    does(&mut said, Act::CloseRound { round: 1 });
    assert_eq!(path(&said), None);
    // One that it has never had is over, but where a game of it is still to be played there.
    let none = tournament::Tournament::default();
    assert_eq!(path(&none), None);
    let mut all = event(1..=1);
    start(&mut all);
    does(&mut all, put_off(1));
    does(&mut all, Act::CloseRound { round: 1 });
    let path = |said: &_| next(&all, said, tables).map(|(path, _)| path);
    assert_eq!(path(&none).as_deref(), Some("/api/event/part"));
    let mut said = event(1..=1);
    assert_eq!(path(&said).as_deref(), Some("/api/rounds/1/postpone"));
    does(&mut said, put_off(1));
    assert_eq!(path(&said).as_deref(), Some("/api/rounds/1/start"));
    start(&mut said);
    assert_eq!(path(&said).as_deref(), Some("/api/rounds/1/close"));
}

/// A hall has played one round, and begun the next, of which the hub knows nothing: they are drawn
/// as they are there, and begin here one after the other.
#[tokio::test]
async fn rounds_that_a_hall_has_played_begin_here_in_their_order_and_as_they_are_there() {
    let mut hub = Hub::new(&[opened("Open"), drawn(1, 1..=2)]).await;
    let part = [opened("Open"), hub.part_of(), drawn(1, 1..=2), started(1)];
    hub.main.does(&part).await;
    let first = [1, 2].map(|table| ended(1, table, "1-0"));
    hub.main.does(&first).await;
    let second = [Act::CloseRound { round: 1 }, drawn(2, 1..=2), started(2)];
    hub.main.does(&second).await;
    hub.main.does(&[ended(2, 1, "1-0")]).await;
    hub.main.calls(&hub.event).await;
    let mut other = event(1..=2);
    other.rounds.get_mut(&1).unwrap().pairings.swap(0, 1);
    let pairings = &mut other.rounds.get_mut(&1).unwrap().pairings;
    (pairings[0].table, pairings[1].table) = (Some(1), Some(2));
    let mut after = hub.event.event();
    does(&mut after, super::told::draws(2, &other));
    let may = hub.event.may_become(&after);
    assert!(matches!(may, Err(Stays::Other(1, 2, _))), "{may:?}");
    hub.does(&[drawn(2, 1..=2)]).await;
    let may = hub.event.may_start(2);
    assert!(matches!(may, Err(Stays::Elsewhere(1, _))), "{may:?}");
    hub.event.may_start(1).unwrap();
}
