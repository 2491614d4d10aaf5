//! What people have decided at the hub, and in whose name halls are ordered it.
//!
//! An order of the hub has a name that says upon which decision it rests. So the journals of the
//! halls tell a hub whose store was put back to an older copy that more was decided than it knows
//! of; whatever else is decided there since.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use access::{Role, Tables};
use serde_json::Value;
use sha2::{Digest, Sha256};
use tournament::Act;

use super::gather::Seat;
use super::{Event, Stays, gather};
use crate::hub::Undone;
use crate::hub::order::{Dealt, Order, OrderAct, Reply};
use crate::hub::status::HallShown;
use crate::store::{Area, Author, Deed, Deeds};

/// What people have decided at a hub, one after the other, each with a number and a checksum of all
/// before.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Decisions {
    /// How the hub's store is called, and all its copies.
    hub: String,
    sums: BTreeMap<u64, String>,
    /// Up to which number others stand for nothing, as somebody has said.
    stood: u64,
    /// Who has last decided something about the rounds.
    last_by: Giver,
    /// Who has closed a round of the event at hand: what stood then is his word.
    closed_by: BTreeMap<u16, Giver>,
    /// Who has last said how the game of a table of it has ended, in an open round or since it was
    /// closed.
    said_by: BTreeMap<Seat, Giver>,
    /// Who has last said whether it is played later.
    later_by: BTreeMap<Seat, Giver>,
}

/// In whose name a hall is ordered something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Giver {
    who: String,
    role: Role,
    /// The tables that it is about, where he has tables of his own.
    tables: Option<Tables>,
}

impl Default for Giver {
    fn default() -> Giver {
        Giver {
            who: "hub".to_owned(),
            role: Role::Chief,
            tables: None,
        }
    }
}

impl Giver {
    fn of(author: &Author) -> Giver {
        let is_named = !author.who.is_empty();
        Giver {
            who: if is_named { &author.who } else { "hub" }.to_owned(),
            role: author.role.parse().unwrap_or(Role::Chief),
            tables: None,
        }
    }
}

impl Decisions {
    fn read(deeds: &Deeds, origin: &str) -> Decisions {
        let of_people = |deed: &Deed| gather::is_of_hub(&deed.author.device);
        let of_event = deeds.of(Area::Event).filter(|(_, deed)| of_people(deed));
        let of_event = of_event.map(|(number, deed)| (number, (&deed.utc, None)));
        let of_orders = deeds.of(Area::Orders).filter_map(|(number, deed)| {
            match serde_json::from_str(&deed.what).ok()? {
                OrderAct::TableMoved { .. } => Some((number, (&deed.utc, None))),
                OrderAct::Stands { more } => Some((number, (&deed.utc, Some(more)))),
                _ => None,
            }
        });
        let all: BTreeMap<u64, _> = of_event.chain(of_orders).collect();
        let mut decisions = Decisions {
            hub: digest(&[origin]),
            ..Decisions::default()
        };
        let mut last = (0_u64, String::new());
        for (utc, stands) in all.into_values() {
            // A hall may have been told any number.
            let number = last.0.saturating_add(1);
            let number = number.saturating_add(stands.unwrap_or_default());
            last = (number, digest(&[&last.1, utc]));
            if stands.is_some() {
                decisions.stood = number;
            }
            decisions.sums.insert(number, last.1.clone());
        }
        for (_, deed) in deeds.of(Area::Event).filter(|(_, deed)| of_people(deed)) {
            decisions.note_giver(deed);
        }
        decisions
    }

    /// Who has said how a table stands. Where the hall takes no orders from him, it is the word of
    /// who has closed the round, or has drawn or started it.
    fn giver(&self, by: &BTreeMap<Seat, Giver>, seat @ (round, _): Seat, takes: &[Role]) -> Giver {
        let said = [by.get(&seat), self.closed_by.get(&round)];
        let mut said = said.into_iter().flatten();
        let taken = said.find(|giver| takes.contains(&giver.role));
        taken.unwrap_or(&self.last_by).clone()
    }

    fn note_giver(&mut self, deed: &Deed) {
        let Ok(act) = serde_json::from_str::<Act>(&deed.what) else {
            return;
        };
        let giver = || Giver::of(&deed.author);
        if let Act::Open { .. } = act {
            self.said_by.clear();
            self.later_by.clear();
            self.closed_by.clear();
        }
        if let Act::CloseRound { round } = act {
            self.said_by.retain(|(of, _), _| *of != round);
            self.later_by.retain(|(of, _), _| *of != round);
            self.closed_by.insert(round, giver());
        }
        match act {
            Act::Open { .. }
            | Act::Describe { .. }
            | Act::Draw { .. }
            | Act::Undraw { .. }
            | Act::StartRound { .. }
            | Act::CloseRound { .. }
            | Act::Close => self.last_by = giver(),
            Act::Postpone { round, table, .. } | Act::Resume { round, table } => {
                self.later_by.insert((round, table), giver());
            }
            Act::Result { round, table, .. }
            | Act::Confirm { round, table }
            | Act::Withdraw { round, table, .. } => {
                self.said_by.insert((round, table), giver());
            }
            _ => {}
        }
    }

