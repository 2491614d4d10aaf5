//! Games of rounds, one after the other on the same board.

use tournament::{Act, How, Pairing, Player, ResultCode};

use super::early::stands;
use super::*;
use crate::store::Author;

/// Two players meet twice.
pub(super) fn draw(round: u16) -> Act {
    let player = |number| Player {
        number,
        name: format!("Player {number}"),
        ..Player::default()
    };
    let pairing = Pairing {
        table: Some(1),
        white: 1,
        black: Some(2),
        game: None,
        outcome: None,
        typed: None,
        start: None,
        postponed: false,
        withdrawn: false,
        annulled: false,
        annulled_games: Vec::new(),
    };
    Act::Draw {
        round,
        date: String::new(),
        players: vec![player(1), player(2)],
        pairings: vec![pairing],
        file: None,
        players_file: None,
        encoding: None,
    }
}

pub(super) fn start(round: u16) -> Act {
    let at = String::new();
    Act::StartRound { round, at }
}

/// White moves a pawn, presses, and it is heard.
pub(super) async fn pawn(table: &mut Table, at: u64, [from, to]: [Square; 2], uci: &str) {
    table.change(at, from, '.').await;
    table.change(at + 500, to, 'P').await;
    let press = Report::Press {
        by: Color::White,
        white_ms: None,
        black_ms: None,
    };
    table.report(at + 1_000, press).await;
    table.heard(&[uci]).await;
}

/// A game that was brought to another board is stopped until the pieces stand there. Its result may
/// be entered before anybody lets it go on.
#[tokio::test]
async fn the_next_round_is_recorded_where_a_stopped_game_has_its_result() {
    let mut table = Table::new();
    let (office, author) = (table.office.clone(), Author::default());
    office.act(&author, &[draw(1), start(1)]).await.unwrap();
    table.up(SensorClass::Piece).await;
    pawn(&mut table, 2_000, [Square::E2, Square::E4], "e2e4").await;
    let pause = Input::Arbiter(ArbiterAction::Pause);
    table.hall.order("b01", pause).await.unwrap();
    table.heard(&["\"state\":\"paused\""]).await;
    let result = Act::Result {
        round: 1,
        table: 1,
        codes: ResultCode::both("1-0").unwrap(),
        how: How::Typed,
        reason: String::new(),
    };
    let closed = Act::CloseRound { round: 1 };
    let acts = [result, closed, draw(2), start(2)];
    office.act(&author, &acts).await.unwrap();
    table.change(20_000, Square::E4, '.').await;
    table.change(20_500, Square::E2, 'P').await;
    table.report(24_000, Report::Alive).await;
    pawn(&mut table, 30_000, [Square::D2, Square::D4], "d2d4").await;
    let games = table.games();
    let rounds: Vec<&str> = games.iter().map(|game| &*game.row.tags.round).collect();
    assert_eq!(rounds[..2], ["2.1", "1.1"]);
    drop(office);
    table.close().await;
}

/// Players agree on a draw, the arbiter types it, and the pieces are set up again: the result
/// answers whether the game has ended, before the next game and after it has begun.
#[tokio::test]
async fn a_typed_result_answers_whether_the_game_has_ended() {
    let mut table = Table::new();
    let (office, author) = (table.office.clone(), Author::default());
    office.act(&author, &[draw(1), start(1)]).await.unwrap();
    table.up(SensorClass::Piece).await;
    pawn(&mut table, 2_000, [Square::E2, Square::E4], "e2e4").await;
    table.change(20_000, Square::E4, '.').await;
    table.change(20_500, Square::E2, 'P').await;
    table.report(24_000, Report::Alive).await;
    let question = "\"kind\":\"game-ended\"";
    table.heard(&[question]).await;
    let result = |reason: &str| Act::Result {
        round: 1,
        table: 1,
        codes: ResultCode::both("1/2-1/2").unwrap(),
        how: How::Typed,
        reason: reason.to_owned(),
    };
    office.act(&author, &[result("")]).await.unwrap();
    table.heard(&["\"doubts\":[]"]).await;
    let game = table.games()[0].row.id.clone();
    assert!(table.office.book().has_result(&game));
    let page = crate::office::page(&office.book().event, 1, 1, office.store()).unwrap();
    assert!(
        page.contains("1. e4 1/2-1/2") && !page.contains("doubt"),
        "{page}"
    );
    // Taken back, it is asked again.
    let (round, reason) = (1, "the wrong table".to_owned());
    let withdrawn = Act::Withdraw {
        round,
        table: 1,
        reason,
    };
    office.act(&author, &[withdrawn]).await.unwrap();
    table.heard(&[question]).await;

    let closed = Act::CloseRound { round: 1 };
    let acts = [result(""), closed, draw(2), start(2)];
    office.act(&author, &acts).await.unwrap();
    pawn(&mut table, 30_000, [Square::D2, Square::D4], "d2d4").await;
    let board = table.hall.board("b01").unwrap();
    assert_eq!((&*board.round, &board.asked), ("2.1", &None));
    drop(office);
    table.close().await;
}

