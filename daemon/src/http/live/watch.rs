//! What a client wants to be told, and what it has been told: boards in whole or in part, and of
//! those only what has changed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use access::Role;
use axum::extract::ws::WebSocket;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::super::Desk;
use super::super::gallery::message;
use super::depth::{Depth, is_told, shorten_to_card, shorten_to_needs};
use super::{Gone, text};
use crate::hall::BoardState;
use crate::people::Visitor;

/// What is told only where it has changed, and not kept.
const LISTED: [&str; 2] = ["plies", "plies_from"];

/// Which boards a client follows, and how.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct Wish {
    /// How much of all other boards is told: `whole`, `card` or `needs`.
    pub(super) rest: Depth,
    /// Boards that are told in whole.
    #[serde(default)]
    pub(super) watch: BTreeSet<String>,
}

/// The same, in an address: `?rest=card&watch=b01,b02`. Without `rest` everything is told, whether
/// it has changed or not.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(in crate::http) struct Asked {
    /// How much of all boards is told that are not watched.
    rest: Option<Depth>,
    /// Boards that are told in whole, with commas between them.
    watch: String,
    /// It is for all to see: nothing is told that a viewer is not shown, whoever asks.
    wall: bool,
}

impl Asked {
    /// As whom somebody is told.
    pub(super) fn shown_to(&self, visitor: &Visitor) -> Visitor {
        let mut shown = visitor.clone();
        let sees_more = matches!(
            visitor.who.role,
            Role::Chief | Role::Sector | Role::Operator
        );
        if self.wall && sees_more {
            shown.who.role = Role::Viewer;
        }
        shown
    }

    pub(super) fn wish(&self) -> Option<Wish> {
        let ids = self.watch.split(',').filter(|id| !id.is_empty());
        Some(Wish {
            rest: self.rest?,
            watch: ids.map(str::to_owned).collect(),
        })
    }
}

impl Wish {
    pub(super) fn depth(&self, board: &str) -> Depth {
        match self.watch.contains(board) {
            true => Depth::Whole,
            false => self.rest,
        }
    }

    /// Whether a ruling is told: of boards that are not watched only what stands nowhere in their
    /// state.
    pub(super) fn has(&self, board: &str, ruling: &str) -> bool {
        match self.depth(board) {
            Depth::Whole => true,
            Depth::Card => !matches!(
                ruling,
                "move" | "obligation" | "irregularity" | "restore" | "doubt"
            ),
            Depth::Needs => false,
        }
    }
}

/// A board as it is now.
enum Now {
    /// All of it.
    Whole(Arc<BoardState>),
    /// What somebody is shown.
    Part(Value),
}

/// What a client knows of a board.
struct Known {
    now: Now,
    /// What it was told, less the plies and findings.
    fields: Map<String, Value>,
}

/// What a client wants and what it knows.
pub(super) struct Watch {
    wish: Wish,
    known: BTreeMap<String, Known>,
    /// Boards of which something may have changed since.
    changed: BTreeSet<String>,
}

impl Watch {
    pub(super) fn new(wish: Wish) -> Watch {
        Watch {
            wish,
            known: BTreeMap::new(),
            changed: BTreeSet::new(),
        }
    }

    pub(super) fn wish(&self) -> &Wish {
        &self.wish
    }

    /// The client wants something else from now on. What it is told less of than before it will
    /// not know any more.
    pub(super) fn change(&mut self, wish: Wish) {
        let before = std::mem::replace(&mut self.wish, wish);
        let wish = &self.wish;
        self.known.retain(|id, known| {
            let (was, is) = (before.depth(id), wish.depth(id));
            known.fields.retain(|name, _| is_told(name, is));
            was == is || is < Depth::Whole
        });
    }

    /// Nothing is known any more: everything is told anew.
    pub(super) fn forget(&mut self) {
        self.known.clear();
    }

    /// Something may have changed of a board.
    pub(super) fn notice(&mut self, board: &str) {
        if !self.changed.contains(board) {
            self.changed.insert(board.to_owned());
        }
    }

