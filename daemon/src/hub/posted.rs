//! Orders that are on their way from the hub to a hall, and what came of all of them.

use std::collections::HashMap;

use access::Role;
use jiff::Timestamp;
use tokio::sync::{mpsc::UnboundedSender, oneshot};

use super::message::ToHall;
use super::order::{Dealt, Found, Ledger, OTHER, Order, OrderAct, Reply};
use crate::store::{Deeds, Raw};

/// Why nothing came of an order, as the hub knows it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum Undone {
    /// There is no such hall.
    #[error("this hub has no hall `{0}`")]
    NoHall(String),
    /// It cannot be told.
    #[error(
        "there is no line to hall `{0}`: nothing was done, and nothing is kept to be done later; \
         order it in the hall, or here when the line is back"
    )]
    Away(String),
    /// Who calls by its name has another store.
    #[error(
        "hall `{0}` calls with another store than the one that is mirrored: nothing was done. \
         Accept that store first (`arbiterd hub accept`), or order it in the hall"
    )]
    Stranger(String),
    /// It does not want to be told.
    #[error(
        "hall `{0}` takes no orders from {one} at the hub: order it in the hall. `[hub] orders` \
         of its configuration says whose it takes",
        one = .1.one()
    )]
    Unwanted(String, Role),
    /// It has not answered.
    #[error(
        "hall `{0}` has not answered: whether it was done is seen when it is back. What has not \
         arrived by now is not done any more"
    )]
    Silent(String),
}

/// Where an answer goes.
pub(super) type Answer = oneshot::Sender<Result<Reply, Undone>>;

/// The orders to one hall.
#[derive(Default)]
pub(super) struct Posted {
    /// The line to the hall.
    line: Option<UnboundedSender<ToHall>>,
    /// Whose orders it takes.
    pub(super) taken: Vec<Role>,
    /// What came of those that its journal has.
    known: Ledger,
    waiting: HashMap<String, Waiting>,
}

#[derive(Default)]
struct Waiting {
    /// Which order of that name.
    sum: String,
    answers: Vec<Answer>,
    /// The journal says nothing of it.
    is_question: bool,
    /// What the hall said, which its journal does not have yet.
    said: Option<Reply>,
}

impl Posted {
    /// What the mirror has of orders, and nothing else.
    pub(super) fn read(&mut self, deeds: &Deeds) {
        self.known = Ledger::read(deeds);
    }

    /// Upon which decision of the hub it was ordered something last.
    pub(super) fn dealt(&self) -> &Dealt {
        &self.known.dealt
    }

    /// The hall is on this line, or on none.
    pub(super) fn connect(&mut self, line: Option<UnboundedSender<ToHall>>) {
        self.line = line;
    }

    /// Posts an order; it may be one that came before. `ahead` is how much the hall's clock is
    /// before this one, in milliseconds.
    pub(super) fn post(
        &mut self,
        hall: &str,
        mut order: Order,
        ahead: Option<i64>,
        answer: Answer,
    ) {
        let known = match self.known.find(&order) {
            Found::Answered(reply) => Some(reply),
            Found::Other => Some(Reply::refused(422, OTHER)),
            Found::Nothing | Found::Begun => None,
        };
        if let Some(reply) = known {
            let _gone = answer.send(Ok(reply));
            return;
        }
        let (Some(line), Some(ahead)) = (&self.line, ahead) else {
            let _gone = answer.send(Err(Undone::Away(hall.to_owned())));
            return;
        };
        if !self.taken.contains(&order.role) {
            let undone = Undone::Unwanted(hall.to_owned(), order.role);
            let _gone = answer.send(Err(undone));
            return;
        }
        let sum = order.sum();
        let mut open = self.waiting.get(&order.id).into_iter();
        if open.any(|waiting| waiting.sum != sum && !waiting.answers.is_empty()) {
            let _gone = answer.send(Ok(Reply::refused(422, OTHER)));
            return;
        }
        order.given = Timestamp::now().as_millisecond() + ahead;
        let waits = |waiting: &mut Waiting| waiting.answers.retain(|answer| !answer.is_closed());
        self.waiting.values_mut().for_each(waits);
        self.waiting
            .retain(|_, waiting| !waiting.answers.is_empty());
        let waiting = self.waiting.entry(order.id.clone()).or_default();
        waiting.sum = sum;
        waiting.answers.push(answer);
        waiting.is_question = order.is_question();
        let _gone = line.send(ToHall::Order(order));
    }

    /// What a hall says that came of an order. What was done counts once its journal has it; of
    /// what was refused nothing need come.
    pub(super) fn hear(&mut self, order: &str, reply: Reply) {
        let is_known = self.known.answer(order).is_some();
        let is_refused = reply.status >= 400;
        match self.waiting.get_mut(order) {
            Some(waiting) if is_known || is_refused || waiting.is_question => {
                self.settle(order, reply);
            }
            Some(waiting) => waiting.said = Some(reply),
            None => {}
        }
    }

    /// What a row of its journal says, once it is on this disk.
    pub(super) fn follow(&mut self, raw: &Raw) {
        let Some(act) = OrderAct::of(raw) else { return };
        self.known.note(&act);
        let Some((order, reply)) = act.reply() else {
            return;
        };
        let waiting = self.waiting.get_mut(order);
        match waiting.and_then(|waiting| waiting.said.take()) {
            Some(said) => self.settle(order, said),
            None if matches!(act, OrderAct::Refused { .. }) => self.settle(order, reply),
            // What the hall said in full is on its way.
            None => {}
        }
    }

    /// What the journal has of an order that was not answered in time.
    pub(super) fn recall(&self, hall: &str, order: &str) -> Result<Reply, Undone> {
        let known = self.known.answer(order).cloned();
        known.ok_or_else(|| Undone::Silent(hall.to_owned()))
    }

    fn settle(&mut self, order: &str, reply: Reply) {
        let waiting = self.waiting.remove(order);
        for answer in waiting.into_iter().flat_map(|waiting| waiting.answers) {
            let _gone = answer.send(Ok(reply.clone()));
        }
    }
}
