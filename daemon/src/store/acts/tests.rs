//! Acts are there as they were written, in their order, and it is seen if they are not.

use std::path::Path;

use serde_json::json;

use super::*;
use crate::journal::{Act, Journal};
use crate::store::{FILE, checksums, repair, verify};

fn author(who: &str) -> Author {
    Author {
        who: who.to_owned(),
        role: "chief".to_owned(),
        device: "desk".to_owned(),
        address: "127.0.0.1".to_owned(),
    }
}

fn deed(n: u64) -> Deed {
    let area = if n == 3 { Area::People } else { Area::Event };
    let what = json!({ "act": "describe", "details": { "name": format!("Open {n}") } });
    Deed::now(author("Ada"), area, &what).unwrap()
}

/// A store in `dir` with these acts, a transaction each.
fn write(dir: &Path, deeds: &[Deed]) {
    let (journal, thread) = Journal::open(dir).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    for deed in deeds {
        let act = Act::Deed(Box::new(deed.clone()));
        runtime.block_on(journal.write([act].into())).unwrap();
    }
    drop(journal);
    thread.join().unwrap();
}

fn read(dir: &Path) -> Deeds {
    Store::open(dir).unwrap().deeds().unwrap()
}

#[test]
fn acts_are_read_as_they_were_written() {
    let dir = tempfile::tempdir().unwrap();
    let deeds: Vec<Deed> = (1..=5).map(deed).collect();
    write(dir.path(), &deeds[..2]);
    write(dir.path(), &deeds[2..]);
    let kept = read(dir.path());
    assert_eq!((&kept.sound, &kept.damage), (&deeds, &None));
    let of_people: Vec<u64> = kept.of(Area::People).map(|(number, _)| number).collect();
    assert_eq!(of_people, [3]);
    assert_eq!(verify(dir.path()).unwrap().1, [""; 0]);
}

#[test]
fn whatever_of_them_is_changed_is_seen_and_the_sound_beginning_is_kept() {
    for (change, sound) in [
        ("UPDATE acts SET what = '{}' WHERE number = 4", 3),
        ("UPDATE acts SET who = 'Eve' WHERE number = 1", 0),
        (
            "UPDATE acts SET utc = '2020-01-01T00:00:00Z' WHERE number = 2",
            1,
        ),
        ("UPDATE acts SET area = 'event' WHERE number = 3", 2),
        ("DELETE FROM acts WHERE number = 2", 1),
        ("DELETE FROM acts WHERE number = 5", 4),
        (
            "DELETE FROM acts WHERE number = 5; UPDATE acts_end SET count = 4",
            4,
        ),
        ("DELETE FROM acts", 0),
        ("DELETE FROM acts_end", 5),
        (
            "INSERT INTO acts SELECT 6, utc, who, role, device, address, area, what, sum
             FROM acts WHERE number = 5",
            5,
        ),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let deeds: Vec<Deed> = (1..=5).map(deed).collect();
        write(dir.path(), &deeds);
        let db = Connection::open(dir.path().join(FILE)).unwrap();
        db.execute_batch(change).unwrap();
        drop(db);
        let found = read(dir.path());
        assert_eq!(found.sound, deeds[..sound], "{change}");
        assert!(found.is_broken, "{change}");
        let wrong = verify(dir.path()).unwrap().1;
        assert!(
            wrong[0].starts_with("the acts of people are damaged"),
            "{wrong:?}"
        );
        let mended = dir.path().join("mended");
        repair(dir.path(), &mended).unwrap();
        // What was lost stays said, and acts can be added again.
        write(&mended, &[deed(6)]);
        let kept = read(&mended);
        assert_eq!(kept.sound[..sound], deeds[..sound], "{change}");
        assert_eq!(kept.sound.len(), sound + 1, "{change}");
        assert_eq!(
            (kept.damage, kept.is_broken),
            (found.damage, false),
            "{change}"
        );
    }
}

/// Writes an act as versions did that had no table beside the chain.
fn enter_whole(db: &Connection, deed: &Deed) {
    let by = &deed.author;
    let insert = format!(
        "INSERT INTO acts SELECT number, utc, who, role, device, address, area, what, {}
         FROM (SELECT count + 1 AS number, ?1 AS utc, ?2 AS who, ?3 AS role, ?4 AS device,
                      ?5 AS address, ?6 AS area, ?7 AS what, head FROM acts_end)",
        seal::DEED
    );
    let (area, address) = (deed.area.name(), &by.address);
    let values = params![
        deed.utc, by.who, by.role, by.device, address, area, deed.what
    ];
    assert_eq!(db.execute(&insert, values).unwrap(), 1);
    db.execute_batch(
        "UPDATE acts_end
         SET count = count + 1, head = (SELECT sum FROM acts WHERE number = count + 1)",
    )
    .unwrap();
    reseal(db).unwrap();
}

