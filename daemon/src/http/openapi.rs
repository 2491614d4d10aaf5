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
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "The electronic arbiter",
            "version": "1",
            "description": ABOUT,
            "license": { "name": "GPL-3.0-or-later", "identifier": "GPL-3.0-or-later" },
        },
        "paths": paths,
        "components": { "schemas": writer.schemas() },
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
        if let Some(Order { content, examples }) = operation.order {
            let examples = examples
                .into_iter()
                .map(|(name, value)| (name.to_owned(), json!({ "value": value })));
            let (kind, mut held) = described(&mut self.read, content);
            held["examples"] = Value::Object(examples.collect());
            said["requestBody"] = json!({ "required": true, "content": { kind: held } });
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

    /// Every schema that something refers to.
    fn schemas(mut self) -> Map<String, Value> {
        let mut schemas = self.read.take_definitions(true);
        schemas.extend(self.written.take_definitions(true));
        schemas
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
