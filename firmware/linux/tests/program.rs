//! The program as a process, on a machine without the hardware: it says so, serves, waits, and ends
//! in order.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use board_wire::{Accumulator, FromBoard, Step, ToBoard, TroubleCode, encode};
use nix::pty::{Winsize, openpty};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// No wait takes longer.
const PATIENCE: Duration = Duration::from_secs(20);

/// A configuration whose devices are in `dir`, where none are.
fn config(dir: &Path) -> std::path::PathBuf {
    let file = dir.join("board.toml");
    let text = format!(
        "serial-number = \"EA-7\"\n[serve]\npty = \"{0}/port\"\n[scan]\nrate = 100\n\
         [expanders]\ndevice = \"{0}/i2c-1\"\n\
         [state]\ndir = \"{0}/state\"\n",
        dir.display()
    );
    fs::write(&file, text).unwrap();
    file
}

fn command(config: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sensor-board"));
    command
        .arg("--config")
        .arg(config)
        .stdin(Stdio::null())
        .env_remove("NOTIFY_SOCKET");
    command
}

fn run(config: &Path, argument: &str) -> (Option<i32>, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = command(config).arg(argument).output().unwrap();
    (
        status.code(),
        String::from_utf8([stdout, stderr].concat()).unwrap(),
    )
}

/// Waits for a condition.
fn wait(what: &str, mut met: impl FnMut() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !met() {
        assert!(Instant::now() < end, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Asks who is there, and listens until the board has said hello and what is wrong with it: its run
/// and its trouble.
fn ask(port: &Path) -> (u16, TroubleCode) {
    let mut line = File::options().read(true).write(true).open(port).unwrap();
    line.write_all(&[0]).unwrap();
    line.write_all(encode(&ToBoard::RequestHello { nonce: Some(1) }).as_bytes())
        .unwrap();
    let (mut boot, mut trouble, mut heard) = (None, None, Accumulator::<FromBoard>::default());
    let mut bytes = [0; 256];
    while boot.is_none() || trouble.is_none() {
        let count = line.read(&mut bytes).unwrap();
        let mut rest = &bytes[..count];
        loop {
            match heard.feed(rest) {
                Step::Partial => break,
                Step::Damaged(_, left) => rest = left,
                Step::Message(message, left) => {
                    rest = left;
                    match message {
                        FromBoard::Hello(hello) if hello.serial.as_str() == "EA-7" => {
                            boot = Some(hello.boot)
                        }
                        FromBoard::Condition(told) => trouble = Some(told.health.trouble.code),
                        _ => {}
                    }
                }
            }
        }
    }
    (boot.unwrap(), trouble.unwrap())
}

fn end(mut program: Child, signal: Signal) -> String {
    kill(Pid::from_raw(program.id().cast_signed()), signal).unwrap();
    wait("the program ends", || program.try_wait().unwrap().is_some());
    let mut log = String::new();
    program
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut log)
        .unwrap();
    assert_eq!(program.wait().unwrap().code(), Some(0), "{log}");
    log
}

#[test]
fn without_its_hardware_it_serves_says_so_and_ends_in_order() {
    let dir = tempfile::tempdir().unwrap();
    let (config, port) = (config(dir.path()), dir.path().join("port"));
    let mut boots = Vec::new();
    for signal in [Signal::SIGTERM, Signal::SIGINT] {
        let program = command(&config).stderr(Stdio::piped()).spawn().unwrap();
        wait("there is a port", || port.exists());
        let (boot, trouble) = ask(&port);
        boots.push(boot);
        assert_eq!(trouble, TroubleCode::MISSING);
        let log = end(program, signal);
        assert!(
            log.contains("i2c-1: No such file or directory") && log.contains("dtparam=i2c_arm=on"),
            "{log}"
        );
        assert!(log.contains("ended as asked"), "{log}");
        assert!(fs::symlink_metadata(&port).is_err(), "the port is gone");
    }
    assert_eq!(
        boots[1],
        boots[0].wrapping_add(1),
        "each run has its number"
    );
}

#[test]
fn a_check_names_what_does_not_work() {
    let dir = tempfile::tempdir().unwrap();
    let (status, told) = run(&config(dir.path()), "--check");
    assert_eq!(status, Some(1), "{told}");
    let lines: Vec<&str> = told.lines().collect();
    assert!(
        lines[0].starts_with("FAIL  sensors   [expanders] ")
            && lines[0].contains("dtparam=i2c_arm=on"),
        "{told}"
    );
    assert!(
        lines[1].starts_with("ok    serve ") && lines[2].starts_with("ok    state "),
        "{told}"
    );
}

#[test]
fn wrong_configurations_and_arguments_are_told_in_one_line() {
    let dir = tempfile::tempdir().unwrap();
    let file = config(dir.path());
    let (status, told) = run(&file, "--calibrate");
    assert!(
        status == Some(1)
            && told.starts_with("sensor-board: [expanders] ")
            && told.lines().count() == 1,
        "{told}"
    );
    fs::write(&file, "serial-number = \"\"\n").unwrap();
    let (status, told) = run(&file, "--check");
    assert!(
        status == Some(2) && told.contains("board.toml:1: `` is no serial number"),
        "{told}"
    );
    let (status, told) = run(&dir.path().join("none.toml"), "--check");
    assert!(
        status == Some(2) && told.ends_with("none.toml: No such file or directory (os error 2)\n"),
        "{told}"
    );
}

#[test]
fn systemd_is_told_that_it_serves_lives_and_ends() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("notify");
    let socket = UnixDatagram::bind(&path).unwrap();
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut program = command(&config(dir.path()));
    let program = program
        .env("NOTIFY_SOCKET", &path)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let hear = |wanted: &str| {
        let mut bytes = [0; 4096];
        loop {
            let count = socket
                .recv(&mut bytes)
                .unwrap_or_else(|e| panic!("{wanted}: {e}"));
            let told = String::from_utf8_lossy(&bytes[..count]).into_owned();
            if told.contains(wanted) {
                return told;
            }
        }
    };
    hear("READY=1");
    hear("WATCHDOG=1");
    assert!(hear("STATUS=").contains("FAULT: [expanders]"));
    end(program, Signal::SIGTERM);
    hear("STOPPING=1");
}

#[test]
fn by_hand_it_shows_how_it_does_on_one_line() {
    let dir = tempfile::tempdir().unwrap();
    let size = Winsize {
        ws_row: 24,
        ws_col: 100,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    let terminal = openpty(&size, None).unwrap();
    let mut command = command(&config(dir.path()));
    let mut program = command
        .env("TERM", "xterm")
        .stderr(Stdio::from(terminal.slave))
        .spawn()
        .unwrap();
    drop(command);
    let (mut screen, mut shown) = (File::from(terminal.master), String::new());
    let mut bytes = [0; 1024];
    while !shown.contains("FAULT: [expanders]") {
        let count = screen.read(&mut bytes).unwrap();
        shown.push_str(&String::from_utf8_lossy(&bytes[..count]));
    }
    assert!(
        shown.contains("scans/s, 0 late, ") && shown.contains("no host"),
        "{shown}"
    );
    kill(Pid::from_raw(program.id().cast_signed()), Signal::SIGINT).unwrap();
    wait("the program ends", || program.try_wait().unwrap().is_some());
    assert_eq!(program.wait().unwrap().code(), Some(0));
}
