//! Another firmware for a board: it goes into its boot loader when it is asked twice, takes what is
//! copied onto its drive, and is a board again.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use board_driver::SimConfig;
use board_driver::sim::{Control, Fittings};
use serde_json::Value;

use crate::PATIENCE;
use crate::bench::Bench;

const OLD: &str = "pico-matrix 0.1.0+0000aaaa";
const NEW: &str = "pico-matrix 0.1.0+47f3ef5c";

/// A UF2 file of one page behind the second stage, whose texts say that it is this firmware.
fn image(firmware: &str) -> Vec<u8> {
    const START: u32 = 0x1000_0000;
    let (name, version) = firmware.split_once(' ').expect("name and version");
    let mut flash = vec![0u8; 0x300];
    let mut put = |at: usize, bytes: &[u8]| flash[at..at + bytes.len()].copy_from_slice(bytes);
    let words = |words: &[u32]| {
        words
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect::<Vec<_>>()
    };
    let text = u32::from_le_bytes([6, 0, b'R', b'P']);
    let header = [0x7188_ebf2, START + 0x140, START + 0x148, 0, 0xe71a_a390];
    put(0x100, &words(&header));
    put(0x140, &words(&[START + 0x150, START + 0x160]));
    put(0x150, &words(&[text, 0x0203_1c86, START + 0x200]));
    put(0x160, &words(&[text, 0x11a9_bc3a, START + 0x240]));
    put(0x200, name.as_bytes());
    put(0x240, version.as_bytes());
    let pages = flash.chunks(256).zip(0..);
    pages
        .flat_map(|(page, n)| {
            let head = [
                0x0a32_4655,
                0x9e5d_5157,
                0x2000,
                START + 256 * n,
                256,
                n,
                3,
                0xe48b_ff56,
            ];
            let mut block = words(&head);
            block.extend(page);
            block.resize(508, 0);
            block.extend(words(&[0x0ab1_6f30]));
            block
        })
        .collect()
}

/// A board and a directory that is its drive while its boot loader runs.
struct Desk {
    bench: Bench,
    dir: tempfile::TempDir,
}

impl Desk {
    fn new(change: impl FnOnce(&mut SimConfig)) -> Desk {
        let dir = tempfile::tempdir().expect("a directory");
        fs::create_dir(dir.path().join("drive")).expect("a drive");
        Desk {
            bench: Bench::new(change, vec![]),
            dir,
        }
    }

    fn with_loader() -> Desk {
        Desk::new(|config| {
            config.bench = Some(Fittings {
                firmware: OLD,
                ..Fittings::default()
            })
        })
    }

    fn drive(&self) -> PathBuf {
        self.dir.path().join("drive")
    }

    fn file(&self, bytes: &[u8]) -> PathBuf {
        let file = self.dir.path().join("image.uf2");
        fs::write(&file, bytes).expect("written");
        file
    }

    fn update(&self, file: &Path, more: &[&str]) -> Command {
        let mut command = self.bench.doctor(&[]);
        command
            .arg("--update")
            .arg(file)
            .arg("--drive")
            .arg(self.drive())
            .args(more);
        command
    }

    /// The boot loader, from now on: it shows its drive as soon as the board has left its port, and
    /// starts what was copied, which calls itself so.
    fn boot_loader(&self, expected: Vec<u8>, firmware: &'static str) -> JoinHandle<()> {
        let (drive, port) = (self.drive(), self.bench.port.clone());
        let controls = self.bench.controls.clone();
        std::thread::spawn(move || {
            wait_until(|| !port.exists());
            let info = "UF2 Bootloader v3.0\r\nModel: Raspberry Pi RP2\r\nBoard-ID: RPI-RP2\r\n";
            fs::write(drive.join("INFO_UF2.TXT"), info).expect("a drive");
            let copied = drive.join("firmware.uf2");
            wait_until(|| fs::read(&copied).is_ok_and(|there| there == expected));
            controls
                .blocking_send(Control::Flash(firmware))
                .expect("the board is there");
        })
    }
}

