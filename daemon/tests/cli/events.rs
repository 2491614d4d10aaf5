//! Several events in a store, files and words that cannot be, and what `verify` finds beside the
//! acts.

use super::event::{refused, said};
use super::*;

const STUB: &str = "[Event \"Open\"]\n[Round \"1.1\"]\n[White \"Ann\"]\n[Black \"Ben\"]\n\
                    [Variant \"Chess960\"]\n[SetUp \"1\"]\n\
                    [FEN \"bqnb1rkr/pppppppp/3n4/8/8/3N4/PPPPPPPP/BQNB1RKR w HFhf - 0 1\"]\n\n*\n";

fn at(dir: &TempDir) -> std::path::PathBuf {
    dir.path().join("store")
}

/// Opens an event, and plays its first round of one typed game.
fn plays(dir: &TempDir, name: &str, white: &str, moves: &str) {
    let store = at(dir);
    said(&store, &["event", "new", "--name", name]);
    let pairs = format!("table,white,black\n1,{white},Ben\n");
    let pairs = write(dir, "pairs.csv", &pairs);
    said(&store, &["pairings", "load", &pairs, "--round", "1"]);
    said(&store, &["round", "start", "1"]);
    let sheet = write(dir, "sheet.txt", moves);
    said(&store, &["results", "moves", "1.1", &sheet]);
    said(&store, &["round", "close", "1"]);
}

#[test]
fn an_event_that_is_over_can_be_shown_and_given_out() {
    let (dir, text) = (TempDir::new().unwrap(), |bytes| {
        String::from_utf8(bytes).unwrap()
    });
    let store = at(&dir);
    plays(&dir, "First", "Ann", "1. e4 e5 1-0");
    said(&store, &["event", "close"]);
    plays(&dir, "Second", "Dan", "1. d4 d5 0-1");
    let list = said(&store, &["event", "list"]);
    let names: Vec<&Value> = list
        .as_array()
        .unwrap()
        .iter()
        .map(|e| &e["name"])
        .collect();
    assert_eq!(names, ["First", "Second"]);
    assert_eq!(
        (&list[0]["closed"], &list[1]["closed"]),
        (&true.into(), &false.into())
    );
    let path = store.to_str().unwrap();
    let table = text(output(&["event", "list", "--dir", path]).stdout);
    assert!(
        table.contains("First") && table.contains("closed"),
        "{table}"
    );
    let first = said(&store, &["event", "show", "--event", "1"]);
    assert_eq!(first["details"]["name"], "First");
    let white = |arguments: &[&str]| said(&store, arguments)["pairings"][0]["white"].clone();
    assert_eq!(white(&["round", "show", "1"])["name"], "Dan");
    assert_eq!(
        white(&["round", "show", "1", "--event", "1"])["name"],
        "Ann"
    );
    assert_eq!(
        white(&["results", "list", "1", "--event", "1"])["name"],
        "Ann"
    );
    let export = [
        "results", "export", "--round", "1", "--dir", path, "--format",
    ];
    let pgn = text(output(&[&export[..], &["pgn", "--event", "1"]].concat()).stdout);
    assert!(pgn.contains("1. e4 e5 1-0"), "{pgn}");
    // Nobody has said the day: it is that on which the round was started.
    let today = jiff::Zoned::now().strftime("[Date \"%Y.").to_string();
    assert!(pgn.contains(&today), "{pgn}");
    let csv = text(output(&[&export[..], &["csv", "--event", "2"]].concat()).stdout);
    assert!(csv.contains("Dan"), "{csv}");
    let none = "there is no event 3: the store's are numbered from 1 to 2";
    refused(&store, &["event", "show", "--event", "3"], 1, none);

    // The files of both are there once a daemon runs: those of the first at their old place.
    let config = "[http]\nlisten = \"127.0.0.1:0\"\n[store]\ndir = \"store\"\n\
                  [[board]]\nid = \"b01\"\nport = \"none\"\n";
    let config = write(&dir, "hall.toml", config);
    let mut daemon = arbiterd(&["serve", "--config", &config]).spawn().unwrap();
    let second = store.join("pgn/event-2/round-1/table-1.pgn");
    super::event::within(|| fs::read_to_string(&second).is_ok_and(|t| t.contains("1. d4 d5")));
    let first = store.join("pgn/round-1/table-1.pgn");
    super::event::within(|| fs::read_to_string(&first).is_ok_and(|t| t.contains("1. e4 e5")));
    daemon.kill().unwrap();
    daemon.wait().unwrap();
}

