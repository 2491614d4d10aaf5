//! The description of the interface in OpenAPI 3.1, made of the routes and of the types that are
//! read and written.

use std::sync::LazyLock;

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::routes::{Answer, Content, Operation, Order};

const ABOUT: &str = "Boards, games and rulings of one arbiter daemon. Squares are a1..h8, colours \
    white and black, moves UCI, times on a board its own milliseconds. The service \
    answers only to addresses, localhost and the names it was told, and takes orders and live \
    connections from its own pages. Where it asks for passwords, docs/access.md says who may do \
    what; on the loopback address it need not, and takes orders of programs that send no Origin.";

/// What parts of addresses mean, by what stands before them.
const PARTS: [(&str, &str); 7] = [
    ("/api/boards/", "The board's id in the configuration"),
    ("/api/games/", "The game's name"),
    ("/api/people/accounts/", "The account's name"),
    ("/api/people/sessions/", "The session's number"),
    ("/api/people/petitions/", "The petition's number"),
    ("/api/rounds/", "The round's number"),
    ("tables/", "The table's number"),
];

/// The document as it is served.
pub(super) static DOCUMENT: LazyLock<String> = LazyLock::new(|| document().to_string());

/// The description of the interface: every address with what it takes and answers, and the schemas
/// of all that.
pub fn document() -> Value {
    let mut writer = Writer::new();
    let mut paths = Map::new();
    for operation in super::routes().operations {
        let (path, method) = (operation.path, operation.method);
        let item = paths.entry(path).or_insert_with(|| json!({}));
        item[method] = writer.operation(operation);
    }
    let schemas = writer.schemas(&mut paths);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "The electronic arbiter",
            "version": "1",
            "description": ABOUT,
            "license": { "name": "GPL-3.0-or-later", "identifier": "GPL-3.0-or-later" },
        },
        "paths": paths,
        "components": { "schemas": schemas },
    })
}

fn parameters(path: &str) -> Vec<Value> {
    let parameter = |(place, _): (usize, &str)| {
        let (before, name) = (&path[..place], &path[place + 1..]);
        let meaning = PARTS.iter().find(|(start, _)| before.ends_with(start));
        json!({
            "name": name.split('}').next(),
            "in": "path",
            "required": true,
            "description": meaning.map(|(_, meaning)| meaning),
            "schema": { "type": "string" },
        })
    };
    path.match_indices('{').map(parameter).collect()
}

/// Writes schemas of what is read and of what is written: a field with a default may be missing in
/// the one, and never is in the other.
struct Writer {
    read: SchemaGenerator,
    written: SchemaGenerator,
}

impl Writer {
    fn new() -> Writer {
        let settings = || {
            let settings = SchemaSettings::draft2020_12().with(|settings| {
                settings.definitions_path = "/components/schemas".into();
                settings.meta_schema = None;
            });
            settings.with_transform(RecursiveTransform(in_words))
        };
        Writer {
            read: settings().for_deserialize().into_generator(),
            written: settings().for_serialize().into_generator(),
        }
    }

    fn operation(&mut self, operation: Operation) -> Value {
        let mut said = json!({ "summary": operation.summary });
        if !operation.description.is_empty() {
            said["description"] = operation.description.into();
        }
        let parameters = parameters(operation.path);
        if !parameters.is_empty() {
            said["parameters"] = parameters.into();
        }
        if let Some(order) = operation.order {
            let Order {
                content,
                examples,
                required,
            } = order;
            let examples = examples
                .into_iter()
                .map(|(name, value)| (name.to_owned(), json!({ "value": value })));
            let (kind, mut held) = described(&mut self.read, content);
            held["examples"] = Value::Object(examples.collect());
            said["requestBody"] = json!({ "required": required, "content": { kind: held } });
        }
        for Answer {
            status,
            description,
            content,
        } in operation.answers
        {
            let answer = &mut said["responses"][status.as_str()];
            *answer = json!({ "description": description });
            if let Some(content) = content {
                let (kind, held) = described(&mut self.written, content);
                answer["content"] = json!({ kind: held });
            }
        }
        said
    }

    /// Every schema that something refers to. What is read otherwise than it is written, or is only
    /// called like something else that is written, has a name of its own in `paths` and here.
    fn schemas(mut self, paths: &mut Map<String, Value>) -> Map<String, Value> {
        let (read, written) = (
            self.read.take_definitions(true),
            self.written.take_definitions(true),
        );
        let is_twice = |name: &str| match (read.get(name), written.get(name)) {
            (Some(read), Some(written)) => read != written,
            _ => false,
        };
        let operations = paths.values_mut().filter_map(Value::as_object_mut);
        for operation in operations.flat_map(|item| item.values_mut()) {
            if let Some(body) = operation.get_mut("requestBody") {
                refer_to_read(body, &is_twice);
            }
        }
        let mut schemas = written.clone();
        for (name, schema) in &read {
            let mut schema = schema.clone();
            refer_to_read(&mut schema, &is_twice);
            let name = match is_twice(name) {
                true => format!("{name}{READ}"),
                false => name.clone(),
            };
            schemas.insert(name, schema);
        }
        schemas
    }
}

/// What the name of a schema ends with that is read, where another one of its name is written.
const READ: &str = "Request";

/// Refers to the schemas that are read where they are others than those that are written.
fn refer_to_read(value: &mut Value, is_twice: &impl Fn(&str) -> bool) {
    match value {
        Value::Object(fields) => {
            if let Some(Value::String(to)) = fields.get_mut("$ref")
                && to
                    .strip_prefix("#/components/schemas/")
                    .is_some_and(is_twice)
            {
                to.push_str(READ);
            }
            fields
                .values_mut()
                .for_each(|value| refer_to_read(value, is_twice));
        }
        Value::Array(values) => values
            .iter_mut()
            .for_each(|value| refer_to_read(value, is_twice)),
        _ => {}
    }
}

fn described(generator: &mut SchemaGenerator, (kind, schema): Content) -> (&'static str, Value) {
    (kind, json!({ "schema": schema(generator) }))
}

/// Comments in the source refer to other items in brackets; in a description they are words.
fn in_words(schema: &mut Schema) {
    if let Some(Value::String(about)) = schema.get_mut("description") {
        *about = about
            .replace("[`", "`")
            .replace("`]", "`")
            .replace("`None`", "`null`")
            .replace("\n", " ");
    }
}
