//! How a board lies, as the array on it shows before the game (7.2.2).

use alloc::vec::Vec;

use shakmaty::{Bitboard, Board, Chess, Color, Position, Square};

use crate::said::input::{Setup, StartFen};
use crate::said::orientation::Orientation;
use crate::said::symbol::{Reading, SensorClass};

/// With fewer pieces a board could read as if it were turned by chance.
const TELLING: usize = 16;

/// How the board may lie, if it does not lie right and reads exactly what `required` would read
/// then. Where only occupancy is read, the array looks the same turned to the right and to the
/// left. King and queen of a side may have been exchanged besides, or those of both: turned by a
/// right angle, the queens stand on their colour then.
pub(crate) fn turned(reading: &Reading, required: &Chess, class: SensorClass) -> Vec<Orientation> {
    let right = class.reads(required.board());
    if *reading == right || required.board().occupied().count() < TELLING {
        return Vec::new();
    }
    let sides = [
        &[Color::White, Color::Black][..],
        &[Color::White],
        &[Color::Black],
    ];
    let exchanged = sides.map(|sides| class.reads(&royals_exchanged(required.board(), sides)));
    let mut ways = Vec::new();
    for orientation in Orientation::ALL.into_iter().skip(1) {
        let read = orientation.reading(reading);
        if read == right || exchanged.contains(&read) {
            ways.push(orientation);
        }
    }
    ways
}

/// The same pieces, with king and queen of these sides on each other's squares.
fn royals_exchanged(board: &Board, sides: &[Color]) -> Board {
    let mut exchanged = board.clone();
    for &colour in sides {
        let queens = board.queens() & board.by_color(colour);
        if let (Some(king), Some(queen)) = (board.king_of(colour), queens.single_square()) {
            exchanged.set_piece_at(king, colour.queen());
            exchanged.set_piece_at(queen, colour.king());
        }
    }
    exchanged
}

/// Whether a board that tells only occupied squares reads `board` alike from both sides.
pub(crate) fn is_alike_from_both_sides(board: &Board) -> bool {
    let reading = SensorClass::Occupancy.reads(board);
    Orientation::Half.reading(&reading) == reading
}

/// How the board lies, if the setup gives the array turned by a right angle, and the array as it is
/// meant. Turned half way the pawns could be meant to stand so: that is a position like any other.
pub(crate) fn given_array(setup: &Setup) -> Option<(Orientation, shakmaty::Setup)> {
    let Some(StartFen::Known(given)) = &setup.fen else {
        return None;
    };
    let given = given.as_setup();
    for orientation in [Orientation::Quarter, Orientation::ThreeQuarters] {
        let board = seen_rightly(&given.board, orientation);
        if is_array(&board, setup.chess960) {
            let array = shakmaty::Setup {
                castling_rights: board.rooks() & Bitboard::BACKRANKS,
                board,
                turn: given.turn,
                ..shakmaty::Setup::initial()
            };
            return Some((orientation, array));
        }
    }
    None
}

/// The pieces of a board that lies so, on the squares where they are meant to stand.
fn seen_rightly(given: &Board, orientation: Orientation) -> Board {
    let mut board = Board::empty();
    for (sq, piece) in given.clone() {
        board.set_piece_at(orientation.square(sq), piece);
    }
    board
}

/// Whether these are the pieces of a game that has not begun: of orthodox chess, or any of
/// Chess960.
pub(crate) fn is_array(board: &Board, chess960: bool) -> bool {
    let initial = Board::default();
    if *board == initial {
        return true;
    }
    chess960
        && board.pawns() == initial.pawns()
        && board.white() == initial.white()
        && board.black() == initial.black()
        && board.material() == initial.material()
        && is_mirrored(board)
}

/// Whether what stands on a square is of the role that its mirror image is of.
fn is_mirrored(board: &Board) -> bool {
    let mirrored = |sq: Square| board.role_at(sq) == board.role_at(sq.flip_vertical());
    Square::ALL.into_iter().all(mirrored)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(fen: &str, chess960: bool) -> Option<Orientation> {
        let fen = StartFen::parse(fen).ok();
        given_array(&Setup {
            fen,
            chess960,
            ..Setup::new(SensorClass::Piece)
        })
        .map(|(orientation, _)| orientation)
    }

    #[test]
    fn only_arrays_turned_by_a_right_angle_are_taken_for_arrays() {
        let quarter = "rp4PR/np4PN/bp4PB/kp4PK/qp4PQ/bp4PB/np4PN/rp4PR w - - 0 1";
        assert_eq!(given(quarter, false), Some(Orientation::Quarter));
        assert_eq!(
            given(
                "RP4pr/NP4pn/BP4pb/QP4pq/KP4pk/BP4pb/NP4pn/RP4pr w - - 0 1",
                false
            ),
            Some(Orientation::ThreeQuarters)
        );
        assert_eq!(
            given(
                "RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr w - - 0 1",
                false
            ),
            None
        );
        assert_eq!(
            given(
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                false
            ),
            None
        );
        let other = "rp4PR/np4PN/bp4PB/qp4PQ/kp4PK/bp4PB/np4PN/rp4PR w - - 0 1";
        assert_eq!(
            (given(other, false), given(other, true)),
            (None, Some(Orientation::Quarter))
        );
        let mixed = "np4PR/rp4PN/bp4PB/qp4PQ/kp4PK/bp4PB/np4PN/rp4PR w - - 0 1";
        assert_eq!(given(mixed, true), None);
    }

    #[test]
    fn occupancy_does_not_tell_right_from_left() {
        let start = Chess::default();
        let found = |class: SensorClass, orientation: Orientation| {
            turned(
                &orientation.back().reading(&class.reads(start.board())),
                &start,
                class,
            )
        };
        for orientation in [Orientation::Quarter, Orientation::ThreeQuarters] {
            assert_eq!(found(SensorClass::Piece, orientation), [orientation]);
            assert_eq!(found(SensorClass::Colour, orientation), [orientation]);
            assert_eq!(
                found(SensorClass::Occupancy, orientation),
                [Orientation::Quarter, Orientation::ThreeQuarters]
            );
        }
        assert_eq!(
            found(SensorClass::Colour, Orientation::Half),
            [Orientation::Half]
        );
        assert!(found(SensorClass::Occupancy, Orientation::Half).is_empty());
    }
}
