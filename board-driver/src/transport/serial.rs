//! Serial ports by tokio-serial: USB adapters, on-board UARTs and pseudo-terminals alike.

use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serialport::{ErrorKind, SerialPort, SerialPortType};
use tokio_serial::{SerialPortBuilderExt, SerialStream};

use super::{Line, PortSpec};
use crate::fault::FaultReason;

/// How long a listing of the ports counts as fresh.
const MOMENT: Duration = Duration::from_millis(500);

/// A serial port of this machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PortInfo {
    /// Its path.
    pub path: String,
    /// Its USB device, if it is on USB.
    pub usb: Option<Usb>,
}

/// How a USB device names itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Usb {
    /// Vendor id.
    pub vid: u16,
    /// Product id.
    pub pid: u16,
    /// Serial number.
    pub serial: Option<String>,
    /// Product name.
    pub product: Option<String>,
    /// Manufacturer.
    pub manufacturer: Option<String>,
}

/// The serial ports of this machine. Pseudo-terminals are not listed.
///
/// # Errors
/// A one-line text when the system does not tell.
pub fn ports() -> Result<Vec<PortInfo>, String> {
    // The library takes this directory for granted and panics without it.
    if cfg!(target_os = "linux") && !Path::new("/sys/class/tty").is_dir() {
        return Ok(Vec::new());
    }
    let found = serialport::available_ports()
        .map_err(|e| format!("the serial ports cannot be listed: {e}"))?;
    let mut ports: Vec<PortInfo> = found.into_iter().map(port_info).collect();
    ports.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(ports)
}

fn port_info(port: serialport::SerialPortInfo) -> PortInfo {
    let usb = match port.port_type {
        SerialPortType::UsbPort(usb) => Some(Usb {
            vid: usb.vid,
            pid: usb.pid,
            serial: usb.serial_number,
            product: usb.product,
            manufacturer: usb.manufacturer,
        }),
        _ => None,
    };
    PortInfo {
        path: port.port_name,
        usb,
    }
}

/// Opens a port, 8 data bits, no parity, 1 stop bit, no flow control. Must be called within a tokio
/// runtime.
///
/// # Errors
/// Why it cannot be opened.
pub fn open(spec: &PortSpec, baud: u32) -> Result<Box<dyn Line>, FaultReason> {
    let path = match spec {
        PortSpec::Path(path) => path.to_string_lossy().into_owned(),
        PortSpec::Usb(serial) => path_of(serial)?,
        PortSpec::Bluetooth(_) | PortSpec::Tcp(_) => return Err(super::no_device(spec)),
    };
    let mut stream = tokio_serial::new(&path, baud)
        .open_native_async()
        .map_err(|e| reason(&path, &e))?;
    // Many boards hold back until they see a terminal. Pseudo-terminals have no such lines, so
    // failure means nothing.
    let _ = stream.write_data_terminal_ready(true);
    let _ = stream.write_request_to_send(true);
    Ok(Box::new(stream))
}

impl Line for SerialStream {
    fn set_baud(&mut self, baud: u32) -> io::Result<()> {
        Ok(self.set_baud_rate(baud)?)
    }
}

fn path_of(serial: &str) -> Result<String, FaultReason> {
    let ports = recent_ports().map_err(|error| FaultReason::CannotOpen {
        port: serial.to_owned(),
        error,
    })?;
    the_one(serial, ports)
}

/// The port whose USB device has this serial number. Cheap adapters come with one number for all of
/// them: then nobody knows which board is meant.
fn the_one(serial: &str, ports: Vec<PortInfo>) -> Result<String, FaultReason> {
    let has_it =
        |port: &PortInfo| port.usb.as_ref().and_then(|usb| usb.serial.as_deref()) == Some(serial);
    let mut found: Vec<String> = ports
        .into_iter()
        .filter(has_it)
        .map(|port| port.path)
        .collect();
    match found.len() {
        0 => Err(FaultReason::NoSuchUsb {
            serial: serial.to_owned(),
        }),
        1 => Ok(found.remove(0)),
        _ => Err(FaultReason::SameUsb {
            serial: serial.to_owned(),
            ports: found.join(" and "),
        }),
    }
}

/// The ports as they were a moment ago at most: hundreds of boards that are looked for at once
/// share one listing.
pub(super) fn recent_ports() -> Result<Vec<PortInfo>, String> {
    static LISTED: Mutex<Option<(Instant, Vec<PortInfo>)>> = Mutex::new(None);
    // A listing is put there whole or not at all, so one left by a panic elsewhere is as good as
    // any.
    let mut listed = LISTED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, ports)) = listed.as_ref().filter(|(when, _)| when.elapsed() < MOMENT) {
        return Ok(ports.clone());
    }
    let found = ports()?;
    *listed = Some((Instant::now(), found.clone()));
    Ok(found)
}

fn reason(path: &str, error: &tokio_serial::Error) -> FaultReason {
    let port = path.to_owned();
    match error.kind() {
        ErrorKind::Io(std::io::ErrorKind::NotFound) => FaultReason::NoSuchPort { port },
        ErrorKind::Io(std::io::ErrorKind::PermissionDenied) => FaultReason::NotPermitted { port },
        // The library says "no device" both of a port that is locked and of one that is none.
        ErrorKind::NoDevice if Path::new(path).exists() => FaultReason::Busy { port },
        ErrorKind::NoDevice => FaultReason::NoSuchPort { port },
        _ => FaultReason::CannotOpen {
            port,
            error: error.to_string(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn port(path: &str, serial: &str) -> PortInfo {
        let serial = Some(serial.to_owned());
        PortInfo {
            path: path.to_owned(),
            usb: Some(Usb {
                vid: 1,
                pid: 2,
                serial,
                product: None,
                manufacturer: None,
            }),
        }
    }

    #[test]
    fn two_boards_with_one_serial_number_are_told_apart_by_nobody() {
        let ports = vec![
            port("/dev/ttyUSB0", "0001"),
            port("/dev/ttyUSB1", "0001"),
            port("/dev/ttyUSB2", "7"),
        ];
        assert_eq!(the_one("7", ports.clone()).as_deref(), Ok("/dev/ttyUSB2"));
        assert!(matches!(
            the_one("8", ports.clone()),
            Err(FaultReason::NoSuchUsb { .. })
        ));
        let fault = the_one("0001", ports).unwrap_err().to_string();
        assert!(
            fault.contains("/dev/ttyUSB0 and /dev/ttyUSB1") && fault.contains("port"),
            "{fault}"
        );
    }
}
