//! Follows the hall and the event, and lets through the gate what is due.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;
use tournament::{Stage, Tournament};

use super::candidate::{Named, candidate, person};
use super::elsewhere::{self, Elsewhere, There};
use super::folder::Folder;
use super::gate::{Change, Gate};
use super::kept::Kept;
use super::line::{Candidate, Line};
use super::programme::{lasts, programme};
use super::rules::{Delay, Rules};
use super::said::Said;
use super::shown::Shown;
use super::spot::{Spot, apart};
use super::unseen;
use crate::clock::Steady;
use crate::hall::{BoardState, Hall, View};
use crate::office::{Book, Minors, Office};
use crate::pgn::Tags;
use crate::store::{Store, StoreError};

/// How often it is looked what has changed, and what is due.
pub(crate) const LOOK: Duration = Duration::from_millis(200);
/// How often games that no board has at hand are read anew, while something of them waits or they
/// could not be read.
const AGAIN: Duration = Duration::from_secs(2);

/// A game as a board has it.
#[derive(Debug)]
struct Seen {
    view: Arc<View>,
    tags: Tags,
    clock_told: Option<i64>,
}

/// A game as arbiters see it.
#[derive(Debug)]
struct Source {
    /// `None`: no board sees it.
    seen: Option<Seen>,
    /// What could be public of it, worked out for this view and this state of the event.
    candidate: Option<Candidate>,
    /// Something of it waits.
    waits: bool,
    /// When something of it may be due.
    due: Option<i64>,
}

/// Whoever stands at the gate.
#[derive(Debug)]
pub(crate) struct Keeper {
    gate: Gate,
    hall: Hall,
    office: Office,
    store: Store,
    rules: Rules,
    kept: Kept,
    folder: Option<Folder>,
    lines: BTreeMap<String, Line>,
    sources: HashMap<String, Source>,
    elsewhere: Option<Box<dyn Elsewhere>>,
    /// What is shown elsewhere, by game.
    there: HashMap<String, There>,
    boards: HashMap<String, Arc<BoardState>>,
    book: Arc<Book>,
    clock: Steady,
    read: Instant,
    /// Games that could not be read, and are not tried again before [`AGAIN`].
    unread: BTreeSet<String>,
    /// The event, and how much was public, when the event was last announced.
    announced: Option<(Arc<Book>, u64)>,
    /// Something is public otherwise of events that are over.
    is_past_new: bool,
    /// It is counted what is public.
    is_measured: bool,
}

impl Keeper {
    /// Takes up what was public before: it is shown at once.
    ///
    /// # Errors
    /// Where the store's directory cannot be used.
    pub(crate) fn open(
        dir: &Path,
        gate: Gate,
        (hall, office): (Hall, Office),
        rules: Rules,
    ) -> Result<Keeper, StoreError> {
        let (kept, mut lines) = Kept::open(dir)?;
        let over = lines.values_mut().filter_map(|line| line.shown.as_mut());
        over.filter(|shown| shown.over).for_each(Shown::end);
        let shown = lines.values().filter_map(|line| line.shown.clone());
        let as_before = |shown| Change {
            kept: 0,
            game: Arc::new(shown),
            corrections: Vec::new(),
        };
        gate.show(shown.map(as_before).collect());
        let places = lines
            .iter()
            .filter_map(|(game, line)| Some((game, line.place?)));
        places.for_each(|(game, place)| gate.put(game, place));
        let corrections = lines.values().flat_map(|line| line.corrections.clone());
        gate.correct(corrections.collect());
        gate.follows(0);
        Ok(Keeper {
            folder: rules.folder.clone().map(Folder::new),
            store: office.store().clone(),
            gate,
            hall,
            office,
            rules,
            kept,
            lines,
            sources: HashMap::new(),
            elsewhere: None,
            there: HashMap::new(),
            boards: HashMap::new(),
            book: Arc::default(),
            clock: Steady::new(),
            read: Instant::now(),
            unread: BTreeSet::new(),
            announced: None,
            is_past_new: true,
            is_measured: true,
        })
    }

    /// The same, where what passes is not public yet.
    pub(crate) fn unmeasured(self) -> Keeper {
        Keeper {
            is_measured: false,
            ..self
        }
    }

