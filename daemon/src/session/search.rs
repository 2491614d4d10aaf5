//! What the arbiter wants to know: asked beside the board, told when it is found.

use arbiter_core::{Input, Question};
use tokio::sync::oneshot;

use crate::mating::Solver;

/// The question of a board that is being searched. There is one at a time.
#[derive(Debug, Default)]
pub(super) struct Search {
    /// The last question asked: it is not asked again.
    last: Option<Question>,
    waiting: Option<oneshot::Receiver<Option<Input>>>,
}

impl Search {
    /// Asks `question`, unless the one before is still being searched: then it is asked after that.
    pub(super) fn ask(&mut self, question: Option<Question>, solver: &Solver) {
        if question.is_none() || self.waiting.is_some() || self.last == question {
            return;
        }
        self.waiting = question.clone().map(|question| solver.ask(question));
        self.last = question;
    }

    /// Waits for the answer. `None` when there is none to be had; never, when nothing was asked.
    /// May be called again and again.
    pub(super) async fn answer(&mut self) -> Option<Input> {
        let Some(waiting) = &mut self.waiting else {
            return std::future::pending().await;
        };
        let found = waiting.await;
        self.waiting = None;
        found.ok().flatten()
    }
}
