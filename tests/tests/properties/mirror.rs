//! The same game with colours exchanged and the board turned.

use arbiter_core::input::{Event, Input, StartFen};
use arbiter_core::ruling::Announcement;
use arbiter_core::shakmaty::fen::Fen;
use arbiter_core::shakmaty::{Chess, Color, EnPassantMode, Square};
use arbiter_core::{Reading, Symbol};
use serde_json::{Map, Value};
use tests::scenario::Orientation;

const IMAGE: Orientation = Orientation::Reversed;

/// What is compared of a ruling, where it is there.
const FIELDS: [&str; 17] = [
    "at",
    "ruling",
    "ply",
    "uci",
    "state",
    "code",
    "reason",
    "article",
    "by",
    "certainty",
    "squares",
    "required",
    "kind",
    "from_ply",
    "moves",
    "result",
    "id",
];

/// The image of a script without orders in it.
pub(crate) fn script(events: &[Event]) -> Vec<Event> {
    events.iter().map(|event| Event { at: event.at, input: input(&event.input) }).collect()
}

fn input(input: &Input) -> Input {
    match input {
        Input::Setup(setup) => {
            let start = Fen::from_position(&Chess::default(), EnPassantMode::Legal).to_string();
            let fen = match &setup.fen {
                None => start,
                Some(StartFen::Known(fen)) => fen.to_string(),
                Some(StartFen::Unknown) => "unknown".to_owned(),
            };
            let fen = if fen == "unknown" { fen } else { IMAGE.fen(&fen) };
            Input::Setup(arbiter_core::Setup { fen: Some(StartFen::parse(&fen).expect("a FEN")), ..setup.clone() })
        }
        Input::Lift { square } => Input::Lift { square: IMAGE.square(*square) },
        Input::Place { square, seen } => Input::Place { square: IMAGE.square(*square), seen: symbol(*seen) },
        Input::Snapshot { board } => {
            let mut image = Reading::EMPTY;
            Square::ALL.into_iter().for_each(|square| image.set(IMAGE.square(square), symbol(board.at(square))));
            Input::Snapshot { board: image }
        }
        Input::Press { by, white_ms, black_ms } => {
            Input::Press { by: by.other(), white_ms: *black_ms, black_ms: *white_ms }
        }
        Input::Adjust { by } => Input::Adjust { by: by.other() },
        other => other.clone(),
    }
}

fn symbol(seen: Symbol) -> Symbol {
    match seen {
        Symbol::Colour(colour) => Symbol::Colour(colour.other()),
        Symbol::Piece(piece) => Symbol::Piece(IMAGE.piece(piece)),
        other => other,
    }
}

/// What counts of rulings.
pub(crate) fn essence(said: &[Announcement]) -> Vec<Value> {
    said.iter().map(|said| fields(&serde_json::to_value(said).expect("JSON"))).collect()
}

/// What counts of the rulings on an image, as if it were none.
pub(crate) fn turned_back(said: &[Announcement]) -> Vec<Value> {
    let turned = |said| {
        let value: Value = serde_json::to_value(said).expect("JSON");
        let Value::Object(map) = &value else { return value };
        fields(&Value::Object(map.iter().map(|(key, value)| (key.clone(), IMAGE.ruling(key, value))).collect()))
    };
    said.iter().map(turned).collect()
}

fn fields(ruling: &Value) -> Value {
    let field = |name: &&str| Some(((*name).to_owned(), ruling.get(name)?.clone()));
    let mut fields: Map<_, _> = FIELDS.iter().filter_map(field).collect();
    // The moves of a record have an order; all other lists have none.
    let is_record = ruling["ruling"] == "revision" || ruling["ruling"] == "summary";
    for (name, list) in fields.iter_mut().filter_map(|(name, value)| Some((name, value.as_array_mut()?))) {
        if name != "moves" || !is_record {
            list.sort_by_key(Value::to_string);
        }
    }
    Value::Object(fields)
}

#[test]
fn an_image_of_an_image_is_the_thing_itself() {
    let lift = Event { at: arbiter_core::Time(5), input: Input::Lift { square: Square::E2 } };
    let place = Input::Place { square: Square::E4, seen: Symbol::Colour(Color::White) };
    let events = [lift, Event { at: arbiter_core::Time(9), input: place }];
    assert_ne!(script(&events), events);
    assert_eq!(script(&script(&events)), events);
}
