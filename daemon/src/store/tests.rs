//! Whatever bit of a store's file is wrong: a game is whole, or it is said that it is not.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arbiter_core::shakmaty::Square;
use arbiter_core::{SensorClass, Setup, Symbol, Time};

use super::*;
use crate::journal::{Act, Journal};

const GAMES: [(&str, &str, u64); 3] = [
    ("2026-11-21-b01-1", "b01", 30),
    ("2026-11-21-b02-1", "b02", 12),
    ("2026-11-21-b01-2", "b01", 19),
];

fn event(game: &str, seq: u64) -> Event {
    let square = Square::ALL[usize::try_from(seq).unwrap() % 64];
    let setup = Setup {
        game: game.to_owned(),
        ..Setup::new(SensorClass::Piece)
    };
    let input = match seq {
        0 => Input::Setup(setup.into()),
        n if n % 2 == 1 => Input::Lift { square },
        _ => Input::Place {
            square,
            seen: Symbol::from_char('P').unwrap(),
        },
    };
    let at = Time(seq * 137);
    Event { at, input }
}

/// What is written of a game.
fn acts(game: &'static str, board: &'static str, events: u64) -> Vec<Act> {
    let id: Arc<str> = game.into();
    let begin = Act::Begin {
        game: id.clone(),
        board: board.into(),
        tags: Tags {
            white: "Anna Berg".to_owned(),
            ..Tags::default()
        },
        started: "2026-11-21T09:00:00Z".to_owned(),
    };
    let outcome = Act::Outcome {
        game: id.clone(),
        ended: Some("2026-11-21T11:00:00Z".to_owned()),
        result: "1-0",
        plies: 7,
    };
    let place = Act::Taken {
        board: board.into(),
        place: Place {
            serial: "SIM-1".into(),
            boot: 3,
            next: 500,
            shift: -20,
        },
    };
    let memory = Act::Learned {
        board: board.into(),
        memory: "what was learned".to_owned(),
    };
    let entered = (0..events).map(|seq| Act::Event {
        game: id.clone(),
        seq,
        at: seq * 137,
        wall: 1_763_715_600_000,
        line: serde_json::to_string(&event(game, seq)).unwrap(),
    });
    let mut acts: Vec<Act> = [begin].into_iter().chain(entered).collect();
    acts.extend([outcome, place, memory]);
    acts
}

/// A store with some games, one of which is over.
fn write(dir: &Path) {
    let (journal, thread) = Journal::open(dir).unwrap();
    let ended = Act::Ended {
        game: GAMES[0].0.into(),
        ending: Box::new(Ending {
            version: "0.1.0".to_owned(),
            view: r#"{"game":"as it was told"}"#.to_owned(),
            pgn: "[Event \"?\"]\n\n1-0\n".to_owned(),
        }),
    };
    let mut all: Vec<Act> = GAMES
        .into_iter()
        .flat_map(|(game, board, events)| acts(game, board, events))
        .collect();
    all.push(ended);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    runtime.block_on(journal.write(all.into())).unwrap();
    drop(journal);
    thread.join().unwrap();
}

/// Opens the store as the daemon does, and closes it.
fn open(dir: &Path) -> Result<(), StoreError> {
    let (journal, thread) = Journal::open(dir)?;
    drop(journal);
    thread.join().unwrap();
    Ok(())
}

fn whole(dir: &Path) -> Vec<Game> {
    let store = Store::open(dir).unwrap();
    let game = |(id, _, _)| store.game(id).unwrap().unwrap();
    GAMES.map(game).into()
}

/// What is shown of the store other than it was written, without a word.
fn silently_wrong(dir: &Path, whole: &[Game]) -> Option<String> {
    let store = Store::open(dir).ok()?;
    let is_fine = |game: &Game| game.row.damage.is_some() || whole.contains(game);
    for expected in whole {
        if let Ok(Some(found)) = store.game(&expected.row.id)
            && !is_fine(&found)
        {
            return Some(format!("{found:?}"));
        }
    }
    for row in store.games().unwrap_or_default() {
        if row.damage.is_none() && !whole.iter().any(|game| game.row == row) {
            return Some(format!("{row:?}"));
        }
    }
    let known = [Some("what was learned".to_owned()), None];
    for board in ["b01", "b02"] {
        let memory = store.memory(board);
        if memory.as_ref().is_ok_and(|memory| !known.contains(memory)) {
            return Some(format!("{memory:?}"));
        }
        let place = store.place(board);
        let is_wrong =
            |place: &Place| (place.next, place.boot, place.serial.as_str()) != (500, 3, "SIM-1");
        if matches!(&place, Ok(Some(place)) if is_wrong(place)) {
            return Some(format!("{place:?}"));
        }
    }
    None
}

