//! Orders that a person gives at the hub, and a hall carries out: what they say, and what the
//! hall's journal has of them.
//!
//! The hall asks its own interface, in the person's name. Before that it writes down that it will,
//! and after it what came of it: so an order that comes again counts once, also where the hall was
//! killed in between, and the hub learns the answer as it learns everything, from the journal.

use std::collections::{BTreeMap, HashMap};

use access::{Role, Tables, Who};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tokio::sync::mpsc;

use super::message::FromHall;
use crate::store::{Area, Deeds, Raw};

/// An order is carried out within this many milliseconds of when it was given, or not at all: who
/// gave it has been told that nothing was done, and the board may show something else by then.
pub(crate) const STALE: i64 = 6_000;
/// The longest order, and the longest answer that goes back whole, in bytes.
pub(crate) const LONGEST: usize = 512 << 10;

/// The device of people at the hub, as a hall's acts have it.
pub(crate) const AT_HUB: &str = "hub";

/// An order.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Order {
    /// Its own name: however often it comes, it counts once.
    pub id: String,
    /// The person at the hub who gives it.
    pub who: String,
    /// His role there.
    pub role: Role,
    /// His tables.
    pub tables: Option<Tables>,
    /// The address in the hall's interface, such as `/api/boards/b01/orders`.
    pub path: String,
    /// What is posted there: JSON.
    pub body: String,
    /// When it was given, in milliseconds since 1970 by the *hall's* clock, as the hub knows that
    /// from the last beat: so two clocks that differ make no order old.
    pub given: i64,
}

impl Order {
    /// Who gives it.
    pub(crate) fn giver(&self) -> Who {
        Who {
            name: self.who.clone(),
            role: self.role,
            tables: self.tables,
        }
    }

    /// Whether nothing is done by it: then it is written down nowhere.
    pub(crate) fn is_question(&self) -> bool {
        address(&self.path).ends_with("/trial")
    }

    /// What makes it this order and no other, as a checksum.
    pub(crate) fn sum(&self) -> String {
        let text = format!("{}\n{}\n{}", self.who, self.path, self.body);
        let sum = Sha256::digest(text);
        sum[..8].iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// What is before the question mark.
fn address(path: &str) -> &str {
    path.split_once('?').map_or(path, |(address, _)| address)
}

/// Whether a hub may ask for this of a hall. Accounts, devices, the machine's clock and ports are
/// the hall's own.
pub(crate) fn is_orderable(path: &str) -> bool {
    const PARTS: [&str; 10] = [
        "boards",
        "games",
        "incidents",
        "event",
        "penalties",
        "notes",
        "pairings",
        "rounds",
        "tables",
        "public",
    ];
    let part = address(path)
        .strip_prefix("/api/")
        .and_then(|rest| rest.split('/').next());
    part.is_some_and(|part| PARTS.contains(&part))
}

/// Upon which decision of a hub a hall was ordered something last, by the names of hubs: its
/// number, and a checksum of it and of all before.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Dealt(BTreeMap<String, (u64, String)>);

impl Dealt {
    /// How the names of a hub's own orders begin.
    pub(crate) fn prefix(hub: &str, number: u64, sum: &str) -> String {
        format!("deal-{hub}-{number}-{sum}-")
    }

    /// Whether an order is called as only a hub calls its own.
    pub(crate) fn is_name(order: &str) -> bool {
        order.starts_with("deal-")
    }

    /// Notes an order, where it is a hub's own.
    fn note(&mut self, order: &str) {
        let parts: Vec<&str> = order.split('-').collect();
        let ["deal", hub, number, sum, _token] = parts[..] else {
            return;
        };
        let Ok(number) = number.parse() else { return };
        let last = self.0.entry(hub.to_owned()).or_default();
        if last.0 <= number {
            *last = (number, sum.to_owned());
        }
    }

    /// What was ordered last by this hub.
    pub(crate) fn of(&self, hub: &str) -> Option<&(u64, String)> {
        self.0.get(hub)
    }
}

/// What is said where the name of an order stands for another.
pub(crate) const OTHER: &str = "that name was given to another order: nothing was done";

/// What came of an order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Reply {
    /// A status of HTTP.
    pub status: u16,
    /// What the hall's interface said: JSON.
    pub body: String,
}

impl Reply {
    /// A refusal in words.
    pub(crate) fn refused(status: u16, error: &str) -> Reply {
        Reply {
            status,
            body: serde_json::json!({ "error": error }).to_string(),
        }
    }
}

/// What the acts of a hall have made known of orders, by their names: the checksum of each, and
/// its answer if it has one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Ledger {
    known: HashMap<String, (String, Option<Reply>)>,
    /// Upon what the hall was ordered what it has.
    pub(crate) dealt: Dealt,
}

