//! Moves as a board shows them: the squares they change, the pieces they put elsewhere, what they capture.

use alloc::vec::Vec;

use shakmaty::{Bitboard, Board, Chess, Color, Move, Piece, Position, Role, Square, attacks};

/// The pieces that `m` puts on other squares: from where, to where. In castling the king comes
/// first; of the two that piece is left out which stays where it is (Chess960; Guideline II.3.2).
pub(crate) fn legs(m: Move) -> impl Iterator<Item = (Square, Square)> + Clone {
    let pair = match m {
        Move::Castle { king, rook } => {
            let side = m.castling_side().expect("a castling move has a side");
            let on_rank = |file| Square::from_coords(file, king.rank());
            let legs = [
                (king, on_rank(side.king_to_file())),
                (rook, on_rank(side.rook_to_file())),
            ];
            legs.map(|(from, to)| (from != to).then_some((from, to)))
        }
        Move::Normal { from, to, .. } | Move::EnPassant { from, to } => [Some((from, to)), None],
        Move::Put { .. } => [None, None],
    };
    pair.into_iter().flatten()
}

/// The squares a move changes.
pub(crate) fn squares_of(m: Move) -> Bitboard {
    match m {
        Move::Castle { .. } => legs(m).flat_map(|(from, to)| [from, to]).collect(),
        Move::EnPassant { from, to } => {
            Bitboard::from(from)
                | Bitboard::from(to)
                | Bitboard::from(victim_square(m).unwrap_or(to))
        }
        Move::Normal { from, to, .. } => Bitboard::from(from) | Bitboard::from(to),
        Move::Put { to, .. } => to.into(),
    }
}

/// The squares that one castling piece leaves and the other takes: the board reads there what it
/// read before, unless it tells king from rook.
pub(crate) fn handed_over(m: Move) -> Bitboard {
    if !m.is_castle() {
        return Bitboard::EMPTY;
    }
    let (from, to): (Bitboard, Bitboard) = legs(m)
        .map(|(from, to)| (Bitboard::from(from), Bitboard::from(to)))
        .fold(Default::default(), |(froms, tos), (from, to)| {
            (froms | from, tos | to)
        });
    from & to
}

/// Whether king and rook change places (transposition castling): only a board that tells them apart
/// sees it.
pub(crate) fn is_exchange(m: Move) -> bool {
    handed_over(m).count() == 2
}

/// The square whose piece the move captures.
pub(crate) fn victim_square(m: Move) -> Option<Square> {
    match m {
        Move::EnPassant { from, to } => Some(Square::from_coords(to.file(), from.rank())),
        Move::Normal {
            to,
            capture: Some(_),
            ..
        } => Some(to),
        _ => None,
    }
}

/// Where the moving piece comes from: in castling the king, or the rook where the king stays.
pub(crate) fn origin(m: Move) -> Option<Square> {
    legs(m).next().map(|(from, _)| from)
}

/// Where the moving piece (see [`origin`]) ends.
pub(crate) fn arrival(m: Move) -> Square {
    legs(m).next().map_or(m.to(), |(_, to)| to)
}

/// The legal moves. Where an illegal move was left standing a king can be in reach: it is never
/// captured (1.4.1).
///
/// In the order of their squares as the player to move sees them: of equally good accounts the
/// first is taken, and both colours are ruled alike.
pub fn legal_moves(pos: &Chess) -> Vec<Move> {
    let moves = pos.legal_moves();
    let seen = |square: Square| {
        if pos.turn() == Color::White {
            square
        } else {
            square.flip_vertical()
        }
    };
    // A number for each, in which the place in `moves` comes last: numbers are sorted faster than
    // moves.
    let number = |(n, m): (usize, &Move)| {
        let from = m.from().map_or(0, |from| 1 + u32::from(seen(from)));
        let promotion = m.promotion().map_or(0, |role| role as u32);
        from << 18 | u32::from(seen(m.to())) << 12 | promotion << 9 | n as u32
    };
    let takes_king = |m: &Move| m.capture() == Some(Role::King);
    let mut order: Vec<u32> = Vec::with_capacity(moves.len());
    order.extend(
        moves
            .iter()
            .enumerate()
            .filter(|(_, m)| !takes_king(m))
            .map(number),
    );
    order.sort_unstable();
    order
        .into_iter()
        .map(|number| moves[number as usize & 511])
        .collect()
}

/// Squares a piece could go to by its own way of moving, its king's safety left aside (3.2 to 3.8).
pub(crate) fn reach(board: &Board, from: Square, piece: Piece) -> Bitboard {
    let occupied = board.occupied();
    let attacked = attacks::attacks(from, piece, occupied) & !board.by_color(piece.color);
    if piece.role != Role::Pawn {
        return attacked;
    }
    let step = piece.color.fold_wb(8, -8);
    let one = Bitboard::from(from).shift(step) & !occupied;
    let home = Bitboard::from_rank(
        piece
            .color
            .fold_wb(shakmaty::Rank::Second, shakmaty::Rank::Seventh),
    );
    let two = if home.contains(from) {
        one.shift(step) & !occupied
    } else {
        Bitboard::EMPTY
    };
    (attacked & board.by_color(!piece.color)) | one | two
}

pub(crate) fn two_squares(from: Square, to: Square) -> bool {
    from.rank() == to.rank() && from.file().distance(to.file()) == 2
}
