//! Who plays before the round is started is known after a restart too.

use super::round::{draw, pawn, start};
use super::*;
use crate::store::{Author, FILE};

/// Whether somebody plays who should not, as it is shown.
fn is_early(table: &Table) -> bool {
    table.hall.board("b01").is_some_and(|board| board.unawaited)
}

async fn does(table: &Table, act: tournament::Act) {
    let author = Author::default();
    table.office.act(&author, &[act]).await.unwrap();
}

/// A board comes up with these pieces on it.
pub(super) async fn stands(table: &Table, board: &Board) {
    let sensor = SensorClass::Piece;
    table
        .say(LinkEvent::Up {
            kind: BoardKind::Native,
            info: info(sensor),
            clock: table.clock,
            mark: None,
        })
        .await;
    table.report(0, Report::Snapshot(sensor.reads(board))).await;
}

/// The program ends and begins again, with the pawn on e4.
async fn again(table: Table) -> Table {
    let mut table = Table::at(table.close().await);
    let mut board = Board::new();
    let pawn = board.remove_piece_at(Square::E2).unwrap();
    board.set_piece_at(Square::E4, pawn);
    stands(&table, &board).await;
    table.heard(&["\"connected\":true"]).await;
    table
}

#[tokio::test]
async fn play_before_the_round_is_known_after_a_restart() {
    let mut table = Table::new();
    does(&table, draw(1)).await;
    table.up(SensorClass::Piece).await;
    tokio::time::sleep(Duration::from_millis(5)).await;
    pawn(&mut table, 2_000, [Square::E2, Square::E4], "e2e4").await;
    assert!(is_early(&table));
    let table = again(table).await;
    assert!(is_early(&table));
    // As without a restart, it is told once the round is started, too.
    does(&table, start(1)).await;
    let table = again(table).await;
    assert!(is_early(&table));
    table.close().await;
}

#[tokio::test]
async fn what_was_played_before_the_round_was_drawn_is_not_early() {
    let mut table = Table::new();
    table.up(SensorClass::Piece).await;
    pawn(&mut table, 2_000, [Square::E2, Square::E4], "e2e4").await;
    tokio::time::sleep(Duration::from_millis(5)).await;
    does(&table, draw(1)).await;
    let table = again(table).await;
    assert!(!is_early(&table));
    table.close().await;
}

