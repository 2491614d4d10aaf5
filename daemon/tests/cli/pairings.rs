//! `arbiterd pairings check`: what is in the files of pairing programs.

use super::*;

const TRF: &str = include_str!("../../trf/tests/open.trf");

fn said(arguments: &[&str]) -> String {
    let output = output(arguments);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?}: {told}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_report_file_and_a_list_beside_it() {
    let dir = TempDir::new().unwrap();
    let (trf, list) = (
        write(&dir, "open.trf", TRF),
        write(&dir, "pairs.txt", "2\n2 1\n4 3\n"),
    );
    let text = said(&["pairings", "check", &trf]);
    for words in [
        "Harbour Open, round 3",
        "WIM Berg, Anna 2241",
        "in the order of the scores",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let arguments = [
        "pairings",
        "check",
        &list,
        "--players",
        &trf,
        "--round",
        "4",
        "--json",
    ];
    let plan: Value = serde_json::from_str(&said(&arguments)).unwrap();
    assert_eq!(
        (&plan["round"], &plan["pairings"][1]["white"]),
        (&4.into(), &4.into())
    );
    let (status, told) = failure(&["pairings", "check", &list, "--round", "4"]);
    let mut lines = told.lines();
    let first = lines.next().unwrap_or_default();
    assert_eq!((status, lines.count()), (2, 3), "{told}");
    assert!(
        first.contains("pairs.txt:2:1: there is no player 2"),
        "{told}"
    );
    fails(
        &["pairings", "check", &list, "--players", &trf],
        2,
        "the file does not say which round it has: say it (`--round N`)",
    );
    fails(
        &["pairings", "check", &trf, "--tables", "0-4"],
        2,
        "tables are a number, or two",
    );
    let only = said(&["pairings", "check", &trf, "--tables", "2"]);
    assert!(
        only.contains("Berg") && !only.contains("Cole, Ben 2180"),
        "{only}"
    );
}

/// What is wrong with the players is told of their file.
#[test]
fn defective_players_are_told_of_their_file() {
    let dir = TempDir::new().unwrap();
    let shifted = TRF.replace("Berg, Anna", "Berg, Annabel");
    let (trf, list) = (
        write(&dir, "open.trf", &shifted),
        write(&dir, "pairs.txt", "2\n2 1\n4 3\n"),
    );
    let store = dir.path().join("store").display().to_string();
    said(&["event", "new", "--name", "Open", "--dir", &store]);
    let players = ["--players", &trf, "--round", "4"];
    let load = ["pairings", "load", &list, "--dir", &store];
    for command in [&load[..], &["pairings", "check", &list]] {
        let (status, told) = failure(&[command, &players].concat());
        assert_eq!(status, 2);
        assert!(told.lines().all(|line| line.starts_with(&trf)), "{told}");
        assert!(told.contains("open.trf:9:"), "{told}");
    }
}

#[test]
fn a_defective_file_is_refused_line_by_line() {
    let dir = TempDir::new().unwrap();
    let file = write(
        &dir,
        "round.csv",
        "table,white,black,result\nx,A,B,\n2,C,D,9-0\n",
    );
    let (status, told) = failure(&["pairings", "check", &file]);
    assert_eq!(status, 2);
    let ends = [":2:1: `x` is no number", ":3:4: `9-0` is no result"];
    assert_eq!(told.lines().count(), 2, "{told}");
    for (line, end) in told.lines().zip(ends) {
        assert!(line.contains(end), "{line}");
    }
    fails(
        &["pairings", "check", "nowhere.trf"],
        2,
        "nowhere.trf: No such file",
    );
}

#[test]
fn a_workbook() {
    let list = "tournament/tests/round-5.xlsx";
    let text = said(&["pairings", "check", list]);
    for words in ["round 5", "WIM Müller-Łódź, Anna 2241", "½-½", "+/-"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    fails(
        &["pairings", "check", list, "--round", "6"],
        2,
        "round-5.xlsx: sheet Pairings, row 1, column 1: a title says round 5",
    );
}

/// Line and column behind the file's name.
fn has_place(told: &str, file: &str) -> bool {
    let rest = told.split_once(file).map_or("", |(_, rest)| rest);
    let mut parts = rest.split(':').skip(1);
    let mut number = || parts.next().is_some_and(|part| part.parse::<u32>().is_ok());
    number() && number()
}

#[test]
fn every_defective_file_is_told_with_its_place() {
    let files = fs::read_dir("tournament/tests/defective").unwrap();
    for file in files {
        let path = file.unwrap().path();
        let path = path.to_str().unwrap();
        if path.ends_with("markup-in-a-name.csv") {
            let odd = said(&["pairings", "check", path, "--round", "1"]);
            assert!(odd.contains("has odd characters: "), "{path}: {odd}");
            continue;
        }
        let (status, told) = failure(&["pairings", "check", path]);
        assert_eq!(status, 2, "{path}: {told}");
        for line in told.lines() {
            assert!(has_place(line, path), "{line}");
        }
    }
}
