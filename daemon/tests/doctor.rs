//! `arbiterd doctor` as people call it, on simulated boards behind pseudo-terminals: what it finds,
//! its exit status, and what stands on the terminal.

#![cfg(feature = "simulators")]

use std::fs::File;
use std::io::{Read, Write};
use std::num::NonZero;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use arbiter_core::shakmaty::{Bitboard, Board, Color, Rank, Square};
use arbiter_core::{Reading, SensorClass, Symbol, Time};
use board_driver::noise::Defects;
use board_driver::sim::{Control, SimReport};
use board_driver::{
    BoardEvent, BoardKind, Condition, Report, SimConfig, SimulatedBoard, Trouble, TroubleCode,
};
use nix::pty::{Winsize, openpty};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use tokio::sync::mpsc;

/// No wait takes longer.
const PATIENCE: Duration = Duration::from_secs(60);

/// A simulated board on a thread of its own, until it is switched off.
struct Bench {
    _dir: tempfile::TempDir,
    port: PathBuf,
    controls: mpsc::Sender<Control>,
    thread: Option<JoinHandle<SimReport>>,
}

impl Bench {
    fn new(change: impl FnOnce(&mut SimConfig), script: Vec<BoardEvent>) -> Bench {
        let dir = tempfile::tempdir().expect("a directory");
        let port = dir.path().join("board");
        let mut config = SimConfig::new(&port, "T-1", SensorClass::Occupancy);
        config.linger = Duration::from_secs(3600);
        change(&mut config);
        let (controls, inbox) = mpsc::channel(4);
        let (ready, is_ready) = channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .expect("a runtime");
            runtime.block_on(async move {
                let board = SimulatedBoard::create(config).expect("a pseudo-terminal");
                ready.send(()).expect("somebody waits");
                board.play(script, inbox).await.expect("the board plays")
            })
        });
        is_ready.recv_timeout(PATIENCE).expect("a board");
        Bench {
            _dir: dir,
            port,
            controls,
            thread: Some(thread),
        }
    }

    fn doctor(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arbiterd"));
        command
            .arg("doctor")
            .arg(&self.port)
            .args(arguments)
            .stdin(Stdio::null());
        command
    }

    /// The summary of an examination, and its exit status.
    fn examine(&self, arguments: &[&str]) -> (Value, i32) {
        let output = self
            .doctor(arguments)
            .arg("--json")
            .output()
            .expect("the program runs");
        summary(&output)
    }
}

impl Bench {
    /// Switches the board off; what was with it until then.
    fn switch_off(mut self) -> SimReport {
        self.controls
            .blocking_send(Control::SwitchOff)
            .expect("the board plays");
        self.thread
            .take()
            .expect("a board")
            .join()
            .expect("it plays")
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        if let Some(thread) = self.thread.take() {
            let _off_already = self.controls.blocking_send(Control::SwitchOff);
            let _ended = thread.join();
        }
    }
}

fn summary(output: &Output) -> (Value, i32) {
    let text = String::from_utf8_lossy(&output.stdout);
    let last = text.lines().last().unwrap_or_else(|| panic!("{output:?}"));
    let summary: Value = serde_json::from_str(last).unwrap_or_else(|e| panic!("{e}: {last}"));
    assert_eq!(summary["event"], "summary");
    (summary, output.status.code().expect("an exit status"))
}

/// The texts of what was found to be wrong.
fn wrong(summary: &Value) -> Vec<&str> {
    let findings = summary["findings"].as_array().expect("findings").iter();
    findings
        .filter(|f| f["weight"] == "wrong")
        .map(|f| f["text"].as_str().expect("a text"))
        .collect()
}

fn change(at: u64, square: Square, seen: char) -> BoardEvent {
    let seen = Symbol::from_char(seen).expect("a symbol");
    BoardEvent {
        at: Time(at),
        report: Report::Changes(vec![(square, seen)]),
    }
}

fn press(at: u64, by: Color) -> BoardEvent {
    BoardEvent {
        at: Time(at),
        report: Report::Press {
            by,
            white_ms: None,
            black_ms: None,
        },
    }
}

fn adjust(at: u64, by: Color) -> BoardEvent {
    BoardEvent {
        at: Time(at),
        report: Report::Adjust { by },
    }
}

