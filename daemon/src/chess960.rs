//! Chess960 as it is configured and ordered: castling alone, or the array as well, by its number.

use std::borrow::Cow;
use std::fmt;

use arbiter_core::input::StartFen;
use arbiter_core::shakmaty::fen::Fen;
use arbiter_core::shakmaty::{Board, Setup};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

/// Arrays there are; number 518 is the one of orthodox chess.
const ARRAYS: u32 = 960;

/// Whether a game is one of Chess960, and from which array it starts if that was said by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Chess960 {
    /// `true` or `false`: only how castling is done.
    Castling(bool),
    /// The number of the array, 0 to 959, as they are usually numbered.
    Array(u32),
}

impl Chess960 {
    /// Whether castling follows Chess960.
    pub fn castling(self) -> bool {
        self != Chess960::Castling(false)
    }

    /// The start, if it was given by number.
    pub fn start(self) -> Option<StartFen> {
        match self {
            Chess960::Castling(_) => None,
            Chess960::Array(number) => Some(StartFen::Known(array(number).into())),
        }
    }

    /// Reads a number; `Err` says what it should be.
    pub fn parse(text: &str) -> Result<Chess960, String> {
        let number = text.parse().ok().filter(|number| *number < ARRAYS);
        number
            .map(Chess960::Array)
            .ok_or_else(|| format!("`{text}` is no array of Chess960; they are 0 to 959"))
    }
}

/// The number of the array that a game starts from with every castling open, if it is one.
pub(crate) fn number(fen: &str) -> Option<u16> {
    let start = fen.parse::<Fen>().ok()?.into_setup();
    let is_it = |number: &u32| *array(*number).as_setup() == start;
    (0..ARRAYS).find(is_it).and_then(|n| u16::try_from(n).ok())
}

/// The array of that number, White to move and every castling open.
fn array(number: u32) -> Fen {
    let mut setup = Setup::initial();
    setup.board = Board::chess960(number % ARRAYS);
    setup.castling_rights = setup.board.rooks();
    Fen::try_from_setup(setup).unwrap_or_default()
}

impl JsonSchema for Chess960 {
    fn schema_name() -> Cow<'static, str> {
        "Chess960".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "whether castling follows Chess960, or the number of the array",
            "anyOf": [
                { "type": "boolean" },
                { "type": "integer", "minimum": 0, "maximum": ARRAYS - 1 },
            ],
        })
    }
}

impl<'de> Deserialize<'de> for Chess960 {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Chess960, D::Error> {
        from.deserialize_any(Reader)
    }
}

impl Serialize for Chess960 {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Chess960::Castling(castling) => to.serialize_bool(*castling),
            Chess960::Array(number) => to.serialize_u32(*number),
        }
    }
}

struct Reader;

impl Visitor<'_> for Reader {
    type Value = Chess960;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("true, false or the number of an array, 0 to 959")
    }

    fn visit_bool<E: Error>(self, castling: bool) -> Result<Chess960, E> {
        Ok(Chess960::Castling(castling))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Chess960, E> {
        Chess960::parse(&number.to_string()).map_err(E::custom)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Chess960, E> {
        Chess960::parse(&number.to_string()).map_err(E::custom)
    }

    /// From a form.
    fn visit_str<E: Error>(self, number: &str) -> Result<Chess960, E> {
        Chess960::parse(number).map_err(E::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fen(number: u32) -> String {
        array(number).to_string()
    }

    #[test]
    fn arrays_are_numbered_as_usual() {
        assert_eq!(
            fen(518),
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
        );
        assert_eq!(
            fen(0),
            "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1"
        );
        assert_eq!(
            fen(959),
            "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w KQkq - 0 1"
        );
    }

    #[test]
    fn a_number_is_an_array_and_a_flag_is_castling() {
        let read = |text: &str| serde_json::from_str::<Chess960>(text);
        assert_eq!(read("true").unwrap(), Chess960::Castling(true));
        assert_eq!(read("518").unwrap(), Chess960::Array(518));
        assert_eq!(read("\"17\"").unwrap(), Chess960::Array(17));
        assert!(read("960").unwrap_err().to_string().contains("0 to 959"));
        assert!(read("-1").unwrap_err().to_string().contains("0 to 959"));
        assert!(read("1.5").unwrap_err().to_string().contains("0 to 959"));
        assert!(!read("false").unwrap().castling() && read("0").unwrap().castling());
    }
}
