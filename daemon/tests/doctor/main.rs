//! `arbiterd doctor` as people call it, on simulated boards behind pseudo-terminals: what it finds,
//! its exit status, and what stands on the terminal.

#![cfg(feature = "simulators")]

mod bench;
#[path = "../support/child.rs"]
mod child;
mod findings;
mod line;
mod lines;
mod mending;
mod picture;
mod script;
mod terminal;
mod trials;
mod update;

use std::process::Command;
use std::time::Duration;

/// No wait takes longer.
const PATIENCE: Duration = Duration::from_secs(60);

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
