//! Games that are played later than their round, by commands on the resting store.

use serde_json::json;

use super::event::{refused, said};
use super::*;

const REPORT: &str = "\
012 Harbour Open
001    1 m    Berg, Anna                        2250 GER     1000001             0.0    1     3 w  
001    2 m    Dupont, Emil                      2200 GER     1000002             0.0    2     4 b  
001    3 m    Ek, Freja                         2150 GER     1000003             0.0    3     1 b  
001    4 m    Cole, Ben                         2100 GER     1000004             0.0    4     2 w  
";

fn exported(store: &Path, round: &str) -> (String, String) {
    let dir = store.to_str().unwrap();
    let output = output(&[
        "results", "export", "--round", round, "--format", "trf", "--dir", dir,
    ]);
    let texts = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    texts.into()
}

#[test]
fn a_round_is_closed_beside_a_postponed_game_whose_result_comes_later() {
    let dir = TempDir::new().unwrap();
    let store = dir.path().join("store");
    let file = write(&dir, "round1.trf", REPORT);
    said(&store, &["pairings", "load", &file, "--round", "1"]);
    said(&store, &["round", "start", "1"]);
    said(&store, &["results", "enter", "1.1", "1-0"]);
    refused(
        &store,
        &["round", "close", "1"],
        1,
        "without a confirmed result table 2",
    );
    refused(&store, &["round", "postpone", "1"], 2, "say which tables");
    refused(
        &store,
        &["round", "postpone", "1.1"],
        1,
        "table 1 of round 1 is confirmed",
    );
    refused(
        &store,
        &["round", "resume", "1.2"],
        1,
        "table 2 of round 1 is not postponed",
    );
    said(
        &store,
        &["round", "postpone", "1.2", "--reason", "White is ill"],
    );
    assert_eq!(
        said(&store, &["round", "close", "1"])["postponed"],
        json!([2])
    );

    let path = store.to_str().unwrap();
    let shown = |arguments: &[&str]| {
        let told = output(&[arguments, &["--dir", path]].concat()).stdout;
        String::from_utf8(told).unwrap()
    };
    let round = shown(&["round", "show", "1"]);
    assert!(round.contains("postponed: table 2\n"), "{round}");
    assert!(
        round.contains("\tDupont, Emil 2200\t\tpostponed\n"),
        "{round}"
    );
    let event = shown(&["event", "show"]);
    assert!(event.contains("\n1\tclosed\t2\t\t2\n"), "{event}");

    let second = "table,white_no,white,black_no,black\n1,2,\"Dupont, Emil\",1,\"Berg, Anna\"\n\
                  2,3,\"Ek, Freja\",4,\"Cole, Ben\"\n";
    let second = write(&dir, "round2.csv", second);
    said(&store, &["pairings", "load", &second, "--round", "2"]);
    said(&store, &["round", "start", "2"]);
    said(&store, &["results", "enter", "2.1=0-1", "2.2=1-0"]);
    let (text, told) = exported(&store, "2");
    assert!(
        told.contains(
            "still without a result, and left blank where the file has none (round.table): 1.2\n"
        ),
        "{told}"
    );
    assert!(text.contains("     4 b       1 w 0"), "{text}");

    said(&store, &["round", "resume", "1.2"]);
    let resumed = shown(&["round", "show", "1"]);
    assert!(
        resumed.contains("without a confirmed result: table 2\n"),
        "{resumed}"
    );
    said(&store, &["results", "enter", "1.2", "1/2-1/2"]);
    let (text, told) = exported(&store, "2");
    assert!(!told.contains("still without"), "{told}");
    assert!(text.contains("     4 b =     1 w 0"), "{text}");
    assert_eq!(
        said(&store, &["round", "show", "1"])["postponed"],
        json!([])
    );
    let verified = output(&["verify", "--dir", path]);
    assert!(verified.status.success(), "{verified:?}");
}