/// Play that ended on the board before the round is known as any other, until the pieces stand
/// again.
#[tokio::test]
async fn a_game_that_ended_before_the_round_is_early_play() {
    let mut table = Table::new();
    does(&table, draw(1)).await;
    table.up(SensorClass::Piece).await;
    tokio::time::sleep(Duration::from_millis(5)).await;
    pawn(&mut table, 2_000, [Square::E2, Square::E4], "e2e4").await;
    let result = ArbiterAction::Result {
        result: arbiter_core::ruling::GameResult::WhiteWins,
        game: None,
    };
    let result = Input::Arbiter(result);
    table.hall.order("b01", result).await.unwrap();
    assert!(is_early(&table));
    let table = again(table).await;
    assert!(is_early(&table));
    table
        .report(
            20_000,
            Report::Snapshot(SensorClass::Piece.reads(&Board::new())),
        )
        .await;
    table.report(21_000, Report::Alive).await;
    let end = Instant::now() + PATIENCE;
    while is_early(&table) {
        assert!(Instant::now() < end, "in time");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    table.close().await;
}

/// White has lost by default, it is said, and comes after all.
#[tokio::test]
async fn what_was_played_beside_a_forfeit_is_known_once_that_is_withdrawn() {
    use tournament::{How, ResultCode};
    let mut table = Table::new();
    for act in [draw(1), start(1)] {
        does(&table, act).await;
    }
    let forfeit = tournament::Act::Result {
        round: 1,
        table: 1,
        codes: ResultCode::both("-/+").unwrap(),
        how: How::Forfeit,
        reason: String::new(),
    };
    does(&table, forfeit).await;
    table.up(SensorClass::Piece).await;
    pawn(&mut table, 2_000, [Square::E2, Square::E4], "e2e4").await;
    let withdrawn = tournament::Act::Withdraw {
        round: 1,
        table: 1,
        reason: "he is there".to_owned(),
    };
    does(&table, withdrawn).await;
    table.report(20_000, Report::Alive).await;
    table.heard(&["\"b01\""]).await;
    assert!(is_early(&table));
    table.close().await;
}

/// The board comes after the start with a piece missing, and White plays: nobody has begun too
/// early, and the board shows who plays there.
#[tokio::test]
async fn who_plays_from_a_wrong_position_has_not_begun_too_early() {
    let mut table = Table::new();
    does(&table, draw(1)).await;
    let (round, at) = (1, jiff::Timestamp::now().to_string());
    does(&table, tournament::Act::StartRound { round, at }).await;
    tokio::time::sleep(Duration::from_millis(5)).await;
    let mut wrong = Board::new();
    wrong.discard_piece_at(Square::B1);
    stands(&table, &wrong).await;
    pawn(&mut table, 2_000, [Square::E2, Square::E4], "e2e4").await;
    let told = |table: &Table| {
        let board = table.hall.board("b01").unwrap();
        let names = [&board.white, &board.black, &board.round].map(String::clone);
        (board.unawaited, board.unset.is_some(), names)
    };
    let so = (
        true,
        true,
        ["Player 1", "Player 2", "1.1"].map(str::to_owned),
    );
    assert_eq!(told(&table), so);
    let mut table = Table::at(table.close().await);
    let pawn = wrong.remove_piece_at(Square::E2).unwrap();
    wrong.set_piece_at(Square::E4, pawn);
    stands(&table, &wrong).await;
    table.heard(&["\"connected\":true"]).await;
    assert_eq!(told(&table), so);
    table.close().await;
}

/// What was played at a table before its pairings were loaded, and is annulled since, is told with
/// what is said of its round: by whom, and once.
#[tokio::test]
async fn a_game_that_is_annulled_while_its_table_waits_is_told_there() {
    for (drawn_first, started_first) in [(true, true), (true, false), (false, false)] {
        for ends_between in [false, true] {
            let mut table = apart(drawn_first, started_first).await;
            annul(&mut table).await;
            if !drawn_first {
                does(&table, draw(1)).await;
            }
            if ends_between {
                table = again(table).await;
            }
            if !started_first {
                does(&table, start(1)).await;
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
            let table = again(table).await;
            tokio::time::sleep(Duration::from_millis(100)).await;
            let expected = drawn_first.then(|| (1, "Ida".to_owned()));
            let expected: Vec<_> = expected.into_iter().collect();
            assert_eq!(said_of(&table), expected, "{started_first} {ends_between}");
            table.close().await;
        }
    }
}

/// The event could not be written just then: it is told once it can, be it after a restart.
#[tokio::test]
async fn an_annulment_that_could_not_be_written_is_told_later() {
    for ends_between in [false, true] {
        let mut table = apart(true, true).await;
        let journal = rusqlite::Connection::open(table.dir.path().join(FILE)).unwrap();
        let refuse = "CREATE TRIGGER refuse BEFORE INSERT ON acts BEGIN \
                      SELECT RAISE(ABORT, 'the disk is full'); END";
        journal.execute_batch(refuse).unwrap();
        annul(&mut table).await;
        assert!(said_of(&table).is_empty());
        journal.execute_batch("DROP TRIGGER refuse").unwrap();
        if ends_between {
            table = again(table).await;
        } else {
            table.report(20_000, Report::Alive).await;
        }
        let end = Instant::now() + PATIENCE;
        while said_of(&table).is_empty() {
            assert!(Instant::now() < end, "in time");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        assert_eq!(said_of(&table), [(1, "Ida".to_owned())]);
        table.close().await;
    }
}

/// A game of no pairing is at hand at a table, whose pairing waits or is still to be drawn.
async fn apart(drawn: bool, started: bool) -> Table {
    let mut table = Table::new();
    table.up(SensorClass::Piece).await;
    pawn(&mut table, 2_000, [Square::E2, Square::E4], "e2e4").await;
    if drawn {
        does(&table, draw(1)).await;
    }
    if started {
        does(&table, start(1)).await;
    }
    tokio::time::sleep(Duration::from_millis(5)).await;
    table
}

async fn annul(table: &mut Table) {
    let annul = Input::Arbiter(ArbiterAction::Annul { game: None });
    let by = annul.signed(None, Some("Ida".into()));
    table.hall.order("b01", by).await.unwrap();
    table.heard(&["\"reason\":\"annulled\""]).await;
    tokio::time::sleep(Duration::from_millis(100)).await;
}

/// The tables of which something was said in round 1, and by whom.
fn said_of(table: &Table) -> Vec<(u16, String)> {
    let book = table.office.book();
    let said = book.results_said(book.number(), 1);
    said.iter()
        .map(|said| (said.table, said.by.to_string()))
        .collect()
}
