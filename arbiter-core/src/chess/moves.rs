//! Moves as a board shows them: the squares they change, the pieces they put elsewhere, what they
//! capture.

use alloc::vec::Vec;

use shakmaty::{
    Bitboard, Board, CastlingSide, Chess, Color, Move, Piece, Position, Rank, Role, Square, attacks,
};

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
    let mut moves = unsorted_moves(pos);
    sort_moves(&mut moves, pos.turn());
    moves
}

/// The same in no order that means anything, for whoever needs few of them, or none in particular.
pub(crate) fn unsorted_moves(pos: &Chess) -> Vec<Move> {
    let mut moves = pos.legal_moves();
    moves.retain(|m| m.capture() != Some(Role::King));
    moves.to_vec()
}

/// Adds to `moves` the legal ones of the piece on `from` of the player to move, in no order: those
/// to squares for which `wanted` is true, and castling by its king (3.8.2).
pub(crate) fn add_moves_from(
    pos: &Chess,
    from: Square,
    wanted: impl Fn(Square) -> bool,
    moves: &mut Vec<Move>,
) {
    let board = pos.board();
    let Some(piece) = board.piece_at(from) else {
        return;
    };
    let mut targets = reach(board, from, piece);
    if piece.role == Role::Pawn
        && let Some(passed) = pos.maybe_ep_square()
    {
        targets |= attacks::pawn_attacks(piece.color, from) & Bitboard::from(passed);
    }
    let is_possible = |m: &&Move| m.from() == Some(from) && m.capture() != Some(Role::King);
    for to in targets.into_iter().filter(|to| wanted(*to)) {
        let legal = pos.san_candidates(piece.role, to);
        // A list of moves is long, whatever is in it: it is never moved.
        moves.extend(legal.iter().filter(is_possible));
    }
    let castles = piece.role == Role::King && pos.castles().has_color(piece.color);
    if castles && pos.checkers().is_empty() {
        for side in CastlingSide::ALL {
            moves.extend(&pos.castling_moves(side));
        }
    }
}

/// Whether a piece of the player to move on one of `squares` can capture the one on `victim`.
pub(crate) fn can_capture_from(pos: &Chess, squares: Bitboard, victim: Square) -> bool {
    let board = pos.board();
    let attackers = squares & board.attacks_to(victim, pos.turn(), board.occupied());
    let captures = |from: Square| {
        let legal = board.role_at(from).map(|by| pos.san_candidates(by, victim));
        legal.is_some_and(|legal| legal.iter().any(|m| m.from() == Some(from)))
    };
    if board.role_at(victim) != Some(Role::King) && attackers.into_iter().any(captures) {
        return true;
    }
    let takes = |m: &Move| victim_square(*m) == Some(victim) && is_from(*m, squares);
    pos.maybe_ep_square().is_some() && pos.en_passant_moves().iter().any(takes)
}

/// Whether `m` is made by a piece from one of `squares`.
#[inline]
pub(crate) fn is_from(m: Move, squares: Bitboard) -> bool {
    m.from().is_some_and(|from| squares.contains(from))
}

/// Sorts moves of `player` by their squares as he sees them.
pub(crate) fn sort_moves(moves: &mut [Move], player: Color) {
    if moves.len() < 2 {
        return;
    }
    let unsorted = moves.to_vec();
    let numbered = unsorted.iter().enumerate();
    let mut order: Vec<u32> = numbered.map(|(n, m)| number(*m, player, n)).collect();
    order.sort_unstable();
    for (place, number) in moves.iter_mut().zip(order) {
        *place = unsorted[number as usize & PLACE];
    }
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

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;
    use crate::chess::position::position;

    /// Checks, pins, promotions, captures in passing, and castling, also through check.
    const POSITIONS: [&str; 6] = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "8/8/3p4/KPp4r/1R3p1k/8/4P1P1/8 w - c6 0 1",
        "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        "4k3/8/8/8/4r3/8/3P1P2/R3K2R w KQ - 0 1",
    ];

    fn positions() -> impl Iterator<Item = Chess> {
        POSITIONS.into_iter().map(|fen| {
            let fen: Fen = fen.parse().expect("a FEN");
            position(fen.as_setup(), CastlingMode::Standard).expect("a legal position")
        })
    }

    #[test]
    fn the_moves_of_every_piece_are_the_legal_moves() {
        for pos in positions() {
            let mut moves = Vec::new();
            for from in pos.us() {
                add_moves_from(&pos, from, |_| true, &mut moves);
            }
            sort_moves(&mut moves, pos.turn());
            assert_eq!(moves, legal_moves(&pos), "{pos:?}");
        }
    }

    #[test]
    fn what_can_be_captured_is_what_a_legal_move_captures() {
        for pos in positions() {
            let legal = legal_moves(&pos);
            for from in pos.us() {
                for victim in pos.them() {
                    let takes = |m: &Move| victim_square(*m) == Some(victim);
                    let captures = |m: &Move| m.from() == Some(from) && takes(m);
                    let can = can_capture_from(&pos, from.into(), victim);
                    assert_eq!(can, legal.iter().any(captures), "{from} {victim} {pos:?}");
                }
            }
        }
    }
}
