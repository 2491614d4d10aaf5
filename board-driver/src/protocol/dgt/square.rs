//! What stands on a square, and how the board numbers its squares.
//!
//! The board counts from a8 row by row to h1, with its connector at White's left; it never counts
//! otherwise, however it lies. A board that lies with White on the other side is read turned by
//! half (`arbiter_core::orientation`).

use arbiter_core::Symbol;
use arbiter_core::shakmaty::{Color, Piece, Role, Square};

/// What one square holds, by its code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Content {
    /// Nothing.
    #[default]
    Empty,
    /// A piece.
    Piece(Piece),
    /// A special piece, by which players tell a result. It is no part of any position.
    Result(Signal),
}

/// What a special piece says.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Signal {
    /// The game is drawn.
    Draw,
    /// White has won.
    WhiteWins,
    /// Black has won.
    BlackWins,
}

/// Codes 1 to 6 for White, 7 to 12 for Black.
const ROLES: [Role; 6] = [
    Role::Pawn,
    Role::Rook,
    Role::Knight,
    Role::Bishop,
    Role::King,
    Role::Queen,
];

impl Content {
    /// What a code stands for. Only its low four bits count.
    pub fn from_code(code: u8) -> Content {
        match code & 0x0f {
            0 => Content::Empty,
            white @ 1..=6 => Content::Piece(ROLES[usize::from(white) - 1].of(Color::White)),
            black @ 7..=12 => Content::Piece(ROLES[usize::from(black) - 7].of(Color::Black)),
            13 => Content::Result(Signal::Draw),
            14 => Content::Result(Signal::WhiteWins),
            _ => Content::Result(Signal::BlackWins),
        }
    }

    /// Its code.
    pub fn code(self) -> u8 {
        match self {
            Content::Empty => 0,
            Content::Piece(piece) => {
                let role = ROLES
                    .iter()
                    .position(|role| *role == piece.role)
                    .unwrap_or_default() as u8;
                piece.color.fold_wb(1, 7) + role
            }
            Content::Result(Signal::Draw) => 13,
            Content::Result(Signal::WhiteWins) => 14,
            Content::Result(Signal::BlackWins) => 15,
        }
    }

    /// What it is to whoever follows the game. A special piece stands for no piece.
    pub fn symbol(self) -> Symbol {
        match self {
            Content::Piece(piece) => Symbol::Piece(piece),
            Content::Empty | Content::Result(_) => Symbol::Empty,
        }
    }

    /// What a board reads where `symbol` is.
    pub fn of(symbol: Symbol) -> Content {
        match symbol {
            Symbol::Piece(piece) => Content::Piece(piece),
            Symbol::Empty | Symbol::Something | Symbol::Colour(_) => Content::Empty,
        }
    }
}

/// The square of a number; `None` from 64 on.
pub fn square(number: u8) -> Option<Square> {
    Square::ALL
        .get(usize::from(number ^ 56))
        .copied()
        .filter(|_| number < 64)
}

/// The number of a square.
pub fn number(square: Square) -> u8 {
    u8::from(square) ^ 56
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares() {
        for (n, sq) in [
            (0, Square::A8),
            (7, Square::H8),
            (8, Square::A7),
            (63, Square::H1),
        ] {
            assert_eq!((square(n), number(sq)), (Some(sq), n));
        }
        assert_eq!((square(64), square(127)), (None, None));
    }

    #[test]
    fn codes() {
        let letters: String = (0..16)
            .map(|code| Content::from_code(code).symbol().char())
            .collect();
        assert_eq!(letters, ".PRNBKQprnbkq...");
        for code in 0..16 {
            assert_eq!(Content::from_code(code).code(), code);
            assert_eq!(
                Content::from_code(code | 0x50).code(),
                code,
                "other bits do not count"
            );
        }
        assert_eq!(Content::from_code(14), Content::Result(Signal::WhiteWins));
    }
}