/// A piece is taken over the squares, `step` milliseconds on each, on a board that is otherwise
/// empty.
fn walk(squares: impl IntoIterator<Item = Square>, step: u64) -> Vec<BoardEvent> {
    let visit = |(n, square): (u64, Square)| {
        [
            change(n * step, square, '?'),
            change(n * step + step / 2, square, '.'),
        ]
    };
    (1..).zip(squares).flat_map(visit).collect()
}

#[test]
fn a_healthy_board_is_healthy() {
    let script = vec![
        change(100, Square::E2, '.'),
        change(300, Square::E4, '?'),
        press(500, Color::White),
    ];
    let bench = Bench::new(|_| {}, script);
    let (summary, status) = bench.examine(&["--for", "3"]);
    assert_eq!((status, wrong(&summary)), (0, vec![]), "{summary}");
    assert_eq!(summary["board"]["kind"], "native");
    assert_eq!(summary["board"]["serial"], "T-1");
    assert_eq!(
        (&summary["changes"], &summary["presses"]["white"]),
        (&2.into(), &1.into())
    );
    assert_eq!(summary["squares"]["e2"]["changes"], 1);
    assert!(
        summary["bytes"].as_u64() > Some(100) && summary["signs_of_life"].as_u64() > Some(0),
        "{summary}"
    );
    assert_eq!(
        (&summary["lost"], &summary["damaged"]),
        (&0.into(), &0.into())
    );
}

#[test]
fn bad_sensors_are_named() {
    let stuck = Bitboard::from(Rank::Fifth) | Rank::Sixth;
    let trouble = Trouble::new(TroubleCode::NO_ANSWER, 0x22);
    let condition = Condition {
        stuck,
        unsteady: Square::E2.into(),
        failed_scans: 3,
        trouble,
    };
    let bench = Bench::new(
        |_| {},
        vec![BoardEvent {
            at: Time(10),
            report: Report::Condition(condition),
        }],
    );
    let (summary, status) = bench.examine(&["--for", "4", "--board", "native"]);
    let wrong = wrong(&summary);
    assert_eq!(status, 1);
    for words in [
        "rank 5 and rank 6 cannot be read",
        "e2 flickers",
        "0x22 does not answer",
    ] {
        assert!(
            wrong.iter().any(|text| text.contains(words)),
            "{words}: {wrong:?}"
        );
    }
    assert_eq!(
        (
            summary["stuck"].as_array().map(Vec::len),
            &summary["unsteady"][0]
        ),
        (Some(16), &"e2".into())
    );
}

#[test]
fn a_square_that_flickers_is_seen_though_the_board_says_nothing() {
    let class = SensorClass::Occupancy;
    let start = class.reads(&Board::new());
    let defects = Defects {
        stuck: Bitboard::EMPTY,
        flicker: Square::D5.into(),
        told: false,
    };
    let script = defects.spoil(
        class,
        &start,
        vec![change(0, Square::E2, '.'), change(2_000, Square::E4, '?')],
    );
    let (summary, status) =
        Bench::new(|_| {}, script).examine(&["--for", "3", "--board", "native"]);
    assert_eq!(
        (status, &summary["chattered"]),
        (1, &serde_json::json!(["d5"])),
        "{summary}"
    );
    assert!(
        wrong(&summary)[0].starts_with("d5 changed up to"),
        "{summary}"
    );
}

#[test]
fn the_walk_and_the_controls_end_by_themselves_when_all_was_tried() {
    let mut script = walk(Square::ALL, 600);
    script.extend([press(40_000, Color::White), press(40_100, Color::Black)]);
    script.extend([adjust(40_200, Color::White), adjust(40_300, Color::Black)]);
    let fast = |config: &mut SimConfig| (config.squares, config.pace) = (Reading::EMPTY, 20.0);
    let bench = Bench::new(fast, script.clone());
    let (summary, status) =
        bench.examine(&["--walk", "--controls", "--for", "60", "--board", "native"]);
    assert_eq!((status, wrong(&summary)), (0, vec![]), "{summary}");
    assert_eq!(summary["not_walked"], serde_json::json!([]));
    // With a hole in it, and nobody at the black button.
    script.retain(
        |event| !matches!(&event.report, Report::Changes(changes) if changes[0].0 == Square::C6),
    );
    script.pop();
    let (summary, status) = Bench::new(fast, script).examine(&[
        "--walk",
        "--controls",
        "--for",
        "8",
        "--board",
        "native",
    ]);
    let expected = [
        "c6 never seen both full and empty",
        "Black never pressed the adjust button",
    ];
    assert_eq!(
        (status, wrong(&summary)),
        (1, expected.to_vec()),
        "{summary}"
    );
}

