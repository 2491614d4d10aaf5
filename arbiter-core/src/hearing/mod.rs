//! The hearing of a game: everything it was told is kept, so that it can be heard again as if an
//! order had not been given, or under what the arbiter says was played.
//!
//! It stands above [`Game`] and knows nothing of how a game finds out what was played. A game is
//! heard again through a fresh one, and what has changed is told anew
//! ([`Game::tell_difference`]).

mod again;
mod cancelled;
mod coded;
mod moment;
#[cfg(test)]
mod tests;
mod transcript;

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::game::Game;
use crate::game::refusal::Refusal;
use crate::said::input::{ArbiterAction, Event, Input, Setup};
use crate::said::refused::Why;
use crate::said::ruling::{Announcement, Ruling};
use crate::said::time::Time;
use again::Imposition;
use cancelled::Cancellation;
use transcript::{Fate, Transcript};

/// Orders shown at most: the last.
const SHOWN: usize = 64;

/// How a game took an input.
#[derive(Debug)]
pub(crate) enum Taken {
    /// It heard it.
    Heard,
    /// It is an order that changes nothing.
    Refused,
    /// It says what was played, and no hypothesis holds that.
    Unheard,
}

/// A game, and all that it was told.
#[derive(Clone, Debug)]
pub(crate) struct Hearing {
    game: Game,
    transcript: Transcript,
    /// What the arbiter said was played, where the evidence had to be heard again for it.
    impositions: Vec<Imposition>,
    /// When the game was cancelled, and that was taken back.
    cancellations: Vec<Cancellation>,
    /// What was said last of a draw that can be claimed, and after how many plies.
    claimable: Option<(u32, Ruling)>,
}

impl Hearing {
    /// A game begins.
    pub(crate) fn new(setup: &Setup, at: Time) -> Hearing {
        let game = transcript::begin(setup, at);
        let reading = game.orientation().back().reading(&game.reading());
        Hearing {
            game,
            transcript: Transcript::new(at, reading),
            impositions: Vec::new(),
            cancellations: Vec::new(),
            claimable: None,
        }
    }

    /// The game as it was heard last.
    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    /// Nothing more will come: the game is summed up.
    pub(crate) fn finish(&mut self) {
        let changes = self.game.close();
        self.game.run(changes);
        self.game.say(Ruling::Summary(self.game.summary()));
    }

    /// Time passes, up to `until` or until it is asked whether the game has ended.
    pub(crate) fn wait(&mut self, until: Time) {
        self.game.pass_time(until);
        if !self.game.is_next_due() {
            self.game.advance(until);
        }
    }

    /// The starting position was set up again, and the game has not ended: it is heard again, and
    /// that is not asked any more.
    pub(crate) fn go_on(&mut self) {
        self.game.go_on();
        self.hear_again();
    }

    /// An order is about what is not kept any more.
    pub(crate) fn refuse_as_too_far_back(&mut self, order: Option<&str>) {
        self.refuse(
            order,
            &Refusal::of(Why::OrderForgotten, order.unwrap_or("")),
        );
    }

    /// Takes one input, to whose time it has waited.
    pub(crate) fn take(&mut self, event: &Event) {
        match event.input.plain() {
            Input::Tick => {}
            Input::Arbiter(ArbiterAction::TakeBack { order }) => self.take_back(order),
            _ => self.take_anything(event),
        }
    }

    /// What was said since it was asked last.
    pub(crate) fn told(&mut self) -> impl Iterator<Item = Announcement> {
        let plies = self.game.plies_told();
        let claimable = &mut self.claimable;
        self.game.told().inspect(move |said| {
            if let Ruling::DrawClaimable { .. } = said.ruling {
                *claimable = Some((plies, said.ruling.clone()));
            }
        })
    }

    fn take_anything(&mut self, event: &Event) {
        if let Some(name) = event.input.order()
            && self.transcript.find(name).is_some()
        {
            return self.refuse(Some(name), &Refusal::of(Why::NameTaken, name));
        }
        // A time that lies before the one before it counts as equal to it.
        let now = self.game.now();
        match self.game.take(event) {
            Taken::Heard => {
                self.transcript.keep(now, &event.input, &self.game);
                self.note_answer();
            }
            Taken::Refused => self.transcript.keep_moment(now, &self.game),
            Taken::Unheard => self.impose(now, &event.input),
        }
    }

