//! HID devices by the Linux kernel's `/dev/hidraw*`: one read is one report, one write is one
//! report. Found by way of `/sys/class/hidraw`, without libudev.
//!
//! Source: the kernel's `Documentation/hid/hidraw.rst`.

use std::fs::OpenOptions;
use std::io::{self, ErrorKind};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::task::{Context, Poll};

use nix::fcntl::OFlag;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::unix::pipe::{Receiver, Sender};

use super::{Line, PortInfo, PortSpec, Usb};
use crate::fault::FaultReason;

/// Where the kernel lists HID devices.
const CLASS: &str = "/sys/class/hidraw";

/// A report descriptor that begins so describes what its vendor made of it: `Usage Page (0xff00)`.
/// Others on the same plug are keyboards and the like.
const VENDORS_OWN: [u8; 3] = [0x06, 0x00, 0xff];

/// Opens an HID device.
///
/// # Errors
/// Why it cannot be opened.
pub fn open(spec: &PortSpec) -> Result<Box<dyn Line>, FaultReason> {
    let path = match spec {
        PortSpec::Path(path) => path.clone(),
        PortSpec::Usb(serial) => path_of(serial, &devices(Path::new(CLASS)))?,
        PortSpec::Bluetooth(_) | PortSpec::Tcp(_) => return Err(super::no_device(spec)),
    };
    let port = path.display().to_string();
    let opened = OpenOptions::new()
        .read(true)
        .write(true)
        .custom_flags(flags())
        .open(&path);
    let file = opened.map_err(|error| reason(port.clone(), &error))?;
    let line = file.try_clone().and_then(|again| {
        // Unchecked spares the check for a pipe, and nothing else.
        Ok(Hidraw {
            reader: Receiver::from_file_unchecked(again)?,
            writer: Sender::from_file_unchecked(file)?,
        })
    });
    Ok(Box::new(line.map_err(|error| reason(port, &error))?))
}

/// Never waits, and is no program's terminal.
fn flags() -> i32 {
    (OFlag::O_NONBLOCK | OFlag::O_NOCTTY).bits()
}

fn reason(port: String, error: &io::Error) -> FaultReason {
    match error.kind() {
        ErrorKind::NotFound => FaultReason::NoSuchPort { port },
        ErrorKind::PermissionDenied => FaultReason::NotPermitted { port },
        ErrorKind::ResourceBusy => FaultReason::Busy { port },
        _ => FaultReason::CannotOpen {
            port,
            error: error.to_string(),
        },
    }
}

fn path_of(serial: &str, devices: &[PortInfo]) -> Result<PathBuf, FaultReason> {
    let is_it = |device: &&PortInfo| {
        device.usb.as_ref().and_then(|usb| usb.serial.as_deref()) == Some(serial)
    };
    let found = devices
        .iter()
        .find(is_it)
        .map(|device| PathBuf::from(&device.path));
    found.ok_or_else(|| FaultReason::NoSuchUsb {
        serial: serial.to_owned(),
    })
}

/// The HID devices of this machine whose reports are their vendor's own, as `/dev/hidraw*`.
pub fn boards() -> Vec<PortInfo> {
    devices(Path::new(CLASS))
}

/// Those that are listed in `class`.
fn devices(class: &Path) -> Vec<PortInfo> {
    let entries = class.read_dir().into_iter().flatten().flatten();
    let mut devices: Vec<PortInfo> = entries.filter_map(|entry| device(&entry.path())).collect();
    devices.sort_by(|a, b| a.path.cmp(&b.path));
    devices
}

