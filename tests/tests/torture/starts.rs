//! What stops a daemon while it starts.

use std::time::{Duration, Instant};

use serde_json::Value;
use tests::evening::House;
use tests::rig::{Arbiterd, configuration, section, until};

use crate::hall::Hall;
use crate::own_mounts;
use crate::witness::{self, Witness};
use tests::rig::WallClock;

/// A daemon that starts is killed within this time.
pub(crate) const START: Duration = Duration::from_millis(80);
/// Daemons that are killed at the very first start.
const BEGINNINGS: u32 = 160;
/// Nothing takes longer.
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn a_daemon_that_is_killed_while_it_creates_its_store_starts_again() {
    for life in (0..BEGINNINGS).map(|n| START * n / BEGINNINGS) {
        let dir = tempfile::tempdir().expect("a directory");
        let (file, store) = (dir.path().join("arbiter.toml"), dir.path().join("store"));
        let board = section("b1", &dir.path().join("no-board"), "");
        let text = configuration(&store, [board]);
        std::fs::write(&file, &text).expect("a configuration");
        let mut daemon = Arbiterd::serve(&file);
        std::thread::sleep(life);
        daemon.kill();
        House::open(&file, &text).close();
    }
}

#[test]
fn a_full_disk_is_told_and_harms_nothing() {
    if own_mounts::run("a_full_disk_is_told_and_harms_nothing") {
        return;
    }
    let dir = tempfile::tempdir().expect("a directory");
    let path = |name: &str| dir.path().join(name);
    let (store, clock) = (path("store"), WallClock::right(path("clock")));
    let hall = Hall::new(path("arbiter.toml"), &store, clock);
    let mut witness = Witness::sit(&path(witness::ID), &store, 1);
    let text = configuration(&store, [witness.section()]);
    std::fs::write(&hall.config, text).expect("a configuration");
    let played = |boards: &[Value], witness: &Witness| witness.differs(&boards[0]);

    let house = House::of(hall.start());
    house.until(PATIENCE, |boards| played(boards, &witness));
    witness.play();
    house.until(PATIENCE, |boards| played(boards, &witness));
    house.close();
    let files = || std::fs::read_dir(&store).expect("the store").count();
    let before = files();

    hall.disk.fill(None);
    let mut daemon = hall.start();
    assert_eq!(daemon.address(Instant::now() + PATIENCE), None);
    until("its end", PATIENCE, || !daemon.runs());
    assert!(
        daemon.log().contains("is the disk full"),
        "{}",
        daemon.log()
    );
    witness.play();
    hall.disk.free(None);
    let house = House::of(hall.start());
    house.until(PATIENCE, |boards| played(boards, &witness));
    house.close();
    assert_eq!(files(), before);
}
