//! From where games start at the hub and in a hall.

use std::collections::BTreeSet;

use tokio_util::sync::CancellationToken;
use tournament::{Act, Details, Start, Tournament};

use super::super::Stays;
use super::told::{Hub, draws, opened, started};
use super::{does, event, next};

fn from(fen: &str) -> Option<Start> {
    let fen = fen.to_owned();
    let chess960 = true;
    Some(Start { fen, chess960 })
}

/// The first table from a position, the second as usual.
fn with_start(fen: &str) -> Tournament {
    let mut all = event(1..=2);
    let pairings = &mut all.rounds.get_mut(&1).unwrap().pairings;
    pairings[0].start = from(fen);
    all
}

fn begun(table: u16) -> Act {
    let game = format!("2026-11-27-b0{table}-1");
    let round = 1;
    Act::Begin { round, table, game }
}

/// What has begun in the hall goes on from where it did; what has not starts as the hub has it, be
/// it from the usual position.
#[test]
fn where_a_game_that_has_begun_starts_is_ordered_no_more() {
    let (all, mut there) = (event(1..=2), with_start("one"));
    let tables = |_| BTreeSet::from([1, 2]);
    let path = |order: Option<(String, String)>| order.map(|(path, _)| path);
    let part = Some("/api/event/part".to_owned());
    assert_eq!(path(next(&all, &there, tables)), part);
    let mut dealt = there.clone();
    let event = "hub-1".to_owned();
    does(&mut dealt, Act::PartOf { event });
    does(&mut dealt, draws(1, &all));
    assert_eq!(dealt.rounds[&1].pairings, all.rounds[&1].pairings);
    // At a hub, and in a hall by itself, what says nothing of it takes none back.
    does(&mut there, draws(1, &all));
    assert_eq!(there.rounds[&1].pairings[0].start, from("one"));
    does(&mut there, started(1));
    let mut ours = all.clone();
    does(&mut ours, started(1));
    does(&mut there, begun(1));
    assert_eq!(next(&ours, &there, tables), None);
    assert_eq!(next(&with_start("two"), &there, tables), None);
}

#[tokio::test]
async fn a_game_that_has_begun_in_its_hall_is_not_started_from_elsewhere() {
    let mut hub = Hub::new(&[opened("Open"), draws(1, &event(1..=2)), started(1)]).await;
    let part = [opened("Open"), hub.part_of(), draws(1, &event(1..=2))];
    hub.main.does(&part).await;
    hub.main.calls(&hub.event).await;
    let mut after = hub.event.event();
    after.rounds.get_mut(&1).unwrap().pairings[0].start = from("one");
    assert!(hub.event.may_become(&after).is_ok(), "it has not begun");
    hub.main.does(&[started(1), begun(1)]).await;
    hub.main.calls(&hub.event).await;
    let may = hub.event.may_become(&after);
    assert!(matches!(may, Err(Stays::Begun(1, 1, _))), "{may:?}");
    hub.main.hangs_up(&hub.event).await;
    after.rounds.get_mut(&1).unwrap().pairings = event(1..=2).rounds[&1].pairings.clone();
    assert!(hub.event.may_become(&after).is_ok());
    after.rounds.get_mut(&1).unwrap().pairings[1].start = from("one");
    let may = hub.event.may_become(&after);
    assert!(matches!(may, Err(Stays::Away(2, 1, _))), "{may:?}");
}

/// A hall that says that it has done what it was ordered, and lacks it as before, is not ordered it
/// without a pause.
#[tokio::test]
async fn what_a_hall_has_done_is_not_ordered_again_at_once() {
    let mut hub = Hub::new(&[opened("Open"), draws(1, &event(1..=2))]).await;
    hub.main.does(&[opened("Rapid")]).await;
    hub.main.calls(&hub.event).await;
    let shutdown = CancellationToken::new();
    let keeping = tokio::spawn(hub.event.clone().keep(shutdown.clone()));
    let mut ordered = 0;
    for rounds in 1..=4 {
        for order in hub.main.orders().await {
            ordered += 1;
            // Whatever else is done there.
            let details = Details {
                name: "Rapid".to_owned(),
                rounds: Some(rounds),
                ..Details::default()
            };
            hub.main.does(&[Act::Describe { details }]).await;
            hub.main.answers(&hub.event, &order).await;
        }
    }
    assert_eq!(ordered, 1);
    let note = hub.note("main");
    assert!(note.contains("is not as ordered"), "{note}");
    shutdown.cancel();
    keeping.await.unwrap();
}
