//! Who says what a hall has written down: the hall itself, on the line, or who reads what a carrier
//! has kept.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use replica::{Place, Word};
use tokio::sync::mpsc::{self, UnboundedSender};
use tokio::sync::oneshot;

use super::Letter;
use crate::hub::message::{FromHall, Kept, ToHall};

/// A hall on the line.
#[derive(Debug)]
pub struct Guest {
    pub(super) inbox: mpsc::Sender<Letter>,
    pub(super) is_taken: Arc<AtomicBool>,
}

impl Guest {
    /// Hands on what it says; what it is to be told goes to `answers`. `false`: nobody listens any
    /// more.
    pub async fn says(&self, words: FromHall, answers: &UnboundedSender<ToHall>) -> bool {
        let letter = Letter::Words(words, answers.clone());
        self.inbox.send(letter).await.is_ok()
    }

    /// It has hung up.
    pub async fn leaves(self) {
        let _ended = self.inbox.send(Letter::Gone).await;
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        // Where it could not take its leave.
        let _full = self.inbox.try_send(Letter::Gone);
        self.is_taken.store(false, Ordering::Release);
    }
}

/// Who takes what a carrier has kept of a hall, whether that is on the line or not.
#[derive(Clone, Debug)]
pub(in crate::hub) struct Reader(pub(super) mpsc::Sender<Letter>);

/// The program ends.
#[derive(Debug)]
pub(in crate::hub) struct Ended;

impl Reader {
    /// Up to where the hub has everything.
    pub(in crate::hub) async fn at(&self) -> Result<Option<Place>, Ended> {
        let (answer, answered) = oneshot::channel();
        self.0
            .send(Letter::Where(answer))
            .await
            .map_err(|_| Ended)?;
        answered.await.map_err(|_| Ended)
    }

    /// Takes what was kept; gives what the hall is to be told, once that is on the disk.
    pub(in crate::hub) async fn take(&self, kept: Kept) -> Result<Option<Word>, Ended> {
        let (answer, answered) = oneshot::channel();
        let letter = Letter::Kept(Box::new(kept), answer);
        self.0.send(letter).await.map_err(|_| Ended)?;
        answered.await.map_err(|_| Ended)
    }
}