fn wait_until(mut is_so: impl FnMut() -> bool) {
    let until = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < until, "it never came to it");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn told(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_board_is_given_another_firmware_and_runs_it() {
    let desk = Desk::with_loader();
    let bytes = image(NEW);
    let loader = desk.boot_loader(bytes.clone(), NEW);
    let output = desk
        .update(&desk.file(&bytes), &[])
        .output()
        .expect("it runs");
    let (lines, error) = told(&output);
    assert!(output.status.success(), "{lines}{error}");
    loader.join().expect("a boot loader");
    for words in [
        format!("image.uf2: {NEW}, 3 blocks, 10000000 to 100002ff"),
        format!("board     native T-1: firmware {OLD}"),
        "loader    the board has left its port".to_owned(),
        format!("drive     {}", desk.drive().display()),
        "copied    1536 of 1536 bytes, 100 %".to_owned(),
        format!("board     native T-1: firmware {NEW}"),
        format!("updated   {NEW}, in place of {OLD}"),
    ] {
        assert!(lines.contains(&words), "{words}: {lines}");
    }
    // And it is a board again.
    let (summary, _) = desk.bench.examine(&["--for", "2", "--board", "native"]);
    assert_eq!(summary["firmware"], NEW);
}

#[test]
fn a_board_that_runs_another_firmware_than_was_copied_is_told_to_machines_too() {
    let desk = Desk::with_loader();
    let bytes = image(NEW);
    let loader = desk.boot_loader(bytes.clone(), OLD);
    let output = desk
        .update(&desk.file(&bytes), &["--json"])
        .output()
        .expect("it runs");
    loader.join().expect("a boot loader");
    let (lines, error) = told(&output);
    assert_eq!(output.status.code(), Some(1), "{lines}");
    assert!(
        error.contains(&format!("the board runs `{OLD}`, and `{NEW}` was copied")),
        "{error}"
    );
    let events: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("an object a line"))
        .collect();
    let names: Vec<&str> = events
        .iter()
        .filter_map(|event| event["event"].as_str())
        .collect();
    assert_eq!(
        names,
        ["image", "board", "loader", "drive", "copied", "board"]
    );
    assert_eq!(events[4]["bytes"], 1536);
}

#[test]
fn what_is_no_image_for_this_board_leaves_it_as_it_is() {
    let desk = Desk::with_loader();
    let mut foreign = image(NEW);
    foreign[512 + 28] ^= 1;
    for (bytes, words) in [
        (
            b"hello".to_vec(),
            "no image for a Raspberry Pi Pico: it is no UF2 file",
        ),
        (
            foreign,
            "block 1 is for an RP2350's data, and not for an RP2040",
        ),
        (
            image("pico-hall 0.1.0"),
            "for squares wired as `hall`, and the board runs a firmware for `matrix`",
        ),
    ] {
        let output = desk
            .update(&desk.file(&bytes), &[])
            .output()
            .expect("it runs");
        let (_, error) = told(&output);
        assert_eq!(
            (output.status.code(), error.lines().count()),
            (Some(2), 1),
            "{error}"
        );
        assert!(error.contains(words), "{words}: {error}");
    }
    let (summary, _) = desk.bench.examine(&["--for", "1", "--board", "native"]);
    assert_eq!(summary["firmware"], OLD);
}

#[test]
fn a_board_without_such_a_loader_and_a_drive_that_never_comes_are_told() {
    let plain = Desk::new(|_| {});
    let file = plain.file(&image(NEW));
    let output = plain.update(&file, &[]).output().expect("it runs");
    let (_, error) = told(&output);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        error.contains("cannot start its boot loader by itself") && error.contains("BOOTSEL"),
        "{error}"
    );

    let desk = Desk::with_loader();
    let file = desk.file(&image(NEW));
    let output = desk
        .update(&file, &["--for", "1"])
        .output()
        .expect("it runs");
    let (lines, error) = told(&output);
    assert_eq!(output.status.code(), Some(1));
    assert!(lines.contains("the board has left its port"), "{lines}");
    assert!(
        error.contains("no drive RPI-RP2 was seen in") && error.contains("within 1 s"),
        "{error}"
    );
}
