//! The journal as it must be: it only grows, and everything ever heard rests on it.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use arbiter_core::{Event, Input};
use daemon::store::{Game, Store, StoreError};
use serde_json::Value;

use crate::fill_disk::if_room;
use crate::life::Life;
use crate::replay::{Replay, heard_state};

/// What was heard, and what the journal makes of it.
pub(crate) struct Journal {
    dir: PathBuf,
    /// By game.
    games: BTreeMap<String, Replay>,
    /// Boards on which one game is played, and no more.
    single: HashSet<String>,
    /// A board of which nobody reads what it has said.
    unread: &'static str,
    /// Heard and not yet found in the journal.
    heard: Vec<(u32, Value)>,
    orders: HashMap<String, Orders>,
    /// Rulings of the live feed so far.
    pub(crate) rulings: usize,
    /// Board states of the live feed so far.
    pub(crate) states: usize,
}

#[derive(Default)]
struct Orders {
    sent: usize,
    answered: usize,
}

impl Journal {
    /// The journal in `dir`, where no daemon has been yet. On the boards `single` one game is
    /// played; what `unread` says is not compared with anything.
    pub(crate) fn new(
        dir: &Path,
        single: impl IntoIterator<Item = String>,
        unread: &'static str,
    ) -> Journal {
        let (games, heard, orders) = (BTreeMap::new(), Vec::new(), HashMap::new());
        Journal {
            dir: dir.to_owned(),
            games,
            single: single.into_iter().collect(),
            unread,
            heard,
            orders,
            rulings: 0,
            states: 0,
        }
    }

    /// Keeps what was heard of a life, to be found in the journal later.
    pub(crate) fn witness(&mut self, life: Life, number: u32) {
        self.heard
            .extend(life.heard.into_iter().map(|message| (number, message)));
        for (board, answered) in life.orders {
            let orders = self.orders.entry(board).or_default();
            orders.sent += 1;
            orders.answered += usize::from(answered);
        }
    }

    /// Reads the journal, if there is room for that, and says whether there was: nothing that was
    /// there has gone or changed, and everything heard so far rests on it.
    pub(crate) fn check(&mut self) -> bool {
        let Some(games) = if_room(self.read()) else {
            return false;
        };
        self.take(games);
        for (life, message) in std::mem::take(&mut self.heard) {
            let found = self.has(&message);
            assert!(
                found,
                "what daemon {life} said does not follow from the journal after its death: \
                 {message}"
            );
        }
        for (board, Orders { answered, .. }) in &self.orders {
            let kept = self.kept(board);
            assert!(
                kept >= *answered,
                "{board}: {answered} orders were answered, the journal has {kept}"
            );
        }
        true
    }

    /// At the end: nothing is there that was never sent. What a daemon was sent on its last breath
    /// may be there or not.
    pub(crate) fn check_no_order_came_twice(&self) {
        assert!(self.heard.is_empty(), "everything heard was compared");
        for (board, Orders { sent, .. }) in &self.orders {
            let kept = self.kept(board);
            assert!(
                kept <= *sent,
                "{board}: {sent} orders were sent, the journal has {kept}"
            );
        }
    }

    /// Orders in the journal of a board.
    fn kept(&self, board: &str) -> usize {
        let is_order = |event: &&Event| matches!(event.input.plain(), Input::Draw { .. });
        let events = self.of(board).flat_map(|game| &game.events);
        events.filter(is_order).count()
    }

    /// The games of a board.
    fn of<'a>(&'a self, board: &'a str) -> impl Iterator<Item = &'a Replay> {
        self.games.values().filter(move |game| game.board == board)
    }

    /// Every game that is compared, the first one first.
    fn read(&self) -> Result<Vec<Game>, StoreError> {
        let store = Store::open(&self.dir)?;
        let rows = store.games()?.into_iter().rev();
        rows.filter(|row| row.board != self.unread)
            .map(|row| Ok(store.game(&row.id)?.expect("the game")))
            .collect()
    }

    fn take(&mut self, games: Vec<Game>) {
        let (mut seen, mut boards) = (HashSet::new(), HashSet::new());
        for game in games {
            let row = game.row;
            assert!(
                boards.insert(row.board.clone()) || !self.single.contains(&row.board),
                "{}: one game was played, the journal has several",
                row.board
            );
            assert_eq!(row.damage, None, "{}", row.id);
            if !self.games.contains_key(&row.id)
                && let Some(setup) = game.events.first()
            {
                let before = self.games.values_mut();
                let before = before.filter(|before| before.board == row.board);
                before.for_each(|before| before.give_way(setup));
            }
            let replay = self.games.entry(row.id.clone()).or_default();
            let told = replay.events.len();
            assert!(
                game.events.get(..told) == Some(&replay.events),
                "{}: the journal has changed",
                row.id
            );
            seen.insert(row.id);
            replay.board = row.board;
            game.events
                .into_iter()
                .skip(told)
                .for_each(|event| replay.tell(event));
        }
        let lost: Vec<&String> = self
            .games
            .keys()
            .filter(|game| !seen.contains(*game))
            .collect();
        assert!(lost.is_empty(), "games have vanished: {lost:?}");
    }

    /// Whether a message of the live feed follows from the journal.
    fn has(&mut self, message: &Value) -> bool {
        let board = message["board"].as_str();
        let Some(board) = board.filter(|board| *board != self.unread) else {
            return true;
        };
        if message["ruling"].is_string() {
            self.rulings += 1;
            let mut said = message.clone();
            said.as_object_mut().map(|fields| fields.remove("board"));
            let said = said.to_string();
            return self.of(board).any(|game| game.said.contains(&said));
        }
        let Some(state) = heard_state(message) else {
            return true;
        };
        self.states += 1;
        self.of(board).any(|game| game.shown.contains(&state))
    }

    /// The daemon shows `board` as the journal has it.
    pub(crate) fn check_shown(&self, board: &Value) {
        let Some(state) = heard_state(board) else {
            return;
        };
        let id = board["id"].as_str().unwrap_or_default();
        let known = self.of(id).any(|game| game.shown.contains(&state));
        assert!(
            known || id == self.unread,
            "{id} is shown as nothing in the journal makes it: {board}"
        );
    }

    /// Half-moves in the records of each board.
    pub(crate) fn plies(&self) -> HashMap<String, usize> {
        let mut plies = HashMap::new();
        for game in self.games.values() {
            *plies.entry(game.board.clone()).or_default() += game.plies;
        }
        plies
    }

    /// Events in the journal.
    pub(crate) fn events(&self) -> usize {
        self.games.values().map(|game| game.events.len()).sum()
    }

    /// Orders that were answered.
    pub(crate) fn answered(&self) -> usize {
        self.orders.values().map(|orders| orders.answered).sum()
    }

    /// Every game is as it was written, and SQLite finds no fault in its file.
    pub(crate) fn check_integrity(&self) {
        let (games, wrong) = daemon::store::verify(&self.dir).expect("the journal");
        assert_eq!(wrong, [""; 0]);
        let damaged: Vec<_> = games.iter().filter(|game| game.damage.is_some()).collect();
        assert!(damaged.is_empty(), "{damaged:?}");
    }
}