    /// The same, for games that are shown elsewhere already.
    pub(crate) fn of_elsewhere(self, elsewhere: Box<dyn Elsewhere>) -> Keeper {
        Keeper {
            elsewhere: Some(elsewhere),
            ..self
        }
    }

    /// Stands at the gate until the shutdown.
    pub(crate) async fn stand(mut self, shutdown: CancellationToken) {
        let mut look = interval(LOOK);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        if let Some(folder) = self.folder.take() {
            tokio::spawn(folder.follow(self.gate.clone(), shutdown.clone()));
        }
        loop {
            tokio::select! {
                () = shutdown.cancelled() => return,
                _ = look.tick() => self.look().await,
            }
        }
    }

    /// Shows what was public before, and what is due by now.
    pub(crate) async fn look(&mut self) {
        let mut fresh = self.look_at_event();
        self.look_elsewhere();
        fresh.extend(self.look_at_boards());
        fresh.extend(self.away());
        fresh.retain(|game| !self.unread.contains(game));
        self.read_games(fresh).await;
        let (mut due, changes) = self.due(self.clock.now());
        self.note_arrivals(&mut due);
        if !due.is_empty() && !self.keep(due).await {
            return;
        }
        let corrections = changes.iter().flat_map(|change| change.corrections.clone());
        let corrections: Vec<_> = corrections.collect();
        if self.is_measured {
            let more = corrections.len() as u64;
            metrics::counter!("arbiter_public_corrections_total").increment(more);
        }
        self.gate.show(changes);
        self.announce();
        self.gate.correct(corrections);
        self.gate.follows(self.book.acts);
    }

    /// Games of which something is to be shown or noted now: how far they are, and what changes for
    /// the public.
    fn due(&mut self, now: i64) -> (Vec<(String, Line)>, Vec<Change>) {
        let (mut due, mut changes) = (Vec::new(), Vec::new());
        let at_hand = self.book.number();
        for (game, source) in &mut self.sources {
            if source.candidate.is_some() && source.due.is_none_or(|due| due > now) {
                continue;
            }
            let spot = self.gate.spot(&self.book, game, ("", ""));
            let (minors, rules) = (self.office.minors(), &self.rules);
            // What is looked at is kept only once it is on the disk.
            let mut line = self.lines.get(game).cloned().unwrap_or_default();
            let elsewhere = self.there.get(game);
            // What was shown elsewhere of an event that is over stays.
            let is_past = self.elsewhere.is_some() && spot.number < at_hand;
            let there = match (elsewhere, &line.shown) {
                (None, _) if !is_past => None,
                (Some(There::Shown(shown, delay)), _) => Some((&**shown, *delay)),
                (Some(There::Waits), Some(shown)) => Some((shown, Delay::default())),
                (Some(There::Waits | There::Open(..)), _) => continue,
                (Some(There::Another), _) => None,
                // Whoever showed it before has lost it.
                (Some(There::Nothing(..)) | None, shown) => {
                    let shown = shown.as_ref().filter(|shown| !shown.plies.is_empty());
                    shown.map(|shown| (shown, Delay::default()))
                }
            };
            let candidate = source
                .candidate
                .get_or_insert_with(|| match (&source.seen, there) {
                    (Some(seen), _) => {
                        candidate(&seen.view, &seen.named((spot, minors)), rules, now)
                    }
                    (None, Some(there)) => elsewhere::candidate(game, there, (spot, minors), rules),
                    (None, None) => {
                        let candidate = unseen::candidate(game, (spot, minors), rules);
                        match elsewhere {
                            Some(there) => there.holds(candidate),
                            None => candidate,
                        }
                    }
                });
            if candidate.whole.round.is_none() {
                let Some(shown) = line.shown.as_ref().filter(|shown| shown.paired) else {
                    (source.waits, source.due) = (false, None);
                    continue;
                };
                candidate.withdraw(shown, spot.event);
            }
            let before = line.shown.clone();
            let known = line.corrections.len();
            let is_new = line.look(candidate, now);
            if known > 0 {
                self.gate.amend(game, &line.corrections[..known]);
            }
            (source.waits, source.due) = (line.waits(candidate), line.due(candidate, now));
            if let (true, Some(shown)) = (is_new, &line.shown) {
                self.is_past_new |= spot.number < at_hand;
                changes.push(Change {
                    kept: before.map_or(0, |before| before.common(shown)),
                    game: Arc::new(shown.clone()),
                    corrections: line.corrections[known..].to_vec(),
                });
            }
            if self.lines.get(game) != Some(&line) {
                due.push((game.clone(), line));
            }
        }
        (due, changes)
    }

