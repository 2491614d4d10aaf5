//! Ports: who is there, who is not, and what is told of it.

use super::*;

#[tokio::test]
async fn a_port_in_use_says_so() {
    let mut bench = Bench::new(|_| {}, script(1_000));
    assert!(matches!(bench.host.next().await, LinkEvent::Up { .. }));
    let mut second = Host::new(bench.port.clone(), None);
    let LinkEvent::Down(fault) = second.next().await else {
        panic!("two hosts on one port")
    };
    assert_eq!(
        fault,
        FaultReason::Busy {
            port: bench.port.display().to_string()
        }
    );
    second.stop().await;
    bench.host.stop().await;
    bench.board.abort();
}

#[tokio::test]
async fn a_board_says_who_it_is() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("board");
    let board = SimulatedBoard::create(SimConfig::new(&path, "SIM-7", SensorClass::Piece))
        .expect("a pseudo-terminal");
    let port = PortSpec::Path(path);
    let silent = probe(&port).await;
    assert_eq!(
        silent,
        Err(FaultReason::NoAnswer),
        "the board is not running yet"
    );
    let (_controls, control) = mpsc::channel(1);
    let board = tokio::spawn(board.play(script(1), control));
    let probed = probe(&port).await.expect("a board");
    assert_eq!(
        (
            probed.kind,
            probed.info.serial.as_str(),
            probed.info.sensor,
            probed.firmware.as_deref()
        ),
        (BoardKind::Native, "SIM-7", SensorClass::Piece, None)
    );
    assert!(
        !board.is_finished(),
        "being asked is no beginning of a game"
    );
    board.abort();
}

/// A board that has a name for its firmware, as firmware has it.
#[tokio::test]
async fn a_probe_tells_what_the_firmware_is_called() {
    use board_wire::device::{Device, Identity};
    use board_wire::{Capabilities, Ring, Sensor, Serial, Symbol};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let (mut line, port) = tokio_serial::SerialStream::pair().expect("a pseudo-terminal");
    let path = tokio_serial::SerialPort::name(&port).expect("a name");
    let identity = Identity {
        boot: 1,
        serial: Serial::new(b"F-1").expect("printable"),
        sensor: Sensor::Occupancy,
        capabilities: Capabilities::default(),
        pace: 1_000,
        firmware: "bench 1.2.3+abc",
    };
    let mut board = Device::<Ring<1024>>::new(identity, 0, [Symbol::EMPTY; 64]);
    let board = tokio::spawn(async move {
        let mut bytes = [0; 256];
        while let Ok(count) = line.read(&mut bytes).await {
            board.receive(0, &bytes[..count], |_| {});
            while let Some(frame) = board.next_frame(0) {
                line.write_all(frame.as_bytes()).await.expect("a line");
            }
        }
    });
    let probed = probe(&PortSpec::Path(path.into())).await.expect("a board");
    assert_eq!(probed.info.serial, "F-1");
    assert_eq!(probed.firmware.as_deref(), Some("bench 1.2.3+abc"));
    board.abort();
}

/// A port whose other end says `bytes` again and again, and why the link gives it up.
async fn fault_of(bytes: Vec<u8>) -> FaultReason {
    use tokio::io::AsyncWriteExt;
    let (mut device, port) = tokio_serial::SerialStream::pair().expect("a pseudo-terminal");
    let path = tokio_serial::SerialPort::name(&port).expect("a name");
    let speaker = tokio::spawn(async move {
        let mut pace = tokio::time::interval(Duration::from_millis(50));
        loop {
            pace.tick().await;
            device.write_all(&bytes).await.expect("the port is open");
        }
    });
    let mut host = Host::new(path.into(), None);
    let fault = loop {
        match host.next().await {
            LinkEvent::Down(fault) => break fault,
            LinkEvent::Trouble(_) | LinkEvent::Learning(_) => {}
            other => panic!("no board is there: {other:?}"),
        }
    };
    host.stop().await;
    speaker.abort();
    fault
}

#[tokio::test]
async fn what_is_no_board_is_told_apart() {
    let foreign = b"\x80 hello, this is a printer\x00 and not a board ".to_vec();
    let mut newer = vec![0x01, 0x03];
    newer.extend_from_slice(
        &crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC)
            .checksum(&newer)
            .to_le_bytes(),
    );
    let mut stuffed = cobs::encode_vec(&newer);
    stuffed.push(0);
    let (garbage, silence, version) =
        tokio::join!(fault_of(foreign), fault_of(Vec::new()), fault_of(stuffed));
    assert_eq!(garbage, FaultReason::Garbage);
    assert_eq!(silence, FaultReason::NoAnswer);
    assert_eq!(version, FaultReason::WrongVersion { theirs: 3, ours: 2 });
}

#[tokio::test]
async fn a_usb_number_that_is_not_there() {
    let config = LinkConfig::native(PortSpec::Usb("no such board".to_owned()));
    let (to, mut events) = mpsc::channel(16);
    let (_commands, from) = mpsc::channel(1);
    let link = tokio::spawn(Link::run(config, to, from, std::future::pending()));
    let told = timeout(PATIENCE, events.recv()).await.expect("in time");
    let fault = FaultReason::NoSuchUsb {
        serial: "no such board".to_owned(),
    };
    assert_eq!(told, Some(LinkEvent::Down(fault)));
    drop(events);
    timeout(PATIENCE, link)
        .await
        .expect("a link that nobody hears ends")
        .expect("no panic");
}
