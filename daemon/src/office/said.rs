//! What acts say of the game at a table: reasons, and moves from the scoresheets. Of whoever plays
//! it that is handed out, and the reasons are taken away with his name.

use schemars::JsonSchema;
use serde::Serialize;
use tournament::{Act, GivenTime, Tournament, Typed};

use super::OfficeError;
use super::people::{People, walk};
use crate::store::Deeds;

/// What somebody said of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Said {
    /// When, in RFC 3339.
    pub utc: String,
    /// With what: `result`, `withdraw`, `postpone`, `moves`, `give-time`, `publish`.
    pub act: String,
    /// The round.
    pub round: u16,
    /// The table.
    pub table: u16,
    /// Why; empty where nobody said.
    pub reason: String,
    /// The moves that were typed.
    pub moves: Vec<String>,
}

/// The round and table of the game that an act gives a reason for, or moves; with these.
pub(super) fn of_game<'a>(
    event: &Tournament,
    act: &'a Act,
) -> Option<((u16, u16), &'a str, &'a [String])> {
    let (place, reason, moves): (_, _, &[String]) = match act {
        Act::Result {
            round,
            table,
            reason,
            ..
        }
        | Act::Withdraw {
            round,
            table,
            reason,
        }
        | Act::Postpone {
            round,
            table,
            reason,
        }
        | Act::GiveTime(GivenTime {
            round,
            table,
            reason,
            ..
        })
        | Act::TakeTimeBack {
            round,
            table,
            reason,
            ..
        } => ((*round, *table), reason, &[]),
        Act::Moves {
            round,
            table,
            typed: Typed { moves, .. },
            reason,
        } => ((*round, *table), reason, moves),
        // Of every round at a table is of the one that is played.
        Act::Publish { place, reason, .. } => {
            let at_hand = || event.under_way().map(|(round, _)| round);
            ((place.round.or_else(at_hand)?, place.table?), reason, &[])
        }
        _ => return None,
    };
    Some((place, reason, moves))
}

/// The starting numbers of those who play at a table.
pub(super) fn players(event: &Tournament, (round, table): (u16, u16)) -> Vec<u16> {
    let pairing = event.pairing(round, table).ok();
    pairing.map_or_else(Vec::new, |pairing| pairing.players().collect())
}

impl People {
    /// What acts say of their games, by the places of the events.
    pub(super) fn said(&self, deeds: &Deeds) -> Result<Vec<(usize, Said)>, OfficeError> {
        let mut all = Vec::new();
        walk(deeds, |book, number, act| {
            let Some(((round, table), reason, moves)) = of_game(&book.event, act) else {
                return;
            };
            let at = (book.past.len(), number);
            let mut both = players(&book.event, (round, table)).into_iter();
            let is_said = !reason.is_empty() || !moves.is_empty();
            if is_said && both.any(|player| self.had(at, player)) {
                let deed = &deeds.sound[number - 1];
                let kind = serde_json::from_str::<serde_json::Value>(&deed.what);
                let kind = kind.unwrap_or_default();
                let said = Said {
                    utc: deed.utc.clone(),
                    act: kind["act"].as_str().unwrap_or_default().to_owned(),
                    round,
                    table,
                    reason: reason.to_owned(),
                    moves: moves.to_vec(),
                };
                all.push((at.0, said));
            }
        })?;
        Ok(all)
    }
}
