//! The log goes to standard error. Whoever reads it may go away (`arbiterd serve 2>&1 | head`, a
//! `tee` that ends with the same Ctrl-C): the daemon follows its boards all the same, and ends when
//! it is told to.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// Until it must have ended.
const PATIENCE: Duration = Duration::from_secs(10);

#[test]
fn who_stops_reading_the_log_stops_nothing() {
    let dir = tempfile::tempdir().expect("a directory");
    let config = dir.path().join("arbiter.toml");
    let text = "[http]\nlisten = \"127.0.0.1:0\"\n[store]\ndir = \"store\"\n\
                [[board]]\nid = \"b01\"\nport = \"none\"\n";
    std::fs::write(&config, text).expect("a configuration");
    let mut daemon = Command::new(env!("CARGO_BIN_EXE_arbiterd"))
        .args(["serve", "--config"])
        .arg(&config)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let log = BufReader::new(daemon.stderr.take().expect("a pipe"));
    let console = |line: &std::io::Result<String>| {
        line.as_ref()
            .is_ok_and(|line| line.contains("console at http"))
    };
    assert!(
        log.lines().any(|line| console(&line)),
        "it says where its console is"
    );
    // The reader of the log is gone; what is said at the end reaches nobody.
    let pid = Pid::from_raw(daemon.id().cast_signed());
    kill(pid, Signal::SIGTERM).expect("it runs");
    assert_eq!(ended(&mut daemon), Some(0));
}

/// How it ended; it is killed where it does not.
fn ended(daemon: &mut Child) -> Option<i32> {
    let end = Instant::now() + PATIENCE;
    while Instant::now() < end {
        if let Some(status) = daemon.try_wait().expect("its state") {
            return status.code();
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    daemon.kill().expect("it runs");
    daemon.wait().expect("its state").code()
}
