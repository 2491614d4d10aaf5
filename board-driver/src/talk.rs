//! A line on which one talks to a native board: what is said, and what is heard and when.

use std::time::Duration;

use board_wire::{Accumulator, FromBoard, Step, ToBoard, encode};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::{Instant, timeout_at};

use crate::transport::Line;

/// Something that the board has said.
#[derive(Clone, Debug)]
pub(crate) struct Heard {
    pub(crate) at: Instant,
    pub(crate) message: FromBoard,
}

/// The line, and everything heard that nobody has looked at.
pub(crate) struct Talk {
    line: Box<dyn Line>,
    accumulator: Accumulator<FromBoard>,
    waiting: Vec<Heard>,
    /// Why nothing more is heard.
    pub(crate) ended: Option<String>,
}

impl Talk {
    pub(crate) fn new(line: Box<dyn Line>) -> Talk {
        Talk {
            line,
            accumulator: Accumulator::default(),
            waiting: Vec::new(),
            ended: None,
        }
    }

    /// Says something.
    pub(crate) async fn say(&mut self, message: ToBoard) {
        self.write(encode(&message).as_bytes()).await;
    }

    /// Sends bytes as they are.
    pub(crate) async fn write(&mut self, bytes: &[u8]) {
        if let Err(error) = self.line.write_all(bytes).await {
            self.ended = Some(error.to_string());
        }
    }

    /// Forgets what was heard so far.
    pub(crate) fn forget(&mut self) {
        self.waiting.clear();
    }

    /// The next message for which `wanted` gives something, heard within `patience`. What came
    /// before it is forgotten.
    pub(crate) async fn hear<T>(
        &mut self,
        patience: Duration,
        mut wanted: impl FnMut(&Heard) -> Option<T>,
    ) -> Option<T> {
        let until = Instant::now() + patience;
        loop {
            while !self.waiting.is_empty() {
                let heard = self.waiting.remove(0);
                if let Some(found) = wanted(&heard) {
                    return Some(found);
                }
            }
            if !self.read(until).await {
                return None;
            }
        }
    }

    /// Everything heard within `patience`.
    pub(crate) async fn hear_all(&mut self, patience: Duration) -> Vec<Heard> {
        let mut all = Vec::new();
        let _never_found = self
            .hear(patience, |heard| {
                all.push(heard.clone());
                None::<()>
            })
            .await;
        all
    }

    /// Reads until something has come; `false` when the time is up, or the line has ended.
    async fn read(&mut self, until: Instant) -> bool {
        let mut buffer = [0; 512];
        let got = timeout_at(until, self.line.read(&mut buffer)).await;
        match got {
            Err(_) => false,
            Ok(Ok(0)) => self.end("the line was closed"),
            Ok(Err(error)) => self.end(&error.to_string()),
            Ok(Ok(len)) => {
                self.take(&buffer[..len]);
                true
            }
        }
    }

    fn end(&mut self, why: &str) -> bool {
        self.ended = Some(why.to_owned());
        false
    }

    fn take(&mut self, mut bytes: &[u8]) {
        let at = Instant::now();
        loop {
            bytes = match self.accumulator.feed(bytes) {
                Step::Partial => return,
                Step::Damaged(_, rest) => rest,
                Step::Message(message, rest) => {
                    self.waiting.push(Heard { at, message });
                    rest
                }
            };
        }
    }
}
