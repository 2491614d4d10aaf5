//! What people have decided at the hub, and in whose name halls are ordered it.
//!
//! An order of the hub has a name with the number of decisions that it rests upon. So the journals
//! of the halls tell a hub whose store was put back to an older copy that more was decided than it
//! knows of.

use std::sync::atomic::Ordering;

use access::Role;
use tournament::Act;

use super::{Event, Stays, gather};
use crate::hub::Undone;
use crate::hub::order::{Order, OrderAct, Reply, dealt};
use crate::store::{Area, Author, Deeds};

/// How much was decided, as these acts say.
fn decided(deeds: &Deeds) -> u64 {
    let of_event = deeds.of(Area::Event).map(|(_, deed)| deed);
    let of_people = of_event.filter(|deed| gather::is_of_hub(&deed.author.device));
    let of_tables = OrderAct::all(deeds).filter(|act| matches!(act, OrderAct::TableMoved { .. }));
    (of_people.count() + of_tables.count()) as u64
}

impl Event {
    /// How much was decided at this hub.
    pub(super) fn decided(&self) -> u64 {
        let stood = self.stood.load(Ordering::Relaxed);
        decided(&self.office.store().deeds().unwrap_or_default()) + stood
    }

    /// Upon how many decisions the halls were ordered what they have.
    pub(super) fn ordered(&self) -> u64 {
        let shown = self.halls.shown().into_iter();
        shown.map(|hall| hall.dealt).max().unwrap_or_default()
    }

    /// What this hub has of the event stands, though the halls were ordered otherwise since its
    /// store was copied.
    pub(crate) async fn stands(&self, author: Author) -> Result<(), Stays> {
        let more = self.ordered().saturating_sub(self.decided());
        if more == 0 {
            return Err(Stays::Newest);
        }
        self.write(author, &OrderAct::Stands { more }).await?;
        self.stood.fetch_add(more, Ordering::Relaxed);
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

    /// Orders something of a hall, upon so many decisions.
    pub(super) async fn order(
        &self,
        hall: String,
        (path, body): (String, String),
        decided: u64,
    ) -> (String, Result<Reply, Undone>) {
        let (who, role) = self.author();
        let Ok(token) = access::token() else {
            let refused = Reply::refused(503, "no name for an order could be made");
            return (hall, Ok(refused));
        };
        let id = dealt(decided, &token);
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
