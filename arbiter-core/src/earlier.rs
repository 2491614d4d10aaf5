//! The game before: it has no result, and the next one has begun on its board.

use alloc::vec::Vec;

use crate::arbiter::Sink;
use crate::hearing::Hearing;
use crate::said::input::{Event, Input, Setup};
use crate::said::orientation::Orientation;
use crate::said::time::Time;

/// What is kept of the game that followed, in case the one before goes on after all. A blitz game
/// has a thousand events; whoever answers later than that enters a result.
const MOST_HEARD: usize = 2_048;

/// A game of which it has been asked whether it has ended.
#[derive(Clone, Debug)]
pub(crate) struct Earlier {
    hearing: Hearing,
    /// What was heard since, of the next game; `None` when it was too much to be kept.
    since: Option<Vec<Event>>,
}

impl Earlier {
    /// `hearing` has been asked about.
    pub(crate) fn new(hearing: Hearing) -> Earlier {
        Earlier {
            hearing,
            since: Some(Vec::new()),
        }
    }

    /// How the next game on its board is set up. Its name is that of the first one with a number.
    pub(crate) fn next_setup(&self, first: &str, number: u32, lies: Orientation) -> Setup {
        let game = self.hearing.game();
        Setup {
            game: alloc::format!("{first}-{number}"),
            turned: lies,
            ..game.setup().clone()
        }
    }

    /// Whether it is not known how it ended.
    pub(crate) fn is_open(&self) -> bool {
        self.hearing.game().is_asked()
    }

    /// Whether an input is about this game: an order that names it.
    pub(crate) fn is_meant(&self, input: &Input) -> bool {
        let Input::Arbiter(action) = input.plain() else {
            return false;
        };
        action
            .game()
            .is_some_and(|name| name == self.hearing.game().setup().game)
    }

    /// Something is heard of the game that followed.
    pub(crate) fn note(&mut self, event: &Event) {
        match &mut self.since {
            Some(since) if since.len() < MOST_HEARD => since.push(event.clone()),
            since => *since = None,
        }
    }

    /// The arbiter says how the game ended. If that is refused, it is asked still.
    pub(crate) fn end(&mut self, event: &Event, sink: &mut impl Sink) {
        self.hearing.wait(event.at);
        self.hearing.take(event);
        self.hearing.told().for_each(|told| sink.announce(told));
    }

    /// Nobody has said how it ended: it is summed up as it stands.
    pub(crate) fn finish(mut self, sink: &mut impl Sink) {
        self.hearing.finish();
        self.hearing.told().for_each(|told| sink.announce(told));
    }

    /// The game goes on: what was taken for the next one belongs to it. `None` where that was too
    /// much to be kept.
    pub(crate) fn go_on(mut self, at: Time) -> Option<Hearing> {
        let since = self.since.take()?;
        self.hearing.go_on();
        for event in &since {
            self.hearing.wait(event.at);
            self.hearing.take(event);
        }
        self.hearing.wait(at);
        Some(self.hearing)
    }

    /// Whether enough is kept for it to go on.
    pub(crate) fn can_go_on(&self) -> bool {
        self.since.is_some()
    }
}
