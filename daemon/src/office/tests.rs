//! What is done to an event is on the disk before it is so, and is there again after a restart.

mod files;
mod moved;
mod overdue;
mod persons;
mod told;

use std::path::Path;
use std::thread::JoinHandle;

use tournament::{How, ResultCode};

use super::*;

const TRF: &[u8] = include_bytes!("../../trf/tests/open.trf");

struct House {
    office: Office,
    thread: JoinHandle<()>,
}

fn open(dir: &Path) -> House {
    let (journal, thread) = Journal::open(dir).unwrap();
    let store = Store::open(dir).unwrap();
    let boards = ["b01", "b02"].map(str::to_owned).to_vec();
    let office = Office::open(store, journal, boards, None).unwrap();
    House { office, thread }
}

impl House {
    fn close(self) -> Arc<Book> {
        let book = self.office.book();
        self.office.close();
        drop(self.office);
        self.thread.join().unwrap();
        book
    }

    async fn does(&self, act: Act) -> Result<(), OfficeError> {
        self.office.act(&Author::default(), &[act]).await
    }
}

fn load(dry_run: bool) -> Request {
    Request {
        file: TRF.to_vec(),
        dry_run,
        ..Request::default()
    }
}

#[tokio::test]
async fn an_event_is_there_again_after_a_restart() {
    let dir = tempfile::tempdir().unwrap();
    let house = open(dir.path());
    let author = Author::default();
    let planned = house.office.load(&author, load(true)).await.unwrap();
    assert_eq!(house.office.book().acts, 0, "a dry run does nothing");
    let loaded = house.office.load(&author, load(false)).await.unwrap();
    assert_eq!(planned, loaded);
    let acts = house.office.book().acts;
    let again = house.office.load(&author, load(false)).await.unwrap();
    assert!(again.plan.changes.is_empty());
    assert_eq!(house.office.book().acts, acts, "to load again does nothing");
    let at = "2026-11-24T10:00:00Z".to_owned();
    house.does(Act::StartRound { round: 3, at }).await.unwrap();
    let before = house.close();
    let house = open(dir.path());
    assert_eq!(*house.office.book(), *before);
    assert!(crate::store::verify(dir.path()).unwrap().1.is_empty());
    let kept = house.office.store().file(&file_name(TRF)).unwrap();
    assert_eq!(kept.as_deref(), Some(TRF), "every byte of the file");
    house.close();
}

/// A hall is set up before its event is opened, and stays so for the next one.
#[tokio::test]
async fn boards_stand_where_they_were_put_whatever_event_is_opened() {
    let dir = tempfile::tempdir().unwrap();
    let house = open(dir.path());
    let board = || "b02".to_owned();
    house
        .does(Act::Bind {
            table: 7,
            board: board(),
        })
        .await
        .unwrap();
    for name in ["First", "Second"] {
        let details = Details {
            name: name.to_owned(),
            ..Details::default()
        };
        house.does(Act::Open { details }).await.unwrap();
        let tables = house.office.book().tables();
        assert_eq!(tables, [(1, "b01".to_owned()), (7, board())].into());
        house.does(Act::Close).await.unwrap();
    }
    let before = house.close();
    let house = open(dir.path());
    assert_eq!(*house.office.book(), *before);
    house.close();
}

#[tokio::test]
async fn whoever_binds_one_board_leaves_the_others_where_they_stood() {
    let dir = tempfile::tempdir().unwrap();
    let house = open(dir.path());
    assert_eq!(house.office.book().table_of("b02"), Some(2));
    let board = "b02".to_owned();
    house.does(Act::Bind { table: 7, board }).await.unwrap();
    let book = house.office.book();
    let stand = ["b01", "b02"].map(|board| book.table_of(board));
    assert_eq!((stand, book.board_of(2)), ([Some(1), Some(7)], None));
    house.does(Act::Unbind { table: 7 }).await.unwrap();
    house.does(Act::Unbind { table: 1 }).await.unwrap();
    let book = house.office.book();
    assert_eq!((book.board_of(1), book.table_of("b02")), (None, None));
    house.close();
}

