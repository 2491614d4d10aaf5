//! A game goes on from whatever a board shows: positions that no play leads to included.

use arbiter_core::input::{Event, Input, Setup, StartFen};
use arbiter_core::shakmaty::fen::Fen;
use arbiter_core::shakmaty::{self, Board, Color, Piece, Role, Square};
use arbiter_core::{SensorClass, Time};
use proptest::collection::vec;
use proptest::prelude::*;
use tests::accuracy::rule;

use crate::{cases, summary};

/// Two kings and any other pieces, crowded or not: kings side by side, both in check, pawns on the
/// last ranks.
fn any_board() -> impl Strategy<Value = Board> {
    let square = || (0..64u32).prop_map(Square::new);
    let roles = vec![
        Role::Pawn,
        Role::Knight,
        Role::Bishop,
        Role::Rook,
        Role::Queen,
    ];
    let piece = (square(), any::<bool>(), prop::sample::select(roles));
    (vec(piece, 0..24), square(), square()).prop_filter_map(
        "one square, two kings",
        |(pieces, white, black)| {
            let mut board = Board::empty();
            for (square, is_white, role) in pieces {
                board.set_piece_at(
                    square,
                    Piece {
                        color: Color::from_white(is_white),
                        role,
                    },
                );
            }
            board.set_piece_at(white, Color::White.king());
            board.set_piece_at(black, Color::Black.king());
            (white != black).then_some(board)
        },
    )
}

proptest! {
    #![proptest_config(cases(20_000))]

    #[test]
    fn a_game_may_begin_with_any_pieces(board in any_board(), turn in any::<bool>()) {
        let turn = Color::from_white(turn);
        let setup = shakmaty::Setup { board, turn, ..shakmaty::Setup::empty() };
        let fen = Fen::try_from(setup).expect("a board of eight by eight");
        let known = Some(StartFen::Known(fen.clone().into()));
        let fen = fen.to_string();
        let input = Input::Setup(Setup { fen: known, ..Setup::new(SensorClass::Piece) }.into());
        let said = rule(&[Event { at: Time::ZERO, input }]);
        let followed = &summary(&said).fen;
        let given = fen.split(' ').take(2).collect::<Vec<_>>();
        let is_so = *followed == "unknown" || followed.split(' ').take(2).eq(given);
        prop_assert!(is_so, "{fen} became {followed}");
    }
}