/// A game is adjourned, and the next round is played on its board: nobody is asked whether it has
/// ended before it is to be played on, and by then the other game has its result and stays.
#[tokio::test]
async fn an_adjourned_game_takes_nothing_from_the_one_that_was_played_meanwhile() {
    let mut table = Table::new();
    let (office, author) = (table.office.clone(), Author::default());
    office.act(&author, &[draw(1), start(1)]).await.unwrap();
    table.up(SensorClass::Piece).await;
    pawn(&mut table, 2_000, [Square::E2, Square::E4], "e2e4").await;
    let adjourned = Act::Postpone {
        round: 1,
        table: 1,
        reason: "adjourned".to_owned(),
    };
    let closed = |round| Act::CloseRound { round };
    let acts = [adjourned, closed(1), draw(2), start(2)];
    office.act(&author, &acts).await.unwrap();
    table.heard(&["\"state\":\"paused\""]).await;
    table.change(20_000, Square::E4, '.').await;
    table.change(20_500, Square::E2, 'P').await;
    table.report(24_000, Report::Alive).await;
    pawn(&mut table, 30_000, [Square::D2, Square::D4], "d2d4").await;
    let board = table.hall.board("b01").unwrap();
    assert_eq!((&*board.round, &board.asked), ("2.1", &None));
    let games = table.games();
    assert_eq!(games[0].row.tags.round, "2.1");

    let result = Act::Result {
        round: 2,
        table: 1,
        codes: ResultCode::both("1-0").unwrap(),
        how: How::Typed,
        reason: String::new(),
    };
    let resumed = Act::Resume { round: 1, table: 1 };
    let acts = [result, closed(2), resumed];
    office.act(&author, &acts).await.unwrap();
    let game = Some(games[1].row.id.as_str().into());
    let goes_on = Input::Arbiter(ArbiterAction::GoesOn { game });
    let refused = table.hall.order("b01", goes_on).await.unwrap_err();
    assert!(refused.to_string().contains("has its result"), "{refused}");
    assert_eq!(table.games()[0].row.tags.round, "2.1");
    drop(office);
    table.close().await;
}

/// A game by name comes to a table whose pairing waits, and is stopped: its moves are kept, and the
/// pairing's begins when the pieces are set up.
#[tokio::test]
async fn a_stranger_gives_way_to_the_game_of_the_table() {
    let mut table = Table::new();
    let (office, author) = (table.office.clone(), Author::default());
    table.up(SensorClass::Piece).await;
    let named = NewGame {
        white: Some("Guest".to_owned()),
        ..NewGame::default()
    };
    table.hall.new_game("b01", named).await.unwrap();
    pawn(&mut table, 2_000, [Square::E2, Square::E4], "e2e4").await;
    let pause = Input::Arbiter(ArbiterAction::Pause);
    table.hall.order("b01", pause).await.unwrap();
    table.heard(&["\"state\":\"paused\""]).await;
    table.change(20_000, Square::E4, '.').await;
    table.change(20_500, Square::E2, 'P').await;
    table.report(24_000, Report::Alive).await;
    // The start stands already when the round begins.
    office.act(&author, &[draw(1), start(1)]).await.unwrap();
    tokio::time::sleep(Duration::from_millis(200)).await;
    pawn(&mut table, 30_000, [Square::D2, Square::D4], "d2d4").await;
    let games = table.games();
    let told = |game: &Game| {
        (
            game.row.tags.white.clone(),
            game.row.tags.round.clone(),
            game.row.plies,
        )
    };
    assert_eq!(told(&games[0]).1, "1.1");
    assert_eq!(told(&games[1]), ("Guest".to_owned(), String::new(), 1));
    drop(office);
    table.close().await;
}

