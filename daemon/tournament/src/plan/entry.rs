//! What a sheet says of the tournament and its players, beside what is known.

use std::collections::BTreeMap;

use super::identity;
use crate::act::Act;
use crate::load::{Format, Sheet, compared};
use crate::model::{Details, Player, Tournament, Worth};

/// Players who are new, or of whom the sheet says something else; what it does not say stays.
pub(super) fn entered(tournament: &Tournament, sheet: &Sheet, numbers: &[u16]) -> Vec<Player> {
    let mut entered: BTreeMap<u16, Player> = BTreeMap::new();
    let moved = identity::moved(tournament, identity::numbered(sheet, numbers));
    for (player, number) in sheet.players.iter().zip(numbers) {
        let before = identity::known_before(tournament, &moved, player, *number);
        let merged = merged(before, player, *number);
        if tournament.players.get(number) != Some(&merged) {
            entered.insert(*number, merged);
        }
    }
    entered.into_values().collect()
}

/// Who is not numbered is found by his name: it stays as it is known, where it is the same but for
/// case, blanks and the order of its parts; and so does one for which a report file has no room.
fn merged(before: Option<&Player>, said: &Player, number: u16) -> Player {
    let known = before.cloned().unwrap_or_default();
    let is_one = said.number == 0 && compared(&said.name) == compared(&known.name)
        || is_cut(&said.name, &known.name);
    let name = known.name.clone();
    let mut merged = Player {
        number,
        ..said.beside(&known)
    };
    if is_one {
        merged.name = name;
    }
    merged
}

/// Whether a name is what a report file has room for of another.
fn is_cut(said: &str, known: &str) -> bool {
    let room: String = known.chars().take(chess_trf::NAME).collect();
    room.len() < known.len() && room.trim_end() == said
}

/// Marks whether names are shortened, of players who get another number: taken from the old one,
/// before the round is drawn, and set on the new one behind it.
pub(super) fn marks(tournament: &Tournament, sheet: &Sheet, numbers: &[u16]) -> [Vec<Act>; 2] {
    let (mut taken, mut set) = (Vec::new(), Vec::new());
    for (player, new) in identity::moved(tournament, identity::numbered(sheet, numbers)) {
        if let Some(short) = tournament.shortened.get(&player).copied() {
            taken.push(Act::Shorten {
                player,
                short: None,
            });
            set.push(Act::Shorten {
                player: new,
                short: Some(short),
            });
        }
    }
    [taken, set]
}

fn worth(before: &Worth, said: &Worth, [of_games, of_matches]: [bool; 2]) -> Worth {
    let games = if of_games { said } else { before };
    let matches = if of_matches { said } else { before };
    Worth {
        match_won: matches.match_won,
        match_drawn: matches.match_drawn,
        match_lost: matches.match_lost,
        ..*games
    }
}

/// The details, filled in with what the sheet says and nobody said before. What results are worth
/// is as it was said last.
pub(super) fn described(tournament: &Tournament, sheet: &Sheet) -> Details {
    let said = &sheet.details;
    let before = tournament.details.clone();
    let text = |before: String, said: &str| {
        if before.is_empty() {
            said.to_owned()
        } else {
            before
        }
    };
    // What a game is said to be of, and where it is played, is no name of an event that has one.
    let [named, placed] = [0, 1].map(|n| {
        let is_called = !tournament.configured[n].is_empty();
        sheet.format == Format::Pgn && is_called
    });
    let unless = |is_called: bool, said: &'_ str| match is_called {
        true => String::new(),
        false => said.to_owned(),
    };
    Details {
        name: text(before.name, &unless(named, &said.name)),
        site: text(before.site, &unless(placed, &said.site)),
        federation: text(before.federation, &said.federation),
        start: text(before.start, &said.start),
        end: text(before.end, &said.end),
        chief_arbiter: text(before.chief_arbiter, &said.chief_arbiter),
        time_control: text(before.time_control, &said.time_control),
        rounds: before.rounds.or(said.rounds),
        worth: worth(&before.worth, &said.worth, sheet.says_worth),
        ..before
    }
}
