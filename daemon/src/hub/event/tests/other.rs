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

/// A hall has called its part otherwise: it is the hub's as before, and is told its name.
#[tokio::test]
async fn a_part_that_is_called_otherwise_in_its_hall_is_the_hub_s_all_the_same() {
    let mut hub = Hub::new(&[opened("Open"), drawn(1, 1..=2), started(1)]).await;
    let part = [opened("Open"), hub.part_of(), drawn(1, 1..=2), started(1)];
    hub.main.does(&part).await;
    let details = tournament::Details {
        name: "Friday".to_owned(),
        ..tournament::Details::default()
    };
    let renamed = tournament::Act::Describe { details };
    hub.main.does(&[renamed, ended(1, 1, "1-0")]).await;
    hub.main.calls(&hub.event).await;
    let mut keeper = hub.keeper();
    keeper.look().await;
    let book = hub.office.book();
    assert!(book.event.pairing(1, 1).unwrap().is_settled());
    let there = hub.event.part_in("main", &hub.event.event()).unwrap();
    let order = super::next(&hub.event.event(), &there, |_| [1, 2].into());
    assert_eq!(order.unwrap().0, "/api/event/part");
}

/// The tables of the halls were configured otherwise since the game.
#[tokio::test]
async fn a_game_is_given_out_of_the_hall_in_which_it_was_played_whoever_has_its_table() {
    let mut hub = Hub::new(&[opened("Open"), drawn(1, 1..=4)]).await;
    let part = [opened("Open"), hub.part_of(), drawn(1, 3..=4), started(1)];
    hub.main.does(&part).await;
    hub.main.does(&[ended(1, 3, "1-0")]).await;
    hub.main.calls(&hub.event).await;
    let ours = hub.office.book().event.clone();
    let found = hub.event.in_halls(&ours, 1);
    assert_eq!(found.keys().collect::<Vec<_>>(), [&3]);
    assert!(hub.event.page(&ours, (1, 3)).unwrap().contains("1-0"));
}

/// A game that was annulled and is not played anew yet is told with its hall all the same.
#[tokio::test]
async fn a_table_whose_only_game_was_annulled_is_in_its_hall() {
    let mut hub = Hub::new(&[opened("Open"), drawn(1, 1..=2), started(1)]).await;
    let begin = tournament::Act::Begin {
        round: 1,
        table: 1,
        game: "g1".to_owned(),
    };
    let annul = tournament::Act::Annul { round: 1, table: 1 };
    let part = [opened("Open"), hub.part_of(), drawn(1, 1..=2), started(1)];
    hub.main.does(&part).await;
    hub.main.does(&[begin, annul]).await;
    hub.main.calls(&hub.event).await;
    let ours = hub.office.book().event.clone();
    let found = serde_json::to_value(hub.event.in_halls(&ours, 1)).unwrap();
    assert_eq!(found["1"]["game"], serde_json::Value::Null);
    assert_eq!(found["1"]["annulled_games"], serde_json::json!(["g1"]));
    assert!(found.get("2").is_none(), "nothing has begun there");
    assert!(hub.event.games(1).is_empty());
}
