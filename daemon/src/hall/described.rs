//! The schemas of what the hall tells and takes, where the types alone do not say it all.

use std::borrow::Cow;

use arbiter_core::Input;
use arbiter_core::view::PlyRecord;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use super::{BoardState, NewGame, Update};

/// The inputs that nobody may order: evidence, and what the program says itself.
pub(crate) const NOT_ORDERED: [&str; 7] = [
    "setup", "lift", "place", "snapshot", "mating", "suspect", "tick",
];

/// What may be ordered, to be described: an input of an event script that a person declares, or a
/// new game.
#[derive(Debug)]
pub struct Ordered;

impl JsonSchema for Ordered {
    fn schema_name() -> Cow<'static, str> {
        "Order".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let inputs = Input::json_schema(generator);
        let inputs = inputs.get("oneOf").and_then(Value::as_array);
        let declared = inputs.into_iter().flatten().filter(|input| {
            let name = input.pointer("/properties/event/const");
            !name.is_some_and(|name| NOT_ORDERED.iter().any(|other| name == other))
        });
        let game = generator.subschema_for::<NewGame>().to_value();
        let orders: Vec<Value> = declared.cloned().chain([game]).collect();
        json_schema!({
            "description": "what the arbiter rules, what a player said or did that no board shows, \
                or a new game",
            "oneOf": orders,
        })
    }
}

impl JsonSchema for Update<'_> {
    fn schema_name() -> Cow<'static, str> {
        "Update".into()
    }

    /// A board of which all may be left out that is as before, and the first plies.
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = BoardState::json_schema(generator);
        if let Some(Value::Array(required)) = schema.get_mut("required") {
            *required = vec!["update".into()];
        }
        if let Some(Value::Object(fields)) = schema.get_mut("properties") {
            let update = json!({ "type": "string", "const": "board" });
            let plies_from = json!({
                "description": "How many plies are as they were: `plies` are those after them. \
                    Left out where everything is told",
                "type": "integer",
                "minimum": 0,
            });
            let last = json!({
                "description": "The last half-move, where a client did not ask for all of them",
                "anyOf": [generator.subschema_for::<PlyRecord>(), { "type": "null" }],
            });
            fields.insert("last".to_owned(), last);
            fields.insert("update".to_owned(), update);
            fields.insert("plies_from".to_owned(), plies_from);
        }
        schema.insert(
            "description".to_owned(),
            "A board's state, or what changed of it".into(),
        );
        schema
    }
}

/// The order for a new game says so.
pub(super) fn as_order(schema: &mut Schema) {
    schema.insert("required".to_owned(), json!(["event"]));
    if let Some(Value::Object(fields)) = schema.get_mut("properties") {
        let event = json!({ "type": "string", "const": "new-game" });
        fields.insert("event".to_owned(), event);
    }
}

/// A board that no message names says its id.
pub(super) fn with_id(schema: &mut Schema) {
    if let Some(Value::Array(required)) = schema.get_mut("required") {
        required.push("id".into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The description of orders and what a session takes are one.
    #[test]
    fn what_may_be_ordered_is_described() {
        let mut generator = SchemaGenerator::default();
        let orders = Ordered::json_schema(&mut generator);
        let orders = orders.get("oneOf").and_then(Value::as_array).unwrap();
        let names: Vec<&Value> = orders
            .iter()
            .filter_map(|order| order.pointer("/properties/event/const"))
            .collect();
        assert_eq!(
            names,
            [
                "press",
                "adjust",
                "flag-fall",
                "stop",
                "claim",
                "draw",
                "resign",
                "arbiter",
            ]
        );
    }
}
