//! Arrays that are set up wrongly, of tables where another game has ended before.

use arbiter_core::ruling::GameResult;
use tournament::Act;

use super::array::{begun, ordered, until};
use super::round::{draw, pawn, start};
use super::*;
use crate::store::Author;

/// Round 1 was played at the table, and its result is confirmed; round 2 is drawn.
pub(super) async fn between(table: &mut Table) {
    over(table).await;
    drawn(table).await;
}

async fn over(table: &mut Table) {
    begun(table, true).await;
    pawn(table, 20_000, [Square::E2, Square::E4], "e2e4").await;
    drawn_by_agreement(table).await;
}

async fn drawn_by_agreement(table: &Table) {
    let result = GameResult::Draw;
    ordered(table, ArbiterAction::Result { result, game: None }).await;
    let acts = [Act::Confirm { round: 1, table: 1 }];
    table.office.act(&Author::default(), &acts).await.unwrap();
}

async fn drawn(table: &Table) {
    let acts = [Act::CloseRound { round: 1 }, draw(2)];
    table.office.act(&Author::default(), &acts).await.unwrap();
    tokio::time::sleep(Duration::from_millis(20)).await;
}

/// The same, and so much was played in round 1 that nobody takes it back.
async fn opened(table: &mut Table) {
    begun(table, true).await;
    let moves = [
        (Square::E2, Square::E4, 'P', Color::White, "e2e4"),
        (Square::E7, Square::E5, 'p', Color::Black, "e7e5"),
        (Square::D2, Square::D4, 'P', Color::White, "d2d4"),
        (Square::D7, Square::D5, 'p', Color::Black, "d7d5"),
    ];
    let mut at = 20_000;
    for (from, to, seen, by, uci) in moves {
        table.change(at, from, '.').await;
        table.change(at + 500, to, seen).await;
        let (white_ms, black_ms) = (None, None);
        let press = Report::Press {
            by,
            white_ms,
            black_ms,
        };
        table.report(at + 1_000, press).await;
        table.heard(&[uci]).await;
        at += 2_000;
    }
    drawn_by_agreement(table).await;
    drawn(table).await;
}

/// These pieces stand there by now.
pub(super) async fn set_up(table: &Table, at: u64, board: &Board) {
    let reading = SensorClass::Piece.reads(board);
    table.report(at, Report::Snapshot(reading)).await;
    table.report(at + 3_000, Report::Alive).await;
    until(table, |state| {
        state.view().is_some_and(|view| view.state == Phase::Ended)
    })
    .await;
    tokio::time::sleep(Duration::from_millis(100)).await;
}

pub(super) async fn starts(table: &Table) {
    let (round, at) = (2, jiff::Timestamp::now().to_string());
    let acts = [Act::StartRound { round, at }];
    table.office.act(&Author::default(), &acts).await.unwrap();
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(table.office.book().event.not_begun(2), [1]);
}

/// Who plays before the start, and who plays from other pieces than those of the start.
fn told(table: &Table) -> (bool, bool) {
    let board = table.hall.board("b01").unwrap();
    (board.unawaited, board.unset.is_some())
}

/// The program ends and begins again, with these pieces on the board.
async fn again(table: Table, board: &Board) -> Table {
    let mut table = Table::at(table.close().await);
    super::early::stands(&table, board).await;
    table.heard(&["\"connected\":true"]).await;
    table
}

/// With White's pawn on d4.
fn played(board: &Board) -> Board {
    let mut board = board.clone();
    let white = board.remove_piece_at(Square::D2).unwrap();
    board.set_piece_at(Square::D4, white);
    board
}

pub(super) async fn plays(table: &Table, at: u64) {
    table.change(at, Square::D2, '.').await;
    table.change(at + 500, Square::D4, 'P').await;
}

fn exchanged(a: Square, b: Square) -> Board {
    let mut board = Board::new();
    let (on_a, on_b) = (board.remove_piece_at(a), board.remove_piece_at(b));
    board.set_piece_at(a, on_b.unwrap());
    board.set_piece_at(b, on_a.unwrap());
    board
}

pub(super) fn codes(table: &Table) -> Vec<String> {
    let board = table.hall.board("b01").unwrap();
    let found = board.view().unwrap().findings.iter();
    found.map(|f| f.irregularity.code.to_string()).collect()
}

#[tokio::test]
async fn a_game_begins_from_pieces_that_are_exchanged_and_that_is_found() {
    for started_first in [false, true] {
        let mut table = Table::new();
        between(&mut table).await;
        if started_first {
            starts(&table).await;
        }
        set_up(&table, 30_000, &exchanged(Square::D1, Square::E1)).await;
        if !started_first {
            starts(&table).await;
        }
        pawn(&mut table, 60_000, [Square::D2, Square::D4], "d2d4").await;
        assert_eq!(table.games()[0].row.tags.round, "2.1");
        assert!(table.office.book().event.not_begun(2).is_empty());
        assert_eq!(codes(&table), ["position-setup-wrong"]);
        table.close().await;
    }
}

