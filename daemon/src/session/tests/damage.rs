//! A game that is not on disk as it was written.

use rusqlite::Connection;

use super::round::{draw, start};
use super::*;
use crate::store::{Author, FILE};

/// A store with a game of some events, of which one is other than it was written.
async fn damaged() -> tempfile::TempDir {
    damaged_of(Table::new()).await
}

async fn damaged_of(mut table: Table) -> tempfile::TempDir {
    table.up(SensorClass::Piece).await;
    table.change(2_000, Square::E2, '.').await;
    table.change(2_500, Square::E4, 'P').await;
    table.heard(&["e2e4"]).await;
    let dir = table.close().await;
    let db = Connection::open(dir.path().join(FILE)).unwrap();
    let change = "UPDATE events SET line = replace(line, 'e4', 'e3') WHERE line LIKE '%e4%'";
    assert_eq!(db.execute(change, []).unwrap(), 1);
    dir
}

#[tokio::test]
async fn a_damaged_game_is_a_fault_until_a_new_one_is_begun() {
    let dir = damaged().await;
    let mut table = Table::at(dir);
    let words = "is damaged at event 4: it does not fit its checksum; start a new game";
    let said = table.heard(&["\"fault\":\"the game 20", words]).await;
    assert!(!said.contains("e2e"), "{said}");
    // Nobody has looked at it yet: the board does not go on by itself.
    table.up(SensorClass::Piece).await;
    table.change(4_000, Square::D2, '.').await;
    table.heard(&["\"connected\":true", words]).await;
    table.quiet_for(Duration::from_millis(300), &["d2"]).await;
    assert_eq!(table.games().len(), 1);

    table
        .report(
            5_000,
            Report::Snapshot(SensorClass::Piece.reads(&Board::new())),
        )
        .await;
    let begun = table.hall.new_game("b01", NewGame::default()).await;
    assert_eq!(begun, Ok(()));
    table.heard(&["\"fault\":null"]).await;
    table.change(6_000, Square::D2, '.').await;
    table.change(6_500, Square::D4, 'P').await;
    table.heard(&["d2d4"]).await;
    let games = table.games();
    assert_eq!(games.len(), 2);
    assert!(games[0].row.damage.is_none() && games[1].row.damage.is_some());
    assert_eq!(games[1].events.len(), 4);
    table.close().await;
}

/// Nobody can annul what is not followed: at a table of the round as well another game is begun.
#[tokio::test]
async fn a_damaged_game_of_the_round_is_followed_by_another() {
    let table = Table::new();
    let acts = [draw(1), start(1)];
    table.office.act(&Author::default(), &acts).await.unwrap();
    let mut table = Table::at(damaged_of(table).await);
    table.heard(&["it does not fit its checksum"]).await;
    table.up(SensorClass::Piece).await;
    table.heard(&["\"connected\":true"]).await;
    assert_eq!(table.games()[0].row.tags.round, "1.1");
    let begun = table.hall.new_game("b01", NewGame::default()).await;
    assert_eq!(begun, Ok(()));
    table.heard(&["\"fault\":null"]).await;
    table.close().await;
}

#[tokio::test]
async fn a_damaged_memory_of_a_board_is_a_fault_and_not_used() {
    let dir = damaged().await;
    let store = Store::open(dir.path()).unwrap();
    let db = Connection::open(dir.path().join(FILE)).unwrap();
    db.execute("UPDATE events SET line = replace(line, 'e3', 'e4')", [])
        .unwrap();
    db.execute(
        "INSERT INTO memories (board, text) VALUES ('b01', 'wrong')",
        [],
    )
    .unwrap();
    drop(db);
    assert!(store.memory("b01").is_err());
    let mut table = Table::at(dir);
    table
        .heard(&["what the journal knew of the board is damaged", "e2e4"])
        .await;
    table.close().await;
}
