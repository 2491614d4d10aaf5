//! How squares, colours and pieces are written in event scripts: `e4`, `white`, `q`.
//!
//! Types for `#[serde(with = "...")]` over shakmaty's vocabulary. With the feature `schema` they
//! describe it as well.

use alloc::{boxed::Box, format, string::String, vec::Vec};

use serde::{Deserialize, Deserializer, Serializer, de::Error};
use shakmaty::{Bitboard, Color, Role};

/// `a1` .. `h8`.
pub(crate) struct Square;

impl Square {
    pub(crate) fn serialize<S: Serializer>(sq: &shakmaty::Square, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(sq)
    }

    pub(crate) fn deserialize<'de, D>(d: D) -> Result<shakmaty::Square, D::Error>
    where
        D: Deserializer<'de>,
    {
        Square::parse(&String::deserialize(d)?)
    }

    fn parse<E: Error>(text: &str) -> Result<shakmaty::Square, E> {
        text.parse()
            .map_err(|_| E::custom(format_args!("`{text}` is not a square (a1..h8)")))
    }
}

/// An optional square; absent when none.
pub(crate) struct OptionalSquare;

impl OptionalSquare {
    pub(crate) fn serialize<S: Serializer>(
        sq: &Option<shakmaty::Square>,
        s: S,
    ) -> Result<S::Ok, S::Error> {
        match sq {
            Some(sq) => Square::serialize(sq, s),
            None => s.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, D>(d: D) -> Result<Option<shakmaty::Square>, D::Error>
    where
        D: Deserializer<'de>,
    {
        let text = Option::<String>::deserialize(d)?;
        text.map(|text| Square::parse(&text)).transpose()
    }
}

/// A list of squares, written only.
pub(crate) struct Squares;

impl Squares {
    pub(crate) fn serialize<S: Serializer>(
        list: &[shakmaty::Square],
        s: S,
    ) -> Result<S::Ok, S::Error> {
        s.collect_seq(list.iter().map(|sq| format!("{sq}")))
    }
}

/// Squares in any order, each once.
pub(crate) struct SquareSet;

impl SquareSet {
    pub(crate) fn serialize<S: Serializer>(squares: &Bitboard, s: S) -> Result<S::Ok, S::Error> {
        s.collect_seq(squares.into_iter().map(|sq| format!("{sq}")))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Bitboard, D::Error> {
        let read = |name: String| {
            name.parse::<shakmaty::Square>()
                .map_err(|_| D::Error::custom(format!("`{name}` is not a square")))
        };
        Vec::<String>::deserialize(d)?
            .into_iter()
            .map(read)
            .collect()
    }
}

/// `white` or `black`.
pub(crate) struct Colour;

impl Colour {
    pub(crate) fn name(c: Color) -> &'static str {
        c.fold_wb("white", "black")
    }

    pub(crate) fn serialize<S: Serializer>(c: &Color, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(Colour::name(*c))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Color, D::Error> {
        Colour::parse(&String::deserialize(d)?).map_err(D::Error::custom)
    }

    fn parse(text: &str) -> Result<Color, String> {
        match text {
            "white" => Ok(Color::White),
            "black" => Ok(Color::Black),
            other => Err(format!("`{other}` is not a colour (white or black)")),
        }
    }
}

/// An optional colour; absent when none.
pub(crate) struct OptionalColour;

impl OptionalColour {
    pub(crate) fn serialize<S: Serializer>(c: &Option<Color>, s: S) -> Result<S::Ok, S::Error> {
        match c {
            Some(c) => Colour::serialize(c, s),
            None => s.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, D>(d: D) -> Result<Option<Color>, D::Error>
    where
        D: Deserializer<'de>,
    {
        let text = Option::<String>::deserialize(d)?;
        text.map(|text| Colour::parse(&text).map_err(D::Error::custom))
            .transpose()
    }
}

/// A promotion piece: `q`, `r`, `b` or `n`.
pub(crate) struct Promotion;

impl Promotion {
    pub(crate) fn serialize<S: Serializer>(r: &Role, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_char(r.char())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Role, D::Error> {
        match String::deserialize(d)?.as_str() {
            "q" => Ok(Role::Queen),
            "r" => Ok(Role::Rook),
            "b" => Ok(Role::Bishop),
            "n" => Ok(Role::Knight),
            other => Err(D::Error::custom(format_args!(
                "`{other}` is not a promotion piece (q, r, b or n)"
            ))),
        }
    }
}

/// A position in FEN.
pub(crate) struct Fen;

impl Fen {
    pub(crate) fn serialize<S: Serializer>(
        fen: &shakmaty::fen::Fen,
        s: S,
    ) -> Result<S::Ok, S::Error> {
        s.collect_str(fen)
    }

    pub(crate) fn deserialize<'de, D>(d: D) -> Result<Box<shakmaty::fen::Fen>, D::Error>
    where
        D: Deserializer<'de>,
    {
        let text = String::deserialize(d)?;
        text.parse()
            .map(Box::new)
            .map_err(|e| D::Error::custom(format_args!("`{text}` is not a FEN: {e}")))
    }
}

/// A move in UCI form. It writes itself; this is its name in schemas.
#[cfg(feature = "schema")]
pub(crate) struct Move;
