//! One event that is played in several halls: the hub has it, every hall is ordered to play its
//! tables, and what the halls say of results is taken over.
//!
//! Nothing is remembered of what was ordered. What a hall has is seen in its mirror; what it lacks
//! is ordered, and ordered again where that came to nothing. So it does not matter who was killed
//! in between.

mod changes;
mod deal;
mod gates;
mod gather;
mod pages;
#[cfg(test)]
mod tests;

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use access::Role;
use futures_util::future::join_all;
use tokio::time::{Instant, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;
use tournament::{Act, Tournament};

pub(crate) use deal::{Part, Placed};
pub(crate) use pages::InHall;

use super::order::{Order, OrderAct, Reply};
use super::status::HallShown;
use super::{Halls, Known, Undone};
use crate::journal::{self, Journal};
use crate::office::Office;
use crate::store::{Area, Author, Deed, StoreError};
use deal::Moved;
use gather::{News, Seat, Taken};

/// How often it is looked whether anything has changed.
const LOOK: Duration = Duration::from_millis(250);
/// After so long a hall is ordered again what it did not do.
const AGAIN: Duration = Duration::from_secs(5);

/// The event of a hub. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Event {
    halls: Halls,
    office: Office,
    journal: Journal,
    moved: Arc<Mutex<Moved>>,
    /// Halls that were ordered something of which nobody knows whether it was done.
    asked: Arc<Mutex<BTreeSet<String>>>,
}

/// What was last seen of hub and halls: where that is the same, nothing is to be done.
type Seen = (u64, Moved, Vec<(bool, bool, u64)>);

/// What a hall was last ordered.
struct Tried {
    order: (String, String),
    /// How many acts its event had.
    acts: u64,
    at: Instant,
    /// It may be done the next time. What the hall refuses it would refuse again, until something
    /// else is so.
    again: bool,
    /// Why it was not done.
    why: Option<String>,
}

/// Why a table stays where it is, and as it is.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Stays {
    #[error("there is no hall `{0}`")]
    NoHall(String),
    #[error("tables are counted from 1")]
    Zero,
    #[error("table {0} of round {1} has begun in hall `{2}`: it stays as it is")]
    Begun(u16, u16, String),
    #[error(
        "table {0} of round {1} is of hall `{2}`, and it is not known what that has of it: there \
         is no line to the hall, or not everything has come from there yet"
    )]
    Away(u16, u16, String),
    #[error(
        "table {0} of round {1} is drawn otherwise in hall `{2}`, where it has begun: draw it here \
         as it is there"
    )]
    Other(u16, u16, String),
    #[error("the result of table {0} of round {1} is that of hall `{2}`: withdraw it there")]
    Result(u16, u16, String),
    #[error("it could not be written down: {0}")]
    Unwritten(String),
}

