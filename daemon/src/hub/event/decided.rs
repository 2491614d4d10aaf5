//! What people have decided at the hub, and in whose name halls are ordered it.
//!
//! An order of the hub has a name that says upon which decision it rests. So the journals of the
//! halls tell a hub whose store was put back to an older copy that more was decided than it knows
//! of; whatever else is decided there since.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use access::Role;
use sha2::{Digest, Sha256};
use tournament::Act;

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
        let mut last = (0, String::new());
        for (utc, stands) in all.into_values() {
            let number = last.0 + 1 + stands.unwrap_or_default();
            last = (number, digest(&[&last.1, utc]));
            if stands.is_some() {
                decisions.stood = number;
            }
            decisions.sums.insert(number, last.1.clone());
        }
        decisions
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

    /// Who last decided something about the rounds at the hub: halls are ordered in his name.
    fn author(&self) -> (String, Role) {
        let deeds = self.office.store().deeds().unwrap_or_default();
        let decides = |what: &str| {
            matches!(
                serde_json::from_str::<Act>(what),
                Ok(Act::Open { .. }
                    | Act::Describe { .. }
                    | Act::Draw { .. }
                    | Act::Undraw { .. }
                    | Act::StartRound { .. }
                    | Act::CloseRound { .. }
                    | Act::Close)
            )
        };
        let of_event = deeds.of(Area::Event).map(|(_, deed)| deed);
        let mut of_event: Vec<_> = of_event.collect();
        of_event.retain(|deed| gather::is_of_hub(&deed.author.device));
        let last = of_event.iter().rev().find(|deed| decides(&deed.what));
        let author = last.map(|deed| deed.author.clone());
        let author = author.unwrap_or_default();
        let who = Some(author.who).filter(|who| !who.is_empty());
        let role = author.role.parse().unwrap_or(Role::Chief);
        (who.unwrap_or_else(|| "hub".to_owned()), role)
    }

    /// Orders something of a hall, upon what was decided.
    pub(super) async fn order(
        &self,
        hall: String,
        (path, body): (String, String),
        decisions: &Decisions,
    ) -> (String, Result<Reply, Undone>) {
        let (who, role) = self.author();
        let Ok(token) = access::token() else {
            let refused = Reply::refused(503, "no name for an order could be made");
            return (hall, Ok(refused));
        };
        let id = decisions.name(&token);
        let order = Order {
            id,
            who,
            role,
            tables: None,
            path,
            body,
            given: 0,
        };
        let answer = self.halls.order(&hall, order).await;
        (hall, answer)
    }
}
