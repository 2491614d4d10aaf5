//! A mirror is written row by row from a real journal.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;

use replica::{Batch, Hello, Place, Row, Verdict, Why};
use rusqlite::Connection;
use rusqlite::types::Value;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::message::Late;
use super::mirror::{Mirror, greeted};
use super::picture::Picture;
use super::sender::Sender;
use super::{Wishes, key};
use crate::journal::{Act, Journal};
use crate::store::{
    Area, Author, Deed, Ending, Erasure, FILE, Renamed, Said, Store, Tags, repair, verify,
};

const ADDRESS: &str = "192.0.2.77";
const REASON: &str = "Anna Berg fell ill";

fn deed(area: Area, what: &serde_json::Value) -> Act {
    let author = Author {
        who: "Ada".to_owned(),
        role: "chief".to_owned(),
        device: "tablet".to_owned(),
        address: ADDRESS.to_owned(),
    };
    Act::Deed(Box::new(Deed::now(author, area, what).unwrap()))
}

fn event(game: &str, seq: u64, line: &str) -> Act {
    Act::Event {
        game: game.into(),
        seq,
        at: 1_000 * seq,
        wall: 1_764_000_000_000 + seq.cast_signed(),
        line: line.to_owned(),
    }
}

fn tags(white: &str) -> Tags {
    Tags {
        white: white.to_owned(),
        ..Tags::default()
    }
}

