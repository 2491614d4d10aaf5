//! A board takes what its sensors read as their zero.

use super::*;
use crate::hall::OrderError;

/// Why the board is not calibrated.
async fn refused(table: &Table) -> String {
    match table.hall.calibrate("b01").await {
        Err(OrderError::Refused(reason)) => reason.kind,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_board_is_calibrated_between_games_and_empty() {
    let mut table = Table::new();
    assert_eq!(refused(&table).await, "board-away");
    table.up(SensorClass::Occupancy).await;
    table.heard(&["\"analogue\":false"]).await;
    assert_eq!(refused(&table).await, "board-not-analogue");
    let analogue = BoardInfo {
        levels: true,
        ..info(SensorClass::Occupancy)
    };
    table
        .say(LinkEvent::Up {
            kind: BoardKind::Native,
            info: analogue,
            clock: table.clock,
            mark: None,
        })
        .await;
    let array = SensorClass::Occupancy.reads(&Board::new());
    table.report(10, Report::Snapshot(array)).await;
    table.heard(&["\"analogue\":true"]).await;
    assert_eq!(refused(&table).await, "board-not-empty");
    table.change(2_000, Square::E2, '.').await;
    table.change(2_500, Square::E4, '?').await;
    table.heard(&["\"ply\":1", "\"moves\":[\"e2e4\"]"]).await;
    assert_eq!(refused(&table).await, "board-in-play");
    table.close().await;
}

#[tokio::test]
async fn an_empty_board_is_told_to_take_its_zero() {
    let mut table = Table::new();
    table
        .say(LinkEvent::Up {
            kind: BoardKind::Native,
            info: BoardInfo {
                levels: true,
                ..info(SensorClass::Occupancy)
            },
            clock: table.clock,
            mark: None,
        })
        .await;
    let empty = SensorClass::Occupancy.reads(&Board::empty());
    table.report(0, Report::Snapshot(empty)).await;
    table.heard(&["\"analogue\":true"]).await;
    table.hall.calibrate("b01").await.unwrap();
    let told = async {
        while let Some(wish) = table.wishes.recv().await {
            if wish == Command::Calibrate {
                return;
            }
        }
        panic!("the board was not told");
    };
    tokio::time::timeout(PATIENCE, told).await.unwrap();
    table.close().await;
}
