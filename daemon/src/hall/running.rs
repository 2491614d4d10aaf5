//! Since when the clock runs that consoles show, how much was ordered by then, and when findings
//! were dismissed.

use std::collections::BTreeSet;

use arbiter_core::Input;
use arbiter_core::view::Phase;

use super::dismissed::Dismissals;

/// When the clock that runs began to, in milliseconds since 1970, counted as if it had never stood
/// since: the time for which it stood is nobody's. The games' events do not say it, for the arbiter
/// of a game counts no time: he hears what clocks tell.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Running {
    told: Option<i64>,
    /// Since when the game is paused, or has ended.
    halted: Option<i64>,
    /// Since when the board says that its clock stands.
    stands: Option<i64>,
    /// When it was last told what the clocks show.
    pressed: Option<i64>,
    /// How many orders and words of players were heard.
    ordered: usize,
    /// When findings were dismissed.
    dismissals: Dismissals,
    /// When an arbiter has given the result at the desk.
    decided: Option<i64>,
}

impl Running {
    /// When the clock that runs began to.
    pub(crate) fn told(&self) -> Option<i64> {
        self.told
    }

    /// When it was last told what the clocks show.
    pub(crate) fn pressed(&self) -> Option<i64> {
        self.pressed
    }

    /// How many orders and words of players were given, those included that were taken back.
    pub(crate) fn ordered(&self) -> usize {
        self.ordered
    }

    /// The same of a game whose result an arbiter has given at the desk then, if he has.
    pub(crate) fn decided(self, at: Option<i64>) -> Running {
        Running {
            decided: at,
            ..self
        }
    }

    /// What had been dismissed when that was given.
    pub(crate) fn known(&self) -> BTreeSet<u64> {
        self.dismissals.before(self.decided)
    }

    /// Since when it stands.
    pub(crate) fn stands(&self) -> Option<i64> {
        [self.halted, self.stands].into_iter().flatten().min()
    }

    /// The arbiter has heard something at `wall`, and the game is in this phase now.
    pub(crate) fn heard(&mut self, input: &Input, phase: Option<Phase>, wall: i64) {
        if matches!(input.plain(), Input::Press { .. }) {
            (self.told, self.pressed) = (Some(wall), Some(wall));
        }
        self.ordered += usize::from(is_order(input));
        self.dismissals.heard(input, wall);
        match phase {
            Some(Phase::Paused | Phase::Ended) => {
                self.halted.get_or_insert(wall);
            }
            _ => self.go_on(wall, |now| now.halted = None),
        }
    }

    /// The board says that its clock was started or stopped.
    pub(crate) fn runs(&mut self, runs: bool, wall: i64) {
        match runs {
            false => {
                self.stands.get_or_insert(wall);
            }
            true => self.go_on(wall, |now| now.stands = None),
        }
    }

    /// Nothing holds it up any more, if this was the last that did.
    fn go_on(&mut self, wall: i64, change: impl FnOnce(&mut Running)) {
        let stood = self.stands();
        change(self);
        if let (Some(since), None) = (stood, self.stands()) {
            // A press while it stood began another count.
            self.told = self.told.map(|told| told + wall - since.max(told));
        }
    }
}

/// Whether it is an order, or a word of a player.
fn is_order(input: &Input) -> bool {
    matches!(
        input.plain(),
        Input::Arbiter(_)
            | Input::Claim { .. }
            | Input::Draw { .. }
            | Input::Resign { .. }
            | Input::Stop { .. }
    )
}

#[cfg(test)]
mod tests {
    use arbiter_core::input::ArbiterAction;
    use arbiter_core::ruling::GameResult;

    use super::*;

    fn ordered(action: ArbiterAction) -> Input {
        Input::Arbiter(action)
    }

    fn pressed() -> Running {
        let mut running = Running::default();
        let press = Input::Press {
            by: arbiter_core::shakmaty::Color::White,
            white_ms: Some(60_000),
            black_ms: Some(60_000),
        };
        running.heard(&press, Some(Phase::Rest), 1_000);
        running
    }

    #[test]
    fn the_time_for_which_a_game_had_ended_is_nobodys() {
        let mut running = pressed();
        let result = |result| ordered(ArbiterAction::Result { result, game: None });
        running.heard(&result(GameResult::Draw), Some(Phase::Ended), 5_000);
        assert_eq!(running.stands(), Some(5_000));
        running.heard(&result(GameResult::Open), Some(Phase::Rest), 605_000);
        assert_eq!((running.told(), running.stands()), (Some(601_000), None));
    }

    #[test]
    fn a_pause_and_a_clock_that_stands_meanwhile_count_once() {
        let mut running = pressed();
        running.heard(&ordered(ArbiterAction::Pause), Some(Phase::Paused), 3_000);
        running.runs(false, 4_000);
        running.heard(&ordered(ArbiterAction::Resume), Some(Phase::Rest), 9_000);
        assert_eq!(
            (running.told(), running.stands()),
            (Some(1_000), Some(4_000))
        );
        running.runs(true, 10_000);
        assert_eq!(running.told(), Some(7_000), "it ran for two seconds");
    }
}
