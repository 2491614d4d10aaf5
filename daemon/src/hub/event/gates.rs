//! What the halls show the public, for the outlets of their hub: at a gate for each stands one who
//! goes by what the hall has said, of its mirror.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval, sleep};
use tokio_util::sync::CancellationToken;
use tournament::{Pairing, Stage, Tournament};

use super::{Event, Seen, deal};
use crate::hub::halls::Room;
use crate::office::Book;
use crate::public::{Delay, Elsewhere, GameAt, Gate, Keeper, LOOK, Rules, There};

/// Where it is kept how far games are, within the hub's store; what is public of its own event is
/// kept apart from that.
const DIR: &str = "gates";
/// Where that cannot be used it is tried again so often.
const AGAIN: Duration = Duration::from_secs(10);

/// The gates of the halls that have said how late they are.
#[derive(Clone, Debug, Default)]
struct Gates(Arc<Mutex<BTreeMap<String, (Gate, Rules)>>>);

impl Gates {
    fn known(&self) -> MutexGuard<'_, BTreeMap<String, (Gate, Rules)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Looks at what the halls show of the event at hand, and still to come of those before.
#[derive(Debug)]
struct Watch {
    event: Event,
    gates: Gates,
    seen: Option<(Seen, Vec<(String, u64)>)>,
    /// Events that are over, by their numbers, of which nothing more comes from the halls.
    done: BTreeSet<usize>,
}

impl Event {
    /// Stands at the gates of the halls until the shutdown; gives who looks at what they show.
    pub(crate) fn gates(&self, dir: &Path, shutdown: &CancellationToken) -> Box<dyn Elsewhere> {
        let gates = Gates::default();
        for known in self.halls.known() {
            let (event, name) = (self.clone(), known.name.clone());
            let dir = dir.join(DIR).join(&name);
            let standing = event.stand(name, dir, gates.clone());
            let shutdown = shutdown.clone();
            tokio::spawn(async move { shutdown.run_until_cancelled(standing).await });
        }
        Box::new(Watch {
            event: self.clone(),
            gates,
            seen: None,
            done: BTreeSet::new(),
        })
    }

    /// Stands at the gate of a hall. While not all is here that it has written, nothing is looked
    /// at: games that come anew would seem to be taken back.
    async fn stand(self, name: String, dir: PathBuf, gates: Gates) {
        let mut looks = interval(LOOK);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut at: Option<(Rules, Keeper)> = None;
        loop {
            looks.tick().await;
            let Some((room, rules)) = self.ready(&name) else {
                continue;
            };
            at = at.take_if(|(before, _)| *before == rules);
            if at.is_none() {
                let gate = Gate::default();
                let both = (room.hall, room.office);
                match Keeper::open(&dir, gate.clone(), both, rules.clone()) {
                    Ok(keeper) => {
                        let mut keeper = keeper.unmeasured();
                        keeper.look().await;
                        let known = (gate, rules.clone());
                        gates.known().insert(name.clone(), known);
                        at = Some((rules, keeper));
                    }
                    Err(error) => {
                        tracing::error!(hall = name, %error, "nothing of it is public");
                        sleep(AGAIN).await;
                    }
                }
            } else if let Some((_, keeper)) = &mut at {
                keeper.look().await;
            }
        }
    }

