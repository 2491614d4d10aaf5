//! Games whose result a person has said: they are over on their board.

use tournament::{Act, How, ResultCode};

use super::round::{draw, pawn, start};
use super::*;
use crate::store::Author;

fn result(codes: &str, reason: &str) -> Act {
    Act::Result {
        round: 1,
        table: 1,
        codes: ResultCode::both(codes).unwrap(),
        how: How::Typed,
        reason: reason.to_owned(),
    }
}

fn withdrawn() -> Act {
    Act::Withdraw {
        round: 1,
        table: 1,
        reason: "the wrong table".to_owned(),
    }
}

async fn done(table: &Table, acts: &[Act]) {
    table.office.act(&Author::default(), acts).await.unwrap();
}

/// The game of the first round, after 1. e4.
async fn begun() -> Table {
    let mut table = Table::new();
    done(&table, &[draw(1), start(1)]).await;
    table.up(SensorClass::Piece).await;
    pawn(&mut table, 2_000, [Square::E2, Square::E4], "e2e4").await;
    table
}

/// Black answers, and presses.
async fn answered(table: &Table, at: u64, [from, to]: [Square; 2]) {
    table.change(at, from, '.').await;
    table.change(at + 500, to, 'p').await;
    let (white_ms, black_ms) = (None, None);
    let by = Color::Black;
    let press = Report::Press {
        by,
        white_ms,
        black_ms,
    };
    table.report(at + 1_000, press).await;
    table.report(at + 4_000, Report::Alive).await;
}

fn moves(table: &Table) -> Vec<String> {
    let kept = table.games().remove(0);
    let plies = kept.view().unwrap().plies;
    plies.iter().map(|ply| ply.uci.to_string()).collect()
}

/// Whether the game goes on is asked for with a round trip: what was said before is heard by then.
async fn refused(table: &Table, input: Input) -> String {
    let refused = table.hall.order("b01", input).await.unwrap_err();
    refused.to_string()
}

fn goes_on() -> Input {
    Input::Arbiter(ArbiterAction::Resume)
}

/// Players analyse after the result is in: that is nobody's move, in the closed round neither. A
/// correction opens nothing. Withdrawn, the result was never said, and what was played meanwhile
/// was played.
#[tokio::test]
async fn what_is_moved_after_the_result_is_not_of_the_game() {
    let mut table = begun().await;
    done(&table, &[result("1-0", "")]).await;
    table.heard(&["\"state\":\"ended\""]).await;
    answered(&table, 20_000, [Square::E7, Square::E5]).await;
    let what = refused(&table, goes_on()).await;
    assert!(what.contains("has its result"), "{what}");
    assert_eq!(moves(&table), ["e2e4"]);
    let view = table.hall.board("b01").unwrap();
    let orders = view.view().unwrap().orders.clone();
    let order = orders.last().unwrap().input.order().unwrap().into();
    let taken_back = Input::Arbiter(ArbiterAction::TakeBack { order });
    let what = refused(&table, taken_back).await;
    assert!(what.contains("has its result"), "{what}");

    let corrected = [Act::CloseRound { round: 1 }, result("0-1", "misread")];
    done(&table, &corrected).await;
    answered(&table, 30_000, [Square::D7, Square::D5]).await;
    refused(&table, goes_on()).await;
    assert_eq!(moves(&table), ["e2e4"]);
    let office = &table.office;
    let page = crate::office::page(&office.book().event, 1, 1, office.store()).unwrap();
    assert!(page.contains("1. e4 0-1"), "{page}");
    assert!(page.contains("[Termination \"normal\"]"), "{page}");
    let alone = crate::office::page_of_game(&office.book(), &table.games()[0]);
    assert_eq!(alone, Some(page), "by itself it is the same");
    table.close().await;
}

/// What was seen is written down late, as long as it takes nothing from a game that is over: its
/// pieces are put back nowhere.
#[tokio::test]
async fn a_late_ruling_puts_nothing_back_in_a_game_that_has_its_result() {
    use arbiter_core::irregularity::Code;
    let mut table = begun().await;
    done(&table, &[result("1-0", "")]).await;
    table.heard(&["\"state\":\"ended\""]).await;
    let report = |code, square| {
        let by = Some(Color::White);
        Input::Arbiter(ArbiterAction::Report { code, by, square })
    };
    let touched = || report(Code::TouchMoveOwnPiece, Some(Square::D2));
    let what = refused(&table, touched()).await;
    assert!(what.contains("has its result"), "{what}");
    assert!(table.hall.try_out("b01", touched()).await.is_err());
    let fen = arbiter_core::input::StartFen::parse("4k3/8/8/8/8/8/8/4K2R w - - 0 1").unwrap();
    let set = Input::Arbiter(ArbiterAction::SetPosition { fen });
    let what = refused(&table, set).await;
    assert!(what.contains("has its result"), "{what}");
    let two_hands = report(Code::TwoHands, None);
    let taken = table.hall.order("b01", two_hands).await;
    assert!(taken.is_ok(), "{taken:?}");
    let board = table.hall.board("b01").unwrap();
    let view = board.view().unwrap();
    assert_eq!((view.state, &view.restore), (Phase::Ended, &None));
    assert_eq!((view.plies.len(), view.findings.len()), (1, 1));
    table.close().await;
}

