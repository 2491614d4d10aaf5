//! The schemas of what is written as text, where no type tells its form.
//!
//! `format` names what no pattern can check, `description` says what is expected, as it reads in a
//! sentence.

use alloc::{borrow::Cow, vec::Vec};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::said::input::StartFen;
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
