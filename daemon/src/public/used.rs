//! The time that each half-move took, where that follows from the clock and the time control.

use super::shown::Ply;
use crate::pgn::Legal;

/// The half-moves, with the time that each took where the clock tells.
pub(super) fn plies(legal: &[Legal], time_control: &str, black_starts: usize) -> Vec<Ply> {
    let used = Control::read(time_control).map(|control| control.used(legal, black_starts));
    let ply = |(n, ply): (usize, &Legal)| Ply {
        san: ply.san.clone(),
        uci: ply.uci.clone(),
        clock_ms: ply.clock_ms,
        used_ms: used.as_ref().and_then(|used| used[n]),
    };
    legal.iter().enumerate().map(ply).collect()
}

/// An arbiter gives a player so much for an illegal move of the other's (7.5.5), more than once.
const SLACK_MS: u64 = 600_000;

/// A period of a time control.
struct Period {
    /// So many moves are to be made in it; `None`: all that are left.
    moves: Option<usize>,
    time_ms: u64,
}

/// A time control, as far as the time for a move follows from it.
struct Control {
    /// The first period, and those whose time is added.
    periods: Vec<Period>,
    /// With each move.
    added_ms: u64,
}

/// What is known of one side's clock.
#[derive(Clone, Copy)]
struct Side {
    /// What it last showed, and after which move of this side.
    last: (u64, usize),
    /// So many later periods' times are known to have been added.
    added: usize,
}

impl Control {
    /// `5400+30`, `40/6000+30:900+30`, `300`.
    fn read(text: &str) -> Option<Control> {
        let periods = text.split(':').map(|period| {
            let (moves, time) = match period.split_once('/') {
                Some((moves, time)) => (Some(moves.parse::<usize>().ok()?), time),
                None => (None, period),
            };
            let (time, added) = time.split_once('+').unwrap_or((time, "0"));
            let time_ms = time.parse::<u64>().ok()?.checked_mul(1000)?;
            let added = added.parse::<u64>().ok()?.checked_mul(1000)?;
            Some((Period { moves, time_ms }, added))
        });
        let periods: Vec<(Period, u64)> = periods.collect::<Option<_>>()?;
        let added_ms = periods.first()?.1;
        // Where later periods add something else, nothing follows for sure.
        let is_known = |(period, added): &(Period, u64)| {
            let moves = period.moves;
            *added == added_ms && moves.is_none_or(|moves| (1..10_000).contains(&moves))
        };
        let known = periods.iter().all(is_known);
        known.then(|| Control {
            periods: periods.into_iter().map(|(period, _)| period).collect(),
            added_ms,
        })
    }

    /// How many periods' times may be added once so many moves are made, and whether that is so
    /// since the last of them. The last period comes again and again where it has moves.
    fn due(&self, made: usize) -> (usize, bool) {
        let (mut left, mut due) = (made, 0);
        loop {
            let period = self.periods.get(due).or(self.periods.last());
            match period.and_then(|period| period.moves) {
                Some(moves) if left >= moves => (left, due) = (left - moves, due + 1),
                // Nothing but zero ends it; there may be one after it.
                None if due + 1 < self.periods.len() => due += 1,
                Some(_) | None => return (due, due > 0 && left == 0 && made > 0),
            }
        }
    }

    /// The time of a later period, from 1 on.
    fn time_ms(&self, later: usize) -> u64 {
        let period = self.periods.get(later).or(self.periods.last());
        period.map_or(0, |period| period.time_ms)
    }

    /// How long each half-move took.
    fn used(&self, legal: &[Legal], black_starts: usize) -> Vec<Option<u64>> {
        let set = self.set(legal, black_starts);
        let first = Side {
            last: (self.time_ms(0), 0),
            added: 0,
        };
        let mut sides = [first; 2];
        let mut list = Vec::with_capacity(legal.len());
        for (n, ply) in legal.iter().enumerate() {
            let (own, number) = (n / 2 + 1, (n + black_starts) / 2 + 1);
            let used = ply.clock_ms.and_then(|now| {
                let side = &mut sides[n % 2];
                let is_next = side.last.1 + 1 == own;
                let used = self.took(side, (now, own), number);
                used.filter(|_| is_next && set[n])
            });
            list.push(used);
        }
        list
    }

    /// How long a move took after which the clock shows this. Some clocks add the time of the next
    /// period when the moves are made, others when nothing is left: no time follows where one may
    /// have been added.
    fn took(&self, side: &mut Side, (now, own): (u64, usize), number: usize) -> Option<u64> {
        let (before, after) = side.last;
        side.last = (now, own);
        let moves = own.saturating_sub(after) as u64;
        let most = before.saturating_add(self.added_ms.saturating_mul(moves));
        let (due, is_at_end) = self.due(number);
        let is_open = side.added < due;
        let next = side.added + 1;
        let longest = (next..=due).map(|later| self.time_ms(later)).max();
        let longest = longest.unwrap_or(0);
        if is_open && now.saturating_sub(most) > longest / 2 {
            // More than anybody gives a player besides.
            side.added = next;
            return None;
        }
        let may_be_added = is_open && (is_at_end || now <= longest.saturating_add(self.added_ms));
        match may_be_added {
            true => None,
            false => most.checked_sub(now),
        }
    }

