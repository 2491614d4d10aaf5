//! The chip by itself: what it needs of memory and time, and what it keeps over a reset.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use arbiter_core::SensorClass;
use arbiter_core::shakmaty::{Bitboard, Board};
use board_wire::{Accumulator, Evidence, FromBoard, Side, Step as Fed, ToBoard, What, encode};
use firmware::array::Sample;
use tests::cortex::{Array, Machine, Script, Step};

use crate::{PACE, PATIENCE};

/// A host at the end of a board's line.
struct Host {
    line: File,
    heard: Receiver<FromBoard>,
}

impl Host {
    fn open(machine: &Machine) -> Host {
        let line = OpenOptions::new()
            .read(true)
            .write(true)
            .open(&machine.port)
            .expect("a pseudo-terminal");
        let (mut from_board, (send, heard)) = (line.try_clone().expect("a line"), channel());
        std::thread::spawn(move || {
            let (mut line, mut bytes) = (Accumulator::default(), [0; 256]);
            while let Ok(count @ 1..) = from_board.read(&mut bytes) {
                let mut left = &bytes[..count];
                loop {
                    match line.feed(left) {
                        Fed::Partial => break,
                        Fed::Damaged(_, rest) => left = rest,
                        Fed::Message(message, rest) => {
                            left = rest;
                            let _nobody_listens = send.send(message);
                        }
                    }
                }
            }
        });
        Host { line, heard }
    }

    fn say(&mut self, message: ToBoard) {
        self.line
            .write_all(encode(&message).as_bytes())
            .expect("a line");
    }

    /// Waits for a message of which `pick` makes something; `None` when none comes.
    fn hear<T>(&self, patience: Duration, pick: impl Fn(&FromBoard) -> Option<T>) -> Option<T> {
        let end = Instant::now() + patience;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let message = self.heard.recv_timeout(left).ok()?;
            if let Some(found) = pick(&message) {
                return Some(found);
            }
        }
    }

    fn until<T>(&self, pick: impl Fn(&FromBoard) -> Option<T>) -> T {
        self.hear(PATIENCE, pick)
            .expect("the board says it in time")
    }

    /// Waits for a message, and asks meanwhile who the board is: one that was started anew says
    /// nothing before.
    fn asking<T>(&mut self, pick: impl Fn(&FromBoard) -> Option<T>) -> T {
        let asked = Duration::from_millis(40);
        let mut heard = || {
            self.say(ToBoard::RequestHello { nonce: Some(1) });
            self.hear(asked, &pick)
        };
        let times = PATIENCE.as_millis() / asked.as_millis();
        (0..times)
            .find_map(|_| heard())
            .expect("the board says it in time")
    }

    /// Asks for a snapshot, and waits until it comes: the first one may have come before the board
    /// said who it is.
    fn see(&mut self) {
        self.say(ToBoard::RequestSnapshot);
        self.until(snapshot);
    }

    /// Asks who the board is, again and again as a host must, until it says that its number is none
    /// of `known`.
    fn boot(&mut self, known: &BTreeSet<u16>) -> u16 {
        let fresh = |message: &FromBoard| match message {
            FromBoard::Hello(hello) if !known.contains(&hello.boot) => Some(hello.boot),
            _ => None,
        };
        let mut ask = || {
            self.say(ToBoard::RequestHello { nonce: Some(1) });
            self.hear(Duration::from_millis(150), fresh)
        };
        let times = PATIENCE.as_millis() / 150;
        (0..times)
            .find_map(|_| ask())
            .expect("the board says who it is")
    }
}

fn snapshot(message: &FromBoard) -> Option<u32> {
    match message {
        FromBoard::Evidence(Evidence {
            seq,
            what: What::Snapshot(_),
            ..
        }) => Some(*seq),
        _ => None,
    }
}

/// An array of the starting position on which nothing happens but what `also` adds.
fn standing(also: impl FnOnce(Script) -> Script) -> Script {
    also(Script::new(SensorClass::Occupancy, &Board::new(), &[]))
}

#[test]
fn every_run_has_another_number() {
    let mut numbers = BTreeSet::new();
    for _ in 0..3 {
        let machine = Arc::new(Machine::start("qemu", &[]));
        let _array = Array::plug(&machine, standing(|script| script), PACE);
        let mut host = Host::open(&machine);
        let mut last = host.boot(&BTreeSet::new());
        // After a loss of power the number is a matter of chance.
        numbers.insert(last);
        for _ in 0..3 {
            machine.reset();
            let next = host.boot(&BTreeSet::from([last]));
            assert_eq!(next, last.wrapping_add(1));
            last = next;
        }
    }
    assert!(numbers.len() > 1, "{numbers:?}");
}

