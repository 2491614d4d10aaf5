//! Which flags have fallen. What a clock shows when it is first heard is of a game before.

use super::clock::{Side, Times};

/// The flags that are known to have fallen.
#[derive(Clone, Debug, Default)]
pub(super) struct Flags {
    /// `None` before a clock was heard.
    fallen: Option<Vec<Side>>,
}

impl Flags {
    /// The flags that have fallen since the clock was last looked at.
    pub(super) fn news(&self, times: &Times) -> Vec<Side> {
        let is_news = |side: &Side| {
            let known = self.fallen.as_ref();
            known.is_some_and(|known| !known.contains(side))
        };
        times.fallen().filter(is_news).collect()
    }

    /// What the clock shows is known from now on.
    pub(super) fn look(&mut self, times: &Times) {
        self.fallen = Some(times.fallen().collect());
    }

    /// The same of a clock that nobody has looked at.
    pub(super) fn look_first(&mut self, times: &Times) {
        if self.fallen.is_none() {
            self.look(times);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::dgt::clock::Face;

    #[test]
    fn a_flag_falls_once_and_again_when_the_clock_was_set_anew() {
        let showing = |blocked| Times {
            right: Face {
                blocked,
                ..Face::default()
            },
            ..Times::default()
        };
        let mut flags = Flags::default();
        assert_eq!(flags.news(&showing(true)), [], "of the game before");
        flags.look_first(&showing(true));
        assert_eq!(flags.news(&showing(true)), []);
        for _ in 0..2 {
            flags.look(&showing(false));
            flags.look_first(&showing(true));
            assert_eq!(flags.news(&showing(true)), [Side::Right]);
            flags.look(&showing(true));
            assert_eq!(flags.news(&showing(true)), []);
        }
    }
}