    /// Tells what has changed of the boards that were noticed.
    pub(super) async fn tell_changed(
        &mut self,
        socket: &mut WebSocket,
        (desk, visitor): (&Desk, &Visitor),
    ) -> Result<(), Gone> {
        for id in std::mem::take(&mut self.changed) {
            self.tell(socket, (desk, visitor), &id).await?;
        }
        Ok(())
    }

    /// Tells what has changed of a board.
    pub(super) async fn tell(
        &mut self,
        socket: &mut WebSocket,
        (desk, visitor): (&Desk, &Visitor),
        id: &str,
    ) -> Result<(), Gone> {
        let now = match desk.gallery(visitor) {
            Some(gallery) => gallery.board(id).map(Now::Part),
            None => desk.hall.board(id).map(Now::Whole),
        };
        match now.and_then(|now| self.news(id, now)) {
            Some(fields) => text(socket, message(id, &Value::Object(fields))).await,
            None => Ok(()),
        }
    }

    /// What is new of a board; `None` where nothing is.
    fn news(&mut self, id: &str, now: Now) -> Option<Map<String, Value>> {
        let depth = self.wish.depth(id);
        let before = self.known.remove(id);
        let mut fields = now.since(before.as_ref().map(|known| &known.now));
        let mut known = before.map_or_else(Map::new, |known| known.fields);
        match depth {
            Depth::Whole => {}
            Depth::Card => shorten_to_card(&mut fields, now.last()),
            Depth::Needs => shorten_to_needs(&mut fields, &known),
        }
        fields.retain(|name, _| is_told(name, depth));
        fields.retain(|name, value| {
            let listed = LISTED.contains(&name.as_str());
            let is_new = listed || known.get(name) != Some(value);
            if is_new && !listed {
                known.insert(name.clone(), value.clone());
            }
            is_new
        });
        let known = Known { now, fields: known };
        self.known.insert(id.to_owned(), known);
        is_news(&fields).then_some(fields)
    }
}

impl Now {
    /// Everything, or what may have changed `before`: plies and findings only where they have.
    fn since(&self, before: Option<&Now>) -> Map<String, Value> {
        match (self, before) {
            (Now::Whole(now), Some(Now::Whole(before))) => object(&now.update(before)),
            (Now::Part(now), Some(Now::Part(before))) => part_since(now, before),
            (Now::Whole(now), _) => object(now.as_ref()),
            (Now::Part(now), _) => object(now),
        }
    }

    /// The last half-move of the record; `null` where there is none.
    fn last(&self) -> Value {
        match self {
            Now::Whole(now) => now.last_ply(),
            Now::Part(now) => now["plies"]
                .as_array()
                .and_then(|plies| plies.last())
                .cloned(),
        }
        .unwrap_or_default()
    }
}

/// The fields of a state; which board it is of its message says.
fn object(state: &impl Serialize) -> Map<String, Value> {
    // Plain data always has a JSON form.
    match serde_json::to_value(state) {
        Ok(Value::Object(mut fields)) => {
            fields.remove("id");
            fields
        }
        _ => Map::new(),
    }
}

/// The same of what somebody is shown.
fn part_since(now: &Value, before: &Value) -> Map<String, Value> {
    let mut fields = object(now);
    if now["findings"] == before["findings"] {
        fields.remove("findings");
    }
    if let (Some(plies), Some(earlier)) = (now["plies"].as_array(), before["plies"].as_array()) {
        let same = plies
            .iter()
            .zip(earlier)
            .take_while(|(now, before)| now == before)
            .count();
        fields.insert("plies".to_owned(), plies[same..].into());
        fields.insert("plies_from".to_owned(), same.into());
    }
    fields
}

/// Whether there is anything in it but that all plies are as they were.
fn is_news(fields: &Map<String, Value>) -> bool {
    let none = |plies: &Value| plies.as_array().is_some_and(Vec::is_empty);
    fields.iter().any(|(name, value)| match name.as_str() {
        "plies_from" => false,
        "plies" => !(none(value) && fields.contains_key("plies_from")),
        _ => true,
    })
}