fn device(entry: &Path) -> Option<PortInfo> {
    let descriptor = std::fs::read(entry.join("device/report_descriptor")).ok()?;
    if !descriptor.starts_with(&VENDORS_OWN) {
        return None;
    }
    let about = std::fs::read_to_string(entry.join("device/uevent")).ok()?;
    let (vid, pid) = ids(value(&about, "HID_ID")?)?;
    let usb = Usb {
        vid,
        pid,
        serial: value(&about, "HID_UNIQ").map(str::to_owned),
        product: value(&about, "HID_NAME").map(str::to_owned),
        manufacturer: None,
    };
    let name = entry.file_name()?.to_str()?;
    Some(PortInfo {
        path: format!("/dev/{name}"),
        usb: Some(usb),
    })
}

/// What a device's `uevent` says of a key, if it says anything.
fn value<'a>(about: &'a str, key: &str) -> Option<&'a str> {
    about
        .lines()
        .find_map(|line| line.strip_prefix(key)?.strip_prefix('='))
        .filter(|text| !text.is_empty())
}

/// Vendor and product. Written are bus, vendor and product, in hexadecimal:
/// 0003:00002D80:00008000.
fn ids(text: &str) -> Option<(u16, u16)> {
    let mut ids = text
        .split(':')
        .skip(1)
        .map(|id| u32::from_str_radix(id, 16).ok()?.try_into().ok());
    Some((ids.next()??, ids.next()??))
}

/// An open HID device: no pipe, but read and written like one.
struct Hidraw {
    reader: Receiver,
    writer: Sender,
}

/// The first of several messages: each has its type, its length and as many bytes.
fn first(bytes: &[u8]) -> &[u8] {
    let length = bytes
        .get(1)
        .map_or(bytes.len(), |length| 2 + usize::from(*length));
    &bytes[..length.min(bytes.len())]
}

impl Line for Hidraw {}

impl AsyncRead for Hidraw {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.reader).poll_read(cx, buf)
    }
}

/// Each write of the device is one message.
impl AsyncWrite for Hidraw {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.writer).poll_write(cx, first(bytes))
    }

    fn poll_flush(self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{create_dir_all, write};

    use super::*;

    fn entry(class: &Path, name: &str, descriptor: &[u8], about: &str) {
        let device = class.join(name).join("device");
        create_dir_all(&device).unwrap();
        write(device.join("report_descriptor"), descriptor).unwrap();
        write(device.join("uevent"), about).unwrap();
    }

    #[test]
    fn boards_are_found_as_the_kernel_lists_them() {
        let dir = tempfile::tempdir().unwrap();
        let about = "DRIVER=hid-generic\nHID_ID=0003:00002D80:00008001\n\
                     HID_NAME=Chessnut Air\nHID_PHYS=usb-1\nHID_UNIQ=C7\n";
        entry(
            dir.path(),
            "hidraw4",
            &[0x06, 0x00, 0xff, 0x09, 0x01],
            about,
        );
        entry(dir.path(), "hidraw3", &[0x05, 0x01, 0x09, 0x06], about);
        entry(
            dir.path(),
            "hidraw5",
            &[0x06, 0x00, 0xff],
            "HID_ID=nonsense\n",
        );
        let found = devices(dir.path());
        assert_eq!(found.len(), 1, "{found:?}");
        let usb = found[0].usb.as_ref().unwrap();
        assert_eq!(
            (found[0].path.as_str(), usb.vid, usb.pid),
            ("/dev/hidraw4", 0x2d80, 0x8001)
        );
        assert_eq!(
            (usb.serial.as_deref(), usb.product.as_deref()),
            (Some("C7"), Some("Chessnut Air"))
        );
        assert_eq!(
            path_of("C7", &found).unwrap(),
            PathBuf::from("/dev/hidraw4")
        );
        assert!(matches!(
            path_of("C8", &found),
            Err(FaultReason::NoSuchUsb { .. })
        ));
        assert_eq!(devices(&dir.path().join("nothing")), []);
    }

    #[test]
    fn why_a_device_cannot_be_opened() {
        let none = open(&PortSpec::Path("/dev/hidraw-none".into())).map(drop);
        assert!(
            matches!(none, Err(FaultReason::NoSuchPort { .. })),
            "{none:?}"
        );
    }
}
