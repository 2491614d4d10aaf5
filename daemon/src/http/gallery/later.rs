//! What waits to be shown of a game.

use std::collections::VecDeque;

use serde_json::Value;

use super::before::Before;
use crate::public::Counts;

/// How much later a game is shown than it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::http) struct Terms {
    /// So many milliseconds after it was seen so.
    pub(in crate::http) late: i64,
    /// And after so many further half-moves.
    pub(in crate::http) plies: usize,
    /// Nothing more of it is shown.
    pub(in crate::http) stopped: bool,
    /// Where it is stopped: what was shown before.
    pub(in crate::http) before: Option<Before>,
    /// Which result of it counts.
    pub(in crate::http) counts: Counts,
}

/// A board as it was at a moment of a game.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Waiting {
    /// When that was, in milliseconds since 1970.
    pub(super) seen: i64,
    /// Half-moves in the record then.
    pub(super) ply: usize,
    /// As those are shown it for whom it is.
    pub(super) state: Value,
}

impl Waiting {
    fn is_in_time(&self, late: i64, now: i64) -> bool {
        self.seen.min(now).saturating_add(late) <= now
    }
}

/// What will be shown of a game, the oldest first, and what is.
#[derive(Debug, Default)]
pub(super) struct Later {
    waiting: VecDeque<Waiting>,
    last: Option<Value>,
    shown: Option<Value>,
    /// Counts what was shown.
    count: u64,
}

impl Later {
    /// The game is so now. What is as before is nothing new.
    pub(super) fn push(&mut self, waiting: Waiting) {
        if self.last.as_ref() != Some(&waiting.state) {
            self.last = Some(waiting.state.clone());
            self.waiting.push_back(waiting);
        }
    }

    /// What of it is shown; `None`: nothing yet.
    pub(super) fn shown(&self) -> Option<&Value> {
        self.shown.as_ref()
    }

    /// How often it was shown otherwise.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// Shows what was shown of it before it was stopped.
    pub(super) fn look_back(&mut self, before: Before) {
        let Before { until, late, plies } = before;
        let (then, since) = self.waiting.drain(..).partition(|w| w.seen <= until);
        self.waiting = then;
        let ply = self.waiting.back().map(|last| last.ply);
        let terms = Terms {
            late,
            plies,
            ..Terms::default()
        };
        self.look(ply, terms, until);
        let since: VecDeque<Waiting> = since;
        self.waiting.extend(since);
    }

