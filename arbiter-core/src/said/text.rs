//! How squares, colours and pieces are written in event scripts: `e4`, `white`, `q`.
//!
//! Helpers for `#[serde(with = "...")]` over shakmaty's vocabulary types.

/// `a1` .. `h8`.
pub(crate) mod square {
    use alloc::string::String;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use shakmaty::Square;

    pub(crate) fn serialize<S: Serializer>(sq: &Square, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(sq)
    }
    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Square, D::Error> {
        let text = String::deserialize(d)?;
        text.parse()
            .map_err(|_| D::Error::custom(format_args!("`{text}` is not a square (a1..h8)")))
    }
}

/// An optional square; absent when none.
pub(crate) mod square_option {
    use alloc::string::String;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use shakmaty::Square;

    pub(crate) fn serialize<S: Serializer>(sq: &Option<Square>, s: S) -> Result<S::Ok, S::Error> {
        match sq {
            Some(sq) => s.collect_str(sq),
            None => s.serialize_none(),
        }
    }
    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Option<Square>, D::Error> {
        let Some(text) = Option::<String>::deserialize(d)? else {
            return Ok(None);
        };
        let sq = text
            .parse()
            .map_err(|_| D::Error::custom(format_args!("`{text}` is not a square (a1..h8)")))?;
        Ok(Some(sq))
    }
}

/// A list of squares, written only.
pub(crate) mod squares {
    use serde::Serializer;
    use shakmaty::Square;

    pub(crate) fn serialize<S: Serializer>(list: &[Square], s: S) -> Result<S::Ok, S::Error> {
        s.collect_seq(list.iter().map(|sq| alloc::format!("{sq}")))
    }
}

/// Squares in any order, each once.
pub(crate) mod square_set {
    use alloc::{string::String, vec::Vec};

    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use shakmaty::{Bitboard, Square};

    pub(crate) fn serialize<S: Serializer>(squares: &Bitboard, s: S) -> Result<S::Ok, S::Error> {
        s.collect_seq(squares.into_iter().map(|sq| alloc::format!("{sq}")))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Bitboard, D::Error> {
        let read = |name: String| {
            name.parse::<Square>()
                .map_err(|_| D::Error::custom(alloc::format!("`{name}` is not a square")))
        };
        Vec::<String>::deserialize(d)?
            .into_iter()
            .map(read)
            .collect()
    }
}

/// `white` or `black`.
pub(crate) mod colour {
    use alloc::string::String;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use shakmaty::Color;

    pub(crate) fn name(c: Color) -> &'static str {
        c.fold_wb("white", "black")
    }
    pub(crate) fn serialize<S: Serializer>(c: &Color, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(name(*c))
    }
    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Color, D::Error> {
        parse(&String::deserialize(d)?).map_err(D::Error::custom)
    }
    pub(crate) fn parse(text: &str) -> Result<Color, String> {
        match text {
            "white" => Ok(Color::White),
            "black" => Ok(Color::Black),
            other => Err(alloc::format!("`{other}` is not a colour (white or black)")),
        }
    }
}

/// An optional colour; absent when none.
pub(crate) mod colour_option {
    use alloc::string::String;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use shakmaty::Color;

    pub(crate) fn serialize<S: Serializer>(c: &Option<Color>, s: S) -> Result<S::Ok, S::Error> {
        match c {
            Some(c) => super::colour::serialize(c, s),
            None => s.serialize_none(),
        }
    }
    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Option<Color>, D::Error> {
        let Some(text) = Option::<String>::deserialize(d)? else {
            return Ok(None);
        };
        super::colour::parse(&text)
            .map(Some)
            .map_err(D::Error::custom)
    }
}

/// A promotion piece: `q`, `r`, `b` or `n`.
pub(crate) mod promotion {
    use alloc::string::String;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use shakmaty::Role;

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
pub(crate) mod fen {
    use alloc::{boxed::Box, string::String};
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use shakmaty::fen::Fen;

    pub(crate) fn serialize<S: Serializer>(fen: &Fen, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(fen)
    }
    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Box<Fen>, D::Error> {
        let text = String::deserialize(d)?;
        text.parse()
            .map(Box::new)
            .map_err(|e| D::Error::custom(format_args!("`{text}` is not a FEN: {e}")))
    }
}
