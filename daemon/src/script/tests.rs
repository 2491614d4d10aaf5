//! Every wrong line has its message; every right one comes back as it was written.

use arbiter_core::{Event, SensorClass};
use proptest::prelude::*;

use super::explain::{SCHEMA, is_written_so};
use super::{LONGEST_LINE, Reader, ScriptError};

const SETUP: &str = r#"{"event":"setup","sensor":"occupancy"}"#;

fn read(script: &str) -> (Vec<Event>, Option<ScriptError>) {
    let mut events = Vec::new();
    for event in Reader::new("f.jsonl", script.as_bytes()) {
        match event {
            Ok(event) => events.push(event),
            Err(error) => return (events, Some(error)),
        }
    }
    (events, None)
}

/// What is wrong with `line` in a game on a board of `sensor` class.
fn wrong(sensor: &str, line: &str) -> String {
    let script = format!(
        "{{\"event\":\"setup\",\"sensor\":\"{sensor}\"}}\n{{\"event\":\"tick\",\"at\":5}}\n{line}\n"
    );
    let (events, error) = read(&script);
    assert_eq!(events.len(), 2, "{line}");
    let text = error
        .unwrap_or_else(|| panic!("accepted: {line}"))
        .to_string();
    text.strip_prefix("f.jsonl:3: ")
        .unwrap_or_else(|| panic!("no place: {text}"))
        .to_owned()
}

/// Of a message that ends in dots only the beginning is given: the list it ends with grows.
fn assert_told(told: &str, message: &str) {
    match message.strip_suffix("...") {
        Some(begins) => assert!(told.starts_with(begins), "{told}\n{message}"),
        None => assert_eq!(told, message),
    }
}

