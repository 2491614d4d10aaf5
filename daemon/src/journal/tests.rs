//! What is acknowledged is on the disk, whole and in order; what is refused leaves nothing behind.

use arbiter_core::{Event, Input, Setup, Time};

use super::*;
use crate::store::{Place, Store};

fn begin(game: &str, board: &str) -> Act {
    Act::Begin {
        game: game.into(),
        board: board.into(),
        tags: Tags::default(),
        started: "2026-11-21T09:00:00Z".into(),
    }
}

fn event(game: &str, seq: u64, event: &Event) -> Act {
    let line = serde_json::to_string(event).unwrap();
    Act::Event {
        game: game.into(),
        seq,
        at: event.at.0,
        wall: 0,
        line,
    }
}

fn setup(game: &str) -> Event {
    let setup = Setup {
        game: game.to_owned(),
        ..Setup::new(arbiter_core::SensorClass::Piece)
    };
    Event {
        at: Time(0),
        input: Input::Setup(setup.into()),
    }
}

fn tick(at: u64) -> Event {
    Event {
        at: Time(at),
        input: Input::Tick,
    }
}

fn run<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap()
        .block_on(work)
}

fn write(journal: &Journal, acts: Vec<Act>) -> Result<(), JournalError> {
    run(journal.write(acts.into()))
}

#[test]
fn what_is_acknowledged_is_read_by_others_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let (journal, _thread) = Journal::open(dir.path()).unwrap();
    let place = Place {
        serial: "EA-1".to_owned(),
        boot: 7,
        next: 12,
        shift: -5,
    };
    let acts = vec![
        begin("g1", "b01"),
        event("g1", 0, &setup("g1")),
        event("g1", 1, &tick(40)),
        Act::Taken {
            board: "b01".into(),
            place: place.clone(),
        },
    ];
    write(&journal, acts).unwrap();
    let store = Store::open(dir.path()).unwrap();
    assert_eq!(
        store.game("g1").unwrap().unwrap().events,
        [setup("g1"), tick(40)]
    );
    assert_eq!(store.place("b01").unwrap(), Some(place.clone()));
    assert_eq!(store.place("b02").unwrap(), None);
    assert!(store.game("g2").unwrap().is_none());
}

#[test]
fn a_write_counts_as_a_whole_or_not_at_all_and_alone() {
    let dir = tempfile::tempdir().unwrap();
    let (journal, _thread) = Journal::open(dir.path()).unwrap();
    write(
        &journal,
        vec![begin("g1", "b01"), event("g1", 0, &setup("g1"))],
    )
    .unwrap();
    // Sent together, so that they share a transaction: the middle one repeats a number.
    let outcomes = run(async {
        let good = journal.write(vec![event("g1", 1, &tick(1))].into());
        let bad = journal.write(vec![event("g1", 2, &tick(2)), event("g1", 1, &tick(9))].into());
        let unknown = journal.write(vec![event("nobody", 0, &tick(3))].into());
        let last = journal.write(vec![event("g1", 2, &tick(4))].into());
        tokio::join!(good, bad, unknown, last)
    });
    assert!(matches!(
        outcomes,
        (
            Ok(()),
            Err(JournalError::Refused(_)),
            Err(JournalError::Refused(_)),
            Ok(())
        )
    ));
    let game = Store::open(dir.path())
        .unwrap()
        .game("g1")
        .unwrap()
        .unwrap();
    assert_eq!(game.events, [setup("g1"), tick(1), tick(4)]);
}

#[test]
fn many_boards_share_commits_and_lose_nothing() {
    const GAMES: u64 = 40;
    const EVENTS: u64 = 50;
    let dir = tempfile::tempdir().unwrap();
    let (journal, thread) = Journal::open(dir.path()).unwrap();
    run(async {
        let mut boards = tokio::task::JoinSet::new();
        for n in 0..GAMES {
            let journal = journal.clone();
            boards.spawn(async move {
                let game = format!("g{n}");
                journal
                    .write(vec![begin(&game, &game), event(&game, 0, &setup(&game))].into())
                    .await
                    .unwrap();
                for seq in 1..=EVENTS {
                    journal
                        .write(vec![event(&game, seq, &tick(seq))].into())
                        .await
                        .unwrap();
                }
            });
        }
        while let Some(done) = boards.join_next().await {
            done.unwrap();
        }
    });
    drop(journal);
    thread.join().unwrap();
    let store = Store::open(dir.path()).unwrap();
    assert_eq!(store.games().unwrap().len() as u64, GAMES);
    for n in 0..GAMES {
        let events = store.game(&format!("g{n}")).unwrap().unwrap().events;
        let times: Vec<u64> = events.iter().map(|event| event.at.0).collect();
        assert_eq!(times, (0..=EVENTS).collect::<Vec<_>>());
    }
}

