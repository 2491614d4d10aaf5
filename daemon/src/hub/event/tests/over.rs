//! What is over at the hub or in a hall, before the other knows it.

use tournament::Act;

use super::super::Stays;
use super::next;
use super::told::{Hub, drawn, ended, opened, started};

fn postponed() -> Act {
    Act::Postpone {
        round: 1,
        table: 2,
        reason: "ill".to_owned(),
    }
}

fn closed(round: u16) -> Act {
    Act::CloseRound { round }
}

/// The hall has the result of a postponed game before it closes the event, and the event is closed
/// at the hub only then.
#[tokio::test]
async fn the_result_of_a_postponed_game_comes_to_the_hall_after_its_round() {
    let first = [
        drawn(1, 1..=2),
        started(1),
        postponed(),
        ended(1, 1, "1-0"),
        closed(1),
    ];
    let mut hub = Hub::new(&[&[opened("Open")], &first[..]].concat()).await;
    hub.main.does(&[opened("Open"), hub.part_of()]).await;
    hub.main.does(&first).await;
    hub.main.calls(&hub.event).await;
    let ordered = |hub: &Hub| {
        let there = hub.event.part_in("main", &hub.event.event()).unwrap();
        let order = next(&hub.event.event(), &there, |_| [1, 2].into());
        order.map(|(path, _)| path)
    };
    assert_eq!(ordered(&hub), None);
    hub.does(&[ended(1, 2, "1-0")]).await;
    assert_eq!(ordered(&hub).as_deref(), Some("/api/rounds/1/results"));
    let may = hub.event.may_close();
    assert!(matches!(may, Err(Stays::Differs(2, 1, _))), "{may:?}");
    hub.does(&[Act::Close]).await;
    assert_eq!(ordered(&hub).as_deref(), Some("/api/rounds/1/results"));
    hub.main.does(&[ended(1, 2, "1-0")]).await;
    hub.main.calls(&hub.event).await;
    assert_eq!(ordered(&hub).as_deref(), Some("/api/event/close"));
}

/// While the hub is away, a hall plays a round that is only drawn here and closes it, and the
/// event; then it is dealt the next one.
#[tokio::test]
async fn what_a_hall_has_closed_by_itself_counts_also_beside_what_it_was_dealt_since() {
    let rounds = [drawn(1, 1..=1), drawn(2, 1..=1), drawn(3, 1..=1)];
    let mut hub = Hub::new(&[&[opened("Open")], &rounds[..]].concat()).await;
    let alone = [started(2), ended(2, 1, "0-1"), closed(2), Act::Close];
    hub.main.does(&[opened("Open"), hub.part_of()]).await;
    hub.main.does(&[&rounds[..], &alone[..]].concat()).await;
    let anew = [
        opened("Open"),
        hub.part_of(),
        drawn(1, 1..=1),
        drawn(3, 1..=1),
    ];
    hub.main.does(&anew).await;
    hub.main.calls(&hub.event).await;
    let mut keeper = hub.keeper();
    keeper.look().await;
    let note = hub.note("main");
    assert!(note.contains("round 2 is over there"), "{note}");
    let may = hub.event.may_start(3);
    assert!(matches!(may, Err(Stays::Elsewhere(2, _))), "{may:?}");
    // Nor is it drawn otherwise, taken back, or played elsewhere once more.
    let may = hub.event.may_be_undrawn(2);
    assert!(matches!(may, Err(Stays::Begun(1, 2, _))), "{may:?}");
    let author = crate::store::Author::default();
    let may = hub.event.move_table(author, 1, "juniors").await;
    assert!(matches!(may, Err(Stays::Begun(1, 2, _))), "{may:?}");
    hub.event.may_start(2).unwrap();
    hub.does(&[started(2)]).await;
    keeper.look().await;
    let book = hub.office.book();
    let pairing = book.event.pairing(2, 1).unwrap();
    assert_eq!(pairing.confirmed(), Some(super::codes("0-1")));
    // The round that is at hand there is taken over as before.
    hub.does(&[closed(2), started(1)]).await;
    hub.main.does(&[started(1), ended(1, 1, "1-0")]).await;
    hub.main.calls(&hub.event).await;
    keeper.look().await;
    let book = hub.office.book();
    let pairing = book.event.pairing(1, 1).unwrap();
    assert_eq!(pairing.confirmed(), Some(super::codes("1-0")));
}

