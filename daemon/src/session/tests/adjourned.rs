//! Games that are adjourned, and played on another day.

use tournament::{Act, How, ResultCode};

use super::round::{draw, pawn, start};
use super::*;
use crate::store::Author;

fn adjourn(round: u16) -> Act {
    let reason = "adjourned".to_owned();
    Act::Postpone {
        round,
        table: 1,
        reason,
    }
}

fn resume(round: u16) -> Act {
    Act::Resume { round, table: 1 }
}

fn result(round: u16) -> Act {
    Act::Result {
        round,
        table: 1,
        codes: ResultCode::both("1-0").unwrap(),
        how: How::Typed,
        reason: String::new(),
    }
}

/// The knight on b8 is lifted and put back, and other pieces go: in a game that is followed that
/// would be touched, and displaced.
async fn put_away(table: &Table, at: u64) {
    let pieces = [(Square::B8, 'n'), (Square::E7, 'p'), (Square::G1, 'N')];
    table.change(at, Square::B8, '.').await;
    table.change(at + 2_000, Square::B8, 'n').await;
    for (n, (square, _)) in (1..).zip(pieces) {
        table.change(at + 3_000 * n, square, '.').await;
    }
    for (n, (square, seen)) in (5..).zip(pieces) {
        table.change(at + 3_000 * n, square, seen).await;
    }
}

/// The pieces of an adjourned game are put away: nobody is accused. The next round begins on its
/// board, and then the game is played on from where it was.
#[tokio::test]
async fn an_adjourned_game_is_not_followed_and_is_played_on_later() {
    let mut table = Table::new();
    let (office, author) = (table.office.clone(), Author::default());
    office.act(&author, &[draw(1), start(1)]).await.unwrap();
    table.up(SensorClass::Piece).await;
    pawn(&mut table, 2_000, [Square::E2, Square::E4], "e2e4").await;
    let first = table.games()[0].row.id.clone();
    office.act(&author, &[adjourn(1)]).await.unwrap();
    table.heard(&["\"state\":\"paused\""]).await;
    put_away(&table, 10_000).await;
    table.change(40_000, Square::E4, '.').await;
    table.change(40_500, Square::E2, 'P').await;
    table.report(44_000, Report::Alive).await;
    let goes_on = || Input::Arbiter(ArbiterAction::Resume);
    let refused = table.hall.order("b01", goes_on()).await.unwrap_err();
    assert!(refused.to_string().contains("is postponed"), "{refused}");

    let closed = |round| Act::CloseRound { round };
    let acts = [closed(1), draw(2), start(2)];
    office.act(&author, &acts).await.unwrap();
    pawn(&mut table, 50_000, [Square::D2, Square::D4], "d2d4").await;
    let games = table.games();
    let told = |game: &Game| (game.row.tags.round.clone(), game.row.plies);
    assert_eq!(told(&games[1]), ("1.1".to_owned(), 1));
    assert_eq!(games[0].row.tags.round, "2.1");
    assert!(games[1].view().unwrap().findings.is_empty());

    // Both games have their end: the adjourned one is set up and goes on.
    office
        .act(&author, &[result(2), closed(2), resume(1)])
        .await
        .unwrap();
    table.hall.take_up(&first, "b01").await.unwrap();
    let board = table.hall.board("b01").unwrap();
    let view = board.view().unwrap();
    assert_eq!((&*view.game, view.state), (&*first, Phase::Paused));
    for (at, square, seen) in [
        (70_000, Square::D4, '.'),
        (70_500, Square::D2, 'P'),
        (71_000, Square::E2, '.'),
        (71_500, Square::E4, 'P'),
    ] {
        table.change(at, square, seen).await;
    }
    table.report(75_000, Report::Alive).await;
    table.hall.order("b01", goes_on()).await.unwrap();
    table.change(80_000, Square::E7, '.').await;
    table.change(80_500, Square::E5, 'p').await;
    let (white_ms, black_ms) = (None, None);
    let by = Color::Black;
    let press = Report::Press {
        by,
        white_ms,
        black_ms,
    };
    table.report(81_000, press).await;
    table.heard(&["\"moves\":[\"e2e4\",\"e7e5\"]"]).await;
    let games = table.games();
    let kept = games.iter().find(|game| game.row.id == first).unwrap();
    let view = kept.view().unwrap();
    let moves: Vec<String> = view.plies.iter().map(|ply| ply.uci.to_string()).collect();
    assert_eq!(moves, ["e2e4", "e7e5"]);
    assert!(
        view.findings.is_empty() && view.doubts.is_empty(),
        "{view:?}"
    );
    drop(office);

    // And after a restart.
    let dir = table.close().await;
    let table = Table::at(dir);
    table.hall.take_up(&first, "b01").await.unwrap();
    let board = table.hall.board("b01").unwrap();
    assert_eq!(board.view().unwrap().plies.len(), 2);
    table.close().await;
}

