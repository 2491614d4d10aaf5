//! Men that are guarded however the others of their side stand.

use shakmaty::{Bitboard, Color, Role, Square, attacks};

use crate::reach::{Man, Reach};

/// What is in line with a square, up to the first of these others.
type Line = fn(Square, Bitboard) -> Bitboard;

/// Of the squares of a man, those where no king can take him: one of his side's pieces always
/// stands so that it guards him. That may be another one at every time; in a cage with less room
/// than pieces to stand on it, one of them always is. `king` are the squares of his own king.
pub(crate) fn always(men: &Reach, number: usize, king: Bitboard) -> Bitboard {
    let side = men.men[number].piece.color;
    let others = |man: &(usize, &Man)| man.0 != number && !man.1.is_king();
    let others: Vec<(usize, &Man)> = men.men.iter().enumerate().filter(others).collect();
    let own = others.iter().filter(|(_, man)| man.piece.color == side);
    let places: Vec<Bitboard> = own.map(|(_, man)| man.squares).collect();
    let guarded = |square: &Square| {
        let empty = empty_around(&others, *square, side, king);
        empty.any() && !can_stand(&places, !empty & !Bitboard::from(*square))
    };
    men.men[number]
        .squares
        .into_iter()
        .filter(guarded)
        .collect()
}

/// The squares in line with this one that nobody can stand on without guarding it. The king who
/// takes leaves no cover behind: where he came from, the line is open.
fn empty_around(others: &[(usize, &Man)], square: Square, side: Color, king: Bitboard) -> Bitboard {
    let lines: [(Line, Role); 2] = [
        (attacks::bishop_attacks, Role::Bishop),
        (attacks::rook_attacks, Role::Rook),
    ];
    let mut empty = Bitboard::EMPTY;
    for (line, slider) in lines {
        let (mut guards, mut covers) = (Bitboard::EMPTY, king);
        for (_, man) in others {
            let slides = [slider, Role::Queen].contains(&man.piece.role);
            if slides && man.piece.color == side {
                guards |= man.squares;
            } else {
                covers |= man.squares;
            }
        }
        empty |= line(square, covers) & guards & !covers;
    }
    empty
}

/// Whether the men, each on one of its places, could all stand on different ones of these squares.
fn can_stand(places: &[Bitboard], squares: Bitboard) -> bool {
    let mut stands = [None; 64];
    (0..places.len()).all(|man| seat(man, places, &mut stands, &mut squares.clone()))
}

/// Finds a square for the man, of those not `left` out yet, moving others for it if need be.
fn seat(
    man: usize,
    places: &[Bitboard],
    stands: &mut [Option<usize>; 64],
    left: &mut Bitboard,
) -> bool {
    for square in places[man] {
        if left.contains(square) {
            left.discard(square);
            let other = stands[usize::from(square)];
            if other.is_none_or(|other| seat(other, places, stands, left)) {
                stands[usize::from(square)] = Some(man);
                return true;
            }
        }
    }
    false
}
