//! Who plays before the round is started is known after a restart too.

use super::round::{draw, pawn, start};
use super::*;
use crate::store::Author;

/// Whether somebody plays who should not, as it is shown.
fn is_early(table: &Table) -> bool {
    table.hall.board("b01").is_some_and(|board| board.unawaited)
}

async fn does(table: &Table, act: tournament::Act) {
    let author = Author::default();
    table.office.act(&author, &[act]).await.unwrap();
}

/// A board comes up with these pieces on it.
pub(super) async fn stands(table: &Table, board: &Board) {
    let sensor = SensorClass::Piece;
    table
        .say(LinkEvent::Up {
            kind: BoardKind::Native,
            info: info(sensor),
            clock: table.clock,
            mark: None,
        })
        .await;
    table.report(0, Report::Snapshot(sensor.reads(board))).await;
}

/// The program ends and begins again, with the pawn on e4.
async fn again(table: Table) -> Table {
    let mut table = Table::at(table.close().await);
    let mut board = Board::new();
    let pawn = board.remove_piece_at(Square::E2).unwrap();
    board.set_piece_at(Square::E4, pawn);
    stands(&table, &board).await;
    table.heard(&["\"connected\":true"]).await;
    table
}

#[tokio::test]
async fn play_before_the_round_is_known_after_a_restart() {
    let mut table = Table::new();
    does(&table, draw(1)).await;
    table.up(SensorClass::Piece).await;
    tokio::time::sleep(Duration::from_millis(5)).await;
    pawn(&mut table, 2_000, [Square::E2, Square::E4], "e2e4").await;
    assert!(is_early(&table));
    let table = again(table).await;
    assert!(is_early(&table));
    // As without a restart, it is told once the round is started, too.
    does(&table, start(1)).await;
    let table = again(table).await;
    assert!(is_early(&table));
    table.close().await;
}

#[tokio::test]
async fn what_was_played_before_the_round_was_drawn_is_not_early() {
    let mut table = Table::new();
    table.up(SensorClass::Piece).await;
    pawn(&mut table, 2_000, [Square::E2, Square::E4], "e2e4").await;
    tokio::time::sleep(Duration::from_millis(5)).await;
    does(&table, draw(1)).await;
    let table = again(table).await;
    assert!(!is_early(&table));
    table.close().await;
}
