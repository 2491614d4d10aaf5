//! The file is always the last page, as a whole.

use arbiter_core::{Event, Input, SensorClass, Setup, Time};

use super::*;
use crate::hall;
use crate::mating::Follower;

/// A board after `lines` of a script.
fn board(lines: &[&str]) -> Arc<BoardState> {
    let mut follower = Follower::new();
    let setup = Setup {
        game: "g-1".to_owned(),
        ..Setup::new(SensorClass::Piece)
    };
    follower.handle(
        &Event {
            at: Time(0),
            input: Input::Setup(setup.into()),
        },
        &mut Vec::new(),
    );
    for line in lines {
        follower.handle(
            &serde_json::from_str(line).expect("an event"),
            &mut Vec::new(),
        );
    }
    let mut board = BoardState::new("b01", None);
    let view = hall::view(follower.arbiter(), None).expect("a game");
    board.show(Arc::new(view), crate::hall::Running::default());
    Arc::new(board)
}

fn page(board: Arc<BoardState>) -> Page {
    Page::Board {
        tags: Tags {
            white: "Anna".to_owned(),
            ..Tags::default()
        },
        board,
    }
}

const E4: [&str; 3] = [
    r#"{"at":100,"event":"lift","square":"e2"}"#,
    r#"{"at":500,"event":"place","square":"e4","seen":"P"}"#,
    r#"{"at":900,"event":"press","by":"white"}"#,
];

#[test]
fn the_last_page_is_in_the_file_when_the_scribe_has_ended() {
    let dir = tempfile::tempdir().unwrap();
    let (scribe, thread) = Scribe::start(dir.path(), Default::default()).unwrap();
    for played in 0..=E4.len() {
        scribe.keep(page(board(&E4[..played])));
    }
    drop(scribe);
    thread.join().unwrap();
    let file = dir.path().join("pgn/g-1.pgn");
    let text = fs::read_to_string(&file).unwrap();
    assert!(
        text.contains("[White \"Anna\"]") && text.contains("1. e4"),
        "{text}"
    );
    assert_eq!(
        fs::read_dir(file.parent().unwrap()).unwrap().count(),
        1,
        "no half file is left"
    );
}

#[test]
fn a_game_that_goes_on_is_written_now_and_then_and_a_finished_one_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let mut desk = Desk {
        minors: Minors::default(),
        directory: dir.path().to_owned(),
        pages: HashMap::new(),
        rounds: BTreeMap::new(),
    };
    let file = dir.path().join("g-1.pgn");
    desk.put(page(board(&[])));
    assert!(file.exists(), "the first page does not wait");
    desk.put(page(board(&E4)));
    assert!(
        !fs::read_to_string(&file).unwrap().contains("1. e4"),
        "the next one does"
    );
    let resigned = [&E4[..], &[r#"{"at":1000,"event":"resign","by":"black"}"#]].concat();
    desk.put(page(board(&resigned)));
    let text = fs::read_to_string(&file).unwrap();
    assert!(
        text.contains("1. e4") && text.contains("[Result \"1-0\"]"),
        "{text}"
    );
}

#[test]
fn a_page_that_cannot_be_written_is_kept_for_later() {
    let dir = tempfile::tempdir().unwrap();
    let missing = dir.path().join("later");
    let mut desk = Desk {
        minors: Minors::default(),
        directory: missing.clone(),
        pages: HashMap::new(),
        rounds: BTreeMap::new(),
    };
    desk.put(page(board(&E4)));
    fs::create_dir(&missing).unwrap();
    desk.write_due(Instant::now() + PAUSE * 20);
    assert!(
        fs::read_to_string(missing.join("g-1.pgn"))
            .unwrap()
            .contains("1. e4")
    );
}

/// A file as the public reads it has short names; another player may be called like that too.
#[test]
fn whoever_is_erased_is_found_by_his_short_name_too() {
    let names = |name: &str| BTreeMap::from([(name.to_owned(), "Player 7".to_owned())]);
    let renaming = Renaming {
        names: names("Berg, Anna"),
        short: names("B., Anna"),
        shared: names("C., Eva"),
        games: BTreeSet::from(["g-1".to_owned()]),
        seats: BTreeSet::from([("Open".to_owned(), "3.1".to_owned())]),
        events: None,
    };
    let page = |game: &str, name: &str| format!("[GameId \"{game}\"]\n[White \"{name}\"]\n\n*\n");
    for name in ["Berg, Anna", "B., Anna"] {
        assert_eq!(renaming.of(&page("g-9", name)), page("g-9", "Player 7"));
    }
    assert_eq!(
        renaming.of(&page("g-1", "C., Eva")),
        page("g-1", "Player 7")
    );
    assert_eq!(renaming.of(&page("g-9", "C., Eva")), page("g-9", "C., Eva"));
    let typed =
        |name: &str| format!("[Event \"Open\"]\n[Round \"3.1\"]\n[White \"{name}\"]\n\n*\n");
    assert_eq!(renaming.of(&typed("C., Eva")), typed("Player 7"));
}
