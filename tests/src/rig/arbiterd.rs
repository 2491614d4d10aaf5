//! `arbiterd serve` as a process.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// Lines of its log that are kept for the report of a failure.
const LOG: usize = 200;

/// A running daemon. It is killed when this is dropped.
#[derive(Debug)]
pub struct Arbiterd {
    child: Child,
    addresses: Receiver<SocketAddr>,
    log: Arc<Mutex<Vec<String>>>,
}

impl Arbiterd {
    /// The program: the environment variable `ARBITERD`, else `arbiterd` beside the running test.
    ///
    /// # Panics
    /// When there is none.
    pub fn program() -> PathBuf {
        let program = std::env::var_os("ARBITERD").map_or_else(beside, PathBuf::from);
        let profile = if cfg!(debug_assertions) {
            ""
        } else {
            " --release"
        };
        assert!(
            program.is_file(),
            "no {}: run `cargo build{profile} -p daemon`, or set ARBITERD",
            program.display()
        );
        program
    }

    /// Starts it on a configuration.
    ///
    /// # Panics
    /// When it cannot be started.
    pub fn serve(config: &Path) -> Arbiterd {
        let mut command = Command::new(Arbiterd::program());
        command.arg("serve").arg("--config").arg(config);
        Arbiterd::start(command)
    }

    /// Starts it as `command` says, which becomes the program and does not start it beside itself.
    ///
    /// # Panics
    /// When it cannot be started.
    pub fn start(mut command: Command) -> Arbiterd {
        command.stdin(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("arbiterd starts");
        let (told, addresses) = channel();
        let log = Arc::new(Mutex::new(Vec::new()));
        let (stderr, lines) = (child.stderr.take().expect("a pipe"), log.clone());
        thread::spawn(move || listen(stderr, &told, &lines));
        Arbiterd {
            child,
            addresses,
            log,
        }
    }

    /// Where its console is, as soon as it says so; `None` when it does not until `until`.
    pub fn address(&self, until: Instant) -> Option<SocketAddr> {
        self.addresses
            .recv_timeout(until.saturating_duration_since(Instant::now()))
            .ok()
    }

    /// The number of its process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Whether it still runs.
    pub fn runs(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// The most memory that it has had, in kilobytes; 0 when it has ended.
    pub fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let number = line.and_then(|line| line.split_whitespace().next());
        number.and_then(|number| number.parse().ok()).unwrap_or(0)
    }

    /// The end of its log.
    pub fn log(&self) -> String {
        self.log
            .lock()
            .map(|lines| lines.join("\n"))
            .unwrap_or_default()
    }

    /// `kill -9`.
    pub fn kill(&mut self) {
        let _already_gone = self.child.kill();
        let _reaped = self.child.wait();
    }

    /// Asks it to end, and waits until it has; kills it after `patience`.
    pub fn stop(&mut self, patience: Duration) -> Option<ExitStatus> {
        let _already_gone = kill(Pid::from_raw(self.pid().cast_signed()), Signal::SIGTERM);
        let end = Instant::now() + patience;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.addresses.recv_timeout(left) {
                Ok(_) => {}
                // Its log has ended, and so has it.
                Err(RecvTimeoutError::Disconnected) => return self.child.wait().ok(),
                Err(RecvTimeoutError::Timeout) => break,
            }
        }
        self.kill();
        None
    }
}

impl Drop for Arbiterd {
    fn drop(&mut self) {
        self.kill();
    }
}

/// `arbiterd` beside the running test.
fn beside() -> PathBuf {
    let test = std::env::current_exe().unwrap_or_default();
    let built = test.parent().and_then(Path::parent).unwrap_or(&test);
    built.join("arbiterd")
}

/// Keeps the end of the log, and passes on the address in it.
fn listen(stderr: ChildStderr, told: &Sender<SocketAddr>, log: &Mutex<Vec<String>>) {
    for line in BufReader::new(stderr).lines().map_while(Result::ok) {
        let place = line.split_once("console at http");
        if let Some((_, place)) = place.and_then(|(_, rest)| rest.split_once("://")) {
            let address = place.trim_end_matches('/').parse();
            let _nobody_waits = address.map(|address| told.send(address));
        }
        let Ok(mut log) = log.lock() else { return };
        if log.len() >= LOG {
            log.remove(0);
        }
        log.push(line);
    }
}
