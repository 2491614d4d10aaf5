//! Which boards came to tables at which games were played: reports say so.

use super::*;
use crate::office::BoardMove;

const PAIRS: &str = "table,white_no,white,black_no,black\n1,3,\"Berg, Anna\",4,\"Cole, Ben\"\n\
                     2,1,\"Ek, Freja\",2,\"Fox, Guy\"\n3,5,\"Gil, Hugo\",6,\"Ito, Jun\"\n";

fn bind(table: u16, board: &str) -> Act {
    let board = board.to_owned();
    Act::Bind { table, board }
}

/// Table, board from then on, board before, and with which table it was exchanged.
type Told<'a> = (u16, Option<&'a str>, Option<&'a str>, Option<u16>);

fn told(made: &[BoardMove]) -> Vec<Told<'_>> {
    let told = made.iter().map(|one| {
        let (board, instead) = (one.board.as_deref(), one.instead.as_deref());
        (one.table, board, instead, one.with)
    });
    told.collect()
}

#[tokio::test]
async fn a_board_that_comes_to_a_game_is_told_and_an_exchange_as_one() {
    let dir = tempfile::tempdir().unwrap();
    let house = open(dir.path());
    let vera = Author {
        who: "Vera".to_owned(),
        ..Author::default()
    };
    let load = Request {
        file: PAIRS.as_bytes().to_vec(),
        round: Some(1),
        ..Request::default()
    };
    house.office.load(&vera, load).await.unwrap();
    let at = String::new();
    house.does(Act::StartRound { round: 1, at }).await.unwrap();
    let act = async |acts: &[Act]| house.office.act(&vera, acts).await.unwrap();
    let moves = || house.office.book().board_moves(1).to_vec();
    act(&[bind(3, "b03")]).await;
    assert_eq!(moves(), [], "nothing is played yet");
    for table in [1, 2] {
        let game = format!("game-{table}");
        act(&[Act::Begin {
            round: 1,
            table,
            game,
        }])
        .await;
    }
    act(&[bind(1, "b01")]).await;
    assert_eq!(moves(), [], "it stands there");
    act(&[bind(1, "b02"), bind(2, "b01")]).await;
    let exchanged = [
        (1, Some("b02"), Some("b01"), Some(2)),
        (2, Some("b01"), Some("b02"), Some(1)),
    ];
    assert_eq!(told(&moves()), exchanged);
    assert_eq!((&*moves()[1].by, &*moves()[1].game), ("Vera", "game-2"));
    // Of both tables only one has a game: what is told is told of that alone.
    act(&[bind(3, "b01"), bind(2, "b03")]).await;
    assert_eq!(
        told(&moves()[2..]),
        [(2, Some("b03"), Some("b01"), Some(3))]
    );
    act(&[bind(1, "b04")]).await;
    act(&[Act::Unbind { table: 1 }]).await;
    let last = [
        (1, Some("b04"), Some("b02"), None),
        (1, None, Some("b04"), None),
    ];
    assert_eq!(told(&moves()[3..]), last);
    let before = house.close();
    let house = open(dir.path());
    assert_eq!(*house.office.book(), *before);
    house.close();
}
