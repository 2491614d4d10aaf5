//! The arbiter has a game begin from pieces that did not stand as at its start.

use arbiter_core::shakmaty::fen::Fen;

use super::array::until;
use super::misplaced::{between, codes, plays, set_up, starts};
use super::*;
use crate::chess960::Chess960;
use crate::hall::{NewGame, OrderError};

/// What stands before anybody plays: White's rook on a1 is missing.
const STOOD: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kkq - 0 1";
/// And what stands after a half-move of each.
const STANDS: &str = "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/1NBQKBNR w Kkq - 0 1";

fn board(fen: &str) -> Board {
    let fen: Fen = fen.parse().unwrap();
    fen.as_setup().board.clone()
}

/// A half-move of each is played from there in round 2.
async fn played(table: &mut Table) {
    between(table).await;
    set_up(table, 30_000, &board(STOOD)).await;
    starts(table).await;
    plays(table, 60_000).await;
    press(table, 61_000, Color::White).await;
    table.change(62_000, Square::D7, '.').await;
    table.change(62_500, Square::D5, 'p').await;
    press(table, 63_000, Color::Black).await;
    until(table, |board| board.unset.is_some()).await;
}

async fn press(table: &Table, at: u64, by: Color) {
    let (white_ms, black_ms) = (None, None);
    let press = Report::Press {
        by,
        white_ms,
        black_ms,
    };
    table.report(at, press).await;
}

async fn begins(table: &Table, fen: &str, played: Option<bool>) -> Result<(), OrderError> {
    let fen = Some(fen.to_owned());
    let game = NewGame {
        fen,
        played,
        ..NewGame::default()
    };
    table.hall.new_game("b01", game).await
}

/// It begins with what stood when play began, and what was played since is in its record.
#[tokio::test]
async fn what_was_played_from_there_is_read_once_the_game_begins_with_it() {
    let mut table = Table::new();
    played(&mut table).await;
    let shown = table.hall.board("b01").unwrap();
    let unset = shown.unset.as_ref().unwrap();
    assert_eq!(
        (&*unset.round, unset.stood.as_deref()),
        ("2.1", Some(STOOD))
    );
    let refused = begins(&table, STANDS, Some(true)).await;
    assert!(
        format!("{refused:?}").contains("stood-otherwise"),
        "{refused:?}"
    );
    begins(&table, STOOD, Some(true)).await.unwrap();
    until(&table, |board| board.ply == 2).await;
    let shown = table.hall.board("b01").unwrap();
    let view = shown.view().unwrap();
    assert_eq!((&*shown.round, view.start_fen.as_str()), ("2.1", STOOD));
    assert_eq!((shown.unset.clone(), shown.unawaited), (None, false));
    assert_eq!(codes(&table), Vec::<String>::new());
    assert!(table.office.book().event.not_begun(2).is_empty());
    // It goes on, and stays so after a restart.
    table.change(70_000, Square::G1, '.').await;
    table.change(70_500, Square::F3, 'N').await;
    press(&table, 71_000, Color::White).await;
    until(&table, |board| board.ply == 3).await;
    let mut table = Table::at(table.close().await);
    table.heard(&["\"ply\":3"]).await;
    table.close().await;
}

/// A piece is taken off the board before the round is started, and missing when it is: nobody has
/// played too early.
#[tokio::test]
async fn what_is_taken_off_before_the_round_is_no_play() {
    let mut table = Table::new();
    between(&mut table).await;
    set_up(&table, 30_000, &Board::new()).await;
    table.change(40_000, Square::A8, '.').await;
    table.report(45_000, Report::Alive).await;
    starts(&table).await;
    assert!(!table.hall.board("b01").unwrap().unawaited);
    plays(&table, 60_000).await;
    until(&table, |board| board.unset.is_some()).await;
    let shown = table.hall.board("b01").unwrap();
    let stood = "1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1";
    assert_eq!(shown.unset.as_ref().unwrap().stood.as_deref(), Some(stood));
    table.close().await;
}

/// A piece that is put right later was wrong when play began all the same.
#[tokio::test]
async fn what_is_put_right_later_is_not_what_stood() {
    let stood = "1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBN1 w k - 0 1";
    let mut table = Table::new();
    between(&mut table).await;
    set_up(&table, 30_000, &board(stood)).await;
    starts(&table).await;
    plays(&table, 60_000).await;
    until(&table, |board| board.unset.is_some()).await;
    table.change(70_000, Square::A1, 'R').await;
    table.change(71_000, Square::H1, 'R').await;
    table.report(72_000, Report::Alive).await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    let shown = table.hall.board("b01").unwrap();
    let unset = shown.unset.as_ref().unwrap();
    assert_eq!(unset.stood.as_deref(), Some(stood));
    table.close().await;
}

/// It begins with what stands now, and the next one at the board with the usual array.
#[tokio::test]
async fn the_game_begins_with_what_stands_now() {
    let mut table = Table::new();
    played(&mut table).await;
    begins(&table, STANDS, None).await.unwrap();
    until(&table, |board| board.round == "2.1" && board.ply == 0).await;
    let shown = table.hall.board("b01").unwrap();
    assert_eq!(shown.view().unwrap().start_fen.as_str(), STANDS);
    assert_eq!(shown.unset, None);
    assert!(table.office.book().event.not_begun(2).is_empty());
    // A second one would take its place.
    assert!(begins(&table, STANDS, None).await.is_err());
    table.close().await;
}

/// Where nobody plays so, there is nothing that was played since.
#[tokio::test]
async fn nothing_was_played_where_nobody_has_begun() {
    let mut table = Table::new();
    between(&mut table).await;
    set_up(&table, 30_000, &board(STOOD)).await;
    starts(&table).await;
    let refused = begins(&table, STOOD, Some(true)).await;
    assert!(
        format!("{refused:?}").contains("not-played-unset"),
        "{refused:?}"
    );
    table.close().await;
}

/// What would be left out is refused, and no game begins.
#[tokio::test]
async fn what_cannot_be_of_the_game_is_refused() {
    let mut table = Table::new();
    between(&mut table).await;
    let fen = Some(STOOD.to_owned());
    let as_played = NewGame {
        played: Some(true),
        ..NewGame::default()
    };
    let with_fen = NewGame {
        fen: fen.clone(),
        ..as_played.clone()
    };
    is_refused(&table, with_fen, "played-of-no-round").await;
    is_refused(&table, as_played.clone(), "played-of-no-round").await;
    set_up(&table, 30_000, &board(STOOD)).await;
    starts(&table).await;
    is_refused(&table, as_played, "played-from-nowhere").await;
    let of_chess960 = NewGame {
        fen,
        chess960: Some(Chess960::Castling(true)),
        ..NewGame::default()
    };
    is_refused(&table, of_chess960, "variant-of-round").await;
    assert_eq!(table.office.book().event.not_begun(2), [1]);
    table.close().await;
}

async fn is_refused(table: &Table, game: NewGame, kind: &str) {
    let refused = table.hall.new_game("b01", game).await;
    assert!(format!("{refused:?}").contains(kind), "{refused:?}");
}
