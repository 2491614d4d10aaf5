//! What a simulated board keeps: a ring of entries, oldest first.

use crate::protocol::dgt::log::{Mark, Token};
use crate::protocol::dgt::square::Content;

/// Bytes that it holds.
const HOLDS: usize = 0x1f00;

/// Changes closer together than this, in milliseconds, are marked as fast.
const FAST: u64 = 250;

/// Pieces that must have left before the next array counts as another one.
const LEFT: usize = 2;

/// The memory. It survives the loss of power.
#[derive(Debug, Default)]
pub(super) struct Memory {
    bytes: Vec<u8>,
    /// Bytes that were dropped, so that places stay what they are.
    dropped: usize,
    last_change: Option<u64>,
    array: bool,
    /// Places: the last start of a game, and up to where a host on a bus has heard, now and the
    /// time before.
    start: usize,
    heard: usize,
    heard_before: usize,
}

impl Memory {
    fn push(&mut self, token: Token) {
        token.write(&mut self.bytes);
        if self.bytes.len() > HOLDS {
            let over = self.bytes.len() - HOLDS;
            self.bytes.drain(..over);
            self.dropped += over;
        }
    }

    /// A square holds something else; `squares` is how all of them stand now.
    pub(super) fn change(
        &mut self,
        ms: u64,
        square: u8,
        content: Content,
        squares: &[Content; 64],
        array: &[Content; 64],
    ) {
        let fast = self
            .last_change
            .is_some_and(|last| ms.saturating_sub(last) < FAST);
        self.last_change = Some(ms);
        self.push(Token::Field {
            square,
            content,
            fast,
        });
        let differ = squares.iter().zip(array).filter(|(a, b)| a != b).count();
        if differ == 0 && !self.array {
            self.array = true;
            self.push(Token::Mark(Mark::Array));
        } else if differ > 2 * LEFT {
            self.array = false;
        }
    }

    /// The lever was moved.
    pub(super) fn stopped(&mut self, token: Token) {
        self.push(token);
    }

    /// The board looks at its squares anew: it was switched on, or a host marked the start of a
    /// game.
    pub(super) fn begin(&mut self, mark: Mark, squares: &[Content; 64], array: &[Content; 64]) {
        if mark == Mark::Start {
            self.start = self.dropped + self.bytes.len();
        }
        self.push(Token::Mark(mark));
        for (square, content) in (0..)
            .zip(squares)
            .filter(|(_, content)| **content != Content::Empty)
        {
            self.push(Token::Field {
                square,
                content: *content,
                fast: true,
            });
        }
        self.array = squares == array;
        if self.array {
            self.push(Token::Mark(Mark::Array));
        }
        self.last_change = None;
    }

    /// All of it, with its end.
    pub(super) fn download(&mut self) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        Token::Mark(Mark::End).write(&mut bytes);
        self.push(Token::Mark(Mark::Downloaded));
        bytes
    }

    fn since(&self, place: usize) -> Vec<u8> {
        self.bytes[place.saturating_sub(self.dropped).min(self.bytes.len())..].to_vec()
    }

    /// What was added since this was last asked.
    pub(super) fn changes(&mut self) -> Vec<u8> {
        self.heard_before = self.heard;
        self.heard = self.dropped + self.bytes.len();
        self.since(self.heard_before)
    }

    /// The same once more.
    pub(super) fn repeat(&self) -> Vec<u8> {
        let upto = self.heard.saturating_sub(self.heard_before);
        self.since(self.heard_before)
            .into_iter()
            .take(upto)
            .collect()
    }

    /// Everything since the last start.
    pub(super) fn since_start(&mut self) -> Vec<u8> {
        self.heard = self.dropped + self.bytes.len();
        self.since(self.start)
    }
}
