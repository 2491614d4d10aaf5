//! `arbiterd verify` beside the daemon: somebody who looks through the store all the time, and
//! finds no fault in it, whoever is writing or was killed.

use std::path::Path;
use std::time::Duration;

use daemon::store::{FILE, verify};

use crate::fill_disk::if_room;
use crate::meanwhile::Enough;

/// Between two looks.
const PAUSE: Duration = Duration::from_millis(1_500);

/// Looks through the store in `dir` until it is enough; how often.
pub(crate) fn look(dir: &Path, enough: &Enough) -> u32 {
    let mut looks = 0;
    while enough.not_yet(PAUSE) {
        if !dir.join(FILE).exists() {
            continue;
        }
        let Some((games, wrong)) = if_room(verify(dir)) else {
            continue;
        };
        let damaged: Vec<_> = games.iter().filter(|game| game.damage.is_some()).collect();
        assert!(
            damaged.is_empty() && wrong.is_empty(),
            "{damaged:?}, {wrong:?}"
        );
        looks += 1;
    }
    looks
}
