//! Nobody's name leaves the house.

use std::io::{Cursor, Read};
use std::sync::Arc;

use zip::ZipArchive;

use super::*;
use crate::journal::{Act, Journal};
use crate::store::Tags;

const GAME: &str = "2026-11-21-b01-1";
const SCRIPT: [&str; 3] = [
    r#"{"at":0,"event":"setup","game":"2026-11-21-b01-1","sensor":"piece"}"#,
    r#"{"at":900,"event":"lift","square":"e2"}"#,
    r#"{"at":1900,"event":"arbiter","action":"pause","order":"o-1","author":"Ada Kestrel"}"#,
];

fn store(dir: &Path) {
    let (journal, thread) = Journal::open(dir).unwrap();
    let game: Arc<str> = GAME.into();
    let begin = Act::Begin {
        game: game.clone(),
        board: "b01".into(),
        tags: Tags {
            white: "Wren, Olga".to_owned(),
            black: "Heron, Per".to_owned(),
            ..Tags::default()
        },
        started: "2026-11-21T09:00:00Z".to_owned(),
    };
    let events = (0..).zip(SCRIPT).map(|(seq, line)| Act::Event {
        game: game.clone(),
        seq,
        at: seq * 900,
        wall: 1_763_715_600_000,
        line: line.to_owned(),
    });
    let acts: Vec<Act> = [begin].into_iter().chain(events).collect();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    runtime.block_on(journal.write(acts.into())).unwrap();
    drop(journal);
    thread.join().unwrap();
}

fn texts(zip: Vec<u8>) -> Vec<(String, String)> {
    let mut zip = ZipArchive::new(Cursor::new(zip)).unwrap();
    let files = 0..zip.len();
    let read = |n| {
        let mut file = zip.by_index(n).unwrap();
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        (file.name().unwrap().into_owned(), text)
    };
    files.map(read).collect()
}

#[test]
fn a_bundle_holds_what_is_needed_and_nobodys_name() {
    let dir = tempfile::tempdir().unwrap();
    store(dir.path());
    let wanted = Wanted {
        dir: dir.path().to_owned(),
        configuration: Some(
            "[event]\nsite = \"Heron House\"\n[http]\nnames = [\n  \"hall.elm.lan\",\n]\n"
                .to_owned(),
        ),
        boards: Vec::new(),
        games: 2,
        log: Some(
            "nobody has an account: make it at http://127.0.0.1:80/setup.html#5ec2e7\n\
             b01: Wren, Olga against Per Heron, ruled by Ada Kestrel at 10.1.2.3\n"
                .to_owned(),
        ),
    };
    let mut zip = Cursor::new(Vec::new());
    let names = bundle(&wanted, &mut zip).unwrap();
    let texts = texts(zip.into_inner());
    assert_eq!(
        names,
        texts
            .iter()
            .map(|(name, _)| name.clone())
            .collect::<Vec<_>>()
    );
    for name in [
        "README.txt",
        "machine.json",
        "configuration.toml",
        "store.json",
        "log.txt",
    ] {
        assert!(
            names.iter().any(|there| there == name),
            "{name} of {names:?}"
        );
    }
    let whole: String = texts.iter().map(|(_, text)| text.as_str()).collect();
    for name in [
        "Wren", "Olga", "Heron", "Per ", "Ada", "Kestrel", "10.1.2.3", "5ec2e7", "elm.lan",
    ] {
        assert!(!whole.contains(name), "{name} stands in\n{whole}");
    }
    let script = texts
        .iter()
        .find(|(name, _)| *name == format!("games/{GAME}.jsonl"));
    let script = &script.unwrap().1;
    let events = crate::script::Reader::new("script", script.as_bytes());
    assert_eq!(
        events.filter_map(Result::ok).count(),
        SCRIPT.len(),
        "it can be replayed: {script}"
    );
}

#[test]
fn only_games_of_the_boards_that_are_named() {
    let dir = tempfile::tempdir().unwrap();
    store(dir.path());
    let mut wanted = Wanted {
        dir: dir.path().to_owned(),
        configuration: None,
        boards: vec!["b02".to_owned()],
        games: 2,
        log: None,
    };
    let mut names = |boards: &[&str]| {
        wanted.boards = boards.iter().map(|board| (*board).to_owned()).collect();
        bundle(&wanted, Cursor::new(Vec::new())).unwrap()
    };
    assert_eq!(
        names(&["b02"]),
        ["README.txt", "machine.json", "store.json"]
    );
    assert_eq!(names(&["b01"]).len(), 4);
}