    /// Notes at which outlets corrections have arrived.
    fn note_arrivals(&self, due: &mut Vec<(String, Line)>) {
        for (game, arrived) in self.gate.arrivals() {
            let known = due.iter_mut().find(|(known, _)| *known == game);
            let line = match known {
                Some((_, line)) => line,
                None => {
                    let line = self.lines.get(&game).cloned().unwrap_or_default();
                    &mut due.push_mut((game, line)).1
                }
            };
            // What was corrected just now is nowhere yet.
            let both = line.corrections.iter_mut().zip(arrived);
            both.for_each(|(one, arrived)| one.arrived = arrived);
        }
    }

    /// Announces the event, where it or what is public of its games has changed; and those that
    /// are over.
    fn announce(&mut self) {
        let count = || *self.gate.changes().borrow();
        let is_known =
            |(book, known): &(Arc<Book>, u64)| Arc::ptr_eq(book, &self.book) && *known == count();
        if self.announced.as_ref().is_some_and(is_known) {
            return;
        }
        let (book, minors) = (&self.book, self.office.minors());
        let first = if self.is_past_new { 1 } else { book.number() };
        for number in first..=book.number() {
            let Ok(event) = book.nth(Some(number)) else {
                continue;
            };
            let of_event = programme((number, event), minors, &self.gate, &self.rules);
            self.gate.announce(of_event);
        }
        self.is_past_new = false;
        if self.is_measured {
            metrics::gauge!("arbiter_public_games").set(self.gate.games().len() as f64);
        }
        self.announced = Some((self.book.clone(), count()));
    }

    /// Takes what was done to the event: games of which it says something else are worked out anew.
    /// Where something was taken away, it is asked again what each game is called.
    fn look_at_event(&mut self) -> BTreeSet<String> {
        let book = self.office.book();
        if Arc::ptr_eq(&book, &self.book) {
            return BTreeSet::new();
        }
        let last = std::mem::replace(&mut self.book, book);
        self.rename_past();
        self.find_unseen();
        let (before, now) = (Said::of(&last), Said::of(&self.book));
        let is_all = before.is_other(&now);
        for (game, source) in &mut self.sources {
            if is_all || before.game(game) != now.game(game) {
                source.candidate = None;
            }
        }
        // An erasure does nothing to the event but write it otherwise.
        match self.book.acts == last.acts {
            true => self.sources.keys().cloned().collect(),
            false => BTreeSet::new(),
        }
    }

    /// Takes what is shown elsewhere.
    fn look_elsewhere(&mut self) {
        let elsewhere = self.elsewhere.as_mut();
        let new = elsewhere.and_then(|elsewhere| elsewhere.look(&self.book));
        for ((number, round, table), there) in new.unwrap_or_default() {
            let game = unseen::name(number, round, table);
            let shown = self.lines.get(&game).and_then(|line| line.shown.as_ref());
            let is_past = number < self.book.number();
            let is_over = is_past && shown.is_some_and(|shown| shown.over);
            let there = there.unless_older(shown);
            let known = self.there.get(&game);
            if is_over || known.is_some_and(|known| !known.gives_way_to(&there)) {
                continue;
            }
            if let There::Shown(_, delay) | There::Nothing(delay, _) = there {
                self.gate.is_late_there(&game, delay);
            }
            let is_nothing = matches!(there, There::Nothing(..));
            self.there.insert(game.clone(), there);
            match self.sources.entry(game) {
                Entry::Occupied(mut source) => source.get_mut().candidate = None,
                Entry::Vacant(vacant) if !is_nothing => _ = vacant.insert(Source::of(None)),
                Entry::Vacant(_) => {}
            }
        }
    }

