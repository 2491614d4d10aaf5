//! Where hosts are: a serial port, a pseudo-terminal or TCP, read and written without waiting.

mod frame_splitter;
mod pty;
mod serial;
mod tcp;

use std::io;

use crate::config::Serve;
pub use pty::Pty;
pub use serial::Serial;
pub use tcp::Tcp;

/// A line to hosts. Nothing here waits; the board's loop asks at every scan.
pub trait Line {
    /// Hands what hosts have sent to `take`. A line with several hosts hands over whole frames, so
    /// that none is mixed with another.
    fn receive(&mut self, take: &mut dyn FnMut(&[u8]));

    /// Offers bytes, and says how many were taken: 0 when there is no room at the moment.
    fn send(&mut self, bytes: &[u8]) -> usize;

    /// How many hosts listen; `None` where the line cannot know.
    fn hosts(&self) -> Option<usize>;

    /// Whether hosts are on the network, and may be anybody.
    fn is_network(&self) -> bool {
        false
    }

    /// What it is, and whether it is well, for people.
    fn describe(&self) -> String;
}

/// Opens the line.
///
/// # Errors
/// What cannot be opened and what to do, in one line. A serial port that is missing is no error: it
/// is tried again.
pub fn open(serve: &Serve) -> Result<Box<dyn Line>, String> {
    let said = |what: String| move |e: io::Error| format!("{what}: {e}");
    match serve {
        Serve::Port { path, baud } => Ok(Box::new(Serial::new(path, *baud))),
        Serve::Pty { link, group } => {
            let pty = Pty::open(link, group.as_deref())
                .map_err(said(format!("[serve] pty {}", link.display())))?;
            Ok(Box::new(pty))
        }
        Serve::Tcp(address) => Ok(Box::new(
            Tcp::open(*address).map_err(said(format!("[serve] tcp {address}")))?,
        )),
    }
}
