//! What rulings rest on is taken back after them.

use arbiter_core::input::FindingRef;
use arbiter_core::view::FindingStatus;

use super::*;

fn back(order: &str) -> Input {
    let order = order.into();
    Input::Arbiter(ArbiterAction::TakeBack { order })
}

/// White claims threefold repetition after one move: that is wrong, and upheld it gives Black time.
#[tokio::test]
async fn a_claim_is_not_taken_back_from_under_the_ruling_on_it() {
    let mut table = Table::new();
    table.up(SensorClass::Piece).await;
    super::round::pawn(&mut table, 2_000, [Square::E2, Square::E4], "e2e4").await;
    let claim = Input::Claim {
        by: Color::Black,
        kind: arbiter_core::input::ClaimKind::Threefold,
        intended: None,
        square: None,
    };
    let claim = table.hall.order("b01", claim).await.unwrap().unwrap();
    let found = |table: &Table| {
        let board = table.hall.board("b01").unwrap();
        let findings = board.view().unwrap().findings.iter();
        let stand = findings.filter(|found| found.status != FindingStatus::Withdrawn);
        let found = stand.map(|found| found.irregularity.clone());
        found.collect::<Vec<_>>()
    };
    let wrong = found(&table).remove(0);
    assert_eq!(wrong.code.to_string(), "incorrect-draw-claim");
    let upheld = Input::Arbiter(ArbiterAction::Uphold(FindingRef::from(wrong.id)));
    let upheld = table.hall.order("b01", upheld).await.unwrap().unwrap();

    let refused = table.hall.order("b01", back(&claim)).await.unwrap_err();
    let refused = refused.to_string();
    assert!(refused.contains("take that back first"), "{refused}");
    assert_eq!(found(&table).len(), 1, "nothing has changed");
    table.hall.order("b01", back(&upheld)).await.unwrap();
    table.hall.order("b01", back(&claim)).await.unwrap();
    assert_eq!(found(&table).len(), 0);
    table.close().await;
}

/// Two arbiters take the same order back in the same moment: the second has taken back nothing.
#[tokio::test]
async fn what_is_taken_back_is_not_taken_back_once_more_in_the_same_moment() {
    let mut table = Table::new();
    table.up(SensorClass::Piece).await;
    super::round::pawn(&mut table, 2_000, [Square::E2, Square::E4], "e2e4").await;
    let result = arbiter_core::ruling::GameResult::Draw;
    let drawn = ArbiterAction::Result { result, game: None };
    let order = table.hall.order("b01", Input::Arbiter(drawn)).await;
    let order = order.unwrap().expect("a name");
    let back = |author: &str| {
        let order = order.as_str().into();
        Input::Arbiter(ArbiterAction::TakeBack { order }).signed(None, Some(author.into()))
    };
    let (one, other) = tokio::join!(
        table.hall.order("b01", back("Ada")),
        table.hall.order("b01", back("Ben"))
    );
    assert!(one.is_ok(), "{one:?}");
    assert!(
        other
            .as_ref()
            .is_err_and(|error| error.to_string().contains("taken back already")),
        "{other:?}"
    );
    let games = table.games();
    let is_back = |event: &&Event| {
        matches!(
            event.input.plain(),
            Input::Arbiter(ArbiterAction::TakeBack { .. })
        )
    };
    assert_eq!(games[0].events.iter().filter(is_back).count(), 1);
    table.close().await;
}
