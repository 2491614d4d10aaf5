//! What would become of a sheet, before anything does.

mod change;
mod earlier;
mod entry;
mod identity;
mod like;
mod matches;
mod numbers;
mod oddity;
mod tables;
mod teams;
mod words;

pub use change::Change;
pub use identity::stood;
pub use oddity::{Oddity, is_one_name};
pub use words::told;

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use chess_trf::Code;
use schemars::JsonSchema;
use serde::Serialize;

use crate::act::Act;
use crate::code::ResultCode;
use crate::load::{Format, Sheet, Unreadable};
use crate::model::{How, Outcome, Pairing, Stage, Tournament};
use crate::refusal::Refusal;
use crate::what;
use change::changes;
use entry::{described, entered, marks};
use numbers::numbers;
use oddity::oddities;

/// More rounds than any event has.
pub const MOST_ROUNDS: u16 = 500;

/// What the operator says besides the file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// The round; else the file says it.
    pub round: Option<u16>,
    /// Only these tables are drawn; the others stay as they are.
    pub tables: Option<RangeInclusive<u16>>,
    /// The SHA-256 of the file, in hexadecimal digits.
    pub file: Option<String>,
    /// The same of the file that has the players, where there is one.
    pub players_file: Option<String>,
    /// In which encoding both are, where somebody says so.
    pub encoding: Option<String>,
}

/// What a sheet would do to a tournament.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Plan {
    /// The round that is drawn.
    pub round: u16,
    /// The pairings of it as they would be.
    pub pairings: Vec<Pairing>,
    /// What would be different; nothing, where the same was loaded before.
    pub changes: Vec<Change>,
    /// What a person should look at.
    pub oddities: Vec<Oddity>,
    /// The acts that do it; none where nothing would be different, but for a report file that is
    /// to be kept.
    pub acts: Vec<Act>,
}

