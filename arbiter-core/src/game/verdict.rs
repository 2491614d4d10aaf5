//! Results, before they are told: what is declared, and a loss that may turn on a question.

use alloc::vec::Vec;

use shakmaty::{ByColor, Chess, Color};

use crate::said::irregularity::Article;
use crate::said::mating::Mating;
use crate::said::ruling::{GameResult, ResultReason};

/// A result to be declared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Verdict {
    pub(crate) result: GameResult,
    /// Whether a human must confirm it.
    pub(crate) proposed: bool,
    pub(crate) reason: ResultReason,
    pub(crate) article: Article,
    /// Whose doing it follows from: he may be spared.
    pub(crate) loser: Color,
}

/// `loser` loses, unless the Laws spare him because his opponent cannot mate, or the game had ended
/// before.
#[derive(Clone, Debug)]
pub(crate) struct Loss {
    pub(crate) loser: Color,
    pub(crate) reason: ResultReason,
    pub(crate) article: Article,
    /// Whether it is a draw when the opponent cannot mate.
    pub(crate) spared: bool,
    /// The position it turns on.
    pub(crate) pos: Chess,
}

impl Loss {
    /// Whether the game is over whatever the answer: only an offence leaves it to the arbiter.
    pub(crate) fn ends_play(&self) -> bool {
        self.reason != ResultReason::ForfeitIllegalMoves
    }

    /// This result of it.
    pub(crate) fn with(&self, result: GameResult, proposed: bool) -> Verdict {
        let Loss {
            loser,
            reason,
            article,
            ..
        } = *self;
        Verdict {
            result,
            proposed,
            reason,
            article,
            loser,
        }
    }
}

/// Answers kept; older ones would have to be asked for again.
const KEPT: usize = 16;

/// Who can mate from a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer {
    /// The position, as in [`crate::chess::position::key`].
    pub(crate) key: u64,
    pub(crate) mating: ByColor<Mating>,
    /// Only a quick look was taken.
    pub(crate) quick: bool,
}

/// What was answered, newest last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answers(Vec<Answer>);

impl Answers {
    /// What is known of a position.
    pub(crate) fn of(&self, key: u64) -> Option<&Answer> {
        self.0.iter().rev().find(|answer| answer.key == key)
    }

    /// Keeps an answer instead of an older one.
    pub(crate) fn keep(&mut self, new: Answer) {
        self.0.retain(|answer| answer.key != new.key);
        if self.0.len() == KEPT {
            self.0.remove(0);
        }
        self.0.push(new);
    }
}
