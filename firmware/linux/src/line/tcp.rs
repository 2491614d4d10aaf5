//! A network socket. Several hosts may be connected: each hears everything the board says, and is
//! heard.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};

use super::Line;
use super::frame_splitter::FrameSplitter;

/// What one host may leave unread; beyond it, it is disconnected and can come back and ask for what
/// it has missed.
const BACKLOG: usize = 64 * 1024;

/// Most hosts at a time.
const MOST: usize = 16;

/// A listening socket and its hosts.
#[derive(Debug)]
pub struct Tcp {
    listener: TcpListener,
    address: SocketAddr,
    hosts: Vec<Host>,
}

#[derive(Debug)]
struct Host {
    stream: TcpStream,
    name: String,
    frames: FrameSplitter,
    unsent: Vec<u8>,
}

impl Tcp {
    /// Listens at an address.
    ///
    /// # Errors
    /// The system's.
    pub fn open(address: SocketAddr) -> io::Result<Tcp> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        Ok(Tcp {
            listener,
            address,
            hosts: Vec::new(),
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    fn accept(&mut self) {
        while let Ok((stream, from)) = self.listener.accept() {
            if self.hosts.len() == MOST {
                tracing::warn!("{from} is turned away: {MOST} hosts are connected");
                continue;
            }
            // Frames are small, and each is urgent.
            if stream
                .set_nonblocking(true)
                .and_then(|()| stream.set_nodelay(true))
                .is_ok()
            {
                tracing::info!("{from} is connected");
                let (frames, unsent) = (FrameSplitter::default(), Vec::new());
                self.hosts.push(Host {
                    stream,
                    name: from.to_string(),
                    frames,
                    unsent,
                });
            }
        }
    }

    /// Keeps the hosts with whom `works` does.
    fn keep(&mut self, mut works: impl FnMut(&mut Host) -> io::Result<()>) {
        self.hosts.retain_mut(|host| match works(host) {
            Ok(()) => true,
            Err(e) => {
                tracing::info!("{} is gone: {e}", host.name);
                false
            }
        });
    }
}

impl Host {
    fn receive(&mut self, take: &mut dyn FnMut(&[u8])) -> io::Result<()> {
        let mut bytes = [0; 512];
        loop {
            match self.stream.read(&mut bytes) {
                Ok(0) => {
                    return Err(io::Error::new(
                        ErrorKind::UnexpectedEof,
                        "it closed the connection",
                    ));
                }
                Ok(count) => self.frames.push(&bytes[..count], take),
                Err(e) if is_later(&e) => return Ok(()),
                Err(e) => return Err(e),
            }
        }
    }

    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.unsent.extend_from_slice(bytes);
        while !self.unsent.is_empty() {
            match self.stream.write(&self.unsent) {
                Ok(count) => drop(self.unsent.drain(..count)),
                Err(e) if is_later(&e) => break,
                Err(e) => return Err(e),
            }
        }
        if self.unsent.len() > BACKLOG {
            Err(io::Error::other("it does not read"))
        } else {
            Ok(())
        }
    }
}

fn is_later(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}

impl Line for Tcp {
    fn receive(&mut self, take: &mut dyn FnMut(&[u8])) {
        self.accept();
        self.keep(|host| host.receive(take));
        // What did not fit before may fit now.
        self.keep(|host| host.send(&[]));
    }

    /// Always takes everything: so a host that joins begins with a whole frame.
    fn send(&mut self, bytes: &[u8]) -> usize {
        self.keep(|host| host.send(bytes));
        bytes.len()
    }

    fn hosts(&self) -> Option<usize> {
        Some(self.hosts.len())
    }

    fn is_network(&self) -> bool {
        true
    }

    fn describe(&self) -> String {
        format!("tcp {}", self.address)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open() -> Tcp {
        Tcp::open(SocketAddr::from(([127, 0, 0, 1], 0))).unwrap()
    }

    /// Connects, and waits until the line knows.
    fn connect(tcp: &mut Tcp) -> TcpStream {
        let stream = TcpStream::connect(tcp.address()).unwrap();
        let before = tcp.hosts.len();
        while tcp.hosts.len() == before {
            tcp.receive(&mut |_| {});
        }
        stream
    }

    #[test]
    fn every_host_hears_all_and_frames_are_not_mixed() {
        let mut tcp = open();
        let (mut one, mut two) = (connect(&mut tcp), connect(&mut tcp));
        assert_eq!((tcp.send(b"frame\0"), tcp.hosts()), (6, Some(2)));
        for stream in [&mut one, &mut two] {
            let mut came = [0; 6];
            stream.read_exact(&mut came).unwrap();
            assert_eq!(&came, b"frame\0");
        }
        one.write_all(b"first ").unwrap();
        two.write_all(b"second\0").unwrap();
        let mut heard: Vec<Vec<u8>> = Vec::new();
        while heard.is_empty() {
            tcp.receive(&mut |frame| heard.push(frame.to_vec()));
        }
        one.write_all(b"host\0").unwrap();
        while heard.len() < 2 {
            tcp.receive(&mut |frame| heard.push(frame.to_vec()));
        }
        assert_eq!(heard, [b"second\0".to_vec(), b"first host\0".to_vec()]);
    }

    #[test]
    fn a_host_that_leaves_or_does_not_read_holds_nobody_up() {
        let mut tcp = open();
        let (one, _deaf) = (connect(&mut tcp), connect(&mut tcp));
        drop(one);
        while tcp.hosts() == Some(2) {
            tcp.receive(&mut |_| {});
        }
        let mut sent = 0;
        while tcp.hosts() == Some(1) {
            tcp.send(&[1; 4096]);
            sent += 4096;
            assert!(
                sent < 100_000_000,
                "a host that does not read is kept for ever"
            );
        }
        assert_eq!(tcp.hosts(), Some(0));
    }
}
