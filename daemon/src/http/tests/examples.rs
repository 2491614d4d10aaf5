//! What the interface's description shows as an example of an order is one.

use super::*;

/// What is only told, or narrower than these tests look.
const TOLD: [&str; 8] = [
    "title",
    "description",
    "format",
    "default",
    "deprecated",
    "examples",
    "pattern",
    "contentEncoding",
];

#[tokio::test]
async fn every_example_fits_its_schema() {
    let house = house();
    let document = ask(
        &house.router(),
        get_from("/api/openapi.json").body(Body::empty()).unwrap(),
    )
    .await;
    let document: Value = serde_json::from_str(&text(document).await).unwrap();
    let paths = document["paths"].as_object().expect("paths");
    let methods = paths.iter().flat_map(|(path, methods)| {
        let methods = methods.as_object().expect("methods").values();
        methods.map(move |method| (path, method))
    });
    let mut count = 0;
    for (path, method) in methods {
        let contents = method["requestBody"]["content"].as_object();
        for held in contents.into_iter().flat_map(|contents| contents.values()) {
            let examples = held["examples"].as_object();
            for (name, example) in examples.into_iter().flatten() {
                let misfit = misfit(&document, &held["schema"], &example["value"]);
                assert_eq!(misfit, None, "{path}: {name}");
                count += 1;
            }
        }
    }
    assert!(count > 20, "{count}");
    let wrong = serde_json::json!({ "results": { "4": 1 } });
    let entered = &document["paths"]["/api/rounds/{round}/results"]["post"]["requestBody"];
    let entered = &entered["content"]["application/json"]["schema"];
    assert!(misfit(&document, entered, &wrong).is_some());
}

/// Why a value does not fit a schema.
fn misfit(document: &Value, schema: &Value, value: &Value) -> Option<String> {
    let Some(schema) = schema.as_object() else {
        return (schema == &Value::Bool(false)).then(|| format!("{value} may not be there"));
    };
    let no = |why: &str| Some(format!("{value}: {why}"));
    let fits = |schema: &Value| misfit(document, schema, value).is_none();
    schema
        .iter()
        .find_map(|(keyword, said)| match keyword.as_str() {
            _ if TOLD.contains(&keyword.as_str()) => None,
            "$ref" => {
                let place = said.as_str().expect("a reference").trim_start_matches('#');
                let meant = document.pointer(place).expect("what a reference means");
                misfit(document, meant, value)
            }
            "type" => {
                let list = said
                    .as_array()
                    .cloned()
                    .unwrap_or_else(|| vec![said.clone()]);
                let is = |name: &Value| is_of(name.as_str().unwrap_or_default(), value);
                (!list.iter().any(is)).then(|| format!("{value} is no {said}"))
            }
            "const" if said != value => no("another is meant"),
            "enum" if !list(said).contains(value) => no("none of those"),
            "anyOf" if !list(said).iter().any(fits) => no("fits none"),
            "oneOf" if list(said).iter().filter(|one| fits(one)).count() != 1 => no("fits not one"),
            "const" | "enum" | "anyOf" | "oneOf" => None,
            "allOf" => list(said)
                .iter()
                .find_map(|one| misfit(document, one, value)),
            "minimum" if value.as_f64() < said.as_f64() => no("too little"),
            "maximum" if value.as_f64() > said.as_f64() => no("too much"),
            "minLength" if value.as_str().map(str::len) < said.as_u64().map(|n| n as usize) => {
                no("too short")
            }
            "minItems" if list(value).len() < said.as_u64()? as usize => no("too few"),
            "maxItems" if list(value).len() > said.as_u64()? as usize => no("too many"),
            "minimum" | "maximum" | "minLength" | "maxLength" | "minItems" | "maxItems" => None,
            "items" => list(value)
                .iter()
                .find_map(|one| misfit(document, said, one)),
            "prefixItems" => {
                let mut both = list(said).iter().zip(list(value));
                both.find_map(|(said, one)| misfit(document, said, one))
            }
            "required" => {
                let missing =
                    |name: &&Value| value.get(name.as_str().unwrap_or_default()).is_none();
                let missing = list(said)
                    .iter()
                    .filter(|_| value.is_object())
                    .find(missing)?;
                no(&format!("{missing} is missing"))
            }
            "properties" | "patternProperties" | "additionalProperties" => {
                let fields = value.as_object()?;
                let named = schema.get("properties").and_then(Value::as_object);
                fields.iter().find_map(|(name, value)| {
                    let known = named.and_then(|named| named.get(name));
                    let schema = match (keyword.as_str(), known) {
                        ("properties", known) => known?,
                        ("patternProperties", None) => said.as_object()?.values().next()?,
                        ("additionalProperties", None)
                            if !schema.contains_key("patternProperties") =>
                        {
                            said
                        }
                        _ => return None,
                    };
                    misfit(document, schema, value).map(|why| format!("{name}: {why}"))
                })
            }
            other => no(&format!("these tests do not know `{other}`")),
        })
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn is_of(name: &str, value: &Value) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    }
}

/// An order that is described with a body is refused without one, and one that is described
/// without is taken so: whoever sends nothing need not say of what kind that is.
#[tokio::test]
async fn what_has_no_body_is_described_without_one() {
    let house = house();
    let document = crate::http::document();
    let mut wrong = Vec::new();
    for (path, methods) in document["paths"].as_object().expect("paths") {
        let Some(post) = methods.get("post") else {
            continue;
        };
        let is_asked = post["requestBody"]["required"] == true;
        let parts = [
            ("{id}", "1"),
            ("{round}", "1"),
            ("{table}", "1"),
            ("{name}", "x"),
        ];
        let place = parts
            .iter()
            .fold(path.clone(), |path, (part, is)| path.replace(part, is));
        let request = Request::post(&place).header(header::HOST, "127.0.0.1:8080");
        let answer = ask(&house.router(), request.body(Body::empty()).unwrap()).await;
        let status = answer.status().as_u16();
        let said = text(answer).await;
        // Where nobody is asked who he is, nobody is let in.
        if said.contains("asks-nobody") {
            continue;
        }
        let lacks = matches!(status, 400 | 415 | 422);
        if is_asked != lacks || status == 403 {
            wrong.push(format!(
                "{path}: a body is asked for: {is_asked}; {status} {said}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