impl Plan {
    /// Works out what a sheet would do.
    ///
    /// # Errors
    /// Where it cannot be done, with the line that asks for it.
    pub fn of(tournament: &Tournament, sheet: &Sheet, place: &Place) -> Result<Plan, Unplanned> {
        let round = place.round.or(sheet.round).ok_or(Refusal::NoRoundSaid)?;
        if round > MOST_ROUNDS {
            return Err(Unplanned::too_high(round, sheet));
        }
        let numbers = numbers(tournament, sheet)?;
        identity::keeps(tournament, sheet, &numbers, round).map_err(|e| sheet.named(e))?;
        let teams = teams::Said::of(tournament, sheet, round).map_err(|e| sheet.named(e))?;
        let (mut pairings, mut in_order) = (pairings(sheet, &numbers), true);
        if sheet.games.iter().all(|game| game.table.is_none()) {
            let stood = tournament.rounds.get(&round);
            let stood = stood.map_or(&[][..], |round| &round.pairings);
            in_order = tables::number(&mut pairings, stood);
        }
        let lines: Vec<(Pairing, usize)> = pairings
            .iter()
            .cloned()
            .zip(sheet.games.iter().map(|game| game.line))
            .collect();
        if let Some(wanted) = &place.tables {
            pairings.retain(|p| p.table.is_some_and(|table| wanted.contains(&table)));
            if pairings.is_empty() {
                let (from, to) = (wanted.start(), wanted.end());
                let what = what!(
                    "no-such-tables",
                    "no pairing at tables {from} to {to} is in it",
                    from = from,
                    to = to
                );
                return Err(Unreadable::one(1, 1, what).into());
            }
            let stood = tournament
                .rounds
                .get(&round)
                .map(|round| &round.pairings[..]);
            // Whoever plays there now has no bye any more.
            let drawn: BTreeSet<u16> = pairings.iter().flat_map(Pairing::players).collect();
            let stays = |pairing: &&Pairing| match pairing.table {
                Some(table) => !wanted.contains(&table),
                None => !drawn.contains(&pairing.white),
            };
            let kept = stood.unwrap_or_default().iter().filter(stays);
            pairings.extend(kept.cloned());
        }
        let stood = tournament.rounds.get(&round);
        let stood = stood.map_or(&[][..], |round| &round.pairings);
        if sheet.format == Format::Pgn {
            keep_results(&mut pairings, stood);
        }
        let stale = matches::stale(tournament, round, &pairings);
        keep_byes(&mut pairings, stood, sheet.format, &stale);
        let said = pairings.clone();
        let players = entered(tournament, sheet, &numbers);
        let details = described(tournament, sheet);
        let act = Act::Draw {
            round,
            date: sheet.date.clone(),
            players,
            pairings,
            file: place.file.clone(),
            players_file: place.players_file.clone(),
            encoding: place.encoding.clone(),
        };
        let mut after = tournament.clone();
        let closed = after.rounds.get_mut(&round);
        let closed = closed.filter(|round| round.stage == Stage::Closed);
        // What a closed round would become is looked at as if it were none.
        let is_closed = closed.map(|round| round.stage = Stage::UnderWay).is_some();
        let mut acts = Vec::new();
        if details != tournament.details {
            acts.push(Act::Describe { details });
        }
        let [taken, set] = marks(tournament, sheet, &numbers);
        acts.extend(taken);
        acts.push(act);
        acts.extend(set);
        let refused = |refusal| Unplanned::at(refusal, tournament, &lines);
        acts.iter()
            .try_for_each(|act| after.apply(act))
            .map_err(refused)?;
        acts.extend(matches::acts(tournament, &mut after, &teams, round).map_err(refused)?);
        let changes = changes(tournament, &after, round);
        if is_closed && !changes.is_empty() {
            let differs = changes.iter().map(Change::to_string).collect();
            return Err(Refusal::ClosedOtherwise { round, differs }.into());
        }
        if changes.is_empty() {
            // A report file takes the results, also where it says what is known.
            let is_new = !is_closed && is_new_report(tournament, sheet, round, place);
            acts.retain(|act| is_new && matches!(act, Act::Draw { .. }));
        }
        let drawn = after.rounds.get(&round).map(|round| round.pairings.clone());
        Ok(Plan {
            round,
            pairings: drawn.unwrap_or_default(),
            changes,
            oddities: oddities(tournament, &after, round, sheet, &said, &numbers, in_order),
            acts,
        })
    }
}

/// Whether a report file comes with a sheet that the round was not read from before, or another
/// was since: results are filled into the one that came last.
fn is_new_report(event: &Tournament, sheet: &Sheet, round: u16, place: &Place) -> bool {
    let own = place.file.as_ref().filter(|_| sheet.format == Format::Trf);
    let known = event.rounds.get(&round);
    let known = known.map_or(&[][..], |round| &round.files);
    let both = [&place.file, &place.players_file];
    let comes_now = |file: &String| both.contains(&&Some(file.clone()));
    let is_last = |file: &String| {
        let mut last = known.iter().rev().map(|known| &known.file);
        let mut of_now = last.by_ref().take_while(|known| comes_now(known));
        of_now.any(|known| known == file)
    };
    let mut reports = own.into_iter().chain(&place.players_file);
    reports.any(|file| !is_last(file))
}

/// Why a sheet cannot be used as the event stands.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unplanned {
    /// What it says cannot be understood beside what is known.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// It cannot be done.
    #[error("{}{refusal}", .line.map_or_else(String::new, |line| format!("line {line}: ")))]
    Refused {
        /// Why.
        refusal: Refusal,
        /// The line that asks for it, where one does.
        line: Option<usize>,
    },
}

impl From<Refusal> for Unplanned {
    fn from(refusal: Refusal) -> Unplanned {
        Unplanned::Refused {
            refusal,
            line: None,
        }
    }
}

