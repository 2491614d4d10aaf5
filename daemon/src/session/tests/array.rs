//! Games that end where they began, and the next one at their table.

use arbiter_core::ruling::GameResult;
use tournament::Act;

use super::round::{draw, pawn, start};
use super::*;
use crate::store::Author;

/// Round 1 is played: White's and Black's knights go out and home again, or nobody moves.
pub(super) async fn begun(table: &mut Table, moves: bool) {
    let author = Author::default();
    let acts = [draw(1), start(1)];
    table.office.act(&author, &acts).await.unwrap();
    table.up(SensorClass::Piece).await;
    if !moves {
        // A touched piece begins the game.
        table.change(2_000, Square::E2, '.').await;
        table.change(2_500, Square::E2, 'P').await;
        let end = Instant::now() + PATIENCE;
        while table.office.book().event.not_begun(1) == [1] {
            assert!(Instant::now() < end, "in time");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        return;
    }
    let there_and_back = [
        (Square::G1, Square::F3, 'N', Color::White),
        (Square::G8, Square::F6, 'n', Color::Black),
        (Square::F3, Square::G1, 'N', Color::White),
        (Square::F6, Square::G8, 'n', Color::Black),
    ];
    let mut at = 2_000;
    for (from, to, seen, by) in there_and_back.into_iter().chain(there_and_back) {
        table.change(at, from, '.').await;
        table.change(at + 500, to, seen).await;
        let (white_ms, black_ms) = (None, None);
        let press = Report::Press {
            by,
            white_ms,
            black_ms,
        };
        table.report(at + 1_000, press).await;
        at += 2_000;
    }
    table.heard(&["\"ply\":8"]).await;
}

pub(super) async fn until(table: &Table, is_so: impl Fn(&BoardState) -> bool) {
    for _ in 0..400 {
        if table.hall.board("b01").is_some_and(|board| is_so(&board)) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{:#?}", table.hall.boards());
}

pub(super) async fn ordered(table: &Table, action: ArbiterAction) {
    let input = Input::Arbiter(action);
    table.hall.order("b01", input).await.unwrap();
    until(table, |board| {
        board.view().is_some_and(|view| view.state == Phase::Ended)
    })
    .await;
}

/// The next round is started over pieces that are home already: its game begins with the first
/// move.
async fn next_round_is_played(table: &mut Table) {
    let (office, author) = (table.office.clone(), Author::default());
    let confirmed = Act::Confirm { round: 1, table: 1 };
    let acts = [confirmed, Act::CloseRound { round: 1 }, draw(2), start(2)];
    office.act(&author, &acts).await.unwrap();
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(office.book().event.not_begun(2), [1]);
    pawn(table, 60_000, [Square::D2, Square::D4], "d2d4").await;
    assert_eq!(table.games()[0].row.tags.round, "2.1");
    assert!(office.book().event.not_begun(2).is_empty());
}

#[tokio::test]
async fn the_next_game_begins_where_the_one_before_ended_at_the_start() {
    for moves in [true, false] {
        let mut table = Table::new();
        begun(&mut table, moves).await;
        let result = GameResult::Draw;
        ordered(&table, ArbiterAction::Result { result, game: None }).await;
        next_round_is_played(&mut table).await;
        table.close().await;
    }
}

#[tokio::test]
async fn it_begins_so_after_a_restart_too() {
    let mut table = Table::new();
    begun(&mut table, true).await;
    let result = GameResult::Draw;
    ordered(&table, ArbiterAction::Result { result, game: None }).await;
    let mut table = Table::at(table.close().await);
    table.up(SensorClass::Piece).await;
    next_round_is_played(&mut table).await;
    table.close().await;
}

/// Annulled where its pieces stand at home, the game is played anew without anybody setting up
/// anything.
#[tokio::test]
async fn a_game_that_is_annulled_at_the_start_is_played_anew() {
    for moves in [true, false] {
        let mut table = Table::new();
        begun(&mut table, moves).await;
        let first = table.games()[0].row.id.clone();
        ordered(&table, ArbiterAction::Annul { game: None }).await;
        table.report(50_000, Report::Alive).await;
        pawn(&mut table, 60_000, [Square::D2, Square::D4], "d2d4").await;
        let games = table.games();
        assert_eq!(games[0].row.tags.round, "1.1");
        assert_ne!(games[0].row.id, first);
        table.close().await;
    }
}

/// Of two games of one pairing one counts: the annulment of the first is taken back once the second
/// is annulled.
#[tokio::test]
async fn an_annulment_is_not_taken_back_while_the_game_is_played_anew() {
    let mut table = Table::new();
    begun(&mut table, true).await;
    let first = table.games()[0].row.id.clone();
    let annul = Input::Arbiter(ArbiterAction::Annul { game: None });
    let order = table.hall.order("b01", annul.clone()).await.unwrap();
    let order = order.unwrap().into();
    table.report(50_000, Report::Alive).await;
    pawn(&mut table, 60_000, [Square::D2, Square::D4], "d2d4").await;
    let back = Input::Arbiter(ArbiterAction::TakeBack { order });
    let refused = table.hall.rule(&first, "b01", back.clone()).await;
    assert!(
        format!("{refused:?}").contains("played-anew"),
        "{refused:?}"
    );
    table.hall.order("b01", annul).await.unwrap();
    until(&table, |_| game_of_round(&table).is_none()).await;
    table.hall.rule(&first, "b01", back).await.unwrap();
    until(&table, |_| game_of_round(&table) == Some(first.clone())).await;
    table.close().await;
}

/// Taken back at once it is the game of its round again, with the result that is ordered in it.
#[tokio::test]
async fn a_game_counts_in_its_round_again_once_its_annulment_is_taken_back() {
    let mut table = Table::new();
    begun(&mut table, true).await;
    let first = game_of_round(&table);
    let annul = Input::Arbiter(ArbiterAction::Annul { game: None });
    let order = table.hall.order("b01", annul).await.unwrap();
    until(&table, |_| game_of_round(&table).is_none()).await;
    let order = order.unwrap().into();
    let back = Input::Arbiter(ArbiterAction::TakeBack { order });
    table.hall.order("b01", back).await.unwrap();
    until(&table, |_| game_of_round(&table) == first).await;
    let result = GameResult::Draw;
    ordered(&table, ArbiterAction::Result { result, game: None }).await;
    let game = first.unwrap();
    until(&table, |_| {
        let book = table.office.book();
        let pairing = book.event.pairing(1, 1).unwrap();
        pairing.outcome.is_some() && pairing.annulled_games.is_empty()
    })
    .await;
    assert_eq!(table.office.book().seat_of(&game), Some((1, (1, 1))));
    table.close().await;
}

fn game_of_round(table: &Table) -> Option<String> {
    let book = table.office.book();
    book.event.pairing(1, 1).unwrap().game.clone()
}

/// Who plays before the round is started is told, where the pieces never left their homes.
#[tokio::test]
async fn early_play_is_told_where_the_game_before_ended_at_the_start() {
    let mut table = Table::new();
    begun(&mut table, true).await;
    let result = GameResult::Draw;
    ordered(&table, ArbiterAction::Result { result, game: None }).await;
    let author = Author::default();
    let confirmed = Act::Confirm { round: 1, table: 1 };
    let acts = [confirmed, Act::CloseRound { round: 1 }, draw(2)];
    table.office.act(&author, &acts).await.unwrap();
    tokio::time::sleep(Duration::from_millis(200)).await;
    table.change(60_000, Square::D2, '.').await;
    table.change(60_500, Square::D4, 'P').await;
    until(&table, |board| board.unawaited).await;
    table.close().await;
}
