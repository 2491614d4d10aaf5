//! Which games arbiters observe: in rapid and blitz it matters whether one was seen by an arbiter
//! (Articles A.4 and B.2 of 2023).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Pairing, Tournament};
use crate::act::Act;
use crate::refusal::Refusal;

/// A time for which an arbiter observed the game at a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Observed {
    /// The round.
    pub round: u16,
    /// The table.
    pub table: u16,
    /// Who; empty where nobody said who he is.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub by: String,
    /// Since when, in RFC 3339.
    pub since: String,
    /// Until when; `None` while he observes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// It ended by itself: the game had a result, was postponed, or others were drawn there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_itself: bool,
}

impl Tournament {
    /// The round in which somebody at a table would observe a game now.
    ///
    /// # Errors
    /// Where none is played there.
    pub fn observable_at(&self, table: u16) -> Result<u16, Refusal> {
        let of_two = |(_, p): &(u16, &Pairing)| !p.is_bye() && p.outcome.is_none();
        let played: Vec<_> = self.played_at(table).filter(of_two).collect();
        let begun = played.iter().find(|(_, pairing)| pairing.has_begun());
        let (round, _) = begun.or(played.first()).ok_or(Refusal::NotPlayed(table))?;
        Ok(*round)
    }

    /// Who observes the game at a table of a round now.
    pub fn observers(&self, round: u16, table: u16) -> impl Iterator<Item = &Observed> {
        let all = self.observed.iter();
        all.filter(move |one| (one.round, one.table) == (round, table) && one.until.is_none())
    }

    /// Whether somebody observes a game now.
    pub fn is_observed(&self) -> bool {
        self.observed.iter().any(|one| one.until.is_none())
    }

    pub(super) fn observe(
        &mut self,
        (round, table): (u16, u16),
        by: &str,
        at: &str,
    ) -> Result<(), Refusal> {
        self.is_played(round, table)?;
        let pairing = self.pairing(round, table)?;
        if pairing.is_bye() {
            return Err(Refusal::Empty("an opponent"));
        }
        if pairing.is_postponed() {
            return Err(Refusal::Postponed { round, table });
        }
        if pairing.outcome.is_some() {
            return Err(Refusal::HasEnded { round, table });
        }
        if self.observers(round, table).any(|one| one.by == by) {
            let by = by.to_owned();
            return Err(Refusal::Observes { round, table, by });
        }
        self.observed.push(Observed {
            round,
            table,
            by: by.to_owned(),
            since: at.to_owned(),
            until: None,
            by_itself: false,
        });
        Ok(())
    }

    pub(super) fn stop_observing(
        &mut self,
        (round, table): (u16, u16),
        by: &str,
        at: &str,
        by_itself: bool,
    ) -> Result<(), Refusal> {
        let is_it = |one: &&mut Observed| {
            (one.round, one.table, &*one.by) == (round, table, by) && one.until.is_none()
        };
        let one = self.observed.iter_mut().find(is_it);
        let one = one.ok_or(Refusal::ObservesNot { round, table })?;
        one.until = Some(at.to_owned());
        one.by_itself = by_itself;
        Ok(())
    }

    /// The acts that follow by themselves, at this moment, now that the event is no more as it was
    /// before: what is not played any more is not observed any more. None without a before.
    pub fn not_observed_since(&self, before: Option<&Tournament>, at: &str) -> Vec<Act> {
        let Some(before) = before else {
            return Vec::new();
        };
        let open = self.observed.iter().filter(|one| one.until.is_none());
        let is_over = |one: &&Observed| {
            let [was, is] = [before, self].map(|event| event.pairing(one.round, one.table));
            match (was, is) {
                (Ok(was), Ok(is)) => is.outcome.is_some() || is.is_postponed() || !is.is_same(was),
                _ => true,
            }
        };
        let stop = |one: &Observed| Act::StopObserving {
            round: one.round,
            table: one.table,
            by: one.by.clone(),
            at: at.to_owned(),
            by_itself: true,
        };
        open.filter(is_over).map(stop).collect()
    }
}
