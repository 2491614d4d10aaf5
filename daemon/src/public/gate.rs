//! The gate, for whoever shows something to the public.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::{broadcast, watch};
use tokio::time::timeout;

use super::outlets::Outlets;
use super::rules::Delay;
use super::shown::{Arrival, Correction, Outlet, Programme, Shown};

/// Changes that a slow listener may fall behind before it misses some.
const FEED: usize = 4096;
/// Whoever has given an order waits so long at most until it is carried out.
const PATIENCE: Duration = Duration::from_secs(3);

/// What changed of what the public is shown.
#[derive(Clone, Debug)]
pub struct Change {
    /// The game as it is shown now.
    pub game: Arc<Shown>,
    /// The first so many half-moves are as they were.
    pub kept: usize,
    /// What was corrected, if something was: more than that was added.
    pub corrections: Vec<Correction>,
}

/// What the public is shown, for every outlet. Cheap to clone; all clones show the same. Without a
/// task that feeds it, it shows nothing.
#[derive(Clone, Debug)]
pub struct Gate {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    games: RwLock<BTreeMap<String, Arc<Shown>>>,
    corrections: RwLock<Vec<Noted>>,
    outlets: Outlets,
    /// Round and table of games outside of any event.
    places: RwLock<HashMap<String, (u16, u16)>>,
    /// How late games are shown elsewhere, that is before they come here.
    there: RwLock<HashMap<String, Delay>>,
    /// Events by their numbers.
    programmes: watch::Sender<BTreeMap<usize, Arc<Programme>>>,
    count: watch::Sender<u64>,
    feed: broadcast::Sender<Change>,
    /// What is shown is as these many acts of people want it; `None`: nobody stands at the gate.
    acts: watch::Sender<Option<u64>>,
}

/// A correction, and what is kept of it besides.
#[derive(Clone, Debug)]
struct Noted {
    correction: Correction,
    /// The number of the change that has it.
    change: u64,
    /// An outlet has it that is not noted yet.
    is_new: bool,
}

impl Noted {
    fn arrive(&mut self, outlet: Outlet, utc: &str) {
        let arrived = &mut self.correction.arrived;
        if arrived.iter().all(|arrival| arrival.outlet != outlet) {
            let utc = utc.to_owned();
            arrived.push(Arrival { outlet, utc });
            self.is_new = true;
        }
    }
}

impl Default for Gate {
    fn default() -> Gate {
        Gate {
            inner: Arc::new(Inner {
                games: RwLock::default(),
                corrections: RwLock::default(),
                outlets: Outlets::default(),
                places: RwLock::default(),
                there: RwLock::default(),
                programmes: watch::Sender::default(),
                count: watch::Sender::default(),
                feed: broadcast::channel(FEED).0,
                acts: watch::Sender::default(),
            }),
        }
    }
}

impl Gate {
    /// Every game of which something is public: those of rounds by round and table, then others by
    /// name.
    pub fn games(&self) -> Vec<Arc<Shown>> {
        let games = self.inner.games.read();
        let games = games.unwrap_or_else(PoisonError::into_inner);
        let mut games: Vec<Arc<Shown>> = games.values().cloned().collect();
        games.sort_by_key(|game| (game.round.is_none(), game.round, game.table));
        games
    }

    /// One game; `None` where nothing of it is public.
    pub fn game(&self, game: &str) -> Option<Arc<Shown>> {
        let games = self.inner.games.read();
        let games = games.unwrap_or_else(PoisonError::into_inner);
        games.get(game).cloned()
    }

    /// The event at hand, with who plays whom in the rounds that were started.
    pub fn programme(&self) -> Arc<Programme> {
        self.programmes().pop().unwrap_or_default()
    }

    /// An event by its number.
    pub fn programme_of(&self, event: usize) -> Option<Arc<Programme>> {
        self.inner.programmes.borrow().get(&event).cloned()
    }

    /// Every event of the store, the oldest first. What is public of one stays public when another
    /// is opened.
    pub fn programmes(&self) -> Vec<Arc<Programme>> {
        self.inner.programmes.borrow().values().cloned().collect()
    }

    /// Everything that was corrected after it had been public, the oldest first.
    pub fn corrections(&self) -> Vec<Correction> {
        let list = self.inner.corrections.read();
        let list = list.unwrap_or_else(PoisonError::into_inner);
        list.iter().map(|noted| noted.correction.clone()).collect()
    }

