//! A reading as bitboards, so that a whole board is compared in a few instructions.

use shakmaty::{Bitboard, Board, Color, Role, Square};

use crate::said::symbol::{Reading, SensorClass, Symbol};

/// What the 64 squares read, a bit a square.
#[derive(Clone, Debug)]
pub(crate) struct Planes {
    class: SensorClass,
    reading: Reading,
    occupied: Bitboard,
    /// By colour, where the sensor shows one.
    colours: [Bitboard; 2],
    /// By role, pawn first, where the sensor shows one.
    roles: [Bitboard; 6],
    /// Occupied by something the sensor did not identify: fits any piece.
    vague: Bitboard,
}

impl Planes {
    pub(crate) fn new(class: SensorClass, reading: &Reading) -> Planes {
        let mut planes = Planes {
            class,
            reading: Reading::EMPTY,
            occupied: Bitboard::EMPTY,
            colours: [Bitboard::EMPTY; 2],
            roles: [Bitboard::EMPTY; 6],
            vague: Bitboard::EMPTY,
        };
        for sq in Square::ALL {
            planes.set(sq, reading.at(sq));
        }
        planes
    }

    pub(crate) fn class(&self) -> SensorClass {
        self.class
    }

    pub(crate) fn reading(&self) -> &Reading {
        &self.reading
    }

    pub(crate) fn at(&self, sq: Square) -> Symbol {
        self.reading.at(sq)
    }

    pub(crate) fn occupied(&self) -> Bitboard {
        self.occupied
    }

    /// Squares that read a piece of `colour`; none where the sensors tell no colours.
    pub(crate) fn of_colour(&self, colour: Color) -> Bitboard {
        self.colours[colour as usize]
    }

    /// Squares that may hold a piece of `colour`, as far as the sensors show.
    pub(crate) fn may_be(&self, colour: Color) -> Bitboard {
        match self.class {
            SensorClass::Occupancy => self.occupied,
            _ => self.colours[colour as usize] | self.vague,
        }
    }

    pub(crate) fn set(&mut self, sq: Square, symbol: Symbol) {
        let symbol = symbol.coarsened(self.class);
        self.reading.set(sq, symbol);
        let vague = symbol == Symbol::Something
            || (self.class == SensorClass::Piece && matches!(symbol, Symbol::Colour(_)));
        self.occupied.set(sq, symbol != Symbol::Empty);
        self.vague.set(sq, vague);
        for colour in Color::ALL {
            self.colours[colour as usize].set(sq, symbol.colour() == Some(colour));
        }
        for role in Role::ALL {
            let here = matches!(symbol, Symbol::Piece(p) if p.role == role);
            self.roles[role as usize - 1].set(sq, here);
        }
    }

    /// Squares that do not read as they would with `board` standing there.
    pub(crate) fn differ(&self, board: &Board) -> Bitboard {
        let mut diff = self.occupied ^ board.occupied();
        if self.class == SensorClass::Occupancy {
            return diff;
        }
        let sure = !self.vague;
        for colour in Color::ALL {
            diff |= (self.colours[colour as usize] ^ board.by_color(colour)) & sure;
        }
        if self.class == SensorClass::Piece {
            for role in Role::ALL {
                diff |= (self.roles[role as usize - 1] ^ board.by_role(role)) & sure;
            }
        }
        diff
    }

    /// Whether `symbol` is how this class reads what `board` holds on `sq`.
    pub(crate) fn fits(&self, symbol: Symbol, board: &Board, sq: Square) -> bool {
        let expected = self.class.sees(board.piece_at(sq));
        expected == symbol || (symbol == Symbol::Something && expected != Symbol::Empty)
    }
}
