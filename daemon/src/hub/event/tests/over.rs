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