/// The same where no game was played at the board before.
#[tokio::test]
async fn the_first_game_of_a_board_begins_from_them_too() {
    let mut table = Table::new();
    let acts = [draw(1), start(1)];
    table.office.act(&Author::default(), &acts).await.unwrap();
    super::early::stands(&table, &exchanged(Square::B1, Square::C1)).await;
    pawn(&mut table, 2_000, [Square::E2, Square::E4], "e2e4").await;
    assert_eq!(table.games()[0].row.tags.round, "1.1");
    assert_eq!(codes(&table), ["position-setup-wrong"]);
    assert!(!table.hall.board("b01").unwrap().unawaited);
    table.close().await;
}

/// They are put right before anybody plays: nothing is left of it.
#[tokio::test]
async fn what_is_exchanged_and_put_right_begins_a_game_without_a_finding() {
    let mut table = Table::new();
    between(&mut table).await;
    set_up(&table, 30_000, &exchanged(Square::B8, Square::C8)).await;
    starts(&table).await;
    // The first touch begins it.
    table.change(49_600, Square::B8, '.').await;
    let begins = |board: &BoardState| board.view().is_some_and(|v| v.state != Phase::Ended);
    until(&table, begins).await;
    let put_right = [(Square::C8, '.'), (Square::C8, 'b'), (Square::B8, 'n')];
    let mut at = 50_000;
    for (square, seen) in put_right {
        table.change(at, square, seen).await;
        at += 400;
    }
    table.report(at + 3_000, Report::Alive).await;
    pawn(&mut table, 60_000, [Square::D2, Square::D4], "d2d4").await;
    assert_eq!(table.games()[0].row.tags.round, "2.1");
    let board = table.hall.board("b01").unwrap();
    let findings = &board.view().unwrap().findings;
    let stands =
        |f: &arbiter_core::view::Finding| f.status != arbiter_core::view::FindingStatus::Withdrawn;
    assert!(!findings.iter().any(stands), "{findings:?}");
    table.close().await;
}

/// White sits on the other side in the next round, and the board was not turned with him.
#[tokio::test]
async fn a_game_begins_from_an_array_that_is_turned() {
    let mut table = Table::new();
    between(&mut table).await;
    let mut turned = Board::new();
    turned.rotate_180();
    set_up(&table, 30_000, &turned).await;
    starts(&table).await;
    pawn(&mut table, 60_000, [Square::E7, Square::E5], "d2d4").await;
    assert_eq!(table.games()[0].row.tags.round, "2.1");
    table.close().await;
}

/// A piece is missing, or stands where no first move brings it: who plays there is told.
#[tokio::test]
async fn play_from_pieces_that_are_missing_or_displaced_is_told() {
    let mut without = Board::new();
    without.discard_piece_at(Square::A1);
    let mut ahead = Board::new();
    let black = ahead.remove_piece_at(Square::E7).unwrap();
    ahead.set_piece_at(Square::E6, black);
    for board in [without, ahead] {
        let mut table = Table::new();
        between(&mut table).await;
        set_up(&table, 30_000, &board).await;
        starts(&table).await;
        assert_eq!(told(&table), (false, false));
        plays(&table, 60_000).await;
        until(&table, |board| board.unawaited && board.unset.is_some()).await;
        // It is known after a restart too.
        let mut table = again(table, &played(&board)).await;
        assert_eq!(told(&table), (true, true));
        // Once the pieces stand nobody plays, and the game begins with the next touch.
        set_up(&table, 70_000, &Board::new()).await;
        assert_eq!(told(&table), (false, false));
        pawn(&mut table, 80_000, [Square::D2, Square::D4], "d2d4").await;
        assert_eq!(table.games()[0].row.tags.round, "2.1");
        assert_eq!(codes(&table), Vec::<String>::new());
        table.close().await;
    }
}

/// Who plays from there before the round is started has begun too early, before and after the start
/// and after a restart.
#[tokio::test]
async fn play_before_the_start_stays_that_after_a_restart() {
    let mut without = Board::new();
    without.discard_piece_at(Square::A1);
    for started_first in [true, false] {
        let mut table = Table::new();
        opened(&mut table).await;
        set_up(&table, 40_000, &without).await;
        assert_eq!(told(&table), (false, false));
        plays(&table, 60_000).await;
        until(&table, |board| board.unawaited).await;
        assert_eq!(told(&table), (true, false));
        if started_first {
            starts(&table).await;
            assert_eq!(told(&table), (true, false));
        }
        let table = again(table, &played(&without)).await;
        assert_eq!(told(&table), (true, false));
        if !started_first {
            starts(&table).await;
            assert_eq!(told(&table), (true, false));
        }
        table.close().await;
    }
}