    /// An order as one person gives it: what others have said of other tables is ordered after it.
    pub(super) fn by_one(
        &self,
        (path, body): (String, String),
        takes: &[Role],
    ) -> ((String, String), Giver) {
        let said = round_of(&path).and_then(|round| {
            let mut said: Value = serde_json::from_str(&body).ok()?;
            let by = match path.ends_with("/results") {
                true => &self.said_by,
                false => &self.later_by,
            };
            let giver = |table: u16| self.giver(by, (round, table), takes);
            let one = giver(*tables_in(&said).first()?);
            let (first, last) = only(&mut said, |table| giver(table) == one)?;
            let tables = format!("{first}-{last}").parse().ok();
            let tables = tables.filter(|_| one.role == Role::Sector);
            Some((said.to_string(), Giver { tables, ..one }))
        });
        match said {
            Some((said, giver)) => ((path, said), giver),
            None => ((path, body), self.last_by.clone()),
        }
    }

    fn last(&self) -> (u64, &str) {
        let last = self.sums.last_key_value();
        last.map_or((0, ""), |(number, sum)| (*number, sum))
    }

    /// The name of an order that rests upon all of them.
    fn name(&self, token: &str) -> String {
        let (number, sum) = self.last();
        format!("{}{token}", Dealt::prefix(&self.hub, number, sum))
    }

    /// Whether a hall was ordered something upon a decision that is none of these: this store is an
    /// older copy of the one that has ordered it.
    pub(super) fn are_older(&self, hall: &HallShown) -> bool {
        let dealt = hall.dealt.of(&self.hub);
        dealt
            .is_some_and(|(number, sum)| *number > self.stood && self.sums.get(number) != Some(sum))
    }
}

/// The round of an order that says something of single tables.
fn round_of(path: &str) -> Option<u16> {
    let (round, what) = path.strip_prefix("/api/rounds/")?.split_once('/')?;
    let is_of_tables = ["results", "postpone", "resume"].contains(&what);
    round.parse().ok().filter(|_| is_of_tables)
}

/// The tables that such an order is about.
fn tables_in(said: &Value) -> Vec<u16> {
    let results = said["results"].as_object().into_iter().flatten();
    let results = results.filter_map(|(table, _)| table.parse().ok());
    let tables = said["tables"].as_array().into_iter().flatten();
    let tables = tables.filter_map(|table| table.as_u64()?.try_into().ok());
    results.chain(tables).collect()
}

/// Leaves only some of them; gives the first and the last.
fn only(said: &mut Value, its: impl Fn(u16) -> bool) -> Option<(u16, u16)> {
    if let Some(results) = said.get_mut("results").and_then(Value::as_object_mut) {
        results.retain(|table, _| table.parse().is_ok_and(&its));
    }
    if let Some(tables) = said.get_mut("tables").and_then(Value::as_array_mut) {
        let is_its = |table: &Value| table.as_u64()?.try_into().ok().map(&its);
        tables.retain(|table| is_its(table) == Some(true));
    }
    let left = tables_in(said);
    Some((*left.iter().min()?, *left.iter().max()?))
}

/// The first digits of a checksum of some words.
fn digest(words: &[&str]) -> String {
    let sum = Sha256::digest(words.join(" "));
    sum[..4].iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Event {
    /// What was decided at this hub.
    pub(super) fn decisions(&self) -> Decisions {
        let deeds = self.office.store().deeds().unwrap_or_default();
        Decisions::read(&deeds, &self.origin)
    }

    /// What this hub has of the event stands, though the halls were ordered otherwise since its
    /// store was copied.
    pub(crate) async fn stands(&self, author: Author) -> Result<(), Stays> {
        let (decisions, halls) = (self.decisions(), self.halls.shown());
        if !halls.iter().any(|hall| decisions.are_older(hall)) {
            return Err(Stays::Newest);
        }
        let dealt = halls
            .iter()
            .filter_map(|hall| hall.dealt.of(&decisions.hub));
        let most = dealt.map(|(number, _)| *number).max().unwrap_or_default();
        let more = most.saturating_sub(decisions.last().0);
        self.write(author, &OrderAct::Stands { more }).await?;
        self.stood.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    /// Orders something of a hall, upon what was decided.
    pub(super) async fn order(
        &self,
        hall: String,
        ((path, body), giver): ((String, String), Giver),
        decisions: &Decisions,
    ) -> (String, Result<Reply, Undone>) {
        let Giver { who, role, tables } = giver;
        let Ok(token) = access::token() else {
            let refused = Reply::refused(503, "no name for an order could be made");
            return (hall, Ok(refused));
        };
        let id = decisions.name(&token);
        let order = Order {
            id,
            who,
            role,
            tables,
            path,
            body,
            given: 0,
        };
        let answer = self.halls.order(&hall, order).await;
        (hall, answer)
    }
}
