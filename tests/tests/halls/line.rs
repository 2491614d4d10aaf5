//! A line between hall and hub on which everything takes its time and some of it is lost, which
//! carries little, and which is cut.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// What TCP sends at once, in bytes.
const SEGMENT: usize = 1_448;
/// What Linux adds to the time of the way there and back, before it sends a segment again.
const UNANSWERED: Duration = Duration::from_millis(200);

/// A line to somewhere.
pub(crate) struct SlowLine {
    pub(crate) address: SocketAddr,
    open: Arc<Mutex<Vec<TcpStream>>>,
    /// Bytes that were sent over it from here.
    sent: Arc<AtomicU64>,
    kind: Kind,
}

/// What a line is like.
#[derive(Clone, Default)]
struct Kind {
    /// How long everything takes, one way.
    delay: Duration,
    /// Of a hundred segments so many are lost.
    loss: u64,
    /// What it carries, in bytes a second each way; 0: whatever comes.
    rate: u64,
    /// Nothing passes, and nobody is told.
    is_held: Arc<AtomicBool>,
}

impl SlowLine {
    /// A line to this address, on which everything takes so long.
    pub(crate) fn to(address: SocketAddr, delay: Duration) -> SlowLine {
        let kind = Kind {
            delay,
            ..Kind::default()
        };
        SlowLine::of(address, kind)
    }

    /// A line that carries so many bytes a second.
    pub(crate) fn that_carries(address: SocketAddr, rate: u64) -> SlowLine {
        let kind = Kind {
            delay: Duration::from_millis(100),
            rate,
            ..Kind::default()
        };
        SlowLine::of(address, kind)
    }

    /// The same, of which so many segments of a hundred are lost. TCP sends one again when it has
    /// waited for an answer, twice as long each time; what came after it waits at the other end.
    pub(crate) fn that_loses(address: SocketAddr, delay: Duration, loss: u64) -> SlowLine {
        let kind = Kind {
            delay,
            loss,
            ..Kind::default()
        };
        SlowLine::of(address, kind)
    }

    fn of(address: SocketAddr, kind: Kind) -> SlowLine {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let line = SlowLine {
            address: listener.local_addr().expect("an address"),
            open: Arc::default(),
            sent: Arc::default(),
            kind: kind.clone(),
        };
        let (open, sent) = (line.open.clone(), line.sent.clone());
        thread::spawn(move || {
            for (n, near) in (1..).zip(listener.incoming().flatten()) {
                kind.wait();
                let Ok(far) = TcpStream::connect(address) else {
                    continue;
                };
                for end in [&near, &far] {
                    end.set_nodelay(true).expect("a setting");
                }
                let copy = |one: &TcpStream| one.try_clone().expect("a copy");
                open.lock()
                    .expect("the list")
                    .extend([copy(&near), copy(&far)]);
                pass(
                    (copy(&near), copy(&far)),
                    (kind.clone(), 2 * n),
                    sent.clone(),
                );
                pass((far, near), (kind.clone(), 2 * n + 1), Arc::default());
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

    /// From now on nothing passes, as where a cable is pulled; or all that waits does.
    pub(crate) fn hold(&self, is_held: bool) {
        self.kind.is_held.store(is_held, Ordering::Relaxed);
    }

    /// Bytes that were sent over it from here.
    pub(crate) fn sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }
}

impl Kind {
    /// Waits while nothing passes.
    fn wait(&self) {
        while self.is_held.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Hands on what comes from one to the other, later.
fn pass((mut from, to): (TcpStream, TcpStream), (kind, seed): (Kind, u64), count: Arc<AtomicU64>) {
    let (sent, due) = channel();
    let of_line = kind.clone();
    thread::spawn(move || hand_over(to, &due, &of_line));
    thread::spawn(move || {
        let mut chance = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let (mut bytes, mut free) = ([0; SEGMENT], Instant::now());
        while let Ok(read @ 1..) = from.read(&mut bytes) {
            count.fetch_add(read as u64, Ordering::Relaxed);
            let micros = (read as u64 * 1_000_000).checked_div(kind.rate);
            free = free.max(Instant::now()) + Duration::from_micros(micros.unwrap_or(0));
            let at = free + kind.delay + lost(&kind, &mut chance);
            if sent.send((at, bytes[..read].to_vec())).is_err() {
                return;
            }
            thread::sleep(free.saturating_duration_since(Instant::now()));
        }
    });
}

/// How much later a segment is there because it was lost, once or more.
fn lost(kind: &Kind, chance: &mut u64) -> Duration {
    let (mut later, mut wait) = (Duration::ZERO, 2 * kind.delay + UNANSWERED);
    loop {
        *chance ^= *chance << 13;
        *chance ^= *chance >> 7;
        *chance ^= *chance << 17;
        if (*chance >> 32) % 100 >= kind.loss {
            return later;
        }
        later += wait;
        wait *= 2;
    }
}

fn hand_over(mut to: TcpStream, due: &Receiver<(Instant, Vec<u8>)>, line: &Kind) {
    while let Ok((at, bytes)) = due.recv() {
        thread::sleep(at.saturating_duration_since(Instant::now()));
        line.wait();
        if to.write_all(&bytes).is_err() {
            return;
        }
    }
    let _is_closed = to.shutdown(Shutdown::Both);
}