/// What is known of an order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Found {
    /// Nothing: it is new.
    Nothing,
    /// Another order has its name.
    Other,
    /// It was begun.
    Begun,
    /// It was answered.
    Answered(Reply),
}

impl Ledger {
    /// All that the acts of a store say.
    pub(crate) fn read(deeds: &Deeds) -> Ledger {
        let mut ledger = Ledger::default();
        OrderAct::all(deeds).for_each(|act| ledger.note(&act));
        ledger
    }

    /// What one act says.
    pub(crate) fn note(&mut self, act: &OrderAct) {
        let reply = act.reply().map(|(_, reply)| reply);
        match act {
            OrderAct::Taken { order, sum, .. } | OrderAct::Refused { order, sum, .. } => {
                self.dealt.note(order);
                self.known.insert(order.clone(), (sum.clone(), reply));
            }
            OrderAct::Answered { order, .. } => {
                self.known.entry(order.clone()).or_default().1 = reply;
            }
            OrderAct::TableMoved { .. } | OrderAct::Stands { .. } => {}
        }
    }

    /// What is known of this order.
    pub(crate) fn find(&self, order: &Order) -> Found {
        match self.known.get(&order.id) {
            None => Found::Nothing,
            Some((sum, _)) if *sum != order.sum() => Found::Other,
            Some((_, None)) => Found::Begun,
            Some((_, Some(reply))) => Found::Answered(reply.clone()),
        }
    }

    /// The answer to the order of this name.
    pub(crate) fn answer(&self, order: &str) -> Option<&Reply> {
        self.known.get(order)?.1.as_ref()
    }
}

/// An order on its way to whoever carries it out, and where its answer goes.
#[derive(Debug)]
pub struct Given {
    pub(crate) order: Order,
    pub(crate) answers: mpsc::UnboundedSender<FromHall>,
}

/// What the acts of a hall say of orders. What is posted is not in them: what it does is an act of
/// its own.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "kebab-case")]
pub(crate) enum OrderAct {
    /// It is carried out now.
    Taken {
        /// Its name.
        order: String,
        /// Where it is posted.
        path: String,
        /// Its checksum.
        sum: String,
    },
    /// It was carried out, or refused by what carries it out.
    Answered {
        /// Its name.
        order: String,
        /// How that went, as a status of HTTP.
        status: u16,
        /// Why it was refused; not where that is about what was sent, which may name players.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<String>,
    },
    /// At the hub: a table is played in another hall from now on.
    TableMoved {
        /// The table.
        table: u16,
        /// Where.
        hall: String,
    },
    /// At the hub: what it has of the event stands. Its store is an older copy, and the halls were
    /// ordered otherwise since.
    Stands {
        /// So much more was decided before by another copy.
        more: u64,
    },
    /// It was refused before anything was done.
    Refused {
        /// Its name.
        order: String,
        /// Where it was to be posted.
        path: String,
        /// Its checksum.
        sum: String,
        /// As a status of HTTP.
        status: u16,
        /// Why.
        error: String,
    },
}

impl OrderAct {
    /// What a row of a journal says of an order, if it does.
    pub(super) fn of(raw: &Raw) -> Option<OrderAct> {
        serde_json::from_str(raw.of(Area::Orders)?).ok()
    }

    /// All that the acts of a store say of orders.
    pub(crate) fn all(deeds: &Deeds) -> impl Iterator<Item = OrderAct> {
        let of_orders = deeds.of(Area::Orders);
        of_orders.filter_map(|(_, deed)| serde_json::from_str(&deed.what).ok())
    }

    /// Which order has come to an end, and how.
    pub(crate) fn reply(&self) -> Option<(&str, Reply)> {
        match self {
            OrderAct::Taken { .. } | OrderAct::TableMoved { .. } | OrderAct::Stands { .. } => None,
            OrderAct::Answered {
                order,
                status,
                error,
            } => {
                let body = match error {
                    Some(error) => Reply::refused(*status, error).body,
                    None if *status < 400 => "{}".to_owned(),
                    None => Reply::refused(*status, "what was sent is not right").body,
                };
                Some((
                    order,
                    Reply {
                        status: *status,
                        body,
                    },
                ))
            }
            OrderAct::Refused {
                order,
                status,
                error,
                ..
            } => Some((order, Reply::refused(*status, error))),
        }
    }
}
