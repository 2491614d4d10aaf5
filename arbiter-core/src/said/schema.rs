//! The schemas of what is written as text, where no type tells its form.
//!
//! `format` names what no pattern can check, `description` says what is expected, as it reads in a
//! sentence.

use alloc::{borrow::Cow, vec::Vec};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::said::input::{LONGEST_AUTHOR, LONGEST_ORDER, StartFen};
use crate::said::orientation::Orientation;
use crate::said::symbol::{Reading, Symbol};
use crate::said::text;

/// A schema that does not depend on other types.
macro_rules! written {
    ($type:ty, $name:literal, $($schema:tt)+) => {
        impl JsonSchema for $type {
            fn schema_name() -> Cow<'static, str> {
                $name.into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!($($schema)+)
            }
        }
    };
}

written!(text::Square, "Square", {
    "description": "a square, a1 to h8",
    "type": "string",
    "format": "square",
    "pattern": "^[a-h][1-8]$",
});

written!(text::Colour, "Colour", {
    "description": "a player",
    "type": "string",
    "enum": ["white", "black"],
});

written!(text::Promotion, "Promotion", {
    "description": "what a pawn became",
    "type": "string",
    "enum": ["q", "r", "b", "n"],
});

written!(text::Move, "Move", {
    "description": "a move in UCI form, such as e2e4",
    "type": "string",
    "format": "uci",
    "minLength": 4,
    "examples": ["e2e4", "a7a8q"],
});

written!(text::Fen, "Fen", {
    "description": "a FEN",
    "type": "string",
    "format": "fen",
    "minLength": 15,
    "examples": ["4k3/8/8/8/8/8/8/4K3 w - - 0 1"],
});

written!(StartFen, "StartFen", {
    "description": "a FEN or `unknown`",
    "type": "string",
    "format": "start-fen",
    "minLength": 7,
    "examples": ["4k3/8/8/8/8/8/8/4K3 w - - 0 1", "unknown"],
});

written!(Symbol, "Symbol", {
    "description": "one symbol: ? L D PNBRQK pnbrqk",
    "type": "string",
    "format": "symbol",
    "pattern": "^[?LDPNBRQKpnbrqk.]$",
});

written!(Reading, "Reading", {
    "description": "64 symbols, a8 to h1",
    "type": "string",
    "format": "reading",
    "pattern": "^[?LDPNBRQKpnbrqk.]{64}$",
});

impl JsonSchema for Orientation {
    fn schema_name() -> Cow<'static, str> {
        "Orientation".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let degrees: Vec<u16> = Orientation::ALL.into_iter().map(u16::from).collect();
        json_schema!({ "description": "degrees clockwise", "enum": degrees })
    }
}

/// A schema of other types of texts.
macro_rules! made_of {
    ($type:ty, $of:ty) => {
        impl JsonSchema for $type {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                <$of>::schema_name()
            }

            fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                <$of>::json_schema(generator)
            }
        }
    };
}

made_of!(text::OptionalSquare, Option<text::Square>);
made_of!(text::OptionalColour, Option<text::Colour>);
made_of!(text::Squares, Vec<text::Square>);
made_of!(text::SquareSet, Vec<text::Square>);

/// A view is written with its record and its findings, but where they are kept apart.
pub(super) fn whole(schema: &mut Schema) {
    let required = schema
        .get_mut("required")
        .and_then(|names| names.as_array_mut());
    if let Some(required) = required {
        required.extend(["plies", "findings"].map(Into::into));
    }
}

/// What a person orders or declares may be signed. A take-back names the order that is taken back.
pub(super) fn signed(schema: &mut Schema) {
    let kinds = schema
        .get_mut("oneOf")
        .and_then(|kinds| kinds.as_array_mut());
    for kind in kinds.into_iter().flatten() {
        let is_declared = kind
            .pointer("/properties/event/const")
            .and_then(|name| name.as_str())
            .is_some_and(|name| DECLARED.contains(&name));
        let Some(fields) = kind.pointer_mut("/properties").filter(|_| is_declared) else {
            continue;
        };
        fields["order"] = name("The order's name, unique in its game.", LONGEST_ORDER).to_value();
        fields["author"] = name("Who gave it.", LONGEST_AUTHOR).to_value();
    }
}

/// The events that people order or declare.
const DECLARED: [&str; 8] = [
    "press",
    "adjust",
    "flag-fall",
    "stop",
    "claim",
    "draw",
    "resign",
    "arbiter",
];

fn name(about: &str, longest: usize) -> Schema {
    json_schema!({
        "description": about,
        "type": ["string", "null"],
        "minLength": 1,
        "maxLength": longest,
    })
}

/// A take-back says what is taken back.
pub(super) fn takes_back(schema: &mut Schema) {
    let kinds = schema
        .get_mut("oneOf")
        .and_then(|kinds| kinds.as_array_mut());
    for kind in kinds.into_iter().flatten() {
        let is_meant = kind.pointer("/properties/action/const") == Some(&"take-back".into());
        let required = kind
            .get_mut("required")
            .and_then(|names| names.as_array_mut());
        if let Some(required) = required.filter(|_| is_meant) {
            required.push("order".into());
        }
    }
}