#[test]
fn one_daemon_a_store_and_the_next_one_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let (journal, thread) = Journal::open(dir.path()).unwrap();
    write(
        &journal,
        vec![
            begin("2026-11-21-b1-1", "b1"),
            event("2026-11-21-b1-1", 0, &setup("")),
        ],
    )
    .unwrap();
    let refused = Journal::open(dir.path()).unwrap_err().to_string();
    assert!(refused.starts_with("another arbiterd uses"), "{refused}");
    assert!(!refused.contains('\n'));
    drop(journal);
    thread.join().unwrap();
    let (journal, _thread) = Journal::open(dir.path()).unwrap();
    write(&journal, vec![event("2026-11-21-b1-1", 1, &tick(5))]).unwrap();
    let store = Store::open(dir.path()).unwrap();
    assert_eq!(store.latest("b1", 1).unwrap()[0].events.len(), 2);
    assert_eq!(
        store.unused_id("b1", "2026-11-21").unwrap(),
        "2026-11-21-b1-2"
    );
    assert_eq!(
        store.unused_id("b1", "2026-11-22").unwrap(),
        "2026-11-22-b1-1"
    );
    assert_eq!(
        store.unused_id("b", "2026-11-21").unwrap(),
        "2026-11-21-b-1"
    );
}

/// Whatever is deleted in it.
#[test]
fn a_store_stays_locked_by_its_directory() {
    let dir = tempfile::tempdir().unwrap();
    let (_journal, _thread) = Journal::open(dir.path()).unwrap();
    for entry in std::fs::read_dir(dir.path()).unwrap() {
        std::fs::remove_file(entry.unwrap().path()).unwrap();
    }
    let refused = Journal::open(dir.path()).unwrap_err().to_string();
    assert!(refused.starts_with("another arbiterd uses"), "{refused}");
}

#[test]
fn a_store_is_its_owners_only() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path().join("a").join("store");
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::set_permissions(&dir, std::fs::Permissions::from_mode(0o755)).unwrap();
    // As an earlier version has left it.
    std::fs::write(dir.join(store::FILE), "").unwrap();
    let (journal, _thread) = Journal::open(&dir).unwrap();
    let (scribe, writing) = crate::scribe::Scribe::start(&dir, Default::default()).unwrap();
    write(&journal, vec![begin("g1", "b01")]).unwrap();
    scribe.keep(crate::scribe::Page::Written {
        game: "g1".to_owned(),
        text: "*".to_owned(),
    });
    drop(scribe);
    writing.join().unwrap();
    let mode = |name: &str| {
        let found = std::fs::metadata(dir.join(name)).unwrap();
        found.permissions().mode() & 0o777
    };
    assert_eq!((mode(""), mode("pgn")), (0o700, 0o700));
    let wal = format!("{}-wal", store::FILE);
    for file in [store::FILE, &wal, "pgn/g1.pgn"] {
        assert_eq!(mode(file), 0o600, "{file}");
    }
}

#[test]
fn outcomes_are_listed() {
    let dir = tempfile::tempdir().unwrap();
    let (journal, _thread) = Journal::open(dir.path()).unwrap();
    let ended = Some("2026-11-21T11:00:00Z".to_owned());
    let outcome = Act::Outcome {
        game: "g1".into(),
        ended: ended.clone(),
        result: "1-0",
        plies: 61,
    };
    write(
        &journal,
        vec![begin("g1", "b01"), event("g1", 0, &setup("g1")), outcome],
    )
    .unwrap();
    write(
        &journal,
        vec![begin("g2", "b01"), event("g2", 0, &setup("g2"))],
    )
    .unwrap();
    let games = Store::open(dir.path()).unwrap().games().unwrap();
    let shown: Vec<_> = games
        .iter()
        .map(|g| (g.id.as_str(), g.result.as_str(), g.plies, g.ended.clone()))
        .collect();
    assert_eq!(shown, [("g2", "*", 0, None), ("g1", "1-0", 61, ended)]);
}

#[test]
fn a_directory_that_cannot_be_used_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    std::fs::write(&file, "").unwrap();
    let refused = Journal::open(&file).unwrap_err().to_string();
    assert!(
        refused.contains("file") && refused.contains("[store] dir"),
        "{refused}"
    );
    assert!(
        Store::open(dir.path())
            .unwrap_err()
            .to_string()
            .starts_with("there are no games in")
    );
}
