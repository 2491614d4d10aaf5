//! Random tournaments of a pairing engine: what it writes is understood, its results come back
//! byte for byte, and its next pairings are those that are drawn.
//!
//! The engine is `bbpPairings`, a program of others that is not part of this one: name it in the
//! environment variable `BBPPAIRINGS`. Without it the test says that it is skipped.

use std::path::{Path, PathBuf};
use std::process::Command;

use chess_trf::Document;
use tournament::{Act, How, Place, Plan, ResultCode, Tournament, load, write};

const TOURNAMENTS: u32 = 25;

fn engine() -> Option<PathBuf> {
    let engine = std::env::var_os("BBPPAIRINGS").map(PathBuf::from);
    if engine.is_none() {
        eprintln!("SKIPPED: BBPPAIRINGS names no bbpPairings");
    }
    engine
}

fn run(engine: &Path, arguments: &[&str]) {
    let ran = Command::new(engine).arg("--dutch").args(arguments).output();
    let ran = ran.unwrap_or_else(|error| panic!("{}: {error}", engine.display()));
    let told = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(
        ran.status.success() && !told.contains("Error"),
        "{arguments:?}: {told}"
    );
}

/// The tournament with a round of a file.
fn with(mut tournament: Tournament, bytes: &[u8], round: u16) -> Tournament {
    let sheet = load::read(bytes, Some(round)).expect("it is understood");
    assert_eq!(
        sheet.other_points, [0; 0],
        "points are those of the results"
    );
    let place = Place {
        round: Some(round),
        ..Place::default()
    };
    let plan = Plan::of(&tournament, &sheet, &place).expect("it can be drawn");
    for act in &plan.acts {
        tournament.apply(act).expect("an act of the plan");
    }
    tournament
}

/// A file in which the games of its last round have no results, and how they ended.
fn unplayed(bytes: &[u8], rounds: usize) -> (Vec<u8>, Vec<(u16, [ResultCode; 2])>) {
    let players = Document::parse(bytes)
        .expect("text")
        .players()
        .expect("players");
    let mut results = Vec::new();
    let mut lines: Vec<Vec<u8>> = bytes
        .split_inclusive(|byte| *byte == b'\r')
        .map(<[u8]>::to_vec)
        .collect();
    for player in &players {
        let cell = player.round(rounds);
        let Some(opponent) = cell.opponent else {
            continue;
        };
        let other = players
            .iter()
            .find(|other| other.number == opponent)
            .expect("the opponent");
        let code = |code: Option<chess_trf::Code>| ResultCode(code.expect("a result"));
        if cell.colour == Some(chess_trf::Colour::White) {
            results.push((
                player.number,
                [code(cell.code), code(other.round(rounds).code)],
            ));
        }
        lines[player.line - 1][91 + 10 * (rounds - 1) + 7] = b' ';
    }
    (lines.concat(), results)
}

#[test]
fn what_an_engine_generates_is_read_and_written() {
    let Some(engine) = engine() else { return };
    let dir = std::env::temp_dir().join(format!("generated-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a directory");
    let path = |name: &str| dir.join(name).display().to_string();
    for seed in 1..=TOURNAMENTS {
        let (report, list) = (path("report.trf"), path("list.txt"));
        run(&engine, &["-g", "-o", &report, "-s", &seed.to_string()]);
        let bytes = std::fs::read(&report).expect("a report");
        let players = Document::parse(&bytes)
            .expect("text")
            .players()
            .expect("players");
        let rounds = players
            .iter()
            .map(|player| player.rounds.len())
            .max()
            .expect("players");
        let last = u16::try_from(rounds).expect("few rounds");
        for round in 1..=last {
            with(Tournament::default(), &bytes, round);
        }

        // Results that are entered come back as the engine wrote them.
        let (without, results) = unplayed(&bytes, rounds);
        assert_ne!(without, bytes);
        let sheet = load::read(&without, Some(last)).expect("it is understood");
        let plan = Plan::of(&Tournament::default(), &sheet, &Place::default()).expect("a plan");
        let mut tournament = Tournament::default();
        let start = Act::StartRound {
            round: last,
            at: String::new(),
        };
        for act in plan.acts.iter().chain([&start]) {
            tournament.apply(act).expect("an act of the plan");
        }
        for (white, codes) in results {
            let pairings = &tournament.rounds[&last].pairings;
            let table = pairings
                .iter()
                .find(|p| p.white == white)
                .and_then(|p| p.table);
            let result = Act::Result {
                round: last,
                table: table.expect("a table"),
                codes,
                how: How::Typed,
                reason: String::new(),
            };
            tournament.apply(&result).expect("a result");
        }
        let written = write::trf(&tournament, last, &without)
            .expect("a report")
            .bytes;
        assert!(written == bytes, "seed {seed}: the results are other ones");

        // The engine pairs the next round of what was written, and that is drawn.
        let more = [&written[..], format!("XXR {}\r", rounds + 1).as_bytes()].concat();
        std::fs::write(&report, more).expect("written");
        run(&engine, &[&report, "-p", &list]);
        let pairs = std::fs::read(&list).expect("pairs");
        let next = with(
            with(Tournament::default(), &written, last),
            &pairs,
            last + 1,
        );
        let drawn = next.rounds[&(last + 1)].pairings.iter();
        let drawn: Vec<[u16; 2]> = drawn.map(|p| [p.white, p.black.unwrap_or(0)]).collect();
        let text = String::from_utf8(pairs).expect("text");
        let told: Vec<u16> = text
            .split_whitespace()
            .skip(1)
            .map(|n| n.parse().expect("a number"))
            .collect();
        let told: Vec<[u16; 2]> = told.chunks(2).map(|pair| [pair[0], pair[1]]).collect();
        assert_eq!(drawn, told, "seed {seed}");
    }
    std::fs::remove_dir_all(&dir).expect("removed");
}