#[test]
fn the_lamps_are_lit_and_put_out() {
    let bench = Bench::new(|_| {}, vec![]);
    let (summary, status) = bench.examine(&["--lamps", "--for", "60", "--board", "native"]);
    assert_eq!((status, wrong(&summary)), (0, vec![]), "{summary}");
    assert_eq!(bench.switch_off().lamps, 0, "all of them were put out");
    let bench = Bench::new(|_| {}, vec![]);
    let mut child = bench
        .doctor(&["--lamps", "--plain", "--board", "native"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs");
    let lines = Lines::of(child.stdout.take().expect("a pipe"));
    lines.wait_for("native T-1");
    std::thread::sleep(Duration::from_secs(2));
    assert_ne!(
        bench.switch_off().lamps,
        0,
        "some of them are lit in the course of it"
    );
    kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).expect("it runs");
    lines.wait_for("wrong   the lamps were not all lit");
    assert_eq!(ended(child), 1);
    let (summary, status) = Bench::new(|config| config.lamps = false, vec![])
        .examine(&["--lamps", "--for", "3", "--board", "native"]);
    assert_eq!(
        (status, wrong(&summary)),
        (1, vec!["the board has no lamps"])
    );
}

#[test]
fn analogue_sensors_are_calibrated_on_an_empty_board_only() {
    let analogue = |config: &mut SimConfig| config.levels = true;
    let (summary, status) =
        Bench::new(analogue, vec![]).examine(&["--calibrate", "--for", "4", "--board", "native"]);
    assert_eq!(status, 1);
    assert!(
        wrong(&summary)[0]
            .starts_with("not calibrated: rank 1, rank 2, rank 7 and rank 8 read occupied"),
        "{summary}"
    );
    let levels = summary["levels"].as_array().expect("levels");
    assert_eq!(
        (levels.len(), &levels[0]["square"], &levels[0]["zero"]),
        (64, &"a1".into(), &2048.into())
    );
    assert!(
        levels[0]["now"].as_i64() > levels[0]["on"].as_i64(),
        "{summary}"
    );

    let empty = |config: &mut SimConfig| (config.levels, config.squares) = (true, Reading::EMPTY);
    let trouble = Trouble::new(TroubleCode::NOT_CALIBRATED, 0);
    let uncalibrated = BoardEvent {
        at: Time(10),
        report: Report::Condition(Condition {
            trouble,
            ..Condition::default()
        }),
    };
    let mut levels = board_driver::RankLevels {
        rank: 2,
        on: 200,
        off: 120,
        ..Default::default()
    };
    levels.squares = [board_driver::Level {
        zero: 2048,
        now: 180,
        noise: 6,
    }; 8];
    let off_zero = BoardEvent {
        at: Time(11),
        report: Report::Levels(levels),
    };
    let bench = Bench::new(empty, vec![uncalibrated, off_zero]);
    let (summary, status) = bench.examine(&["--for", "4", "--board", "native"]);
    assert_eq!(status, 1, "{summary}");
    let wrong_before = wrong(&summary).join("; ");
    assert!(
        wrong_before.contains("zero levels of the sensors are not known"),
        "{summary}"
    );
    assert!(
        wrong_before.contains("rank 3 read neither a piece nor an empty square"),
        "{summary}"
    );
    let (summary, status) = bench.examine(&["--calibrate", "--for", "60", "--board", "native"]);
    assert_eq!((status, wrong(&summary)), (0, vec![]), "{summary}");
    assert!(
        summary["levels"]
            .as_array()
            .is_some_and(|levels| levels.iter().all(|level| level["now"] == 0))
    );
}

#[test]
fn a_plug_that_was_pulled_is_told_and_so_is_a_port_that_is_not_there() {
    let bench = Bench::new(|_| {}, vec![]);
    let mut child = bench
        .doctor(&["--plain", "--board", "native"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs");
    let lines = Lines::of(child.stdout.take().expect("a pipe"));
    lines.wait_for("native T-1: occupancy, clock, lamps, buttons");
    bench
        .controls
        .blocking_send(Control::Unplug)
        .expect("the board plays");
    lines.wait_for("fault       the board was unplugged");
    bench
        .controls
        .blocking_send(Control::Replug)
        .expect("the board plays");
    lines.wait_for("native T-1");
    kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).expect("it runs");
    lines.wait_for("wrong   the line broke once");
    assert_eq!(ended(child), 1);

    let missing = bench.port.with_file_name("nothing");
    let mut nothing = Command::new(env!("CARGO_BIN_EXE_arbiterd"));
    let output = nothing
        .arg("doctor")
        .arg(missing)
        .args(["--for", "1", "--json"])
        .output()
        .expect("it runs");
    let (summary, status) = summary(&output);
    assert!(
        status == 1 && wrong(&summary)[0].contains("no such port"),
        "{summary}"
    );
    assert!(
        String::from_utf8_lossy(&output.stderr)
            .contains("the board is not healthy: one thing is wrong")
    );
}

#[test]
fn any_kind_of_board_is_found() {
    for (kind, arguments) in [
        (BoardKind::Dgt, &[][..]),
        (BoardKind::Text, &[]),
        (BoardKind::DgtBus, &["--address", "1"]),
    ] {
        let class = kind.profile().sensor.unwrap_or(SensorClass::Piece);
        let of_kind = |config: &mut SimConfig| {
            (config.kind, config.sensor, config.squares) =
                (kind, class, class.reads(&Board::new()));
        };
        let bench = Bench::new(of_kind, vec![]);
        let mut child = bench
            .doctor(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .expect("it runs");
        let lines = Lines::of(child.stdout.take().expect("a pipe"));
        lines.wait_for(&format!("board       {kind}"));
        lines.wait_for("snapshot ");
        kill(Pid::from_raw(child.id() as i32), Signal::SIGTERM).expect("it runs");
        lines.wait_for("healthy");
        assert_eq!(ended(child), 0, "{kind}");
    }
}

/// The lines of a program, as they come.
struct Lines(Receiver<String>);

impl Lines {
    fn of(mut from: impl Read + Send + 'static) -> Lines {
        let (to, lines) = channel();
        std::thread::spawn(move || {
            let (mut text, mut bytes) = (Vec::new(), [0; 4096]);
            while let Ok(count @ 1..) = from.read(&mut bytes) {
                text.extend_from_slice(&bytes[..count]);
                while let Some(end) = text.iter().position(|byte| *byte == b'\n') {
                    let line: Vec<u8> = text.drain(..=end).collect();
                    if to
                        .send(String::from_utf8_lossy(&line).trim_end().to_owned())
                        .is_err()
                    {
                        return;
                    }
                }
            }
        });
        Lines(lines)
    }

    #[track_caller]
    fn wait_for(&self, words: &str) {
        let mut before = Vec::new();
        loop {
            let line = self
                .0
                .recv_timeout(PATIENCE)
                .unwrap_or_else(|e| panic!("{words}: {e} after {before:#?}"));
            if line.contains(words) {
                return;
            }
            before.push(line);
        }
    }
}

fn ended(mut child: Child) -> i32 {
    let end = Instant::now() + PATIENCE;
    while Instant::now() < end {
        if let Some(status) = child.try_wait().expect("a child") {
            return status.code().unwrap_or(-1);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let _gone = child.kill();
    panic!("it still runs");
}

/// A terminal with somebody before it.
struct Terminal {
    keyboard: File,
    from: Receiver<Vec<u8>>,
    screen: vt100::Parser,
    child: Child,
}

impl Terminal {
    fn new(mut command: Command, rows: u16, columns: u16) -> Terminal {
        let size = Winsize {
            ws_row: rows,
            ws_col: columns,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        let pty = openpty(&size, None).expect("a pseudo-terminal");
        let slave = || Stdio::from(pty.slave.try_clone().expect("a file"));
        let child = command
            .stdin(slave())
            .stdout(slave())
            .stderr(slave())
            .spawn()
            .expect("it runs");
        drop(command);
        let (to, from) = channel();
        let keyboard = File::from(pty.master);
        let mut shown = keyboard.try_clone().expect("a file");
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = shown.read(&mut bytes) {
                if to.send(bytes[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        let at_least_one = |count| NonZero::new(count).unwrap_or(NonZero::<u16>::MIN);
        let screen = vt100::Parser::new(at_least_one(rows), at_least_one(columns), 0);
        Terminal {
            keyboard,
            from,
            screen,
            child,
        }
    }

    fn press(&mut self, keys: &str) {
        self.keyboard
            .write_all(keys.as_bytes())
            .expect("a terminal");
    }

    /// Waits until the screen shows every one of these.
    #[track_caller]
    fn shows(&mut self, parts: &[&str]) -> String {
        let end = Instant::now() + PATIENCE;
        loop {
            let text = self.screen.screen().contents();
            if parts.iter().all(|part| text.contains(part)) {
                return text;
            }
            assert!(Instant::now() < end, "{parts:?} not in\n{text}");
            if let Ok(bytes) = self.from.recv_timeout(Duration::from_millis(100)) {
                self.screen.process(&bytes);
            }
        }
    }
}

#[test]
fn a_picture_on_a_terminal() {
    let condition = Condition {
        stuck: Square::D5.into(),
        ..Condition::default()
    };
    let script = vec![
        change(100, Square::E2, '.'),
        change(300, Square::E4, '?'),
        BoardEvent {
            at: Time(400),
            report: Report::Condition(condition),
        },
        press(500, Color::White),
    ];
    let bench = Bench::new(|config| config.levels = true, script);
    let mut terminal = Terminal::new(bench.doctor(&["--board", "native"]), 30, 90);
    let text = terminal.shows(&[
        "native T-1: occupancy, clock, lamps, buttons, analogue",
        "White 1   Black 0",
        "d5 cannot be read",
    ]);
    assert!(text.contains("    a  b  c  d  e  f  g  h"), "{text}");
    assert!(text.contains(" 8  ?  ?  ?  ?  ?  ?  ?  ?  8"), "{text}");
    assert!(text.contains(" 5  .  .  .  .! .  .  .  .  5"), "{text}");
    let text = terminal.shows(&[" 4  .  .  .  .  ?  .  .  .  4", "levels  noise 6   drift 0"]);
    assert!(text.contains(" 2  ?  ?  ?  ?  .  ?  ?  ?  2"), "{text}");
    assert!(terminal.screen.screen().alternate_screen() && terminal.screen.screen().hide_cursor());
    let stuck = terminal
        .screen
        .screen()
        .cell(6, 3 + 3 * 3 + 1)
        .expect("a cell");
    assert_eq!(stuck.contents(), ".");
    assert!(
        stuck.inverse(),
        "a square that is not to be trusted stands out"
    );
    terminal.press("c");
    terminal.shows(&["is every square empty (rank 1"]);
    terminal.press("nl");
    terminal.shows(&["rank 1 is lit"]);
    terminal.press("r");
    terminal.shows(&["White 0   Black 0", "so far  0 changes"]);
    terminal.press("q");
    terminal.shows(&[
        "wrong   d5 cannot be read",
        "the board is not healthy: one thing is wrong",
    ]);
    let screen = terminal.screen.screen();
    assert!(
        !screen.alternate_screen() && !screen.hide_cursor(),
        "the terminal is left as it was"
    );
    assert_eq!(ended(terminal.child), 1);
}

#[test]
fn a_small_terminal_keeps_board_and_keys() {
    let bench = Bench::new(|_| {}, vec![]);
    let mut terminal = Terminal::new(bench.doctor(&["--board", "native"]), 14, 40);
    let text = terminal.shows(&[" 1  ?  ?  ?  ?  ?  ?  ?  ?  1", "q quit"]);
    assert!(
        text.lines().all(|line| line.chars().count() <= 40),
        "{text}"
    );
    terminal.press("\u{3}");
    terminal.shows(&["healthy"]);
    assert_eq!(ended(terminal.child), 0);
}

#[test]
fn wrong_arguments_are_one_line() {
    for (arguments, words) in [
        (&["/dev/x", "--for", "soon"][..], "a number of seconds"),
        (
            &["/dev/x", "--address", "7", "--board", "native"][..],
            "--address is for boards of the kind dgt-bus",
        ),
        (&["/dev/x", "--json", "--plain"][..], "cannot be used with"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arbiterd"));
        let output = command
            .arg("doctor")
            .args(arguments)
            .output()
            .expect("it runs");
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            (output.status.code(), told.lines().count()),
            (Some(2), 1),
            "{told}"
        );
        assert!(told.contains(words), "{words}: {told}");
    }
}
