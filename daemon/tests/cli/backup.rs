//! Copies of a store: beside somebody who writes it, put back, damaged, and before an upgrade.

use std::os::unix::fs::PermissionsExt;

use super::*;

use daemon::journal::Journal;
use daemon::store::FILE;
use rusqlite::Connection;

const KEPT: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/journals/0.1.0-next-game/arbiter.sqlite"
);

/// What the lines of `verify` say of a store.
fn verified(dir: &str) -> String {
    String::from_utf8(output(&["verify", "--json", "--dir", dir]).stdout).unwrap()
}

#[test]
fn a_store_in_use_is_copied_and_put_back() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let (store, copy, again) = (at("store"), at("copy.sqlite"), at("again"));
    fs::create_dir(&store).unwrap();
    fs::copy(KEPT, Path::new(&store).join(FILE)).unwrap();
    // Whoever holds the store holds its lock and may be in the middle of something.
    let (journal, thread) = Journal::open(Path::new(&store)).unwrap();
    let said = output(&["backup", &copy, "--dir", &store, "--json"]);
    assert!(said.status.success(), "{said:?}");
    let said = &lines(&said.stdout)[0];
    assert!(
        said["games"].as_u64() > Some(1) && said["events"].as_u64() > Some(10),
        "{said}"
    );
    drop(journal);
    thread.join().unwrap();

    fails(
        &["backup", &copy, "--dir", &store],
        1,
        "there is something at",
    );
    fails(
        &["restore", &copy, "--dir", &store],
        1,
        "there is something at",
    );
    assert!(
        output(&["restore", &copy, "--dir", &again])
            .status
            .success()
    );
    assert_eq!(verified(&again), verified(&store));
    let mode = |path: &str| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&again), 0o700);
    assert_eq!(mode(&format!("{again}/{FILE}")), 0o600);
    assert_eq!(mode(&copy), 0o600);
    let (journal, thread) = Journal::open(Path::new(&again)).unwrap();
    drop(journal);
    thread.join().unwrap();
    assert_eq!(verified(&again), verified(&store));

    // An older copy is put back where the counts of a newer store still lie: it lacks nothing.
    let db = Connection::open(&copy).unwrap();
    let last = "(SELECT max(key) FROM games)";
    let without_last = format!(
        "DELETE FROM endings WHERE game = {last}; DELETE FROM events WHERE game = {last};
         DELETE FROM games WHERE key = {last};"
    );
    db.execute_batch(&without_last).unwrap();
    drop(db);
    fs::remove_file(Path::new(&again).join(FILE)).unwrap();
    let said = output(&["restore", &copy, "--dir", &again]);
    assert!(said.status.success(), "{said:?}");
    let older = verified(&again);
    let is_whole = |line: &str| line.contains("\"damage\":null");
    assert!(
        older.lines().count() > 1 && older.lines().all(is_whole),
        "{older}"
    );
}

#[test]
fn a_damaged_copy_is_put_back_only_when_that_is_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let (store, copy, again) = (at("store"), at("copy.sqlite"), at("again"));
    fs::create_dir(&store).unwrap();
    fs::copy(KEPT, Path::new(&store).join(FILE)).unwrap();
    let (journal, thread) = Journal::open(Path::new(&store)).unwrap();
    drop(journal);
    thread.join().unwrap();
    assert!(output(&["backup", &copy, "--dir", &store]).status.success());
    let db = Connection::open(&copy).unwrap();
    db.execute("UPDATE events SET wall = 5 WHERE game = 2 AND seq = 9", [])
        .unwrap();
    drop(db);
    fails(&["restore", &copy, "--dir", &again], 1, "`--damaged`");
    assert!(!Path::new(&again).exists());
    assert!(
        output(&["restore", &copy, "--dir", &again, "--damaged"])
            .status
            .success()
    );
    assert!(verified(&again).contains("\"event\":9"));

    fs::write(at("text"), "no copy").unwrap();
    fails(
        &["restore", &at("text"), "--dir", &at("new")],
        1,
        "is no copy of a game store",
    );
    fails(
        &["restore", &at("nothing"), "--dir", &at("new")],
        1,
        "is no copy of a game store",
    );
    fails(
        &["backup", &at("new"), "--dir", &at("nowhere")],
        1,
        "there are no games in",
    );
}

#[test]
fn a_store_is_kept_as_it_was_before_an_upgrade_and_a_newer_one_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join(FILE);
    fs::copy(KEPT, &file).unwrap();
    let version = |file: &Path| -> i64 {
        let db = Connection::open(file).unwrap();
        db.pragma_query_value(None, "user_version", |r| r.get(0))
            .unwrap()
    };
    let before = version(&file);
    for _ in 0..2 {
        let (journal, thread) = Journal::open(dir.path()).unwrap();
        drop(journal);
        thread.join().unwrap();
    }
    assert!(version(&file) > before);
    let kept = dir.path().join(format!("{FILE}.version-{before}"));
    assert_eq!(version(&kept), before);

    let db = Connection::open(&file).unwrap();
    db.pragma_update(None, "user_version", 99).unwrap();
    drop(db);
    let refused = Journal::open(dir.path())
        .err()
        .map(|error| error.to_string());
    assert_eq!(
        refused.as_deref(),
        Some(
            "the game store was written by a newer arbiterd: use that version, or another directory"
        )
    );
}