    /// Remembers how a claim was answered.
    fn note_answer(&mut self) {
        let accepted = self.game.answer_told();
        let last = self.transcript.words().len().wrapping_sub(1);
        if let (Some(accepted), Some(word)) = (accepted, self.transcript.word_mut(last))
            && let Input::Claim { .. } = word.input.plain()
        {
            word.accepted = Some(accepted);
        }
    }

    fn refuse(&mut self, order: Option<&str>, refusal: &Refusal) {
        let given = match refusal.why {
            Why::NoOrder | Why::TakenBack | Why::OrderForgotten => self.names(),
            _ => Vec::new(),
        };
        self.game.refuse(order, refusal, given);
    }

    /// The orders that can be taken back.
    fn names(&self) -> Vec<String> {
        let words = self.transcript.words().iter();
        let given = words.filter(|word| word.fate == Fate::Heard);
        given
            .filter_map(|word| word.input.order())
            .map(str::to_string)
            .collect()
    }

    /// Whether an order of this name was given.
    pub(crate) fn knows(&self, order: &str) -> bool {
        self.transcript.find(order).is_some()
    }

    /// The orders that have effect and can be taken back, the last of very many.
    pub(crate) fn orders(&self) -> Vec<Event> {
        let mut orders = Vec::new();
        for word in self.transcript.words().iter().rev() {
            if word.fate == Fate::Heard && word.input.order().is_some() && orders.len() < SHOWN {
                let (at, input) = (word.at, word.input.clone());
                orders.push(Event { at, input });
            }
        }
        orders.reverse();
        orders
    }

    /// The game is from now on as if that order had not been given.
    fn take_back(&mut self, order: &str) {
        let found = self.transcript.find(order);
        let Some(word) = found.and_then(|index| self.transcript.word_mut(index)) else {
            let forgotten = self.transcript.forgotten() > 0;
            let why = if forgotten {
                Why::OrderForgotten
            } else {
                Why::NoOrder
            };
            return self.refuse(Some(order), &Refusal::of(why, order));
        };
        let (n, fate) = (word.n, word.fate);
        let why = match fate {
            Fate::TakenBack => Why::TakenBack,
            Fate::Void => Why::NoOrder,
            Fate::Heard if self.is_beyond_recall(n) => Why::OrderForgotten,
            Fate::Heard => {
                self.forget(n);
                self.note_cancelled(n);
                return self.hear_again();
            }
        };
        self.refuse(Some(order), &Refusal::of(why, order));
    }

    /// The order that is entry `n` is heard no more. What was said to be played later is placed
    /// anew: the game may be another.
    fn forget(&mut self, n: u64) {
        let mut words = self.transcript.words().iter();
        let index = words.position(|word| word.n == n);
        if let Some(word) = index.and_then(|index| self.transcript.word_mut(index)) {
            word.fate = Fate::TakenBack;
        }
        let forgotten = self.transcript.forgotten();
        self.impositions
            .retain(|imposition| imposition.order < n || imposition.after < forgotten);
    }

    /// The order that was kept last is refused after all.
    fn unsay(&mut self, order: Option<&str>, refusal: &Refusal) {
        self.transcript.unsay();
        let count = self.transcript.count();
        self.impositions
            .retain(|imposition| imposition.order + 1 < count);
        self.refuse(order, refusal);
    }

    /// The arbiter says that something was played which no hypothesis holds.
    fn impose(&mut self, at: Time, input: &Input) {
        let Input::Arbiter(ArbiterAction::Played { ply, uci }) = *input.plain() else {
            return;
        };
        let order = (self.transcript.count(), ply, uci);
        match Imposition::place(&self.transcript, &self.game, order) {
            Ok(imposition) => {
                let after = imposition.after;
                self.impositions.push(imposition);
                self.transcript.keep(at, input, &self.game);
                // To keep it, something may have been given up.
                match after < self.transcript.forgotten() {
                    true => self.unsay(input.order(), &Refusal::of(Why::PlyForgotten, ply)),
                    false => self.hear_again_for_last(),
                }
            }
            Err(refusal) => {
                self.refuse(input.order(), &refusal);
                self.transcript.keep_moment(at, &self.game);
            }
        }
    }
}