/// What a daemon has silently lost: a board's newest game is another one than it was.
fn silently_lost(dir: &Path, whole: &[Game]) -> Option<String> {
    let store = Store::open(dir).ok()?;
    for (board, newest) in [("b01", &whole[2]), ("b02", &whole[1])] {
        let latest = store.latest(board, 2).unwrap();
        let first = latest.first();
        if !first.is_some_and(|game| game.row.damage.is_some() || game == newest) {
            return Some(format!("{board}: {first:?}"));
        }
    }
    None
}

fn flipped(bytes: &[u8], place: usize, bit: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[place] ^= 1 << bit;
    bytes
}

/// A store in `dir` with one wrong bit.
fn with_flip(dir: &Path, bytes: &[u8], place: usize, bit: usize) {
    let _not_there = fs::remove_dir_all(dir);
    fs::create_dir(dir).unwrap();
    fs::write(dir.join(FILE), flipped(bytes, place, bit)).unwrap();
}

/// Every so many bytes one bit is wrong; any number that shares no factor with a page does.
const STRIDE: usize = 127;

#[test]
fn no_wrong_bit_is_shown_silently() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path());
    let whole = whole(dir.path());
    let bytes = fs::read(dir.path().join(FILE)).unwrap();
    // The first page is one in thirty; its header counts for more.
    let places = (0..100).chain((100..bytes.len()).step_by(STRIDE));
    let (mut said, mut refused) = (0, 0);
    let damaged = dir.path().join("damaged");
    for (n, place) in places.enumerate() {
        with_flip(&damaged, &bytes, place, n % 8);
        let about = |what| panic!("byte {place}, bit {}: {what}", n % 8);
        silently_wrong(&damaged, &whole).map(about);
        match open(&damaged) {
            Ok(()) => {
                silently_wrong(&damaged, &whole).map(about);
                silently_lost(&damaged, &whole).map(about);
                let games = Store::open(&damaged).unwrap().games().unwrap();
                said += usize::from(games.iter().any(|row| row.damage.is_some()));
            }
            Err(_) => refused += 1,
        }
    }
    assert!(said > 0);
    // What the tables are is described in one place only.
    assert!(refused < 30, "{refused} wrong bits stop every board");
}

/// The places of `needle` in the file.
fn places(bytes: &[u8], needle: &[u8]) -> Vec<usize> {
    let at = |(place, window): (usize, &[u8])| (window == needle).then_some(place);
    bytes
        .windows(needle.len())
        .enumerate()
        .filter_map(at)
        .collect()
}

#[test]
fn damage_is_of_one_game_and_names_its_event() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path());
    let whole = whole(dir.path());
    let bytes = fs::read(dir.path().join(FILE)).unwrap();
    let line = serde_json::to_string(&event(GAMES[0].0, 25)).unwrap();
    let damaged = dir.path().join("damaged");
    // A digit of its time: still an event. Pages hold copies that nobody uses any more.
    let digit = line.find(|c: char| c.is_ascii_digit()).unwrap();
    let mut wrong = bytes.clone();
    for place in places(&bytes, line.as_bytes()) {
        wrong[place + digit] ^= 1;
    }
    fs::create_dir(&damaged).unwrap();
    fs::write(damaged.join(FILE), wrong).unwrap();
    open(&damaged).unwrap();
    let store = Store::open(&damaged).unwrap();
    let game = store.game(GAMES[0].0).unwrap().unwrap();
    let damage = game.row.damage.clone().unwrap();
    assert_eq!((damage.event, game.events.len()), (Some(25), 25));
    assert_eq!(game.ending, whole[0].ending, "what was said of it is whole");
    for other in &whole[1..] {
        assert_eq!(store.game(&other.row.id).unwrap().as_ref(), Some(other));
    }

    let (verdicts, wrong) = verify(&damaged).unwrap();
    let found: Vec<_> = verdicts
        .iter()
        .map(|v| (&*v.game, v.damage.as_ref().map(|d| d.event)))
        .collect();
    let expected = [
        (GAMES[0].0, Some(Some(25))),
        (GAMES[1].0, None),
        (GAMES[2].0, None),
    ];
    assert_eq!(found, expected);
    assert!(wrong.is_empty(), "{wrong:?}");

    let mended = dir.path().join("mended");
    assert_eq!(repair(&damaged, &mended).unwrap(), verdicts);
    let refused = repair(&damaged, &mended).unwrap_err().to_string();
    assert!(refused.starts_with("there is something at"), "{refused}");
    // It stays said.
    assert_eq!(verify(&mended).unwrap(), (verdicts, wrong));
    open(&mended).unwrap();
    let store = Store::open(&mended).unwrap();
    assert_eq!(store.game(GAMES[0].0).unwrap().unwrap(), game);
    assert_eq!(store.game(GAMES[2].0).unwrap().as_ref(), Some(&whole[2]));
    assert_eq!(store.memory("b01").unwrap().unwrap(), "what was learned");
}

