//! What is mounted for the torture is seen by nobody else, and goes when its last process has gone.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use nix::unistd::Uid;

/// Says that it is so already.
const TOLD: &str = "TORTURE_OWN_MOUNTS";

/// Whether this process has mounts of its own.
pub(crate) fn are_own() -> bool {
    std::env::var_os(TOLD).is_some()
}

/// Runs the test `name` of this program again where mounts are its own; whether that is done, as
/// root or as who pretends to be. Where it cannot be, the caller has still to run it.
pub(crate) fn run(name: &str) -> bool {
    if are_own() {
        return false;
    }
    let flags = if Uid::effective().is_root() {
        "-m"
    } else {
        "-Urm"
    };
    let can = Command::new("unshare").args([flags, "true"]).output();
    if !can.is_ok_and(|can| can.status.success()) {
        return false;
    }
    let program = std::env::current_exe().expect("this program");
    let mut child = Command::new("unshare")
        .arg(flags)
        .arg(program)
        .args([name, "--exact", "--nocapture"])
        .env(TOLD, "1")
        .stdout(Stdio::piped())
        .spawn()
        .expect("unshare");
    let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    // It is one test, and is counted once.
    let is_ours = |line: &String| !line.starts_with("test ") && !line.starts_with("running ");
    lines
        .map_while(Result::ok)
        .filter(is_ours)
        .for_each(|line| println!("{line}"));
    assert!(child.wait().expect("it ends").success(), "{name} failed");
    true
}
