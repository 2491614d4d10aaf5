//! HID devices: a pseudo-terminal is a kernel's file that is read and written without waiting, as
//! these devices are.

#![cfg(feature = "simulators")]

use board_driver::PortSpec;
use board_driver::sim::Pty;
use board_driver::transport::hidraw::open;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

#[tokio::test]
async fn each_message_is_one_write() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("hidraw0");
    let mut board = Pty::open(&path).unwrap();
    let mut line = open(&PortSpec::Path(path)).unwrap();
    let orders = [0x21, 1, 0, 0x0a, 8, 1, 2, 3, 4, 5, 6, 7, 8];
    assert_eq!(line.write(&orders).await.unwrap(), 3);
    assert_eq!(line.write(&orders[3..]).await.unwrap(), 10);
    let (from_host, to_host) = board.split();
    let mut bytes = [0; 13];
    from_host.read_exact(&mut bytes).await.unwrap();
    assert_eq!(bytes, orders);
    to_host.write_all(&[7; 65]).await.unwrap();
    let mut report = [0; 65];
    line.read_exact(&mut report).await.unwrap();
    assert_eq!(report, [7; 65]);
    drop(board);
    let unplugged = line.read(&mut report).await;
    assert!(matches!(unplugged, Ok(0) | Err(_)), "unplugged");
}
