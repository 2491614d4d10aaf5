//! What can be used and should be looked at.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::load::Sheet;
use crate::model::Tournament;

/// Something that a person should look at.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(tag = "odd", rename_all = "kebab-case")]
pub enum Oddity {
    /// The file has no numbers of tables: the order is that of the scores.
    TablesByScore,
    /// The file has no numbers of tables: they are counted in its order.
    TablesByOrder,
    /// A table without a board: its result is typed.
    NoBoard {
        /// The table.
        table: u16,
    },
    /// Two players have one name.
    SameName {
        /// The name.
        name: String,
        /// Their starting numbers.
        numbers: Vec<u16>,
    },
    /// A name with characters that are no part of names: brackets of markup, or signs that are not
    /// seen and turn the direction of what is. It stays as it is.
    OddName {
        /// The starting number.
        player: u16,
        /// The name.
        name: String,
    },
    /// Players whose points in the file are not those of their results in it. Corrections by the
    /// organiser, or a result that was changed and not counted anew.
    OtherPoints {
        /// Their starting numbers.
        players: Vec<u16>,
    },
    /// A player in no pairing of the round.
    NotDrawn {
        /// The starting number.
        player: u16,
    },
}

pub(super) fn oddities(after: &Tournament, round: u16, sheet: &Sheet) -> Vec<Oddity> {
    let mut oddities = Vec::new();
    let has_tables = sheet.games.iter().any(|game| game.table.is_some());
    match (has_tables, sheet.is_ordered_here) {
        (true, _) => {}
        (false, true) => oddities.push(Oddity::TablesByScore),
        (false, false) => oddities.push(Oddity::TablesByOrder),
    }
    let pairings = after
        .rounds
        .get(&round)
        .map_or(&[][..], |round| &round.pairings);
    let tables = pairings.iter().filter_map(|pairing| pairing.table);
    let bare = tables.filter(|table| !after.boards.contains_key(table));
    oddities.extend(bare.map(|table| Oddity::NoBoard { table }));
    let mut names: BTreeMap<&str, Vec<u16>> = BTreeMap::new();
    for player in after.players.values() {
        names.entry(&player.name).or_default().push(player.number);
    }
    let twice = names.into_iter().filter(|(_, numbers)| numbers.len() > 1);
    oddities.extend(twice.map(|(name, numbers)| Oddity::SameName {
        name: name.to_owned(),
        numbers,
    }));
    let odd = after.players.values().filter(|player| {
        let mut names = [&player.name, &player.team].into_iter();
        names.any(|name| name.contains(is_odd))
    });
    oddities.extend(odd.map(|player| Oddity::OddName {
        player: player.number,
        name: player.name.clone(),
    }));
    if !sheet.other_points.is_empty() {
        let players = sheet.other_points.clone();
        oddities.push(Oddity::OtherPoints { players });
    }
    let is_drawn = |number: &u16| {
        let mut drawn = pairings.iter();
        drawn.any(|pairing| pairing.white == *number || pairing.black == Some(*number))
    };
    let left = after.players.keys().filter(|number| !is_drawn(number));
    oddities.extend(left.map(|player| Oddity::NotDrawn { player: *player }));
    oddities
}

/// Whether a character is none of a name: `<` and `>`, signs for the direction of writing, blanks
/// without width, and the sign for what could not be read. Joiners belong to some scripts' names.
fn is_odd(c: char) -> bool {
    matches!(c,
        '<' | '>' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2028}' | '\u{2029}' | '\u{2060}' | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{fffd}')
}