impl Unplanned {
    /// A round that no event has, with the line of the first game in it.
    fn too_high(round: u16, sheet: &Sheet) -> Unplanned {
        let most = MOST_ROUNDS;
        Unplanned::Refused {
            refusal: Refusal::RoundTooHigh { round, most },
            line: sheet.games.first().map(|game| game.line),
        }
    }

    /// With the line that is to blame; of two the second.
    fn at(refusal: Refusal, event: &Tournament, lines: &[(Pairing, usize)]) -> Unplanned {
        let is_meant = |pairing: &Pairing| match refusal {
            Refusal::Begun { table, .. } | Refusal::TableTwice(table) => {
                pairing.table == Some(table)
            }
            Refusal::PlayerTwice(player) | Refusal::NoPlayer(player) => {
                pairing.white == player || pairing.black == Some(player)
            }
            _ => false,
        };
        // Of a pair that has begun, and is elsewhere in the file, it is that line.
        let moved = match refusal {
            Refusal::Begun { round, table } => event.pairing(round, table).ok(),
            _ => None,
        };
        let is_moved = |pairing: &Pairing| moved.is_some_and(|moved| moved.is_pair(pairing));
        let found = |is_it: &dyn Fn(&Pairing) -> bool| {
            let mut lines = lines.iter().rev();
            lines
                .find(|(pairing, _)| is_it(pairing))
                .map(|(_, line)| *line)
        };
        let line = found(&is_meant).or_else(|| found(&is_moved));
        Unplanned::Refused { refusal, line }
    }

    /// Why it cannot be done; `None` where it cannot be understood.
    pub fn refusal(&self) -> Option<&Refusal> {
        match self {
            Unplanned::Unreadable(_) => None,
            Unplanned::Refused { refusal, .. } => Some(refusal),
        }
    }
}

fn pairings(sheet: &Sheet, numbers: &[u16]) -> Vec<Pairing> {
    let pairing = |game: &crate::load::Game| {
        let table = game.black.and(game.table);
        let outcome = game.codes.map(|codes| Outcome {
            codes,
            how: How::File,
            confirmed: false,
        });
        Pairing {
            table,
            white: numbers[game.white],
            black: game.black.map(|black| numbers[black]),
            game: None,
            outcome,
            typed: None,
            start: game.start.clone(),
            postponed: false,
            withdrawn: false,
            annulled: false,
            annulled_games: Vec::new(),
        }
    };
    sheet.games.iter().map(pairing).collect()
}

/// PGN has one sign for several results: what is known of them stays.
fn keep_results(pairings: &mut [Pairing], stood: &[Pairing]) {
    for pairing in pairings.iter_mut() {
        let before = stood.iter().find(|p| p.is_same(pairing));
        let codes = |p: &Pairing| p.outcome.as_ref().map(|o| ResultCode::pgn(o.codes));
        if let Some(before) = before.filter(|before| codes(before) == codes(pairing)) {
            pairing.outcome.clone_from(&before.outcome);
        }
    }
}

/// Byes that a file of this form cannot say stay, of those who are not drawn in it: PGN has none,
/// and a list only the one that pairing gives, none that a player has asked for.
/// What is `stale` ends with the game for which it was.
fn keep_byes(
    pairings: &mut Vec<Pairing>,
    stood: &[Pairing],
    format: Format,
    stale: &BTreeSet<u16>,
) {
    let is_given = |p: &Pairing| {
        let code = p.outcome.as_ref().map(|outcome| outcome.codes[0].0);
        code.is_none_or(|code| code == Code::PairingBye)
    };
    let is_unsaid = |p: &&Pairing| match format {
        Format::Pgn => true,
        Format::List => !is_given(p),
        Format::Trf | Format::Csv | Format::Xlsx => false,
    };
    let drawn: BTreeSet<u16> = pairings.iter().flat_map(Pairing::players).collect();
    let byes = stood
        .iter()
        .filter(|p| p.is_bye() && !drawn.contains(&p.white) && !stale.contains(&p.white));
    pairings.extend(byes.filter(is_unsaid).cloned());
}
