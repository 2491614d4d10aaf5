//! What pages are sent by 100 boards at the pace of real hands: `cargo bench -p tests --bench
//! feed`.
//!
//! Needs the daemon of the same profile: `cargo build --release -p daemon`. Fails where a page is
//! sent more than its goal.

use std::process::ExitCode;
use std::time::Duration;

use tests::rig::{PAGES, feed};

const BOARDS: usize = 100;
const LENGTH: Duration = Duration::from_secs(60);

fn main() -> ExitCode {
    let dir = tempfile::tempdir().expect("a directory");
    let (measured, rates) = feed(dir.path(), BOARDS, LENGTH);
    println!("{BOARDS} boards: {measured}");
    let mut kept = true;
    for ((page, _, goal), rate) in PAGES.into_iter().zip(rates) {
        let of = goal.map_or_else(String::new, |goal| format!(" (goal: {goal})"));
        println!("{page}: {rate} bytes a second{of}");
        kept &= rate > 0 && goal.is_none_or(|goal| rate <= goal);
    }
    ExitCode::from(u8::from(!kept))
}
