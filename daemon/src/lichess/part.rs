//! One request of a round over time: what Lichess has of it, and when it is asked again. Nothing
//! here asks for the time or touches a line.

use std::time::{Duration, Instant};

use jiff::Timestamp;

use super::games::{Game, Sheet, Sum};
use super::post::{Answer, Failure};
use super::push::Pace;
use super::state::Refused;

#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Part {
    /// What Lichess has.
    sent: Option<Sum>,
    /// Requests that failed since it took one.
    failures: u32,
    /// It is not asked before.
    due: Option<Instant>,
    /// A request of which nothing was heard may still arrive there, after a later one: what is
    /// public is pushed once more then.
    repeat: Option<Instant>,
    pub(super) games: usize,
    pub(super) taken: Option<Timestamp>,
    pub(super) problem: Option<String>,
    pub(super) refused: Vec<Refused>,
}

impl Part {
    /// What Lichess has, as far as is known.
    pub(super) fn sent(&self) -> Option<Sum> {
        self.sent
    }

    /// Whether Lichess has something else than this, or may come to have.
    pub(super) fn is_behind(&self, sum: &Sum, now: Instant) -> bool {
        self.sent.as_ref() != Some(sum) || self.repeat.is_some_and(|at| at <= now)
    }

    /// When there is something to do, if there is: at once where that has passed.
    pub(super) fn next(&self, sum: &Sum, now: Instant) -> Option<Instant> {
        match self.is_behind(sum, now) {
            true => Some(self.due.unwrap_or(now)),
            false => self.repeat,
        }
    }

    /// Lichess has taken a request. Games that it refused then and did not before are returned.
    pub(super) fn take(
        &mut self,
        sheet: &Sheet,
        answer: &Answer,
        (now, at): (Instant, Timestamp),
        pace: &Pace,
    ) -> Vec<Refused> {
        // What was late is long there when it is pushed once more.
        let repeat = self.repeat.filter(|at| *at > now);
        let refused = refused(sheet, answer);
        let is_new = |game: &&Refused| !self.refused.contains(game);
        let new = refused.iter().filter(is_new).cloned().collect();
        *self = Part {
            sent: Some(sheet.sum),
            failures: 0,
            due: Some(now + pace.pause),
            repeat,
            games: sheet.games.len().saturating_sub(refused.len()),
            taken: Some(at),
            problem: None,
            refused,
        };
        new
    }

    /// A request was not taken, as far as is known. Returns how long it is waited.
    pub(super) fn fail(&mut self, failure: &Failure, now: Instant, pace: &Pace) -> Duration {
        let doubled = pace.first.saturating_mul(1 << self.failures.min(16));
        let wait = match failure.rest {
            Some(asked) => asked.max(pace.rest),
            None => doubled.min(pace.longest),
        };
        self.failures = self.failures.saturating_add(1);
        self.due = Some(now + wait);
        if failure.may_arrive {
            self.sent = None;
            self.repeat = Some(now + pace.rest);
        }
        self.problem = Some(failure.what.clone());
        wait
    }

    /// What could not be pushed is not to be pushed any more: it is as Lichess has it.
    pub(super) fn settle(&mut self, sum: &Sum) {
        if self.sent.as_ref() == Some(sum) && self.repeat.is_none() {
            (self.problem, self.failures, self.due) = (None, 0, None);
        }
    }

    pub(super) fn due(&self) -> Option<Instant> {
        self.due
    }
}