/// A round is drawn and nobody has started it: who plays all the same is noticed, and who only
/// adjusts a piece is not.
#[tokio::test]
async fn play_in_a_round_that_nobody_started_is_noticed() {
    let mut table = Table::new();
    let (office, author) = (table.office.clone(), Author::default());
    office.act(&author, &[draw(1), start(1)]).await.unwrap();
    table.up(SensorClass::Piece).await;
    table.change(2_000, Square::E2, '.').await;
    table.change(2_500, Square::E4, 'P').await;
    table.heard(&["e2e4"]).await;
    let result = arbiter_core::ruling::GameResult::WhiteWins;
    let won = ArbiterAction::Result { result, game: None };
    table.hall.order("b01", Input::Arbiter(won)).await.unwrap();
    table.heard(&["\"state\":\"ended\""]).await;
    let confirmed = Act::Confirm { round: 1, table: 1 };
    let acts = [confirmed, Act::CloseRound { round: 1 }, draw(2)];
    office.act(&author, &acts).await.unwrap();
    table.change(20_000, Square::E4, '.').await;
    table.change(20_500, Square::E2, 'P').await;
    table.report(24_000, Report::Alive).await;
    let plays = |table: &Table| table.hall.board("b01").unwrap().unawaited;
    let becomes = async |table: &Table, wanted: bool| {
        for _ in 0..200 {
            if plays(table) == wanted {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("{:#?}", table.hall.boards());
    };
    assert!(!plays(&table));
    // Who only takes a piece up has moved nothing.
    table.change(30_000, Square::D2, '.').await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert!(!plays(&table));
    table.change(30_500, Square::D4, 'P').await;
    becomes(&table, true).await;
    table.change(31_000, Square::D4, '.').await;
    table.change(31_500, Square::D2, 'P').await;
    becomes(&table, false).await;
    table.report(34_000, Report::Alive).await;
    table.change(40_000, Square::D2, '.').await;
    table.change(40_500, Square::D4, 'P').await;
    table.change(42_000, Square::D7, '.').await;
    table.change(42_500, Square::D5, 'p').await;
    becomes(&table, true).await;
    // Also once the program has begun again.
    drop(office);
    let table = Table::at(table.close().await);
    let mut board = Board::new();
    for (from, to) in [(Square::D2, Square::D4), (Square::D7, Square::D5)] {
        let pawn = board.remove_piece_at(from).unwrap();
        board.set_piece_at(to, pawn);
    }
    stands(&table, &board).await;
    becomes(&table, true).await;
    stands(&table, &Board::new()).await;
    becomes(&table, false).await;
    table.close().await;
}

/// A board that the store has never seen comes to a table whose pairing waits: as on any other, the
/// game begins when somebody touches a piece, and not before.
#[tokio::test]
async fn a_new_board_waits_for_a_touch() {
    let mut table = Table::new();
    let (office, author) = (table.office.clone(), Author::default());
    office.act(&author, &[draw(1), start(1)]).await.unwrap();
    table.up(SensorClass::Piece).await;
    table.report(9_000, Report::Alive).await;
    let board = table.heard(&["\"white\":\"Player 1\""]).await;
    assert!(board.contains("\"round\":\"1.1\""), "{board}");
    assert_eq!(office.book().event.not_begun(1), [1]);
    table.change(12_000, Square::E2, '.').await;
    table.heard(&["\"differs\":[\"e2\"]"]).await;
    assert!(office.book().event.not_begun(1).is_empty());
    assert_eq!(table.games()[0].row.tags.round, "1.1");
    drop(office);
    table.close().await;
}

/// White has moved by the time the board is first heard.
#[tokio::test]
async fn a_new_board_that_shows_a_first_move_begins_with_it() {
    let mut table = Table::new();
    let (office, author) = (table.office.clone(), Author::default());
    office.act(&author, &[draw(1), start(1)]).await.unwrap();
    let mut moved = Board::new();
    let pawn = moved.remove_piece_at(Square::E2).unwrap();
    moved.set_piece_at(Square::E4, pawn);
    stands(&table, &moved).await;
    let (by, white_ms, black_ms) = (Color::White, None, None);
    let press = Report::Press {
        by,
        white_ms,
        black_ms,
    };
    table.report(1_000, press).await;
    table.heard(&["\"moves\":[\"e2e4\"]"]).await;
    assert_eq!(table.games()[0].row.tags.round, "1.1");
    drop(office);
    table.close().await;
}

/// Between two rounds another board comes, whose sensors tell less than those of the game that is
/// over: nothing holds the next one up. While a game is under way such a board is not listened to.
#[tokio::test]
async fn a_board_of_a_lesser_class_plays_the_next_round() {
    let mut table = Table::new();
    let (office, author) = (table.office.clone(), Author::default());
    office.act(&author, &[draw(1), start(1)]).await.unwrap();
    table.up(SensorClass::Piece).await;
    pawn(&mut table, 2_000, [Square::E2, Square::E4], "e2e4").await;
    table.up(SensorClass::Occupancy).await;
    table.heard(&["sensors: it is not listened to"]).await;
    let result = Act::Result {
        round: 1,
        table: 1,
        codes: ResultCode::both("1-0").unwrap(),
        how: How::Typed,
        reason: String::new(),
    };
    let closed = Act::CloseRound { round: 1 };
    let acts = [result, closed, draw(2), start(2)];
    office.act(&author, &acts).await.unwrap();
    let array = SensorClass::Occupancy.reads(&Board::new());
    table.report(20_000, Report::Snapshot(array)).await;
    table.heard(&["\"sensor\":\"occupancy\""]).await;
    table.report(21_000, Report::Snapshot(array)).await;
    table.change(30_000, Square::D2, '.').await;
    table.change(30_500, Square::D4, '?').await;
    let press = Report::Press {
        by: Color::White,
        white_ms: None,
        black_ms: None,
    };
    table.report(31_000, press).await;
    table.heard(&["d2d4"]).await;
    let fault = table.hall.board("b01").unwrap().fault.clone();
    assert_eq!(fault, None);
    let games = table.games();
    assert_eq!(games[0].row.tags.round, "2.1");
    drop(office);
    table.close().await;
}