    /// Takes the games that no board sees: those of which something may be public, or was.
    fn find_unseen(&mut self) {
        let book = &self.book;
        let numbered = (1..).zip(book.past.iter().chain([&book.event]));
        let kept = self.lines.keys().filter(|game| unseen::is_one(game));
        let is_over = |game: &String| {
            let shown = self.lines.get(game).and_then(|line| line.shown.as_ref());
            shown.is_some_and(|shown| shown.over && shown.of_event < book.number())
        };
        let games = numbered.flat_map(unseen::games).chain(kept.cloned());
        for game in games.filter(|game| !is_over(game)) {
            self.sources.entry(game).or_insert_with(|| Source::of(None));
        }
    }

    /// Calls the players of events that are over as the store does now: somebody may have been
    /// erased, and names are not among what is kept of a game's way to the public.
    fn rename_past(&mut self) {
        self.is_past_new = true;
        let rounds = (1..).zip(&self.book.past).flat_map(|(number, event)| {
            let rounds = event.rounds.iter();
            let of = rounds.flat_map(|(round, of)| of.pairings.iter().map(|of| (*round, of)));
            of.map(move |(round, pairing)| (number, event, round, pairing))
        });
        let renamed = rounds.filter_map(|(number, event, round, pairing)| {
            let unseen = || Some(unseen::name(number, round, pairing.table?));
            let game = pairing.game.clone().or_else(unseen)?;
            let shown = self.gate.game(&game)?;
            let called = |number| person(event, number, self.office.minors());
            let (white, black) = (called(pairing.white), called(pairing.black?));
            let is_new = (&shown.white, &shown.black) != (&white, &black);
            is_new.then(|| Change {
                kept: shown.plies.len(),
                corrections: Vec::new(),
                game: Arc::new(Shown {
                    white,
                    black,
                    ..(*shown).clone()
                }),
            })
        });
        let renamed: Vec<Change> = renamed.collect();
        for change in &renamed {
            if let Some(line) = self.lines.get_mut(&change.game.game) {
                line.shown = Some((*change.game).clone());
            }
        }
        self.gate.show(renamed);
    }

    /// Writes down how far games are. Whether it is on the disk: if not, nothing is shown.
    async fn keep(&mut self, due: Vec<(String, Line)>) -> bool {
        let kept = self.kept.clone();
        let write = move || {
            let written = kept.write(&due);
            (due, written)
        };
        match tokio::task::spawn_blocking(write).await {
            Ok((due, Ok(()))) => {
                self.lines.extend(due);
                true
            }
            Ok((due, Err(error))) => {
                tracing::error!(%error, "nothing new is public: how far it is cannot be written");
                for (game, _) in due {
                    if let Some(source) = self.sources.get_mut(&game) {
                        source.due = Some(0);
                    }
                }
                false
            }
            Err(_) => false,
        }
    }

    /// Takes what is new at the boards; the games of which nothing is known yet.
    fn look_at_boards(&mut self) -> BTreeSet<String> {
        let mut fresh = BTreeSet::new();
        for board in self.hall.boards() {
            if let Some(known) = self.boards.get(&board.id)
                && Arc::ptr_eq(known, &board)
                && board
                    .view()
                    .is_none_or(|view| self.sources.contains_key(&view.game))
            {
                continue;
            }
            let before = self.boards.insert(board.id.clone(), board.clone());
            let left = before.as_deref().and_then(BoardState::view);
            let left = left.filter(|view| board.view().is_none_or(|now| now.game != view.game));
            // How it was left its board does not tell any more.
            fresh.extend(
                left.map(|view| view.game.clone())
                    .filter(|game| !game.is_empty()),
            );
            let crate::hall::Table::Game(view) = &board.table else {
                continue;
            };
            if view.game.is_empty() {
                continue;
            }
            match self.sources.get_mut(&view.game) {
                Some(Source {
                    seen: Some(seen),
                    candidate,
                    ..
                }) => {
                    seen.view = view.clone();
                    seen.clock_told = board.clock_told;
                    *candidate = None;
                    let names = [&board.white, &board.black];
                    (seen.tags.white, seen.tags.black) = (names[0].clone(), names[1].clone());
                }
                _ => _ = fresh.insert(view.game.clone()),
            }
        }
        fresh
    }

