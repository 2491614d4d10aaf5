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
    let tables: BTreeSet<u16> = stood.iter().filter_map(|pairing| pairing.table).collect();
    let free = tables.iter().copied().filter(|table| !kept.contains(table));
    let next = tables.last().map_or(1, |last| last.saturating_add(1))..=u16::MAX;
    let mut left = free.chain(next);
    let games = pairings.iter_mut().filter(|pairing| !pairing.is_bye());
    let mut in_order = true;
    for (pairing, n) in games.zip(1..) {
        pairing.table = pairing.table.or_else(|| left.next());
        in_order &= pairing.table == Some(n);
    }
    in_order
}
