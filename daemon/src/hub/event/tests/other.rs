//! Games that a hall has of another event than the hub's.

use super::told::{Hub, drawn, ended, opened, started};

/// The hall has played an event of its own that was called the same, with the same two at a table.
#[tokio::test]
async fn the_game_of_an_event_that_the_hall_had_itself_is_none_of_the_hub_s() {
    let mut hub = Hub::new(&[opened("Open"), drawn(1, 1..=4)]).await;
    let close = tournament::Act::Close;
    let round = tournament::Act::CloseRound { round: 1 };
    let alone = [
        opened("Open"),
        drawn(1, 1..=1),
        started(1),
        ended(1, 1, "1-0"),
    ];
    hub.main.does(&alone).await;
    hub.main.does(&[round, close, opened("Open")]).await;
    hub.main.does(&[hub.part_of(), drawn(1, 1..=2)]).await;
    hub.main.calls(&hub.event).await;
    let ours = hub.office.book().event.clone();
    assert!(hub.event.in_halls(&ours, 1).is_empty());
    let page = hub.event.page(&ours, (1, 1)).unwrap();
    assert!(!page.contains("1-0") && !page.contains("GameId"), "{page}");
    // What has begun of the hub's is given out, also once the hall has closed it.
    for acts in [
        vec![started(1), ended(1, 1, "0-1"), ended(1, 2, "0-1")],
        vec![
            tournament::Act::CloseRound { round: 1 },
            tournament::Act::Close,
        ],
    ] {
        hub.main.does(&acts).await;
        hub.main.calls(&hub.event).await;
        assert_eq!(hub.event.in_halls(&ours, 1).len(), 2);
        let page = hub.event.page(&ours, (1, 1)).unwrap();
        assert!(page.contains("0-1"), "{page}");
    }
}

/// One that the hall has opened itself and that may still become the hub's is so where the same two
/// play.
#[tokio::test]
async fn an_event_that_a_hall_has_opened_itself_has_the_hub_s_game_where_the_names_are_the_same() {
    let mut hub = Hub::new(&[opened("Open"), drawn(1, 1..=4)]).await;
    let mut other = super::event(1..=2);
    other.players.get_mut(&1).unwrap().name = "Somebody".to_owned();
    let alone = [opened("Open"), super::told::draws(1, &other), started(1)];
    hub.main.does(&alone).await;
    hub.main
        .does(&[ended(1, 1, "1-0"), ended(1, 2, "1-0")])
        .await;
    hub.main.calls(&hub.event).await;
    let ours = hub.office.book().event.clone();
    let found = hub.event.in_halls(&ours, 1);
    assert_eq!(found.keys().collect::<Vec<_>>(), [&2]);
}
