//! Which board is on a port: every kind is found on its pseudo-terminal, nothing else is taken for
//! a board, and a link to whatever answers follows when another board is plugged in.

#![cfg(feature = "simulators")]

use std::path::PathBuf;
use std::time::{Duration, Instant};

use arbiter_core::SensorClass;
use board_driver::detect::{connect, probe};
use board_driver::sim::{Control, Pty};
use board_driver::transport::HID;
use board_driver::{
    BoardKind, FaultReason, Link, LinkConfig, LinkEvent, PortSpec, SimConfig, SimulatedBoard,
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio::time::timeout;

/// No test may take longer.
const PATIENCE: Duration = Duration::from_secs(60);

/// A board that waits for a host; the sender pulls its plug.
fn board(kind: BoardKind, port: &PathBuf) -> mpsc::Sender<Control> {
    let class = kind.profile().sensor.unwrap_or(SensorClass::Colour);
    let config = SimConfig {
        kind,
        linger: PATIENCE,
        ..SimConfig::new(port, "SIM-1", class)
    };
    let board = SimulatedBoard::create(config).expect("a pseudo-terminal");
    let (controls, inbox) = mpsc::channel(4);
    tokio::spawn(board.play(Vec::new(), inbox));
    controls
}

/// Kinds on a serial port.
fn kinds() -> impl Iterator<Item = BoardKind> {
    BoardKind::ALL
        .iter()
        .copied()
        .filter(|kind| kind.profile().baud != HID)
}

#[tokio::test]
async fn every_kind_is_found_in_seconds() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut asked = Vec::new();
    let start = Instant::now();
    for kind in kinds() {
        let port = dir.path().join(kind.name());
        let controls = board(kind, &port);
        let answer = tokio::spawn(async move { probe(&PortSpec::Path(port)).await });
        asked.push((kind, controls, answer));
    }
    for (kind, _controls, answer) in asked {
        let found = timeout(PATIENCE, answer)
            .await
            .expect("in time")
            .expect("no panic");
        let probed = found.unwrap_or_else(|fault| panic!("{kind}: {fault}"));
        let (found, info) = (probed.kind, probed.info);
        let class = kind.profile().sensor.unwrap_or(SensorClass::Colour);
        // One board alone on a DGT bus leaves it when it is spoken to as a board alone.
        let found = if (found, kind) == (BoardKind::Dgt, BoardKind::DgtBus) {
            kind
        } else {
            found
        };
        assert_eq!(
            (found, info.sensor),
            (kind, class),
            "after {:?}",
            start.elapsed()
        );
    }
}

/// It hears the questions of other kinds first, and takes their letters for the beginnings of its
/// own orders; so does what another program left unsaid.
#[tokio::test]
async fn a_probe_leaves_a_chesslink_that_answers() {
    let dir = tempfile::tempdir().expect("a directory");
    let port = dir.path().join("chesslink");
    let _controls = board(BoardKind::ChessLink, &port);
    let spec = PortSpec::Path(port);
    let open = || connect(&spec, BoardKind::ChessLink.profile().baud);
    let mut line = open().await.expect("a port");
    line.write_all(b"L").await.expect("a line");
    drop(line);
    let found = timeout(PATIENCE, probe(&spec)).await.expect("in time");
    assert_eq!(found.expect("a board").kind, BoardKind::ChessLink);
    let mut line = open().await.expect("a port");
    // `V`, its block check, and parity.
    line.write_all(&[0xd6, 0xb5, 0xb6]).await.expect("a line");
    let (mut heard, mut bytes) = (Vec::<u8>::new(), [0; 256]);
    // The version is 1.4.
    let version =
        b"v010473".map(|byte| byte | (u8::from(byte.count_ones().is_multiple_of(2)) << 7));
    while !heard.windows(version.len()).any(|part| part == version) {
        let read = timeout(Duration::from_secs(1), line.read(&mut bytes)).await;
        let count = read.expect("an answer").expect("a line");
        heard.extend(&bytes[..count]);
        assert!(heard.len() < 10_000, "no answer among its states");
    }
}

