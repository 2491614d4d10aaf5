//! Positions of every kind, legal or not: built, written, told apart.

use alloc::{string::String, vec::Vec};
use core::num::NonZeroU32;

use shakmaty::fen::Fen;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Move, Position,
    PositionError, Role,
};

/// A position that need not be reachable or even legal: games go on after an illegal move that
/// stands. Castling and en passant rights that cannot be are dropped. `None` where no order of play
/// can be made of it at all.
pub(crate) fn position(setup: &shakmaty::Setup, mode: CastlingMode) -> Option<Chess> {
    let pos = build(setup, mode)?;
    // What was moved in building it counts as no move.
    let halfmoves = pos.halfmoves().saturating_sub(setup.halfmoves);
    let fullmoves = pos.fullmoves().get() - setup.fullmoves.get();
    if (halfmoves, fullmoves) == (0, 0) {
        return Some(pos);
    }
    let mut earlier = setup.clone();
    earlier.halfmoves = setup.halfmoves.saturating_sub(halfmoves);
    let first = setup.fullmoves.get().saturating_sub(fullmoves);
    earlier.fullmoves = NonZeroU32::new(first).unwrap_or(NonZeroU32::MIN);
    build(&earlier, mode)
}

/// The position with these pieces, a ply after `before` that no legal move need have been.
pub(crate) fn a_ply_after(before: &Chess, board: Board, mode: CastlingMode) -> Option<Chess> {
    let mut setup = before.to_setup(EnPassantMode::Legal);
    let captured = board.occupied().count() < setup.board.occupied().count();
    let quiet = !captured && board.pawns() == setup.board.pawns();
    setup.halfmoves = if quiet { setup.halfmoves + 1 } else { 0 };
    if setup.turn == Color::Black {
        setup.fullmoves = setup.fullmoves.saturating_add(1);
    }
    setup.board = board;
    setup.ep_square = None;
    setup.swap_turn();
    position(&setup, mode)
}

fn build(setup: &shakmaty::Setup, mode: CastlingMode) -> Option<Chess> {
    let pawns = setup.board.pawns() & Bitboard::BACKRANKS;
    let mut legal = setup.clone();
    for sq in pawns {
        legal.board.discard_piece_at(sq);
    }
    let mut pos = tolerant(legal.clone(), mode).or_else(|| {
        // The side that has moved stands in check: the same board with the other side to move, and
        // the turn passed.
        let both_in_check = both_in_check(&legal, mode);
        legal.swap_turn();
        tolerant(legal, mode).or(both_in_check)
    })?;
    for sq in pawns {
        let colour = setup.board.color_at(sq)?;
        pass_turn_to(&mut pos, colour);
        pos.play_unchecked(Move::Put {
            role: Role::Pawn,
            to: sq,
        });
    }
    pass_turn_to(&mut pos, setup.turn);
    Some(pos)
}

fn tolerant(setup: shakmaty::Setup, mode: CastlingMode) -> Option<Chess> {
    Chess::from_setup(setup, mode)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .ok()
}

/// A position in which both kings stand in check: those who check the king of the side that has
/// moved are taken off, and put back when the rest stands. A king beside the other one comes from
/// elsewhere.
fn both_in_check(setup: &shakmaty::Setup, mode: CastlingMode) -> Option<Chess> {
    let (us, king) = (setup.turn, setup.board.king_of(!setup.turn)?);
    let mut calm = setup.clone();
    let ours = calm.board.king_of(us)?;
    let beside = shakmaty::attacks::king_attacks(king).contains(ours);
    let apart = !(setup.board.occupied() | shakmaty::attacks::king_attacks(king));
    let elsewhere = apart.first().filter(|_| beside);
    if let Some(square) = elsewhere {
        calm.board.discard_piece_at(ours);
        calm.board.set_piece_at(square, us.king());
    }
    let mut taken_off = Vec::new();
    loop {
        // Taking one off may uncover another behind it, and so may the king that went elsewhere.
        let checkers = calm.board.attacks_to(king, us, calm.board.occupied()) & !calm.board.kings();
        let Some(checker) = checkers.first() else {
            break;
        };
        let piece = calm.board.remove_piece_at(checker)?;
        taken_off.push((checker, piece.role));
    }
    let mut pos = tolerant(calm, mode)?;
    for (to, role) in taken_off {
        pass_turn_to(&mut pos, us);
        pos.play_unchecked(Move::Put { role, to });
    }
    if let Some(from) = elsewhere {
        pass_turn_to(&mut pos, us);
        pos.play_unchecked(Move::Normal {
            role: Role::King,
            from,
            to: ours,
            capture: None,
            promotion: None,
        });
    }
    Some(pos)
}

