//! A hub with halls on the line, which tell it what is done in them.

use std::path::Path;
use std::time::{Duration, Instant};

use access::Role;
use replica::{Batch, Hello, Place};
use tempfile::TempDir;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio_util::sync::CancellationToken;
use tournament::{Act, Details, Tournament};

use super::super::Event;
use super::super::gather::Taken;
use super::super::keeper::Keeper;
use super::{event, known};
use crate::hub::order::{Order, OrderAct};
use crate::hub::{FromHall, Guest, Halls, Known, ToHall, fingerprint};
use crate::journal::{self, Journal};
use crate::office::Office;
use crate::store::{Area, Author, Deed, Store};

async fn office(dir: &Path, acts: &[Act]) -> (Office, Journal) {
    let (journal, _thread) = Journal::open(dir).unwrap();
    let store = Store::open(dir).unwrap();
    let office = Office::open(store, journal.clone(), Vec::new(), None).unwrap();
    office.act(&Author::default(), acts).await.unwrap();
    (office, journal)
}

/// A hall with a store of its own.
pub(super) struct House {
    name: String,
    office: Office,
    journal: Journal,
    line: Option<Guest>,
    at: Place,
    answers: UnboundedSender<ToHall>,
    told: UnboundedReceiver<ToHall>,
    _dir: TempDir,
}

impl House {
    async fn new(name: &str) -> House {
        let dir = tempfile::tempdir().unwrap();
        let (office, journal) = office(dir.path(), &[]).await;
        let (answers, told) = unbounded_channel();
        House {
            name: name.to_owned(),
            at: Place::start(&office.store().head().unwrap().at.epoch),
            office,
            journal,
            line: None,
            answers,
            told,
            _dir: dir,
        }
    }

    /// What its people do, whether there is a line or not.
    pub(super) async fn does(&self, acts: &[Act]) {
        self.office.act(&Author::default(), acts).await.unwrap();
    }

    /// The line is there, and it introduces itself.
    async fn greets(&mut self, hub: &Event) {
        if self.line.is_none() {
            self.line = Some(hub.halls.guest(&self.name, Some(&self.name)).unwrap());
        }
        let head = self.office.store().head().unwrap();
        let words = FromHall::Hello {
            hello: Hello {
                epoch: head.at.epoch,
                earlier: head.earlier,
                head: head.at.seq,
            },
            version: String::new(),
            orders: vec![Role::Chief, Role::Sector],
            late: None,
        };
        self.says(words).await;
    }

