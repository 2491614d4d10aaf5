//! Who the players of a sheet are.

use std::collections::HashMap;

use crate::model::{Player, Tournament};
use crate::refusal::Refusal;

/// The starting number of each player of a sheet: the file's; else that of the player with the same
/// number at FIDE, or the same name; else the next that is free.
pub(super) fn numbers(tournament: &Tournament, players: &[Player]) -> Result<Vec<u16>, Refusal> {
    let mut known = Known::default();
    tournament.players.values().for_each(|p| known.add(p));
    let given = players.iter().map(|player| player.number).max();
    let mut next = u32::from(known.last.max(given.unwrap_or_default())) + 1;
    let mut numbers = Vec::with_capacity(players.len());
    for player in players {
        let number = match player.number {
            0 => known.find(player),
            number if player.name.is_empty() && !tournament.players.contains_key(&number) => {
                return Err(Refusal::NoPlayer(number));
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
    Ok(numbers)
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
    /// numbers there and they differ.
    fn find(&self, player: &Player) -> Option<u16> {
        let by_id = player.fide_id.and_then(|id| self.by_id.get(&id));
        let named = self.by_name.get(&player.name);
        let mut named = named.map_or(&[][..], |named| named).iter();
        let by_name = named.find(|(id, _)| id.is_none() || player.fide_id.is_none());
        by_id.copied().or(by_name.map(|(_, number)| *number))
    }
}
