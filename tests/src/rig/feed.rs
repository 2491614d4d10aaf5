//! What pages are sent, in bytes a second, while boards are played on.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use super::{Latencies, Place, Race, listen_to, measure_beside};

/// What a page is told when it opens is not counted.
const OPENED: Duration = Duration::from_secs(3);

/// A page, what it asks for, and the most that it is to be sent of 100 boards at the pace of real
/// hands, in bytes a second.
pub const PAGES: [(&str, &str, Option<u64>); 4] = [
    (
        "a phone on one board",
        "?rest=needs&watch=b001",
        Some(2_000),
    ),
    ("all boards at a glance", "?rest=card", Some(15_000)),
    ("all boards in whole, what changes", "?rest=whole", None),
    ("a client that says nothing", "", None),
];

/// How many bytes a second each page is sent while so many boards play in `dir` at the pace of real
/// hands; and how long rulings took meanwhile.
///
/// # Panics
/// When the daemon does not come up, or a board does not answer.
pub fn feed(dir: &Path, boards: usize, length: Duration) -> (Latencies, [u64; 4]) {
    let race = Race {
        boards,
        pace: 1.0,
        length: length + OPENED,
        round: false,
        tls: false,
    };
    let (tell, told) = channel();
    let measured = measure_beside(dir, race, move |place| {
        let _nobody = tell.send(rates(&place, length));
    });
    (measured, told.recv().expect("rates"))
}

fn rates(place: &Place, length: Duration) -> [u64; 4] {
    let counts = PAGES.map(|(_, wish, _)| count(place.clone(), wish));
    thread::sleep(OPENED);
    let now = || counts.each_ref().map(|count| count.load(Ordering::Relaxed));
    let (before, begun) = (now(), Instant::now());
    thread::sleep(length);
    let (after, seconds) = (now(), begun.elapsed().as_secs_f64());
    std::array::from_fn(|n| ((after[n] - before[n]) as f64 / seconds) as u64)
}

/// Counts the bytes of what a page is told.
fn count(place: Place, wish: &'static str) -> Arc<AtomicU64> {
    let sum = Arc::<AtomicU64>::default();
    let of_page = sum.clone();
    thread::spawn(move || {
        listen_to(place, wish, |text| {
            of_page.fetch_add(text.len() as u64, Ordering::Relaxed);
        });
    });
    sum
}
