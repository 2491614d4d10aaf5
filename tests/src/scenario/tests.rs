//! The harness must not be fooled: what it lets pass has been said, and what it plays can happen.

use serde_json::json;

use super::run::Said;
use super::*;
use arbiter_core::SensorClass;

const CAPTURE: &str = r#"
title = "A capture"
article = "4.7.1"
why = "It is one."
sensor = ["occupancy", "colour", "piece"]
fen = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"
play = """
lift e4
push d5 P
press white     => move 1 e4d5
"""
[end]
moves = "e4d5"
fen = "4k3/8/8/3P4/8/8/8/4K3 b - -"
"#;

fn scenario(text: &str) -> Scenario {
    toml::from_str(text).unwrap()
}

fn variant(sensor: SensorClass, orientation: Orientation) -> Variant {
    Variant::of_today(sensor, orientation)
}

fn script(text: &str, variant: Variant) -> Result<Vec<String>, String> {
    let scenario = scenario(text);
    let script = compile::compile(&scenario, &line::parse(&scenario.play)?, variant)?;
    Ok(script.events[1..]
        .iter()
        .map(|e| serde_json::to_string(e).unwrap())
        .collect())
}

/// What an arbiter that is right would say, with `more` before the summary.
fn said(more: &[serde_json::Value]) -> Vec<Said> {
    let of_move = json!({"ruling": "move", "ply": 1, "uci": "e4d5", "state": "completed"});
    let summary = json!({"ruling": "summary", "moves": ["e4d5"], "result": "*", "doubts": [],
        "fen": "4k3/8/8/3P4/8/8/8/4K3 b - - 0 1"});
    let all = std::iter::once(of_move)
        .chain(more.iter().cloned())
        .chain([summary]);
    all.map(|ruling| Said { line: 3, ruling }).collect()
}

fn verdict(text: &str, said: &[Said]) -> Result<(), String> {
    let scenario = scenario(text);
    let variant = variant(SensorClass::Piece, Orientation::AsWritten);
    let lines = line::parse(&scenario.play)?;
    let script = compile::compile(&scenario, &lines, variant)?;
    report::judge(&scenario, &lines, &script, said, variant)
}

#[test]
fn each_sensor_class_sees_what_it_can() {
    let at = |sensor| script(CAPTURE, variant(sensor, Orientation::AsWritten)).unwrap();
    let lift = r#"{"at":1000,"event":"lift","square":"e4"}"#;
    let rest = r#"{"at":4700,"event":"tick"}"#;
    let press = r#"{"at":1700,"event":"press","by":"white"}"#;
    assert_eq!(at(SensorClass::Occupancy), [lift, press, rest]);
    assert_eq!(
        at(SensorClass::Colour),
        [
            lift,
            r#"{"at":1400,"event":"place","square":"d5","seen":"L"}"#,
            press,
            rest
        ]
    );
    assert_eq!(
        at(SensorClass::Piece),
        [
            lift,
            r#"{"at":1400,"event":"place","square":"d5","seen":"P"}"#,
            press,
            rest
        ]
    );
}

