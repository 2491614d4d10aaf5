//! Stores that are damaged, and what is kept of them.

use super::*;

use daemon::journal::Journal;
use daemon::store::FILE;
use rusqlite::Connection;

const KEPT: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/journals/0.1.0-next-game/arbiter.sqlite"
);

/// A copy of a kept store, with checksums.
fn store() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::copy(KEPT, dir.path().join(FILE)).unwrap();
    let (journal, thread) = Journal::open(dir.path()).unwrap();
    drop(journal);
    thread.join().unwrap();
    dir
}

#[test]
fn verify_says_what_is_damaged_and_repair_keeps_the_rest() {
    let dir = store();
    let path = dir.path().to_str().unwrap();
    let whole = output(&["verify", "--dir", path]);
    assert!(whole.status.success(), "{whole:?}");
    let text = String::from_utf8(whole.stdout).unwrap();
    assert!(
        text.lines().count() > 5 && text.lines().all(|line| line.ends_with("\tok")),
        "{text}"
    );

    let db = Connection::open(dir.path().join(FILE)).unwrap();
    db.execute("UPDATE events SET wall = 5 WHERE game = 2 AND seq = 9", [])
        .unwrap();
    drop(db);
    let found = output(&["verify", "--json", "--dir", path]);
    assert_eq!(found.status.code(), Some(1));
    let found = lines(&found.stdout);
    let damaged: Vec<_> = found
        .iter()
        .filter(|game| !game["damage"].is_null())
        .collect();
    assert_eq!(damaged.len(), 1);
    assert_eq!(
        (&damaged[0]["damage"]["event"], &damaged[0]["events"]),
        (&9.into(), &9.into())
    );
    let game = damaged[0]["game"].as_str().unwrap();
    fails(
        &["verify", "--dir", path],
        1,
        "games damaged; `arbiterd repair`",
    );

    let into = dir.path().join("mended");
    let into = into.to_str().unwrap();
    let repaired = output(&["repair", "--dir", path, "--into", into, "--json"]);
    assert!(repaired.status.success(), "{repaired:?}");
    assert_eq!(lines(&repaired.stdout), found);
    fails(
        &["repair", "--dir", path, "--into", into],
        1,
        "there is something at",
    );
    // What is whole is kept, and what is not is still said.
    fails(&["verify", "--dir", into], 1, "1 of ");
    let script = output(&["export", game, "--format", "script", "--dir", into]);
    let told = String::from_utf8(script.stderr).unwrap();
    assert_eq!(script.status.code(), Some(1));
    assert!(told.contains("damaged at event 9"), "{told}");
    assert_eq!(lines(&script.stdout).len(), 9);
}

/// What stands besides games and acts is looked through too.
#[test]
fn verify_looks_at_what_a_store_keeps_besides() {
    for (change, told) in [
        (
            "UPDATE places SET next = next + 1",
            "board b01: how far its evidence was taken is not as it was written",
        ),
        (
            "INSERT INTO memories (board, text, sum) VALUES ('b01', 'x', x'00')",
            "board b01: what was learned of it is not as it was written",
        ),
        (
            "DELETE FROM log WHERE seq = (SELECT max(seq) FROM log WHERE kind = 2)",
            "1 of the events are not in the list of what was written",
        ),
        ("DELETE FROM log WHERE seq = 3", "has gaps"),
        ("UPDATE origin SET epoch = ''", "has lost its name"),
        ("DELETE FROM origin", "has lost its name"),
    ] {
        let dir = store();
        let path = dir.path().to_str().unwrap();
        let place =
            "INSERT INTO places (board, serial, boot, next, shift) VALUES ('b01', 'x', 1, 2, 3)";
        let db = Connection::open(dir.path().join(FILE)).unwrap();
        let rows = "SELECT count(*) FROM places";
        if db.query_row(rows, [], |r| r.get::<_, i64>(0)).unwrap() == 0 {
            db.execute(place, []).unwrap();
        }
        assert!(db.execute(change, []).unwrap() > 0, "{change}");
        drop(db);
        let found = output(&["verify", "--dir", path]);
        let text = String::from_utf8(found.stdout).unwrap();
        assert_eq!(found.status.code(), Some(1), "{change}: {text}");
        assert!(text.contains(told), "{change}: {text}");
    }
}

#[test]
fn what_is_no_store_is_said_so() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().to_str().unwrap();
    fails(&["verify", "--dir", path], 1, "there are no games in");
    fs::write(
        dir.path().join(FILE),
        "not a database at all, and long enough to be read",
    )
    .unwrap();
    fails(&["verify", "--dir", path], 1, "not a database");
    fails(
        &["repair", "--dir", path, "--into", "/proc/none"],
        1,
        "/proc/none",
    );
}