#[test]
fn wrong_json() {
    let table = [
        (
            r#"{"event":"tick","at":5"#,
            "the line ends inside its JSON object; an event takes exactly one line",
        ),
        (
            r#"{"event":"tick","at":5} {}"#,
            "more than one JSON object on the line (column 25)",
        ),
        (
            r#"[1]"#,
            r#"the line is not a JSON object; an event looks like {"event":"tick","at":0}"#,
        ),
        (r#"tick"#, "not JSON: expected ident (column 2)"),
        (
            r#"{"event":"tick" "at":5}"#,
            "not JSON: expected `,` or `}` (column 17)",
        ),
    ];
    for (line, message) in table {
        assert_eq!(wrong("occupancy", line), message, "{line}");
    }
}

#[test]
fn wrong_fields() {
    let table = [
        (
            r#"{"event":"lift","square":"e2"}"#,
            "`at` is missing; every event but `setup` says when, in milliseconds",
        ),
        (
            r#"{"event":"lift","at":-1,"square":"e2"}"#,
            "`at`: -1 is not a whole number, 0 or more",
        ),
        (
            r#"{"event":"lift","at":5.5,"square":"e2"}"#,
            "`at`: 5.5 is not a whole number, 0 or more",
        ),
        (
            r#"{"event":"lift","at":"5","square":"e2"}"#,
            "`at`: \"5\" is not a whole number, 0 or more",
        ),
        (
            r#"{"event":"lift","at":4,"square":"e2"}"#,
            "`at` is 4, but the line before is at 5; time never goes back",
        ),
        (
            r#"{"event":"lift","at":5}"#,
            "`square` is missing in `lift`; it is a square, a1 to h8",
        ),
        (
            r#"{"event":"lift","at":5,"square":"z9"}"#,
            "`square`: \"z9\" is not a square, a1 to h8",
        ),
        (
            r#"{"event":"lift","at":5,"square":12}"#,
            "`square`: 12 is not a square, a1 to h8",
        ),
        (
            r#"{"event":"lift","at":5,"square":"e2","square":"e4"}"#,
            "duplicate field `square`",
        ),
        (
            r#"{"event":"press","at":5,"by":"red"}"#,
            "`by`: \"red\" is not one of white, black",
        ),
        (
            r#"{"event":"press","at":5,"by":"white","white_ms":-3}"#,
            "`white_ms`: -3 is not a whole number, 0 or more",
        ),
        (
            r#"{"event":"press","at":5}"#,
            "`by` is missing in `press`; it is one of white, black",
        ),
        (
            r#"{"event":"claim","at":5,"by":"white","kind":"perpetual"}"#,
            "`kind`: \"perpetual\" is not one of threefold, fifty-moves, touch-move, \
             illegal-move, flag-fall",
        ),
        (
            r#"{"event":"claim","at":5,"by":"white","kind":"threefold","move":"Nf3"}"#,
            "`move`: \"Nf3\" is not a move in UCI form, such as e2e4",
        ),
        (
            r#"{"event":"draw","at":5,"by":"white"}"#,
            "`step` is missing in `draw`; it is one of offer, accept, decline",
        ),
        (
            r#"{"event":"arbiter","at":5,"action":"uphold"}"#,
            "`id` is missing in `uphold`; it is a whole number, 0 or more",
        ),
        (
            r#"{"event":"arbiter","at":5,"action":"promotion","square":"e8","piece":"k"}"#,
            "`piece`: \"k\" is not one of q, r, b, n",
        ),
        (
            r#"{"event":"arbiter","at":5,"action":"result","result":"1-1"}"#,
            "`result`: \"1-1\" is not one of 1-0, 0-1, 1/2-1/2, *",
        ),
        (
            r#"{"event":"arbiter","at":5,"action":"board-turned","turned":45}"#,
            "`turned`: 45 is not one of 0, 90, 180, 270",
        ),
        (
            r#"{"event":"arbiter","at":5}"#,
            "`action` is missing in `arbiter`; it is one of uphold, dismiss, ...",
        ),
        (
            r#"{"event":"arbiter","at":5,"action":"promote"}"#,
            "`action`: \"promote\" is not one of uphold, dismiss, ...",
        ),
        (
            r#"{"event":"suspect","at":5,"squares":["e2","z9"]}"#,
            "`squares`: [\"e2\",\"z9\"] is not a list, each a square, a1 to h8",
        ),
        (
            r#"{"event":"snapshot","at":5,"board":"...."}"#,
            "`board`: a snapshot holds 64 symbols; this one has fewer",
        ),
    ];
    for (line, message) in table {
        assert_told(&wrong("occupancy", line), message);
    }
    for line in [
        r#"{"at":5}"#,
        r#"{"event":"hop","at":5}"#,
        r#"{"event":7,"at":5}"#,
    ] {
        let message = wrong("occupancy", line);
        let all = "it is one of setup, lift, place, snapshot, press, adjust, flag-fall, stop, \
                   claim, draw, resign, arbiter, mating, suspect, tick";
        assert!(message.ends_with(all), "{message}");
    }
}

#[test]
fn a_symbol_of_another_class_of_sensor() {
    let place = |seen: &str| {
        format!("{{\"event\":\"place\",\"at\":5,\"square\":\"e4\",\"seen\":\"{seen}\"}}")
    };
    assert_eq!(
        wrong("occupancy", &place("Q")),
        "`seen` is `Q`, but an occupancy board reads only `?`"
    );
    assert_eq!(
        wrong("colour", &place("Q")),
        "`seen` is `Q`, but a colour board reads `L` or `D`"
    );
    assert_eq!(
        wrong("colour", &place("?")),
        "`seen` is `?`, but a colour board reads `L` or `D`"
    );
    assert_eq!(
        wrong("piece", &place("L")),
        "`seen` is `L`, but a piece board reads one of PNBRQK or pnbrqk"
    );
    assert_eq!(
        wrong("piece", &place(".")),
        "`seen` is `.`, but a placed piece reads something; an emptied square is a `lift`"
    );
    assert_eq!(
        wrong("piece", &place("x")),
        "`seen`: \"x\" is not one symbol: ? L D PNBRQK pnbrqk"
    );
    let board = format!("{}K{}", ".".repeat(62), ".");
    let line = format!("{{\"event\":\"snapshot\",\"at\":5,\"board\":\"{board}\"}}");
    assert_eq!(
        wrong("colour", &line),
        "`board` on g1 is `K`, but a colour board reads `L` or `D`"
    );
}

#[test]
fn wrong_setups() {
    let table = [
        (
            r#"{"event":"setup"}"#,
            "`sensor` is missing in `setup`; it is one of occupancy, colour, piece",
        ),
        (
            r#"{"event":"setup","sensor":"magic"}"#,
            "`sensor`: \"magic\" is not one of occupancy, colour, piece",
        ),
        (
            r#"{"event":"setup","sensor":"piece","clock":1}"#,
            "`clock`: 1 is not true or false",
        ),
        (
            r#"{"event":"setup","sensor":"piece","laws":"fide-1850"}"#,
            "`laws`: \"fide-1850\" is not one of fide-1974, fide-1997, ...",
        ),
        (
            r#"{"event":"setup","sensor":"piece","options":7}"#,
            "`options`: 7 is not an object in braces",
        ),
        (
            r#"{"event":"setup","sensor":"piece","fen":"8/8/8/8/8/8/8/K7 w - - 0 1"}"#,
            "`fen`: `8/8/8/8/8/8/8/K7 w - - 0 1` holds 0 black kings; a position holds one a side",
        ),
        (
            r#"{"event":"setup","sensor":"piece","fen":"nonsense"}"#,
            "`fen`: `nonsense` is not a FEN: invalid board part in fen",
        ),
        (
            r#"{"event":"tick","at":0}"#,
            "the first line of a script is a `setup`",
        ),
    ];
    for (line, message) in table {
        let (_, error) = read(line);
        assert_told(
            &error.unwrap().to_string(),
            &format!("f.jsonl:1: {message}"),
        );
    }
    let (_, error) = read(r#"{"event":"setup","sensor":"piece","options":{"brush-ms":"x"}}"#);
    assert_eq!(
        error.unwrap().to_string(),
        "f.jsonl:1: `options`: `brush-ms`: \"x\" is not a whole number, 0 or more"
    );
    let (_, error) = read(r#"{"event":"setup","sensor":"piece","options":{"brusk-ms":7}}"#);
    let error = error.unwrap().to_string();
    assert!(
        error.starts_with(
            "f.jsonl:1: `options`: unknown field `brusk-ms`, expected one of `brush-ms`"
        ),
        "{error}"
    );
    assert_eq!(
        read("\n\n").1.unwrap().to_string(),
        "f.jsonl:3: the script is empty; its first line is a `setup`"
    );
}

/// Whoever writes a text of a new form into the schema says here how it is read.
#[test]
fn every_format_of_the_schema_is_known() {
    fn look(schema: &serde_json::Value) {
        let example = match schema["format"].as_str() {
            Some("square") => "e4",
            Some("uci") => "e7e8q",
            Some("fen" | "start-fen") => "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            Some("symbol") => "L",
            Some("reading") => &"?.".repeat(32),
            Some("uint16" | "uint32" | "uint64") | None => "",
            Some(other) => panic!("`{other}` is not explained"),
        };
        let format = schema["format"].as_str().filter(|_| !example.is_empty());
        assert!(
            format.is_none_or(|format| is_written_so(format, example)),
            "{schema}"
        );
        match schema {
            serde_json::Value::Array(list) => list.iter().for_each(look),
            serde_json::Value::Object(fields) => fields.values().for_each(look),
            _ => {}
        }
    }
    look(&SCHEMA);
}

#[test]
fn the_reader_ends_after_an_error() {
    let mut reader = Reader::new("f", "{\n".as_bytes());
    assert!(reader.next().unwrap().is_err());
    assert!(reader.next().is_none());
}

#[test]
fn an_endless_line_is_refused_before_it_fills_the_memory() {
    let input = std::io::Read::take(std::io::repeat(b' '), 1 << 30);
    let error = Reader::new("f", input).next().unwrap().unwrap_err();
    assert_eq!(
        error.what,
        format!("the line is longer than {LONGEST_LINE} bytes; an event takes one short line")
    );
}

#[test]
fn tolerated_unknown_fields_blank_lines_and_foreign_line_ends() {
    let script = format!(
        "\u{feff}{SETUP}\r\n\r\n{}\r\n{}",
        r#"{"event":"lift","at":5,"square":"e2","note":"x"}"#,
        r#"{"event":"tick","at":6,"more":{}}"#,
    );
    let (events, error) = read(&script);
    assert_eq!((events.len(), error), (3, None));
}

#[test]
fn a_new_setup_may_start_time_again_and_change_the_sensor() {
    let piece = SETUP.replace("occupancy", "piece");
    let place = |seen| format!(r#"{{"event":"place","at":9,"square":"e4"{seen}}}"#);
    let script = [SETUP.to_owned(), place(""), piece, place(r#","seen":"Q""#)].join("\n");
    let (events, error) = read(&script);
    assert_eq!((events.len(), error), (4, None));
}

#[test]
fn every_event_comes_back_as_it_was_written() {
    let script = [
        concat!(
            r#"{"event":"setup","game":"g","sensor":"piece","class":"blitz","supervised":false,"#,
            r#""clock":false,"polled":true,"fen":"4k3/8/8/8/6n1/8/8/R3K3 w Q - 0 1","#,
            r#""chess960":true,"options":{"brush-ms":99}}"#
        ),
        r#"{"event":"setup","at":7,"sensor":"piece","fen":"unknown"}"#,
        r#"{"event":"lift","at":8,"square":"a1"}"#,
        r#"{"event":"place","at":8,"square":"a3","seen":"R"}"#,
        &format!(
            r#"{{"event":"snapshot","at":9,"board":"{}"}}"#,
            "Kk......".repeat(8)
        ),
        r#"{"event":"press","at":9,"by":"white","white_ms":1000}"#,
        r#"{"event":"adjust","at":9,"by":"black"}"#,
        r#"{"event":"flag-fall","at":9,"by":"black"}"#,
        r#"{"event":"stop","at":9,"by":"black"}"#,
        r#"{"event":"claim","at":9,"by":"black","kind":"fifty-moves","move":"g4a4","square":"a4"}"#,
        r#"{"event":"draw","at":9,"by":"black","step":"decline"}"#,
        r#"{"event":"resign","at":9,"by":"black"}"#,
        r#"{"event":"arbiter","at":9,"action":"uphold","id":3}"#,
        r#"{"event":"arbiter","at":9,"action":"promotion","square":"a8","piece":"n"}"#,
        r#"{"event":"arbiter","at":9,"action":"set-position","fen":"unknown"}"#,
        r#"{"event":"arbiter","at":9,"action":"let-stand"}"#,
        r#"{"event":"arbiter","at":9,"action":"board-turned","turned":90}"#,
        r#"{"event":"arbiter","at":9,"action":"result","result":"1/2-1/2"}"#,
        r#"{"event":"arbiter","at":9,"action":"report","code":"two-hands","by":"white"}"#,
        r#"{"event":"tick","at":10}"#,
    ]
    .join("\n");
    let (events, error) = read(&script);
    assert_eq!((events.len(), error), (20, None));
    let mut written = Vec::new();
    events
        .iter()
        .for_each(|event| super::write(&mut written, event).unwrap());
    let (again, error) = read(&String::from_utf8(written).unwrap());
    assert_eq!(error, None);
    assert_eq!(again, events);
    let arbiter_core::Input::Setup(setup) = &events[0].input else {
        panic!("no setup")
    };
    assert_eq!(
        (setup.sensor, setup.options.brush_ms),
        (SensorClass::Piece, 99)
    );
}

proptest! {
    /// No line breaks the reader, and no message shows the position inside the JSON text that serde
    /// counts.
    #[test]
    fn any_bytes_are_read_or_explained(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for event in Reader::new("f", &bytes[..]) {
            if let Err(error) = event {
                prop_assert!(!error.what.is_empty() && !error.what.contains(" at line "));
            }
        }
    }

    /// The same for lines that are nearly right: one byte of a good line is changed.
    #[test]
    fn nearly_right_lines_are_read_or_explained(at in 0usize..70, byte in 0x20u8..0x7f) {
        let claim = r#"{"event":"claim","at":5,"by":"white","kind":"threefold","move":"e2e4"}"#;
        let mut bytes = format!("{SETUP}\n{claim}").into_bytes();
        let index = SETUP.len() + 1 + at;
        bytes[index] = byte;
        for event in Reader::new("f", &bytes[..]) {
            if let Err(error) = event {
                let what = error.what;
                prop_assert!(!what.is_empty() && !what.contains(" at line "), "{}", what);
            }
        }
    }

    /// What the short way reads, the long way reads so too.
    #[test]
    fn the_short_way_leads_where_the_long_one_does(
        line in prop::sample::select(USUAL.to_vec()),
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0x20u8..0x7f), 0..3),
    ) {
        let mut bytes = line.as_bytes().to_vec();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Some(event) = super::usual::parse(&bytes) {
            prop_assert_eq!(super::parse_any(&bytes), Ok(event));
        }
    }
}

const USUAL: [&str; 6] = [
    r#"{"event":"lift","at":5,"square":"e2"}"#,
    r#"{"at":5,"event":"place","square":"e4","seen":"L"}"#,
    r#"{"event":"place","at":5,"square":"e4"}"#,
    r#"{"event":"press","at":5,"by":"white"}"#,
    r#"{"event":"press","at":5,"by":"black","white_ms":3,"black_ms":4}"#,
    r#"{"event":"tick","at":5}"#,
];

#[test]
fn the_usual_lines_go_the_short_way() {
    for line in USUAL {
        let event = super::usual::parse(line.as_bytes());
        assert!(event.is_some(), "{line}");
        assert_eq!(super::parse_any(line.as_bytes()).ok(), event);
    }
    for other in [
        r#"["lift",5,"e2"]"#,
        r#"{"event":"lift","at":5,"square":"e2","more":1}"#,
    ] {
        assert_eq!(super::usual::parse(other.as_bytes()), None);
    }
}
