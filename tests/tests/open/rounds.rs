//! A round, as the people of the hall go through it. The daemon is killed in every phase.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};
use tests::rig::{Workshop, until};

use super::boards::{Device, HALF, LENGTH, PLIES, Play, switch_on};
use super::hall::{Hall, PATIENCE, board};
use super::ledger::Ledger;
use super::outside::exchange;
use super::{BOARDS, ROUNDS, TABLES};

/// At this table of the first round White does not come.
const ABSENT: (u16, u16) = (1, 3);
/// Two tables of the second round whose pairings are changed after it was started.
const LATE: (u16, [u16; 2]) = (2, [29, 30]);
/// The board of this table fails in mid-game, and a spare one takes its place.
const FAILS: (u16, u16) = (2, 5);
/// The board of this table is plugged in elsewhere in mid-game.
const ELSEWHERE: (u16, u16) = (3, 10);
/// The moves of this table are typed from the scoresheet, with the result behind them.
const SHEET: (u16, u16) = (1, 31);
/// Results that are typed where no board stands; the last four are such as no pairing program must
/// go on with.
const TYPED: [(&str, [char; 2]); 7] = [
    ("1-0", ['1', '0']),
    ("1/2-1/2", ['=', '=']),
    ("0-1", ['0', '1']),
    ("0-0", ['0', '0']),
    ("1/2-0", ['=', '0']),
    ("-/-", ['-', '-']),
    ("+/-", ['+', '-']),
];

type Results = BTreeMap<u16, [char; 2]>;

/// Plays a round of a report file; the file with its results.
pub(crate) fn play(hall: &mut Hall, ledger: &mut Ledger, round: u16, file: &[u8]) -> Vec<u8> {
    let mut pairings = drawn(hall, round, file);
    if round == 1 {
        hall.does(&["board", "show"]);
    }
    hall.kill_at_rest(round);
    let number = round.to_string();
    let started = hall.does(&["round", "start", &number]);
    assert_eq!(started["stage"], "under-way");
    hall.kill_at_rest(round);
    if round == LATE.0 {
        pairings = changed_late(hall, round, &pairings);
        hall.kill_at_rest(round);
    }
    let mut results = played(hall, round);
    hall.kill_at_rest(round);
    confirmed(hall, round, &mut results);
    hall.kill_at_rest(round);
    let closed = hall.does(&["round", "close", &number]);
    assert_eq!(
        (&closed["stage"], &closed["open"]),
        (&json!("closed"), &json!([]))
    );
    hall.kill_at_rest(round);
    ledger.enter(&pairings, &results);
    recorded(hall, round, &results);
    let given = hall.export(round, "trf");
    hall.kill();
    assert_eq!(hall.export(round, "trf"), given);
    given
}

/// The pairings are loaded: first to look at them, then so, and again for nothing.
fn drawn(hall: &Hall, round: u16, file: &[u8]) -> Value {
    let path = hall.write(&format!("round-{round}.trf"), file);
    let path = path.display().to_string();
    let looked_at = hall.does(&["pairings", "load", &path, "--dry-run"]);
    let loaded = hall.does(&["pairings", "load", &path]);
    assert_eq!(looked_at["pairings"], loaded["pairings"]);
    let again = hall.does(&["pairings", "load", &path]);
    assert_eq!(again["changes"], json!([]));
    let pairings = hall.round(round)["pairings"].clone();
    let games = pairings.as_array().expect("pairings").iter();
    let tables: Vec<u64> = games.filter_map(|p| p["table"].as_u64()).collect();
    assert_eq!(tables, (1..=u64::from(TABLES)).collect::<Vec<_>>());
    pairings
}

/// Two tables that have not begun are paired otherwise though the round was started.
fn changed_late(hall: &Hall, round: u16, pairings: &Value) -> Value {
    let at = |pairings: &Value, table: u16, side: &str| {
        let seats = &pairings[usize::from(table) - 1];
        seats[side]["number"].as_u64().expect("a player")
    };
    let [one, other] = LATE.1;
    let whites = [one, other].map(|table| at(pairings, table, "white"));
    let file = hall.path(&format!("round-{round}.trf"));
    let late = exchange(&file, whites[0], whites[1]);
    let path = hall.write("late.trf", &late).display().to_string();
    hall.does(&["pairings", "load", &path, "--round", &round.to_string()]);
    let now = hall.round(round)["pairings"].clone();
    // Who plays whom counts; where they sit goes by their points.
    let opponent = |pairings: &Value, white: u64| {
        let mut games = pairings.as_array().into_iter().flatten();
        let game = games.find(|p| p["white"]["number"] == white);
        game.and_then(|p| p["black"]["number"].as_u64())
    };
    assert_eq!(opponent(&now, whites[0]), opponent(pairings, whites[1]));
    assert_eq!(opponent(&now, whites[1]), opponent(pairings, whites[0]));
    now
}

