//! Squares and what they read.

/// A square: 0 is a1, 1 is b1, 63 is h8.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Square(u8);

impl Square {
    /// The square of `index`; `None` from 64 on.
    pub const fn new(index: u8) -> Option<Square> {
        if index < 64 {
            Some(Square(index))
        } else {
            None
        }
    }

    /// 0 for a1, 63 for h8.
    pub const fn index(self) -> u8 {
        self.0
    }
}

/// What a square reads, as the letter event scripts use.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Symbol(u8);

impl Symbol {
    /// Nothing stands there.
    pub const EMPTY: Symbol = Symbol(b'.');
    /// Something stands there; the sensor cannot tell what.
    pub const SOMETHING: Symbol = Symbol(b'?');
    /// A light piece.
    pub const LIGHT: Symbol = Symbol(b'L');
    /// A dark piece.
    pub const DARK: Symbol = Symbol(b'D');

    /// The symbol of a letter: one of `. ? L D PNBRQK pnbrqk`.
    pub const fn from_byte(byte: u8) -> Option<Symbol> {
        match byte {
            b'.' | b'?' | b'L' | b'D' => Some(Symbol(byte)),
            b'P' | b'N' | b'B' | b'R' | b'Q' | b'K' => Some(Symbol(byte)),
            b'p' | b'n' | b'b' | b'r' | b'q' | b'k' => Some(Symbol(byte)),
            _ => None,
        }
    }

    /// Its letter.
    pub const fn byte(self) -> u8 {
        self.0
    }
}

impl Default for Symbol {
    fn default() -> Symbol {
        Symbol::EMPTY
    }
}