    /// The line is there: the hub has everything.
    pub(super) async fn calls(&mut self, hub: &Event) {
        self.greets(hub).await;
        let rows = self.office.store().rows(&self.at).unwrap().unwrap();
        let after = self.at.clone();
        self.at = after.after(&rows);
        self.says(FromHall::Rows(Batch { after, rows })).await;
        let utc = jiff::Timestamp::now().as_millisecond();
        let head = self.at.seq;
        self.says(FromHall::Beat { utc, head }).await;
        let has_all = |hub: &Event| {
            let shown = hub.halls.shown().into_iter();
            let mut shown = shown.filter(|shown| shown.name == self.name);
            shown.any(|shown| shown.connected && shown.rows == head && shown.behind == 0)
        };
        let end = Instant::now() + Duration::from_secs(20);
        while !has_all(hub) {
            assert!(Instant::now() < end, "{:?}", hub.halls.shown());
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    async fn says(&self, words: FromHall) {
        let line = self.line.as_ref().unwrap();
        assert!(line.says(words, &self.answers).await);
    }

    /// The line is cut.
    pub(super) async fn hangs_up(&mut self, hub: &Event) {
        self.line.take().unwrap().leaves().await;
        let is_there = |hub: &Event| hub.connected().contains(&self.name);
        while is_there(hub) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// It has an empty store, and the hub is told to take that.
    pub(super) async fn is_made_anew(&mut self, hub: &Event) {
        self.hangs_up(hub).await;
        *self = House::new(&self.name).await;
        self.does(&[opened("Rapid")]).await;
        self.greets(hub).await;
        let end = Instant::now() + Duration::from_secs(20);
        let epoch = self.at.epoch.clone();
        while hub.halls.accept(&self.name, &epoch).await.is_err() {
            assert!(Instant::now() < end, "{:?}", hub.halls.shown());
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        self.calls(hub).await;
    }

    /// What it was ordered since it was asked last.
    pub(super) async fn orders(&mut self) -> Vec<Order> {
        let mut orders = Vec::new();
        let moment = Duration::from_millis(300);
        while let Ok(Some(told)) = tokio::time::timeout(moment, self.told.recv()).await {
            if let ToHall::Order(order) = told {
                orders.push(order);
            }
        }
        orders
    }
}

impl House {
    /// It says that it has done what it was ordered.
    pub(super) async fn answers(&mut self, hub: &Event, order: &Order) {
        let (order, path, sum) = (order.id.clone(), order.path.clone(), order.sum());
        let taken = OrderAct::Taken {
            order: order.clone(),
            path,
            sum,
        };
        let answered = OrderAct::Answered {
            order: order.clone(),
            status: 200,
            error: None,
        };
        let deed = |act| Deed::now(Author::default(), Area::Orders, act).unwrap();
        let acts = [&taken, &answered].map(|act| journal::Act::Deed(Box::new(deed(act))));
        self.journal.write(acts.into()).await.unwrap();
        self.calls(hub).await;
        let (status, body) = (200, "{}".to_owned());
        let answer = FromHall::Answer {
            order,
            status,
            body,
        };
        self.says(answer).await;
    }
}

/// A hub that has this event, and its two halls.
pub(super) struct Hub {
    pub(super) event: Event,
    pub(super) office: Office,
    pub(super) main: House,
    pub(super) juniors: House,
    _dir: TempDir,
}

impl Hub {
    pub(super) async fn new(acts: &[Act]) -> Hub {
        let dir = tempfile::tempdir().unwrap();
        let (office, journal) = office(dir.path(), acts).await;
        let known = known().into_iter().map(|known| Known {
            key: fingerprint(&known.name),
            ..known
        });
        let known: Vec<Known> = known.collect();
        let (halls, _threads) = Halls::open(dir.path(), &known, &CancellationToken::new()).unwrap();
        let event = Event::open(halls, office.clone(), journal).unwrap();
        Hub {
            event,
            office,
            main: House::new("main").await,
            juniors: House::new("juniors").await,
            _dir: dir,
        }
    }

    pub(super) async fn does(&self, acts: &[Act]) {
        self.office.act(&Author::default(), acts).await.unwrap();
    }

    /// Who deals for it.
    pub(super) fn keeper(&self) -> Keeper {
        Keeper::new(self.event.clone(), Taken::default())
    }

    /// How halls know its event.
    pub(super) fn part_of(&self) -> Act {
        let event = self.event.event().part_of.unwrap();
        Act::PartOf { event }
    }

    /// What is said of the event in a hall.
    pub(super) fn note(&self, hall: &str) -> String {
        let mut shown = self.event.halls.shown().into_iter();
        let shown = shown.find(|shown| shown.name == hall).unwrap();
        shown.event.unwrap_or_default()
    }
}

pub(super) fn opened(name: &str) -> Act {
    let details = Details {
        name: name.to_owned(),
        ..Details::default()
    };
    Act::Open { details }
}

/// A round with these tables of an event that has them.
pub(super) fn drawn(round: u16, tables: impl Iterator<Item = u16> + Clone) -> Act {
    draws(round, &event(tables))
}

/// The same as an event has it in its first round.
pub(super) fn draws(round: u16, event: &Tournament) -> Act {
    Act::Draw {
        round,
        date: String::new(),
        players: event.players.values().cloned().collect(),
        pairings: event.rounds[&1].pairings.clone(),
        file: None,
        players_file: None,
        encoding: None,
    }
}

pub(super) fn started(round: u16) -> Act {
    let at = String::new();
    Act::StartRound { round, at }
}

/// The result of a table, confirmed.
pub(super) fn ended(round: u16, table: u16, codes: &str) -> Act {
    Act::Result {
        round,
        table,
        codes: super::codes(codes),
        how: tournament::How::Typed,
        reason: String::new(),
    }
}
