//! Recordings of boards: those that lie in `recordings/` come to the games that were played, and
//! what `arbiterd record` has heard is in its file, whatever ends it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use arbiter_core::SensorClass;
use board_driver::BoardKind;
use board_driver::recording::{Happened, read};
use serde_json::Value;
use tests::evening::{Evening, Play};
use tests::rig::{Arbiterd, until};

/// No wait takes longer.
const PATIENCE: Duration = Duration::from_secs(60);

/// What the arbiter says of a recording.
fn rulings(recording: &Path) -> Vec<Value> {
    let replay = Command::new(Arbiterd::program())
        .args(["replay", "--raw"])
        .arg(recording)
        .output()
        .expect("arbiterd");
    assert!(
        replay.status.success(),
        "{}: {}",
        recording.display(),
        String::from_utf8_lossy(&replay.stderr)
    );
    let lines = String::from_utf8(replay.stdout).expect("text");
    lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("a ruling"))
        .collect()
}

/// The moves of the summary.
fn moves(rulings: &[Value]) -> Vec<String> {
    let summary = rulings
        .last()
        .filter(|ruling| ruling["ruling"] == "summary")
        .expect("a summary");
    let moves = summary["moves"].as_array().expect("moves");
    moves
        .iter()
        .map(|uci| uci.as_str().expect("a move").to_owned())
        .collect()
}

#[test]
fn every_recording_comes_to_its_game() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("recordings");
    let files = fs::read_dir(&dir)
        .expect("recordings")
        .map(|entry| entry.expect("a file").path());
    let recordings: Vec<PathBuf> = files
        .filter(|file| file.extension().is_some_and(|e| e == "rec"))
        .collect();
    assert!(recordings.len() >= 5, "{} recordings", recordings.len());
    for recording in recordings {
        let pgn = recording.with_extension("pgn");
        let played = daemon::pgn::read(
            fs::File::open(&pgn).unwrap_or_else(|e| panic!("{}: {e}", pgn.display())),
        );
        let played = played.unwrap_or_else(|e| panic!("{}: {e}", pgn.display()));
        let mode = arbiter_core::shakmaty::CastlingMode::Standard;
        let expected: Vec<String> = played
            .moves
            .iter()
            .map(|mv| mv.to_uci(mode).to_string())
            .collect();
        let told = rulings(&recording);
        assert_eq!(moves(&told), expected, "{}", recording.display());
        let accused = told
            .iter()
            .find(|ruling| ruling["ruling"] == "irregularity" && ruling["certainty"] == "certain");
        assert_eq!(accused, None, "{}", recording.display());
    }
}

/// A recorder at work on a board.
fn record(evening: &Evening, file: &Path) -> Child {
    let table = &evening.tables[0];
    let mut command = Command::new(Arbiterd::program());
    command
        .arg("record")
        .arg(&table.port)
        .arg("-o")
        .arg(file)
        .args(["--board", table.play.kind.name()]);
    command
        .args(["--pace", &table.play.pace.to_string()])
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.spawn().expect("arbiterd")
}

/// What the board wrote, as far as it is in the file.
fn received(file: &Path) -> usize {
    let text = fs::read_to_string(file).unwrap_or_default();
    let recording = read(&text).ok();
    let entries = recording.iter().flat_map(|recording| &recording.entries);
    entries
        .map(|entry| {
            if let Happened::Received(bytes) = &entry.happened {
                bytes.len()
            } else {
                0
            }
        })
        .sum()
}

#[test]
fn a_recorder_that_is_killed_has_kept_what_it_heard() {
    let play = Play {
        plies: 24,
        ..Play::on(BoardKind::Text, SensorClass::Colour, 5, 77, 20.0)
    };
    let evening = Evening::begin(vec![play]);
    let (killed, ended) = (evening.path("killed.rec"), evening.path("ended.rec"));
    let mut recorder = record(&evening, &killed);
    until("the first moves in the recording", PATIENCE, || {
        received(&killed) > 500
    });
    recorder.kill().expect("it runs");
    recorder.wait().expect("it is gone");
    let begun = moves(&rulings(&killed));
    let truth: Vec<String> = evening.tables[0]
        .truth()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert!(
        !begun.is_empty() && truth.starts_with(&begun),
        "{begun:?} of {truth:?}"
    );
    // The next one finds the port free, and Ctrl-C ends it in order.
    let mut recorder = record(&evening, &ended);
    until("more of the game in the recording", PATIENCE, || {
        received(&ended) > 200
    });
    let interrupt = Command::new("kill")
        .args(["-INT", &recorder.id().to_string()])
        .status()
        .expect("kill");
    assert!(interrupt.success());
    assert!(recorder.wait().expect("it ends").success());
    let text = fs::read_to_string(&ended).expect("a recording");
    assert!(text.ends_with('\n') && read(&text).is_ok(), "{text}");
}

#[test]
fn what_is_wrong_with_a_recording_is_named() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("bad.rec");
    let head = "arbiterd-recording 1 kind=text pace=1 started=now port=x\n";
    let table = [
        ("".to_owned(), "bad.rec:1: the file is empty"),
        ("-e2\n".to_owned(), "bad.rec:1: no recording"),
        (
            "arbiterd-recording 9\n".to_owned(),
            "bad.rec:1: recordings of version 9",
        ),
        (
            head.replace("text", "abacus"),
            "`abacus` is no kind of board",
        ),
        (
            format!("{head}0.000000 open\n0.5 < 00\n"),
            "bad.rec:3: not a moment",
        ),
        (
            format!("{head}0.000000 open\n0.500000 < 0g\n"),
            "bad.rec:3: not a moment",
        ),
        (
            format!("{head}2.000000 open\n1.000000 < 00\n"),
            "bad.rec:3: time goes back",
        ),
    ];
    for (text, words) in table {
        fs::write(&file, text).expect("a file");
        let replay = Command::new(Arbiterd::program())
            .args(["replay", "--raw"])
            .arg(&file)
            .output()
            .expect("arbiterd");
        let told = String::from_utf8_lossy(&replay.stderr);
        assert!(
            replay.status.code() == Some(2) && told.contains(words),
            "{words}: {told}"
        );
    }
    // What a crash left of the last line is no error.
    fs::write(&file, format!("{head}0.000000 open\n0.5000")).expect("a file");
    let replay = Command::new(Arbiterd::program())
        .args(["replay", "--raw"])
        .arg(&file)
        .output()
        .expect("arbiterd");
    assert_eq!(replay.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&replay.stderr).contains("no line format board speaks"));
}
