//! A line between hall and hub on which everything takes its time, and which is cut.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// A line to somewhere.
pub(crate) struct SlowLine {
    pub(crate) address: SocketAddr,
    open: Arc<Mutex<Vec<TcpStream>>>,
}

impl SlowLine {
    /// A line to this address, on which everything takes so long.
    pub(crate) fn to(address: SocketAddr, delay: Duration) -> SlowLine {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let line = SlowLine {
            address: listener.local_addr().expect("an address"),
            open: Arc::default(),
        };
        let open = line.open.clone();
        thread::spawn(move || {
            for near in listener.incoming().flatten() {
                let Ok(far) = TcpStream::connect(address) else {
                    continue;
                };
                let copy = |one: &TcpStream| one.try_clone().expect("a copy");
                open.lock()
                    .expect("the list")
                    .extend([copy(&near), copy(&far)]);
                pass((copy(&near), copy(&far)), delay);
                pass((far, near), delay);
            }
        });
        line
    }

    /// Cuts it. Whoever calls again has another.
    pub(crate) fn cut(&self) {
        for end in self.open.lock().expect("the list").drain(..) {
            let _is_closed = end.shutdown(Shutdown::Both);
        }
    }
}

/// Hands on what comes from one to the other, later.
fn pass((mut from, to): (TcpStream, TcpStream), delay: Duration) {
    let (sent, due) = channel();
    thread::spawn(move || hand_over(to, &due));
    thread::spawn(move || {
        let mut bytes = vec![0; 64 * 1024];
        while let Ok(count @ 1..) = from.read(&mut bytes) {
            let letter = (Instant::now() + delay, bytes[..count].to_vec());
            if sent.send(letter).is_err() {
                return;
            }
        }
    });
}

fn hand_over(mut to: TcpStream, due: &Receiver<(Instant, Vec<u8>)>) {
    while let Ok((at, bytes)) = due.recv() {
        thread::sleep(at.saturating_duration_since(Instant::now()));
        if to.write_all(&bytes).is_err() {
            return;
        }
    }
    let _is_closed = to.shutdown(Shutdown::Both);
}
