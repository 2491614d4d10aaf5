//! Positions in which no mate can ever come about, since the men that it would take cannot come to
//! where it would take them.

use shakmaty::{Bitboard, Chess, Color, Role, Square, attacks};

use crate::reach::{Man, Reach};
use crate::sets;

/// Whether `winner` can never mate, proven by where the men can come to.
///
/// In a mate the king stands on a square that he can reach; one of the winner's men attacks it;
/// and on each square next to it one of the king's own men stands, or one of the winner's men
/// attacks it. If one of that is out of reach for each square of the king, there is no mate.
pub(crate) fn is_unwinnable(pos: &Chess, winner: Color) -> bool {
    mate_squares(&Reach::new(pos), winner).is_empty()
}

/// Squares on which the loser's king may be mated, as far as that can be told.
pub(crate) fn mate_squares(reach: &Reach, winner: Color) -> Bitboard {
    let loser_king = |man: &&Man| man.piece.color != winner && man.piece.role == Role::King;
    let king = reach.men.iter().find(loser_king);
    let squares = king.map_or(Bitboard::EMPTY, |king| king.squares);
    squares
        .into_iter()
        .filter(|square| may_be_mate(reach, winner, *square))
        .collect()
}

/// The easiest of these squares for a mate: with the fewest flights that are not shut for ever.
pub(crate) fn easiest(reach: &Reach, winner: Color, squares: Bitboard) -> Vec<Square> {
    let men = reach
        .men
        .iter()
        .filter(|man| man.piece.color != winner && man.stays());
    let fixed = men.fold(Bitboard::EMPTY, |sum, man| sum | man.squares);
    let shut = fixed | reach.barred(!winner);
    let flights = |square: &Square| (attacks::king_attacks(*square) & !shut).count();
    let fewest = squares.into_iter().map(|square| flights(&square)).min();
    squares
        .into_iter()
        .filter(|square| Some(flights(square)) == fewest)
        .collect()
}

fn may_be_mate(reach: &Reach, winner: Color, square: Square) -> bool {
    let king = |man: &&Man| man.piece.color == winner && man.is_king();
    let king = reach
        .men
        .iter()
        .find(king)
        .map_or(Bitboard::EMPTY, |king| king.squares);
    may_be_mate_by(reach, winner, square, king)
}

/// The same, with the winner's king on one of these squares.
pub(crate) fn may_be_mate_by(reach: &Reach, winner: Color, square: Square, king: Bitboard) -> bool {
    let near = attacks::king_attacks(square);
    // Kings never stand next to each other.
    let king = king & !near & !Bitboard::from(square);
    let mut attacked = sets::attacks(Role::King, winner, king, Bitboard::EMPTY);
    let mut checked = false;
    for man in reach
        .men
        .iter()
        .filter(|man| man.piece.color == winner && !man.is_king())
    {
        let by_man = man.attacks(reach.fixed);
        checked |= by_man.contains(square);
        attacked |= by_man;
    }
    checked && can_block(reach, !winner, near & !attacked)
}

/// Whether the men of a side could stand on all these squares at once, each of them on one.
fn can_block(reach: &Reach, side: Color, squares: Bitboard) -> bool {
    let own = |man: &&Man| man.piece.color == side && man.piece.role != Role::King;
    let places: Vec<Bitboard> = reach.men.iter().filter(own).map(Man::places).collect();
    let mut stands_on = vec![None; places.len()];
    squares.into_iter().all(|square| {
        seat(
            square,
            &places,
            &mut stands_on,
            &mut vec![false; places.len()],
        )
    })
}

/// Finds a man for the square, moving others to other squares for it if need be.
fn seat(
    square: Square,
    places: &[Bitboard],
    stands_on: &mut [Option<Square>],
    asked: &mut [bool],
) -> bool {
    for man in 0..places.len() {
        if places[man].contains(square) && !std::mem::replace(&mut asked[man], true) {
            let other = stands_on[man];
            if other.is_none_or(|other| seat(other, places, stands_on, asked)) {
                stands_on[man] = Some(square);
                return true;
            }
        }
    }
    false
}
