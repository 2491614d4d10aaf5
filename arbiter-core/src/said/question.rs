//! What the arbiter asks and cannot work out: who can still mate from a position.

use alloc::{boxed::Box, string::String};

use crate::said::input::Input;
use crate::said::mating::Mating;

/// A position of which the arbiter asks who can mate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// The position. Its counters of moves mean nothing here.
    pub fen: String,
    /// Whether a result waits for it, so that it is worth a long search. Otherwise a quick look for
    /// a dead position is enough, which may leave both sides `unknown`.
    pub thorough: bool,
}

impl Question {
    /// The answer as an input. `None` when the position is none that the core could have asked for.
    pub fn answer(&self, white: Mating, black: Mating) -> Option<Input> {
        let fen = Box::new(self.fen.parse().ok()?);
        Some(Input::Mating {
            fen,
            white,
            black,
            quick: !self.thorough,
        })
    }
}
