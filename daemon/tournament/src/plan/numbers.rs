//! Who the players of a sheet are.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::Unplanned;
use crate::load::{Sheet, Unreadable, are_alike, compared};
use crate::model::{Player, Tournament};
use crate::refusal::Refusal;
use crate::what;

/// The starting number of each player of a sheet: the file's; else that of the player with the same
/// number at FIDE, or the same name, whichever part of it stands first; else the next that is free.
///
/// # Errors
/// Where a number is nobody's, several have one name, or a name that nobody has is like that of
/// somebody who is not in the file: each with the line that says it.
pub(super) fn numbers(tournament: &Tournament, sheet: &Sheet) -> Result<Vec<u16>, Unplanned> {
    let players = &sheet.players;
    let mut wrong = Unreadable(Vec::new());
    let line = |place| line_of(sheet, place);
    let mut known = Known::of(tournament, sheet);
    let left = left(tournament, sheet, &known);
    let mut next = u32::from(known.last) + 1;
    let mut numbers = Vec::with_capacity(players.len());
    for (place, player) in players.iter().enumerate() {
        let mut several_of = false;
        let number = match player.number {
            0 => known.find(player).unwrap_or_else(|several| {
                let what = what!(
                    "same-name",
                    "`{name}` is the name of players {players}: say which number",
                    name = player.name,
                    players = listed(several)
                );
                wrong.add(line(place), 1, what);
                several_of = true;
                None
            }),
            number if player.name.is_empty() && !tournament.players.contains_key(&number) => {
                let what = what!(
                    "unknown-player",
                    "there is no player {player}; say who plays with --players",
                    player = number
                );
                wrong.add(line(place), 1, what);
                Some(number)
            }
            number => Some(number),
        };
        let like = || {
            left.iter()
                .filter(|other| !several_of && may_be(player, other))
        };
        let number = match number {
            Some(number) => number,
            None => {
                if let Some(other) = like().next() {
                    let what = what!(
                        "like-name",
                        "`{name}` is nobody's name here, and like `{there}`, that of player \
                         {players}: say who it is by the starting number, the number at FIDE, or \
                         the name as it is here",
                        name = player.name,
                        there = other.name,
                        players = listed(like().map(|other| other.number))
                    );
                    wrong.add(line(place), 1, what);
                }
                u16::try_from(next).map_err(|_| Refusal::TooMany)?
            }
        };
        if u32::from(number) == next {
            next += 1;
        }
        known.add(&Player {
            number,
            ..player.clone()
        });
        numbers.push(number);
    }
    Ok(wrong.unless(numbers).map_err(|e| sheet.named(e))?)
}

fn listed(numbers: impl IntoIterator<Item = u16>) -> String {
    let numbers: Vec<String> = numbers.into_iter().map(|n| n.to_string()).collect();
    numbers.join(" and ")
}

/// Those who are known and not drawn by the file: who is, is nobody else in it.
fn left<'p>(tournament: &'p Tournament, sheet: &'p Sheet, known: &Known) -> Vec<&'p Player> {
    let drawn = sheet.games.iter();
    let drawn = drawn.flat_map(|game| [Some(game.white), game.black]);
    let drawn = drawn.flatten().map(|place| &sheet.players[place]);
    let drawn: BTreeSet<u16> = drawn
        .filter_map(|player| match player.number {
            0 => known.find(player).ok().flatten(),
            number => Some(number),
        })
        .collect();
    let told = sheet.players.iter().filter(|player| player.number > 0);
    let all = tournament.players.values().chain(told);
    let left = all.filter(|player| !drawn.contains(&player.number));
    let left: BTreeMap<u16, &Player> = left.map(|player| (player.number, player)).collect();
    left.into_values().collect()
}

/// Whether a name may mean somebody. Who has another number at FIDE is somebody else.
fn may_be(player: &Player, known: &Player) -> bool {
    let ids = player.fide_id.zip(known.fide_id);
    ids.is_none() && are_alike(&player.name, &known.name)
}

/// The line of a player of a sheet: his own, where he has one, else that of his game.
pub(super) fn line_of(sheet: &Sheet, place: usize) -> usize {
    if let Some(line) = sheet.lines.get(place) {
        return *line;
    }
    let mut games = sheet.games.iter();
    let game = games.find(|game| game.white == place || game.black == Some(place));
    game.map_or(1, |game| game.line)
}

/// Players by what they are known by.
#[derive(Default)]
struct Known {
    by_id: HashMap<u64, u16>,
    /// With FIDE's number, where it is known.
    by_name: HashMap<String, Vec<(Option<u64>, u16)>>,
    /// The same by names in whatever order and case.
    by_words: HashMap<String, Vec<(Option<u64>, u16)>>,
    last: u16,
}

impl Known {
    /// Those of an event, and those whom a sheet numbers.
    fn of(tournament: &Tournament, sheet: &Sheet) -> Known {
        let mut known = Known::default();
        tournament.players.values().for_each(|p| known.add(p));
        let numbered = sheet.players.iter().filter(|p| p.number > 0);
        numbered.for_each(|p| known.add(p));
        known
    }

    fn add(&mut self, player: &Player) {
        let Player { number, .. } = *player;
        self.last = self.last.max(number);
        if let Some(id) = player.fide_id {
            self.by_id.entry(id).or_insert(number);
        }
        let by_words = self.by_words.entry(compared(&player.name)).or_default();
        let by_name = self.by_name.entry(player.name.clone()).or_default();
        for named in [by_name, by_words] {
            if !named.contains(&(player.fide_id, number)) {
                named.push((player.fide_id, number));
            }
        }
    }

    /// The player with the same number at FIDE; else the one of the same name, as it is written or
    /// with its parts in another order, unless both have numbers there and they differ. `Err`:
    /// several are of that name.
    fn find(&self, player: &Player) -> Result<Option<u16>, BTreeSet<u16>> {
        if let Some(number) = player.fide_id.and_then(|id| self.by_id.get(&id)) {
            return Ok(Some(*number));
        }
        let written = self.by_name.get(&player.name);
        let words = self.by_words.get(&compared(&player.name));
        for named in [written, words].into_iter().flatten() {
            let named = named.iter();
            let named = named.filter(|(id, _)| id.is_none() || player.fide_id.is_none());
            let numbers: BTreeSet<u16> = named.map(|(_, number)| *number).collect();
            match numbers.len() {
                0 => {}
                1 => return Ok(numbers.first().copied()),
                _ => return Err(numbers),
            }
        }
        Ok(None)
    }
}