impl Event {
    /// The event of a hub, as its store has it.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub fn open(halls: Halls, office: Office, journal: Journal) -> Result<Event, StoreError> {
        let deeds = office.store().deeds()?;
        let mut moved = Moved::new();
        for act in OrderAct::all(&deeds) {
            if let OrderAct::TableMoved { table, hall } = act {
                moved.entry(table).or_default().push(hall);
            }
        }
        Ok(Event {
            halls,
            office,
            journal,
            moved: Arc::new(Mutex::new(moved)),
            asked: Arc::default(),
        })
    }

    fn asked(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn moved(&self) -> Moved {
        let moved = self.moved.lock().unwrap_or_else(PoisonError::into_inner);
        moved.clone()
    }

    /// A table is played in this hall from now on, and whenever it has not begun elsewhere.
    pub(crate) async fn move_table(
        &self,
        author: Author,
        table: u16,
        hall: &str,
    ) -> Result<(), Stays> {
        if table == 0 {
            return Err(Stays::Zero);
        }
        if !self.halls.known().any(|known| known.name == hall) {
            return Err(Stays::NoHall(hall.to_owned()));
        }
        let event = self.office.book().event.clone();
        let (known, moved) = (self.known(), self.moved());
        let from = deal::hall_of(table, &known, &moved);
        let unsure = self.unsure();
        for shown in self.halls.shown().into_iter().filter(|s| s.name != hall) {
            let is_sure = shown.connected && !unsure.contains(&shown.name);
            let is_from = from == Some(&*shown.name);
            let said = self.said_by(&shown.name);
            let said = said.as_ref().and_then(|said| deal::same(&event, said));
            let open = event
                .rounds
                .iter()
                .filter(|(_, drawn)| drawn.stage != tournament::Stage::Closed);
            for (round, _) in open {
                let there = said.and_then(|said| said.pairing(*round, table).ok());
                if there.is_some_and(tournament::Pairing::has_begun) {
                    return Err(Stays::Begun(table, *round, shown.name));
                }
                // What it took before the line broke is not seen here.
                let may_have = is_from && event.pairing(*round, table).is_ok();
                if !is_sure && (there.is_some() || may_have) {
                    return Err(Stays::Away(table, *round, shown.name));
                }
            }
        }
        let hall = hall.to_owned();
        let act = OrderAct::TableMoved {
            table,
            hall: hall.clone(),
        };
        let unwritten = |error: &dyn ToString| Stays::Unwritten(error.to_string());
        let deed = Deed::now(author, Area::Orders, &act).map_err(|e| unwritten(&e))?;
        let written = self
            .journal
            .write([journal::Act::Deed(Box::new(deed))].into());
        written.await.map_err(|e| unwritten(&e))?;
        let mut moved = self.moved.lock().unwrap_or_else(PoisonError::into_inner);
        moved.entry(table).or_default().push(hall);
        Ok(())
    }

    /// The tables of a round that have begun in a hall, as far as the hub has it.
    pub(crate) fn begun(&self, round: u16) -> BTreeSet<u16> {
        let event = self.office.book().event.clone();
        let mut begun = BTreeSet::new();
        for known in self.halls.known() {
            let said = self.said_by(&known.name);
            let said = said.as_ref().and_then(|said| deal::same(&event, said));
            let there = said.and_then(|said| said.rounds.get(&round));
            let there = there.into_iter().flat_map(|round| &round.pairings);
            let tables = there.filter(|pairing| pairing.has_begun());
            begun.extend(tables.filter_map(|pairing| pairing.table));
        }
        begun
    }

    /// What is said of a table that has begun in a hall and is another's here.
    fn strays(&self, hall: &str) -> Option<String> {
        let (event, said) = (self.office.book().event.clone(), self.said_by(hall)?);
        let (known, moved) = (self.known(), self.moved());
        let said = deal::same(&event, &said)?;
        let (round, table) = deal::strays(&event, (hall, said), &known, &moved).min()?;
        Some(format!(
            "table {round}.{table} has begun there, and is not that hall's here: nothing of it is \
             taken over. Give it to the hall (`arbiterd hub move-table {table} --to {hall}`)"
        ))
    }

    /// The event at hand in a hall, as far as the hub has it.
    fn said_by(&self, hall: &str) -> Option<Tournament> {
        let room = self.halls.room(hall)??;
        Some(room.office.book().event.clone())
    }

    /// Deals tables out and takes results over, until the shutdown.
    pub async fn keep(self, shutdown: CancellationToken) {
        let keeping = async {
            let deeds = self.office.store().deeds().unwrap_or_default();
            let mut taken = Taken::read(&deeds);
            taken.only(|hall| self.halls.known().any(|known| known.name == hall));
            let mut keeper = Keeper {
                number: self.office.book().number(),
                taken,
                event: self,
                seen: None,
                tried: HashMap::new(),
            };
            let mut looks = interval(LOOK);
            looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            loop {
                looks.tick().await;
                keeper.look().await;
            }
        };
        shutdown.run_until_cancelled(keeping).await;
    }
}

struct Keeper {
    event: Event,
    /// Which event of the hub that is.
    number: usize,
    taken: Taken,
    seen: Option<Seen>,
    tried: HashMap<String, Tried>,
}

impl Keeper {
    async fn look(&mut self) {
        let is_due = |tried: &Tried| tried.again && tried.at.elapsed() > AGAIN;
        let seen = self.event.seen();
        if self.seen.as_ref() == Some(&seen) && !self.tried.values().any(is_due) {
            return;
        }
        self.seen = Some(seen);
        let number = self.event.office.book().number();
        if self.number != number {
            (self.number, self.taken) = (number, Taken::default());
        }
        let mut notes = HashMap::new();
        let shown = self.event.halls.shown();
        if self.event.is_dealt() {
            for hall in &shown {
                let note = match hall.is_whole() {
                    true => self.gather(&hall.name).await,
                    false => hall.event.clone(),
                };
                notes.extend(note.map(|note| (hall.name.clone(), note)));
            }
            self.deal(&mut notes).await;
        }
        for HallShown { name, .. } in &shown {
            self.event.halls.note(name, notes.remove(name));
        }
    }

