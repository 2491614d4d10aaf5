//! Rounds that are taken back at the hub, while a hall may have begun them.

use tournament::Act;

use super::super::Stays;
use super::told::{Hub, drawn, draws, opened, started};
use super::{event, start};

fn begun() -> Act {
    Act::Begin {
        round: 1,
        table: 1,
        game: "2026-11-27-b01-1".to_owned(),
    }
}

/// A round that is drawn at the hub and in a hall.
async fn dealt() -> Hub {
    let mut hub = Hub::new(&[opened("Open"), drawn(1, 1..=4)]).await;
    let part = [opened("Open"), hub.part_of(), drawn(1, 1..=2)];
    hub.main.does(&part).await;
    hub.main.calls(&hub.event).await;
    hub
}

#[tokio::test]
async fn a_round_is_not_taken_back_while_a_hall_that_was_dealt_it_is_away() {
    let mut hub = dealt().await;
    hub.event.may_be_undrawn(1).unwrap();
    hub.main.hangs_up(&hub.event).await;
    let may = hub.event.may_be_undrawn(1);
    assert!(matches!(may, Err(Stays::Away(1, 1, _))), "{may:?}");
    // The other hall was never there: it keeps nobody from taking back what was only drawn.
    hub.main.calls(&hub.event).await;
    hub.event.may_be_undrawn(1).unwrap();
}

/// The first move falls while the round is on its way back.
#[tokio::test]
async fn a_round_that_was_taken_back_and_has_begun_in_a_hall_is_drawn_as_it_is_there() {
    let mut hub = dealt().await;
    let drawn_again = {
        let mut again = hub.event.event();
        start(&mut again);
        again
    };
    hub.does(&[Act::Undraw { round: 1 }]).await;
    hub.main.does(&[started(1)]).await;
    hub.main.calls(&hub.event).await;
    let may = hub.event.may_become(&drawn_again);
    assert!(matches!(may, Err(Stays::Still(1, _))), "{may:?}");
    hub.main.does(&[begun()]).await;
    hub.main.calls(&hub.event).await;
    hub.event.may_become(&drawn_again).unwrap();
    let mut other = event(1..=4);
    other.rounds.get_mut(&1).unwrap().pairings[0].white = 4;
    other.rounds.get_mut(&1).unwrap().pairings[1].black = Some(1);
    let may = hub.event.may_become(&other);
    assert!(matches!(may, Err(Stays::Other(1, 1, _))), "{may:?}");
    // Drawn so, it is begun here, and the other table may be another's.
    hub.does(&[draws(1, &event(1..=4))]).await;
    hub.event.may_start(1).unwrap();
}
