//! Copies of a store: beside somebody who writes it, put back, damaged, and before an upgrade.

use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, SystemTime};

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
            "the game store arbiter.sqlite was written by a newer arbiterd, or its first page is \
             damaged: use that version, a backup, or another directory"
        )
    );
}

#[test]
fn a_directory_gathers_copies_of_what_is_new() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let (store, stick) = (at("store"), at("stick"));
    fs::create_dir(&store).unwrap();
    fs::create_dir(&stick).unwrap();
    fs::copy(KEPT, Path::new(&store).join(FILE)).unwrap();
    let (journal, thread) = Journal::open(Path::new(&store)).unwrap();
    drop(journal);
    thread.join().unwrap();
    let holiday = Path::new(&stick).join("holiday.jpg");
    fs::write(&holiday, "a picture").unwrap();
    let copied = || {
        let said = output(&["backup", &stick, "--keep", "2", "--dir", &store]);
        assert!(said.status.success(), "{said:?}");
        String::from_utf8(said.stdout).unwrap()
    };
    let copies = || {
        let found = fs::read_dir(&stick).unwrap().map(|one| one.unwrap().path());
        let mut found: Vec<_> = found.filter(|path| *path != holiday).collect();
        found.sort();
        found
    };
    let does = |words: &[&str]| {
        let said = output(&[&["event"], words, &["--dir", &store]].concat());
        assert!(said.status.success(), "{said:?}");
    };
    assert!(copied().contains("copied to"));
    let first = copies();
    assert!(copied().contains("nothing is new since"));
    assert_eq!(copies(), first, "the one before is as good");
    does(&["new", "--name", "Open"]);
    copied();
    does(&["close"]);
    copied();
    let last = copies();
    assert_eq!(last.len(), 2);
    assert!(!last.contains(&first[0]), "the oldest went");
    assert!(holiday.exists(), "what is somebody else's stays");
    let again = at("again");
    let newest = last[1].to_str().unwrap();
    let back = output(&["restore", newest, "--dir", &again]);
    assert!(back.status.success(), "{back:?}");

    // What is damaged takes the place of nothing.
    let db = Connection::open(Path::new(&store).join(FILE)).unwrap();
    db.execute("UPDATE events SET wall = 5 WHERE game = 2 AND seq = 9", [])
        .unwrap();
    drop(db);
    fails(
        &["backup", &stick, "--keep", "1", "--dir", &store],
        1,
        "something in the store is damaged",
    );
    assert_eq!(copies().len(), 3);
    fails(
        &["backup", &at("file"), "--keep", "1", "--dir", &store],
        1,
        "is no directory",
    );
}

#[test]
fn what_is_left_of_a_copy_that_was_cut_off_goes() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let (store, stick) = (at("store"), at("stick"));
    fs::create_dir(&store).unwrap();
    fs::create_dir(&stick).unwrap();
    fs::copy(KEPT, Path::new(&store).join(FILE)).unwrap();
    // A stick was pulled out, and somebody else writes one just now.
    let cut_off = "arbiter-20260101-100000-000.sqlite.part";
    let of_others = [
        "arbiter-notes.sqlite.part",
        "arbiter-20260101.sqlite.partition",
    ];
    let at_it = "arbiter-20260101-120000-000.sqlite.part";
    let journal = format!("{cut_off}-journal");
    for name in [cut_off, &journal, at_it, of_others[0], of_others[1]] {
        let file = fs::File::create(Path::new(&stick).join(name)).unwrap();
        if name != at_it {
            let before = SystemTime::now() - Duration::from_secs(7200);
            file.set_modified(before).unwrap();
        }
    }
    let said = output(&["backup", &stick, "--dir", &store]);
    assert!(said.status.success(), "{said:?}");
    let there = |name: &str| Path::new(&stick).join(name).exists();
    assert!(!there(cut_off) && !there(&journal));
    assert!(there(at_it) && of_others.iter().all(|name| there(name)));
}

/// On a disk of its own, of memory: copies are made until it is full and on, then of a store that
/// has no room at all.
#[test]
fn on_a_full_stick_the_oldest_copies_make_room() {
    let dir = tempfile::tempdir().unwrap();
    let store = dir.path().join("store");
    fs::create_dir(&store).unwrap();
    fs::create_dir(dir.path().join("stick")).unwrap();
    fs::copy(KEPT, store.join(FILE)).unwrap();
    let script = r#"
        set -e
        arbiterd=$1 && cd "$2"
        "$arbiterd" event new --name 0 --dir store
        size=$(($(stat -c %s store/arbiter.sqlite) / 1024))
        room=size=$((size * 7 / 2 + 400))k
        mount -t tmpfs -o $room tmpfs stick 2>/dev/null || { echo CANNOT; exit 0; }
        for n in 1 2 3 4 5 6; do
            "$arbiterd" event describe --name $n --dir store
            "$arbiterd" backup stick --keep 100 --dir store
        done
        ls stick/*.sqlite | sed 's/^/COPY /'
        last=$(ls stick/*.sqlite | tail -n 1)
        # As much room as one copy leaves is not enough for the next.
        ls stick/*.sqlite | head -n -1 | xargs -r rm
        head -c 1G /dev/zero >stick/film 2>/dev/null || true
        truncate -s -100K stick/film
        "$arbiterd" event describe --name 7 --dir store
        "$arbiterd" backup stick --keep 100 --dir store 2>&1 && exit 9
        [ "$(ls stick)" = "$(basename "$last")
film" ] || { ls -l stick; exit 8; }
    "#;
    let run = |flags| {
        let mut unshare = std::process::Command::new("unshare");
        unshare.args([
            flags,
            "sh",
            "-c",
            script,
            "sh",
            env!("CARGO_BIN_EXE_arbiterd"),
        ]);
        unshare.arg(dir.path()).output()
    };
    let flags = if nix::unistd::Uid::effective().is_root() {
        "-m"
    } else {
        "-Urm"
    };
    let done = run(flags).unwrap();
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    if said.contains("CANNOT") || (said.is_empty() && !done.status.success()) {
        println!("NO DISK OF ITS OWN can be mounted here: no stick was filled");
        return;
    }
    assert!(done.status.success(), "{done:?}");
    let copies = said.lines().filter(|line| line.starts_with("COPY")).count();
    assert!((2..6).contains(&copies), "{said}");
    assert!(said.contains("there is no room on its disk"), "{said}");
}