/// A hall has begun a round that is only drawn at the hub: the event is not closed beside it, and
/// where somebody closes it all the same, it is said what the next one waits for.
#[tokio::test]
async fn what_keeps_an_event_open_in_a_hall_that_is_over_at_the_hub_is_said() {
    let mut hub = Hub::new(&[opened("Open"), drawn(1, 1..=1), drawn(2, 1..=1)]).await;
    let part = [
        opened("Open"),
        hub.part_of(),
        drawn(1, 1..=1),
        drawn(2, 1..=1),
    ];
    hub.main.does(&part).await;
    hub.main.does(&[started(2)]).await;
    hub.main.calls(&hub.event).await;
    hub.juniors.calls(&hub.event).await;
    let may = hub.event.may_close();
    assert!(matches!(may, Err(Stays::Elsewhere(2, _))), "{may:?}");
    let mut keeper = hub.keeper();
    let told = "the event `Open` is over here, and round 2 is under way there: close it there";
    for acts in [vec![Act::Close], vec![opened("Rapid"), drawn(1, 1..=1)]] {
        hub.does(&acts).await;
        keeper.look().await;
        assert_eq!(hub.note("main"), told);
    }
    hub.main.does(&[ended(2, 1, "1-0"), closed(2)]).await;
    hub.main.calls(&hub.event).await;
    keeper.look().await;
    assert!(
        !hub.note("main").contains("under way"),
        "{}",
        hub.note("main")
    );
}

/// A table has begun in a hall whose store is made anew then: it is another's once it is moved.
#[tokio::test]
async fn a_hall_that_has_nothing_any_more_keeps_no_table_from_another() {
    let mut hub = Hub::new(&[opened("Open"), drawn(1, 1..=1), started(1)]).await;
    let part = [opened("Open"), hub.part_of(), drawn(1, 1..=1), started(1)];
    hub.main.does(&part).await;
    hub.main.does(&[ended(1, 1, "1-0")]).await;
    hub.main.calls(&hub.event).await;
    hub.juniors.calls(&hub.event).await;
    let mut keeper = hub.keeper();
    keeper.look().await;
    keeper.look().await;
    let outcome = |hub: &Hub| hub.office.book().event.pairing(1, 1).unwrap().confirmed();
    assert_eq!(outcome(&hub), Some(super::codes("1-0")));
    hub.main.is_made_anew(&hub.event).await;
    let author = crate::store::Author::default();
    hub.event.move_table(author, 1, "juniors").await.unwrap();
    let reason = "lost".to_owned();
    let (round, table) = (1, 1);
    hub.does(&[Act::Withdraw {
        round,
        table,
        reason,
    }])
    .await;
    hub.juniors.does(&part).await;
    hub.juniors.does(&[ended(1, 1, "0-1")]).await;
    hub.juniors.calls(&hub.event).await;
    keeper.look().await;
    assert_eq!(outcome(&hub), Some(super::codes("0-1")));
}

/// A hall has played a round that the hub does not have, and a table that it has added: both are
/// told, and no event is closed beside them.
#[tokio::test]
async fn what_a_hall_has_played_that_the_hub_does_not_know_is_told_and_hinders_the_close() {
    let first = [drawn(1, 1..=1), started(1), ended(1, 1, "1-0"), closed(1)];
    let mut hub = Hub::new(&[&[opened("Open")], &first[..]].concat()).await;
    hub.main.does(&[opened("Open"), hub.part_of()]).await;
    let more = [
        drawn(1, 1..=2),
        started(1),
        ended(1, 1, "1-0"),
        ended(1, 2, "0-1"),
        closed(1),
    ];
    hub.main.does(&more).await;
    hub.main.calls(&hub.event).await;
    hub.juniors.calls(&hub.event).await;
    let mut keeper = hub.keeper();
    keeper.look().await;
    let note = hub.note("main");
    assert!(
        note.contains("table 1.2 has 0-1 there and no result here"),
        "{note}"
    );
    let may = hub.event.may_close();
    assert!(matches!(may, Err(Stays::Differs(2, 1, _))), "{may:?}");
    hub.main.does(&[drawn(2, 1..=1), started(2)]).await;
    hub.main.calls(&hub.event).await;
    keeper.look().await;
    let note = hub.note("main");
    assert!(
        note.contains("round 2 has begun there, and is not drawn here"),
        "{note}"
    );
    let may = hub.event.may_close();
    assert!(matches!(may, Err(Stays::Elsewhere(2, _))), "{may:?}");
}