/// A drawn round as the event writes it.
fn drawn() -> Deed {
    let player = json!({ "number": 1, "name": "Berg, Anna", "birth": "2015/05/17" });
    let what = json!({
        "act": "draw", "round": 1, "players": [player], "file": "00ff", "pairings": [],
    });
    Deed::now(author("Ada"), Area::Event, &what).unwrap()
}

#[test]
fn what_acts_say_of_people_is_beside_their_chain() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &[deed(1), drawn()]);
    let kept = read(dir.path());
    assert_eq!(kept.sound, [deed_again(&kept, 0), drawn_again(&kept)]);
    for text in ["Anna", "2015", "00ff"] {
        assert!(!kept.raw[1].contains(text), "{}", kept.raw[1]);
    }
    let sums = checksums(&kept.raw[1], &kept.sound[1].what);
    let of: Vec<&str> = sums
        .iter()
        .filter_map(|(_, value)| value.as_str())
        .collect();
    assert_eq!((sums.len(), of), (2, vec!["00ff"]));
    // The same once more has other checksums: nobody finds out what it was by trying.
    write(dir.path(), &[drawn()]);
    let kept = read(dir.path());
    assert_eq!(kept.sound[1].what, kept.sound[2].what);
    assert_ne!(kept.raw[1], kept.raw[2]);
}

/// With the moment at which it was written.
fn deed_again(kept: &Deeds, n: usize) -> Deed {
    Deed {
        utc: kept.sound[n].utc.clone(),
        ..deed(1)
    }
}

fn drawn_again(kept: &Deeds) -> Deed {
    Deed {
        utc: kept.sound[1].utc.clone(),
        ..drawn()
    }
}

#[test]
fn the_acts_of_an_older_store_are_put_aside_when_it_is_opened() {
    for is_damaged in [false, true] {
        let dir = tempfile::tempdir().unwrap();
        write(dir.path(), &[]);
        let db = Connection::open(dir.path().join(FILE)).unwrap();
        seal::register(&db).unwrap();
        let deeds = [deed(1), drawn(), deed(3)];
        deeds.iter().for_each(|deed| enter_whole(&db, deed));
        if is_damaged {
            let worse = "UPDATE acts SET who = 'Eve' WHERE number = 2";
            db.execute(worse, []).unwrap();
        }
        db.execute_batch(
            "DROP TABLE aside; DROP TABLE log; DROP TABLE origin; PRAGMA user_version = 7",
        )
        .unwrap();
        drop(db);
        let before = read(dir.path());
        write(dir.path(), &[]);
        let after = read(dir.path());
        assert_eq!(
            (&before.sound, &before.damage),
            (&after.sound, &after.damage)
        );
        assert_eq!(after.is_broken, is_damaged);
        assert_eq!(after.sound.len(), if is_damaged { 1 } else { 3 });
        assert!(dir.path().join("arbiter.sqlite.version-7").exists());
        if !is_damaged {
            assert_eq!(after.sound, deeds);
            assert!(!after.raw[1].contains("Anna"), "{}", after.raw[1]);
            // The file of the round was never there.
            let missing = "the file 00ff, from which round 1 was drawn, is missing";
            assert_eq!(verify(dir.path()).unwrap().1, [missing]);
        }
    }
}

#[test]
fn a_file_that_has_lost_its_name_hides_no_other() {
    let db = Connection::open_in_memory().unwrap();
    db.execute_batch("CREATE TABLE files (name TEXT, bytes BLOB)")
        .unwrap();
    let sound = b"pairings".to_vec();
    for name in [None, Some(file_name(&sound))] {
        let row = rusqlite::params![name, sound];
        db.execute("INSERT INTO files VALUES (?1, ?2)", row)
            .unwrap();
    }
    let (kept, wrong) = files(&db).unwrap();
    assert_eq!(kept, [(file_name(&sound), sound)]);
    assert_eq!(wrong.len(), 1);
}
