//! A crowd at the console's door: connections that ask for nothing, from addresses of their own.
//! There are more than the daemon lets in.

use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use nix::sys::resource::{Resource, getrlimit, setrlimit};
use socket2::{Domain, Socket, Type};

use crate::meanwhile::Enough;

/// Whence they come. The daemon has 128 places for each and 512 in all: whoever sits at another
/// address is not to notice.
const ADDRESSES: [&str; 3] = ["127.7.0.1:0", "127.7.0.2:0", "127.7.0.3:0"];
/// Connections that are held at once.
pub(crate) const HELD: usize = 2_000;
/// So many come, then nobody for a moment.
const GROUP: usize = 5;
const PAUSE: Duration = Duration::from_millis(1);
/// How long one may take to come about.
const PATIENCE: Duration = Duration::from_millis(200);
/// Files of this process for all of them.
const FILES: u64 = 4_096;

/// Makes room in this process for a crowd.
pub(crate) fn make_room() {
    let (now, most) = getrlimit(Resource::RLIMIT_NOFILE).expect("limits");
    let enough = now.max(FILES).min(most);
    setrlimit(Resource::RLIMIT_NOFILE, enough, most).expect("more files");
}

/// Comes until it is enough; how many there were.
pub(crate) fn crowd(address: SocketAddr, enough: &Enough) -> usize {
    let mut held = Vec::new();
    while enough.not_yet(PAUSE) {
        let missing = HELD - held.len();
        for n in 0..missing.min(GROUP) {
            let from = ADDRESSES[(held.len() + n) % ADDRESSES.len()];
            // A daemon that was killed lets nobody in.
            held.extend(connect(from, address).ok());
        }
    }
    held.len()
}

fn connect(from: &str, to: SocketAddr) -> std::io::Result<TcpStream> {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None)?;
    let from: SocketAddr = from.parse().expect("an address");
    socket.bind(&from.into())?;
    socket.connect_timeout(&to.into(), PATIENCE)?;
    Ok(socket.into())
}
