//! Acts are there as they were written, in their order, and it is seen if they are not.

use std::path::Path;

use serde_json::json;

use super::*;
use crate::journal::{Act, Journal};
use crate::store::{FILE, repair, verify};

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