    /// A hall in detail and how late it is, where the hub has all of it.
    fn ready(&self, name: &str) -> Option<(Room, Rules)> {
        let late = self.halls.late(name)?;
        let room = self.halls.room(name)??;
        // Of an event of which acts are missing more would seem to be taken back.
        let is_whole = self.halls.is_whole(name) && room.office.book().damage.is_none();
        is_whole.then_some((room, late.rules))
    }
}

impl Elsewhere for Watch {
    fn look(&mut self, book: &Book) -> Option<Vec<(GameAt, There)>> {
        let gates = self.gates.known().clone();
        let changes = gates.iter().map(|(name, (gate, _))| {
            let change = gate.change();
            (name.clone(), change)
        });
        let seen = (self.event.seen(), changes.collect());
        if self.seen.as_ref() == Some(&seen) {
            return None;
        }
        self.seen = Some(seen);
        let (known, moved) = (self.event.known(), self.event.moved());
        let halls: Vec<Hall<'_>> = known
            .iter()
            .map(|known| Hall {
                name: &known.name,
                ready: self.event.ready(&known.name).and_then(|(room, _)| {
                    let (gate, rules) = gates.get(&known.name)?;
                    Some((room.office.book(), gate, rules))
                }),
            })
            .collect();
        let is_its = |table, hall: &Hall<'_>| deal::was_of(table, hall.name, &known, &moved);
        let mut found = Vec::new();
        for (number, event) in (1..).zip(book.past.iter().chain([&book.event])) {
            let is_past = number < book.number();
            if is_past && self.done.contains(&number) {
                continue;
            }
            let event = self.event.called(event, number);
            // Nothing comes of what is over from a hall that has nothing of it.
            let may_come = |hall: &&Hall<'_>| !is_past || hall.may_have(&self.event, &event);
            let halls: Vec<&Hall<'_>> = halls.iter().filter(may_come).collect();
            let mut is_left = false;
            for (round, pairing) in started(&event) {
                let Some(table) = pairing.table else { continue };
                let its = halls.iter().filter(|hall| is_its(table, hall));
                let its: Vec<&Hall<'_>> = its.copied().collect();
                if !its.is_empty() {
                    let is = there(&self.event, &its, &event, (round, table), pairing);
                    is_left |= !is.is_last();
                    found.push(((number, round, table), is));
                }
            }
            if is_past && !is_left {
                self.done.insert(number);
            }
        }
        Some(found)
    }
}

/// A hall, and what the hub has of it, where that is all of it and the hall has said how late it
/// is.
struct Hall<'a> {
    name: &'a str,
    ready: Option<(Arc<Book>, &'a Gate, &'a Rules)>,
}

impl Hall<'_> {
    /// Whether it has something of an event, as far as is known.
    fn may_have(&self, hub: &Event, event: &Tournament) -> bool {
        let book = self.ready.as_ref().map(|(book, ..)| book);
        book.is_none_or(|book| hub.told_in(event, book).next().is_some())
    }
}

/// What is shown of a game in the halls that have its table, or had it.
fn there(
    hub: &Event,
    halls: &[&Hall<'_>],
    event: &Tournament,
    seat @ (round, table): (u16, u16),
    ours: &Pairing,
) -> There {
    let (mut is_sure, mut held) = (true, (Delay::default(), false));
    for hall in halls {
        let Some((book, gate, rules)) = &hall.ready else {
            is_sure = false;
            continue;
        };
        // What is over there, or here, is still to come as late as the hall has it.
        let told: Vec<_> = hub.told_in(event, book).collect();
        is_sure &= !told.is_empty();
        let has = told.iter().filter_map(|(number, said)| {
            let theirs = said.pairing(round, table).ok()?;
            Some((*number, *said, theirs))
        });
        let has: Vec<_> = has.collect();
        let mut begun = has.iter().filter(|(.., theirs)| has_something(theirs));
        let Some((number, said, theirs)) = begun.next().or(has.first()).copied() else {
            continue;
        };
        let delay = rules.delay(said, Some(round), Some(table));
        if !has_something(theirs) && theirs.annulled {
            return There::Another;
        }
        if !has_something(theirs) {
            let is_stopped = said.publication.is_stopped(Some(round), Some(table));
            held = (delay, is_stopped);
            continue;
        }
        // It may have begun in the moment in which it was drawn otherwise here.
        if !ours.is_same(theirs) {
            return There::Another;
        }
        let is_open = ours.is_settled() && !theirs.is_settled();
        return match gate.at((number, said), seat) {
            Some(shown) if is_open => There::Open(shown, delay),
            Some(shown) => There::Shown(shown, delay),
            None => There::Waits,
        };
    }
    match is_sure {
        true => There::Nothing(held.0, held.1),
        false => There::Waits,
    }
}

/// The pairings of the rounds that have begun.
fn started(event: &Tournament) -> impl Iterator<Item = (u16, &Pairing)> {
    let rounds = event.rounds.iter();
    let started = rounds.filter(|(_, round)| round.stage != Stage::Drawn);
    started.flat_map(|(number, round)| round.pairings.iter().map(|pairing| (*number, pairing)))
}

/// Whether there is something of a game that may become public.
fn has_something(pairing: &Pairing) -> bool {
    pairing.game.is_some() || pairing.typed.is_some() || pairing.is_settled()
}
