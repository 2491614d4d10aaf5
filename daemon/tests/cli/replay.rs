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
    let wrong = output(&["replay", "--language", "it", &script]);
    let complaint = String::from_utf8(wrong.stderr).unwrap();
    assert!(
        wrong.status.code() == Some(2) && complaint.contains("a language is"),
        "{complaint}"
    );
}

/// A board whose a1 lies at h8, and that does not see it: the knight of White's right hand is taken
/// up and put back, then the other is moved, and Black answers.
fn recording() -> String {
    let says = [
        "board turned occupancy clock",
        "=11111111/11111111/......../......../......../......../11111111/11111111",
        "-b8",
        "+b8",
        "-g8",
        "+f6",
        "press white",
        "-d2",
        "+d4",
        "press black",
    ];
    let header = "arbiterd-recording 1 kind=text pace=1 started=now port=x";
    let mut text = format!("{header}\n0.000000 open\n");
    for (n, line) in says.into_iter().enumerate() {
        let hex: String = line.bytes().map(|byte| format!("{byte:02x}")).collect();
        text.push_str(&format!("{}.000000 < {hex}0a\n", n + 1));
    }
    text
}

#[test]
fn a_recording_is_told_how_its_board_lies_and_which_laws_hold() {
    let dir = tempfile::tempdir().unwrap();
    let file = write(&dir, "turned.rec", &recording());
    let told = |arguments: &[&str]| {
        let told = output(&[&["replay", "--raw"], arguments, &[file.as_str()]].concat());
        assert!(
            told.status.success(),
            "{}",
            String::from_utf8_lossy(&told.stderr)
        );
        lines(&told.stdout)
    };
    let moves = |told: &[Value]| told.last().unwrap()["moves"].clone();
    let turned = told(&["--turned", "180"]);
    assert_eq!(moves(&turned), serde_json::json!(["b1c3", "e7e5"]));
    let is_asked = |told: &[Value]| told.iter().any(|line| line["ruling"] == "doubt");
    assert!(is_asked(&told(&[])) && !is_asked(&turned), "{turned:?}");
    let article = |told: &[Value]| {
        let found = told
            .iter()
            .find(|line| line["code"] == "touch-move-own-piece");
        found.unwrap_or_else(|| panic!("{told:?}"))["article"].clone()
    };
    assert_eq!(article(&turned), "4.3.1");
    let old = told(&["--turned", "180", "--laws", "fide-2009"]);
    assert_eq!(
        (article(&old), moves(&old)),
        ("4.3a".into(), moves(&turned))
    );
}

#[test]
fn what_a_recording_cannot_be_told_is_named() {
    for (arguments, words) in [
        (["--turned", "45"], "0, 90, 180 or 270 degrees"),
        (["--laws", "fide-1899"], "\"fide-1974\""),
    ] {
        let told = output(&[&["replay", "--raw"], &arguments[..], &["x.rec"]].concat());
        assert_eq!(told.status.code(), Some(2));
        let told = String::from_utf8_lossy(&told.stderr);
        assert!(told.contains(words), "{told}");
    }
    let told = output(&["replay", "--laws", "fide-2018", "x.jsonl"]);
    assert!(String::from_utf8_lossy(&told.stderr).contains("--raw"));
}

/// The most memory that a process has had, in kilobytes.
fn memory(child: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    number.unwrap().parse().unwrap()
}

#[test]
fn replay_does_not_grow_with_claims() {
    const CLAIMS: u64 = 5_000;
    let mut replay = arbiterd(&["replay", "-"])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut script = replay.stdin.take().unwrap();
    let mut told = BufReader::new(replay.stdout.take().unwrap()).lines();
    let setup = "{\"event\":\"setup\",\"game\":\"one\",\"sensor\":\"piece\"}";
    writeln!(script, "{setup}").unwrap();
    let kinds = [
        "threefold",
        "fifty-moves",
        "touch-move",
        "illegal-move",
        "flag-fall",
    ];
    let mut claim = |n: u64| {
        let kind = kinds[usize::try_from(n % 5).unwrap()];
        let at = 1_000 * n;
        let claim = serde_json::json!({
            "event": "claim", "at": at, "by": "white", "kind": kind, "order": format!("c{n}"),
        });
        writeln!(script, "{claim}").unwrap();
        // All that was said of it: the answers are read as they come.
        let is_of_it = |line: &String| line.contains(&format!("\"at\":{at},"));
        assert!(
            told.by_ref()
                .map(Result::unwrap)
                .any(|line| is_of_it(&line))
        );
    };
    (1..CLAIMS).for_each(&mut claim);
    let before = memory(&replay);
    (CLAIMS..4 * CLAIMS).for_each(&mut claim);
    let after = memory(&replay);
    assert!(after < before + 2_000, "{before} kB, then {after} kB");
    drop(script);
    assert_eq!(ended(replay), 0);
}
