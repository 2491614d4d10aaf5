//! A crowd at the console's door: connections that ask for nothing, from addresses of their own.

use std::net::{SocketAddr, TcpStream};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use socket2::{Domain, Socket, Type};

/// Whence they come: whoever sits at another address is not to notice.
const ADDRESSES: [&str; 2] = ["127.7.0.1:0", "127.7.0.2:0"];
/// Connections that are held at once, as far as the daemon lets them in.
const HELD: usize = 400;
/// Between one and the next.
const PAUSE: Duration = Duration::from_millis(1);
/// How long one may take to come about.
const PATIENCE: Duration = Duration::from_millis(200);

/// Comes until `end`; how many there were.
pub(crate) fn crowd(address: SocketAddr, end: &Receiver<()>) -> u32 {
    let (mut held, mut came) = (Vec::new(), 0);
    while end.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
        if held.len() >= HELD {
            held.clear();
        }
        let from = ADDRESSES[held.len() % ADDRESSES.len()];
        // A daemon that was killed lets nobody in.
        if let Ok(connection) = connect(from, address) {
            held.push(connection);
            came += 1;
        }
    }
    came
}

fn connect(from: &str, to: SocketAddr) -> std::io::Result<TcpStream> {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None)?;
    let from: SocketAddr = from.parse().expect("an address");
    socket.bind(&from.into())?;
    socket.connect_timeout(&to.into(), PATIENCE)?;
    Ok(socket.into())
}
