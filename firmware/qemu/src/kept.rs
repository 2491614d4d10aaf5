//! What is kept in RAM over a restart: two words that start-up code leaves alone, and that check
//! one another.
//!
//! After a loss of power they hold anything, and the check says so.

use core::sync::atomic::{AtomicU32, Ordering};

use firmware::report::Controls;

#[unsafe(link_section = ".uninit.kept")]
#[expect(
    unsafe_code,
    reason = "any bits are valid in it; the second word says whether they mean something"
)]
static KEPT: [AtomicU32; 2] = [AtomicU32::new(0), AtomicU32::new(0)];

/// The run before this one.
#[derive(Clone, Copy)]
pub(crate) struct Kept {
    /// Its number.
    pub(crate) boot: u16,
    /// The lever and the buttons as its host was told last.
    pub(crate) controls: Option<Controls>,
}

/// Set where controls are kept.
const TOLD: u32 = 0x80;

/// No two words are like this by chance, and zeros are not.
fn check(word: u32) -> u32 {
    !word.rotate_left(13) ^ 0x5bd1_e995
}

impl Kept {
    /// What the run before has kept; `None` after a loss of power.
    pub(crate) fn find() -> Option<Kept> {
        let [word, second] = KEPT.each_ref().map(|word| word.load(Ordering::Relaxed));
        let lines = word & !TOLD & 0xff;
        let controls = (word & TOLD != 0).then(|| Controls::from_lines(u64::from(lines)));
        (second == check(word)).then_some(Kept {
            boot: (word >> 16) as u16,
            controls,
        })
    }

    pub(crate) fn keep(self) {
        let controls = self
            .controls
            .map_or(0, |controls| TOLD | controls.lines() as u32);
        let word = u32::from(self.boot) << 16 | controls;
        // A restart between the two is a loss of power; only a changed word is written at all.
        if KEPT[0].load(Ordering::Relaxed) != word || KEPT[1].load(Ordering::Relaxed) != check(word)
        {
            KEPT[0].store(word, Ordering::Relaxed);
            KEPT[1].store(check(word), Ordering::Relaxed);
        }
    }
}
