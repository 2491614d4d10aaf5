//! Programs that run, and how they end.

use std::process::Child;
use std::sync::mpsc::channel;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// No program may take longer.
const PATIENCE: Duration = Duration::from_secs(60);

fn pid(child: &Child) -> Pid {
    Pid::from_raw(child.id().cast_signed())
}

/// Sends it a signal.
pub(crate) fn signal(child: &Child, signal: Signal) {
    kill(pid(child), signal).expect("it runs");
}

/// Waits for the end of a program, and ends it by force if it does not come.
#[track_caller]
pub(crate) fn ended(mut child: Child) -> i32 {
    let pid = pid(&child);
    let (told, end) = channel();
    std::thread::spawn(move || told.send(child.wait()));
    let Ok(status) = end.recv_timeout(PATIENCE) else {
        let _gone_just_now = kill(pid, Signal::SIGKILL);
        panic!("still running after {PATIENCE:?}");
    };
    status.expect("a child").code().unwrap_or(-1)
}
