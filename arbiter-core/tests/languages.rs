//! The language of a setup changes the sentences of its rulings, and nothing else.

use arbiter_core::settings::Language;
use arbiter_core::{Announcement, Arbiter, Event, Input};
use serde_json::Value;

/// A touch, an illegal move, a press without a move, a wrong claim, a report and a resignation on a
/// board that sees pieces.
const GAME: &str = r#"
{"at":0,"event":"setup","sensor":"piece"}
{"at":1000,"event":"lift","square":"g1"}
{"at":2500,"event":"place","square":"g1","seen":"N"}
{"at":4000,"event":"lift","square":"e2"}
{"at":4600,"event":"place","square":"e4","seen":"P"}
{"at":5200,"event":"press","by":"white"}
{"at":7000,"event":"lift","square":"b8"}
{"at":7600,"event":"place","square":"b6","seen":"n"}
{"at":8200,"event":"press","by":"black"}
{"at":9000,"event":"lift","square":"b6"}
{"at":9600,"event":"place","square":"b8","seen":"n"}
{"at":12000,"event":"press","by":"black"}
{"at":13000,"event":"claim","by":"black","kind":"threefold"}
{"at":14000,"event":"arbiter","action":"report","code":"two-hands","by":"white"}
{"at":15000,"event":"resign","by":"black"}
"#;

fn rulings(language: Language) -> Vec<Announcement> {
    let mut arbiter = Arbiter::new();
    let mut said = Vec::new();
    for line in GAME.lines().filter(|line| !line.is_empty()) {
        let mut event: Event = serde_json::from_str(line).unwrap();
        if let Input::Setup(setup) = &mut event.input {
            setup.options.language = language;
        }
        arbiter.handle(&event, &mut said);
    }
    arbiter.finish(&mut said);
    said
}

/// Every ruling as it is written, and its sentence apart.
fn apart(said: &[Announcement]) -> (Vec<Value>, Vec<String>) {
    let mut texts = Vec::new();
    let mut rest = Vec::new();
    for announcement in said {
        let mut value = serde_json::to_value(announcement).unwrap();
        if let Some(Value::String(text)) = value.as_object_mut().unwrap().remove("text") {
            texts.push(text);
        }
        rest.push(value);
    }
    (rest, texts)
}

#[test]
fn only_the_sentences_differ() {
    let (english, said) = apart(&rulings(Language::En));
    let (french, dit) = apart(&rulings(Language::Fr));
    assert_eq!(english, french);
    assert!(said.len() >= 6, "{said:#?}");
    assert_eq!(said.len(), dit.len());
    for (text, texte) in said.iter().zip(&dit) {
        assert_ne!(text, texte);
        assert!(
            !text.contains(['{', '}']) && !texte.contains(['{', '}']),
            "{text} / {texte}"
        );
    }
}

#[test]
fn a_game_in_french() {
    let (_, dit) = apart(&rulings(Language::Fr));
    let starts = [
        "Les Blancs ont touché le cavalier en g1 et ont joué e4.",
        "Les Noirs ont achevé un coup illégal (b8 et b6)\u{a0}: la pièce ne se déplace pas ainsi.",
    ];
    for start in starts {
        assert!(
            dit.iter().any(|text| text.starts_with(start)),
            "{start}: {dit:#?}"
        );
    }
    // Nobody was there to answer who can still mate.
    let last = "Les Noirs ont abandonné. On ne sait si les Blancs peuvent mater par une suite de \
                coups légaux\u{a0}:";
    assert!(
        dit.last().is_some_and(|text| text.starts_with(last)),
        "{dit:#?}"
    );
}
