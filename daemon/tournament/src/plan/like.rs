//! Newcomers whose names are nearly those of players who are known: perhaps a slip of the pen.

use std::collections::BTreeSet;

use super::oddity::Oddity;
use crate::model::{Player, Tournament};

/// How alike two names are at the least, of 1, of which one may be the other misspelt.
const ALIKE: f64 = 0.8;

/// Players whom a file enters, and who may be others whom it does not name.
pub(super) fn newcomers(
    before: &Tournament,
    after: &Tournament,
    numbers: &[u16],
) -> impl Iterator<Item = Oddity> {
    let said: BTreeSet<u16> = numbers.iter().copied().collect();
    let missing = before
        .players
        .values()
        .filter(|p| !said.contains(&p.number));
    let missing: Vec<(&Player, String)> = missing.map(|p| (p, parts(&p.name))).collect();
    let is_new = |player: &&Player| !before.players.contains_key(&player.number);
    let new = after.players.values().filter(is_new);
    new.filter_map(move |player| {
        let name = parts(&player.name);
        let alike = |(known, his): &&(&Player, String)| {
            let are_two = player.fide_id.is_some() && known.fide_id.is_some();
            !are_two && strsim::normalized_damerau_levenshtein(&name, his) >= ALIKE
        };
        let (known, _) = missing.iter().find(alike)?;
        Some(Oddity::LikeKnown {
            player: player.number,
            name: player.name.clone(),
            other: known.number,
            known: known.name.clone(),
        })
    })
}

/// The parts of a name in one order, whichever stands first.
fn parts(name: &str) -> String {
    let name = name.to_lowercase();
    let parts = name.split(|c: char| !c.is_alphanumeric());
    let mut parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    parts.sort_unstable();
    parts.concat()
}
