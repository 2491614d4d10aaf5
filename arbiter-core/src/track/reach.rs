//! How many plies men need at least to come from where they stand to other squares: a bound for
//! searches, as on an empty board.

use shakmaty::{Bitboard, Board, Color, Piece, Role, Square};

use crate::said::symbol::Symbol;
use crate::sense::planes::Planes;

/// More plies than any line that is looked for has.
const NEVER: u32 = 99;

/// Whether men of `board` can come to stand on the squares `filled`, that read as in `planes` and
/// on which other men stand or none, in `most` plies. Castling counts for each of its two squares.
pub(crate) fn is_within(most: usize, board: &Board, filled: Bitboard, planes: &Planes) -> bool {
    // Each square takes one at least, which is seen without a look at the men.
    let Some(mut spare) = most.checked_sub(filled.count()) else {
        return false;
    };
    for to in filled {
        let more = least_plies(board, to, planes.at(to)).saturating_sub(1) as usize;
        match spare.checked_sub(more) {
            Some(left) => spare = left,
            None => return false,
        }
    }
    true
}

/// The least number of plies in which a man of `board` comes to `to`, which reads `symbol` then.
fn least_plies(board: &Board, to: Square, symbol: Symbol) -> u32 {
    let men = match symbol.colour() {
        Some(colour) => board.by_color(colour),
        None => board.occupied(),
    };
    let mut least = NEVER;
    for from in men {
        let man = board.piece_at(from);
        least = least.min(man.map_or(NEVER, |man| plies_to_read(man, from, to, symbol)));
        if least <= 1 {
            break;
        }
    }
    least
}

/// The least plies in which `man` comes from `from` to `to`, which reads `symbol` then.
fn plies_to_read(man: Piece, from: Square, to: Square, symbol: Symbol) -> u32 {
    match symbol {
        Symbol::Empty => NEVER,
        Symbol::Something => plies_of_any(man, from, to),
        Symbol::Colour(colour) if colour == man.color => plies_of_any(man, from, to),
        Symbol::Piece(piece) if piece == man => plies(man, from, to),
        Symbol::Piece(piece) if piece.color == man.color && man.role == Role::Pawn => {
            match piece.role {
                Role::King => NEVER,
                _ => plies_to_promotion(man.color, from),
            }
        }
        _ => NEVER,
    }
}

/// The least plies of a man who may be promoted on his way.
fn plies_of_any(man: Piece, from: Square, to: Square) -> u32 {
    match man.role {
        Role::Pawn => plies(man, from, to).min(plies_to_promotion(man.color, from)),
        _ => plies(man, from, to),
    }
}

fn plies(man: Piece, from: Square, to: Square) -> u32 {
    let files = from.file().distance(to.file());
    let ranks = from.rank().distance(to.rank());
    let (far, both) = (files.max(ranks), files + ranks);
    let (straight, diagonal) = (files == 0 || ranks == 0, files == ranks);
    match man.role {
        Role::Pawn => plies_of_pawn(man.color, from, to),
        Role::Knight => {
            let least = far.div_ceil(2).max(both.div_ceil(3));
            least + (least + both) % 2
        }
        Role::Bishop if both % 2 == 1 => NEVER,
        Role::Bishop => 2 - u32::from(diagonal),
        Role::Rook => 2 - u32::from(straight),
        Role::Queen => 2 - u32::from(straight || diagonal),
        // Castling takes him to any file of his rank.
        Role::King => ranks.max(files.min(1)),
    }
}

fn plies_of_pawn(colour: Color, from: Square, to: Square) -> u32 {
    let rank = |sq: Square| u32::from(colour.relative_rank(sq.rank()));
    let files = from.file().distance(to.file());
    let ahead = rank(to).saturating_sub(rank(from));
    match ahead > 0 && files <= ahead {
        true => files.max(ahead - u32::from(rank(from) == 1 && ahead > 1)),
        false => NEVER,
    }
}

fn plies_to_promotion(colour: Color, from: Square) -> u32 {
    let rank = u32::from(colour.relative_rank(from.rank()));
    7 - rank - u32::from(rank == 1)
}

#[cfg(test)]
mod tests {
    use shakmaty::{Chess, Position};

    use super::*;
    use crate::chess::moves::unsorted_moves;
    use crate::said::symbol::{Reading, SensorClass};

    /// What a board of `class` reads where `pos` stands.
    fn read(pos: &Chess, class: SensorClass) -> Planes {
        let mut planes = Planes::new(class, &Reading::EMPTY);
        for sq in Square::ALL {
            planes.set(sq, class.sees(pos.board().piece_at(sq)));
        }
        planes
    }

    /// The squares that are filled otherwise than in `pos`.
    fn filled(pos: &Chess, planes: &Planes) -> Bitboard {
        planes.differ(pos.board()) & planes.occupied()
    }

    #[test]
    fn no_line_is_shorter_than_its_bound() {
        let classes = [
            SensorClass::Occupancy,
            SensorClass::Colour,
            SensorClass::Piece,
        ];
        let mut seed = 1_u64;
        for _ in 0..300 {
            let mut pos = Chess::default();
            let mut line = alloc::vec![pos.clone()];
            let mut castlings = alloc::vec![0];
            for _ in 0..120 {
                let moves = unsorted_moves(&pos);
                if moves.is_empty() {
                    break;
                }
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let m = moves[(seed >> 33) as usize % moves.len()];
                castlings.push(castlings.last().unwrap() + usize::from(m.is_castle()));
                pos.play_unchecked(m);
                line.push(pos.clone());
            }
            for (n, later) in line.iter().enumerate() {
                for (plies, before) in line[..=n].iter().rev().enumerate().take(7) {
                    let castled = castlings[n] - castlings[n - plies];
                    for class in classes {
                        let planes = read(later, class);
                        let filled = filled(before, &planes);
                        let within = is_within(plies + castled, before.board(), filled, &planes);
                        assert!(within, "{before:?} {later:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn men_need_their_plies() {
        let cases = [
            ("N", Square::G1, Square::F3, 1),
            ("N", Square::G1, Square::G5, 2),
            ("B", Square::F1, Square::F2, NEVER),
            ("B", Square::F1, Square::H1, 2),
            ("R", Square::H1, Square::A8, 2),
            ("P", Square::E2, Square::E4, 1),
            ("P", Square::E2, Square::E5, 2),
            ("P", Square::E2, Square::F4, 1),
            ("P", Square::E4, Square::E4, NEVER),
            ("P", Square::E4, Square::E3, NEVER),
            ("K", Square::E1, Square::E4, 3),
            ("K", Square::E1, Square::G1, 1),
        ];
        for (letter, from, to, least) in cases {
            let man = Piece::from_char(letter.chars().next().unwrap()).unwrap();
            assert_eq!(plies(man, from, to), least, "{letter} {from} {to}");
        }
    }
}
