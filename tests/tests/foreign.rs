//! A program that shares no line with this repository reads a simulated DGT board: its position,
//! its changes, its clock and what it says of itself. Python, with pyserial and python-chess.
//!
//! Programs that nobody here wrote meet our boards and drivers where `ARBITER_PEERS` names a
//! directory with checkouts of theirs. None is part of this repository.

use std::process::{Command, Stdio};
use std::time::Duration;

use arbiter_core::shakmaty::uci::UciMove;
use arbiter_core::shakmaty::{Chess, EnPassantMode, Position, fen::Fen};
use serde_json::Value;
use tests::rig::{Arbiterd, python, until};

/// Until the board is switched on.
const PATIENCE: Duration = Duration::from_secs(20);

/// How many times faster than the world is played.
const SPEED: &str = "40";

/// The pieces after the moves.
fn after(moves: &[String]) -> String {
    let mut position = Chess::default();
    for uci in moves {
        let uci: UciMove = uci.parse().expect("a move");
        let mv = uci.to_move(&position).expect("a legal move");
        position.play_unchecked(mv);
    }
    let fen = Fen::from_position(&position, EnPassantMode::Legal).to_string();
    fen.split(' ').next().unwrap_or_default().to_owned()
}

#[test]
fn a_program_of_others_reads_a_simulated_dgt_board() {
    let (python, dir) = (python(), tempfile::tempdir().expect("a directory"));
    let (link, truth, pgn) = (
        dir.path().join("dgt"),
        dir.path().join("truth.json"),
        dir.path().join("game.pgn"),
    );
    // Without a result nobody shows it with the kings, and the last position stands.
    std::fs::write(
        &pgn,
        "[Result \"*\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. O-O f6 *\n",
    )
    .expect("a game");
    let mut board = Command::new(Arbiterd::program())
        .args([
            "simulate", "--board", "dgt", "--hand", "tidy", "--speed", SPEED, "--serial", "SIM-25",
            "--link",
        ])
        .arg(&link)
        .arg("--truth")
        .arg(&truth)
        .arg("--pgn")
        .arg(&pgn)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("a simulated board");
    until("a simulated board", PATIENCE, || link.exists());
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/foreign/dgt.py");
    let read = Command::new(python)
        .arg(script)
        .arg(&link)
        .output()
        .expect("python");
    let _ended = board.kill().and_then(|()| board.wait());
    let complaint = String::from_utf8_lossy(&read.stderr);
    assert!(
        read.status.success(),
        "{complaint}\n`pip install pyserial` where it is missing (./ci.sh does)"
    );
    let seen: Value = serde_json::from_slice(&read.stdout).expect("JSON");
    let truth: Value =
        serde_json::from_str(&std::fs::read_to_string(&truth).expect("the truth")).expect("JSON");
    let moves: Vec<String> = serde_json::from_value(truth["moves"].clone()).expect("moves");
    assert_eq!(moves.len(), 10);
    assert_eq!(
        seen["first"], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
        "{seen}"
    );
    assert_eq!(seen["last"], after(&moves), "{seen}");
    assert!(
        seen["updates"].as_u64() >= Some(20) && seen["clocks"].as_u64() >= Some(10),
        "{seen}"
    );
    assert_eq!(seen["levers"], 10, "one press for each move: {seen}");
    assert_eq!(
        (&seen["serial"], &seen["address"], &seen["long"]),
        (&"00025".into(), &25.into(), &"3000000025".into())
    );
    assert_eq!(
        (&seen["version"][0], &seen["battery"]),
        (&1.into(), &85.into()),
        "{seen}"
    );
    let words = seen["words"].as_str().unwrap_or_default().to_lowercase();
    assert!(
        words.contains("simulated") && !words.contains("dgt") && !words.contains("digital game"),
        "{words}"
    );
}

#[test]
fn programs_of_others_agree_with_ours() {
    let mut meetings = Command::new(python());
    meetings
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/foreign/peers.py"))
        .arg("--arbiterd")
        .arg(Arbiterd::program());
    let peers = std::env::var_os("ARBITER_PEERS");
    for checkout in peers
        .iter()
        .flat_map(|dir| std::fs::read_dir(dir).expect("checkouts"))
    {
        meetings
            .arg("--peer")
            .arg(checkout.expect("a checkout").path());
    }
    let met = meetings.output().expect("python");
    let said = String::from_utf8_lossy(&met.stdout);
    println!("{said}");
    assert!(
        met.status.success(),
        "{said}{}",
        String::from_utf8_lossy(&met.stderr)
    );
    // Nobody takes what was not run for something that went well.
    assert_eq!(
        said.contains("SKIPPED: no --peer"),
        peers.is_none(),
        "{said}"
    );
    if peers.is_none() {
        eprintln!("SKIPPED: ARBITER_PEERS names no directory with programs of others");
    }
}
