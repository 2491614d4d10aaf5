//! What people have said of the results of pairings, in its order: it stands in protocols and in
//! reports. What a board shows, and what an arbiter orders in a game, stands in the game.

use schemars::JsonSchema;
use serde::Serialize;
use tournament::{Act, How, Tournament};

/// What somebody has said of a result.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct ResultSaid {
    /// The table.
    pub table: u16,
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// Who; empty where nobody gave his name.
    pub by: String,
    /// What was done with the result.
    pub what: SaidWhat,
    /// The result from then on, for people: `1-0`, `½-½`, `+/-` ...; `null` where there is none.
    pub result: Option<String>,
    /// How that came.
    pub how: Option<How>,
    /// The result that stood before, where that was another.
    pub instead: Option<String>,
    /// Why; empty where nobody said.
    pub reason: String,
}

/// What is done with a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SaidWhat {
    /// Typed by somebody who may not confirm it.
    Typed,
    /// Entered, or changed.
    Entered,
    /// Confirmed as it was proposed.
    Confirmed,
    /// Taken back.
    Withdrawn,
    /// The game was none.
    Annulled,
    /// That it was none was taken back.
    Reinstated,
    /// The game is played later.
    Postponed,
    /// A postponed game is played now.
    Resumed,
}

/// What a person says of a result with an act: of which round and table, what, and why.
fn said_by(act: &Act) -> Option<((u16, u16), SaidWhat, &str)> {
    Some(match act {
        Act::Result {
            round,
            table,
            reason,
            ..
        } => ((*round, *table), SaidWhat::Entered, reason),
        Act::Propose {
            round,
            table,
            how: How::Typed | How::Forfeit,
            ..
        } => ((*round, *table), SaidWhat::Typed, ""),
        Act::Confirm { round, table } => ((*round, *table), SaidWhat::Confirmed, ""),
        Act::Withdraw {
            round,
            table,
            reason,
        } => ((*round, *table), SaidWhat::Withdrawn, reason),
        Act::Annul { round, table } => ((*round, *table), SaidWhat::Annulled, ""),
        Act::Reinstate { round, table, .. } => ((*round, *table), SaidWhat::Reinstated, ""),
        Act::Postpone {
            round,
            table,
            reason,
        } => ((*round, *table), SaidWhat::Postponed, reason),
        Act::Resume { round, table } => ((*round, *table), SaidWhat::Resumed, ""),
        _ => return None,
    })
}

/// The result that stands at the table of which an act says something; `None` for other acts.
pub(super) fn before(event: &Tournament, act: &Act) -> Option<Option<String>> {
    let ((round, table), ..) = said_by(act)?;
    let pairing = event.pairing(round, table).ok();
    Some(pairing.and_then(|pairing| pairing.written()))
}

impl ResultSaid {
    /// What somebody has said with an act that was done, and in which round. What nobody said, as
    /// that a board shows its result no more, has neither a name nor a reason.
    pub(super) fn of(
        event: &Tournament,
        (who, at): (&str, i64),
        act: &Act,
        before: Option<String>,
    ) -> Option<(u16, ResultSaid)> {
        let ((round, table), what, reason) = said_by(act)?;
        let pairing = event.pairing(round, table).ok()?;
        let result = pairing.written();
        let said = ResultSaid {
            table,
            at,
            by: who.to_owned(),
            what,
            how: pairing.outcome.as_ref().map(|outcome| outcome.how),
            instead: before.filter(|before| Some(before) != result.as_ref()),
            result,
            reason: reason.to_owned(),
        };
        let is_by_itself = what == SaidWhat::Withdrawn && who.is_empty() && reason.is_empty();
        (!is_by_itself).then_some((round, said))
    }
}
