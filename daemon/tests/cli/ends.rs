//! How a round and an event end: what is still to come, and what a file that is given out does not
//! have.

use super::event::{refused, said};
use super::*;

const FILE: &str = "\
012 Harbour Open
001    1 m    Berg, Anna                        2250 GER     1000001             0.0    1     3 w  
001    2 m    Dupont, Emil                      2200 GER     1000002             0.0    2     4 w  
001    3 m    Ek, Freja                         2150 GER     1000003             0.0    3     1 b  
001    4 m    Cole, Ben                         2100 GER     1000004             0.0    4     2 b  
";

#[test]
fn an_event_with_a_round_to_be_played_is_closed_by_whoever_insists() {
    let dir = TempDir::new().unwrap();
    let store = dir.path().join("store");
    let file = write(&dir, "open.trf", FILE);
    said(&store, &["pairings", "load", &file]);
    let left = "rounds are drawn and not played, tables 1.1, 1.2";
    refused(&store, &["event", "close"], 1, left);
    assert_eq!(said(&store, &["event", "show"])["open"], true);
    let closed = said(&store, &["event", "close", "--anyway"]);
    assert_eq!(closed["open"], false);
}

#[test]
fn what_a_file_does_not_have_is_told_to_programs_too() {
    let dir = TempDir::new().unwrap();
    let store = dir.path().join("store");
    let file = write(&dir, "open.trf", FILE);
    said(&store, &["pairings", "load", &file]);
    said(&store, &["round", "start", "1"]);
    said(&store, &["results", "enter", "1.1", "1-0"]);
    let path = store.to_str().unwrap();
    let export = [
        "results", "export", "--round", "1", "--format", "trf", "--dir", path,
    ];
    let given = output(&[&export[..], &["--json"]].concat());
    assert!(given.stderr.is_empty(), "{given:?}");
    let given: Value = serde_json::from_slice(&given.stdout).unwrap();
    assert_eq!(given["open"], serde_json::json!(["1.2"]));
    for name in ["left_out", "redrawn", "added", "cut", "altered"] {
        assert_eq!(given[name], serde_json::json!([]), "{name}");
    }
    let told = String::from_utf8(output(&export).stderr).unwrap();
    assert!(
        told.contains("left blank where the file has none (round.table): 1.2"),
        "{told}"
    );
}

#[test]
fn a_round_that_is_not_drawn_has_no_file_in_any_format() {
    let dir = TempDir::new().unwrap();
    let store = dir.path().join("store");
    let file = write(&dir, "open.trf", FILE);
    said(&store, &["pairings", "load", &file]);
    for format in ["trf", "pgn", "csv", "res"] {
        let export = ["results", "export", "--round", "9", "--format", format];
        refused(&store, &export, 1, "round 9 is not drawn");
    }
}

#[test]
fn who_is_new_in_a_file_is_named() {
    let dir = TempDir::new().unwrap();
    let store = dir.path().join("store");
    let path = store.to_str().unwrap();
    let file = write(&dir, "open.trf", FILE);
    let load = |file: &str, more: &[&str]| {
        let all = [&["pairings", "load", file, "--dir", path], more].concat();
        String::from_utf8(output(&all).stdout).unwrap()
    };
    let first = load(&file, &[]);
    assert!(first.contains("\n4 players enter\n"), "{first}");
    let late = write(
        &dir,
        "late.csv",
        "table,white,black\n1,Müller,Ivan Ivanov\n",
    );
    let second = load(&late, &["--round", "2", "--dry-run"]);
    assert!(
        second.contains("\nplayer 5 enters: Müller\nplayer 6 enters: Ivan Ivanov\n"),
        "{second}"
    );
}

/// A board stands on a table, and no daemon follows it.
#[test]
fn no_game_goes_on_where_no_daemon_runs() {
    let dir = TempDir::new().unwrap();
    let store = dir.path().join("store");
    said(&store, &["table", "bind", "1", "b01"]);
    let nobody = "no daemon follows `b01` on table 1";
    refused(&store, &["table", "resume", "1"], 1, nobody);
    refused(&store, &["table", "resume", "7"], 1, "table 7 has no board");
}

#[test]
fn a_table_stands_once_in_the_hall() {
    let dir = TempDir::new().unwrap();
    let store = dir.path().join("store");
    said(&store, &["event", "new", "--name", "Open"]);
    let twice = ["event", "layout", "1-10 / 5-3"];
    refused(&store, &twice, 2, "table 5 stands in the layout twice");
    let rows = ["event", "layout", "1-10 / 13-11"];
    assert_eq!(said(&store, &rows)["layout"], "1-10 / 13-11");
}

#[test]
fn a_dry_run_makes_no_store() {
    let dir = TempDir::new().unwrap();
    let store = dir.path().join("store");
    let file = write(&dir, "open.trf", FILE);
    let tried = ["pairings", "load", &file, "--dry-run"];
    refused(&store, &tried, 2, "a dry run makes none");
    assert!(!store.exists());
}

/// Names of sockets are short, and directories may lie deep.
#[test]
fn a_daemon_is_found_in_a_deep_directory() {
    let dir = TempDir::new().unwrap();
    let deep = dir.path().join("a-directory-with-a-long-name/".repeat(5));
    fs::create_dir_all(&deep).unwrap();
    let store = deep.join("store");
    let config = deep.join("hall.toml");
    let text = "[http]\nlisten = \"127.0.0.1:0\"\n[store]\ndir = \"store\"\n\
                [[board]]\nid = \"b01\"\nport = \"none\"\n";
    fs::write(&config, text).unwrap();
    let config = config.to_str().unwrap();
    let mut daemon = arbiterd(&["serve", "--config", config]).spawn().unwrap();
    let socket = store.join("arbiterd.sock");
    super::event::within(|| socket.exists());
    let event = said(&store, &["event", "new", "--name", "Open"]);
    assert_eq!(event["details"]["name"], "Open");
    daemon.kill().unwrap();
    daemon.wait().unwrap();
}

/// The board of a table is not there, and the round under way.
#[test]
fn a_round_tells_what_is_wrong_at_its_tables() {
    let dir = TempDir::new().unwrap();
    let store = dir.path().join("store");
    let text = "[http]\nlisten = \"127.0.0.1:0\"\n[store]\ndir = \"store\"\n\
                [[board]]\nid = \"b01\"\nport = \"none\"\n";
    let config = write(&dir, "hall.toml", text);
    let mut daemon = arbiterd(&["serve", "--config", &config]).spawn().unwrap();
    super::event::within(|| store.join("arbiterd.sock").exists());
    let file = write(&dir, "open.trf", FILE);
    said(&store, &["pairings", "load", &file]);
    let show = ["round", "show", "1"];
    assert_eq!(said(&store, &show)["faults"], serde_json::json!([]));
    said(&store, &["round", "start", "1"]);
    super::event::within(|| said(&store, &show)["faults"][0]["table"] == 1);
    let told = output(&[&show[..], &["--dir", store.to_str().unwrap()]].concat());
    let told = String::from_utf8(told.stdout).unwrap();
    assert!(told.contains("\ntable 1: "), "{told}");
    said(&store, &["results", "enter", "1.1", "1-0"]);
    assert_eq!(said(&store, &show)["faults"], serde_json::json!([]));
    daemon.kill().unwrap();
    daemon.wait().unwrap();
}
