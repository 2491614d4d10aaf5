//! The sketch that `docs/boards.md` shows for an Arduino is run, on pins that are played by this
//! machine: what it writes is what happened on the board.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use arbiter_core::shakmaty::{Board, Square};
use arbiter_core::{SensorClass, Symbol};
use board_driver::protocol::Outbox;
use board_driver::{BoardKind, Report, Start};

/// The sketch, out of the handbook.
fn sketch() -> &'static str {
    let handbook = include_str!("../../docs/boards.md");
    let block = handbook
        .split("```cpp\n")
        .nth(1)
        .expect("the handbook shows a sketch");
    block.split("```").next().expect("and its end")
}

#[test]
fn the_sketch_of_the_handbook_is_a_board() {
    assert!(sketch().lines().count() <= 40, "a sketch to be typed in");
    let dir = tempfile::tempdir().expect("a directory");
    let (source, program) = (dir.path().join("sketch.ino"), dir.path().join("sketch"));
    std::fs::write(&source, sketch()).expect("a file");
    let shim = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support/arduino/main.cpp");
    let define = format!("-DSKETCH=\"{}\"", source.display());
    let built = Command::new("c++")
        .args(["-Wall", "-Werror", "-o"])
        .arg(&program)
        .arg(define)
        .arg(&shim)
        .output();
    let built = built.expect("a C++ compiler");
    assert!(
        built.status.success(),
        "{}",
        String::from_utf8_lossy(&built.stderr)
    );
    // Asked while it runs; then e2 is lifted, for one scan seems to be back, and e4 is put down.
    let play = ["100:12", "101:12", "102:12", "200:28"];
    let mut board = Command::new(&program);
    board
        .args(play)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut board = board.spawn().expect("it runs");
    board
        .stdin
        .as_mut()
        .expect("a line")
        .write_all(b"\n?\n")
        .expect("it listens");
    let said = board.wait_with_output().expect("it ends").stdout;
    let now = Instant::now();
    let mut host = (BoardKind::Text.profile().host)(&Start::new(now));
    let mut out = Outbox::default();
    host.open(now, &mut out);
    host.receive(now, &said, &mut out);
    let mut reports: Vec<Report> = out
        .reports
        .into_iter()
        .map(|delivery| delivery.event.report)
        .collect();
    let Report::Hello(info) = reports.remove(0) else {
        panic!("a hello comes first");
    };
    assert_eq!((info.serial.as_str(), info.scan_ms), ("my-board", 15));
    // Asked before its first three scans were over, it said that nothing stands there, and then
    // what came.
    let mut reading = arbiter_core::Reading::EMPTY;
    let mut after_start = Vec::new();
    for report in reports {
        match report {
            Report::Snapshot(told) => reading = told,
            Report::Changes(changes) => {
                changes
                    .iter()
                    .for_each(|(square, seen)| reading.set(*square, *seen));
                after_start.extend(changes);
            }
            other => panic!("{other:?}"),
        }
    }
    let [.., lift, place] = &after_start[..] else {
        panic!("{after_start:?}")
    };
    assert_eq!(
        (*lift, *place),
        ((Square::E2, Symbol::Empty), (Square::E4, Symbol::Something))
    );
    let mut expected = SensorClass::Occupancy.reads(&Board::new());
    expected.set(Square::E2, Symbol::Empty);
    expected.set(Square::E4, Symbol::Something);
    assert_eq!(reading, expected);
    assert_eq!(out.trouble.damaged, 0);
}
