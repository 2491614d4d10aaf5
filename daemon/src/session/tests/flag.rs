//! A flag that a clock tells to have fallen.

use arbiter_core::ruling::GameResult;

use super::array::until;
use super::*;

#[tokio::test]
async fn a_flag_that_a_board_says_has_fallen_ends_the_game_once_somebody_says_so() {
    let mut table = Table::new();
    table.up(SensorClass::Piece).await;
    table.heard(&["\"update\":\"board\""]).await;
    table.report(5_000, Report::ClockRuns(true)).await;
    let by = Color::White;
    table.report(60_000, Report::FlagFall { by }).await;
    table
        .heard(&["\"result\":\"0-1\"", "\"reason\":\"flag-fall\""])
        .await;
    let shown = |table: &Table| {
        let board = table.hall.board("b01").unwrap();
        board.view().unwrap().result.map(|result| result.proposed)
    };
    until(&table, |board| board.view().unwrap().result.is_some()).await;
    assert_eq!(shown(&table), Some(true));
    // It had not, and what was played on meanwhile is of the game once play goes on.
    table.change(61_000, Square::E2, '.').await;
    table.change(61_500, Square::E4, 'P').await;
    let (white_ms, black_ms, by) = (Some(60_000), Some(60_000), Color::White);
    let press = Report::Press {
        by,
        white_ms,
        black_ms,
    };
    table.report(62_000, press).await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    let result = GameResult::Open;
    let goes_on = Input::Arbiter(ArbiterAction::Result { result, game: None });
    table.hall.order("b01", goes_on).await.unwrap();
    until(&table, |board| board.view().unwrap().result.is_none()).await;
    table.change(70_000, Square::E7, '.').await;
    table.change(70_500, Square::E5, 'p').await;
    let by = Color::Black;
    let press = Report::Press {
        by,
        white_ms,
        black_ms,
    };
    table.report(71_000, press).await;
    table.report(75_000, Report::Alive).await;
    until(&table, |board| board.ply == 2).await;
    // Or it had: whose word that is stands in the game.
    let fall = Input::FlagFall { by };
    table.hall.order("b01", fall).await.unwrap();
    until(&table, |board| board.view().unwrap().result.is_some()).await;
    assert_eq!(shown(&table), Some(false));
    table.close().await;
}
