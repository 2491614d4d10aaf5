//! Programs of others: who pairs, and who reads.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// What each reader says: of every player, by starting number, the result of every round.
pub(crate) type Read = BTreeMap<String, BTreeMap<u16, Vec<String>>>;

/// The report file of the first round.
pub(crate) fn first(players: u16, rounds: u16) -> Vec<u8> {
    python("pair.py", &[&players.to_string(), &rounds.to_string()])
}

/// The report file of the round after those that a file has results of.
pub(crate) fn next(so_far: &Path) -> Vec<u8> {
    python("pair.py", &[&so_far.display().to_string()])
}

/// The same with the opponents of two players exchanged.
pub(crate) fn exchange(file: &Path, one: u64, other: u64) -> Vec<u8> {
    let file = file.display().to_string();
    let [one, other] = [one, other].map(|number| number.to_string());
    python("pair.py", &["--exchange", &file, &one, &other])
}

/// What the readers see in a file.
pub(crate) fn read(file: &Path) -> Read {
    let said = python("read.py", &[&file.display().to_string()]);
    serde_json::from_slice(&said).expect("JSON")
}

/// A Python that has what these programs need.
fn python(program: &str, arguments: &[&str]) -> Vec<u8> {
    let python = std::env::var("ARBITER_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/open/");
    let mut command = Command::new(&python);
    command.arg(format!("{path}{program}")).args(arguments);
    let output = command.output().expect("python");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{program}: {told}\n`{python}` needs trf, caissify-pairings and py4swiss: `python3 -m venv \
         V && V/bin/pip install trf==1.1.1 caissify-pairings==0.5.0 py4swiss==0.3.1`, and set \
         ARBITER_PYTHON=V/bin/python (./ci.sh does both)"
    );
    output.stdout
}