/// What passes for a Millennium board elsewhere keeps every byte until a block check comes out
/// right, answers without parity, and tells no settings. It is found, and so it is the next time.
#[tokio::test]
async fn a_chesslink_that_forgets_nothing_is_found_twice() {
    let dir = tempfile::tempdir().expect("a directory");
    let port = dir.path().join("chesslink");
    let mut line = Pty::open(&port).expect("a pseudo-terminal");
    tokio::spawn(async move {
        let (from_host, to_host) = line.split();
        let (mut bytes, mut kept) = ([0; 256], Vec::<u8>::new());
        loop {
            let count = from_host.read(&mut bytes).await.expect("a line");
            for byte in &bytes[..count] {
                kept.push(byte & 0x7f);
                let Some(letter) = order(&kept) else { continue };
                kept.clear();
                let answer = match letter {
                    b'V' => "v1234".to_owned(),
                    b'S' => format!("s{}", ".".repeat(64)),
                    b'X' => "x".to_owned(),
                    _ => continue,
                };
                let sum = answer.bytes().fold(0, |sum, byte| sum ^ byte);
                let answer = format!("{answer}{sum:02X}");
                to_host.write_all(answer.as_bytes()).await.expect("a line");
            }
        }
    });
    let spec = PortSpec::Path(port);
    for _ in 0..2 {
        let found = timeout(PATIENCE, probe(&spec)).await.expect("in time");
        assert_eq!(found.expect("a board").kind, BoardKind::ChessLink);
    }
}

/// The letter with which begins what has been kept, if it ends with its block check.
fn order(kept: &[u8]) -> Option<u8> {
    let (text, check) = kept.split_last_chunk::<2>()?;
    let sum = text.iter().fold(0, |sum, byte| sum ^ byte);
    let is_whole = format!("{sum:02X}").as_bytes() == check;
    text.first().copied().filter(|_| is_whole)
}

#[tokio::test]
async fn nothing_else_is_a_board() {
    let dir = tempfile::tempdir().expect("a directory");
    // A GPS receiver, a modem's echo, and a device that says nothing at all.
    let says: [(&str, &[u8], FaultReason); 3] = [
        (
            "gps",
            b"$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47\r\n",
            FaultReason::Garbage,
        ),
        ("echo", b"", FaultReason::Garbage),
        ("silent", b"", FaultReason::NoAnswer),
    ];
    let mut asked = Vec::new();
    for (name, text, expected) in says {
        let port = dir.path().join(name);
        let mut line = Pty::open(&port).expect("a pseudo-terminal");
        let device = tokio::spawn(async move {
            let (from_host, to_host) = line.split();
            let mut bytes = [0; 256];
            loop {
                let heard = timeout(Duration::from_millis(200), from_host.read(&mut bytes)).await;
                let count = heard.map_or(0, |read| read.expect("a line"));
                let answer = if name == "echo" {
                    &bytes[..count]
                } else {
                    text
                };
                to_host.write_all(answer).await.expect("a line");
            }
        });
        asked.push((
            name,
            expected,
            device,
            tokio::spawn(async move { probe(&PortSpec::Path(port)).await }),
        ));
    }
    for (name, expected, device, answer) in asked {
        let found = timeout(PATIENCE, answer)
            .await
            .expect("in time")
            .expect("no panic");
        assert_eq!(found.err(), Some(expected), "{name}");
        device.abort();
    }
}

#[tokio::test]
async fn a_link_follows_when_another_board_is_plugged_in() {
    let dir = tempfile::tempdir().expect("a directory");
    let port = dir.path().join("board");
    let config = LinkConfig {
        kind: None,
        ..LinkConfig::native(PortSpec::Path(port.clone()))
    };
    let (to, mut events) = mpsc::channel(16);
    let (_commands, from) = mpsc::channel(4);
    tokio::spawn(Link::run(config, to, from, std::future::pending()));
    for kind in [BoardKind::SquareOff, BoardKind::Native, BoardKind::Text] {
        let controls = board(kind, &port);
        loop {
            let event = timeout(PATIENCE, events.recv())
                .await
                .expect("in time")
                .expect("the link runs");
            if let LinkEvent::Up { kind: found, .. } = event {
                assert_eq!(found, kind);
                break;
            }
        }
        controls.send(Control::Unplug).await.expect("a board");
    }
}