    /// Shows what is due of a game that has so many half-moves now; `None`: it is not known how it
    /// went on. What is of no use any more is forgotten, so that no more is kept than a delay is
    /// long and a game has half-moves.
    pub(super) fn look(&mut self, ply: Option<usize>, terms: Terms, now: i64) {
        let is_due = |waiting: &Waiting| {
            // Of one without moves nothing is told.
            let is_free = terms.plies == 0 || waiting.ply == 0;
            let follows = ply.is_some_and(|ply| waiting.ply + terms.plies <= ply);
            waiting.is_in_time(terms.late, now) && (is_free || follows)
        };
        let due = self.waiting.iter().rposition(is_due);
        self.waiting.drain(..due.unwrap_or(0));
        if let (Some(_), false) = (due, terms.stopped) {
            let state = self.waiting.pop_front();
            self.shown = state.map(|waiting| waiting.state);
            self.count += 1;
        }
        let mut kept: VecDeque<Waiting> = VecDeque::with_capacity(self.waiting.len());
        for waiting in self.waiting.drain(..) {
            // They will be due together.
            let is_last = waiting.is_in_time(terms.late, now)
                && kept.back().is_some_and(|last| last.ply == waiting.ply);
            if is_last {
                kept.pop_back();
            }
            kept.push_back(waiting);
        }
        self.waiting = kept;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: i64 = 1_000;

    fn waiting(seen: i64, ply: usize, state: u64) -> Waiting {
        let state = state.into();
        Waiting { seen, ply, state }
    }

    /// A game of so many half-moves, a second between each, and what is shown then that was not.
    fn shown(terms: Terms, plies: &[usize]) -> Vec<Option<u64>> {
        let (mut later, mut now) = (Later::default(), 0);
        let mut look = |ply: &usize| {
            now += SECOND;
            let before = later.shown().cloned();
            later.push(waiting(now, *ply, *ply as u64));
            later.look(Some(*ply), terms, now);
            let shown = later.shown().filter(|shown| before.as_ref() != Some(shown));
            shown.and_then(Value::as_u64)
        };
        plies.iter().map(&mut look).collect()
    }

    #[test]
    fn a_game_is_shown_when_its_time_has_come() {
        let terms = Terms {
            late: SECOND * 2,
            ..Terms::default()
        };
        let told = shown(terms, &[1, 2, 3, 4]);
        assert_eq!(told, [None, None, Some(1), Some(2)]);
        assert_eq!(shown(Terms::default(), &[1, 2]), [Some(1), Some(2)]);
    }

    #[test]
    fn a_game_is_shown_when_so_many_half_moves_have_followed() {
        let terms = Terms {
            plies: 2,
            ..Terms::default()
        };
        let told = shown(terms, &[0, 1, 1, 2, 3, 3, 4]);
        let wanted = [Some(0), None, None, None, Some(1), None, Some(2)];
        assert_eq!(told, wanted);
        // What was taken back is not shown once others have been made.
        let told = shown(terms, &[3, 4, 5, 4, 5, 6]);
        let wanted = [None, None, Some(3), None, None, Some(4)];
        assert_eq!(told, wanted);
    }

    #[test]
    fn of_both_the_longer_counts() {
        let terms = Terms {
            late: SECOND * 3,
            plies: 1,
            ..Terms::default()
        };
        let told = shown(terms, &[1, 2, 3, 3, 3]);
        assert_eq!(told, [None, None, None, Some(1), Some(2)]);
    }

    #[test]
    fn of_a_game_that_nobody_knows_the_end_of_nothing_follows() {
        let terms = Terms {
            plies: 1,
            ..Terms::default()
        };
        let mut later = Later::default();
        for ply in 0..4 {
            later.push(waiting(0, ply, ply as u64));
        }
        later.look(None, terms, SECOND);
        assert_eq!(later.shown(), Some(&0.into()));
        later.look(None, Terms::default(), SECOND);
        assert_eq!(later.shown(), Some(&3.into()));
    }

    #[test]
    fn what_was_seen_by_a_clock_that_was_set_back_waits_anew() {
        let terms = Terms {
            late: SECOND,
            ..Terms::default()
        };
        let mut later = Later::default();
        later.push(waiting(SECOND * 90, 1, 1));
        later.look(Some(1), terms, SECOND);
        assert_eq!(later.shown(), None);
    }

    #[test]
    fn while_it_is_stopped_nothing_is_shown_and_little_is_kept() {
        let stopped = Terms {
            stopped: true,
            ..Terms::default()
        };
        let mut later = Later::default();
        for ply in 1..100 {
            later.push(waiting(0, ply, ply as u64));
            later.look(Some(ply), stopped, 0);
            assert_eq!((later.shown(), later.waiting.len()), (None, 1));
        }
        later.look(Some(99), Terms::default(), 0);
        assert_eq!(later.shown(), Some(&99.into()));
    }

    #[test]
    fn what_was_shown_before_it_was_stopped_is_shown_and_no_more() {
        let game = || {
            let mut later = Later::default();
            for ply in 0..10 {
                later.push(waiting(SECOND * ply, ply as usize, ply as u64));
            }
            later
        };
        for (late, plies, shown) in [(0, 0, 5), (2, 0, 3), (0, 1, 4), (2, 3, 2)] {
            let mut later = game();
            let (until, late) = (SECOND * 5, SECOND * late);
            later.look_back(Before { until, late, plies });
            assert_eq!(later.shown(), Some(&shown.into()));
            // Once it goes on, all of it is.
            later.look(Some(9), Terms::default(), SECOND * 60);
            assert_eq!(later.shown(), Some(&9.into()));
        }
    }

    #[test]
    fn a_clock_that_goes_on_and_on_fills_nothing() {
        let mut later = Later::default();
        let terms = Terms {
            plies: 1,
            ..Terms::default()
        };
        for second in 0..1000 {
            later.push(waiting(0, 7, second));
            later.look(Some(7), terms, 0);
        }
        assert_eq!(later.waiting.len(), 1);
        later.look(Some(8), terms, 0);
        assert_eq!(later.shown(), Some(&999.into()));
    }
}
