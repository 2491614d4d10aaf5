//! The lamps, one group after the other: whoever looks on sees which of them stays dark.

use arbiter_core::shakmaty::{Bitboard, File, Rank};

/// Each group is lit for so many ticks.
const TICKS: u32 = 2;

/// Where the test is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LampTest {
    /// The next group; `None` when nobody wants to see any.
    step: Option<u32>,
    waited: u32,
    has_lamps: bool,
    has_lit: bool,
    done: bool,
}

impl LampTest {
    /// From the first rank.
    pub(super) fn begin() -> LampTest {
        LampTest {
            step: Some(0),
            ..LampTest::default()
        }
    }

    /// The board has said whether it has lamps.
    pub(super) fn up(&mut self, has_lamps: bool) {
        self.has_lamps = has_lamps;
    }

    /// The squares to be lit from now on, if they are others than before.
    pub(super) fn tick(&mut self) -> Option<u64> {
        let step = self.step.filter(|_| self.has_lamps)?;
        if self.waited > 0 {
            self.waited -= 1;
            return None;
        }
        self.waited = TICKS - 1;
        self.has_lit = true;
        let group = group(step);
        self.step = group.is_some().then_some(step + 1);
        self.done |= group.is_none();
        Some(group.map_or(Bitboard::EMPTY, |(squares, _)| squares).0)
    }

    /// What is lit, in words.
    pub(super) fn words(&self) -> Option<String> {
        let step = self.step?;
        if !self.has_lamps {
            return Some("the board has no lamps".to_owned());
        }
        Some(format!("{} is lit", group(step.checked_sub(1)?)?.1))
    }

    /// Whether every lamp was lit once.
    pub(super) fn is_done(&self) -> bool {
        self.done
    }

    /// Whether any was lit.
    pub(super) fn has_lit(&self) -> bool {
        self.has_lit
    }
}

/// The groups: ranks, files, everything.
fn group(step: u32) -> Option<(Bitboard, String)> {
    match step {
        0..8 => Some((Rank::new(step).into(), format!("rank {}", Rank::new(step)))),
        8..16 => Some((
            File::new(step - 8).into(),
            format!("file {}", File::new(step - 8)),
        )),
        16 => Some((Bitboard::FULL, "everything".to_owned())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_lamp_is_lit_and_put_out() {
        let mut test = LampTest::begin();
        assert_eq!(test.tick(), None, "nobody knows of any lamps");
        test.up(true);
        let lit: Vec<u64> = (0..100).filter_map(|_| test.tick()).collect();
        assert_eq!(lit.len(), 18);
        assert_eq!(lit[..16].iter().fold(0, |all, group| all | group), u64::MAX);
        assert_eq!(lit[16..], [u64::MAX, 0]);
        assert!(test.is_done() && test.has_lit() && test.words().is_none());
    }
}
