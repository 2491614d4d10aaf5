//! A board that says more than any board can have seen: its sensors are mad, or its program is. It
//! costs its own line only: neither the journal nor the log nor the feed takes all that, and the
//! other boards, which share a thread with it, do not wait.

use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use board_driver::{Command, LinkEvent};
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};

use super::Session;

/// What a board may say a second for long. Ten fingers do not change a hundred squares a second,
/// and no board reads itself so often.
const A_SECOND: NonZeroU32 = NonZeroU32::new(100).unwrap();
/// What it may say at once: all that it has kept while nobody listened.
const AT_ONCE: NonZeroU32 = NonZeroU32::new(8192).unwrap();
/// A board that has said too much is listened to again when it has been calm for so long.
const CALM: Duration = Duration::from_secs(2);
/// The rest between reports that nobody listens to: they wait in the line meanwhile.
const REST: Duration = Duration::from_millis(20);

/// How much a board says.
#[derive(Debug)]
pub(super) struct Babble {
    pace: DefaultDirectRateLimiter,
    /// Since when it is not listened to, as far as it has gone on until then.
    last: Option<Instant>,
    /// What was not listened to.
    ignored: u64,
    /// How it last came onto the line meanwhile.
    up: Option<LinkEvent>,
}

impl Default for Babble {
    fn default() -> Babble {
        Babble {
            pace: RateLimiter::direct(Quota::per_second(A_SECOND).allow_burst(AT_ONCE)),
            last: None,
            ignored: 0,
            up: None,
        }
    }
}

impl Babble {
    /// Whether the board is not listened to.
    pub(super) fn is_ignored(&self) -> bool {
        self.last.is_some()
    }

    /// When the board is listened to again, if it says nothing more.
    pub(super) fn wake(&self) -> Option<Instant> {
        self.last.map(|last| last + CALM)
    }

    /// Lets what is not listened to wait in the line.
    pub(super) async fn rest(&self) {
        if self.is_ignored() {
            tokio::time::sleep(REST).await;
        }
    }

    /// What the board says, if it is to be listened to. That its line is lost is always.
    fn hear(&mut self, event: LinkEvent, now: Instant) -> Option<LinkEvent> {
        if self.pace.check().is_err() {
            self.last = Some(now);
        }
        match event {
            LinkEvent::Down(_) => {
                self.up = None;
                Some(event)
            }
            event if self.last.is_none() => Some(event),
            event => {
                self.ignored += 1;
                if matches!(event, LinkEvent::Up { .. }) {
                    self.up = Some(event);
                }
                None
            }
        }
    }
}

impl Session {
    /// Hears what the board says, unless it says too much.
    pub(super) async fn listen(&mut self, event: LinkEvent) {
        let was_ignored = self.babble.is_ignored();
        if let Some(event) = self.babble.hear(event, Instant::now()) {
            self.hear(event).await;
        }
        if self.babble.is_ignored() && !was_ignored {
            tracing::warn!(board = self.parts.board.id, "board says too much");
            metrics::counter!("arbiter_faults_total").increment(1);
            self.faults.babbles = true;
            // Nothing may be made of the silence of whoever is not listened to.
            self.timeline.stop();
        }
    }

    /// Listens to the board again, when it has been calm. What it said meanwhile is lost; it is
    /// asked how it stands.
    pub(super) async fn calm_down(&mut self, now: Instant) {
        if self.babble.wake().is_none_or(|wake| wake > now) {
            return;
        }
        let ignored = std::mem::take(&mut self.babble.ignored);
        tracing::warn!(board = self.parts.board.id, ignored, "board is calm again");
        metrics::counter!("arbiter_reports_lost_total").increment(ignored);
        (self.babble.last, self.faults.babbles) = (None, false);
        self.faults.lost += ignored;
        if let Some(up) = self.babble.up.take() {
            self.hear(up).await;
        }
        let _asked_already = self.commands.try_send(Command::RequestSnapshot);
    }
}

#[cfg(test)]
mod tests {
    use board_driver::{Fault, FaultReason, Learning};

    use super::*;

    fn said() -> LinkEvent {
        LinkEvent::Learning(Learning::Wanted(Fault::new("unlearned", "")))
    }

    #[test]
    fn too_much_is_not_listened_to_until_it_has_been_calm() {
        let (mut babble, now) = (Babble::default(), Instant::now());
        let most = usize::try_from(AT_ONCE.get()).unwrap();
        let heard = (0..2 * most).filter(|_| babble.hear(said(), now).is_some());
        let heard = heard.count();
        assert!((most..most + 500).contains(&heard), "{heard} heard");
        assert_eq!(babble.ignored, (2 * most - heard) as u64);
        assert_eq!(babble.wake(), Some(now + CALM));
        let gone = LinkEvent::Down(FaultReason::Silent);
        assert!(babble.hear(gone, now).is_some());
    }
}