    /// Event, round and table of the games of which something was corrected, whatever they are
    /// called by now.
    pub(super) fn corrected(&self) -> BTreeSet<(usize, u16, u16)> {
        let list = self.inner.corrections.read();
        let list = list.unwrap_or_else(PoisonError::into_inner);
        let place = |noted: &Noted| {
            let one = &noted.correction;
            Some((one.event, one.round?, one.table?))
        };
        list.iter().filter_map(place).collect()
    }

    /// There is a way out that has at once what is shown: it has every correction that is known by
    /// now, those too of which a daemon that was killed has not written down where they were.
    pub(crate) fn open_at_once(&self, outlet: Outlet, place: String) {
        self.outlets().open(outlet, place);
        self.arrives(outlet, self.change(), |_, _, _| true);
    }

    /// The ways out.
    pub(crate) fn outlets(&self) -> &Outlets {
        &self.inner.outlets
    }

    /// The number of the last change.
    pub(crate) fn change(&self) -> u64 {
        *self.inner.count.borrow()
    }

    /// Corrections of a game say by now what came instead.
    pub(super) fn amend(&self, game: &str, corrections: &[Correction]) {
        let list = self.inner.corrections.write();
        let mut list = list.unwrap_or_else(PoisonError::into_inner);
        let known = list.iter_mut().map(|noted| &mut noted.correction);
        let both = known.filter(|one| one.game == game).zip(corrections);
        both.for_each(|(known, now)| {
            known.is.clone_from(&now.is);
            known.annulled = now.annulled;
        });
    }

    /// An outlet has what was shown by the change of this number, at places that are told by event,
    /// round and table.
    pub(crate) fn arrives(
        &self,
        outlet: Outlet,
        change: u64,
        is_there: impl Fn(usize, Option<u16>, Option<u16>) -> bool,
    ) {
        let utc = Timestamp::now().to_string();
        let list = self.inner.corrections.write();
        for noted in &mut *list.unwrap_or_else(PoisonError::into_inner) {
            let one = &noted.correction;
            if noted.change <= change && is_there(one.event, one.round, one.table) {
                noted.arrive(outlet, &utc);
            }
        }
    }

    /// By game: at which outlets each of its corrections has arrived; of games where that is new.
    pub(super) fn arrivals(&self) -> BTreeMap<String, Vec<Vec<Arrival>>> {
        let list = self.inner.corrections.write();
        let mut list = list.unwrap_or_else(PoisonError::into_inner);
        let new = list.iter().filter(|noted| noted.is_new);
        let mut games: BTreeMap<String, Vec<Vec<Arrival>>> = new
            .map(|noted| (noted.correction.game.clone(), Vec::new()))
            .collect();
        for noted in &mut *list {
            if let Some(arrivals) = games.get_mut(&noted.correction.game) {
                arrivals.push(noted.correction.arrived.clone());
                noted.is_new = false;
            }
        }
        games
    }

    /// Round and table at which a game began that is played outside of any event.
    pub(super) fn place(&self, game: &str) -> Option<(u16, u16)> {
        let places = self.inner.places.read();
        let places = places.unwrap_or_else(PoisonError::into_inner);
        places.get(game).copied()
    }

    /// A game outside of any event is played there.
    pub(super) fn put(&self, game: &str, place: (u16, u16)) {
        let places = self.inner.places.write();
        let mut places = places.unwrap_or_else(PoisonError::into_inner);
        places.insert(game.to_owned(), place);
    }

    /// A game is shown elsewhere before, so late.
    pub(super) fn is_late_there(&self, game: &str, delay: Delay) {
        let there = self.inner.there.write();
        let mut there = there.unwrap_or_else(PoisonError::into_inner);
        there.insert(game.to_owned(), delay);
    }

    /// How late a game is shown that is to be so late here.
    pub(crate) fn late(&self, game: &str, delay: Delay) -> Delay {
        let there = self.inner.there.read();
        let there = there.unwrap_or_else(PoisonError::into_inner);
        there.get(game).map_or(delay, |there| Delay {
            ms: delay.ms.max(there.ms),
            plies: delay.plies.max(there.plies),
        })
    }