/// Something is shown from there between the rounds, where the last game was a short one: that is
/// no play, and what stands when the round is started may be played from.
#[tokio::test]
async fn what_is_shown_before_the_start_is_no_play_after_a_restart() {
    let mut without = Board::new();
    without.discard_piece_at(Square::A1);
    let mut table = Table::new();
    between(&mut table).await;
    set_up(&table, 30_000, &without).await;
    plays(&table, 40_000).await;
    table.report(45_000, Report::Alive).await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    starts(&table).await;
    assert_eq!(told(&table), (false, false));
    let table = again(table, &played(&without)).await;
    assert_eq!(told(&table), (false, false));
    table.close().await;
}

/// What stood when the round was drawn, or started, is what is played from.
#[tokio::test]
async fn what_stood_before_is_played_from_after_a_restart() {
    let mut without = Board::new();
    without.discard_piece_at(Square::A1);
    for drawn_first in [true, false] {
        let mut table = Table::new();
        match drawn_first {
            true => between(&mut table).await,
            false => {
                over(&mut table).await;
                set_up(&table, 30_000, &without).await;
                drawn(&table).await;
            }
        }
        if drawn_first {
            set_up(&table, 30_000, &without).await;
        }
        starts(&table).await;
        plays(&table, 60_000).await;
        until(&table, |board| board.unawaited && board.unset.is_some()).await;
        let table = again(table, &played(&without)).await;
        assert_eq!(told(&table), (true, true));
        table.close().await;
    }
}

/// Pieces that are put on one after the other are no play, be some of them on wrong squares first.
#[tokio::test]
async fn setting_up_is_no_play() {
    let mut table = Table::new();
    between(&mut table).await;
    let mut board = Board::new();
    let last = [Square::A8, Square::B8, Square::C8, Square::H7];
    for square in last {
        board.discard_piece_at(square);
    }
    set_up(&table, 30_000, &board).await;
    starts(&table).await;
    let mut at = 50_000;
    let put_on = [
        (Square::A8, 'n'),
        (Square::B8, 'r'),
        (Square::H6, 'p'),
        (Square::C6, 'b'),
        (Square::H6, '.'),
        (Square::H7, 'p'),
        (Square::C6, '.'),
        (Square::C8, 'b'),
    ];
    for (square, seen) in put_on {
        table.change(at, square, seen).await;
        at += 1_000;
        table.report(at, Report::Alive).await;
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert!(!table.hall.board("b01").unwrap().unawaited, "{square}");
    }
    assert_eq!(table.office.book().event.not_begun(2), [1]);
    table.close().await;
}

/// The game that began so is annulled while its pieces stand: it begins anew where they stand.
#[tokio::test]
async fn a_game_that_is_annulled_over_exchanged_pieces_begins_anew() {
    let mut table = Table::new();
    between(&mut table).await;
    set_up(&table, 30_000, &exchanged(Square::D1, Square::E1)).await;
    starts(&table).await;
    table.change(50_000, Square::G1, '.').await;
    table.change(50_500, Square::G1, 'N').await;
    until(&table, |board| {
        board.round == "2.1" && board.view().is_some_and(|v| v.state != Phase::Ended)
    })
    .await;
    let first = table.games()[0].row.id.clone();
    ordered(&table, ArbiterAction::Annul { game: None }).await;
    table.report(55_000, Report::Alive).await;
    pawn(&mut table, 60_000, [Square::D2, Square::D4], "d2d4").await;
    let games = table.games();
    assert_eq!(games[0].row.tags.round, "2.1");
    assert_ne!(games[0].row.id, first);
    assert_eq!(codes(&table), ["position-setup-wrong"]);
    table.close().await;
}

/// The array stood rightly when the round was started, and two pieces are exchanged then: whoever
/// touched them has begun the game, in which they are out of place. Once it is played from what
/// stands, it has begun from a wrong position.
#[tokio::test]
async fn a_game_is_played_from_pieces_that_are_exchanged_after_the_start() {
    let mut table = Table::new();
    between(&mut table).await;
    set_up(&table, 30_000, &Board::new()).await;
    starts(&table).await;
    let exchange = [
        (Square::D1, '.'),
        (Square::E1, '.'),
        (Square::D1, 'K'),
        (Square::E1, 'Q'),
    ];
    let mut at = 50_000;
    for (square, seen) in exchange {
        table.change(at, square, seen).await;
        at += 400;
    }
    table.report(at + 3_000, Report::Alive).await;
    let restores = |board: &BoardState| board.view().is_some_and(|view| view.restore.is_some());
    until(&table, restores).await;
    assert_eq!(codes(&table), ["piece-displaced"]);
    pawn(&mut table, 60_000, [Square::D2, Square::D4], "d2d4").await;
    until(&table, |board| !restores(board)).await;
    assert_eq!(table.games()[0].row.tags.round, "2.1");
    assert!(codes(&table).contains(&"position-setup-wrong".to_owned()));
    table.close().await;
}
