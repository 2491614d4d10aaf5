//! When a board's silence means something.

use std::time::Instant;

use arbiter_core::{Event, Input, Time};

use super::Session;
use super::begin::Named;

impl Session {
    /// When [`Session::wake`] is to be called if nothing comes until then.
    pub(super) fn wake_at(&self) -> Option<Instant> {
        let tick = self.due_tick().and_then(|wake| self.timeline.passes(wake));
        let next = self
            .next_game
            .wake()
            .and_then(|wake| self.timeline.passes(wake));
        let calm = self.babble.wake();
        let obeys = self.timeline.waits(Instant::now());
        tick.into_iter().chain(next).chain(calm).chain(obeys).min()
    }

    /// Whether orders are carried out now, and not only once the board has told what it has kept:
    /// who stops the game means the one that has gone on until now.
    pub(super) fn obeys(&self) -> bool {
        self.timeline.waits(Instant::now()).is_none()
    }

    fn due_tick(&self) -> Option<Time> {
        self.arbiter
            .next_wake()
            .filter(|wake| self.ticked.is_none_or(|ticked| ticked < *wake))
    }

    /// The board tells of the time `at`: silences before it are proved by that, and what they mean
    /// is known first.
    pub(super) fn pass(&mut self, at: Time) {
        while let Some(wake) = self.due_tick().filter(|wake| *wake < at) {
            self.tick(wake, wake + 1);
        }
    }

    fn tick(&mut self, wake: Time, at: Time) {
        self.tell(Event {
            at,
            input: Input::Tick,
        });
        self.ticked = Some(wake);
    }

    /// A moment named by [`Session::wake_at`] has come.
    pub(super) async fn wake(&mut self) {
        let now = Instant::now();
        self.calm_down(now).await;
        let is_past = |wake: &Time| {
            self.timeline
                .passes(*wake)
                .is_some_and(|moment| moment <= now)
        };
        if let Some(wake) = self.due_tick().filter(is_past) {
            let at = self.timeline.tick(wake);
            return self.tick(wake, at);
        }
        if let Some(wake) = self.next_game.wake().filter(is_past) {
            if self.is_of_a_round() {
                // Whoever sets pieces up need not be about to play.
                self.next_game.wait();
                return;
            }
            let at = self.timeline.tick(wake);
            self.begin(self.next_game.begins(at), Named::default())
                .await;
        }
    }
}

pub(super) async fn sleep_until(moment: Option<Instant>) {
    match moment {
        Some(moment) => tokio::time::sleep_until(moment.into()).await,
        None => std::future::pending().await,
    }
}
