//! The tables of a file that has none.

use std::collections::BTreeSet;

use crate::model::Pairing;

/// Numbers games that have no table. Who is drawn against each other already stays where that was
/// told to sit, whoever has White; the others have the tables that became free, in their order, and
/// then those behind the last. `false`: the tables are not simply the order.
pub(super) fn number(pairings: &mut [Pairing], stood: &[Pairing]) -> bool {
    let both = |p: &Pairing| BTreeSet::from([Some(p.white), p.black]);
    let mut kept = BTreeSet::new();
    for pairing in pairings.iter_mut().filter(|pairing| !pairing.is_bye()) {
        let mut same = stood.iter().filter(|p| both(p) == both(pairing));
        pairing.table = same.find_map(|pairing| pairing.table);
        kept.extend(pairing.table);
    }
    // Tables that are the order of the games, as far as they are drawn, go on as that.
    let games = pairings.iter().filter(|pairing| !pairing.is_bye());
    let mut placed = games
        .zip(1..)
        .filter_map(|(game, n)| Some((game.table?, n)));
    let is_order = !kept.is_empty() && placed.all(|(table, n)| table == n);
    let tables: BTreeSet<u16> = stood.iter().filter_map(|pairing| pairing.table).collect();
    let below = (1..=u16::MAX).filter(|table| is_order && !tables.contains(table));
    let free = tables.iter().copied().filter(|table| !kept.contains(table));
    let next = tables.last().map_or(1, |last| last.saturating_add(1))..=u16::MAX;
    let last = tables.last().copied().unwrap_or(0);
    let below = below.take_while(|table| *table < last);
    let mut left = below.chain(free).chain(next);
    let games = pairings.iter_mut().filter(|pairing| !pairing.is_bye());
    let mut in_order = true;
    for (pairing, n) in games.zip(1..) {
        pairing.table = pairing.table.or_else(|| left.next());
        in_order &= pairing.table == Some(n);
    }
    in_order
}
