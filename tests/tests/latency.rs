//! A ruling reaches the console soon after the press, on whatever machine runs the tests.
//! `benches/latency.rs` measures.

use std::net::Ipv4Addr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tests::rig::{Line, Place, Race, measure, measure_beside};
use tokio::net::TcpSocket;

/// Whoever measures has the machine to himself.
static ALONE: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

#[test]
fn a_ruling_is_at_the_client_at_once() {
    let _alone = alone();
    let dir = tempfile::tempdir().expect("a directory");
    let measured = measure(
        dir.path(),
        Race {
            boards: 8,
            pace: 10.0,
            length: Duration::from_secs(8),
            round: true,
            tls: false,
        },
    );
    println!("{measured}");
    assert!(
        measured.sorted.len() >= 40,
        "too little was played: {measured}"
    );
    assert_eq!(measured.missing, 0, "{measured}");
    assert!(
        measured.part(0.99) < Duration::from_millis(200),
        "{measured}"
    );
}

/// Connections that begin a request and go no further, from five addresses.
const SLOW: usize = 500;
/// Requests that come one on the other, at least.
const FLOOD: usize = 2_000;
/// By how much a ruling may come later meanwhile, of 99 in 100; or by twice what as many take
/// without a flood, where a machine is so slow that this is longer.
const DELAY: Duration = Duration::from_millis(20);

/// A connection from one of the machine's own addresses.
fn connect(from: u8, to: &Place) -> std::io::Result<Box<dyn Line>> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()?;
    let line = runtime.block_on(async {
        let socket = TcpSocket::new_v4()?;
        socket.bind((Ipv4Addr::new(127, 0, 0, from), 0).into())?;
        socket.connect(to.address).await?.into_std()
    })?;
    line.set_nonblocking(false)?;
    to.speak(line)
}

/// Asks one thing after the other for so long; how often there was an answer.
fn flood(from: u8, to: &Place, length: Duration) -> usize {
    let end = Instant::now() + length;
    let request = format!("GET /api/event HTTP/1.1\r\nHost: {}\r\n\r\n", to.address);
    let (mut line, mut answered, mut room) = (None, 0, [0; 4096]);
    while Instant::now() < end {
        let mut open = match line.take() {
            Some(line) => line,
            None => match connect(from, to) {
                Ok(line) => line,
                Err(_) => continue,
            },
        };
        let asked = open.write_all(request.as_bytes());
        if asked.is_ok() && open.read(&mut room).is_ok_and(|n| n > 0) {
            answered += 1;
            line = Some(open);
        }
    }
    answered
}

/// OWASP ASVS 15.2.2: whoever floods the console and holds its connections delays no board.
///
/// So many boards that 99 in 100 is told by the seventh longest of all: the machine that runs the
/// tests may itself pause for some hundredths of a second, and more than one press falls into that.
fn flooded(tls: bool) {
    let _alone = alone();
    let race = Race {
        boards: 32,
        pace: 10.0,
        length: Duration::from_secs(12),
        round: false,
        tls,
    };
    let dirs = [(); 2].map(|()| tempfile::tempdir().expect("a directory"));
    let calm = measure(dirs[0].path(), race);
    let flooded = measure_beside(dirs[1].path(), race, move |to| {
        let slow: Vec<_> = (0..SLOW)
            .filter_map(|n| {
                let mut line = connect(2 + (n % 5) as u8, &to).ok()?;
                line.write_all(b"GET / HTTP/1.1\r\nHost: ").ok()?;
                Some(line)
            })
            .collect();
        let answered = flood(7, &to, race.length);
        println!("{} slow connections, {answered} answers", slow.len());
        assert!(answered >= FLOOD, "{answered} answers");
    });
    println!("calm: {calm}\nflooded: {flooded}");
    assert!(
        flooded.sorted.len() >= 400,
        "too little was played: {flooded}"
    );
    assert_eq!(flooded.missing, 0, "{flooded}");
    let later = flooded.part(0.99).saturating_sub(calm.part(0.99));
    assert!(
        later <= DELAY.max(2 * calm.part(0.99)),
        "{later:?} later; calm: {calm}; flooded: {flooded}"
    );
}

#[test]
fn a_flood_of_requests_delays_no_ruling() {
    flooded(false);
}

#[test]
fn a_flood_over_tls_delays_no_ruling() {
    flooded(true);
}
