//! Bytes that lie in a line since before the host opened it are not play, whatever they say.
//!
//! The boards are on real pseudo-terminals; what they say before anybody listens is what a board of
//! that version says then.

#![cfg(feature = "simulators")]

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use arbiter_core::shakmaty::Square;
use arbiter_core::{Reading, Symbol};
use board_driver::{Link, LinkConfig, LinkEvent, Mark, PortSpec, Report};
use board_wire::device::{Device, Identity};
use board_wire::{
    Accumulator, Capabilities, FromBoard, Ring, Sensor, Serial, Side, Step, ToBoard, encode,
};
use nix::pty::openpty;
use nix::sys::termios::{SetArg, cfmakeraw, tcgetattr, tcsetattr};
use nix::unistd::ttyname;
use tokio::sync::mpsc;
use tokio::time::timeout;

/// No test may take longer.
const PATIENCE: Duration = Duration::from_secs(20);

/// A board of either version and its end of the line.
struct Board {
    device: Device<Ring<4096>>,
    version: u8,
    line: File,
    /// Kept open, as the kernel keeps a port whose board is plugged in.
    _port: OwnedFd,
    since: Instant,
    /// Milliseconds that its clock is ahead of that.
    ahead: u32,
}

impl Board {
    /// A board that nobody listens to, on an empty line.
    fn plugged_in(version: u8, boot: u16) -> (Board, PathBuf) {
        let pty = openpty(None, None).expect("a pseudo-terminal");
        let mut settings = tcgetattr(&pty.slave).expect("settings");
        cfmakeraw(&mut settings);
        tcsetattr(&pty.slave, SetArg::TCSANOW, &settings).expect("a raw line");
        let path = ttyname(&pty.slave).expect("a name");
        let identity = Identity {
            boot,
            serial: Serial::new(b"T-4").expect("printable"),
            sensor: Sensor::Occupancy,
            capabilities: Capabilities::CLOCK,
            pace: 1_000,
            firmware: "",
        };
        let mut board = Board {
            device: Device::new(identity, 0, [board_wire::Symbol::EMPTY; 64]),
            version,
            line: File::from(pty.master),
            _port: pty.slave,
            since: Instant::now(),
            ahead: 0,
        };
        if version == 1 {
            // It greets whoever may be there, and tells from then on.
            board.hear(encode(&ToBoard::RequestHello { nonce: None }).as_bytes());
        }
        (board, path)
    }

    fn ms(&self) -> u32 {
        self.ahead + self.since.elapsed().as_millis() as u32
    }

    /// Boards of version 1 know one form of the question.
    fn hear(&mut self, bytes: &[u8]) {
        let ms = self.ms();
        let (mut line, mut rest) = (Accumulator::<ToBoard>::default(), bytes);
        while let Step::Message(order, left) = line.feed(rest) {
            rest = left;
            let unknown = matches!(order, ToBoard::RequestHello { nonce: Some(_) });
            if self.version > 1 || !unknown {
                self.device.receive(ms, encode(&order).as_bytes(), |_| {});
            }
        }
    }

    /// Writes what the board has to say, as its version says it.
    fn speak(&mut self) {
        while let Some(frame) = self.device.next_frame(self.ms()) {
            let said = Accumulator::<FromBoard>::default();
            let frame = match { said }.feed(frame.as_bytes()) {
                Step::Message(FromBoard::Hello(hello), _) if self.version == 1 => {
                    let nonce = None;
                    encode(&FromBoard::Hello(board_wire::Hello { nonce, ..hello }))
                }
                _ => frame,
            };
            self.line.write_all(frame.as_bytes()).expect("room");
        }
    }

    /// A game that nobody is to hear of, three presses, and an hour.
    fn skittles(&mut self) {
        for n in 0..3 {
            let (ms, square) = (self.ms(), board_wire::Square::new(n).expect("a square"));
            self.device
                .change(ms, &[(square, board_wire::Symbol::SOMETHING)]);
            self.device.press(ms, Side::White, Some(u32::from(n)), None);
            self.speak();
        }
        self.ahead += 3_600_000;
    }

