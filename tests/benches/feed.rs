//! What pages are sent by 100 boards at the pace of real hands: `cargo bench -p tests --bench
//! feed`.
//!
//! Needs the daemon of the same profile: `cargo build --release -p daemon`. Fails where a page is
//! sent more than its goal.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use tests::rig::{Place, Race, listen_to, measure_beside};

const BOARDS: usize = 100;
const LENGTH: Duration = Duration::from_secs(60);
/// What a page is told when it opens is not counted.
const OPENED: Duration = Duration::from_secs(3);

/// A page, what it asks for, and the most that it is to be sent, in bytes a second.
const PAGES: [(&str, &str, Option<u64>); 4] = [
    (
        "a phone on one board",
        "?rest=needs&watch=b001",
        Some(2_000),
    ),
    ("all boards at a glance", "?rest=card", Some(15_000)),
    ("all boards in whole, what changes", "?rest=whole", None),
    ("a client that says nothing", "", None),
];

fn main() -> ExitCode {
    let dir = tempfile::tempdir().expect("a directory");
    let race = Race {
        boards: BOARDS,
        pace: 1.0,
        length: LENGTH + OPENED,
        round: false,
        tls: false,
    };
    let (tell, told) = channel();
    let measured = measure_beside(dir.path(), race, move |place| {
        let _nobody = tell.send(rates(&place));
    });
    let rates = told.recv().expect("rates");
    println!("{BOARDS} boards: {measured}");
    let mut kept = true;
    for ((page, _, goal), rate) in PAGES.into_iter().zip(rates) {
        let of = goal.map_or_else(String::new, |goal| format!(" (goal: {goal})"));
        println!("{page}: {rate} bytes a second{of}");
        kept &= rate > 0 && goal.is_none_or(|goal| rate <= goal);
    }
    ExitCode::from(u8::from(!kept))
}

/// How many bytes a second each page is sent.
fn rates(place: &Place) -> [u64; 4] {
    let counts = PAGES.map(|(_, wish, _)| count(place.clone(), wish));
    thread::sleep(OPENED);
    let now = || counts.each_ref().map(|count| count.load(Ordering::Relaxed));
    let (before, begun) = (now(), Instant::now());
    thread::sleep(LENGTH);
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