#[test]
fn a_press_while_the_board_restarts_is_told_once() {
    let machine = Arc::new(Machine::start("qemu", &[]));
    let mut host = Host::open(&machine);
    // White presses: told. Then Black's end goes down, and the board is reset before its filter has
    // let that through.
    let script = standing(|script| {
        script
            .with(
                1_000,
                Step::Controls {
                    down: 0b01,
                    up: 0b10,
                },
            )
            .with(
                3_000,
                Step::Controls {
                    down: 0b10,
                    up: 0b01,
                },
            )
            .with(3_001, Step::Reset)
            .with(6_000, Step::Reset)
            .with(
                9_000,
                Step::Controls {
                    down: 0b01,
                    up: 0b10,
                },
            )
    });
    let array = Array::plug(&machine, script, PACE);
    host.boot(&BTreeSet::new());
    host.see();
    array.begin();
    let press = |message: &FromBoard| match message {
        FromBoard::Evidence(Evidence {
            boot,
            what: What::Press { by, .. },
            ..
        }) => Some((*boot, *by)),
        _ => None,
    };
    let told = [(); 3].map(|()| host.asking(press));
    assert_eq!(
        told.map(|(_, by)| by),
        [Side::White, Side::Black, Side::White]
    );
    let boots = told.map(|(boot, _)| boot);
    assert_eq!(
        [boots[1], boots[2]],
        [boots[0].wrapping_add(1), boots[0].wrapping_add(2)]
    );
}

/// Everything that needs the stack: changes of all squares in one scan, evidence that is thrown
/// away, a host that asks for all of it again, damage on both lines, trouble.
#[test]
fn memory_is_enough_for_the_worst() {
    let machine = Arc::new(Machine::start("qemu", &[]));
    let mut host = Host::open(&machine);
    let everything = (0..200).fold(standing(|script| script), |script, n| {
        script.with(10 + 40 * n, Step::Flip(Bitboard::FULL))
    });
    let array = Array::plug(&machine, everything.with(8_100, Step::Unplug(true)), PACE);
    let boot = host.boot(&BTreeSet::new());
    host.see();
    array.begin();
    for from in 0..100 {
        host.say(ToBoard::RequestSnapshot);
        host.say(ToBoard::Resend { from });
        host.line.write_all(&[7; 150]).expect("a line");
        host.say(ToBoard::SetLamps(u64::MAX));
        host.say(ToBoard::Ack { boot, next: from });
    }
    host.until(|message| matches!(message, FromBoard::Gone { .. }).then_some(()));
    host.until(|message| match message {
        FromBoard::Condition(condition) if condition.health.failed_scans > 0 => Some(()),
        _ => None,
    });
    let untouched = machine.untouched_ram();
    println!("{} bytes of 4096 were never touched", untouched);
    assert!(untouched > 0, "the stack has met what lies below it");
}

/// Instructions from the last byte of the sample with which all 64 squares have changed to the
/// first byte of the frame that says so.
///
/// Counted, as time in an emulator is the host's: QEMU writes down every instruction and every
/// access to the lines.
#[test]
fn a_change_is_told_at_once() {
    let log = tempfile::NamedTempFile::new().expect("a file");
    let name = log.path().display().to_string();
    let trace = [
        "-d",
        "exec,nochain",
        "-trace",
        "pl011_read",
        "-trace",
        "pl011_write",
        "-D",
        &name,
    ];
    // An instruction a line: QEMU 8.1 has another name for it.
    let single: &[&str] = if Machine::version() < (8, 1) {
        &["-singlestep"]
    } else {
        &["-accel", "tcg,one-insn-per-tb=on"]
    };
    let machine = Machine::start("qemu", &[single, &trace].concat());
    let mut host = Host::open(&machine);
    let mut array = machine.array();
    let mut sample = Sample {
        ms: 0,
        pace: 1_000,
        occupied: 0x00ff_ff00_00ff_ff00,
        dark: 0,
        controls: 0,
    };
    let mut send = |flip: u64, count: u32| {
        sample.occupied ^= flip;
        for _ in 0..count {
            sample.ms += 1;
            array.write_all(encode(&sample).as_bytes()).expect("a line");
        }
    };
    // The first snapshot, when a host has asked; then a change of every square, a scan a
    // millisecond.
    send(0, 12);
    host.asking(snapshot);
    send(u64::MAX, 4);
    let change = |message: &FromBoard| match message {
        FromBoard::Evidence(Evidence {
            what: What::Change(_),
            ..
        }) => Some(()),
        _ => None,
    };
    host.until(change);
    let counts = latencies(&std::fs::read_to_string(log.path()).unwrap_or_default());
    println!("instructions from sample to frame: {counts:?}");
    // Two milliseconds at 48 MHz, the slowest that is built for, with two cycles an instruction.
    let change = counts.last().expect("a frame is told");
    assert!(*change < 48_000, "{counts:?}");
}

/// For each burst of bytes to the host, how many instructions ran since the last byte of a sample.
fn latencies(log: &str) -> Vec<usize> {
    let (mut since, mut counts) = (None, Vec::new());
    for line in log.lines() {
        if line.starts_with("Trace") {
            since = since.map(|count| count + 1);
        } else if line.contains("pl011_read")
            && number(line, "addr") == Some(0)
            && number(line, "value") == Some(0)
        {
            since = Some(0);
        } else if line.contains("pl011_write") && number(line, "addr") == Some(0) {
            counts.extend(since.take());
        }
    }
    counts
}

/// The number behind a word, in hexadecimal.
fn number(line: &str, word: &str) -> Option<u32> {
    let mut words = line.split_whitespace().skip_while(|found| *found != word);
    u32::from_str_radix(words.nth(1)?.strip_prefix("0x")?, 16).ok()
}
