//! The hall: the daemon as a process that can be killed, and the commands that people give it.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tests::rig::{Arbiterd, configuration, get, look_until, post, section};

use super::BOARDS;

/// No wait takes longer.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Hall {
    dir: tempfile::TempDir,
    daemon: Arbiterd,
    address: SocketAddr,
}

/// The id of the board on a table, and the name of its port.
pub(crate) fn board(table: u16) -> String {
    format!("b{table:02}")
}

impl Hall {
    pub(crate) fn open() -> Hall {
        let dir = tempfile::tempdir().expect("a directory");
        let kind = "kind = \"native\"\n";
        let boards = (1..=BOARDS).map(|n| section(&board(n), &dir.path().join(board(n)), kind));
        let text = configuration(&dir.path().join("store"), boards);
        let config = dir.path().join("arbiter.toml");
        std::fs::write(&config, text).expect("a configuration");
        let (daemon, address) = serve(&config);
        Hall {
            dir,
            daemon,
            address,
        }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Writes a file beside the store; says where it is.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, bytes).expect("a file");
        path
    }

    /// The program as somebody calls it in this hall.
    fn command(&self, words: &[&str], more: &[&str]) -> Output {
        let dir = self.path("store");
        let mut command = Command::new(Arbiterd::program());
        command.args(words).args(more).arg("--dir").arg(dir);
        let output = command.stdin(Stdio::null()).output();
        output.expect("the program runs")
    }

    /// Does something; what it says.
    pub(crate) fn does(&self, words: &[&str]) -> Value {
        let output = self.command(words, &["--json"]);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success(),
            "{words:?}: {told}\n{}",
            self.daemon.log()
        );
        serde_json::from_slice(&output.stdout).expect("JSON")
    }

    /// Tries something that is refused, with these words.
    pub(crate) fn refuses(&self, words: &[&str], with: &str) {
        let output = self.command(words, &[]);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{words:?} was done");
        assert!(told.contains(with), "{words:?}: {told}");
    }

    /// The round as a file.
    pub(crate) fn export(&self, round: u16, format: &str) -> Vec<u8> {
        let round = round.to_string();
        let words = ["results", "export", "--round", &round, "--format", format];
        let output = self.command(&words, &[]);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{told}");
        output.stdout
    }

    pub(crate) fn round(&self, round: u16) -> Value {
        self.json(&format!("/api/rounds/{round}"))
    }

    pub(crate) fn board(&self, id: &str) -> Value {
        self.json(&format!("/api/boards/{id}"))
    }

    fn json(&self, path: &str) -> Value {
        let reply = get(self.address, path);
        let reply = reply.unwrap_or_else(|e| panic!("{path}: {e}\n{}", self.daemon.log()));
        assert_eq!(reply.status, 200, "{path}: {}", reply.body);
        serde_json::from_str(&reply.body).expect("JSON")
    }

    /// What the arbiter orders on a board.
    pub(crate) fn order(&self, id: &str, order: &Value) {
        let path = format!("/api/boards/{id}/orders");
        let reply = post(self.address, &path, &order.to_string()).expect("an answer");
        assert_eq!(reply.status, 200, "{}", reply.body);
    }

    /// Waits until nothing is left of what `why` complains about.
    #[track_caller]
    pub(crate) fn until(&self, mut why: impl FnMut(&Hall) -> Option<String>) {
        let seen = look_until(PATIENCE, || why(self).map_or(Ok(()), Err));
        if let Err(left) = seen {
            panic!("after {PATIENCE:?}: {left}\n{}", self.daemon.log());
        }
    }

    /// Kills the daemon in the midst of whatever it does, and starts it again.
    pub(crate) fn kill(&mut self) {
        self.daemon.kill();
        (self.daemon, self.address) = serve(&self.path("arbiter.toml"));
    }

    /// The same while nothing happens: all that was done is there again.
    pub(crate) fn kill_at_rest(&mut self, round: u16) {
        // What is wrong with a line now is said of the line as it is, not kept.
        let seen = |hall: &Hall| {
            let (mut drawn, mut tables) = (hall.round(round), tables(hall));
            drawn["faults"].take();
            let all = tables.as_array_mut().into_iter().flatten();
            all.for_each(|table| drop(table["fault"].take()));
            [hall.json("/api/event"), drawn, tables]
        };
        let before = seen(self);
        self.kill();
        assert_eq!(seen(self), before);
    }

    /// Ends in order; the store is as it was written.
    pub(crate) fn close(mut self) {
        let status = self.daemon.stop(Duration::from_secs(15));
        let log = self.daemon.log();
        assert!(status.is_some_and(|s| s.success()), "{status:?}\n{log}");
        let verified = self.command(&["verify"], &[]);
        let told = String::from_utf8_lossy(&verified.stderr);
        assert!(verified.status.success(), "{told}");
    }
}

/// Which board stands where, whatever it says just now.
fn tables(hall: &Hall) -> Value {
    let mut tables = hall.json("/api/tables");
    for table in tables.as_array_mut().into_iter().flatten() {
        table["connected"] = Value::Null;
    }
    tables
}

fn serve(config: &Path) -> (Arbiterd, SocketAddr) {
    let daemon = Arbiterd::serve(config);
    let address = daemon.address(Instant::now() + PATIENCE);
    let address = address.unwrap_or_else(|| panic!("no console:\n{}", daemon.log()));
    (daemon, address)
}
