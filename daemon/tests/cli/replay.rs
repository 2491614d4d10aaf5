//! Event scripts, ruled on.

use super::*;

const SCRIPT: &str = r#"{"event":"setup","game":"one","sensor":"piece"}
{"event":"lift","at":1000,"square":"e2"}
{"event":"place","at":1500,"square":"e4","seen":"P"}
{"event":"press","at":2500,"by":"white","white_ms":60000}
{"event":"setup","game":"two","sensor":"occupancy","clock":false}
{"event":"lift","at":1000,"square":"d2"}
{"event":"place","at":1500,"square":"d4"}
{"event":"lift","at":3000,"square":"d7"}
{"event":"place","at":3500,"square":"d5"}
"#;

#[test]
fn replay_rules_on_every_game_and_sums_it_up() {
    let dir = tempfile::tempdir().unwrap();
    let told = output(&["replay", &write(&dir, "games.jsonl", SCRIPT)]);
    assert!(told.status.success() && told.stderr.is_empty());
    let told = lines(&told.stdout);
    let moves = |game: &str| {
        told.iter()
            .filter(|l| l["game"] == game && l["ruling"] == "move")
            .count()
    };
    assert!(
        moves("one") >= 2 && moves("two") >= 2,
        "made, then completed: {told:?}"
    );
    let completed = told.iter().find(|l| l["state"] == "completed").unwrap();
    assert_eq!(
        (&completed["uci"], &completed["san"], &completed["ply"]),
        (&"e2e4".into(), &"e4".into(), &1.into())
    );
    let summaries: Vec<&Value> = told.iter().filter(|l| l["ruling"] == "summary").collect();
    assert_eq!(summaries.len(), 2);
    assert_eq!(summaries[0]["moves"], serde_json::json!(["e2e4"]));
    assert!(
        summaries[0]["pgn"]
            .as_str()
            .unwrap()
            .contains("\n\n1. e4 {[%clk 0:01:00]} *\n"),
        "{}",
        summaries[0]
    );
    assert_eq!(summaries[1]["moves"], serde_json::json!(["d2d4", "d7d5"]));
    assert_eq!(
        told.last(),
        Some(summaries[1]),
        "the summary is the last line"
    );
}

#[test]
fn replay_stops_at_a_bad_line_with_the_rulings_before_it() {
    let dir = tempfile::tempdir().unwrap();
    let bad = SCRIPT.replace(r#""square":"d2""#, r#""square":"d9""#);
    let file = write(&dir, "bad.jsonl", &bad);
    let told = output(&["replay", &file]);
    assert_eq!(told.status.code(), Some(2));
    let message = format!("{file}:6: `square`: \"d9\" is not a square, a1 to h8\n");
    assert_eq!(String::from_utf8(told.stderr).unwrap(), message);
    let told = lines(&told.stdout);
    assert_eq!(
        told.last().unwrap()["ruling"],
        "summary",
        "the game before is complete: {told:?}"
    );
    let fen = write(
        &dir,
        "fen.jsonl",
        "{\"event\":\"setup\",\"sensor\":\"piece\",\"fen\":\"8/8/8/8/8/8/8/K7 w - - 0 1\"}\n",
    );
    fails(
        &["replay", &fen],
        2,
        ":1: `fen`: `8/8/8/8/8/8/8/K7 w - - 0 1` holds 0 black kings",
    );
}

#[test]
fn replay_answers_standard_input_as_it_comes() {
    let mut child = arbiterd(&["replay", "-"])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut rulings = BufReader::new(child.stdout.take().unwrap());
    for line in SCRIPT.lines().take(4) {
        writeln!(input, "{line}").unwrap();
    }
    let mut line = String::new();
    while !line.contains("completed") {
        line.clear();
        assert!(
            rulings.read_line(&mut line).unwrap() > 0,
            "the move is told while the input is still open"
        );
    }
    drop(input);
    assert_eq!(ended(child), 0);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let dir = tempfile::tempdir().unwrap();
    let games: String = (0..2_000).map(|_| SCRIPT).collect();
    let mut child = arbiterd(&["replay", &write(&dir, "many.jsonl", &games)])
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut told = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut told)
        .unwrap();
    assert_eq!((ended(child), told.as_str()), (0, ""));
}

#[test]
fn replay_for_people_has_no_json() {
    let dir = tempfile::tempdir().unwrap();
    let told = output(&["replay", "--pretty", &write(&dir, "games.jsonl", SCRIPT)]);
    let text = String::from_utf8(told.stdout).unwrap();
    assert!(
        text.contains("completed     ply 1 e4\n") && !text.contains('{') && !text.contains('\x1b'),
        "{text}"
    );
}

/// A touch that binds, an illegal move, a wrong claim and a resignation.
const DISPUTED: &str = r#"
{"event":"setup","game":"one","sensor":"piece","options":{"language":"fr"}}
{"event":"lift","at":1000,"square":"g1"}
{"event":"place","at":2500,"square":"g1","seen":"N"}
{"event":"lift","at":4000,"square":"b1"}
{"event":"place","at":4600,"square":"c3","seen":"N"}
{"event":"press","at":5200,"by":"white"}
{"event":"lift","at":7000,"square":"b8"}
{"event":"place","at":7600,"square":"b6","seen":"n"}
{"event":"press","at":8200,"by":"black"}
{"event":"lift","at":9000,"square":"b6"}
{"event":"place","at":9600,"square":"b8","seen":"n"}
{"event":"claim","at":13000,"by":"black","kind":"threefold"}
{"event":"resign","at":15000,"by":"black"}
"#;

#[test]
fn replay_speaks_the_language_of_the_script_or_the_one_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let script = write(&dir, "disputed.jsonl", DISPUTED);
    let told = |arguments: &[&str]| {
        let all = [&["replay"], arguments, &[script.as_str()]].concat();
        String::from_utf8(output(&all).stdout).unwrap()
    };
    let french = told(&["--pretty"]);
    assert_eq!(french, told(&["--pretty", "--language", "fr"]));
    for said in [
        "achevé        demi-coup 1 Cc3\n",
        "1\u{a0}: touch-move-own-piece (4.3.1), probable, demi-coup 1\u{a0}: Les Blancs ont touché",
        "réclamation   Noirs\u{a0}: non fondée (",
        "résultat      1-0\u{a0}: Les Noirs ont abandonné",
        "     1,120  obligation",
    ] {
        assert!(french.contains(said), "{said:?} in {french}");
    }
    let words = [
        "made",
        "completed",
        "White",
        "Black",
        " ply ",
        "  claim",
        "plies",
        "likely",
    ];
    for english in words {
        assert!(!french.contains(english), "{english:?} in {french}");
    }
    let english = told(&["--pretty", "--language", "en"]);
    assert!(english.contains("completed     ply 1 Nc3\n"), "{english}");
    assert!(!english.contains("Les Blancs"), "{english}");
    assert!(told(&["--language", "en"]).contains("White touched the knight"));
    let wrong = output(&["replay", "--language", "de", &script]);
    let complaint = String::from_utf8(wrong.stderr).unwrap();
    assert!(
        wrong.status.code() == Some(2) && complaint.contains("a language is"),
        "{complaint}"
    );
}