/// What a person has said at the desk is the result that everybody is shown of the board, whatever
/// was said at the board itself.
#[tokio::test]
async fn a_board_is_shown_with_the_result_that_the_desk_has_said() {
    use arbiter_core::ruling::GameResult;
    let mut table = begun().await;
    let shown = |table: &Table| {
        let board = table.hall.board("b01").unwrap();
        let result = board.view().unwrap().result;
        result.map(|result| (result.result, result.proposed))
    };
    done(&table, &[result("1-0", "")]).await;
    table.heard(&["\"state\":\"ended\""]).await;
    assert_eq!(shown(&table), Some((GameResult::WhiteWins, false)));
    done(&table, &[result("0-1", "misread")]).await;
    table.heard(&["\"result\":\"0-1\""]).await;
    assert_eq!(shown(&table), Some((GameResult::BlackWins, false)));
    done(&table, &[withdrawn()]).await;
    table.heard(&["\"result\":null"]).await;
    assert_eq!(shown(&table), None);
    table.close().await;
}

/// A slip of the hand at the desk takes no move from a game that is played on.
#[tokio::test]
async fn a_result_that_is_withdrawn_was_never_said() {
    let mut table = begun().await;
    done(&table, &[result("0-0", "")]).await;
    table.heard(&["\"state\":\"ended\""]).await;
    answered(&table, 20_000, [Square::E7, Square::E5]).await;
    done(&table, &[withdrawn()]).await;
    table.heard(&["\"moves\":[\"e2e4\",\"e7e5\"]"]).await;
    pawn(&mut table, 30_000, [Square::D2, Square::D4], "d2d4").await;
    assert_eq!(moves(&table), ["e2e4", "e7e5", "d2d4"]);
    // And once more, over a restart of the program.
    done(&table, &[result("0-1", "")]).await;
    table.heard(&["\"state\":\"ended\""]).await;
    done(&table, &[withdrawn()]).await;
    table.heard(&["\"state\":\"rest\""]).await;
    done(&table, &[result("0-1", "")]).await;
    table.heard(&["\"state\":\"ended\""]).await;
    let mut table = Table::at(table.close().await);
    table.heard(&["\"state\":\"ended\""]).await;
    let board = table.hall.board("b01").unwrap();
    let view = board.view().unwrap();
    assert_eq!((view.plies.len(), view.state), (3, Phase::Ended));
    table.close().await;
}

/// A game that an arbiter had stopped is shown as over with its result, and as stopped without.
#[tokio::test]
async fn a_stopped_game_is_stopped_again_when_its_result_is_withdrawn() {
    let mut table = begun().await;
    let pause = Input::Arbiter(ArbiterAction::Pause);
    table.hall.order("b01", pause).await.unwrap();
    table.heard(&["\"state\":\"paused\""]).await;
    done(&table, &[result("1-0", "")]).await;
    table.heard(&["\"state\":\"ended\""]).await;
    done(&table, &[withdrawn()]).await;
    table.heard(&["\"state\":\"paused\""]).await;
    table.hall.order("b01", goes_on()).await.unwrap();
    table.heard(&["\"state\":\"rest\""]).await;
    table.close().await;
}

/// Its board plays the next round when the result is withdrawn: the game comes back to it, and is
/// stopped until its position is set up.
#[tokio::test]
async fn a_game_whose_board_has_gone_on_waits_for_the_arbiter() {
    let mut table = begun().await;
    let first = table.games()[0].row.id.clone();
    done(&table, &[result("1-0", "")]).await;
    table.heard(&["\"state\":\"ended\""]).await;
    table.change(20_000, Square::E4, '.').await;
    table.change(20_500, Square::E2, 'P').await;
    table.report(24_000, Report::Alive).await;
    let named = NewGame {
        white: Some("Guest".to_owned()),
        ..NewGame::default()
    };
    table.hall.new_game("b01", named).await.unwrap();
    done(&table, &[withdrawn()]).await;
    table.hall.take_up(&first, "b01").await.unwrap();
    table.report(28_000, Report::Alive).await;
    let board = table.hall.board("b01").unwrap();
    let view = board.view().unwrap();
    assert_eq!((&*view.game, view.state), (&*first, Phase::Paused));
    table.change(30_000, Square::E2, '.').await;
    table.change(30_500, Square::E4, 'P').await;
    table.report(34_000, Report::Alive).await;
    table.hall.order("b01", goes_on()).await.unwrap();
    answered(&table, 40_000, [Square::E7, Square::E5]).await;
    table.heard(&["\"moves\":[\"e2e4\",\"e7e5\"]"]).await;
    let board = table.hall.board("b01").unwrap();
    assert!(board.view().unwrap().doubts.is_empty());
    table.close().await;
}

/// What a board has seen to its end is not stopped besides.
#[tokio::test]
async fn a_game_that_has_ended_by_itself_stays_as_it_ended() {
    let mut table = begun().await;
    let resigned = Input::Resign { by: Color::Black };
    table.hall.order("b01", resigned).await.unwrap();
    table.heard(&["\"result\":\"1-0\""]).await;
    let (round, count) = (1, table.games()[0].events.len());
    done(&table, &[Act::Confirm { round, table: 1 }]).await;
    answered(&table, 20_000, [Square::E7, Square::E5]).await;
    let what = refused(&table, goes_on()).await;
    assert!(what.contains("has its result"), "{what}");
    let kept = &table.games()[0];
    let inputs = kept.events.iter().skip(count);
    let orders: Vec<_> = inputs.filter(|e| e.input.order().is_some()).collect();
    assert!(orders.is_empty(), "{orders:?}");
    assert_eq!(moves(&table), ["e2e4"]);
    table.close().await;
}
