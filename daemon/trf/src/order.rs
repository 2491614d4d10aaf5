//! Tables. The format has no table numbers for single players; pairing programs put the pairs in an
//! order that the Laws of the Swiss systems give.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::pairing::Pair;
use crate::player::Player;
use crate::points::{Scoring, Tenths};

/// Puts pairs into the order of their tables: the higher score of the two first, then the sum of
/// both, then the starting number of the one who stands higher (FIDE Handbook C.04.2, on the
/// publication of pairings). An organiser may seat them otherwise: ask before it is believed.
pub fn in_table_order(pairs: &mut [Pair], players: &[Player], scoring: &Scoring, round: usize) {
    let score = |player: &Player| -> Tenths {
        let before = player.rounds.iter().take(round.saturating_sub(1));
        let codes = before.filter_map(|cell| cell.code);
        Tenths(codes.map(|code| scoring.of(code).0).sum())
    };
    let scores: BTreeMap<u16, Tenths> = players.iter().map(|p| (p.number, score(p))).collect();
    let of = |number: u16| scores.get(&number).copied().unwrap_or_default();
    pairs.sort_by_key(|pair| {
        // The one who stands higher: more points, or the smaller number.
        let [one, other] = [pair.white, pair.black].map(|n| (Reverse(of(n)), n));
        let (first, second) = (one.min(other), one.max(other));
        let sum = Tenths(first.0.0.0 + second.0.0.0);
        (first.0, Reverse(sum), first.1)
    });
}
