//! The event of a hub whose halls are told of by hand.

use std::time::Duration;

use replica::{Batch, Earlier, Hello, Place, Row, Why, Word};
use tokio::sync::mpsc::unbounded_channel;
use tokio_util::sync::CancellationToken;
use tournament::{Act, Details};

use super::super::gather::Taken;
use super::super::keeper::Keeper;
use super::super::{Event, Stays};
use super::{event, known, result};
use crate::hub::{FromHall, Halls, Known, ToHall, fingerprint};
use crate::journal::Journal;
use crate::office::Office;
use crate::store::{Author, Said, Store};

/// A hub with this event, and nobody on the line.
async fn hub(dir: &std::path::Path, acts: &[Act]) -> Event {
    let (journal, _thread) = Journal::open(dir).unwrap();
    let store = Store::open(dir).unwrap();
    let office = Office::open(store, journal.clone(), Vec::new(), None).unwrap();
    office.act(&Author::default(), acts).await.unwrap();
    let (halls, _threads) = Halls::open(dir, &known(), &CancellationToken::new()).unwrap();
    Event::open(halls, office, journal).unwrap()
}

fn opened(name: &str) -> Act {
    let details = Details {
        name: name.to_owned(),
        ..Details::default()
    };
    Act::Open { details }
}

#[tokio::test]
async fn a_table_of_a_hall_that_is_cut_off_is_not_moved_once_it_is_drawn() {
    let dir = tempfile::tempdir().unwrap();
    let all = event(1..=4);
    let draw = Act::Draw {
        round: 1,
        date: String::new(),
        players: all.players.values().cloned().collect(),
        pairings: all.rounds[&1].pairings.clone(),
        file: None,
        players_file: None,
        encoding: None,
    };
    let hub = hub(dir.path(), &[opened("Open"), draw]).await;
    let moved = hub.move_table(Author::default(), 1, "juniors").await;
    assert!(matches!(moved, Err(Stays::Away(1, 1, hall)) if hall == "main"));
    // There is no such table in the round.
    let moved = hub.move_table(Author::default(), 9, "juniors").await;
    assert!(moved.is_ok());
}

#[tokio::test]
async fn what_was_taken_over_of_one_event_says_nothing_of_the_next() {
    let dir = tempfile::tempdir().unwrap();
    let event = hub(dir.path(), &[opened("Open")]).await;
    let office = event.office.clone();
    let mut taken = Taken::default();
    taken.note(&result("1-0", ""));
    let mut keeper = Keeper::new(event, taken.clone());
    keeper.look().await;
    assert_eq!(keeper.taken, taken);
    let acts = [Act::Close, opened("Rapid")];
    let closed = office.act(&Author::default(), &acts).await;
    assert!(closed.is_ok(), "{closed:?}");
    keeper.look().await;
    assert_eq!(keeper.taken, Taken::default());
}

/// How many rows are missing is known before the mirror that is begun anew is looked at.
#[tokio::test]
async fn a_hall_that_is_sent_anew_is_behind() {
    let dir = tempfile::tempdir().unwrap();
    let known = Known {
        key: fingerprint("key"),
        ..known().remove(0)
    };
    let (halls, _threads) = Halls::open(dir.path(), &[known], &CancellationToken::new()).unwrap();
    let guest = halls.guest("key", Some("main")).unwrap();
    let (answers, mut answered) = unbounded_channel();
    let hello = |epoch: &str, earlier: Vec<Earlier>| FromHall::Hello {
        hello: Hello {
            epoch: epoch.to_owned(),
            earlier,
            head: 3,
        },
        version: String::new(),
        orders: Vec::new(),
        late: None,
    };
    let rows = (1..=3).map(|mark| Row {
        mark,
        what: Said::Nothing,
    });
    let batch = Batch {
        after: Place::start("one"),
        rows: rows.collect(),
    };
    let repaired = Earlier {
        epoch: "one".to_owned(),
        why: Why::Other,
    };
    let told = [
        (hello("one", Vec::new()), 3),
        (FromHall::Rows(batch), 0),
        (hello("two", vec![repaired]), 3),
    ];
    for (words, behind) in told {
        assert!(guest.says(words, &answers).await);
        let word = tokio::time::timeout(Duration::from_secs(20), answered.recv()).await;
        let word = word.unwrap().unwrap();
        assert!(!matches!(word, ToHall::Word(Word::Refused { .. })));
        assert_eq!(halls.shown()[0].behind, behind);
    }
    halls.close().await;
}