    /// What a hall says anew of its tables.
    fn news(&mut self, hall: &str) -> Option<Vec<News>> {
        let office = self.event.halls.room(hall)??.office;
        let (said, event) = (office.book(), self.event.office.book());
        let (known, moved) = (self.event.known(), self.event.moved());
        let back = OnceCell::new();
        let took_back = |seat: Seat, outcome: &tournament::Outcome| {
            let read = || gather::taken_back(&office.store().deeds().unwrap_or_default());
            back.get_or_init(read).contains(&(seat, outcome.codes))
        };
        let hall = gather::Hall {
            name: hall,
            event: deal::same(&event.event, &said.event)?,
            is_its: &|table, has_begun| {
                deal::hall_of(table, &known, &moved) == Some(hall)
                    || has_begun && deal::was_of(table, hall, &known, &moved)
            },
            took_back: &took_back,
        };
        Some(self.taken.news(&event.event, &hall))
    }

    /// Takes over what a hall says anew; says what cannot be.
    async fn gather(&mut self, hall: &str) -> Option<String> {
        let author = Author {
            role: "program".to_owned(),
            device: gather::device(hall),
            ..Author::default()
        };
        let mut notes = Vec::new();
        for news in self.news(hall)? {
            let (round, table) = match &news {
                News::Take(seat, _) | News::Otherwise(seat) => *seat,
            };
            match news {
                News::Take(_, acts) => match self.event.office.act(&author, &acts).await {
                    Ok(()) => acts.iter().for_each(|act| self.taken.note(act)),
                    Err(_) if self.is_closed_and_taken_back(round, &acts) => notes.push(format!(
                        "table {round}.{table} has no result in the hall any more, where it was \
                         taken back, and the round is closed here with it: enter it in the hall"
                    )),
                    Err(error) => notes.push(error.to_string()),
                },
                News::Otherwise(_) => notes.push(format!(
                    "table {round}.{table} has another result at the hub than in the hall, or the \
                     hall has lost it: enter it there, or withdraw the one that is wrong"
                )),
            }
        }
        notes.extend(self.event.strays(hall));
        (!notes.is_empty()).then(|| notes.join("; "))
    }

    /// Whether a hall takes a result back of a round that is closed at the hub by now.
    fn is_closed_and_taken_back(&self, round: u16, acts: &[Act]) -> bool {
        let book = self.event.office.book();
        let round = book.event.rounds.get(&round);
        let is_closed = round.is_some_and(|round| round.stage == tournament::Stage::Closed);
        is_closed && matches!(acts, [Act::Withdraw { .. }, ..])
    }

