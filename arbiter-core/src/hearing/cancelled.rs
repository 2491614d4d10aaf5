//! What was done on the board while a game was cancelled, its annulment having been taken back.
//!
//! Where the annulment was a mistake that nobody at the board noticed, the players have played on,
//! and all of it is the game's. Where they heard of it, they have set up the pieces again, or
//! played another game. Which of the two it was the evidence tells: where it accuses somebody of
//! what nobody was accused of before, it is none of the game's, and is passed over.

use alloc::vec::Vec;

use shakmaty::Square;

use super::Hearing;
use super::transcript::{Entry, Told, Word};
use crate::game::Game;
use crate::game::docket::Act;
use crate::said::input::{ArbiterAction, Input};
use crate::said::symbol::{Reading, Symbol};
use crate::said::time::Time;

/// No move puts so many pieces onto the board: castling puts two.
const SET_UP: usize = 3;

/// A while in which a game was cancelled.
#[derive(Clone, Debug)]
pub(super) struct Cancellation {
    /// The entry that the annulment is.
    pub(super) order: u64,
    /// It was taken back after so many entries, and when.
    pub(super) until: u64,
    pub(super) at: Time,
    /// What the board showed meanwhile is none of the game's.
    pub(super) is_foreign: bool,
}

/// A game that has been cancelled for a while, as it is heard again.
pub(super) struct Meanwhile {
    /// Which [`Cancellation`] it is.
    pub(super) index: usize,
    /// Of what somebody had been accused before.
    known: Vec<Act>,
    /// The fewest pieces that stood on the board since.
    fewest: usize,
    /// So many have come back since then.
    back: usize,
}

impl Meanwhile {
    /// The board shows `reading` after `entry`.
    pub(super) fn note(&mut self, entry: &Entry, reading: &Reading) {
        let count = pieces(reading);
        match &entry.told {
            // What comes back with a whole reading may not have been read before.
            Told::Evidence(Input::Snapshot { .. }) => self.fewest = count,
            _ => {
                self.fewest = self.fewest.min(count);
                self.back = self.back.max(count - self.fewest);
            }
        }
    }
}

fn pieces(reading: &Reading) -> usize {
    let occupied = |sq: &Square| reading.at(*sq) != Symbol::Empty;
    Square::ALL.into_iter().filter(occupied).count()
}

impl Hearing {
    /// The order that `word` is has been taken back: the game may have been cancelled by it.
    pub(super) fn note_cancelled(&mut self, n: u64) {
        let annuls = |word: &Word| {
            word.n == n
                && matches!(
                    word.input.plain(),
                    Input::Arbiter(ArbiterAction::Annul { .. })
                )
        };
        if self.transcript.words().iter().any(annuls) {
            self.cancellations.push(Cancellation {
                order: n,
                until: self.transcript.count(),
                at: self.game.now(),
                is_foreign: false,
            });
        }
    }

    /// Whether what the board showed at entry `n` is none of the game's.
    pub(super) fn is_foreign(&self, n: u64) -> bool {
        let mut cancellations = self.cancellations.iter();
        cancellations.any(|span| span.is_foreign && (span.order..span.until).contains(&n))
    }

    /// The cancellation that ends before entry `n`, where what was done meanwhile is passed over.
    pub(super) fn foreign_until(&self, n: u64) -> Option<&Cancellation> {
        let mut cancellations = self.cancellations.iter();
        cancellations.find(|span| span.is_foreign && span.until == n)
    }

    /// The game is cancelled by entry `n`, which was taken back later; the board shows `reading`.
    pub(super) fn cancelled_by(&self, n: u64, game: &Game, reading: &Reading) -> Option<Meanwhile> {
        let mut cancellations = self.cancellations.iter();
        let index = cancellations.position(|span| span.order == n && !span.is_foreign)?;
        Some(Meanwhile {
            index,
            known: game.accusations(),
            fewest: pieces(reading),
            back: 0,
        })
    }

    /// Whether what was done while the game was cancelled, up to entry `n`, is none of its.
    pub(super) fn is_none_of(&self, game: &Game, meanwhile: &Meanwhile, n: u64) -> bool {
        let set_up = meanwhile.back >= SET_UP;
        let until = self.cancellations[meanwhile.index].until;
        (n < until || n == self.transcript.count())
            && (set_up || game.accuses_anew(0, &meanwhile.known))
    }
}
