//! Moves as a board shows them: the squares they change, the pieces they put elsewhere, what they
//! capture.

use alloc::vec::Vec;

use shakmaty::{Bitboard, Board, Chess, Color, Move, Piece, Position, Rank, Role, Square, attacks};

/// The pieces that `m` puts on other squares: from where, to where. In castling the king comes
/// first; of the two that piece is left out which stays where it is (Chess960; Guideline II.3.2).
pub(crate) fn legs(m: Move) -> impl Iterator<Item = (Square, Square)> + Clone {
    let pair = match m {
        Move::Castle { king, rook } => {
            let side = m.castling_side().expect("a castling move has a side");
            let king_to = Square::from_coords(side.king_to_file(), king.rank());
            let rook_to = Square::from_coords(side.rook_to_file(), king.rank());
            [leg(king, king_to), leg(rook, rook_to)]
        }
        Move::Normal { from, to, .. } | Move::EnPassant { from, to } => [Some((from, to)), None],
        Move::Put { .. } => [None, None],
    };
    pair.into_iter().flatten()
}

fn leg(from: Square, to: Square) -> Option<(Square, Square)> {
    (from != to).then_some((from, to))
}

/// The squares a move changes.
pub(crate) fn squares_of(m: Move) -> Bitboard {
    match m {
        Move::Castle { .. } => legs(m).flat_map(|(from, to)| [from, to]).collect(),
        Move::EnPassant { from, to } => {
            let victim = Square::from_coords(to.file(), from.rank());
            Bitboard::from(from) | Bitboard::from(to) | Bitboard::from(victim)
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
    let (mut left, mut taken) = (Bitboard::EMPTY, Bitboard::EMPTY);
    for (from, to) in legs(m) {
        left.add(from);
        taken.add(to);
    }
    left & taken
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
        Move::Normal { capture: None, .. } | Move::Castle { .. } | Move::Put { .. } => None,
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
/// In the order of their squares as the player to move sees them: of equally good hypotheses the
/// first is taken, and both colours are ruled alike.
pub fn legal_moves(pos: &Chess) -> Vec<Move> {
    let moves = pos.legal_moves();
    let mut order: Vec<u32> = Vec::with_capacity(moves.len());
    for (n, m) in moves.iter().enumerate() {
        if m.capture() != Some(Role::King) {
            order.push(number(*m, pos.turn(), n));
        }
    }
    order.sort_unstable();
    let mut sorted = Vec::with_capacity(order.len());
    for number in order {
        sorted.push(moves[number as usize & PLACE]);
    }
    sorted
}

/// The part of a move's number that is its place: no position has so many legal moves.
const PLACE: usize = 511;

/// The number by which a move is sorted, in which its place among the others, `n`, comes last:
/// numbers are sorted faster than moves.
fn number(m: Move, player: Color, n: usize) -> u32 {
    let from = match m.from() {
        Some(from) => 1 + u32::from(as_seen_by(player, from)),
        None => 0,
    };
    let to = u32::from(as_seen_by(player, m.to()));
    let promotion = m.promotion().map_or(0, |role| role as u32);
    from << 18 | to << 12 | promotion << 9 | n as u32
}

fn as_seen_by(player: Color, square: Square) -> Square {
    match player {
        Color::White => square,
        Color::Black => square.flip_vertical(),
    }
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
    let home = Bitboard::from_rank(piece.color.fold_wb(Rank::Second, Rank::Seventh));
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