    /// Orders every hall what it lacks; says what cannot be.
    async fn deal(&mut self, notes: &mut HashMap<String, String>) {
        let event = self.event.office.book().event.clone();
        let (known, moved) = (self.event.known(), self.event.moved());
        if event.rounds.is_empty() {
            return;
        }
        let unsure = self.event.unsure();
        let said: Vec<(String, Tournament)> = known
            .iter()
            .filter_map(|known| Some((known.name.clone(), self.event.said_by(&known.name)?)))
            .collect();
        let same: Vec<(String, &Tournament)> = said
            .iter()
            .filter_map(|(name, said)| Some((name.clone(), deal::same(&event, said)?)))
            .collect();
        let nothing = Tournament::default();
        let connected: Vec<String> = self.event.connected();
        let mut orders = Vec::new();
        let author = self.event.author();
        for name in connected {
            let there = said.iter().find(|(hall, _)| *hall == name);
            let there = there.map_or(&nothing, |(_, said)| said);
            // A table that was moved may have begun where it was.
            let may_be_elsewhere = |table| {
                let mut others = unsure.iter().filter(|other| **other != name);
                others.any(|other| deal::was_of(table, other, &known, &moved))
            };
            let tables = |round| {
                let has = |table| deal::same(&event, there)?.pairing(round, table).ok();
                let is_its = |table| {
                    deal::hall_of(table, &known, &moved) == Some(&*name)
                        && (has(table).is_some() || !may_be_elsewhere(table))
                };
                deal::tables_of(&name, (&event, round), is_its, &same)
            };
            let is_of_hall = |seat, outcome: &_| self.taken.is_of_hall(seat, outcome);
            let Some(order) = deal::next(&event, there, tables, is_of_hall) else {
                self.tried.remove(&name);
                self.event.asked().remove(&name);
                continue;
            };
            let acts = self.event.acts_of(&name);
            let tried = self.tried.get(&name);
            let is_same = |tried: &Tried| tried.order == order && tried.acts == acts;
            let waits = |tried: &Tried| !tried.again || tried.at.elapsed() < AGAIN;
            if tried.is_some_and(|tried| is_same(tried) && waits(tried)) {
                if let Some(why) = tried.and_then(|tried| tried.why.as_deref()) {
                    beside(notes, name, why);
                }
                continue;
            }
            self.tried.insert(
                name.clone(),
                Tried {
                    order: order.clone(),
                    acts,
                    at: Instant::now(),
                    again: true,
                    why: None,
                },
            );
            self.event.asked().insert(name.clone());
            orders.push(self.event.order(name, order, author.clone()));
        }
        for (name, answer) in join_all(orders).await {
            if !matches!(answer, Err(Undone::Silent(_))) {
                self.event.asked().remove(&name);
            }
            match failed(answer) {
                Some((why, again)) => {
                    if let Some(tried) = self.tried.get_mut(&name) {
                        (tried.again, tried.why) = (again, Some(why.clone()));
                    }
                    beside(notes, name, &why);
                }
                None => drop(self.tried.remove(&name)),
            }
        }
    }
}

impl Event {
    fn seen(&self) -> Seen {
        let halls = self.halls.shown().into_iter();
        let halls = halls.map(|hall| (hall.connected, hall.is_whole(), self.acts_of(&hall.name)));
        (self.office.book().acts, self.moved(), halls.collect())
    }

    fn acts_of(&self, hall: &str) -> u64 {
        let room = self.halls.room(hall).flatten();
        room.map_or(0, |room| room.office.book().acts)
    }

    /// The halls that can be ordered something.
    fn connected(&self) -> Vec<String> {
        let halls = self.halls.shown().into_iter();
        halls
            .filter(|hall| hall.connected && hall.is_whole())
            .map(|hall| hall.name)
            .collect()
    }

    fn known(&self) -> Vec<Known> {
        self.halls.known().cloned().collect()
    }

    /// In which hall a table is to be played.
    pub(crate) fn hall_of(&self, table: u16) -> Option<String> {
        deal::hall_of(table, &self.known(), &self.moved()).map(str::to_owned)
    }

    /// Whether any table of it is played in a hall.
    pub(crate) fn is_dealt(&self) -> bool {
        let mut known = self.halls.known();
        known.any(|known| !known.tables.is_empty()) || !self.moved().is_empty()
    }

    /// Halls that may have what the hub does not see.
    fn unsure(&self) -> BTreeSet<String> {
        let shown = self.halls.shown().into_iter();
        let behind = shown.filter(|hall| !hall.is_whole()).map(|hall| hall.name);
        behind.chain(self.asked().iter().cloned()).collect()
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

    /// Orders something of a hall.
    async fn order(
        &self,
        hall: String,
        (path, body): (String, String),
        (who, role): (String, Role),
    ) -> (String, Result<Reply, Undone>) {
        let Ok(id) = access::token() else {
            let refused = Reply::refused(503, "no name for an order could be made");
            return (hall, Ok(refused));
        };
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

/// Notes something more of a hall.
fn beside(notes: &mut HashMap<String, String>, hall: String, why: &str) {
    let note = notes.entry(hall).or_default();
    *note = match note.is_empty() {
        true => why.to_owned(),
        false => format!("{note}; {why}"),
    };
}

/// Why an order was not done, and whether it may be done yet.
fn failed(answer: Result<Reply, Undone>) -> Option<(String, bool)> {
    match answer {
        Ok(Reply { status, .. }) if status < 400 => None,
        Ok(Reply { status, body }) => {
            let said: serde_json::Value = serde_json::from_str(&body).unwrap_or_default();
            let error = said["error"].as_str().unwrap_or("the hall refused it");
            let why = format!("the event is not as at the hub: {error}");
            Some((why, matches!(status, 410 | 503)))
        }
        Err(undone) => Some((undone.to_string(), true)),
    }
}
