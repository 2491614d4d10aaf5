//! Who looks at what halls say, takes it over, and orders them what they lack.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, PoisonError};

use access::Role;
use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use tokio::time::{Instant, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;
use tournament::{Act, Pairing, Stage, Tournament};

use super::deal::Moved;
use super::decided::{Decisions, Giver};
use super::gather::{self, News, Seat, Taken};
use super::histories::Histories;
use super::stood::Stood;
use super::{AGAIN, Event, LOOK, Seen, Stays, deal};
use crate::hub::Undone;
use crate::hub::order::Reply;
use crate::hub::status::HallShown;
use crate::office::{Book, OfficeError};
use crate::store::Author;

/// What a hall answered to an order.
type Answered = (String, Result<Reply, Undone>);

/// What a hall was last ordered.
pub(super) struct Tried {
    order: (String, String),
    /// In whose name.
    giver: Giver,
    /// How many acts its event had.
    acts: u64,
    at: Instant,
    /// It is not answered yet.
    is_open: bool,
    /// The hall has done it.
    is_done: bool,
    /// It may be done the next time. What the hall refuses it would refuse again, until something
    /// else is so.
    again: bool,
    /// Why it was not done, or came to nothing.
    why: Option<String>,
}

pub(super) struct Keeper {
    event: Event,
    /// Which event of the hub that is.
    number: usize,
    pub(super) taken: Taken,
    seen: Option<Seen>,
    tried: HashMap<String, Tried>,
    /// Orders on their way: a hall that hangs keeps no other waiting.
    open: FuturesUnordered<BoxFuture<'static, Answered>>,
    histories: Histories,
    /// What was decided, and upon how much that was read.
    decisions: Option<((u64, u64, Moved), Arc<Decisions>)>,
}

impl Event {
    /// Deals tables out and takes results over, until the shutdown.
    pub async fn keep(self, shutdown: CancellationToken) {
        let keeping = async {
            let deeds = self.office.store().deeds().unwrap_or_default();
            let mut taken = Taken::read(&deeds);
            taken.only(|hall| self.halls.known().any(|known| known.name == hall));
            let mut keeper = Keeper::new(self, taken);
            let mut looks = interval(LOOK);
            looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            loop {
                tokio::select! {
                    _ = looks.tick() => {}
                    Some(answered) = keeper.open.next() => keeper.answered(answered),
                }
                keeper.look().await;
            }
        };
        shutdown.run_until_cancelled(keeping).await;
    }
}

impl Keeper {
    pub(super) fn new(event: Event, taken: Taken) -> Keeper {
        Keeper {
            number: event.office.book().number(),
            taken,
            event,
            seen: None,
            tried: HashMap::new(),
            open: FuturesUnordered::new(),
            histories: Histories::default(),
            decisions: None,
        }
    }

    pub(super) async fn look(&mut self) {
        let connected = self.event.connected();
        // Of a hall that is away nothing is looked at again before it is back.
        let is_due = |(name, tried): (&String, &Tried)| {
            let waits = tried.is_open || tried.at.elapsed() <= AGAIN;
            tried.again && !waits && connected.contains(name)
        };
        let seen = self.event.seen();
        if self.seen.as_ref() == Some(&seen) && !self.tried.iter().any(is_due) {
            return;
        }
        self.seen = Some(seen);
        let number = self.event.office.book().number();
        if self.number != number {
            (self.number, self.taken) = (number, Taken::default());
        }
        let (mut notes, mut heard) = (HashMap::new(), HashMap::new());
        let shown = self.event.halls.shown();
        if self.event.is_dealt() {
            for hall in &shown {
                // Its store may be another when it is back, with as many acts.
                if !hall.connected || !hall.is_whole() {
                    self.histories.forget(&hall.name);
                }
                heard.insert(hall.name.clone(), self.event.acts_of(&hall.name));
                let note = match hall.is_whole() {
                    true => self.gather(&hall.name).await,
                    false => hall.event.clone(),
                };
                notes.extend(note.map(|note| (hall.name.clone(), note)));
            }
            self.deal(&mut notes, &heard);
        }
        *self
            .event
            .looked
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = self.seen.clone();
        for HallShown { name, .. } in &shown {
            self.event.halls.note(name, notes.remove(name));
        }
    }

    /// What a hall says anew of its tables, also of those of parts that it has closed.
    fn news(&mut self, hall: &str, event: &Tournament) -> Option<Vec<News>> {
        let Some(said) = self.event.said_by(hall, event) else {
            self.taken.has_nothing(hall);
            return None;
        };
        let (known, moved) = (self.event.known(), self.event.moved());
        let (histories, hub) = (&self.histories, &self.event);
        let went_on = |seat: Seat, before: &Stood| {
            let there = histories.there(hub, hall, event);
            there.get(&seat).is_some_and(|all| all.has(before))
        };
        let hall = gather::Hall {
            name: hall,
            event: &said,
            is_its: &|table, has_begun| {
                deal::hall_of(table, &known, &moved) == Some(hall)
                    || has_begun && deal::was_of(table, hall, &known, &moved)
            },
            went_on: &went_on,
            answers: &|seat, then| histories.answers((hub, event), hall, (seat, then)),
        };
        Some(self.taken.news(event, &hall))
    }

    /// Takes over what a hall says anew; says what cannot be.
    async fn gather(&mut self, hall: &str) -> Option<String> {
        let author = Author {
            role: "program".to_owned(),
            device: gather::device(hall),
            ..Author::default()
        };
        let (event, mut notes) = (self.event.event(), Vec::new());
        let mut otherwise = Vec::new();
        // Of an event that is over nothing more is taken over.
        let news = if event.closed {
            None
        } else {
            self.news(hall, &event)
        };
        for news in news.into_iter().flatten() {
            let (round, table) = match &news {
                News::Take(seat, _) | News::Otherwise(seat) => *seat,
            };
            match news {
                News::Take(_, acts) => match self
                    .event
                    .take(&author, &event, (round, table), &acts)
                    .await
                {
                    Ok(()) => acts.iter().for_each(|act| self.taken.note_of(hall, act)),
                    Err(OfficeError::Bad(why)) if why == MEANWHILE => {}
                    Err(_) if self.is_closed_and_taken_back(round, &acts) => notes.push(format!(
                        "table {round}.{table} has no result in the hall any more, where it was \
                         taken back, and the round is closed here with it: enter it in the hall"
                    )),
                    Err(error) => notes.push(error.to_string()),
                },
                News::Otherwise(seat) => {
                    otherwise.push(seat);
                    notes.push(format!(
                        "table {round}.{table} has another result at the hub than in the hall, or \
                         the hall has lost it: enter it there, or withdraw the one that is wrong"
                    ));
                }
            }
        }
        let there = self.event.said_by(hall, &event).unwrap_or_default();
        // What is the word of another hall is not taken over, and stays otherwise.
        let now = self.event.event();
        for (seat, told) in self.event.differing(&now, &there) {
            if !now.closed && !otherwise.contains(&seat) {
                otherwise.push(seat);
                notes.push(format!("{told}: put one right"));
            }
        }
        for (round, table) in self.taken.lost(hall, &event, &there) {
            if !otherwise.contains(&(round, table)) {
                otherwise.push((round, table));
                let what = "has the result that the hall has given, and the hall has lost it";
                notes.push(format!("table {round}.{table} {what}"));
            }
        }
        self.event.note_otherwise(hall, otherwise);
        let unknown = self.event.unknown_in(hall, &event).into_iter();
        let unknown = unknown.filter(|_| !event.closed);
        notes.extend(unknown.map(|round| {
            format!("round {round} has begun there, and is not drawn here: draw it as it is there")
        }));
        notes.extend(self.event.strays(hall));
        notes.extend(self.event.otherwise(hall));
        (!notes.is_empty()).then(|| notes.join("; "))
    }

    /// Whether a hall takes a result back of a round that is closed at the hub by now.
    fn is_closed_and_taken_back(&self, round: u16, acts: &[Act]) -> bool {
        let book = self.event.office.book();
        let round = book.event.rounds.get(&round);
        let is_closed = round.is_some_and(|round| round.stage == tournament::Stage::Closed);
        is_closed && matches!(acts, [Act::Withdraw { .. }, ..])
    }

    /// Orders every hall what it lacks; says what cannot be. Of a hall that has said more than was
    /// `heard` of it, as the number of its acts, that is heard first: it may have decided what
    /// would be turned back.
    fn deal(&mut self, notes: &mut HashMap<String, String>, heard: &HashMap<String, u64>) {
        let event = self.event.event();
        let decisions = self.decisions();
        let shown = self.event.halls.shown();
        let orders = shown
            .iter()
            .map(|hall| (hall.name.clone(), hall.orders.clone()));
        let takes: HashMap<String, Vec<Role>> = orders.collect();
        if shown.iter().any(|hall| decisions.are_older(hall)) {
            for hall in shown {
                beside(notes, hall.name, OLDER);
            }
            return;
        }
        for name in self.event.connected() {
            if let Some(why) = self.event.newer_in(&name) {
                beside(notes, name, &why);
            }
        }
        for name in self.event.connected().into_iter().filter(|_| !event.closed) {
            for (round, stage) in self.event.begun_in(&name, &event) {
                let is_other = self.event.is_as_played(round);
                let is_other = matches!(is_other, Err(Stays::Other(.., hall)) if hall == name);
                let why = match stage {
                    _ if is_other => {
                        "begun there with other pairs than it is drawn here: draw it here as it is \
                         there, and start it"
                    }
                    Stage::Closed => "over there, and only drawn here: start it here, and close it",
                    _ => "under way there, and only drawn here: start it",
                };
                beside(notes, name.clone(), &format!("round {round} is {why}"));
            }
            if self.event.has_closed(&name, &event) {
                let why = "the event was closed there: what is not played of it is dealt anew";
                beside(notes, name, why);
            }
        }
        for (name, order) in self.lacking(&event) {
            let open = |tried: &&Tried| tried.is_open;
            if self.tried.get(&name).filter(open).is_some() {
                continue;
            }
            let takes = takes.get(&name).map_or(&[][..], Vec::as_slice);
            let order = order.map(|order| decisions.by_one(order, takes));
            let Some((order, giver)) = order else {
                if let Some(why) = self.event.left_open(&name) {
                    beside(notes, name.clone(), &why);
                }
                self.tried.remove(&name);
                self.event.asked().remove(&name);
                continue;
            };
            let acts = self.event.acts_of(&name);
            if heard.get(&name) != Some(&acts) {
                continue;
            }
            let tried = self.tried.get(&name);
            // What it has done is not lacking the next moment, whatever was done there since.
            let is_as_was = |tried: &Tried| tried.is_done || tried.acts == acts;
            let is_same =
                |tried: &Tried| tried.order == order && tried.giver == giver && is_as_was(tried);
            let waits = |tried: &Tried| !tried.again || tried.at.elapsed() < AGAIN;
            if tried.is_some_and(|tried| is_same(tried) && waits(tried)) {
                if let Some(why) = tried.and_then(|tried| tried.why.as_deref()) {
                    beside(notes, name, why);
                }
                continue;
            }
            let tried = Tried {
                order: order.clone(),
                giver: giver.clone(),
                acts,
                at: Instant::now(),
                is_open: true,
                is_done: false,
                again: true,
                why: None,
            };
            self.tried.insert(name.clone(), tried);
            self.event.asked().insert(name.clone());
            let (event, decisions) = (self.event.clone(), decisions.clone());
            let ordering = async move { event.order(name, (order, giver), &decisions).await };
            self.open.push(Box::pin(ordering));
        }
    }

    /// What was decided at the hub; read anew where it is more.
    fn decisions(&mut self) -> Arc<Decisions> {
        let (acts, stood, moved, _) = self.event.seen();
        let upon = (acts, stood, moved);
        match &self.decisions {
            Some((known, decisions)) if *known == upon => decisions.clone(),
            _ => {
                let decisions = Arc::new(self.event.decisions());
                self.decisions = Some((upon, decisions.clone()));
                decisions
            }
        }
    }

    /// What each hall that can be ordered something is to be ordered next.
    fn lacking(&self, event: &Tournament) -> Vec<(String, Option<(String, String)>)> {
        let (known, moved) = (self.event.known(), self.event.moved());
        let unsure = self.event.unsure();
        let here: Vec<(String, Tournament)> = known
            .iter()
            .filter_map(|known| Some((known.name.clone(), self.event.part_in(&known.name, event)?)))
            .collect();
        let same: Vec<(String, &Tournament)> = here
            .iter()
            .map(|(name, said)| (name.clone(), said))
            .collect();
        let others = self.event.has_others(event);
        let nothing = Tournament::default();
        let next = |name: &String| {
            // What is over here is over there first, before another of that name begins.
            if let Some((past, there)) = self.event.past_in(name) {
                let none = |_| BTreeSet::new();
                return deal::next((&past, others), &there, none, |_, _| true);
            }
            let there = here.iter().find(|(hall, _)| hall == name);
            let there = there.map_or(&nothing, |(_, said)| said);
            let closed = self.event.closed_in(name, event);
            // A table that was moved may have begun where it was.
            let may_be_elsewhere = |table| {
                let mut others = unsure.iter().filter(|other| *other != name);
                others.any(|other| deal::was_of(table, other, &known, &moved))
            };
            let tables = |round| {
                let has = |table| there.pairing(round, table).is_ok();
                // What a hall has played and closed by itself is not played there again.
                let is_over = |table| {
                    let mut said = closed.iter().filter_map(|c| c.pairing(round, table).ok());
                    said.any(Pairing::is_settled)
                };
                let is_its = |table| {
                    deal::hall_of(table, &known, &moved) == Some(name)
                        && (has(table) || !may_be_elsewhere(table))
                        && !is_over(table)
                };
                deal::tables_of(name, (event, round), is_its, &same)
            };
            let is_of_hall = |seat, outcome: &_| {
                let of = (seat, outcome);
                let upon = (&self.event, event);
                self.taken.is_of_hall(seat, outcome) || self.histories.is_taken_back(upon, name, of)
            };
            deal::next((event, others), there, tables, is_of_hall)
        };
        let connected = self.event.connected().into_iter();
        connected.map(|name| (name.clone(), next(&name))).collect()
    }

    /// What came of an order. What it left undone is noted when it is looked at next.
    pub(super) fn answered(&mut self, (name, answer): Answered) {
        self.seen = None;
        if !matches!(answer, Err(Undone::Silent(_))) {
            self.event.asked().remove(&name);
        }
        let Some(tried) = self.tried.get_mut(&name) else {
            return;
        };
        let failed = failed(answer);
        (tried.is_open, tried.is_done) = (false, failed.is_none());
        // Where it has done it and is as ordered, nothing is lacking when it is looked at next.
        let (why, again) = failed.unwrap_or_else(|| (TO_NOTHING.to_owned(), true));
        (tried.again, tried.why) = (again, Some(why));
    }
}

/// Of a hall that has done what it was ordered, and lacks it all the same.
const TO_NOTHING: &str = "the hall has taken what it was ordered of the event, and is not as \
                          ordered: it is ordered again every few seconds";

/// Somebody at the hub was quicker: it is looked at again.
const MEANWHILE: &str = "meanwhile";

/// Of a hub whose store is an older copy.
const OLDER: &str = "this hub's store is older than what the halls were ordered last (was a copy \
                     put back?): nothing is ordered of them. Draw here what was drawn since, as \
                     the halls have it, and give tables again that were moved; then `arbiterd hub \
                     stands`";

/// Notes something more of a hall.
fn beside(notes: &mut HashMap<String, String>, hall: String, why: &str) {
    let note = notes.entry(hall).or_default();
    if note.contains(why) {
        return;
    }
    *note = match note.is_empty() {
        true => why.to_owned(),
        false => format!("{note}; {why}"),
    };
}

/// Why an order was not done, and whether it may be done yet.
pub(super) fn failed(answer: Result<Reply, Undone>) -> Option<(String, bool)> {
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

impl Event {
    /// Does what a hall says of a table, unless somebody at the hub has just done something there.
    async fn take(
        &self,
        author: &Author,
        event: &Tournament,
        (round, table): Seat,
        acts: &[Act],
    ) -> Result<(), OfficeError> {
        let seen = event.pairing(round, table).ok();
        let is_as_seen = |book: &Book| match book.event.pairing(round, table).ok() == seen {
            true => Ok(()),
            false => Err(OfficeError::Bad(MEANWHILE.to_owned())),
        };
        self.office.act_if(author, acts, is_as_seen).await
    }
}
