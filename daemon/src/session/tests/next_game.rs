//! The pieces are set up for the next game, and White begins before all of them stand.

use arbiter_core::ruling::GameResult;

use super::round::pawn;
use super::*;

/// A piece is carried from one square to another, and his clock pressed by whoever made a move.
async fn carry(
    table: &mut Table,
    at: &mut u64,
    [from, to]: [Square; 2],
    seen: char,
    by: Option<Color>,
) {
    table.change(*at, from, '.').await;
    table.change(*at + 300, to, seen).await;
    if let Some(by) = by {
        let press = Report::Press {
            by,
            white_ms: None,
            black_ms: None,
        };
        table.report(*at + 600, press).await;
    }
    *at += 1_000;
}

#[tokio::test]
async fn white_begins_the_next_game_while_black_still_sets_up() {
    let mut table = Table::new();
    table.up(SensorClass::Piece).await;
    let mut at = 1_000;
    let moves = [
        ([Square::E2, Square::E4], 'P', Color::White),
        ([Square::E7, Square::E5], 'p', Color::Black),
        ([Square::G1, Square::F3], 'N', Color::White),
        ([Square::B8, Square::C6], 'n', Color::Black),
        ([Square::D2, Square::D3], 'P', Color::White),
        ([Square::D7, Square::D6], 'p', Color::Black),
    ];
    for (squares, seen, by) in moves {
        carry(&mut table, &mut at, squares, seen, Some(by)).await;
    }
    table.heard(&["\"uci\":\"d7d6\""]).await;
    let won = Input::Arbiter(ArbiterAction::Result {
        game: None,
        result: GameResult::WhiteWins,
    });
    table.hall.order("b01", won).await.unwrap();
    table.heard(&["\"state\":\"ended\""]).await;
    at += 20_000;
    let (last, others) = moves.split_last().unwrap();
    for ([from, to], seen, _) in others {
        carry(&mut table, &mut at, [*to, *from], *seen, None).await;
    }
    table.change(at, last.0[1], '.').await;
    carry(&mut table, &mut at, [Square::E2, Square::E4], 'P', None).await;
    table.change(at, last.0[0], last.1).await;
    // Black answers before the pieces have stood for long.
    at += 900;
    let answered = [
        ([Square::C7, Square::C5], 'p', Color::Black),
        ([Square::G1, Square::F3], 'N', Color::White),
    ];
    for (squares, seen, by) in answered {
        carry(&mut table, &mut at, squares, seen, Some(by)).await;
    }
    table.heard(&["\"uci\":\"c7c5\"", "\"uci\":\"g1f3\""]).await;
    assert_eq!(table.games().len(), 2);
    let board = table.hall.board("b01").unwrap();
    let view = board.view().unwrap();
    let played: Vec<String> = view.plies.iter().map(|ply| ply.uci.to_string()).collect();
    assert_eq!(played, ["e2e4", "c7c5", "g1f3"]);
    assert!(view.findings.is_empty(), "{:?}", view.findings);
    table.close().await;
}

/// The arbiter lets the game before go on: what its board has seen since is that game's, and the
/// next one does not come back.
#[tokio::test]
async fn that_a_game_goes_on_is_not_taken_back_where_the_next_had_begun() {
    for has_begun in [false, true] {
        let mut table = Table::new();
        table.up(SensorClass::Piece).await;
        pawn(&mut table, 2_000, [Square::E2, Square::E4], "e2e4").await;
        let first = table.games()[0].row.id.clone();
        table.change(20_000, Square::E4, '.').await;
        table.change(20_500, Square::E2, 'P').await;
        table.report(24_000, Report::Alive).await;
        table.heard(&["\"kind\":\"game-ended\""]).await;
        if has_begun {
            pawn(&mut table, 30_000, [Square::D2, Square::D4], "d2d4").await;
        }
        let game = Some(first.as_str().into());
        let goes_on = Input::Arbiter(ArbiterAction::GoesOn { game });
        let order = table.hall.order("b01", goes_on).await.unwrap();
        let order = order.expect("a name").into();
        let back = Input::Arbiter(ArbiterAction::TakeBack { order });
        let taken = table.hall.order("b01", back).await;
        match has_begun {
            false => assert!(taken.is_ok(), "{taken:?}"),
            true => {
                let refused = taken.unwrap_err().to_string();
                assert!(refused.contains("annulled with it"), "{refused}");
            }
        }
        table.close().await;
    }
}