#[tokio::test]
async fn a_game_takes_its_place_or_leaves_it() {
    let dir = tempfile::tempdir().unwrap();
    let house = open(dir.path());
    house
        .office
        .load(&Author::default(), load(false))
        .await
        .unwrap();
    assert!(
        house.office.seat("b01").await.is_none(),
        "no round is under way"
    );
    let at = String::new();
    house.does(Act::StartRound { round: 3, at }).await.unwrap();
    drop(house.office.seat("b01").await.expect("a place"));
    let mut seat = house
        .office
        .seat("b01")
        .await
        .expect("a place that was not taken");
    let tags = seat.tags("2026.11.24");
    assert_eq!(tags.round, "3.1");
    assert!(tags.further.contains(&("Board".to_owned(), "1".to_owned())));
    assert!(!tags.white.is_empty() && !tags.black.is_empty());
    let deed = seat.deed("g1").unwrap();
    let ways = house.office.ways().clone().unwrap();
    ways.journal.write([deed].into()).await.unwrap();
    drop(ways);
    seat.taken();
    assert!(
        house.office.seat("b01").await.is_none(),
        "its game has begun"
    );

    let won = ResultCode::both("1-0").unwrap();
    let outcome = |office: &Office| office.book().event.pairing(3, 1).unwrap().outcome.clone();
    for (shown, expected) in [
        (Shown::Ended(won), Some(won)),
        (Shown::Open, None),
        (Shown::Ended(won), Some(won)),
    ] {
        house.office.hear("b01", "g1", &shown).await.unwrap();
        let proposed = outcome(&house.office).map(|outcome| outcome.codes);
        assert_eq!(proposed, expected);
    }
    let acts = house.office.book().acts;
    house
        .office
        .hear("b01", "g1", &Shown::Ended(won))
        .await
        .unwrap();
    assert_eq!(house.office.book().acts, acts, "that is known");
    let given = Shown::Decided(won, Some("Eva".into()));
    house.office.hear("b01", "g1", &given).await.unwrap();
    let told = outcome(&house.office).unwrap();
    assert_eq!((told.how, told.confirmed), (How::Arbiter, false));
    let who = |office: &Office| office.book().giver(1, (3, 1)).to_owned();
    assert_eq!(who(&house.office), "Eva");
    house.office.hear("b01", "g1", &Shown::Open).await.unwrap();
    assert_eq!(
        (outcome(&house.office), who(&house.office)),
        (None, String::new()),
        "it was taken back"
    );
    // What somebody has typed is in conflict with what the board shows, and not gone.
    let lost = ResultCode::both("0-1").unwrap();
    let typed = Act::Propose {
        round: 3,
        table: 1,
        codes: lost,
        how: How::Typed,
    };
    house.does(typed).await.unwrap();
    let board = Shown::Ended(won);
    house.office.hear("b01", "g1", &board).await.unwrap();
    assert_eq!(outcome(&house.office).map(|told| told.codes), Some(lost));
    house.office.hear("b01", "g1", &given).await.unwrap();
    house
        .does(Act::Confirm { round: 3, table: 1 })
        .await
        .unwrap();
    assert_eq!(
        who(&house.office),
        "Eva",
        "whoever confirms it has not given it"
    );
    house.office.hear("b01", "g1", &Shown::Open).await.unwrap();
    assert!(
        outcome(&house.office).unwrap().confirmed,
        "what a person said stays"
    );
    let before = house.close();
    let house = open(dir.path());
    assert_eq!(*house.office.book(), *before);
    house.close();
}

#[tokio::test]
async fn acts_that_are_damaged_are_added_to_by_nobody() {
    let dir = tempfile::tempdir().unwrap();
    let house = open(dir.path());
    house
        .office
        .load(&Author::default(), load(false))
        .await
        .unwrap();
    house.close();
    let db = rusqlite::Connection::open(dir.path().join(crate::store::FILE)).unwrap();
    let worse =
        "UPDATE acts SET what = replace(what, '\"round\":3', '\"round\":4') WHERE number = 2";
    assert_eq!(db.execute(worse, []).unwrap(), 1);
    drop(db);
    let house = open(dir.path());
    let at = String::new();
    let refused = house.does(Act::StartRound { round: 3, at }).await;
    assert!(matches!(
        refused,
        Err(OfficeError::Refused(_) | OfficeError::Damaged(_))
    ));
    let details = Details::default();
    let refused = house.does(Act::Describe { details }).await;
    assert!(
        matches!(refused, Err(OfficeError::Damaged(_))),
        "{refused:?}"
    );
    house.close();
}