/// The games that were not taken. Lichess answers with the tags of each, in the order in which it
/// was asked.
fn refused(sheet: &Sheet, answer: &Answer) -> Vec<Refused> {
    let told = answer.games.iter().enumerate();
    let told = told.filter_map(|(n, game)| Some((n, game, game.error.as_ref()?)));
    let found = told.map(|(n, game, error)| {
        let tag = |name: &str| game.tags.get(name).map(String::as_str);
        let is_it =
            |sent: &&Game| tag("White") == Some(&sent.white) && tag("Black") == Some(&sent.black);
        let by_place = sheet.games.get(n);
        let by_place = by_place.filter(|_| answer.games.len() == sheet.games.len());
        let by_name = || sheet.games.iter().find(is_it);
        let found = by_place.filter(is_it).or_else(by_name).or(by_place);
        Refused {
            table: found.map(|game| game.table),
            error: error.clone(),
        }
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::super::post::Told;
    use super::*;

    fn failure(rest: Option<Duration>, may_arrive: bool) -> Failure {
        let what = "no".to_owned();
        Failure {
            what,
            rest,
            may_arrive,
        }
    }

    fn sum(text: &str) -> Sum {
        [text.as_bytes()[0]; 32]
    }

    fn sheet(text: &str) -> Sheet {
        let game = |table: u16| Game {
            table,
            white: format!("White {table}"),
            black: format!("Black {table}"),
            pgn: String::new(),
        };
        let games = [1, 3, 4].map(game).into();
        Sheet {
            number: 0,
            games,
            sum: sum(text),
        }
    }

    #[test]
    fn who_does_not_answer_is_asked_more_and_more_rarely_and_who_is_busy_after_a_minute() {
        let (mut part, now, pace) = (Part::default(), Instant::now(), Pace::default());
        let waits: Vec<u64> = (0..8)
            .map(|_| part.fail(&failure(None, false), now, &pace).as_secs())
            .collect();
        assert_eq!(waits, [2, 4, 8, 16, 32, 60, 60, 60]);
        let busy = failure(Some(Duration::ZERO), false);
        assert_eq!(part.fail(&busy, now, &pace), Duration::from_secs(60));
        let busy = failure(Some(Duration::from_secs(90)), false);
        assert_eq!(part.fail(&busy, now, &pace), Duration::from_secs(90));
        part.take(
            &sheet("a"),
            &Answer::default(),
            (now, Timestamp::now()),
            &pace,
        );
        assert_eq!(part.fail(&failure(None, false), now, &pace).as_secs(), 2);
    }

    /// What was refused is withdrawn: there is nothing to be pushed any more, and nothing amiss.
    #[test]
    fn who_has_everything_has_no_problem() {
        let (mut part, now, pace) = (Part::default(), Instant::now(), Pace::default());
        part.take(
            &sheet("a"),
            &Answer::default(),
            (now, Timestamp::now()),
            &pace,
        );
        part.fail(&failure(None, false), now, &pace);
        part.settle(&sum("b"));
        assert!(part.problem.is_some());
        part.settle(&sum("a"));
        assert_eq!((part.problem.is_none(), part.due()), (true, None));
        assert_eq!(part.next(&sum("b"), now), Some(now));
    }

    #[test]
    fn only_what_has_changed_is_pushed_but_once_more_after_a_request_that_may_arrive_late() {
        let (mut part, now, pace) = (Part::default(), Instant::now(), Pace::default());
        let at = Timestamp::now();
        assert_eq!(part.next(&sum("a"), now), Some(now));
        part.take(&sheet("a"), &Answer::default(), (now, at), &pace);
        assert_eq!(part.next(&sum("a"), now), None);
        assert_eq!(part.next(&sum("b"), now), Some(now + pace.pause));
        part.fail(&failure(None, true), now, &pace);
        let later = now + Duration::from_secs(5);
        part.take(&sheet("b"), &Answer::default(), (later, at), &pace);
        assert_eq!(part.next(&sum("b"), later), Some(now + pace.rest));
        let late = now + pace.rest;
        assert!(part.is_behind(&sum("b"), late));
        part.take(&sheet("b"), &Answer::default(), (late, at), &pace);
        assert_eq!(part.next(&sum("b"), late + pace.rest), None);
    }

    #[test]
    fn a_game_that_is_refused_is_that_of_its_players_else_of_its_place_and_new_once() {
        let (mut part, pace) = (Part::default(), Pace::default());
        let moment = (Instant::now(), Timestamp::now());
        let told = |white: &str, black: &str, error: Option<&str>| Told {
            tags: [("White", white), ("Black", black)]
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into(),
            error: error.map(str::to_owned),
        };
        let taken = || told("", "", None);
        let by_name = Answer {
            games: vec![told("White 3", "Black 3", Some("no move"))],
        };
        let refused = |table, error: &str| Refused {
            table,
            error: error.to_owned(),
        };
        let new = part.take(&sheet("a"), &by_name, moment, &pace);
        assert_eq!(new, [refused(Some(3), "no move")]);
        assert_eq!(part.games, 2);
        let new = part.take(&sheet("b"), &by_name, moment, &pace);
        assert_eq!(new, []);
        let by_place = Answer {
            games: vec![taken(), taken(), told("?", "?", Some("bad"))],
        };
        part.take(&sheet("c"), &by_place, moment, &pace);
        assert_eq!(part.refused, [refused(Some(4), "bad")]);
        let of_none = Answer {
            games: vec![told("?", "?", Some("bad"))],
        };
        part.take(&sheet("d"), &of_none, moment, &pace);
        assert_eq!(part.refused, [refused(None, "bad")]);
    }
}