    /// More was corrected.
    pub(crate) fn correct(&self, more: Vec<Correction>) {
        if more.is_empty() {
            return;
        }
        let at_once = self.inner.outlets.at_once();
        let change = self.change() + 1;
        {
            let list = self.inner.corrections.write();
            let mut list = list.unwrap_or_else(PoisonError::into_inner);
            let noted = |correction: Correction| {
                let utc = correction.utc.clone();
                let mut noted = Noted {
                    correction,
                    change,
                    is_new: false,
                };
                at_once.iter().for_each(|o| noted.arrive(*o, &utc));
                noted
            };
            list.extend(more.into_iter().map(noted));
            list.sort_by_cached_key(|noted| noted.correction.utc.parse::<Timestamp>().ok());
        }
        self.inner.count.send_modify(|count| *count += 1);
    }

    /// Tells whenever a game or the event is shown otherwise: a number that grows. Whoever looks
    /// only now and then needs nothing else.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.inner.count.subscribe()
    }

    /// What is shown is as so many acts of people want it.
    pub(super) fn follows(&self, acts: u64) {
        self.inner.acts.send_replace(Some(acts));
    }

    /// Waits until what is shown is as so many acts of people want it, but not for ever: while it
    /// cannot be written down how far games are, nothing is shown otherwise.
    pub(crate) async fn until_follows(&self, acts: u64) {
        let mut known = self.inner.acts.subscribe();
        let follows = known.wait_for(|known| known.is_none_or(|known| known >= acts));
        let _as_it_is = timeout(PATIENCE, follows).await;
    }

    /// Every change of a game from now on. After `Lagged`, read [`Gate::games`] anew.
    pub fn subscribe(&self) -> broadcast::Receiver<Change> {
        self.inner.feed.subscribe()
    }

    /// Shows games otherwise.
    pub fn show(&self, changes: Vec<Change>) {
        if changes.is_empty() {
            return;
        }
        {
            let games = self.inner.games.write();
            let mut games = games.unwrap_or_else(PoisonError::into_inner);
            for change in &changes {
                games.insert(change.game.game.clone(), change.game.clone());
            }
        }
        for change in changes {
            let _nobody_looks = self.inner.feed.send(change);
        }
        self.inner.count.send_modify(|count| *count += 1);
    }

    /// Shows an event otherwise.
    pub fn announce(&self, programme: Programme) {
        let programme = Arc::new(programme);
        let is_new = self.inner.programmes.send_if_modified(|known| {
            let before = known.insert(programme.number, programme.clone());
            before.as_ref() != Some(&programme)
        });
        if is_new {
            self.inner.count.send_modify(|count| *count += 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::shown::Kind;
    use super::*;

    fn correction() -> Correction {
        Correction {
            utc: "2026-11-28T03:00:00Z".to_owned(),
            event: 1,
            game: "g".to_owned(),
            round: Some(1),
            table: Some(1),
            kind: Kind::Moves,
            ply: 1,
            was: "e4".to_owned(),
            is: String::new(),
            annulled: false,
            arrived: Vec::new(),
        }
    }

    /// A daemon was killed after a correction, and before it was noted where that had arrived: what
    /// was kept is taken up before any way out is open.
    #[test]
    fn a_correction_of_before_is_at_every_way_out_that_has_things_at_once() {
        let gate = Gate::default();
        gate.correct(vec![correction()]);
        assert!(gate.arrivals().is_empty());
        for outlet in [Outlet::Livechess, Outlet::Live] {
            gate.open_at_once(outlet, String::new());
        }
        let has = |gate: &Gate| -> Vec<Outlet> {
            let arrived = gate.corrections()[0].arrived.clone();
            arrived.iter().map(|arrival| arrival.outlet).collect()
        };
        assert_eq!(has(&gate), [Outlet::Livechess, Outlet::Live]);
        // It is to be written down now, once.
        let noted = gate.arrivals();
        assert_eq!(noted["g"][0].len(), 2);
        assert!(gate.arrivals().is_empty());
        gate.correct(vec![Correction {
            ply: 2,
            ..correction()
        }]);
        let listed = gate.corrections();
        assert!(
            listed.iter().all(|one| one.arrived.len() == 2),
            "{listed:?}"
        );
    }
}
