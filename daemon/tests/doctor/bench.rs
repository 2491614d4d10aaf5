//! A board to be examined.

use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::channel;
use std::thread::JoinHandle;
use std::time::Duration;

use arbiter_core::SensorClass;
use board_driver::sim::{Control, SimReport};
use board_driver::{BoardEvent, SimConfig, SimulatedBoard};
use serde_json::Value;
use tokio::sync::mpsc;

use crate::PATIENCE;
use crate::lines::Lines;

/// A simulated board on a thread of its own, until it is switched off.
pub(crate) struct Bench {
    _dir: tempfile::TempDir,
    pub(crate) port: PathBuf,
    pub(crate) controls: mpsc::Sender<Control>,
    thread: Option<JoinHandle<SimReport>>,
}

impl Bench {
    pub(crate) fn new(change: impl FnOnce(&mut SimConfig), script: Vec<BoardEvent>) -> Bench {
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

    pub(crate) fn doctor(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arbiterd"));
        command
            .arg("doctor")
            .arg(&self.port)
            .args(arguments)
            .stdin(Stdio::null());
        command
    }

    /// An examination that goes on, and what it says.
    pub(crate) fn begin(&self, arguments: &[&str]) -> (Child, Lines) {
        let mut child = self
            .doctor(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .expect("it runs");
        let lines = Lines::of(child.stdout.take().expect("a pipe"));
        (child, lines)
    }

    /// The summary of an examination, and its exit status.
    pub(crate) fn examine(&self, arguments: &[&str]) -> (Value, i32) {
        let output = self
            .doctor(arguments)
            .arg("--json")
            .output()
            .expect("the program runs");
        summary(&output)
    }

    /// Switches the board off; what was with it until then.
    pub(crate) fn switch_off(mut self) -> SimReport {
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

pub(crate) fn summary(output: &Output) -> (Value, i32) {
    let text = String::from_utf8_lossy(&output.stdout);
    let last = text.lines().last().unwrap_or_else(|| panic!("{output:?}"));
    let summary: Value = serde_json::from_str(last).unwrap_or_else(|e| panic!("{e}: {last}"));
    assert_eq!(summary["event"], "summary");
    (summary, output.status.code().expect("an exit status"))
}

/// The texts of what was found to be wrong.
pub(crate) fn wrong(summary: &Value) -> Vec<&str> {
    let findings = summary["findings"].as_array().expect("findings").iter();
    findings
        .filter(|f| f["weight"] == "wrong")
        .map(|f| f["text"].as_str().expect("a text"))
        .collect()
}