#[test]
fn reversed_colours_are_played_by_the_other_side() {
    let events = script(CAPTURE, variant(SensorClass::Piece, Orientation::Reversed)).unwrap();
    assert_eq!(
        events[1],
        r#"{"at":1400,"event":"place","square":"d4","seen":"p"}"#
    );
    assert_eq!(events[2], r#"{"at":1700,"event":"press","by":"black"}"#);
}

#[test]
fn what_cannot_happen_is_refused_with_its_line() {
    let refused = |from: &str, to: &str| {
        let text = CAPTURE.replace(from, to);
        script(&text, variant(SensorClass::Piece, Orientation::AsWritten)).unwrap_err()
    };
    assert_eq!(
        refused("lift e4", "lift e3"),
        "play, line 1: e3 is empty: nothing to lift"
    );
    assert!(refused("push d5 P", "place d5 P").contains("line 2: d5 is occupied"));
    assert!(refused("push d5 P", "place d6 K").contains("line 2: no K was lifted"));
    assert!(refused("push d5 P", "putt d5 P").contains("line 2: `putt d5 P` is not an action"));
}

#[test]
fn the_right_answer_passes_and_every_lack_or_excess_fails() {
    verdict(CAPTURE, &said(&[])).unwrap();
    let accusation = json!({
        "ruling": "irregularity", "id": 1, "code": "touch-move-own-piece", "by": "white",
        "certainty": "possible",
    });
    assert!(
        verdict(CAPTURE, &said(std::slice::from_ref(&accusation)))
            .unwrap_err()
            .contains("+irregularities = ")
    );
    let doubt = json!({"ruling": "doubt", "kind": "check-square", "ply": 1});
    assert!(
        verdict(CAPTURE, &said(&[doubt]))
            .unwrap_err()
            .contains("+doubts = [\"check-square 1\"]")
    );
    let withdrawn = json!({"ruling": "withdrawn", "id": 1});
    assert!(
        verdict(CAPTURE, &said(&[accusation, withdrawn]))
            .unwrap_err()
            .contains("+withdrawn = ")
    );
    let silent = verdict(CAPTURE, &said(&[])[1..]).unwrap_err();
    assert!(
        silent.contains("line 3: this does not hold: move 1 e4d5"),
        "{silent}"
    );
    assert!(silent.contains("To repeat with `arbiterd replay`"));
    let ended =
        json!({"ruling": "result", "result": "1-0", "reason": "arbiter", "proposed": false});
    assert!(verdict(CAPTURE, &said(&[ended])).is_err());
}

#[test]
fn an_override_holds_for_its_variant_only() {
    let text = CAPTURE.to_owned() + "[end.occupancy-clockless]\nmoves = \"\"\n";
    let end = |clock| {
        let variant = Variant {
            clock,
            ..variant(SensorClass::Occupancy, Orientation::AsWritten)
        };
        scenario(&text).end.of(variant).unwrap().moves.unwrap()
    };
    assert_eq!((end(true).as_str(), end(false).as_str()), ("e4d5", ""));
    assert!(
        scenario(&(CAPTURE.to_owned() + "[end.reed]\n"))
            .end
            .of(variant(SensorClass::Piece, Orientation::AsWritten))
            .is_err()
    );
}

#[test]
fn nothing_happens_after_finally() {
    assert!(
        line::parse("lift e2\nfinally => no result\nplace e4 P")
            .unwrap_err()
            .contains("line 3")
    );
}

#[test]
fn a_file_is_run_for_every_edition_class_and_supervision_it_names() {
    let head = "class = [\"standard\", \"blitz\"]\nsupervised = [true, false]\n\
                laws = [\"1974\", \"2018-2023\"]\nsensor";
    let names: Vec<String> = Variant::all(&scenario(&CAPTURE.replace("sensor", head)))
        .iter()
        .map(Variant::to_string)
        .collect();
    // Three editions; standard, blitz with and without supervision; three sensors; three images.
    assert_eq!(names.len(), 3 * 3 * 3 * 3);
    assert_eq!(names[0], "1974, occupancy");
    assert!(
        names.contains(&"2023, blitz, unsupervised, piece, mirrored".to_owned()),
        "{names:?}"
    );
}

#[test]
fn articles_are_written_with_their_numbers_of_2023_and_expected_with_those_of_the_edition() {
    let text = CAPTURE.replace(
        "=> move 1 e4d5",
        "=> irregularity touch-move-own-piece article 4.3.1",
    );
    let verdict = |laws, number: &str| {
        let found = json!({
            "ruling": "irregularity", "id": 1, "code": "touch-move-own-piece", "by": "white",
            "certainty": "certain", "article": number,
        });
        let scenario = scenario(
            &(text.clone() + "irregularities = [\"touch-move-own-piece by white certain\"]\n"),
        );
        let variant = Variant {
            laws,
            ..variant(SensorClass::Piece, Orientation::AsWritten)
        };
        let lines = line::parse(&scenario.play).unwrap();
        let script = compile::compile(&scenario, &lines, variant).unwrap();
        report::judge(&scenario, &lines, &script, &said(&[found]), variant)
    };
    use arbiter_core::input::Edition;
    verdict(Edition::Fide2023, "4.3.1").unwrap();
    verdict(Edition::Fide2009, "4.3a").unwrap();
    assert!(verdict(Edition::Fide2009, "4.3.1").is_err());
}

#[test]
fn an_action_and_its_expectation_share_their_condition() {
    let text = CAPTURE
        .replace("press white ", "[2014+] press white ")
        .replace("=> move", "=> [piece] move");
    let lines = line::parse(&scenario(&text).play).unwrap();
    let admitted = |laws, sensor| {
        let variant = Variant {
            laws,
            ..variant(sensor, Orientation::AsWritten)
        };
        lines
            .iter()
            .filter(|line| line.number == 3 && line.guard.admits(variant))
            .count()
    };
    use arbiter_core::input::Edition;
    assert_eq!(admitted(Edition::Fide2023, SensorClass::Piece), 2);
    assert_eq!(admitted(Edition::Fide2023, SensorClass::Colour), 1);
    assert_eq!(admitted(Edition::Fide2009, SensorClass::Piece), 0);
}
