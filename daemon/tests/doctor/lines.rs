//! What a program says, line by line.

use std::io::{BufRead, BufReader, Read};
use std::sync::mpsc::{Receiver, channel};

use crate::PATIENCE;

/// The lines of a program, as they come.
pub(crate) struct Lines(Receiver<String>);

impl Lines {
    pub(crate) fn of(from: impl Read + Send + 'static) -> Lines {
        let (to, lines) = channel();
        std::thread::spawn(move || {
            let mut lines = BufReader::new(from).lines().map_while(Result::ok);
            while lines.next().is_some_and(|line| to.send(line).is_ok()) {}
        });
        Lines(lines)
    }

    #[track_caller]
    pub(crate) fn wait_for(&self, words: &str) {
        let mut before = Vec::new();
        loop {
            let line = self
                .0
                .recv_timeout(PATIENCE)
                .unwrap_or_else(|e| panic!("{words}: {e} after {before:#?}"));
            if line.contains(words) {
                return;
            }
            before.push(line);
        }
    }
}