/// The last events are gone, and nothing else is wrong.
#[test]
fn a_record_that_is_cut_short_is_damaged() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path());
    let db = Connection::open(dir.path().join(FILE)).unwrap();
    db.execute("DELETE FROM events WHERE game = 1 AND seq > 11", [])
        .unwrap();
    drop(db);
    let game = Store::open(dir.path()).unwrap().game(GAMES[0].0).unwrap();
    let damage = game.unwrap().row.damage.unwrap();
    assert_eq!(
        damage.to_string(),
        "damaged at event 12: 30 events were written"
    );
}

/// The first page of the table of events leads nowhere any more: every board goes on, and the
/// damaged file is kept.
#[test]
fn games_that_are_not_over_are_those_that_boards_have_at_hand() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path());
    let store = Store::open(dir.path()).unwrap();
    let at_hand = |among: Option<&[String]>| {
        let games = store.at_hand(among).unwrap();
        games
            .into_iter()
            .map(|game| game.row.id)
            .collect::<Vec<_>>()
    };
    assert_eq!(at_hand(None), [GAMES[1].0, GAMES[2].0]);
    assert_eq!(
        at_hand(Some(&[GAMES[0].0.to_owned(), GAMES[2].0.to_owned()])),
        [GAMES[2].0]
    );
}

#[test]
fn damaged_pages_are_set_aside() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path());
    let whole = whole(dir.path());
    let mut bytes = fs::read(dir.path().join(FILE)).unwrap();
    let db = Connection::open(dir.path().join(FILE)).unwrap();
    let root = "SELECT rootpage FROM sqlite_schema WHERE name = 'events'";
    let root: u32 = db.query_row(root, [], |r| r.get(0)).unwrap();
    drop(db);
    bytes[(root as usize - 1) * 4096] ^= 0xff;
    fs::write(dir.path().join(FILE), &bytes).unwrap();
    assert!(!verify(dir.path()).unwrap().1.is_empty());
    open(dir.path()).unwrap();
    let kept = PathBuf::from(format!("{FILE}.damaged-1"));
    assert_eq!(fs::read(dir.path().join(kept)).unwrap(), bytes);
    assert_eq!(silently_lost(dir.path(), &whole), None);
    let latest = Store::open(dir.path()).unwrap().latest("b01", 1).unwrap();
    assert!(latest[0].row.damage.is_some());
    // It is written on.
    let (journal, thread) = Journal::open(dir.path()).unwrap();
    let next = acts("2026-11-21-b01-3", "b01", 5);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    runtime.block_on(journal.write(next.into())).unwrap();
    drop(journal);
    thread.join().unwrap();
    let latest = Store::open(dir.path()).unwrap().latest("b01", 1).unwrap();
    assert_eq!((latest[0].events.len(), &latest[0].row.damage), (5, &None));
}

/// A file as a power cut leaves it, with a log, in which a bit is wrong.
#[test]
fn a_damaged_log_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let (journal, _thread) = Journal::open(dir.path()).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    for (game, board, events) in GAMES {
        let acts = acts(game, board, events);
        runtime.block_on(journal.write(acts.into())).unwrap();
    }
    let cut = dir.path().join("cut");
    fs::create_dir(&cut).unwrap();
    for name in [FILE.to_owned(), format!("{FILE}-wal")] {
        fs::copy(dir.path().join(&name), cut.join(&name)).unwrap();
    }
    assert_eq!(verify(&cut).unwrap().1, [""; 0]);
    let log = cut.join(format!("{FILE}-wal"));
    let bytes = fs::read(&log).unwrap();
    fs::write(&log, flipped(&bytes, bytes.len() / 2, 3)).unwrap();
    let wrong = verify(&cut).unwrap().1;
    assert!(
        wrong.iter().any(|w| w.contains("its log is damaged")),
        "{wrong:?}"
    );
    open(&cut).unwrap();
    // Nobody knows what was lost: the newest game of every board may go on elsewhere.
    let store = Store::open(&cut).unwrap();
    for board in ["b01", "b02"] {
        let latest = store.latest(board, 1).unwrap();
        let is_said = |game: &Game| game.row.damage.as_ref().is_some_and(|d| d.what == wrong[0]);
        assert!(latest.iter().all(is_said), "{latest:?}");
    }
    assert!(
        store
            .games()
            .unwrap()
            .iter()
            .any(|row| row.damage.is_some())
    );
    assert_eq!(
        fs::read(cut.join(format!("{FILE}.damaged-1-wal")))
            .unwrap()
            .len(),
        bytes.len()
    );
    open(&cut).unwrap();
}

