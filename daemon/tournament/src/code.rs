//! How a game ended for one of its players.

use std::borrow::Cow;
use std::fmt;

use chess_trf::Code;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// How a game, or a round without one, ended for one player; written as FIDE's report files do:
/// `1`, `=`, `0`, `+`, `-`, `W`, `D`, `L`, `H`, `F`, `U`, `Z`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ResultCode(pub Code);

impl ResultCode {
    /// Both sides of a result as it is written or spoken: `1-0`, `0-1`, `1/2-1/2`, `½-½`, `0-0`,
    /// `½-0`, `0-½`; with `f` behind it, or as `+/-`, `-/+` and `-/-`, by forfeit.
    pub fn both(text: &str) -> Option<[ResultCode; 2]> {
        let text = text.trim().replace('½', "1/2");
        let codes = match text.as_str() {
            "1-0" => [Code::Win, Code::Loss],
            "0-1" => [Code::Loss, Code::Win],
            "1/2-1/2" | "=" => [Code::Draw, Code::Draw],
            "0-0" => [Code::Loss, Code::Loss],
            "1/2-0" => [Code::Draw, Code::Loss],
            "0-1/2" => [Code::Loss, Code::Draw],
            "+/-" | "+-" | "1-0f" | "+ - -" => [Code::ForfeitWin, Code::ForfeitLoss],
            "-/+" | "-+" | "0-1f" | "- - +" => [Code::ForfeitLoss, Code::ForfeitWin],
            "-/-" | "--" | "ff" | "0-0f" | "- - -" => [Code::ForfeitLoss, Code::ForfeitLoss],
            _ => return None,
        };
        Some(codes.map(ResultCode))
    }

    /// Both sides as they are written for people; the opposite of [`ResultCode::both`].
    pub fn written(both: [ResultCode; 2]) -> String {
        let forfeit = both
            .iter()
            .all(|code| matches!(code.0, Code::ForfeitWin | Code::ForfeitLoss));
        let points = |code: ResultCode| match code.0 {
            Code::Win | Code::UnratedWin | Code::FullPointBye | Code::PairingBye => "1",
            Code::Draw | Code::UnratedDraw | Code::HalfPointBye => "½",
            Code::ForfeitWin => "+",
            Code::ForfeitLoss => "-",
            Code::Loss | Code::UnratedLoss | Code::ZeroPointBye => "0",
        };
        let between = if forfeit { "/" } else { "-" };
        format!("{}{between}{}", points(both[0]), points(both[1]))
    }

    /// A pair of codes as PGN has it. Pairs that add up to no point have no sign there: `*`.
    pub fn pgn(both: [ResultCode; 2]) -> &'static str {
        use Code::{
            Draw, ForfeitLoss, ForfeitWin, Loss, UnratedDraw, UnratedLoss, UnratedWin, Win,
        };
        match both.map(|code| code.0) {
            [
                Win | ForfeitWin | UnratedWin,
                Loss | ForfeitLoss | UnratedLoss,
            ] => "1-0",
            [
                Loss | ForfeitLoss | UnratedLoss,
                Win | ForfeitWin | UnratedWin,
            ] => "0-1",
            [Draw | UnratedDraw, Draw | UnratedDraw] => "1/2-1/2",
            _ => "*",
        }
    }
}

impl fmt::Display for ResultCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.char())
    }
}

impl JsonSchema for ResultCode {
    fn schema_name() -> Cow<'static, str> {
        "ResultCode".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "How a game, or a round without one, ended for one player, as FIDE's \
                report files have it",
            "type": "string",
            "enum": ["1", "=", "0", "+", "-", "W", "D", "L", "H", "F", "U", "Z"],
        })
    }
}

impl Serialize for ResultCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_char(self.0.char())
    }
}

impl<'de> Deserialize<'de> for ResultCode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ResultCode, D::Error> {
        let c = char::deserialize(deserializer)?;
        let unknown = || de::Error::custom(format!("`{c}` is no result; known are 1=0+-WDLHFUZ"));
        Code::of(c).map(ResultCode).ok_or_else(unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_as_they_are_spoken() {
        for (text, codes) in [
            ("1-0", "10"),
            (" 0-1", "01"),
            ("½-½", "=="),
            ("1/2-1/2", "=="),
            ("0-0", "00"),
            ("0-½", "0="),
            ("+/-", "+-"),
            ("0-1f", "-+"),
            ("--", "--"),
        ] {
            let both = ResultCode::both(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(format!("{}{}", both[0], both[1]), codes, "{text}");
            assert_eq!(
                ResultCode::both(&ResultCode::written(both)),
                Some(both),
                "{text}"
            );
            let json = serde_json::to_string(&both).expect("JSON");
            let read: [ResultCode; 2] = serde_json::from_str(&json).expect("codes");
            assert_eq!(read, both);
        }
        assert_eq!(
            ResultCode::both("1-1"),
            None,
            "nobody gets more than a point"
        );
    }

    #[test]
    fn what_adds_up_to_no_point_has_no_sign_in_a_pgn() {
        let pgn = |text| ResultCode::pgn(ResultCode::both(text).expect("a result"));
        assert_eq!((pgn("-/+"), pgn("=")), ("0-1", "1/2-1/2"));
        assert_eq!((pgn("0-0"), pgn("1/2-0"), pgn("--")), ("*", "*", "*"));
    }
}
