//! A line between a hall and its hub that can be cut: what comes in at one end goes out at the
//! other while it is whole.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// A line that can be cut. It ends when it is dropped.
pub(super) struct Cable {
    address: SocketAddr,
    is_whole: watch::Sender<bool>,
}

impl Cable {
    /// A whole line to `end`.
    pub(super) async fn lay(end: SocketAddr) -> io::Result<Cable> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let (is_whole, state) = watch::channel(true);
        tokio::spawn(carry(listener, end, state));
        Ok(Cable { address, is_whole })
    }

    /// Where the hall calls.
    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Cuts it, or mends it.
    pub(super) fn set_whole(&self, is_whole: bool) {
        self.is_whole.send_replace(is_whole);
    }
}

async fn carry(listener: TcpListener, end: SocketAddr, state: watch::Receiver<bool>) {
    let mut gone = state.clone();
    loop {
        tokio::select! {
            _no_cable = gone.wait_for(|_| false) => return,
            taken = listener.accept() => {
                let Ok((mut near, _)) = taken else { continue };
                let mut state = state.clone();
                if !*state.borrow() {
                    continue;
                }
                tokio::spawn(async move {
                    let Ok(mut far) = TcpStream::connect(end).await else { return };
                    tokio::select! {
                        _cut_or_gone = state.wait_for(|is_whole| !is_whole) => {}
                        _ended = copy_bidirectional(&mut near, &mut far) => {}
                    }
                });
            }
        }
    }
}