/// Two programs were killed while they committed, and a third one writes over what they left in the
/// log: nothing of it was ever told to anybody.
#[test]
fn what_was_left_in_the_log_by_the_killed_is_no_damage() {
    let dir = tempfile::tempdir().unwrap();
    let stage = |name: &str| {
        let stage = dir.path().join(name);
        fs::create_dir(&stage).unwrap();
        stage
    };
    // Without the index beside it, it is what stands in the log that counts.
    let copied = |from: &Path, name: &str| {
        let to = stage(name);
        for name in [FILE.to_owned(), format!("{FILE}-wal")] {
            fs::copy(from.join(&name), to.join(&name)).unwrap();
        }
        to
    };
    let committed = |dir: &Path, pages: usize| {
        let db = Connection::open(dir.join(FILE)).unwrap();
        db.pragma_update(None, "wal_autocheckpoint", 0).unwrap();
        db.execute_batch("CREATE TABLE IF NOT EXISTS filler (bytes BLOB)")
            .unwrap();
        let bytes = vec![0_u8; pages * 4096];
        db.execute("INSERT INTO filler VALUES (?1)", [&bytes])
            .unwrap();
        let log = fs::read(dir.join(format!("{FILE}-wal"))).unwrap();
        // Closed, the log would be taken over.
        std::mem::forget(db);
        log
    };
    let first = stage("first");
    {
        let (journal, thread) = Journal::open(&first).unwrap();
        drop(journal);
        thread.join().unwrap();
    }
    committed(&first, 1);
    let killed = copied(&first, "killed");
    let second = copied(&first, "second");
    let oldest = committed(&killed, 40);
    committed(&second, 1);
    let third = copied(&second, "third");
    let older = committed(&second, 20);
    let newest = committed(&third, 2);
    assert!(newest.len() < older.len() && older.len() < oldest.len());
    let mut log = newest.clone();
    log.extend(&older[newest.len()..]);
    log.extend(&oldest[older.len()..]);
    let left = copied(&third, "left");
    fs::write(left.join(format!("{FILE}-wal")), log).unwrap();
    let wrong = verify(&left).unwrap().1;
    assert!(!wrong.iter().any(|w| w.contains("log")), "{wrong:?}");
}

#[test]
fn what_is_read_while_it_is_written_is_whole() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path());
    let (game, board, written) = GAMES[2];
    let (enough, told) = std::sync::mpsc::channel::<()>();
    let path = dir.path().to_owned();
    let writer = std::thread::spawn(move || {
        let (journal, thread) = Journal::open(&path).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        let further = acts(game, board, 100_000).into_iter();
        let is_event = |act: &Act| matches!(act, Act::Event { seq, .. } if *seq >= written);
        for act in further.filter(is_event) {
            runtime.block_on(journal.write([act].into())).unwrap();
            if told.try_recv() == Err(std::sync::mpsc::TryRecvError::Disconnected) {
                break;
            }
        }
        drop(journal);
        thread.join().unwrap();
    });
    let store = Store::open(dir.path()).unwrap();
    let mut most = 0;
    while most < 500 {
        let read = store.game(game).unwrap().unwrap();
        assert_eq!(read.row.damage, None, "{} events", read.events.len());
        most = read.events.len();
    }
    drop(enough);
    writer.join().unwrap();
}

