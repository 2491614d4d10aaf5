//! Boards behind a network socket: a board computer that serves the native protocol, or a serial
//! port server.

use std::io::ErrorKind;
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::time::timeout;

use super::Line;
use crate::fault::FaultReason;

/// How long a connection may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// Connects to `HOST:PORT`.
///
/// # Errors
/// Why it cannot be connected.
pub(super) async fn open(address: &str) -> Result<Box<dyn Line>, FaultReason> {
    let fault = |error: String| FaultReason::NotReached {
        address: address.to_owned(),
        error,
    };
    match timeout(PATIENCE, TcpStream::connect(address)).await {
        // Frames are small, and each is urgent. A socket that cannot be told so is slower and still
        // right.
        Ok(Ok(stream)) => {
            let _slower = stream.set_nodelay(true);
            Ok(Box::new(stream))
        }
        Ok(Err(e)) if e.kind() == ErrorKind::InvalidInput => Err(fault(
            "write it as tcp://HOST:PORT, such as tcp://192.168.1.20:2323".to_owned(),
        )),
        Ok(Err(e)) => Err(fault(e.to_string())),
        Err(_) => Err(fault("no answer".to_owned())),
    }
}

impl Line for TcpStream {}
