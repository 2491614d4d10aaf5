//! `arbiterd doctor` on the board computer's own program: what it finds is what is wrong with the
//! chips.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use tests::rig::{Arbiterd, pause_of_a_hand};

use crate::bench::Bench;
use crate::chips::{Copper, Fault};
use crate::{PATIENCE, SETTLED};

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
fn end(mut child: Child) -> (Vec<String>, Value) {
    let told = child.stdout.take().expect("a pipe");
    conclude(child, BufReader::new(told))
}

/// The same, when something has been heard of it before.
fn conclude(mut child: Child, mut told: BufReader<ChildStdout>) -> (Vec<String>, Value) {
    let mut text = String::new();
    told.read_to_string(&mut text).expect("text");
    let status = child.wait().expect("arbiterd");
    let summary: Value =
        serde_json::from_str(text.lines().last().expect("a summary")).expect("an object");
    let findings = summary["findings"].as_array().expect("findings").iter();
    let wrong = findings
        .filter(|finding| finding["weight"] == "wrong")
        .map(|finding| finding["text"].to_string());
    let mut wrong: Vec<String> = wrong.collect();
    assert_eq!(
        status.code(),
        Some(i32::from(!wrong.is_empty())),
        "{summary}"
    );
    // A machine that is busy with other tests is not what is examined.
    wrong.retain(|text| !text.contains("scans came late"));
    (wrong, summary)
}

/// Reads on until a line has these words. The examination is over some time, and so is this.
fn hear(told: &mut impl BufRead, words: &str) {
    let lines = told.lines().map(|line| line.expect("text"));
    let before: Vec<String> = lines.take_while(|line| !line.contains(words)).collect();
    let last = before.last();
    assert!(
        last.is_none_or(|line| !line.contains("\"event\":\"summary\"")),
        "not told: {words}\n{before:#?}"
    );
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
            for occupied in [true, false] {
                bench.copper.set(square, occupied);
                bench.copper.wait_for_scans(SETTLED);
            }
            lit |= bench.copper.lit();
        }
        for by_white in [true, false] {
            bench.copper.press(by_white);
            bench.copper.wait_for_scans(SETTLED);
        }
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
    let mut doctor = begin(&bench, &["--for", "60"]);
    let mut lines = BufReader::new(doctor.stdout.take().expect("a pipe"));
    hear(&mut lines, "rank 5 and rank 6 cannot be read");
    bench.copper.fault(Fault::None);
    hear(&mut lines, "\"faults\":[]");
    kill(Pid::from_raw(doctor.id().cast_signed()), Signal::SIGINT).expect("it runs");
    let told = conclude(doctor, lines).0.join("; ");
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
            pause_of_a_hand(Duration::from_millis(9));
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