/// What is in the log was taken over into the file already, and then a bit of the log turns over:
/// SQLite takes pages of before from it, and none of after. They do not fit the file's.
#[test]
fn a_log_that_is_damaged_over_a_newer_file_is_told_and_stops_nobody() {
    let dir = tempfile::tempdir().unwrap();
    let (journal, _thread) = Journal::open(dir.path()).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let [(game, board, events), in_play @ ..] = GAMES;
    runtime
        .block_on(journal.write(acts(game, board, events).into()))
        .unwrap();
    let db = Connection::open(dir.path().join(FILE)).unwrap();
    let take_over = |how: &str| {
        let take_over = format!("PRAGMA wal_checkpoint({how})");
        db.query_row(&take_over, [], |_| Ok(())).unwrap();
    };
    // Turn by turn, so that pages are of several games.
    let mut games = in_play.map(|(game, board, events)| {
        let acts = acts(game, board, events * 20);
        acts.into_iter()
    });
    let mut turn = || -> Vec<Act> {
        let turn = games.iter_mut().flat_map(|acts| acts.by_ref().take(7));
        turn.collect()
    };
    runtime.block_on(journal.write(turn().into())).unwrap();
    // That the games were begun is in the file alone.
    take_over("TRUNCATE");
    while let Some(acts) = Some(turn()).filter(|acts| !acts.is_empty()) {
        runtime.block_on(journal.write(acts.into())).unwrap();
    }
    take_over("PASSIVE");
    let whole = whole(dir.path());
    let log = fs::read(dir.path().join(format!("{FILE}-wal"))).unwrap();
    let damaged = dir.path().join("damaged");
    for place in (40..log.len()).step_by(log.len() / 24) {
        let _not_there = fs::remove_dir_all(&damaged);
        fs::create_dir(&damaged).unwrap();
        fs::copy(dir.path().join(FILE), damaged.join(FILE)).unwrap();
        let log = flipped(&log, place, place % 8);
        fs::write(damaged.join(format!("{FILE}-wal")), log).unwrap();
        open(&damaged).unwrap_or_else(|error| panic!("byte {place}: {error}"));
        let silent = silently_wrong(&damaged, &whole).or(silently_lost(&damaged, &whole));
        assert_eq!(silent, None, "byte {place}");
    }
}

/// Pages at the end of the file are not there: the log that had them was lost as a whole.
#[test]
fn a_file_without_its_last_pages_is_repaired() {
    let dir = tempfile::tempdir().unwrap();
    let (journal, thread) = Journal::open(dir.path()).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    // So many that the last page of every table is near the end.
    for n in 0..120 {
        let name: &'static str = format!("2026-11-22-b03-{}", n + 1).leak();
        let acts = acts(name, "b03", 40);
        runtime.block_on(journal.write(acts.into())).unwrap();
    }
    drop(journal);
    thread.join().unwrap();
    let bytes = fs::read(dir.path().join(FILE)).unwrap();
    let damaged = dir.path().join("damaged");
    for pages in [1, 2, 4, 8, 16, 40] {
        let _not_there = fs::remove_dir_all(&damaged);
        fs::create_dir(&damaged).unwrap();
        fs::write(damaged.join(FILE), &bytes[..bytes.len() - pages * 4096]).unwrap();
        open(&damaged).unwrap_or_else(|error| panic!("{pages} pages: {error}"));
        let store = Store::open(&damaged).unwrap();
        let games = store.games().unwrap();
        assert!(games.len() > 60, "{pages} pages: {} games", games.len());
        for row in games {
            let game = store.game(&row.id).unwrap().unwrap();
            assert!(game.row.damage.is_some() || game.events.len() == 40);
        }
    }
}

/// A kill leaves deleted bytes in the file, and what deleted them in the log: whoever opens it next
/// brings the two together.
#[test]
fn what_a_kill_left_in_the_log_is_in_the_file_once_it_is_opened() {
    let dir = tempfile::tempdir().unwrap();
    let (file, killed) = (dir.path().join("whole"), dir.path().join("killed"));
    let db = mend::open_private(&file).unwrap();
    db.execute_batch("CREATE TABLE names (name TEXT); INSERT INTO names VALUES ('Zwergenkind');")
        .unwrap();
    db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
        .unwrap();
    db.execute_batch("DELETE FROM names").unwrap();
    for end in ["", "-wal"] {
        let of = |file: &Path| format!("{}{end}", file.display());
        fs::copy(of(&file), of(&killed)).unwrap();
    }
    let is_left = |file: &Path| {
        let bytes = fs::read(file).unwrap();
        bytes.windows(11).any(|some| some == b"Zwergenkind")
    };
    assert!(is_left(&killed));
    let _opened = mend::open_private(&killed).unwrap();
    assert!(!is_left(&killed));
}
