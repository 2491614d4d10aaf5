//! Ports: how they are named, found and opened.

pub mod serial;

use std::fmt;
use std::path::PathBuf;

use tokio::io::{AsyncRead, AsyncWrite};

pub use serial::{PortInfo, Usb, open, ports};

/// An open line to a board.
pub trait Line: AsyncRead + AsyncWrite + Unpin + Send {}

impl<T: AsyncRead + AsyncWrite + Unpin + Send> Line for T {}

/// How a port is named.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum PortSpec {
    /// By its path, such as `/dev/ttyUSB0`.
    Path(PathBuf),
    /// By the serial number of its USB device: the same board whichever socket it is plugged into.
    Usb(String),
}

impl fmt::Display for PortSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PortSpec::Path(path) => path.display().fmt(f),
            PortSpec::Usb(serial) => write!(f, "USB serial number {serial}"),
        }
    }
}
