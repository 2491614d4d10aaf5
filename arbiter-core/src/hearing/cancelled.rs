//! What was done on the board while a game was cancelled: annulled, or given a result, by an order
//! that has been taken back.
//!
//! Where the order was a mistake that nobody at the board noticed, the players have played on, and
//! all of it is the game's. Where they heard of it, they have set up the pieces again, played
//! another game, or looked at what might have been played. Which of the two it was the evidence
//! tells, once, when the order is taken back: where pieces come back onto the board that stand as
//! in the array, more at once than any move puts there, or the clock was not pressed for any move,
//! and somebody is accused of what nobody was accused of before, or several half-moves were made,
//! it is none of the game's, and is passed over.

use alloc::vec::Vec;

use shakmaty::Square;

use super::Hearing;
use super::transcript::{Entry, Told};
use crate::game::Game;
use crate::game::docket::Act;
use crate::said::input::{ArbiterAction, Input};
use crate::said::symbol::{Reading, Symbol};
use crate::said::time::Time;

/// No move puts so many pieces onto the board: castling puts two.
const SET_UP: usize = 3;

/// Who plays makes no more half-moves than these without a press: a hurried reply, and the next.
const UNPRESSED: usize = 2;

/// A while in which a game was cancelled.
#[derive(Clone, Debug)]
pub(super) struct Cancellation {
    /// The entry that the annulment or the result is.
    order: u64,
    /// It was taken back after so many entries, and when.
    until: u64,
    pub(super) at: Time,
    /// Whether what the board showed meanwhile is none of the game's, once that is known.
    foreign: Option<bool>,
}

/// A game that has been cancelled for a while, as it is heard again.
pub(super) struct Meanwhile {
    /// Which [`Cancellation`] it is.
    pub(super) index: usize,
    /// Of what somebody had been accused before.
    known: Vec<Act>,
    /// What the board showed then, and what it shows of the array.
    then: Reading,
    array: Option<Reading>,
    /// The fewest pieces that stood on the board since.
    fewest: usize,
    is_set_up: bool,
    /// Half-moves that were completed before.
    completed: usize,
}

impl Meanwhile {
    /// The board shows `reading` after `entry`.
    pub(super) fn note(&mut self, entry: &Entry, reading: &Reading) {
        let count = pieces(reading);
        if matches!(entry.told, Told::Evidence(Input::Snapshot { .. })) {
            // What comes back with a whole reading may not have been read before.
            self.fewest = count;
        }
        self.fewest = self.fewest.min(count);
        self.is_set_up |= count - self.fewest >= SET_UP && self.home(reading) >= SET_UP;
    }

    /// So many squares read as in the array, and did not when the game was cancelled.
    fn home(&self, reading: &Reading) -> usize {
        let Some(array) = &self.array else { return 0 };
        let came = |sq: &Square| {
            let due = array.at(*sq);
            due != Symbol::Empty && reading.at(*sq) == due && self.then.at(*sq) != due
        };
        Square::ALL.into_iter().filter(came).count()
    }
}

fn pieces(reading: &Reading) -> usize {
    let occupied = |sq: &Square| reading.at(*sq) != Symbol::Empty;
    Square::ALL.into_iter().filter(occupied).count()
}

impl Hearing {
    /// The order that entry `n` is has been taken back: the game may have been cancelled by it.
    pub(super) fn note_cancelled(&mut self, n: u64) {
        let mut words = self.transcript.words().iter();
        let word = words.find(|word| word.n == n);
        let ends = |input: &Input| {
            let Input::Arbiter(action) = input else {
                return false;
            };
            matches!(
                action,
                ArbiterAction::Annul { .. } | ArbiterAction::Result { .. }
            )
        };
        if word.is_some_and(|word| ends(word.input.plain())) {
            // Those that are not heard again are forgotten with their evidence.
            let forgotten = self.transcript.forgotten();
            self.cancellations.retain(|span| span.until >= forgotten);
            self.cancellations.push(Cancellation {
                order: n,
                until: self.transcript.count(),
                at: self.game.now(),
                foreign: None,
            });
        }
    }

    /// Whether what the board showed at entry `n` is none of the game's.
    pub(super) fn is_foreign(&self, n: u64) -> bool {
        let mut spans = self.cancellations.iter();
        spans.any(|span| span.foreign == Some(true) && (span.order..span.until).contains(&n))
    }

    /// The cancellation that ends before entry `n`, where what was done meanwhile is passed over.
    pub(super) fn foreign_until(&self, n: u64) -> Option<&Cancellation> {
        let mut spans = self.cancellations.iter();
        spans.find(|span| span.foreign == Some(true) && span.until == n)
    }

    /// Whether the game is cancelled by entry `n`, which has just been taken back.
    pub(super) fn is_to_be_settled(&self, n: u64) -> bool {
        let mut spans = self.cancellations.iter();
        spans.any(|span| span.order == n && span.foreign.is_none())
    }

    /// The game is cancelled by entry `n`; the board shows `reading`. One that was over, or
    /// stopped, hears nothing of what is done then.
    pub(super) fn cancelled_by(&self, n: u64, game: &Game, reading: &Reading) -> Option<Meanwhile> {
        let index = self.cancellations.iter().position(|span| span.order == n)?;
        (!game.is_idle()).then(|| Meanwhile {
            index,
            known: game.accusations(),
            then: *reading,
            array: game.array_read(),
            fewest: pieces(reading),
            is_set_up: false,
            completed: game.completed(),
        })
    }

    /// Whether what was done while the game was cancelled is none of its, as far as it was heard.
    pub(super) fn is_none_of(&self, game: &Game, meanwhile: &Meanwhile) -> bool {
        // Who has pressed for a move since has played on, whatever he does then.
        meanwhile.is_set_up
            || game.accuses_anew(0, &meanwhile.known) && !game.was_pressed_for(meanwhile.completed)
    }

    /// Whether nobody at all played while the game was cancelled, now that all of it was heard:
    /// pieces were moved to and fro beside a clock that stood.
    pub(super) fn is_only_looked_at(&self, game: &Game, meanwhile: &Meanwhile) -> bool {
        game.unpressed() > UNPRESSED && !game.was_pressed_for(meanwhile.completed)
    }

    /// What was done while the game was cancelled belonged to it: that is known from now on,
    /// whatever follows.
    pub(super) fn settle_cancellations(&mut self) {
        for span in &mut self.cancellations {
            span.foreign.get_or_insert(false);
        }
    }

    /// What was done then was none of its.
    pub(super) fn set_foreign(&mut self, index: usize) {
        self.cancellations[index].foreign = Some(true);
    }
}
