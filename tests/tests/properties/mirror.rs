//! The same game with colours exchanged and the board turned, or with left and right exchanged.

use arbiter_core::ruling::Announcement;
use arbiter_core::shakmaty::fen::Fen;
use arbiter_core::shakmaty::{Chess, EnPassantMode, Square};
use arbiter_core::{Event, Input, Reading, Symbol};
use serde_json::{Map, Value};
use tests::scenario::Orientation;

/// What is not compared: prose, and what repeats the input.
const LEFT_OUT: [&str; 4] = ["san", "text", "evidence", "pgn"];

/// The image of a script.
pub(crate) fn script(events: &[Event], image: Orientation) -> Vec<Event> {
    events.iter().map(|event| turned(event, image)).collect()
}

fn turned(event: &Event, image: Orientation) -> Event {
    if let Input::Snapshot { board } = &event.input {
        let mut turned = Reading::EMPTY;
        Square::ALL
            .into_iter()
            .for_each(|square| turned.set(image.square(square), symbol(board.at(square), image)));
        return Event {
            at: event.at,
            input: Input::Snapshot {
                board: turned.into(),
            },
        };
    }
    if let Input::Suspect { squares } = &event.input {
        let squares = squares
            .into_iter()
            .map(|square| image.square(square))
            .collect();
        return Event {
            at: event.at,
            input: Input::Suspect { squares },
        };
    }
    let Ok(Value::Object(mut fields)) = serde_json::to_value(event) else {
        panic!("{event:?} is no object")
    };
    if fields["event"] == "setup" && !fields.contains_key("fen") {
        let start = Fen::from_position(&Chess::default(), EnPassantMode::Legal).to_string();
        fields.insert("fen".to_owned(), start.into());
    }
    let sides = match fields["event"].as_str() {
        Some("press") => Some(["white_ms", "black_ms"]),
        Some("mating") => Some(["white", "black"]),
        _ => None,
    };
    if let Some([white, black]) = sides.filter(|_| image == Orientation::Reversed) {
        let values = [white, black].map(|name| fields.remove(name));
        let exchanged = [black, white].into_iter().zip(values);
        fields.extend(exchanged.filter_map(|(name, value)| Some((name.to_owned(), value?))));
    }
    let fields: Map<String, Value> = fields
        .iter()
        .map(|(key, value)| (key.clone(), field(key, value, image)))
        .collect();
    serde_json::from_value(Value::Object(fields)).expect("the image of an event is one")
}

fn field(key: &str, value: &Value, image: Orientation) -> Value {
    match (key, value.as_str()) {
        ("square" | "move", Some(text)) => image.squares_in(text).into(),
        ("fen", Some("unknown")) => value.clone(),
        // A turn to the right is one to the left in an image.
        ("turned", None) => ((360 - value.as_u64().expect("degrees")) % 360).into(),
        ("seen", Some(text)) => {
            let seen = text
                .chars()
                .next()
                .and_then(Symbol::from_char)
                .expect("a symbol");
            symbol(seen, image).to_string().into()
        }
        _ => image.ruling(key, value),
    }
}

fn symbol(seen: Symbol, image: Orientation) -> Symbol {
    match seen {
        Symbol::Colour(colour) => Symbol::Colour(image.colour(colour)),
        Symbol::Piece(piece) => Symbol::Piece(image.piece(piece)),
        other => other,
    }
}

/// What counts of rulings on an image, as if it were none.
pub(crate) fn essence(said: &[Announcement], image: Orientation) -> Vec<Value> {
    let turned = |said| {
        let Ok(Value::Object(fields)) = serde_json::to_value(said) else {
            panic!("a ruling is no object")
        };
        let is_record = fields["ruling"] == "revision" || fields["ruling"] == "summary";
        let compared = fields
            .iter()
            .filter(|(key, _)| !LEFT_OUT.contains(&key.as_str()));
        let turned = compared.map(|(key, value)| {
            // What a refused order is about may be a square.
            let is_square = value
                .as_str()
                .is_some_and(|it| it.parse::<Square>().is_ok());
            let kind = if key == "about" && is_square {
                "squares"
            } else {
                key
            };
            let turned = image.ruling(kind, &without_number(key, value));
            // The moves of a record have an order; all other lists have none.
            (
                key.clone(),
                if is_record && key == "moves" {
                    turned
                } else {
                    unordered(turned)
                },
            )
        });
        Value::Object(turned.collect())
    };
    said.iter().map(turned).collect()
}

/// A FEN without the number of the move, which goes up after Black's.
fn without_number(key: &str, value: &Value) -> Value {
    match (key, value.as_str().and_then(|fen| fen.rsplit_once(' '))) {
        ("fen", Some((rest, _))) => rest.into(),
        ("fen", None) => Value::Null,
        _ => value.clone(),
    }
}

fn unordered(mut value: Value) -> Value {
    if let Some(list) = value.as_array_mut() {
        list.sort_by_key(Value::to_string);
    }
    value
}

#[test]
fn an_image_of_an_image_is_the_thing_itself() {
    let lines = [
        r#"{"event":"lift","at":5,"square":"e2"}"#,
        r#"{"event":"arbiter","at":9,"action":"board-turned","turned":90}"#,
        r#"{"event":"place","at":9,"square":"e4","seen":"L"}"#,
        r#"{"event":"press","at":9,"by":"white","white_ms":5}"#,
        r#"{"event":"claim","at":9,"by":"black","kind":"threefold","move":"a7a8q","square":"b1"}"#,
        concat!(
            r#"{"event":"arbiter","at":9,"action":"set-position","#,
            r#""fen":"4k3/8/8/8/8/8/P7/4K3 w - - 0 1"}"#
        ),
    ];
    for line in lines {
        let events: Vec<Event> = vec![serde_json::from_str(line).expect("an event")];
        let image = script(&events, Orientation::Reversed);
        assert_ne!(image, events);
        assert_eq!(script(&image, Orientation::Reversed), events);
    }
}
