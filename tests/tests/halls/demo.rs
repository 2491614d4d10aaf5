//! The demonstration of several halls.

use std::fs::{self, File};
use std::process::Command;
use std::time::Duration;

use tests::rig::{Arbiterd, look_until};

use super::hub::{TABLES, rows_of};

#[test]
fn a_demonstration_cuts_a_hall_off_which_catches_up_and_ends_in_order() {
    let dir = tempfile::tempdir().expect("a directory");
    let said = dir.path().join("said");
    let mut command = Command::new(Arbiterd::program());
    command
        .args(["demo", "--halls", "3", "--boards", "1", "--speed", "30"])
        .args(["--http", "127.0.0.1:0", "--dir"])
        .arg(dir.path())
        .stdout(File::create(&said).expect("a file"));
    let mut demo = Arbiterd::start(command);
    let told = look_until(Duration::from_secs(60), || {
        let told = fs::read_to_string(&said).expect("text");
        match told.contains("has caught up") {
            true => Ok(told),
            false => Err(told),
        }
    });
    let told = told.unwrap_or_else(|told| panic!("{told}\n{}", demo.log()));
    assert!(told.contains("a NATS server at"), "{told}");
    for (is_told, then) in [
        ("hub ", "main: is on the line"),
        ("juniors: is on the line", "main: its line is cut"),
        ("main: its line is whole again", "main: has caught up"),
    ] {
        let places = (told.find(is_told), told.find(then));
        assert!(places.0.is_some() && places.0 < places.1, "{told}");
    }
    let status = demo.stop(Duration::from_secs(20));
    assert!(status.is_some_and(|s| s.success()), "{}", demo.log());
    for hall in ["main", "juniors", "seniors"] {
        let mirror = rows_of(&dir.path().join("hub/halls").join(hall));
        let store = rows_of(&dir.path().join(hall));
        // Whatever was written last may be on its way when all end.
        let (log, events) = (&mirror[0], &mirror[2]);
        assert!(log.len() > 20, "{hall}: {} rows", log.len());
        for (n, rows) in [(0, log), (2, events)] {
            assert_eq!(rows[..], store[n][..rows.len()], "{hall}: {}", TABLES[n].0);
        }
    }
}