/// Passes the turn without changing the board: a piece is taken up and put back. A king or rook
/// would lose its right to castle by it, so any other piece goes before them.
fn pass_turn_to(pos: &mut Chess, colour: Color) {
    if pos.turn() == colour {
        return;
    }
    let roles = [
        Role::Knight,
        Role::Bishop,
        Role::Queen,
        Role::Pawn,
        Role::King,
    ];
    for role in roles {
        if let Some(at) = pos.our(role).first() {
            pos.play_unchecked(Move::Normal {
                role,
                from: at,
                to: at,
                capture: None,
                promotion: None,
            });
            return;
        }
    }
}

/// Room for a position in FEN, in bytes: few need more.
const LONGEST_FEN: usize = 80;

/// A position as FEN; the en passant square only where the capture is legal.
pub(crate) fn fen_text(pos: &Chess) -> String {
    let mut text = String::with_capacity(LONGEST_FEN);
    Fen::from_position(pos, EnPassantMode::Legal).append_to_string(&mut text);
    text
}

pub(crate) fn key(pos: &Chess) -> u64 {
    let Zobrist64(key) = pos.zobrist_hash(EnPassantMode::Legal);
    key
}

/// The squares that make a position illegal for good: both kings in check, or pawns on the last
/// rank whose owner has the move, so that nobody can have them replaced any more.
pub(crate) fn illegal_squares(pos: &Chess) -> Bitboard {
    let kings = if kings_in_check(pos) {
        pos.board().kings()
    } else {
        Bitboard::EMPTY
    };
    kings | (pos.board().pawns() & Bitboard::BACKRANKS & pos.us())
}

pub(crate) fn still_illegal(pos: &Chess) -> bool {
    kings_in_check(pos) || (pos.board().pawns() & Bitboard::BACKRANKS).any()
}

pub(crate) fn kings_in_check(pos: &Chess) -> bool {
    is_attacked(pos, Color::White) && is_attacked(pos, Color::Black)
}

/// Whether the king of `colour` stands in check.
fn is_attacked(pos: &Chess, colour: Color) -> bool {
    let board = pos.board();
    let Some(king) = board.king_of(colour) else {
        return false;
    };
    board.attacks_to(king, !colour, board.occupied()).any()
}

#[cfg(test)]
mod tests {
    use shakmaty::Square;

    use super::*;

    /// The side that has moved in check; both; a king beside the other.
    const ILLEGAL: [&str; 3] = [
        "r1bqkbnr/ppp1p1pp/2n2p2/3p3Q/3PP3/8/PPP2PPP/RNB1KBNR w KQkq - 2 4",
        "4k3/4R3/8/8/8/8/4r3/4K3 b - - 7 40",
        "8/8/3kK3/8/8/8/8/8 w - - 12 70",
    ];

    #[test]
    fn a_position_counts_its_moves_as_it_is_told_to() {
        for text in ILLEGAL {
            let fen: Fen = text.parse().expect("a FEN");
            let pos = position(fen.as_setup(), CastlingMode::Standard).expect("a position");
            assert_eq!(fen_text(&pos), text);
        }
    }

    #[test]
    fn an_illegal_ply_that_takes_or_moves_a_pawn_counts_the_quiet_ones_anew() {
        let fen: Fen = ILLEGAL[0].parse().expect("a FEN");
        let before = position(fen.as_setup(), CastlingMode::Standard).expect("a position");
        for (from, to, halfmoves) in [
            (Square::B1, Square::B3, 3),
            (Square::A2, Square::A5, 0),
            (Square::B1, Square::B7, 0),
        ] {
            let mut board = before.board().clone();
            let piece = board.remove_piece_at(from).expect("a piece");
            board.set_piece_at(to, piece);
            let after = a_ply_after(&before, board, CastlingMode::Standard).expect("a position");
            assert_eq!((after.halfmoves(), after.fullmoves().get()), (halfmoves, 4));
        }
    }
}
