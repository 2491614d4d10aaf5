//! Which sheet of a workbook is meant, where several have pairings.

use std::collections::{BTreeMap, BTreeSet};

use super::columns::round_of;
use super::table::Table;
use super::{Format, Sheet, Unreadable, What, no_pairing, to_play};
use crate::what;

/// A table, the name of its sheet, and the rounds of which it may have something.
struct Named {
    name: String,
    table: Table,
    rounds: BTreeSet<u16>,
}

impl Named {
    fn sheet(&self, wanted: Option<u16>) -> Result<Sheet, Unreadable> {
        let sheet = self.table.sheet(Format::Xlsx, wanted);
        let mut sheet = sheet.map_err(|wrong| wrong.of_sheet(&self.name))?;
        for told in &mut sheet.passed_over {
            told.sheet = Some(self.name.clone());
        }
        sheet.name = Some(self.name.clone());
        Ok(sheet)
    }
}

/// The only sheet with pairings, or the one of the round that is wanted. Nobody says which: the
/// round that is to be played.
pub(super) fn one_of(
    tables: Vec<(String, Table)>,
    wanted: Option<u16>,
) -> Result<Sheet, Unreadable> {
    let refused = |what: What| Err(Unreadable::one(1, 1, what));
    let named = tables.into_iter().map(|(name, mut table)| {
        let mut rounds = table.rounds();
        if rounds.is_empty() {
            // What a title or a column says is surer than the name of a sheet.
            table.round = round_of(&name);
            rounds.extend(table.round);
        }
        Named {
            name,
            table,
            rounds,
        }
    });
    let mut named: Vec<Named> = named.collect();
    match (&named[..], wanted) {
        ([], _) => {
            return refused(what!(
                "no-headings",
                "no sheet has headings such as `table`, `white` and `black`"
            ));
        }
        ([one], _) => return one.sheet(wanted),
        (_, None) => return next(&named),
        (_, Some(_)) => {}
    }
    named.retain(|named| wanted.is_some_and(|round| named.rounds.contains(&round)));
    match (&named[..], wanted) {
        ([one], _) => one.sheet(wanted),
        ([], Some(round)) => refused(no_pairing(round)),
        (_, Some(round)) => refused(what!(
            "several-sheets-of",
            "the sheets {sheets} all have pairings of round {round}: leave one of them",
            sheets = names(&named),
            round = round
        )),
        (_, None) => next(&named),
    }
}

/// The sheet of the round that is to be played, where each has one round of its own.
fn next(named: &[Named]) -> Result<Sheet, Unreadable> {
    let mut sheets = BTreeMap::new();
    for one in named {
        let round = one.rounds.first().filter(|_| one.rounds.len() == 1);
        let is_other = round.is_some_and(|round| !sheets.contains_key(round));
        let (Some(round), true) = (round, is_other) else {
            let what = what!(
                "several-sheets",
                "the sheets {sheets} all have pairings: say which round is wanted",
                sheets = names(named)
            );
            return Err(Unreadable::one(1, 1, what));
        };
        sheets.insert(*round, one.sheet(None)?);
    }
    // A sheet that waits for its round has headings alone.
    sheets.retain(|_, sheet| !sheet.games.is_empty());
    let open = |sheet: &Sheet| -> Vec<bool> {
        let games = sheet.games.iter().filter(|game| game.black.is_some());
        games.map(|game| game.codes.is_none()).collect()
    };
    let rounds = sheets.iter();
    let rounds: Vec<(usize, Vec<bool>)> = rounds
        .map(|(round, sheet)| (usize::from(*round), open(sheet)))
        .collect();
    let round = to_play(&rounds).map_err(|what| Unreadable::one(1, 1, what))?;
    let round = round.and_then(|round| u16::try_from(round).ok());
    match round.and_then(|round| sheets.remove(&round)) {
        Some(sheet) => Ok(sheet),
        None if sheets.is_empty() => {
            let what = what!("no-pairing", "no pairing is in it");
            Err(Unreadable::one(1, 1, what))
        }
        None => Err(Unreadable::one(1, 1, super::all_played())),
    }
}

fn names(named: &[Named]) -> String {
    let names: Vec<&str> = named.iter().map(|named| named.name.as_str()).collect();
    names.join(", ")
}
