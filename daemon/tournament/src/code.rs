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
    /// Both sides of a result as it is written or spoken: `1-0`, `½-½`, `1/2-0`, `0 : 1`, `W-L`;
    /// with `f` behind it, or as `+/-` and `- - -`, by forfeit; `ff` where neither came. `None`
    /// also where both cannot be: together more than a point, or only one of them by forfeit or
    /// unrated.
    pub fn both(text: &str) -> Option<[ResultCode; 2]> {
        let text = text.replace("1/2", "=").replace('½', "=");
        let mut chars: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
        let before = chars.len();
        chars.retain(|c| !matches!(c, 'f' | 'F'));
        let forfeit = chars.len() < before;
        let [one, other] = match chars[..] {
            ['='] => ['='; 2],
            // `ff`: neither came.
            [] if before == 2 => ['-'; 2],
            [one @ ('+' | '-'), other @ ('+' | '-')] => [one, other],
            [one, '-' | '–' | '/' | ':', other] => [one, other],
            _ => return None,
        };
        let side = |c: char| match (c, forfeit) {
            ('1', true) => Some(Code::ForfeitWin),
            ('0', true) => Some(Code::ForfeitLoss),
            (c, _) => Code::of(c).filter(|code| !code.is_bye()),
        };
        let codes = [side(one)?, side(other)?];
        let [one, other] = codes;
        one.may_face(other).then_some(codes.map(ResultCode))
    }

    /// What is told of a text that [`ResultCode::both`] does not take.
    pub fn not_both(text: &str) -> String {
        format!(
            "`{text}` is no result; write 1-0, 0-1, 1/2-1/2, 0-0, 1/2-0, 0-1/2, +/-, -/+ or -/-"
        )
    }

    /// Both sides as they are written for people; [`ResultCode::both`] reads it.
    pub fn written(both: [ResultCode; 2]) -> String {
        let between = match ResultCode::is_by_forfeit(both) {
            true => "/",
            false => "-",
        };
        let [one, other] = both.map(|code| match code.0 {
            Code::Draw => '½',
            code => code.char(),
        });
        format!("{one}{between}{other}")
    }

    /// A pair of codes as it stands in tables for everybody: as PGN has it, and where PGN has no
    /// sign for it as people write it: `+/-`, `-/-`, `0-0`, `1/2-0`. [`ResultCode::both`] reads it.
    pub fn told(both: [ResultCode; 2]) -> String {
        match ResultCode::pgn(both) {
            pgn if pgn != "*" && !ResultCode::is_by_forfeit(both) => pgn.to_owned(),
            _ => ResultCode::written(both).replace('½', "1/2"),
        }
    }

    /// Whether nobody came to play against somebody, or nobody at all.
    pub fn is_by_forfeit(both: [ResultCode; 2]) -> bool {
        both.iter()
            .all(|code| matches!(code.0, Code::ForfeitWin | Code::ForfeitLoss))
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
            ("ff", "--"),
            ("1 - 0", "10"),
            ("½ : ½", "=="),
            ("1F – 0F", "+-"),
            ("- - +", "-+"),
            ("--+", "-+"),
            ("½-0", "=0"),
            ("W-L", "WL"),
            ("D:D", "DD"),
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
        for none in [
            "1-1", "½-1", "+/+", "2-0", "H-0", "1", "10", "1-0-0", "", "*", "ab", "-", "+/0",
            "1/-", "-/0", "0/+", "D/=", "W/0", "1-L", "+-0", "=/-",
        ] {
            assert_eq!(ResultCode::both(none), None, "{none}");
        }
    }

    #[test]
    fn what_adds_up_to_no_point_has_no_sign_in_a_pgn() {
        let pgn = |text| ResultCode::pgn(ResultCode::both(text).expect("a result"));
        assert_eq!((pgn("-/+"), pgn("=")), ("0-1", "1/2-1/2"));
        assert_eq!((pgn("0-0"), pgn("1/2-0"), pgn("--")), ("*", "*", "*"));
    }

    #[test]
    fn what_everybody_is_told_says_more_than_a_pgn_where_there_is_more() {
        for text in [
            "1-0", "0-1", "1/2-1/2", "+/-", "-/+", "-/-", "0-0", "1/2-0", "0-1/2",
        ] {
            let both = ResultCode::both(text).expect("a result");
            assert_eq!(ResultCode::told(both), text);
        }
        let unrated = ResultCode::both("W-L").expect("a result");
        assert_eq!(ResultCode::told(unrated), "1-0");
    }
}
