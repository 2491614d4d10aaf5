//! Who the players of a sheet are.

use std::collections::{BTreeSet, HashMap};

use super::Unplanned;
use crate::load::{Sheet, Unreadable};
use crate::model::{Player, Tournament};
use crate::refusal::Refusal;
use crate::what;

/// The starting number of each player of a sheet: the file's; else that of the player with the same
/// number at FIDE, or the same name; else the next that is free.
///
/// # Errors
/// Where a number is nobody's, or several have one name: each with the line that says it.
pub(super) fn numbers(tournament: &Tournament, sheet: &Sheet) -> Result<Vec<u16>, Unplanned> {
    let players = &sheet.players;
    let mut wrong = Unreadable(Vec::new());
    let line = |place| line_of(sheet, place);
    let mut known = Known::default();
    tournament.players.values().for_each(|p| known.add(p));
    let given = players.iter().map(|player| player.number).max();
    let mut next = u32::from(known.last.max(given.unwrap_or_default())) + 1;
    let mut numbers = Vec::with_capacity(players.len());
    for (place, player) in players.iter().enumerate() {
        let number = match player.number {
            0 => known.find(player).unwrap_or_else(|several| {
                let several: Vec<String> = several.iter().map(u16::to_string).collect();
                let what = what!(
                    "same-name",
                    "`{name}` is the name of players {players}: say which number",
                    name = player.name,
                    players = several.join(" and ")
                );
                wrong.add(line(place), 1, what);
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
        let number = match number {
            Some(number) => number,
            None => u16::try_from(next).map_err(|_| Refusal::TooMany)?,
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
    last: u16,
}

impl Known {
    fn add(&mut self, player: &Player) {
        let Player { number, .. } = *player;
        self.last = self.last.max(number);
        if let Some(id) = player.fide_id {
            self.by_id.entry(id).or_insert(number);
        }
        let named = self.by_name.entry(player.name.clone()).or_default();
        if !named.contains(&(player.fide_id, number)) {
            named.push((player.fide_id, number));
        }
    }

    /// The player with the same number at FIDE; else the one of the same name, unless both have
    /// numbers there and they differ. `Err`: several are of that name.
    fn find(&self, player: &Player) -> Result<Option<u16>, Vec<u16>> {
        if let Some(number) = player.fide_id.and_then(|id| self.by_id.get(&id)) {
            return Ok(Some(*number));
        }
        let named = self.by_name.get(&player.name);
        let named = named.map_or(&[][..], |named| named).iter();
        let by_name = named.filter(|(id, _)| id.is_none() || player.fide_id.is_none());
        let by_name: BTreeSet<u16> = by_name.map(|(_, number)| *number).collect();
        match by_name.len() {
            0 | 1 => Ok(by_name.first().copied()),
            _ => Err(by_name.into_iter().collect()),
        }
    }
}
