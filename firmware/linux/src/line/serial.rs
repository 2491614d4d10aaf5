//! A serial port of this machine: an on-board UART, a USB adapter, or the device side of a USB
//! socket.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serialport::SerialPort;

use super::Line;

/// How often a port that is missing is tried again.
const AGAIN: Duration = Duration::from_secs(1);

/// A port that is opened again when it comes back.
pub struct Serial {
    path: PathBuf,
    baud: u32,
    port: Option<Box<dyn SerialPort>>,
    /// Why it is not open.
    error: String,
    try_at: Instant,
}

impl Serial {
    /// A port; it is opened when it is first read.
    pub fn new(path: &Path, baud: u32) -> Serial {
        let error = "not opened yet".to_owned();
        Serial {
            path: path.to_owned(),
            baud,
            port: None,
            error,
            try_at: Instant::now(),
        }
    }

    /// The port, if it is there or can be opened now.
    fn port(&mut self) -> Option<&mut Box<dyn SerialPort>> {
        if self.port.is_none() && Instant::now() >= self.try_at {
            self.try_at = Instant::now() + AGAIN;
            // A time-out of nothing: only what is there is read, only what there is room for is
            // written.
            let opened = serialport::new(self.path.to_string_lossy(), self.baud)
                .timeout(Duration::ZERO)
                .open();
            match opened {
                Ok(port) => {
                    tracing::info!(
                        "{} is open, {} bits a second",
                        self.path.display(),
                        self.baud
                    );
                    self.port = Some(port);
                }
                Err(e) => self.lost(&e.to_string()),
            }
        }
        self.port.as_mut()
    }

    /// The port has gone. It is said once.
    fn lost(&mut self, error: &str) {
        self.port = None;
        if self.error != error {
            tracing::warn!(
                "[serve] port {}: {error}; it is tried again every second",
                self.path.display()
            );
            self.error = error.to_owned();
        }
    }

    /// How many bytes were read or written. 0 when the port is closed or has nothing and no room.
    fn moved(&mut self, result: std::io::Result<usize>) -> usize {
        use std::io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
        match result {
            Ok(count) => count,
            Err(e) if matches!(e.kind(), TimedOut | WouldBlock | Interrupted) => 0,
            Err(e) => {
                self.lost(&e.to_string());
                0
            }
        }
    }
}

impl Line for Serial {
    fn receive(&mut self, take: &mut dyn FnMut(&[u8])) {
        let mut bytes = [0; 512];
        while let Some(port) = self.port() {
            let read = port.read(&mut bytes);
            match self.moved(read) {
                0 => return,
                count => take(&bytes[..count]),
            }
        }
    }

    fn send(&mut self, bytes: &[u8]) -> usize {
        let Some(port) = self.port() else { return 0 };
        let written = port.write(bytes);
        self.moved(written)
    }

    fn hosts(&self) -> Option<usize> {
        if self.port.is_some() { None } else { Some(0) }
    }

    fn describe(&self) -> String {
        match &self.port {
            Some(_) => format!("{}, {} bits a second", self.path.display(), self.baud),
            None => format!("{}: {}", self.path.display(), self.error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::Pty;

    /// Waits for a condition, ten seconds at most.
    fn wait(mut met: impl FnMut() -> bool) {
        let end = Instant::now() + Duration::from_secs(10);
        while !met() {
            assert!(Instant::now() < end);
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn a_port_that_comes_late_and_goes_is_opened_again() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("port");
        let mut serial = Serial::new(&path, 115_200);
        assert_eq!((serial.send(b"x"), serial.hosts()), (0, Some(0)));
        assert!(
            serial.describe().contains("No such file"),
            "{}",
            serial.describe()
        );
        for _ in 0..2 {
            let mut cable = Pty::open(&path, None).unwrap();
            wait(|| {
                serial.receive(&mut |_| {});
                serial.hosts().is_none()
            });
            assert_eq!(serial.send(b"frame\0"), 6);
            let mut came = Vec::new();
            wait(|| {
                cable.receive(&mut |bytes| came.extend_from_slice(bytes));
                came == b"frame\0"
            });
            assert_eq!(cable.send(b"to the board"), 12);
            let mut came = Vec::new();
            wait(|| {
                serial.receive(&mut |bytes| came.extend_from_slice(bytes));
                came == b"to the board"
            });
            drop(cable);
            wait(|| {
                serial.receive(&mut |_| {});
                serial.hosts() == Some(0)
            });
        }
    }
}
