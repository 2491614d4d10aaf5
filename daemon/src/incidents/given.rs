//! What was added to the clocks of a table since they were told last: what they show is not what
//! they told.

use jiff::Timestamp;
use tournament::{ClockOf, Tournament};

/// Milliseconds for White and for Black since that moment, in milliseconds since 1970: time that
/// both were given, and what penalties of time have added and taken away.
pub(super) fn given_since(event: &Tournament, seat: (u16, u16), told: i64) -> [i64; 2] {
    let (round, table) = seat;
    let is_since = |at: &str| {
        let at = at.parse::<Timestamp>();
        at.is_ok_and(|at| at.as_millisecond() > told)
    };
    let times = event.times.iter();
    let its = times.filter(|one| (one.round, one.table) == seat && is_since(&one.at));
    let both: i64 = its.map(|one| i64::from(one.seconds) * 1_000).sum();
    let mut given = [both; 2];
    let Ok(pairing) = event.pairing(round, table) else {
        return given;
    };
    let players = [Some(pairing.white), pairing.black];
    for one in event
        .penalties
        .iter()
        .filter(|one| one.round == round && is_since(&one.at))
    {
        let offender = players
            .iter()
            .position(|player| *player == Some(one.player));
        let (Some(offender), Some(time)) = (offender, one.time) else {
            continue;
        };
        let ms = i64::from(time.seconds) * 1_000;
        match time.of {
            ClockOf::Opponent => given[1 - offender] += ms,
            ClockOf::Offender => given[offender] -= ms,
        }
    }
    given
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tournament::{Penalty, PenaltyTime, Round, Stage, Tournament};

    use super::given_since;

    fn penalty(player: u16, what: &str, at: &str) -> Penalty {
        Penalty {
            player,
            round: 1,
            what: what.to_owned(),
            reason: String::new(),
            at: at.to_owned(),
            time: PenaltyTime::in_words(what),
        }
    }

    /// What was noted before the clock was told is in what it told; what is of another table is
    /// not of this one.
    #[test]
    fn what_was_added_since_the_clock_was_told_counts_for_each_player() {
        let pairing = json!({ "table": 3, "white": 5, "black": 2 });
        let round = Round {
            date: String::new(),
            stage: Stage::UnderWay,
            started: String::new(),
            pairings: vec![serde_json::from_value(pairing).unwrap()],
            matches: Vec::new(),
            byes: Vec::new(),
            files: Vec::new(),
            gone: Default::default(),
        };
        let (before, after) = ("2026-12-01T10:00:00Z", "2026-12-01T10:10:00Z");
        let told: jiff::Timestamp = "2026-12-01T10:05:00Z".parse().unwrap();
        let event = Tournament {
            rounds: [(1, round)].into(),
            penalties: vec![
                penalty(5, "more time for the opponent, +2:00", before),
                penalty(5, "more time for the opponent, +1:00", after),
                penalty(5, "less time for the offender, −0:30", after),
                penalty(9, "more time for the opponent, +5:00", after),
            ],
            ..Tournament::default()
        };
        let given = given_since(&event, (1, 3), told.as_millisecond());
        assert_eq!(given, [-30_000, 60_000]);
        assert_eq!(given_since(&event, (1, 4), 0), [0; 2]);
    }
}