    /// Games of rounds, and games that were public, which no board has at hand: those that are not
    /// known, and now and then those of which something waits.
    fn away(&mut self) -> Vec<String> {
        let is_time = self.read.elapsed() >= AGAIN;
        if is_time {
            self.read = Instant::now();
            self.unread.clear();
        }
        let is_said = self.announced.as_ref();
        if !is_time && is_said.is_some_and(|(book, _)| Arc::ptr_eq(book, &self.book)) {
            return Vec::new();
        }
        let started = |event: &'_ Tournament| {
            let rounds = event.rounds.values();
            let started = rounds.filter(|round| round.stage != Stage::Drawn);
            let games = started.flat_map(|round| &round.pairings);
            let games = games.filter_map(|pairing| pairing.game.clone());
            games.collect::<Vec<String>>()
        };
        // Games of events that are over are read for what of them is still to come.
        let is_left = |game: &String| self.gate.game(game).is_none_or(|shown| !shown.over);
        let past = self.book.past.iter().flat_map(started).filter(is_left);
        let games = past.chain(started(&self.book.event)).chain(self.apart());
        let at_hand: BTreeSet<&str> = self
            .boards
            .values()
            .filter_map(|board| Some(board.view()?.game.as_str()))
            .collect();
        let is_due = |game: &String| match self.sources.get(game) {
            None => true,
            Some(source) => is_time && source.waits && !at_hand.contains(game.as_str()),
        };
        games.filter(is_due).collect()
    }

    /// Games outside of any event that were on their way to the public: the last one at each table,
    /// and those of which something is still to come.
    fn apart(&self) -> Vec<String> {
        let lines = self.lines.iter().filter(|_| self.book.is_apart());
        let lasts = lasts(&self.gate).into_values();
        let lasts = lasts.flat_map(BTreeMap::into_values);
        let lasts: BTreeSet<String> = lasts.map(|game| game.game.clone()).collect();
        let is_left = |(game, line): &(&String, &Line)| {
            let is_over = line.shown.as_ref().is_some_and(|shown| shown.over);
            !is_over || lasts.contains(game.as_str())
        };
        lines
            .filter(is_left)
            .map(|(game, _)| game.clone())
            .collect()
    }

    /// Reads games of the store: how they are called, and how they stand where no board has them.
    async fn read_games(&mut self, games: BTreeSet<String>) {
        if games.is_empty() {
            return;
        }
        let (store, wanted) = (self.store.clone(), games.clone());
        let read = move || {
            let game = |id: String| match store.game(&id) {
                Ok(game) => game.map(|game| (id, Tags::of(&game), game)),
                Err(error) => {
                    tracing::error!(game = id, %error, "what is public of a game cannot be told");
                    None
                }
            };
            let found = games.into_iter().filter_map(game);
            let judged = found.map(|(id, tags, game)| (id, tags, game.view(), game.row.board));
            judged.collect::<Vec<_>>()
        };
        let Ok(found) = tokio::task::spawn_blocking(read).await else {
            return;
        };
        let states = self.hall.boards();
        self.unread.extend(wanted);
        for (id, tags, view, board) in found {
            self.unread.remove(&id);
            let mut at_hand = states.iter().filter_map(|state| match &state.table {
                crate::hall::Table::Game(view) if view.game == id => Some((state, view)),
                _ => None,
            });
            let (view, clock_told) = match (at_hand.next(), view) {
                (Some((state, view)), _) => (view.clone(), state.clock_told),
                (None, Some(view)) => (Arc::new(view), None),
                (None, None) => continue,
            };
            if self.gate.place(&id).is_none()
                && let Some(place) = apart(&self.book, &board, &tags.round)
            {
                self.gate.put(&id, place);
            }
            let seen = Seen {
                view,
                tags,
                clock_told,
            };
            self.sources.insert(id, Source::of(Some(seen)));
        }
    }
}

impl Seen {
    fn named<'a>(&'a self, (spot, minors): (Spot<'a>, &'a Minors)) -> Named<'a> {
        Named {
            spot,
            minors,
            tags: &self.tags,
            clock_told: self.clock_told,
        }
    }
}

impl Source {
    /// One of which nothing is worked out yet.
    fn of(seen: Option<Seen>) -> Source {
        Source {
            seen,
            candidate: None,
            waits: true,
            due: None,
        }
    }
}