    /// Answers its host from now on; tells a press as number 99 when it has been asked how it
    /// stands, and then lives on.
    fn serve(mut self) {
        std::thread::spawn(move || {
            let (mut bytes, mut told) = ([0; 512], false);
            while let Ok(count) = self.line.read(&mut bytes) {
                self.hear(&bytes[..count]);
                self.speak();
                let request = encode(&ToBoard::RequestSnapshot);
                let request = request.as_bytes();
                if !told
                    && bytes[..count]
                        .windows(request.len())
                        .any(|part| part == request)
                {
                    told = true;
                    self.device.press(self.ms(), Side::White, Some(99), None);
                    self.device.heartbeat();
                    self.speak();
                }
            }
        });
    }
}

/// What a host that opens the port is told, up to the press that is made after it came.
async fn heard(port: PathBuf, known: Option<(Mark, Reading)>) -> Vec<Report> {
    let config = LinkConfig {
        resume: known.map(|(mark, _)| mark),
        stood: known.map(|(_, stood)| stood),
        ..LinkConfig::native(PortSpec::Path(port))
    };
    let ((to, mut events), (_commands, from)) = (mpsc::channel(16), mpsc::channel(4));
    let link = tokio::spawn(Link::run(config, to, from, std::future::pending()));
    let mut reports = Vec::new();
    loop {
        let event = timeout(PATIENCE, events.recv()).await.expect("in time");
        if let LinkEvent::Board { event, .. } = event.expect("the link runs") {
            reports.push(event.report);
            if reports.last().and_then(pressed) == Some(99) {
                link.abort();
                return reports;
            }
        }
    }
}

fn pressed(report: &Report) -> Option<u64> {
    match report {
        Report::Press { white_ms, .. } => *white_ms,
        _ => None,
    }
}

fn presses(reports: &[Report]) -> Vec<u64> {
    reports.iter().filter_map(pressed).collect()
}

/// Three squares full, as the skittles leave them.
fn after_skittles() -> Reading {
    let mut reading = Reading::EMPTY;
    for square in [Square::A1, Square::B1, Square::C1] {
        reading.set(square, Symbol::Something);
    }
    reading
}

#[tokio::test]
async fn a_game_played_before_the_port_was_opened_is_not_play() {
    for version in [1, 2] {
        let (mut board, port) = Board::plugged_in(version, 5);
        board.skittles();
        board.serve();
        let reports = heard(port, None).await;
        assert_eq!(reports[0], Report::Snapshot(after_skittles()), "{version}");
        assert_eq!(presses(&reports), [99], "version {version}: {reports:?}");
    }
}

/// Another host was there and has gone: its answers lie in the line, two of them.
#[tokio::test]
async fn answers_to_an_earlier_host_are_not_believed() {
    for version in [1, 2] {
        let (mut board, port) = Board::plugged_in(version, 5);
        for _ in 0..2 {
            for nonce in [None, Some(1)] {
                board.hear(encode(&ToBoard::RequestHello { nonce }).as_bytes());
            }
            board.speak();
        }
        board.skittles();
        board.serve();
        let reports = heard(port, None).await;
        assert_eq!(presses(&reports), [99], "version {version}: {reports:?}");
    }
}

#[tokio::test]
async fn a_board_started_anew_is_heard_from_where_the_game_stood() {
    let mark = Mark { boot: 4, next: 30 };
    let mut unlike = after_skittles();
    unlike.set(Square::H8, Symbol::Something);
    let cases = [(after_skittles(), &[2, 99][..]), (unlike, &[99])];
    for ((stood, expected), version) in cases.into_iter().flat_map(|case| [(case, 1), (case, 2)]) {
        let (mut board, port) = Board::plugged_in(version, 5);
        board.skittles();
        board.serve();
        let reports = heard(port, Some((mark, stood))).await;
        assert_eq!(
            presses(&reports),
            expected,
            "version {version}: {reports:?}"
        );
    }
}
