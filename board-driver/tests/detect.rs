//! Which board is on a port: every kind is found on its pseudo-terminal, nothing else is taken for
//! a board, and a link to whatever answers follows when another board is plugged in.

#![cfg(feature = "simulators")]

use std::path::PathBuf;
use std::time::{Duration, Instant};

use arbiter_core::SensorClass;
use board_driver::detect::probe;
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
        let (found, info) = found.unwrap_or_else(|fault| panic!("{kind}: {fault}"));
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