/// The games on boards are played to their end, with all that befalls them.
fn played(hall: &mut Hall, round: u16) -> Results {
    let tables: Vec<u16> = (1..=BOARDS).filter(|t| (round, *t) != ABSENT).collect();
    let device = |table: &u16| -> Device {
        let (play, port) = (Play::of(round, *table), hall.path(&at_first(round, *table)));
        match (round, *table) {
            FAILS => play.first_half(port),
            // Long enough for all that is done to it.
            ELSEWHERE => play.whole(port, 3 * LENGTH),
            _ => play.whole(port, LENGTH),
        }
    };
    let boards = switch_on(tables.iter().map(device).collect());
    hall.until(|hall| {
        let waiting = hall.round(round)["waiting"].clone();
        let mut waiting = waiting.as_array().into_iter().flatten();
        let late = waiting.find(|table| tables.iter().any(|t| *table == u64::from(*t)));
        late.map(|table| {
            let table = table.as_u64().unwrap_or_default() as u16;
            format!(
                "table {table} waits: {}",
                hall.board(&at_first(round, table))
            )
        })
    });
    // Every game is under way, and none is over.
    hall.until(|hall| {
        let is_under_way = |t: &u16| hall.board(&at_first(round, *t))["ply"].as_u64() >= Some(1);
        let late = tables.iter().find(|table| !is_under_way(table));
        late.map(|table| format!("nothing is played at table {table}"))
    });
    hall.kill();
    let spare = (round == FAILS.0).then(|| fails(hall));
    if round == ELSEWHERE.0 {
        plugged_in_elsewhere(hall);
    }
    for table in &tables {
        let (play, id) = (Play::of(round, *table), stands_on(round, *table));
        hall.until(|hall| play.differs(&hall.board(&id), PLIES));
    }
    // The players of every board have shown the result.
    hall.until(|hall| {
        let pairings = hall.round(round)["pairings"].clone();
        let left = tables
            .iter()
            .filter(|table| pairings[usize::from(**table) - 1]["result"].is_null());
        let left: Vec<&u16> = left.collect();
        (!left.is_empty()).then(|| format!("no result at tables {left:?}"))
    });
    drop((boards, spare));
    let results = tables.iter().map(|t| (*t, Play::of(round, *t).codes()));
    results.collect()
}

/// The board of a table when a round begins.
fn at_first(round: u16, table: u16) -> String {
    match (round, table) == FAILS {
        true => board(table),
        false => stands_on(round, table),
    }
}

/// The board of a table when a round ends.
fn stands_on(round: u16, table: u16) -> String {
    match round >= FAILS.0 && table == FAILS.1 {
        true => "spare".to_owned(),
        false => board(table),
    }
}

/// A board says nothing more. One that nobody had configured comes to its table, with the pieces as
/// they stood.
fn fails(hall: &mut Hall) -> Workshop {
    let (round, table) = FAILS;
    let (play, failed, number) = (Play::of(round, table), board(table), table.to_string());
    hall.until(|hall| play.differs(&hall.board(&failed), HALF));
    let game = hall.board(&failed)["game"].clone();
    let port = hall.path("spare").display().to_string();
    hall.refuses(
        &["board", "add", &board(6), &port, "--kind", "native"],
        "there is a board `b06` already",
    );
    hall.does(&["board", "add", "spare", &port, "--kind", "native"]);
    hall.does(&["table", "bind", &number, "spare"]);
    hall.kill();
    assert_eq!(hall.board("spare")["game"], game);
    assert_eq!(hall.board("spare")["state"], "paused");
    let goes_on = json!({ "event": "arbiter", "action": "resume" });
    let spare = switch_on(vec![play.second_half(hall.path("spare"))]);
    hall.order("spare", &goes_on);
    spare
}

