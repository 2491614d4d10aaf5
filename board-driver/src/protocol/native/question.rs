//! Who is there? A hello counts only when it answers what was asked on this line: others may have
//! lain in it since long before it was opened.

use board_wire::{Hello, ToBoard};

use super::say;
use crate::protocol::Outbox;

/// The question, and what has come of it.
#[derive(Debug)]
pub(super) struct Question {
    /// What the answer of a board of version 2 or later repeats.
    nonce: u32,
    version_1: Version1,
    /// It is the question of a host that knows version 1 only and believes what comes first.
    believes: bool,
}

/// Boards of version 1 do not say what they answer. They are asked twice, the second time when all
/// that lay in the line has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Version1 {
    Unheard,
    /// A hello came, old or new.
    Heard,
    /// And it was asked again since: the next one is new.
    AskedAgain,
}

impl Question {
    /// A question that no host has asked: `seed` differs from run to run of the program.
    pub(super) fn new(seed: u32) -> Question {
        Question {
            nonce: seed,
            version_1: Version1::Unheard,
            believes: false,
        }
    }

    /// Another one: nothing that has been said so far answers it.
    pub(super) fn renew(&mut self) {
        // 0 answers hosts of version 1.
        *self = Question::new(self.nonce.wrapping_add(1).max(1));
    }

    /// Asks, in the words of both versions: a board answers what it understands last.
    pub(super) fn ask(&mut self, out: &mut Outbox) {
        if self.version_1 == Version1::Heard {
            self.version_1 = Version1::AskedAgain;
        }
        say(ToBoard::RequestHello { nonce: None }, out);
        let nonce = Some(self.nonce);
        say(ToBoard::RequestHello { nonce }, out);
    }

    /// Takes over the question of the host that was there when what is played was recorded: one of
    /// version 1 asked in one form only.
    pub(super) fn overhear(&mut self, nonce: Option<u32>) {
        self.believes = nonce.is_none();
        self.nonce = nonce.unwrap_or(self.nonce);
    }

    /// Whether this is its answer.
    pub(super) fn is_answered_by(&mut self, hello: &Hello) -> bool {
        match (hello.nonce, self.version_1) {
            (Some(nonce), _) => nonce == self.nonce,
            (None, Version1::AskedAgain) => true,
            (None, _) if self.believes => true,
            (None, _) => {
                self.version_1 = Version1::Heard;
                false
            }
        }
    }
}
