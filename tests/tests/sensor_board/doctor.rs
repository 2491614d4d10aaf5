//! `arbiterd doctor` on the board computer's own program: what it finds is what is wrong with the
//! chips.

use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;
use tests::rig::Arbiterd;

use crate::PATIENCE;
use crate::bench::Bench;
use crate::chips::{Copper, Fault};

/// An examination that runs.
fn begin(bench: &Bench, arguments: &[&str]) -> Child {
    let mut command = Command::new(Arbiterd::program());
    command
        .arg("doctor")
        .arg(bench.port())
        .args(["--board", "native", "--json"])
        .args(arguments);
    command
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("arbiterd")
}

/// What was wrong, and the summary.
fn end(child: Child) -> (Vec<String>, Value) {
    let output = child.wait_with_output().expect("arbiterd");
    let text = String::from_utf8(output.stdout).expect("text");
    let summary: Value =
        serde_json::from_str(text.lines().last().expect("a summary")).expect("an object");
    let findings = summary["findings"].as_array().expect("findings").iter();
    let wrong = findings
        .filter(|finding| finding["weight"] == "wrong")
        .map(|finding| finding["text"].to_string());
    let mut wrong: Vec<String> = wrong.collect();
    assert_eq!(
        output.status.code(),
        Some(i32::from(!wrong.is_empty())),
        "{summary}"
    );
    // A machine that is busy with other tests is not what is examined.
    wrong.retain(|text| !text.contains("scans came late"));
    (wrong, summary)
}

pub(super) fn examine(bench: &Bench, arguments: &[&str]) -> (Vec<String>, Value) {
    end(begin(bench, arguments))
}

#[test]
fn a_walk_over_the_shift_registers_with_lever_and_lamps() {
    let bench = Bench::on_shift_registers();
    let mut doctor = begin(&bench, &["--walk", "--controls", "--lamps", "--for", "60"]);
    let (mut lit, start) = (0, Instant::now());
    while doctor.try_wait().expect("a child").is_none() {
        assert!(start.elapsed() < 2 * PATIENCE, "it does not end");
        for square in 0..64 {
            bench.copper.set(square, true);
            std::thread::sleep(Duration::from_millis(15));
            bench.copper.set(square, false);
            std::thread::sleep(Duration::from_millis(10));
            lit |= bench.copper.lit();
        }
        bench.copper.press(true);
        std::thread::sleep(Duration::from_millis(50));
        bench.copper.press(false);
        std::thread::sleep(Duration::from_millis(50));
    }
    let (wrong, summary) = end(doctor);
    assert!(wrong.is_empty(), "{wrong:?}");
    assert_eq!(
        (lit, &summary["not_walked"]),
        (u64::MAX, &serde_json::json!([]))
    );
    bench.switch_off();
}

#[test]
fn a_silent_chip_is_named_and_so_is_one_that_was_silent() {
    let bench = Bench::on_expanders();
    bench.copper.set_up(0xffff_0000_0000_ffff);
    bench.copper.fault(Fault::Silent(0x22));
    let (wrong, summary) = examine(&bench, &["--for", "4"]);
    let told = wrong.join("; ");
    assert!(
        told.contains("rank 5 and rank 6 cannot be read") && told.contains("0x22 does not answer"),
        "{told}"
    );
    assert_eq!(summary["stuck"].as_array().map(Vec::len), Some(16));
    let doctor = begin(&bench, &["--for", "5"]);
    std::thread::sleep(Duration::from_millis(2_500));
    bench.copper.fault(Fault::None);
    let told = end(doctor).0.join("; ");
    assert!(
        told.contains("rank 5 and rank 6 could not be read for some time"),
        "{told}"
    );
    assert_eq!(examine(&bench, &["--for", "4"]).0, Vec::<String>::new());
    bench.switch_off();
}

/// Opens and closes a square as fast as a reed with a broken spring.
fn rattle(copper: &Copper, square: u32, stop: &AtomicBool) {
    while !stop.load(Ordering::Relaxed) {
        for occupied in [true, false] {
            copper.set(square, occupied);
            std::thread::sleep(Duration::from_millis(9));
        }
    }
}

#[test]
fn a_reed_that_rattles_is_named() {
    let (bench, stop) = (Bench::on_shift_registers(), AtomicBool::new(false));
    let (wrong, summary) = std::thread::scope(|scope| {
        scope.spawn(|| rattle(&bench.copper, 28, &stop));
        let found = examine(&bench, &["--for", "4"]);
        stop.store(true, Ordering::Relaxed);
        found
    });
    assert!(
        wrong
            .iter()
            .any(|text| text.contains("e4 flicker") || text.contains("e4 changed up to")),
        "{wrong:?}"
    );
    assert_eq!(
        (wrong.len(), &summary["presses"]["white"]),
        (1, &0.into()),
        "{wrong:?}"
    );
    bench.switch_off();
}

#[test]
fn hall_sensors_are_calibrated_and_weak_magnets_named() {
    let bench = Bench::on_hall_sensors();
    let told = examine(&bench, &["--for", "4"]).0.join("; ");
    assert!(
        told.contains("the zero levels of the sensors are not known"),
        "{told}"
    );
    let (wrong, summary) = examine(&bench, &["--calibrate", "--for", "60"]);
    assert!(wrong.is_empty(), "{wrong:?}");
    let levels = summary["levels"].as_array().expect("levels");
    assert_eq!(levels.len(), 64);
    for (square, level) in levels.iter().enumerate() {
        let is = 2030 + square as u64 % 7 * 6;
        assert!(
            level["zero"]
                .as_u64()
                .is_some_and(|zero| (is..is + 3).contains(&zero)),
            "{level}"
        );
    }
    bench.copper.set_up(0xffff);
    bench.copper.set_weak(20);
    let (wrong, summary) = examine(&bench, &["--for", "4"]);
    assert!(wrong.is_empty(), "{wrong:?}");
    let weak = "the pieces on e3 are read weakly: set them straight or give them stronger magnets";
    let findings = summary["findings"].as_array().expect("findings");
    assert!(
        findings.contains(&serde_json::json!({"weight": "notice", "text": weak})),
        "{findings:?}"
    );
    // With pieces on the board nothing is calibrated.
    let (wrong, _) = examine(&bench, &["--calibrate", "--for", "4"]);
    assert!(
        wrong[0].contains("not calibrated: rank 1, rank 2 and e3 read occupied"),
        "{wrong:?}"
    );
    bench.switch_off();
}
