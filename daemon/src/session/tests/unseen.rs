//! Pieces are set up for the game of a pairing, and played with, while their board is out of sight.

use arbiter_core::shakmaty::san::San;
use arbiter_core::shakmaty::{Chess, Move, Position};

use super::array::until;
use super::misplaced::{between, codes, starts};
use super::*;

const PLAYED: [&str; 10] = [
    "e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "Nc3", "Be7",
];

fn after(sans: &[&str]) -> Chess {
    let play = |pos: Chess, san: &&str| {
        let m = san.parse::<San>().unwrap().to_move(&pos).unwrap();
        pos.play(m).unwrap()
    };
    sans.iter().fold(Chess::default(), play)
}

fn reads(sans: &[&str]) -> Reading {
    SensorClass::Piece.reads(after(sans).board())
}

/// Round 2 is under way, the game before still stands on the board, and the next thing that is
/// heard of it is what stands after so many half-moves of round 2.
async fn comes_back(table: &mut Table, plies: usize) {
    between(table).await;
    starts(table).await;
    table
        .report(30_000, Report::Snapshot(reads(&PLAYED[..plies])))
        .await;
}

/// Plays a half-move that is seen.
async fn plays(table: &Table, at: u64, n: usize) {
    let before = after(&PLAYED[..n]);
    let m = PLAYED[n].parse::<San>().unwrap().to_move(&before).unwrap();
    let Move::Normal { from, to, .. } = m else {
        panic!("{m:?}");
    };
    let piece = before.board().piece_at(from).unwrap();
    table.change(at, from, '.').await;
    table.change(at + 500, to, piece.char()).await;
    let (white_ms, black_ms, by) = (None, None, before.turn());
    let press = Report::Press {
        by,
        white_ms,
        black_ms,
    };
    table.report(at + 1_000, press).await;
}

#[tokio::test]
async fn what_was_played_out_of_sight_is_of_the_game() {
    let mut table = Table::new();
    comes_back(&mut table, 5).await;
    // Before anybody goes on it is asked: nobody is missing at this table.
    until(&table, |board| board.unset.is_some()).await;
    assert_eq!(table.office.book().event.not_begun(2), [1]);
    plays(&table, 60_000, 5).await;
    until(&table, |board| board.round == "2.1" && board.ply == 6).await;
    plays(&table, 62_000, 6).await;
    until(&table, |board| board.ply == 7).await;
    let board = table.hall.board("b01").unwrap();
    let view = board.view().unwrap();
    let played: Vec<&str> = view.plies.iter().map(|ply| &*ply.san).collect();
    assert_eq!(played, PLAYED[..7]);
    assert!(board.unset.is_none() && !board.unawaited);
    assert_eq!(codes(&table), Vec::<String>::new());
    table.close().await;
}

/// More was played than anybody can find out: with what it began, somebody has to say.
#[tokio::test]
async fn what_is_too_much_to_be_found_out_is_asked() {
    let mut table = Table::new();
    comes_back(&mut table, 7).await;
    plays(&table, 60_000, 7).await;
    until(&table, |board| board.unset.is_some()).await;
    plays(&table, 62_000, 8).await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    let board = table.hall.board("b01").unwrap();
    let stood = board.unset.as_ref().unwrap().stood.clone().unwrap();
    let stands = after(&PLAYED[..7]).board().board_fen().to_string();
    assert_eq!(stood.split(' ').next(), Some(&*stands));
    assert_eq!(table.office.book().event.not_begun(2), [1]);
    table.close().await;
}

/// Pieces that are being put back are no play.
#[tokio::test]
async fn putting_back_what_was_played_before_begins_no_game() {
    let mut table = Table::new();
    comes_back(&mut table, 3).await;
    table.change(60_000, Square::F3, '.').await;
    table.change(60_500, Square::G1, 'N').await;
    let (white_ms, black_ms, by) = (None, None, Color::White);
    let press = Report::Press {
        by,
        white_ms,
        black_ms,
    };
    table.report(61_000, press).await;
    table.change(62_000, Square::E4, '.').await;
    table.change(62_500, Square::E2, 'P').await;
    table.change(63_000, Square::E5, '.').await;
    table.change(63_500, Square::E7, 'p').await;
    table.report(67_000, Report::Alive).await;
    until(&table, |board| board.unset.is_none() && !board.unawaited).await;
    assert_eq!(table.office.book().event.not_begun(2), [1]);
    table.close().await;
}