/// A game that began with a touch, and was postponed before its first move, gives way too.
#[tokio::test]
async fn a_game_without_moves_that_is_postponed_keeps_nobody_from_playing() {
    let mut table = Table::new();
    let (office, author) = (table.office.clone(), Author::default());
    office.act(&author, &[draw(1), start(1)]).await.unwrap();
    table.up(SensorClass::Piece).await;
    table.change(2_000, Square::E2, '.').await;
    table.heard(&["\"differs\":[\"e2\"]"]).await;
    table.change(4_000, Square::E2, 'P').await;
    assert_eq!(table.games()[0].row.tags.round, "1.1");
    let closed = Act::CloseRound { round: 1 };
    let acts = [adjourn(1), closed, draw(2), start(2)];
    office.act(&author, &acts).await.unwrap();
    table.heard(&["\"state\":\"paused\""]).await;
    pawn(&mut table, 30_000, [Square::D2, Square::D4], "d2d4").await;
    assert_eq!(table.games()[0].row.tags.round, "2.1");
    drop(office);
    table.close().await;
}

/// What is tried and what is ordered are ruled alike: a game that has its result does not go on.
#[tokio::test]
async fn a_game_that_has_its_result_does_not_go_on_neither_tried_nor_ordered() {
    let mut table = Table::new();
    let (office, author) = (table.office.clone(), Author::default());
    office.act(&author, &[draw(1), start(1)]).await.unwrap();
    table.up(SensorClass::Piece).await;
    pawn(&mut table, 2_000, [Square::E2, Square::E4], "e2e4").await;
    let first = table.games()[0].row.id.clone();
    table.change(20_000, Square::E4, '.').await;
    table.change(20_500, Square::E2, 'P').await;
    table.report(24_000, Report::Alive).await;
    table.heard(&["\"kind\":\"game-ended\""]).await;
    office.act(&author, &[result(1)]).await.unwrap();
    let goes_on = |game: Option<&str>| {
        let game = game.map(Into::into);
        Input::Arbiter(ArbiterAction::GoesOn { game })
    };
    let both = async |table: &Table, input: Input| {
        let tried = table.hall.try_out("b01", input.clone()).await.unwrap_err();
        let ordered = table.hall.order("b01", input).await.unwrap_err();
        assert_eq!(tried, ordered);
        assert!(tried.to_string().contains("has its result"), "{tried}");
    };
    both(&table, goes_on(None)).await;
    let acts = [Act::CloseRound { round: 1 }, draw(2), start(2)];
    office.act(&author, &acts).await.unwrap();
    pawn(&mut table, 30_000, [Square::D2, Square::D4], "d2d4").await;
    both(&table, goes_on(Some(&first))).await;
    drop(office);
    table.close().await;
}

/// The program is killed while an adjourned game is at hand again on the board that has played the
/// next round since: its time goes on.
#[tokio::test]
async fn time_goes_on_in_a_resumed_game_after_a_kill() {
    let mut table = Table::new();
    let (office, author) = (table.office.clone(), Author::default());
    office.act(&author, &[draw(1), start(1)]).await.unwrap();
    comes_up(&table, 0).await;
    pawn(&mut table, 2_000, [Square::E2, Square::E4], "e2e4").await;
    let first = table.games()[0].row.id.clone();
    let acts = [adjourn(1), Act::CloseRound { round: 1 }, draw(2), start(2)];
    office.act(&author, &acts).await.unwrap();
    table.heard(&["\"state\":\"paused\""]).await;
    table.change(10_000, Square::E4, '.').await;
    table.change(10_500, Square::E2, 'P').await;
    table.report(14_000, Report::Alive).await;
    pawn(&mut table, 20_000, [Square::D2, Square::D4], "d2d4").await;
    let acts = [result(2), Act::CloseRound { round: 2 }, resume(1)];
    office.act(&author, &acts).await.unwrap();
    table.clock = BoardClock::new(Instant::now(), Time(24_000), 1.0);
    table.report(24_000, Report::Alive).await;
    table.hall.take_up(&first, "b01").await.unwrap();
    drop(office);
    table.change(24_500, Square::D4, '.').await;
    // It is heard before any order is.
    let pause = Input::Arbiter(ArbiterAction::Pause);
    table.hall.order("b01", pause).await.unwrap_err();

    let dir = table.close().await;
    let table = Table::at(dir);
    table.hall.take_up(&first, "b01").await.unwrap();
    comes_up(&table, 25_000).await;
    table.change(26_000, Square::D7, '.').await;
    table.change(28_500, Square::D7, 'p').await;
    let pause = Input::Arbiter(ArbiterAction::Pause);
    table.hall.order("b01", pause).await.unwrap_err();
    let games = table.games();
    let kept = games.iter().find(|game| game.row.id == first).unwrap();
    let of_d7 = |event: &&Event| match event.input {
        Input::Lift { square } | Input::Place { square, .. } => square == Square::D7,
        _ => false,
    };
    let handled: Vec<u64> = kept.events.iter().filter(of_d7).map(|e| e.at.0).collect();
    assert_eq!(handled[1] - handled[0], 2_500, "{:?}", kept.events);
    table.close().await;
}

/// The board is on the line in its first run, its clock showing so much.
async fn comes_up(table: &Table, shows: u64) {
    let said = LinkEvent::Up {
        kind: BoardKind::Native,
        info: info(SensorClass::Piece),
        clock: BoardClock::new(Instant::now(), Time(shows), 1.0),
        mark: Some(Mark { boot: 1, next: 1 }),
    };
    table.say(said).await;
    let reads = SensorClass::Piece.reads(&Board::new());
    table.report(shows, Report::Snapshot(reads)).await;
}
