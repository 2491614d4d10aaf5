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
    let reach = Reach::new(pos);
    let men = attacked_by_men(&reach, winner);
    let mut squares = king_squares(&reach, !winner).into_iter();
    !squares.any(|square| may_be_mate(&reach, winner, men, square))
}

/// Squares on which the loser's king may be mated, as far as that can be told.
pub(crate) fn mate_squares(reach: &Reach, winner: Color) -> Bitboard {
    let men = attacked_by_men(reach, winner);
    let squares = king_squares(reach, !winner).into_iter();
    squares
        .filter(|square| may_be_mate(reach, winner, men, *square))
        .collect()
}

fn king_squares(reach: &Reach, side: Color) -> Bitboard {
    let king = |man: &&Man| man.piece.color == side && man.is_king();
    let king = reach.men.iter().find(king);
    king.map_or(Bitboard::EMPTY, |king| king.squares)
}

/// What all men of a side but its king may attack, through the other king as well.
pub(crate) fn attacked_by_men(reach: &Reach, side: Color) -> Bitboard {
    let men = reach
        .men
        .iter()
        .filter(|man| man.piece.color == side && !man.is_king());
    let ends = reach.ends_of_lines(side);
    men.fold(Bitboard::EMPTY, |sum, man| sum | man.attacks(ends))
}

/// How many flights each of these squares has that are not shut for ever.
pub(crate) fn flights(reach: &Reach, winner: Color, squares: Bitboard) -> Vec<(Square, usize)> {
    let men = reach
        .men
        .iter()
        .filter(|man| man.piece.color != winner && man.stays());
    let fixed = men.fold(Bitboard::EMPTY, |sum, man| sum | man.squares);
    let shut = fixed | reach.barred(!winner);
    let flights = |square| (square, (attacks::king_attacks(square) & !shut).count());
    squares.into_iter().map(flights).collect()
}

fn may_be_mate(reach: &Reach, winner: Color, men: Bitboard, square: Square) -> bool {
    may_be_mate_by(reach, winner, men, square, king_squares(reach, winner))
}

/// Whether a mate on this square is possible, given what the winner's men may attack and where his
/// king may stand.
pub(crate) fn may_be_mate_by(
    reach: &Reach,
    winner: Color,
    men: Bitboard,
    square: Square,
    king: Bitboard,
) -> bool {
    if !men.contains(square) {
        return false;
    }
    let near = attacks::king_attacks(square);
    // Kings never stand next to each other.
    let king = king & !near & !Bitboard::from(square);
    let attacked = men | sets::attacks(Role::King, winner, king, Bitboard::EMPTY);
    can_block(reach, !winner, near & !attacked)
}

/// Whether the men of a side could stand on all these squares at once, each of them on one.
fn can_block(reach: &Reach, side: Color, squares: Bitboard) -> bool {
    if squares.is_empty() {
        return true;
    }
    let own = |man: &&Man| man.piece.color == side && !man.is_king();
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
