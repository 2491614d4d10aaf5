//! A round that is played, for tests that look at what is written then.

use tournament::{Act, How, ResultCode, Tournament};

/// Starts a round, enters these results, and closes it.
pub(crate) fn play(event: &mut Tournament, round: u16, results: &[(u16, &str)]) {
    let at = String::new();
    let mut acts = vec![Act::StartRound { round, at }];
    acts.extend(results.iter().map(|(table, text)| Act::Result {
        round,
        table: *table,
        codes: ResultCode::both(text).expect("a result"),
        how: How::Typed,
        reason: String::new(),
    }));
    acts.push(Act::CloseRound { round });
    acts.iter()
        .for_each(|act| event.apply(act).expect("an act"));
}
