//! Games that are begun by hand on boards that play in a round.

use arbiter_core::ruling::GameResult;
use tournament::Act;

use super::round::{draw, pawn, start};
use super::*;
use crate::hall::OrderError;
use crate::store::Author;

fn guest() -> NewGame {
    NewGame {
        white: Some("Guest".to_owned()),
        ..NewGame::default()
    }
}

async fn refused(table: &Table, game: NewGame) -> String {
    match table.hall.new_game("b01", game).await {
        Err(OrderError::Refused(reason)) => reason.kind.clone(),
        other => panic!("{other:?}"),
    }
}

/// Nobody takes the place of a game of the round, which may be annulled and played anew.
#[tokio::test]
async fn a_game_of_the_round_is_not_cut_off() {
    let mut table = Table::new();
    let (office, author) = (table.office.clone(), Author::default());
    office.act(&author, &[draw(1), start(1)]).await.unwrap();
    table.up(SensorClass::Piece).await;
    assert_eq!(refused(&table, guest()).await, "round-game-waits");
    pawn(&mut table, 2_000, [Square::E2, Square::E4], "e2e4").await;
    let begun = table.games().len();
    for game in [guest(), NewGame::default()] {
        assert_eq!(refused(&table, game).await, "round-game-open");
    }
    assert_eq!(table.games().len(), begun);

    // 7.2.1: the game shall be cancelled and a new game played.
    let annul = Input::Arbiter(ArbiterAction::Annul { game: None });
    table.hall.order("b01", annul).await.unwrap();
    table
        .hall
        .new_game("b01", NewGame::default())
        .await
        .unwrap();
    assert_eq!(table.games()[0].row.tags.round, "1.1");
    assert_eq!(table.games().len(), begun + 1);

    let result = GameResult::WhiteWins;
    let won = ArbiterAction::Result { result, game: None };
    table.hall.order("b01", Input::Arbiter(won)).await.unwrap();
    assert_eq!(refused(&table, guest()).await, "round-game-open");
    let confirmed = Act::Confirm { round: 1, table: 1 };
    office.act(&author, &[confirmed]).await.unwrap();
    table.hall.new_game("b01", guest()).await.unwrap();
    drop(office);
    table.close().await;
}

/// One that was cut off all the same comes back, and stays there when the program begins again.
#[tokio::test]
async fn a_game_that_was_cut_off_comes_back_to_its_board() {
    let mut table = Table::new();
    let (office, author) = (table.office.clone(), Author::default());
    office.act(&author, &[draw(1), start(1)]).await.unwrap();
    table.up(SensorClass::Piece).await;
    pawn(&mut table, 2_000, [Square::E2, Square::E4], "e2e4").await;
    let first = table.games()[0].row.id.clone();
    // So it was in a store of before: a game of no pairing on the board of a table in play.
    let acts = [result(), withdrawn()];
    office.act(&author, &acts[..1]).await.unwrap();
    table.hall.new_game("b01", guest()).await.unwrap();
    office.act(&author, &acts[1..]).await.unwrap();
    table.report(8_000, Report::Alive).await;
    assert_ne!(table.hall.board("b01").unwrap().game(), Some(&*first));
    table.hall.take_up(&first, "b01").await.unwrap();
    drop(office);
    let mut table = Table::at(table.close().await);
    let at_hand = |board: &BoardState| board.game().map(str::to_owned);
    for _ in 0..200 {
        if at_hand(&table.hall.board("b01").unwrap()).is_some() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(at_hand(&table.hall.board("b01").unwrap()), Some(first));
    let mut stood = Board::new();
    let piece = stood.remove_piece_at(Square::E2).unwrap();
    stood.set_piece_at(Square::E4, piece);
    super::early::stands(&table, &stood).await;
    let resume = Input::Arbiter(ArbiterAction::Resume);
    table.hall.order("b01", resume).await.unwrap();
    table.change(30_000, Square::E7, '.').await;
    table.change(30_500, Square::E5, 'p').await;
    let (by, white_ms, black_ms) = (Color::Black, None, None);
    let press = Report::Press {
        by,
        white_ms,
        black_ms,
    };
    table.report(31_000, press).await;
    table.heard(&["\"moves\":[\"e2e4\",\"e7e5\"]"]).await;
    table.close().await;
}

fn result() -> Act {
    Act::Result {
        round: 1,
        table: 1,
        codes: tournament::ResultCode::both("1-0").unwrap(),
        how: tournament::How::Typed,
        reason: String::new(),
    }
}

fn withdrawn() -> Act {
    Act::Withdraw {
        round: 1,
        table: 1,
        reason: "the wrong table".to_owned(),
    }
}
