//! What is said while no program runs, or just before one is killed, is in the files of games once
//! one has started.

use super::persons::{FIRST, anna, erases, loads};
use super::*;

/// The same with a scribe, who shortens the names of whoever is younger.
pub(super) fn with_scribe(dir: &Path, under: Option<u8>) -> (House, JoinHandle<()>) {
    let minors = Minors::new(under);
    let (scribe, writing) = Scribe::start(dir, minors.clone()).unwrap();
    let House { office, thread } = open(dir);
    let ways = office.ways().take().map(|ways| Ways {
        scribe: Some(scribe),
        ..ways
    });
    *office.ways() = ways;
    let office = office.with_minors(minors);
    (House { office, thread }, writing)
}

/// Starts the first round; what is played at its first table is typed.
pub(super) async fn types_moves(house: &House) {
    let (round, table, at) = (1, 1, String::new());
    house.does(Act::StartRound { round, at }).await.unwrap();
    let typed = tournament::Typed {
        after: 0,
        moves: vec!["e4".to_owned()],
        ..tournament::Typed::default()
    };
    let reason = String::new();
    let moves = Act::Moves {
        round,
        table,
        typed,
        reason,
    };
    house.does(moves).await.unwrap();
}

/// The second round, whose file says how old somebody is who played in the first.
pub(super) fn born(house: &House, number: u16, birth: &str) -> Act {
    let event = &house.office.book().event;
    let player = tournament::Player {
        birth: birth.to_owned(),
        ..event.players[&number].clone()
    };
    let mut pairings = event.rounds[&1].pairings.clone();
    pairings[0].typed = None;
    Act::Draw {
        round: 2,
        date: String::new(),
        players: vec![player],
        pairings,
        file: None,
        players_file: None,
        encoding: None,
    }
}

/// The files of a round, after a program has run for no longer than it takes to write them.
async fn pages(dir: &Path, under: Option<u8>) -> [String; 2] {
    let (house, writing) = with_scribe(dir, under);
    house.office.catch_up().unwrap();
    ended(house, writing).await;
    ["table-1.pgn", "games.pgn"]
        .map(|name| std::fs::read_to_string(dir.join("pgn/round-1").join(name)).unwrap())
}

async fn ended(house: House, writing: JoinHandle<()>) {
    tokio::task::spawn_blocking(move || {
        house.close();
        writing.join().unwrap();
    })
    .await
    .unwrap();
}

/// A first round of which all was written.
async fn written(dir: &Path) {
    let (house, writing) = with_scribe(dir, None);
    loads(&house, FIRST).await;
    types_moves(&house).await;
    ended(house, writing).await;
    for page in pages(dir, None).await {
        assert!(page.contains("[White \"Berg, Anna\"]"), "{page}");
    }
}

/// Files have the time of the disk, which may be told in whole seconds.
async fn later() {
    tokio::time::sleep(std::time::Duration::from_millis(20)).await;
}

#[tokio::test]
async fn what_is_called_otherwise_while_nothing_runs_is_called_so_in_files() {
    let dir = tempfile::tempdir().unwrap();
    written(dir.path()).await;
    later().await;
    let house = open(dir.path());
    let details = Details {
        name: "Autumn Open".to_owned(),
        ..house.office.book().event.details.clone()
    };
    house.does(Act::Describe { details }).await.unwrap();
    let (player, short) = (3, Some(true));
    house.does(Act::Shorten { player, short }).await.unwrap();
    house.close();
    for page in pages(dir.path(), None).await {
        assert!(page.contains("[Event \"Autumn Open\"]"), "{page}");
        assert!(page.contains("[White \"B., Anna\"]"), "{page}");
    }
}

#[tokio::test]
async fn whoever_was_erased_before_the_files_were_written_is_not_in_them() {
    let dir = tempfile::tempdir().unwrap();
    written(dir.path()).await;
    later().await;
    let house = open(dir.path());
    erases(&house, &anna()).await.unwrap();
    house.close();
    for page in pages(dir.path(), None).await {
        assert!(
            !page.contains("Berg") && page.contains("[White \"Player"),
            "{page}"
        );
    }
}

#[tokio::test]
async fn whose_names_are_shortened_the_configuration_says_of_files_that_are_there_too() {
    let dir = tempfile::tempdir().unwrap();
    written(dir.path()).await;
    let (house, writing) = with_scribe(dir.path(), None);
    house.does(born(&house, 3, "2016/05/17")).await.unwrap();
    ended(house, writing).await;
    for (under, name) in [(None, "Berg, Anna"), (Some(18), "B., Anna")] {
        for page in pages(dir.path(), under).await {
            assert!(page.contains(&format!("[White \"{name}\"]")), "{page}");
        }
    }
}