    /// Of each half-move whether the clock is known to have been set so, by what it had told until
    /// then: what it tells later may wait, while the half-move is public. It was set otherwise once
    /// it shows more than is left of the first period; nobody knows before one of the players has
    /// more than half of it left at first.
    fn set(&self, legal: &[Legal], black_starts: usize) -> Vec<bool> {
        let (mut is_told, mut is_so, mut is_other) = ([false; 2], false, false);
        let mut set = Vec::with_capacity(legal.len());
        let first_ms = self.time_ms(0);
        for (n, ply) in legal.iter().enumerate() {
            let number = (n + black_starts) / 2 + 1;
            if let Some(ms) = ply.clock_ms {
                let is_first = !std::mem::replace(&mut is_told[n % 2], true);
                is_so |= is_first && ms >= first_ms / 2;
                let added = self.added_ms.saturating_mul(number as u64);
                let most = first_ms.saturating_add(added).saturating_add(SLACK_MS);
                is_other |= ms > most && self.due(number).0 == 0;
            }
            set.push(is_so && !is_other);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How long each half-move took by clocks that show these seconds, White's first.
    fn used(control: &str, seconds: &[u64]) -> Vec<Option<u64>> {
        let ply = |seconds: &u64| Legal {
            san: "e4".to_owned(),
            uci: "e2e4".to_owned(),
            fen: String::new(),
            clock_ms: Some(seconds * 1000),
            is_sure: true,
            is_completed: true,
        };
        let legal: Vec<Legal> = seconds.iter().map(ply).collect();
        let used = plies(&legal, control, 0);
        used.iter().map(|ply| Some(ply.used_ms? / 1000)).collect()
    }

    #[test]
    fn the_time_for_a_move_follows_from_a_clock_that_was_set_so() {
        let some = |seconds: &[u64]| seconds.iter().map(|s| Some(*s)).collect::<Vec<_>>();
        let right = used("300+3", &[301, 298, 290, 299]);
        assert_eq!(right, some(&[2, 5, 14, 2]));
        // An arbiter has given one of them two minutes: of that move it is not known.
        let given = used("300+3", &[301, 298, 420, 299]);
        assert_eq!(given[2], None);
        assert_eq!(given[3], Some(2));
        // One of them came late.
        assert_eq!(
            used("5400+30", &[2000, 5420, 1990]),
            [None, Some(10), Some(40)]
        );
    }

    /// What is public stays as it is, whatever the clock shows later.
    #[test]
    fn nothing_follows_from_what_comes_later() {
        let seconds = [301, 298, 290, 299, 2000, 280, 1990];
        let all = used("300+3", &seconds);
        for n in 0..seconds.len() {
            assert_eq!(used("300+3", &seconds[..n]), all[..n]);
        }
        assert_eq!((all[3], all[4], all[5]), (Some(2), None, None));
    }

    /// Black's clock stands all the while: only White's moves are looked at.
    fn white(control: &str, seconds: &[u64]) -> Vec<Option<u64>> {
        let both: Vec<u64> = seconds.iter().flat_map(|s| [*s, seconds[0]]).collect();
        used(control, &both).into_iter().step_by(2).collect()
    }

    /// Forty moves of ten seconds each, twenty, and the rest.
    #[test]
    fn at_the_end_of_each_period_nothing_follows() {
        let control = "40/7200+30:20/3600+30:900+30";
        let mut left = 7_200;
        let clock = (1..=62).map(|number| {
            left += 20;
            left += match number {
                40 => 3_600,
                60 => 900,
                _ => 0,
            };
            left
        });
        let clock: Vec<u64> = clock.collect();
        for (number, used) in (1..).zip(white(control, &clock)) {
            let is_end = number == 40 || number == 60;
            assert_eq!(used, (!is_end).then_some(10), "move {number}");
        }
    }

    /// The clock adds a minute when nothing is left: of 500 seconds 510 were used.
    #[test]
    fn where_a_time_may_have_been_added_at_zero_nothing_follows() {
        let used = white("4/600:60", &[590, 560, 530, 500, 50, 40, 1]);
        let (ten, more) = (Some(10), Some(30));
        assert_eq!(used, [ten, more, more, None, None, None, None]);
        // As long as more is left than is added, it was not.
        let used = white("4/600:60", &[590, 560, 530, 500, 400, 61, 60]);
        assert_eq!(used[3..], [None, Some(100), Some(339), None]);
        // It is seen that it was, or it was when the moves were made.
        let used = white("4/600:60", &[590, 560, 530, 10, 55, 30]);
        assert_eq!(used[3..], [None, None, Some(25)]);
        let used = white("4/600:300", &[590, 560, 530, 820, 100, 90]);
        assert_eq!(used[3..], [None, Some(720), Some(10)]);
        // Without a number of moves it may come at any time.
        let used = white("600:300", &[590, 400, 250, 200]);
        assert_eq!(used, [ten, Some(190), None, None]);
    }

    #[test]
    fn a_period_that_comes_again_ends_again() {
        let used = white("2/600", &[590, 1_180, 1_170, 1_760, 1_750]);
        assert_eq!(used, [Some(10), None, Some(10), None, Some(10)]);
    }

    #[test]
    fn of_a_clock_that_was_set_otherwise_nothing_follows() {
        for other in [&[5425, 5429, 5400, 5410][..], &[302, 301, 300, 290]] {
            let control = if other[0] > 1000 { "300+3" } else { "5400+30" };
            assert_eq!(used(control, other), vec![None; 4], "{control}");
        }
    }
}
