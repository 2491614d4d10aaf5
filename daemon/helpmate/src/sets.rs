//! What a man attacks from any of many squares, all of them at once.

use shakmaty::{Bitboard, Color, File, Role};

/// A step in one direction, of all squares at once. What leaves the board is gone.
type Step = fn(Bitboard) -> Bitboard;

const ORTHOGONAL: [Step; 4] = [north, south, east, west];
const DIAGONAL: [Step; 4] = [
    |b| north(east(b)),
    |b| north(west(b)),
    |b| south(east(b)),
    |b| south(west(b)),
];

pub(crate) fn north(squares: Bitboard) -> Bitboard {
    Bitboard(squares.0 << 8)
}

pub(crate) fn south(squares: Bitboard) -> Bitboard {
    Bitboard(squares.0 >> 8)
}

fn east(squares: Bitboard) -> Bitboard {
    Bitboard((squares & !Bitboard::from_file(File::H)).0 << 1)
}

fn west(squares: Bitboard) -> Bitboard {
    Bitboard((squares & !Bitboard::from_file(File::A)).0 >> 1)
}

/// What men of this role attack from `squares`. Their lines end on the squares `fixed`.
pub(crate) fn attacks(role: Role, colour: Color, squares: Bitboard, fixed: Bitboard) -> Bitboard {
    match role {
        Role::Pawn => {
            let ahead = colour.fold_wb(north(squares), south(squares));
            east(ahead) | west(ahead)
        }
        Role::Knight => knights(squares),
        Role::Bishop => slide(squares, fixed, DIAGONAL),
        Role::Rook => slide(squares, fixed, ORTHOGONAL),
        Role::Queen => slide(squares, fixed, DIAGONAL) | slide(squares, fixed, ORTHOGONAL),
        Role::King => {
            let row = squares | east(squares) | west(squares);
            north(row) | south(row) | east(squares) | west(squares)
        }
    }
}

/// These squares and all next to them.
pub(crate) fn grown(squares: Bitboard) -> Bitboard {
    let row = squares | east(squares) | west(squares);
    row | north(row) | south(row)
}

/// As a queen and as a knight: that is as every promoted piece.
pub(crate) fn promoted(squares: Bitboard, fixed: Bitboard) -> Bitboard {
    slide(squares, fixed, DIAGONAL) | slide(squares, fixed, ORTHOGONAL) | knights(squares)
}

fn knights(squares: Bitboard) -> Bitboard {
    let (east_one, west_one) = (east(squares), west(squares));
    let beside = east_one | west_one;
    let far = east(east_one) | west(west_one);
    north(north(beside)) | south(south(beside)) | north(far) | south(far)
}

fn slide(squares: Bitboard, fixed: Bitboard, directions: [Step; 4]) -> Bitboard {
    let mut attacked = Bitboard::EMPTY;
    for step in directions {
        let mut ray = step(squares);
        while ray.any() {
            attacked |= ray;
            ray = step(ray & !fixed);
        }
    }
    attacked
}