#[test]
fn what_is_said_of_an_event_means_something() {
    let dir = TempDir::new().unwrap();
    let store = at(&dir);
    let new = |more: [&'static str; 2]| ["event", "new", "--name", "Open", more[0], more[1]];
    for (more, told) in [
        (["--time-control", "90 min"], "`90 min` is no time control"),
        (["--start", "2026-02-30"], "`2026-02-30` is no day"),
        (["--end", "tomorrow"], "`tomorrow` is no day"),
        (["--rounds", "0"], "a round at least"),
        (
            ["--start=2026-11-24", "--end=2026-11-23"],
            "before it starts on 2026-11-24",
        ),
        (["--federation", "GERMANY"], "`GERMANY` is no federation"),
        (["--site", "a\u{1b}[2J"], "the place holds a line break"),
    ] {
        refused(&store, &new(more), 2, told);
    }
    refused(
        &store,
        &["event", "new", "--name", " "],
        2,
        "an event has a name",
    );
    said(&store, &new(["--time-control", "40/6000+30:900+30"]));
    let other = [
        "event",
        "describe",
        "--site",
        "Hamburg",
        "--supervised",
        "false",
    ];
    let details = &said(&store, &other)["details"];
    let told = [&details["name"], &details["site"], &details["time_control"]];
    assert_eq!(told, ["Open", "Hamburg", "40/6000+30:900+30"]);
    assert_eq!(details["supervised"], false);
    refused(
        &store,
        &["event", "describe"],
        2,
        "say what is to be otherwise",
    );
    refused(
        &store,
        &["event", "describe", "--name", " "],
        2,
        "an event has a name",
    );
    let pairs = write(&dir, "pairs.csv", "table,white,black\n1,Ann,Ben\n");
    said(&store, &["pairings", "load", &pairs, "--round", "1"]);
    said(&store, &["round", "start", "1"]);
    for (what, reason, told) in [
        ("a\u{202e}", "late", "the penalty holds"),
        ("a warning", "\n", "the reason holds"),
        ("a warning", " ", "the reason is missing"),
    ] {
        let penalty = [
            "event", "penalise", "1", "--round", "1", "--what", what, "--reason", reason,
        ];
        refused(&store, &penalty, 2, told);
    }
    refused(
        &store,
        &["table", "bind", "1", "a\nb"],
        2,
        "the board's id holds",
    );
    let long = write(&dir, "long.txt", &"Nf3 Nf6 Ng1 Ng8 ".repeat(20_000));
    let told = format!("{long}: 320000 bytes: no scoresheet is so long");
    refused(&store, &["results", "moves", "1.1", &long], 2, &told);
    let sheet = write(&dir, "sheet.txt", "1. e4 e5 2. Sf3");
    let told = format!("{sheet}: `Sf3`, the typed move 3 (line 1, column 13), is no legal move");
    refused(&store, &["results", "moves", "1.1", &sheet], 2, &told);
    let usual = "at table 1 of round 1 from `rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -`";
    for (text, told) in [
        (
            "[White \"Ben\"]\n[Black \"Ann\"]\n1. e4",
            "line 1, column 1: White is `Ben` there, number 2 of this event; at table 1",
        ),
        ("[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n1. Rh2", usual),
        (
            "1. e4 e5 3. Nf3",
            "line 1, column 10: move number 3 stands where 2 belongs",
        ),
        (
            "[Result \"1-0\"]\n1. e4 0-1",
            "line 1, column 1: the tag `Result` says 1-0",
        ),
    ] {
        let sheet = write(&dir, "odd.pgn", text);
        refused(&store, &["results", "moves", "1.1", &sheet], 2, told);
    }
}

/// What a program for annotating games has saved is a scoresheet as well.
#[test]
fn a_pgn_with_comments_and_variations_is_a_scoresheet() {
    let dir = TempDir::new().unwrap();
    let store = at(&dir);
    plays(&dir, "Open", "Ann", "1. d4 1-0");
    let reason = ["--after", "0", "--reason", "typed anew"];
    let pgn = "[White \"M\u{fc}ller\"]\n\n1. e4 {best} e5 (1... c5 2. Nf3) 2. Nf3!? $1 Nc6 1-0\n";
    // As Windows programs write it.
    let latin: Vec<u8> = pgn
        .chars()
        .map(|c| u8::try_from(u32::from(c)).unwrap())
        .collect();
    let sheet = dir.path().join("sheet.pgn");
    fs::write(&sheet, latin).unwrap();
    let at_store = ["--dir", store.to_str().unwrap()];
    let moves = ["results", "moves", "1.1", sheet.to_str().unwrap()];
    let typed = output(&[&moves[..], &reason, &at_store].concat());
    let told = String::from_utf8(typed.stderr).unwrap();
    assert!(typed.status.success(), "{told}");
    let left_out = "passed over: 1 tag, 1 comment, 1 variation, 2 signs of annotators, the \
                    name `M\u{fc}ller` of White";
    assert!(told.contains(left_out), "{told}");
    let round = said(&store, &["round", "show", "1"]);
    let typed = &round["pairings"][0]["typed"]["moves"];
    assert_eq!(*typed, serde_json::json!(["e4", "e5", "Nf3", "Nc6"]));
    let cut = write(&dir, "cut.pgn", "1. e4 e5\n2. Nf3 {never closed");
    let told = format!("{cut}: line 2, column 8: the comment that begins here is not closed");
    let moves = [&["results", "moves", "1.1", &cut], &reason[..]].concat();
    refused(&store, &moves, 2, &told);
    assert_eq!(said(&store, &["round", "show", "1"]), round);
}

#[test]
fn files_are_refused_by_their_names() {
    let dir = TempDir::new().unwrap();
    let store = at(&dir);
    said(&store, &["event", "new", "--name", "Open"]);
    let list = write(&dir, "list.txt", "1\n8 9\n");
    let load = |file: &str| {
        let all = [
            "pairings",
            "load",
            file,
            "--round",
            "1",
            "--dir",
            store.to_str().unwrap(),
        ];
        failure(&all)
    };
    let (status, told) = load(&list);
    let expected = format!("{list}:2:1: there is no player 8");
    assert!(
        status == 2 && told.starts_with(&expected),
        "{status}: {told}"
    );
    let long = write(&dir, "long.csv", &"x,y,z\n".repeat(1 << 20));
    let expected = format!("arbiterd: {long}: 6291456 bytes: no list of pairings is so long");
    assert_eq!(load(&long), (2, format!("{expected}\n")));
    let rows: String = (0..10_001).map(|n| format!("A{n},B{n}\n")).collect();
    let many = write(&dir, "many.csv", &format!("white,black\n{rows}"));
    let (status, told) = load(&many);
    assert!(
        status == 2 && told.starts_with(&format!("{many}:10002:1: more than 10000 pairings")),
        "{status}: {told}"
    );
    let (status, told) = load(dir.path().to_str().unwrap());
    assert!(status == 2 && told.contains("this is no file"), "{told}");
    // What has begun stays, and the line that says otherwise is named.
    let pairs = write(
        &dir,
        "pairs.csv",
        "table,white,black\n1,Ann,Ben\n2,Cat,Dan\n",
    );
    assert_eq!(load(&pairs), (0, String::new()));
    said(&store, &["round", "start", "1"]);
    said(&store, &["results", "enter", "1.2", "1-0"]);
    let late = write(
        &dir,
        "late.csv",
        "table,white,black\n1,Ann,Ben\n2,Dan,Cat\n",
    );
    let expected =
        format!("{late}:3:1: table 2 of round 1 has begun, or has a result: its pairing stays\n");
    assert_eq!(load(&late), (2, expected));
}

#[test]
fn typed_moves_of_chess960_begin_where_the_game_did() {
    let dir = TempDir::new().unwrap();
    let store = at(&dir);
    let wrong = STUB.replace("PPPPPPPP/BQNB1RKR", "PPPPPPPP/BQNB1R1R");
    let wrong = write(&dir, "wrong.pgn", &wrong);
    let told = format!("{wrong}:7:1: no game can start from the position");
    refused(&store, &["pairings", "load", &wrong], 2, &told);
    fails(&["pairings", "check", &wrong], 2, &told);
    let without = STUB.split_inclusive('\n');
    let without = without.filter(|line| !line.contains("SetUp") && !line.contains("FEN"));
    let without = write(&dir, "without.pgn", &without.collect::<String>());
    said(&store, &["pairings", "load", &without]);
    said(&store, &["round", "start", "1"]);
    let sheet = write(&dir, "sheet.txt", "1. Nf4 Nf5 2. e3");
    let told = "nobody has said from which position this game starts";
    refused(&store, &["results", "moves", "1.1", &sheet], 2, told);
    let stub = write(&dir, "stub.pgn", STUB);
    said(&store, &["pairings", "load", &stub]);
    said(&store, &["results", "moves", "1.1", &sheet]);
    let pgn = output(&[
        "results",
        "export",
        "--round",
        "1",
        "--format",
        "pgn",
        "--dir",
        store.to_str().unwrap(),
    ]);
    let pgn = String::from_utf8(pgn.stdout).unwrap();
    for line in [
        "[Variant \"Chess960\"]",
        "[SetUp \"1\"]",
        "[FEN \"bqnb1rkr/",
        "1. Nf4 Nf5 2. e3",
    ] {
        assert!(pgn.contains(line), "{line}: {pgn}");
    }
}

/// One waits for the other.
#[test]
fn commands_at_the_same_time_on_a_resting_store() {
    let dir = TempDir::new().unwrap();
    let store = at(&dir);
    said(&store, &["event", "new", "--name", "Open"]);
    let pairs: String = (1..9).map(|n| format!("{n},A{n},B{n}\n")).collect();
    let pairs = write(&dir, "pairs.csv", &format!("table,white,black\n{pairs}"));
    said(&store, &["pairings", "load", &pairs, "--round", "1"]);
    said(&store, &["round", "start", "1"]);
    let enter = |n: u8| {
        let seat = format!("1.{n}");
        let all = [
            "results",
            "enter",
            &seat,
            "1-0",
            "--dir",
            store.to_str().unwrap(),
        ];
        arbiterd(&all).spawn().unwrap()
    };
    let all: Vec<Child> = (1..9).map(enter).collect();
    for one in all {
        let done = one.wait_with_output().unwrap();
        assert!(
            done.status.success(),
            "{}",
            String::from_utf8_lossy(&done.stderr)
        );
    }
    let round = said(&store, &["round", "show", "1"]);
    assert_eq!(round["open"], serde_json::json!([]));
}

#[test]
fn verify_looks_at_files_and_accounts_too() {
    let dir = TempDir::new().unwrap();
    let store = at(&dir);
    let path = store.to_str().unwrap();
    let trf = concat!(env!("CARGO_MANIFEST_DIR"), "/trf/tests/open.trf");
    said(&store, &["pairings", "load", trf, "--round", "3"]);
    said(&store, &["people", "add", "Ann", "--role", "chief"]);
    said(&store, &["people", "add", "Ben", "--role", "operator"]);
    assert!(output(&["verify", "--dir", path]).status.success());
    let people = rusqlite::Connection::open(store.join("people.sqlite")).unwrap();
    let change = "UPDATE accounts SET role = 'chief' WHERE name = 'Ben'";
    assert_eq!(people.execute(change, []).unwrap(), 1);
    let (said_of, told) = {
        let found = output(&["verify", "--dir", path]);
        (
            String::from_utf8(found.stdout).unwrap(),
            found.status.code(),
        )
    };
    assert_eq!(told, Some(1));
    let account = "account `Ben` is chief, and the acts made it operator";
    assert!(said_of.contains(account), "{said_of}");
    people
        .execute(
            "UPDATE accounts SET role = 'operator', name = 'Eve' WHERE name = 'Ben'",
            [],
        )
        .unwrap();
    let found = String::from_utf8(output(&["verify", "--dir", path]).stdout).unwrap();
    assert!(
        found.contains("account `Eve`, operator, was made by no act"),
        "{found}"
    );
    people
        .execute("UPDATE accounts SET name = 'Ben' WHERE name = 'Eve'", [])
        .unwrap();
    let reset = output(&["people", "reset", "Ben", "--dir", path]);
    assert!(reset.status.success(), "{reset:?}");
    assert!(output(&["verify", "--dir", path]).status.success());
    let acts = rusqlite::Connection::open(store.join("arbiter.sqlite")).unwrap();
    assert_eq!(acts.execute("DELETE FROM files", []).unwrap(), 1);
    drop(acts);
    let found = String::from_utf8(output(&["verify", "--dir", path]).stdout).unwrap();
    assert!(
        found.contains("from which round 3 was drawn, is missing"),
        "{found}"
    );
}

#[test]
fn a_table_is_named_with_its_round_wherever_results_are() {
    let dir = TempDir::new().unwrap();
    let store = at(&dir);
    let pairs = write(
        &dir,
        "pairs.csv",
        "table,white,black\n1,Ann,Ben\n2,Cy,Dan\n",
    );
    said(&store, &["pairings", "load", &pairs, "--round", "1"]);
    said(&store, &["round", "start", "1"]);
    let open = |arguments: &[&str]| said(&store, arguments)["open"].clone();
    let enter = ["results", "enter", "1.1=-/+", "1.2=1-0"];
    assert_eq!(open(&enter), serde_json::json!([]));
    let withdraw = ["results", "withdraw", "1.2", "1.1", "--reason", "misread"];
    assert_eq!(open(&withdraw), serde_json::json!([1, 2]));
    assert_eq!(
        open(&["results", "enter", "1.2", "0-1"]),
        serde_json::json!([1])
    );
    for (words, told) in [
        (&["enter", "1.1"][..], "`1.1` is no ROUND.TABLE=RESULT"),
        (
            &["enter", "1.1=1-0", "2.2=1-0"],
            "tables of one round at a time",
        ),
        (&["withdraw", "1"], "say which tables"),
        (&["confirm", "1", "x"], "`x` is no number of a table"),
        (&["confirm", "1.1", "2.2"], "tables of one round at a time"),
        (&["confirm", "1", "2.2"], "tables of one round at a time"),
    ] {
        refused(&store, &[&["results"], words].concat(), 2, told);
    }
}

/// A forfeit that stands in the file of the pairings and that nobody has confirmed is none yet.
#[test]
fn a_proposed_forfeit_does_not_stand_in_the_pgn() {
    let dir = TempDir::new().unwrap();
    let store = at(&dir);
    let pairs = write(
        &dir,
        "pairs.csv",
        "table,white,black,result\n1,Ann,Ben,+/-\n",
    );
    said(&store, &["pairings", "load", &pairs, "--round", "1"]);
    said(&store, &["round", "start", "1"]);
    let path = store.to_str().unwrap();
    let export = [
        "results", "export", "--round", "1", "--format", "pgn", "--dir", path,
    ];
    let pgn = || String::from_utf8(output(&export).stdout).unwrap();
    let proposed = pgn();
    assert!(proposed.contains("[Result \"*\"]"), "{proposed}");
    assert!(!proposed.contains("Termination"), "{proposed}");
    said(&store, &["results", "confirm", "1.1"]);
    let confirmed = pgn();
    for line in ["[Result \"1-0\"]", "[Termination \"unplayed\"]"] {
        assert!(confirmed.contains(line), "{confirmed}");
    }
}

/// Behind the first table its round need not be said again.
#[test]
fn further_tables_are_of_the_round_of_the_first() {
    let dir = TempDir::new().unwrap();
    let store = at(&dir);
    let pairs = "table,white,black\n1,Ann,Ben\n2,Cy,Dan\n3,Eve,Fay\n";
    let pairs = write(&dir, "pairs.csv", pairs);
    said(&store, &["pairings", "load", &pairs, "--round", "2"]);
    let postponed = |words: &[&str]| said(&store, words)["postponed"].clone();
    let all = postponed(&["round", "postpone", "2.2", "3"]);
    assert_eq!(all, serde_json::json!([2, 3]));
    assert_eq!(
        postponed(&["round", "resume", "2", "2.3"]),
        serde_json::json!([2])
    );
}

/// Results out of a file are confirmed by their number; without one it is said that they are not.
#[test]
fn results_that_are_not_confirmed_with_the_others_are_told() {
    let dir = TempDir::new().unwrap();
    let store = at(&dir);
    let pairs = "table,white,black,result\n1,Ann,Ben,1-0\n2,Cy,Dan,\n3,Eve,Fay,0-1\n";
    let pairs = write(&dir, "pairs.csv", pairs);
    let path = store.to_str().unwrap();
    let load = ["pairings", "load", &pairs, "--round", "1", "--dir", path];
    let told = String::from_utf8(output(&load).stdout).unwrap();
    assert!(!told.contains("has no board"), "{told}");
    said(&store, &["round", "start", "1"]);
    let confirm = ["results", "confirm", "1", "--dir", path];
    let told = String::from_utf8(output(&confirm).stdout).unwrap();
    let line = "not confirmed, only the file of the pairings says how it ended: table 1, 3 \
                (`arbiterd results confirm 1.1`)\n";
    assert!(told.ends_with(line), "{told}");
    let round = said(&store, &["results", "confirm", "1.1", "3"]);
    assert_eq!(
        (&round["open"], &round["passed_over"]),
        (&serde_json::json!([2]), &Value::Null)
    );
}

/// An event has at least the rounds that are drawn.
#[test]
fn an_event_is_not_described_with_fewer_rounds_than_are_drawn() {
    let dir = TempDir::new().unwrap();
    let store = at(&dir);
    let pairs = write(&dir, "pairs.csv", "table,white,black\n1,Ann,Ben\n");
    said(&store, &["event", "new", "--name", "Open", "--rounds", "5"]);
    said(&store, &["pairings", "load", &pairs, "--round", "3"]);
    let fewer = ["event", "describe", "--rounds", "2"];
    refused(&store, &fewer, 2, "the event has 3 rounds already");
    said(&store, &["event", "describe", "--rounds", "3"]);
}

/// The file of a closed round comes again: nothing changes, or it is said what is another.
#[test]
fn the_file_of_a_closed_round_is_compared() {
    let dir = TempDir::new().unwrap();
    let store = at(&dir);
    let text = "table,white,black\n1,Ann,Ben\n,Eve,bye\n";
    let pairs = write(&dir, "pairs.csv", text);
    let load = ["pairings", "load", &pairs, "--round", "1"];
    said(&store, &load);
    said(&store, &["round", "start", "1"]);
    said(&store, &["results", "enter", "1.1", "1-0"]);
    said(&store, &["round", "close", "1"]);
    assert_eq!(said(&store, &load)["written"], false);
    let other = text.replace("white,black", "white,black,result");
    let other = other
        .replace("Ann,Ben", "Ann,Ben,1-0")
        .replace("bye", "bye,H");
    let other = write(&dir, "other.csv", &other);
    let told = "round 1 is closed, and the file says otherwise: bye of player 3: H, before U";
    let load = ["pairings", "load", &other, "--round", "1"];
    refused(&store, &load, 1, told);
}