/// A game that is over, goes on after all and is over again; acts of people; a file.
fn acts() -> Vec<Act> {
    let (game, bytes) = (Arc::from("2026-11-21-b01-1"), b"a pair list".to_vec());
    let ended = |pgn: &str| Act::Ended {
        game: Arc::clone(&game),
        ending: Box::new(Ending {
            version: "0.1.0".to_owned(),
            view: "{}".to_owned(),
            pgn: pgn.to_owned(),
        }),
    };
    let outcome = |result, plies| Act::Outcome {
        game: Arc::clone(&game),
        ended: None,
        result,
        plies,
    };
    vec![
        Act::Begin {
            game: game.clone(),
            board: "b01".into(),
            tags: tags("Anna Berg"),
            started: "2026-11-21T10:00:00Z".to_owned(),
        },
        event(
            &game,
            0,
            r#"{"event":"setup","game":"2026-11-21-b01-1","sensor":"piece"}"#,
        ),
        deed(Area::Event, &json!({ "act": "withdraw", "reason": REASON })),
        event(&game, 1, r#"{"event":"lift","at":1000,"square":"e2"}"#),
        outcome("1-0", 1),
        ended("one"),
        Act::Reopened { game: game.clone() },
        event(&game, 2, r#"{"event":"place","at":2000,"square":"e4"}"#),
        outcome("0-1", 2),
        ended("two"),
        deed(Area::People, &json!({ "act": "logged-in", "session": 1 })),
        Act::File {
            name: crate::office::file_name(&bytes),
            bytes: bytes.into(),
        },
    ]
}

async fn hall(dir: &Path) -> (Store, Journal) {
    let (journal, _thread) = Journal::open(dir).unwrap();
    for act in acts() {
        journal.write([act].into()).await.unwrap();
    }
    (Store::open(dir).unwrap(), journal)
}

fn greet(mirror: &mut Mirror, store: &Store) -> Option<Place> {
    let head = store.head().unwrap();
    let hello = Hello {
        epoch: head.at.epoch,
        earlier: head.earlier,
        head: head.at.seq,
    };
    greeted(mirror, &hello).unwrap()
}

/// Sends everything in batches of `size`.
fn send(store: &Store, mirror: &mut Mirror, size: usize) {
    let mut at = greet(mirror, store).expect("a welcome");
    loop {
        let rows: Vec<Row<Said>> = store.rows(&at).unwrap().expect("that place");
        if rows.is_empty() {
            return;
        }
        for rows in rows.chunks(size) {
            let batch = Batch {
                after: at.clone(),
                rows: rows.to_vec(),
            };
            assert_eq!(mirror.consumer.judge(&batch), Verdict::Take(0..rows.len()));
            mirror.take(rows).unwrap();
            at = mirror.consumer.at().unwrap().clone();
        }
    }
}

fn table(dir: &Path, query: &str) -> Vec<Vec<Value>> {
    let db = Connection::open(dir.join(FILE)).unwrap();
    let mut query = db.prepare(query).unwrap();
    let width = query.column_count();
    let row = |r: &rusqlite::Row<'_>| (0..width).map(|n| r.get(n)).collect();
    let rows = query.query_map([], row).unwrap();
    rows.collect::<Result<_, _>>().unwrap()
}

fn bytes_of(dir: &Path) -> Vec<u8> {
    let files = std::fs::read_dir(dir).into_iter().flatten().flatten();
    files
        .filter(|file| file.path().is_file())
        .flat_map(|file| std::fs::read(file.path()).unwrap())
        .collect()
}

fn says(dir: &Path, what: &str) -> bool {
    let bytes = bytes_of(dir);
    bytes
        .windows(what.len())
        .any(|part| part == what.as_bytes())
}

/// A hall whose files for its hub are not there yet is told which one, and does not fall over.
#[tokio::test]
async fn an_authority_that_cannot_be_read_is_named() {
    let (here, dir) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (store, journal) = hall(here.path()).await;
    let file_of_key = dir.path().join("hub.key");
    std::fs::write(&file_of_key, key::make().unwrap()).unwrap();
    std::fs::set_permissions(&file_of_key, Permissions::from_mode(0o600)).unwrap();
    let missing = dir.path().join("nowhere.crt");
    let empty = dir.path().join("empty.crt");
    std::fs::write(&empty, "no certificate").unwrap();
    for (address, file) in [
        ("wss://127.0.0.1:9", &missing),
        ("wss://127.0.0.1:9", &empty),
        ("tls://127.0.0.1:9", &missing),
    ] {
        let wishes = Wishes {
            name: "main".to_owned(),
            address: address.to_owned(),
            key: file_of_key.clone(),
            authority: Some(file.clone()),
            orders: Vec::new(),
        };
        let parts = (store.clone(), journal.clone());
        let late = (&wishes, Late::default());
        let error = Sender::start(late, parts, CancellationToken::new()).unwrap_err();
        assert!(
            error.to_string().contains(&*file.to_string_lossy()),
            "{error}"
        );
    }
}

#[tokio::test]
async fn a_mirror_has_every_row_but_what_stays_in_the_hall() {
    for size in [1, 5, 256] {
        let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (store, _journal) = hall(here.path()).await;
        let mirrored = there.path().join("main");
        let mut mirror = Mirror::open(mirrored.clone()).unwrap();
        send(&store, &mut mirror, size);
        for query in [
            "SELECT * FROM games",
            "SELECT * FROM events",
            "SELECT * FROM endings",
            "SELECT * FROM acts",
            "SELECT * FROM acts_end",
            "SELECT * FROM files",
            "SELECT seq, mark FROM log",
            "SELECT epoch FROM origin",
        ] {
            let rows = table(here.path(), query);
            assert!(!rows.is_empty(), "{query}");
            assert_eq!(table(&mirrored, query), rows, "{query}");
        }
        assert!(says(here.path(), ADDRESS) && !says(&mirrored, ADDRESS));
        let deeds = mirror.store().unwrap().unwrap().deeds().unwrap();
        assert_eq!(deeds.damage, None);
        assert!(deeds.sound[0].what.contains(REASON));
        assert_eq!(deeds.sound[0].author.address, "");
        let (games, wrong) = verify(&mirrored).unwrap();
        // What the acts say of the event is made up here, and no event.
        let wrong: Vec<String> = wrong
            .into_iter()
            .filter(|w| !w.contains("cannot be"))
            .collect();
        assert_eq!((games[0].damage.as_ref(), wrong), (None, Vec::new()));
        // Opened again it goes on where it was.
        drop(mirror);
        let mirror = Mirror::open(mirrored).unwrap();
        assert_eq!(mirror.consumer.at(), Some(&store.head().unwrap().at));
    }
}

#[tokio::test]
async fn what_does_not_fit_its_checksum_is_not_taken_and_nothing_with_it() {
    let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (store, _journal) = hall(here.path()).await;
    let mut mirror = Mirror::open(there.path().join("main")).unwrap();
    let at = greet(&mut mirror, &store).unwrap();
    let rows = store.rows(&at).unwrap().unwrap();
    let spoil = |say: fn(&mut Said) -> bool| {
        let mut rows = rows.clone();
        assert!(rows.iter_mut().any(|row| say(&mut row.what)));
        rows
    };
    let spoilt = [
        spoil(|said| match said {
            Said::Event { seq: 1, line, .. } => {
                line.push(' ');
                true
            }
            _ => false,
        }),
        spoil(|said| match said {
            Said::File { name, .. } => {
                name.push('0');
                true
            }
            _ => false,
        }),
        // A row is missing.
        rows[1..].to_vec(),
    ];
    for rows in spoilt {
        assert!(mirror.take(&rows).is_err());
        assert_eq!(mirror.consumer.at(), Some(&at));
    }
    assert!(table(&there.path().join("main"), "SELECT * FROM events").is_empty());
    mirror.take(&rows).unwrap();
}

#[tokio::test]
async fn what_a_hall_erases_is_gone_from_every_mirror() {
    let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (store, journal) = hall(here.path()).await;
    let mirrored = there.path().join("main");
    let mut mirror = Mirror::open(mirrored.clone()).unwrap();
    send(&store, &mut mirror, 256);
    // One is kept beside it from before.
    let kept = there.path().join("main.earlier-1");
    std::fs::create_dir(&kept).unwrap();
    std::fs::copy(mirrored.join(FILE), kept.join(FILE)).unwrap();
    let file = std::fs::File::open(mirrored.join(FILE)).unwrap();

    let erasure = Erasure {
        games: vec![Renamed {
            game: "2026-11-21-b01-1".to_owned(),
            tags: tags("1"),
            pgn: None,
        }],
        dropped: table(here.path(), "SELECT name FROM files")
            .concat()
            .into_iter()
            .map(|name| match name {
                Value::Text(name) => name,
                other => panic!("{other:?}"),
            })
            .collect(),
        files: vec![(
            crate::office::file_name(b"without her"),
            b"without her".to_vec(),
        )],
        ..Erasure::default()
    };
    let before = store.head().unwrap().at;
    journal
        .write([Act::Erase(erasure.into())].into())
        .await
        .unwrap();
    let head = store.head().unwrap();
    assert_ne!(head.at.epoch, before.epoch);
    assert_eq!(
        (&*head.earlier[0].epoch, head.earlier[0].why),
        (&*before.epoch, Why::Erased)
    );
    assert_eq!(store.rows(&before).unwrap(), None, "no way on from there");

    assert!(says(&mirrored, "Anna Berg") || says(&kept, "Anna Berg"));
    send(&store, &mut mirror, 256);
    assert!(!kept.exists());
    let games = table(&mirrored, "SELECT tags FROM games");
    assert_eq!(games, table(here.path(), "SELECT tags FROM games"));
    let files = table(&mirrored, "SELECT name, bytes FROM files");
    assert_eq!(files.len(), 1, "what takes a file's place");
    assert_eq!(files, table(here.path(), "SELECT name, bytes FROM files"));
    // Of the file that was, the bytes are overwritten too.
    let mut left = Vec::new();
    std::io::Read::read_to_end(&mut &file, &mut left).unwrap();
    assert!(left.iter().all(|byte| *byte == 0), "{} bytes", left.len());
}

#[tokio::test]
async fn network_addresses_that_are_taken_away_cost_no_new_mirror() {
    let here = tempfile::tempdir().unwrap();
    let (store, journal) = hall(here.path()).await;
    let before = store.head().unwrap();
    let erasure = Erasure {
        addresses: Some(1),
        ..Erasure::default()
    };
    journal
        .write([Act::Erase(erasure.into())].into())
        .await
        .unwrap();
    assert_eq!(store.head().unwrap(), before);
}

#[tokio::test]
async fn a_mirror_that_is_damaged_is_kept_and_begun_anew() {
    let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (store, _journal) = hall(here.path()).await;
    let mirrored = there.path().join("main");
    let mut mirror = Mirror::open(mirrored.clone()).unwrap();
    send(&store, &mut mirror, 256);
    drop(mirror);
    let mut bytes = std::fs::read(mirrored.join(FILE)).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..].fill(0x55);
    std::fs::write(mirrored.join(FILE), bytes).unwrap();
    let mut mirror = Mirror::open(mirrored.clone()).unwrap();
    assert_eq!(mirror.consumer.at(), None);
    assert!(there.path().join("main.earlier-1").exists());
    send(&store, &mut mirror, 256);
    assert_eq!(mirror.consumer.at(), Some(&store.head().unwrap().at));
}

#[test]
fn a_board_whose_rows_are_of_a_later_version_says_so_and_holds_up_no_other() {
    let here = tempfile::tempdir().unwrap();
    let runtime = crate::run::runtime().unwrap();
    let (store, _journal) = runtime.block_on(hall(here.path()));
    let mut picture = Picture::open(&store).unwrap();
    picture.connect(true);
    let board = |picture: &Picture, id: &str| picture.hall.board(id).unwrap();
    // It has ended, and is shown as it was told then.
    assert_eq!(board(&picture, "b01").fault, None);
    let begins = |key, board: &str| Said::Game {
        key,
        id: format!("2026-11-21-{board}-2"),
        board: board.to_owned(),
        tags: "{}".to_owned(),
        started: String::new(),
    };
    let event = |game, seq, line: &str| Said::Event {
        game,
        seq,
        at: 0,
        wall: 0,
        line: line.to_owned(),
        sum: String::new(),
    };
    let setup = r#"{"event":"setup","game":"g","sensor":"piece"}"#;
    let rows = [
        begins(2, "b01"),
        begins(3, "b02"),
        event(2, 0, setup),
        event(2, 1, r#"{"event":"teleport","at":5}"#),
        event(3, 0, setup),
    ];
    picture.follow(rows.iter()).unwrap();
    let fault = board(&picture, "b01").fault.clone().unwrap_or_default();
    assert!(fault.contains("version does not know it"), "{fault}");
    assert_eq!(board(&picture, "b02").fault, None);
    assert!(board(&picture, "b02").view().is_some());
    assert_eq!(picture.counted().boards, 2);
    picture.connect(false);
    let fault = board(&picture, "b02").fault.clone().unwrap_or_default();
    assert!(fault.contains("no line to this hall"), "{fault}");
}

#[tokio::test]
async fn a_repaired_store_is_known_for_the_one_it_was_and_sent_anew() {
    let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (store, _journal) = hall(here.path()).await;
    let mirrored = there.path().join("main");
    let mut mirror = Mirror::open(mirrored.clone()).unwrap();
    send(&store, &mut mirror, 256);
    let mended = here.path().join("mended");
    repair(here.path(), &mended).unwrap();
    let (before, after) = (store.head().unwrap(), Store::open(&mended).unwrap());
    let earlier = &after.head().unwrap().earlier[0];
    assert_eq!(
        (&earlier.epoch, earlier.why),
        (&before.at.epoch, Why::Other)
    );
    send(&after, &mut mirror, 256);
    for query in [
        "SELECT * FROM events",
        "SELECT * FROM acts",
        "SELECT * FROM endings",
    ] {
        assert_eq!(table(&mirrored, query), table(&mended, query), "{query}");
    }
    let kept = there.path().join("main.earlier-1");
    let query = "SELECT * FROM events";
    assert_eq!(table(&kept, query), table(here.path(), query));
}
