//! Who enters the results of a demonstration, a game that ended by resignation or agreement has no
//! other witness, and holds its rounds.

use std::time::Duration;

use arbiter_core::Input;
use arbiter_core::input::ArbiterAction;
use daemon::hall::Hall;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

use super::evening::{AFTERWARDS, Ended};
use super::open::Open;

/// Boards that play as fast as they can have reported everything after this long.
const FLUSH: Duration = Duration::from_millis(500);

/// Enters results, and counts games.
pub(super) struct Referee {
    hall: Hall,
    speed: f32,
    enough: Option<u64>,
    /// The tournament, where one is played.
    open: Option<Open>,
}

impl Referee {
    /// A referee in `hall`, where time runs `speed` times as fast, who has seen enough after
    /// `enough` games.
    pub(super) fn new(hall: Hall, speed: f32, enough: Option<u64>, open: Option<Open>) -> Referee {
        Referee {
            hall,
            speed,
            enough,
            open,
        }
    }

    /// Watches until enough games have ended; without a number, for ever.
    pub(super) async fn watch(&mut self, mut games: mpsc::UnboundedReceiver<Ended>) {
        let mut count = 0;
        while let Some(ended) = games.recv().await {
            sleep_until(Instant::from_std(ended.when) + self.patience()).await;
            let is_of_a_round = self
                .open
                .as_ref()
                .is_some_and(|open| open.has(&ended.board));
            // Where time jumps and no round is waited for, the next game has begun before anybody
            // could speak.
            if self.speed > 0.0 || is_of_a_round {
                self.rule(&ended).await;
            }
            if let Some(open) = &mut self.open {
                open.game_over(&ended.board).await;
            }
            count += 1;
            if self.enough.is_some_and(|enough| count >= enough) {
                return;
            }
        }
    }

    /// How long the players' own sign of the result is waited for: half the time they sit at the
    /// final position.
    fn patience(&self) -> Duration {
        let half = Duration::from_millis(AFTERWARDS / 2);
        if self.speed > 0.0 {
            half.div_f32(self.speed)
        } else {
            FLUSH
        }
    }

    /// Enters the result, or confirms the one that the players proposed by placing their kings.
    async fn rule(&self, ended: &Ended) {
        let state = self.hall.board(&ended.board);
        let result = state.as_ref().and_then(|state| state.view()?.result);
        if result.is_some_and(|result| !result.proposed) {
            return;
        }
        let input = Input::Arbiter(ArbiterAction::Result {
            result: ended.result,
            game: None,
        });
        if let Err(error) = self.hall.order(&ended.board, input).await {
            tracing::warn!(board = ended.board, %error, "result not entered");
        }
    }
}