/// A board is unplugged and plugged in at another port, which nobody had configured.
fn plugged_in_elsewhere(hall: &mut Hall) {
    let (round, table) = ELSEWHERE;
    let (play, id) = (Play::of(round, table), board(table));
    hall.until(|hall| {
        let seen = hall.board(&id)["ply"].as_u64().unwrap_or(0);
        (seen < 4).then(|| format!("{seen} half-moves"))
    });
    let (before, now) = (hall.path(&id), hall.path("elsewhere"));
    let device = std::fs::read_link(&before).expect("a port");
    std::os::unix::fs::symlink(device, &now).expect("another port");
    std::fs::remove_file(&before).expect("no port");
    let (taken, path) = (hall.path(&board(11)), now.display().to_string());
    let taken = taken.display().to_string();
    hall.refuses(&["board", "port", &id, &taken], "is the port of `b11`");
    hall.does(&["board", "port", &id, &path]);
    hall.refuses(&["board", "port", &id, &path], "connected so already");
    assert!(
        play.differs(&hall.board(&id), PLIES).is_some(),
        "it is over"
    );
    hall.until(|hall| (hall.board(&id)["connected"] != true).then(|| "it is away".to_owned()));
    hall.kill();
    let ports = hall.does(&["board", "show"]);
    let mut ports = ports.as_array().into_iter().flatten();
    let shown = ports.find(|port| port["board"] == *id).expect("a port");
    assert_eq!(
        (&shown["port"], &shown["configured"]),
        (&json!(path), &json!(false))
    );
}

/// What boards propose is confirmed, the others are typed.
fn confirmed(hall: &mut Hall, round: u16, results: &mut Results) {
    let number = round.to_string();
    hall.refuses(&["round", "close", &number], "without a confirmed result");
    hall.does(&["results", "confirm", &number]);
    hall.kill_at_rest(round);
    if round == ABSENT.0 {
        let seat = format!("{round}.{}", ABSENT.1);
        hall.does(&["results", "enter", &seat, "-/+"]);
        results.insert(ABSENT.1, ['-', '+']);
    }
    for table in BOARDS + 1..=TABLES {
        let seat = format!("{round}.{table}");
        if (round, table) == SHEET {
            typed_sheet(hall, &seat);
            results.insert(table, ['1', '0']);
            continue;
        }
        let some = if round < ROUNDS { 3 } else { TYPED.len() };
        let (text, codes) = TYPED[usize::from(table + round) % some];
        hall.does(&["results", "enter", &seat, text]);
        results.insert(table, codes);
    }
    let open = hall.round(round)["open"].clone();
    // What is in doubt in a game keeps its result from being confirmed with all others.
    for table in open.as_array().into_iter().flatten() {
        hall.does(&["results", "confirm", &number, &table.to_string()]);
    }
}

fn typed_sheet(hall: &Hall, seat: &str) {
    let moves = "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7#";
    let wrong = hall.write("sheet.txt", format!("{moves} 0-1\n").as_bytes());
    let sheet = wrong.display().to_string();
    hall.refuses(&["results", "moves", seat, &sheet], "ends with 0-1");
    hall.write("sheet.txt", format!("{moves} 1-0\n").as_bytes());
    hall.does(&["results", "moves", seat, &sheet]);
}

/// The games as python-chess reads them are those that were played.
fn recorded(hall: &Hall, round: u16, results: &Results) {
    let folder = hall.path(&format!("store/pgn/round-{round}"));
    let files = |folder: &Path| std::fs::read_dir(folder).map_or(0, Iterator::count);
    until("a file for every table that has played", PATIENCE, || {
        files(&folder) > usize::from(BOARDS) - 1
    });
    let text = String::from_utf8(hall.export(round, "pgn")).expect("text");
    let tables = hall.path(&format!("pgn-{round}"));
    std::fs::create_dir(&tables).expect("a directory");
    for (n, game) in text.split("[Event ").skip(1).enumerate() {
        let file = tables.join(format!("{n:02}.pgn"));
        std::fs::write(file, format!("[Event {game}")).expect("a file");
    }
    let games = tests::rig::read_back(&tables);
    assert_eq!(games.len(), usize::from(TABLES));
    for game in games {
        let table: u16 = game["tags"]["Board"]
            .as_str()
            .expect("a table")
            .parse()
            .expect("one");
        assert_eq!(game["errors"], json!([]), "{game}");
        let expected = match results[&table] {
            ['1' | '+', '0' | '-'] => "1-0",
            ['0' | '-', '1' | '+'] => "0-1",
            ['=', '='] => "1/2-1/2",
            _ => "*",
        };
        assert_eq!(game["result"], expected, "{game}");
        if table <= BOARDS && (round, table) != ABSENT {
            let play = Play::of(round, table);
            assert_eq!(play.differs(&game, PLIES), None);
        }
    }
}
