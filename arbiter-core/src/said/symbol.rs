//! What a sensor can say of a square: nothing, something, a colour, or a piece.

use alloc::string::String;
use core::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use shakmaty::{Board, Color, Piece, Square};

/// How much a board's sensors can tell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum SensorClass {
    /// Reed switches, digital Hall sensors: something stands there, or nothing.
    Occupancy,
    /// Linear Hall sensors that read the magnet's polarity: light, dark or nothing.
    Colour,
    /// RFID, coils: which piece.
    Piece,
}

impl SensorClass {
    /// How this class of sensor reads a square that holds `piece`.
    pub fn sees(self, piece: Option<Piece>) -> Symbol {
        match (piece, self) {
            (None, _) => Symbol::Empty,
            (Some(_), SensorClass::Occupancy) => Symbol::Something,
            (Some(p), SensorClass::Colour) => Symbol::Colour(p.color),
            (Some(p), SensorClass::Piece) => Symbol::Piece(p),
        }
    }

    /// How this class of sensor reads a whole board.
    pub fn reads(self, board: &Board) -> Reading {
        let mut reading = Reading::EMPTY;
        for (sq, piece) in board {
            reading.set(sq, self.sees(Some(piece)));
        }
        reading
    }
}

/// What one square reads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Symbol {
    /// `.`
    #[default]
    Empty,
    /// `?`: occupied, by what is unknown.
    Something,
    /// `L` or `D`: a light or a dark piece.
    Colour(Color),
    /// `PNBRQK` or `pnbrqk`.
    Piece(Piece),
}

impl Symbol {
    /// The symbol's letter in an event script for a board of `class`. `D` and `L` are read as
    /// colours only on colour boards.
    pub fn char(self) -> char {
        match self {
            Symbol::Empty => '.',
            Symbol::Something => '?',
            Symbol::Colour(c) => c.fold_wb('L', 'D'),
            Symbol::Piece(p) => p.char(),
        }
    }

    /// Reads a symbol's letter.
    pub fn from_char(c: char) -> Option<Symbol> {
        match c {
            '.' => Some(Symbol::Empty),
            '?' => Some(Symbol::Something),
            'L' => Some(Symbol::Colour(Color::White)),
            'D' => Some(Symbol::Colour(Color::Black)),
            _ => Piece::from_char(c).map(Symbol::Piece),
        }
    }

    /// The colour, where the sensor shows one.
    pub fn colour(self) -> Option<Color> {
        match self {
            Symbol::Colour(c) => Some(c),
            Symbol::Piece(p) => Some(p.color),
            Symbol::Empty | Symbol::Something => None,
        }
    }

    /// The same reading as a board of `class` would have given it: finer facts are dropped.
    pub fn coarsened(self, class: SensorClass) -> Symbol {
        match (self, class) {
            (Symbol::Empty, _) => Symbol::Empty,
            (_, SensorClass::Occupancy) => Symbol::Something,
            (Symbol::Piece(p), SensorClass::Colour) => Symbol::Colour(p.color),
            (other, _) => other,
        }
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.char())
    }
}

impl Serialize for Symbol {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_char(self.char())
    }
}

impl<'de> Deserialize<'de> for Symbol {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Symbol, D::Error> {
        let text = String::deserialize(d)?;
        let mut chars = text.chars();
        let symbol = chars
            .next()
            .and_then(Symbol::from_char)
            .filter(|_| chars.next().is_none());
        symbol.ok_or_else(|| {
            D::Error::custom(format_args!(
                "`{text}` is not a symbol (? L D PNBRQK pnbrqk .)"
            ))
        })
    }
}

/// What all 64 squares read. Written as 64 symbols, a8..h8, a7..h7, ... h1, as a FEN lists them.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Reading([Symbol; 64]);

impl Reading {
    /// Every square reads empty.
    pub const EMPTY: Reading = Reading([Symbol::Empty; 64]);

    /// What `sq` reads.
    pub fn at(&self, sq: Square) -> Symbol {
        self.0[usize::from(sq)]
    }

    /// Changes what `sq` reads.
    pub fn set(&mut self, sq: Square, symbol: Symbol) {
        self.0[usize::from(sq)] = symbol;
    }

    /// The squares that read differently in `other`, a1 first.
    pub fn differs_from<'a>(&'a self, other: &'a Reading) -> impl Iterator<Item = Square> + 'a {
        Square::ALL
            .into_iter()
            .filter(|sq| self.at(*sq) != other.at(*sq))
    }

    /// Reads 64 symbols; `Err` says what is wrong.
    pub fn parse(text: &str) -> Result<Reading, &'static str> {
        let mut reading = Reading::EMPTY;
        let mut count = 0;
        for c in text.chars() {
            let symbol = Symbol::from_char(c)
                .ok_or("a snapshot holds only the symbols . ? L D PNBRQK pnbrqk")?;
            if count == 64 {
                return Err("a snapshot holds 64 symbols; this one has more");
            }
            reading.0[fen_order(count)] = symbol;
            count += 1;
        }
        if count == 64 {
            Ok(reading)
        } else {
            Err("a snapshot holds 64 symbols; this one has fewer")
        }
    }
}

/// Index of the `n`-th square in FEN order.
fn fen_order(n: usize) -> usize {
    (7 - n / 8) * 8 + n % 8
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (0..64).try_for_each(|n| write!(f, "{}", self.0[fen_order(n)]))
    }
}

impl fmt::Debug for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Reading {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Reading {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Reading, D::Error> {
        Reading::parse(&String::deserialize(d)?).map_err(D::Error::custom)
    }
}
