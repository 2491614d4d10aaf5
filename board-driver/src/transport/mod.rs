//! Ports: how they are named, found and opened.

#[cfg(feature = "bluetooth")]
mod bluetooth;
#[cfg(not(feature = "bluetooth"))]
#[path = "no_bluetooth.rs"]
mod bluetooth;
pub mod hidraw;
pub mod serial;
mod tcp;
mod uart;

use std::path::{Path, PathBuf};
use std::{fmt, io};

use tokio::io::{AsyncRead, AsyncWrite};

use crate::fault::FaultReason;
pub use serial::{PortInfo, Usb};
pub use uart::{MICROCHIP, NORDIC, Uart};

/// The speed of kinds of boards that are HID devices and have none.
pub const HID: u32 = 0;

/// Opens a port at a speed in bits a second, or as an HID device where it is [`HID`]. Must be
/// called within a tokio runtime.
///
/// # Errors
/// Why it cannot be opened.
pub fn open(spec: &PortSpec, baud: u32) -> Result<Box<dyn Line>, FaultReason> {
    if baud == HID {
        hidraw::open(spec)
    } else {
        serial::open(spec, baud)
    }
}

/// The same for every kind of port, also those that take some seconds to connect. `uarts`: the
/// serial lines that a device on Bluetooth LE may have.
///
/// # Errors
/// Why it cannot be opened.
pub async fn connect(
    spec: &PortSpec,
    baud: u32,
    uarts: &[Uart],
) -> Result<Box<dyn Line>, FaultReason> {
    match spec {
        PortSpec::Bluetooth(address) => bluetooth::open(address, uarts).await,
        PortSpec::Tcp(address) => tcp::open(address).await,
        _ => open(spec, baud),
    }
}

/// What to say of a port that is no device of this machine where such a one is wanted.
fn no_device(spec: &PortSpec) -> FaultReason {
    let error = match spec {
        PortSpec::Bluetooth(_) => {
            "this program was built without Bluetooth; build it with `--features bluetooth`"
        }
        _ => "boards of this kind are not reached over a network",
    };
    let error = error.to_owned();
    FaultReason::CannotOpen {
        port: spec.to_string(),
        error,
    }
}

/// The ports of this machine to which a board may be connected: serial ports, and HID devices of
/// these vendors.
///
/// # Errors
/// A one-line text when the system does not tell.
pub fn ports(vendors: &[u16]) -> Result<Vec<PortInfo>, String> {
    let is_of_a_vendor = |usb: &Usb| vendors.contains(&usb.vid);
    let boards = hidraw::boards()
        .into_iter()
        .filter(|port| port.usb.as_ref().is_some_and(is_of_a_vendor));
    Ok(serial::ports()?.into_iter().chain(boards).collect())
}

/// Whether a port is an HID device and not a serial line.
pub fn is_hid(spec: &PortSpec) -> bool {
    match spec {
        PortSpec::Path(path) => path
            .canonicalize()
            .is_ok_and(|path| path.to_string_lossy().starts_with("/dev/hidraw")),
        PortSpec::Usb(serial) => {
            let has_it =
                |port: PortInfo| port.usb.and_then(|usb| usb.serial).as_ref() == Some(serial);
            hidraw::boards().into_iter().any(has_it)
        }
        PortSpec::Bluetooth(_) | PortSpec::Tcp(_) => false,
    }
}

/// Whether bytes of another speed are garbage on a port. Over Bluetooth, the network or a
/// pseudo-terminal they are heard as they were sent.
pub fn has_speed(spec: &PortSpec) -> bool {
    match spec {
        PortSpec::Path(path) => !path.canonicalize().is_ok_and(|path| {
            let path = path.to_string_lossy();
            path.starts_with("/dev/pts/") || path.starts_with("/dev/rfcomm")
        }),
        PortSpec::Usb(_) => true,
        PortSpec::Bluetooth(_) | PortSpec::Tcp(_) => false,
    }
}

/// An open line to a board.
pub trait Line: AsyncRead + AsyncWrite + Unpin + Send {
    /// Goes on at another speed, in bits a second. Lines without a speed do nothing.
    ///
    /// # Errors
    /// When the port has gone, or has no such speed.
    fn set_baud(&mut self, _baud: u32) -> io::Result<()> {
        Ok(())
    }
}

impl Line for Box<dyn Line> {
    fn set_baud(&mut self, baud: u32) -> io::Result<()> {
        (**self).set_baud(baud)
    }
}

/// The USB device of a port, where the system knows it.
pub fn usb_of(spec: &PortSpec) -> Option<Usb> {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let is_it = |port: &PortInfo| match spec {
        PortSpec::Path(path) => Path::new(&port.path) == real(path),
        PortSpec::Usb(serial) => {
            port.usb.as_ref().and_then(|usb| usb.serial.as_ref()) == Some(serial)
        }
        PortSpec::Bluetooth(_) | PortSpec::Tcp(_) => false,
    };
    serial::recent_ports().ok()?.into_iter().find(is_it)?.usb
}

/// How a port is named.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum PortSpec {
    /// By its path, such as `/dev/ttyUSB0`.
    Path(PathBuf),
    /// By the serial number of its USB device: the same board whichever socket it is plugged into.
    Usb(String),
    /// By the address of a Bluetooth LE device, written `bluetooth:AA:BB:CC:DD:EE:FF`.
    Bluetooth(String),
    /// By a network address, host and port, written `tcp://192.168.1.20:2323`.
    Tcp(String),
}

impl From<PathBuf> for PortSpec {
    fn from(path: PathBuf) -> PortSpec {
        let after = |prefix| {
            path.to_str()
                .and_then(|text| text.strip_prefix(prefix))
                .map(str::to_owned)
        };
        match (after("bluetooth:"), after("tcp://")) {
            (Some(address), _) => PortSpec::Bluetooth(address),
            (_, Some(address)) => PortSpec::Tcp(address),
            (None, None) => PortSpec::Path(path),
        }
    }
}

impl fmt::Display for PortSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PortSpec::Path(path) => path.display().fmt(f),
            PortSpec::Usb(serial) => write!(f, "USB serial number {serial}"),
            PortSpec::Bluetooth(address) => write!(f, "bluetooth:{address}"),
            PortSpec::Tcp(address) => write!(f, "tcp://{address}"),
        }
    }
}
