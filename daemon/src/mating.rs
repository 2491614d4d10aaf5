//! Who can still mate: what the arbiters of live boards ask, answered beside them.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use arbiter_core::{Input, Question};
pub use mating::{Follower, solve};
use tokio::sync::oneshot;

/// Threads that search. A hard position takes one of them a few seconds; the other answers for all
/// other boards.
const THREADS: usize = 2;

type Asked = (Question, oneshot::Sender<Option<Input>>);

/// Answers the questions of all boards on threads of its own. Cheap to clone; ends with its last
/// clone.
#[derive(Clone, Debug)]
pub struct Solver {
    questions: Sender<Asked>,
}

impl Solver {
    /// Starts the threads.
    pub fn start() -> std::io::Result<Solver> {
        let (questions, inbox) = channel();
        let inbox = Arc::new(Mutex::new(inbox));
        for n in 0..THREADS {
            let inbox = inbox.clone();
            // Nobody waits for their end: a search in progress would hold up the program's.
            std::thread::Builder::new()
                .name(format!("mating-{n}"))
                .spawn(move || serve(&inbox))?;
        }
        Ok(Solver { questions })
    }

    /// Asks. The answer comes when it is found; never, when the program ends before.
    pub fn ask(&self, question: Question) -> oneshot::Receiver<Option<Input>> {
        let (answer, found) = oneshot::channel();
        let _threads_end_with_the_program = self.questions.send((question, answer));
        found
    }
}

fn serve(inbox: &Mutex<Receiver<Asked>>) {
    loop {
        let next = inbox.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((question, answer)) = next else { return };
        let _session_may_have_gone = answer.send(solve(&question));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_solver_answers_from_beside() {
        let solver = Solver::start().unwrap();
        let question = Question {
            fen: "4k3/8/8/8/8/8/8/R3K3 w - - 0 1".to_owned(),
            thorough: true,
        };
        assert_eq!(solver.ask(question.clone()).await, Ok(solve(&question)));
    }
}
