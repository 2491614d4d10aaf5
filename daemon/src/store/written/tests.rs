//! What SQLite itself takes for never written is missed all the same.

use arbiter_core::{Event, Input, SensorClass, Setup, Time};

use super::*;
use crate::journal::{Act, Journal};
use crate::store::{FILE, Store, Tags, repair, verify};

const LOG: &str = "arbiter.sqlite-wal";
const KEPT: (&str, &str) = ("2026-11-21-b01-1", "b01");
const LOST: (&str, &str) = ("2026-11-21-b02-1", "b02");

fn begin((game, board): (&str, &str)) -> Vec<Act> {
    let setup = Setup {
        game: game.to_owned(),
        ..Setup::new(SensorClass::Piece)
    };
    vec![
        Act::Begin {
            game: game.into(),
            board: board.into(),
            tags: Tags::default(),
            started: "2026-11-21T09:00:00Z".to_owned(),
        },
        event(game, 0, Input::Setup(setup.into())),
    ]
}

fn event(game: &str, seq: u64, input: Input) -> Act {
    let at = Time(seq * 100);
    Act::Event {
        game: game.into(),
        seq,
        at: at.0,
        wall: 0,
        line: serde_json::to_string(&Event { at, input }).unwrap(),
    }
}

/// A store as a killed daemon leaves it: everything since the last time is in the log.
fn killed(then: impl FnOnce(&mut dyn FnMut(Vec<Act>))) -> tempfile::TempDir {
    let (live, dir) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let mut open = Journal::open(live.path()).unwrap();
    let write = |acts: Vec<Act>| runtime.block_on(open.0.write(acts.into())).unwrap();
    write(begin(KEPT));
    write(vec![event(KEPT.0, 1, Input::Tick)]);
    drop(open.0);
    open.1.join().unwrap();
    open = Journal::open(live.path()).unwrap();
    then(&mut |acts| runtime.block_on(open.0.write(acts.into())).unwrap());
    copy(live.path(), dir.path(), &[FILE, LOG, WRITTEN]);
    dir
}

fn copy(from: &Path, to: &Path, files: &[&str]) {
    for file in files {
        fs::copy(from.join(file), to.join(file)).unwrap();
    }
}

fn open(dir: &Path) {
    let (journal, thread) = Journal::open(dir).unwrap();
    drop(journal);
    thread.join().unwrap();
}

/// Games, how many events are sound of each, and where it is damaged.
fn found(dir: &Path) -> Vec<(String, usize, Option<u64>)> {
    let (games, wrong) = verify(dir).unwrap();
    assert_eq!(wrong, [""; 0]);
    let games = games.into_iter();
    let found = games.map(|game| {
        let at = game.damage.map(|damage| damage.event.unwrap());
        (game.game, game.events, at)
    });
    found.collect()
}

fn expected(kept: Option<u64>) -> [(String, usize, Option<u64>); 2] {
    [(KEPT.0.into(), 2, kept), (LOST.0.into(), 0, Some(0))]
}

#[test]
fn a_lost_log_in_which_a_game_was_begun_is_told() {
    let dir = killed(|write| {
        write(begin(LOST));
        write(vec![event(LOST.0, 1, Input::Tick)]);
        write(vec![event(KEPT.0, 2, Input::Tick)]);
    });
    let dir = dir.path();
    let whole = found(dir);
    assert!(
        whole.iter().all(|(.., damage)| damage.is_none()),
        "{whole:?}"
    );
    fs::remove_file(dir.join(LOG)).unwrap();

    assert_eq!(found(dir), expected(Some(2)));
    let mended = dir.join("mended");
    repair(dir, &mended).unwrap();
    open(&mended);
    assert_eq!(found(&mended), expected(Some(2)));

    // The daemon says the same, and once.
    open(dir);
    open(dir);
    assert_eq!(found(dir), expected(Some(2)));
    let store = Store::open(dir).unwrap();
    let of_board = store.latest(LOST.1, 1).unwrap();
    assert_eq!(of_board[0].row.id, LOST.0);
    let damage = of_board[0].row.damage.clone().unwrap();
    let what = "damaged at event 0: 2 events were written, and the log that had them is lost";
    assert_eq!(damage.to_string(), what);
    assert_eq!(
        store.unused_id("b02", "2026-11-21").unwrap(),
        "2026-11-21-b02-2"
    );
}

#[test]
fn a_last_commit_that_is_damaged_is_told() {
    let dir = killed(|write| write(vec![event(KEPT.0, 2, Input::Tick)]));
    let dir = dir.path();
    let mut log = fs::read(dir.join(LOG)).unwrap();
    *log.last_mut().unwrap() ^= 4;
    fs::write(dir.join(LOG), log).unwrap();
    let expected = [(KEPT.0.to_owned(), 2, Some(2))];
    assert_eq!(found(dir), expected);
    open(dir);
    assert_eq!(found(dir), expected);
}

#[test]
fn a_count_that_is_behind_or_of_another_store_or_none_accuses_nothing() {
    let dir = killed(|write| write(begin(LOST)));
    let other = tempfile::tempdir().unwrap();
    let all_is_well = |other: &Path| {
        let found = found(other);
        assert!(
            found.iter().all(|(.., damage)| damage.is_none()),
            "{found:?}"
        );
    };
    // Killed between the commit and the count.
    copy(dir.path(), other.path(), &[FILE, LOG, WRITTEN]);
    let records = fs::read(dir.path().join(WRITTEN)).unwrap();
    assert_eq!(records.len(), 2 * RECORD);
    fs::write(other.path().join(WRITTEN), &records[..RECORD + 9]).unwrap();
    all_is_well(other.path());
    open(other.path());
    all_is_well(other.path());
    assert_eq!(fs::read(other.path().join(WRITTEN)).unwrap(), records);
    // Damaged itself.
    for (bit, byte) in (0..).zip((0..records.len()).step_by(7)) {
        let mut damaged = records.clone();
        damaged[byte] ^= 1 << (bit % 8);
        fs::write(other.path().join(WRITTEN), damaged).unwrap();
        all_is_well(other.path());
    }
    // A store of before, and one whose file was put beside the counts of another.
    fs::remove_file(other.path().join(WRITTEN)).unwrap();
    all_is_well(other.path());
    let another = tempfile::tempdir().unwrap();
    let kept = killed(|_| {});
    copy(kept.path(), another.path(), &[FILE]);
    let mark = Mark {
        game: "2026-11-20-b09-1".to_owned(),
        count: 99,
    };
    let foreign: Vec<u8> = (1..4).flat_map(|key| mark.record(key).unwrap()).collect();
    fs::write(another.path().join(WRITTEN), foreign).unwrap();
    all_is_well(another.path());
    open(another.path());
    all_is_well(another.path());
    assert_eq!(
        fs::metadata(another.path().join(WRITTEN)).unwrap().len(),
        RECORD as u64
    );
}
