//! What a page is sent is what it shows, and of that what has changed: in bytes a second, of a
//! fifth of a hall. `cargo bench -p tests --bench feed` measures a hundred boards.

use std::time::Duration;

use tests::rig::{PAGES, feed};

const BOARDS: u64 = 20;

#[test]
fn a_page_is_sent_no_more_than_its_goal() {
    let dir = tempfile::tempdir().expect("a directory");
    let (measured, rates) = feed(dir.path(), BOARDS as usize, Duration::from_secs(12));
    let [phone, glance, whole, all] = rates;
    println!("{measured}\n{rates:?}");
    // What one board tells does not grow with the hall; what all tell does.
    let most = |page: usize| PAGES[page].2.expect("a goal");
    assert!(phone <= most(0), "{phone}");
    assert!((1..=most(1) * BOARDS / 100).contains(&glance), "{glance}");
    assert!(phone < glance && glance < whole && whole < all, "{rates:?}");
}
