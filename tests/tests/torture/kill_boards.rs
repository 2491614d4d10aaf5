//! Boards that are processes are killed and started again, as a board whose program dies: the
//! serial number is the same, everything else is forgotten, and the game stands at its start.
//!
//! So the players begin again. What was played before is in the record or was not told; nothing is
//! there that was not played.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;
use tests::rig::{Arbiterd, section};

use crate::chance::Chance;
use crate::meanwhile::Enough;

/// How fast is played on them: a game takes half a minute.
const SPEED: &str = "60";
/// A dead one lies there for at most so long.
const DEAD: Duration = Duration::from_millis(700);

/// A board that is a process. It is killed when this is dropped.
pub(crate) struct Process {
    pub(crate) id: String,
    port: PathBuf,
    truth: PathBuf,
    seed: u64,
    child: Child,
}

impl Process {
    /// Switches one on, in `dir`.
    pub(crate) fn start(dir: &Path, number: u64) -> Process {
        let id = format!("process-{number}");
        let (port, truth) = (dir.join(&id), dir.join(format!("{id}.json")));
        let child = simulate(&port, &truth, number);
        Process {
            id,
            port,
            truth,
            seed: number,
            child,
        }
    }

    /// The board in the configuration.
    pub(crate) fn section(&self) -> String {
        section(&self.id, &self.port, "kind = \"native\"\n")
    }

    /// `kill -9`; whether it was alive.
    fn kill(&mut self) -> bool {
        let was_alive = matches!(self.child.try_wait(), Ok(None));
        let _already_gone = self.child.kill();
        let _reaped = self.child.wait();
        was_alive
    }

    fn restart(&mut self) {
        self.child = simulate(&self.port, &self.truth, self.seed);
    }

    /// What was really played on it, each time from the start.
    pub(crate) fn truth(&self) -> Vec<String> {
        let text = std::fs::read_to_string(&self.truth).expect("what was played");
        let truth: Value = serde_json::from_str(&text).expect("JSON");
        let moves = truth["moves"].as_array().into_iter().flatten();
        moves
            .filter_map(|mv| mv.as_str().map(str::to_owned))
            .collect()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

fn simulate(port: &Path, truth: &Path, seed: u64) -> Child {
    Command::new(Arbiterd::program())
        .args(["simulate", "--board", "native", "--speed", SPEED, "--link"])
        .arg(port)
        .arg("--truth")
        .arg(truth)
        .args(["--serial", &format!("PROCESS-{seed}")])
        .args(["--seed", &seed.to_string()])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("a board")
}

/// Kills one after the other until it is enough, one in each stretch of `life`; how often.
pub(crate) fn kill_and_restart(
    boards: &mut [Process],
    seed: u64,
    life: Duration,
    enough: &Enough,
) -> u32 {
    let (mut chance, mut kills) = (Chance::new(seed ^ 0x626f_6172), 0);
    loop {
        let (moment, dead) = (chance.part(), DEAD.mul_f64(chance.part()));
        let board = chance.below(boards.len());
        let before = life.mul_f64(moment);
        if !enough.not_yet(before) {
            return kills;
        }
        kills += u32::from(boards[board].kill());
        std::thread::sleep(dead);
        boards[board].restart();
        if !enough.not_yet(life.saturating_sub(before + dead)) {
            return kills;
        }
    }
}
