//! The boards of a mirrored hall as consoles are shown them: each game is followed as its rows
//! arrive.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use arbiter_core::view::Phase;
use arbiter_core::{Arbiter, Event};
use board_driver::Fault;

use crate::hall::{BoardState, FaultText, Hall, Running, Station, Told, View, view};
use crate::journal::Journal;
use crate::office::Office;
use crate::store::{Said, Store, StoreError, Tags};

/// A mirrored hall as it is shown.
#[derive(Debug)]
pub(super) struct Picture {
    pub(super) hall: Hall,
    pub(super) office: Office,
    boards: BTreeMap<String, Board>,
    /// Whose game that is: the last one of each board.
    games: HashMap<i64, String>,
    is_connected: bool,
}

/// A board and the game that it was last given.
#[derive(Debug)]
struct Board {
    station: Station,
    key: i64,
    tags: Tags,
    arbiter: Arbiter,
    view: Option<Arc<View>>,
    running: Running,
    /// It is over, and was told by another version of the program.
    told: Option<Told>,
    /// Why it is not followed any further: its rows are of a later version.
    unread: Option<String>,
    has_changed: bool,
}

/// What is counted of a hall.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Counted {
    pub(super) boards: usize,
    pub(super) playing: usize,
    pub(super) open: usize,
}

impl Picture {
    /// The picture of a mirror as it stands.
    pub(super) fn open(store: &Store) -> Result<Picture, StoreError> {
        let office = Office::open(store.clone(), Journal::closed(), Vec::new(), None)?;
        let (hall, _none) = Hall::new(Vec::new(), store.clone());
        let mut picture = Picture {
            hall,
            office,
            boards: BTreeMap::new(),
            games: HashMap::new(),
            is_connected: false,
        };
        picture.read(store)?;
        Ok(picture)
    }

    /// Reads the mirror, whatever was shown before: it was begun anew.
    pub(super) fn read(&mut self, store: &Store) -> Result<(), StoreError> {
        self.games.clear();
        for board in self.boards.values_mut() {
            board.begin(0, Tags::default());
        }
        for (key, game) in store.last_of_each_board()? {
            let row = &game.row;
            self.begin(key, &row.board, row.tags.clone());
            let Some(board) = self.boards.get_mut(&row.board) else {
                continue;
            };
            for (event, wall) in game.events.iter().zip(&game.walls) {
                board.arbiter.handle(event, &mut Vec::new());
                let phase = board.arbiter.state();
                board.running.heard(&event.input, phase, *wall);
            }
            board.unread = row.damage.as_ref().map(ToString::to_string);
            let ending = game.ending.as_ref();
            let told = ending.and_then(|ending| Told::new(&ending.view));
            // What this version says just so is shown as it says it.
            let now = view(&board.arbiter, None);
            let is_said = |told: &Told| now.as_ref().is_some_and(|now| told.is_said_of(now));
            board.told = told.filter(|told| !is_said(told));
        }
        self.office.look_again(self.names())?;
        self.publish();
        Ok(())
    }

    fn names(&self) -> Vec<String> {
        self.boards.keys().cloned().collect()
    }

    fn begin(&mut self, key: i64, name: &str, tags: Tags) {
        if !self.boards.contains_key(name) {
            let mut station = self.hall.add(BoardState::new(name, None));
            // Nobody here takes orders to it.
            station.orders.close();
            let board = Board::new(station);
            self.boards.insert(name.to_owned(), board);
        }
        if let Some(board) = self.boards.get_mut(name) {
            self.games.remove(&board.key);
            board.begin(key, tags);
            self.games.insert(key, name.to_owned());
        }
    }

    /// Follows what was just written to the mirror.
    pub(super) fn follow<'r>(
        &mut self,
        rows: impl Iterator<Item = &'r Said>,
    ) -> Result<(), StoreError> {
        let (mut is_of_event, before) = (false, self.boards.len());
        for row in rows {
            match row {
                Said::Game {
                    key, board, tags, ..
                } => {
                    let tags = serde_json::from_str(tags).unwrap_or_default();
                    self.begin(*key, board, tags);
                }
                Said::Event {
                    game, wall, line, ..
                } => {
                    if let Some(board) = self.board_of(*game) {
                        board.hear(line, *wall);
                    }
                }
                Said::Act(_) => is_of_event = true,
                Said::Outcome { .. }
                | Said::Ended { .. }
                | Said::Reopened { .. }
                | Said::File { .. }
                | Said::Nothing => {}
            }
        }
        if is_of_event || self.boards.len() != before {
            self.office.look_again(self.names())?;
        }
        self.publish();
        Ok(())
    }

    fn board_of(&mut self, game: i64) -> Option<&mut Board> {
        self.boards.get_mut(self.games.get(&game)?)
    }

    /// There is a line to the hall, or none any more: then what is shown is of before.
    pub(super) fn connect(&mut self, is_connected: bool) {
        if self.is_connected != is_connected {
            self.is_connected = is_connected;
            let boards = self.boards.values_mut();
            boards.for_each(|board| board.has_changed = true);
            self.publish();
        }
    }

    fn publish(&mut self) {
        for (name, board) in &mut self.boards {
            if std::mem::take(&mut board.has_changed) {
                let state = board.state(name, self.is_connected);
                board.station.publish(state);
            }
        }
    }

    /// What is counted.
    pub(super) fn counted(&self) -> Counted {
        let states = || self.boards.values().map(|board| board.station.state());
        let goes_on = |state: &Arc<BoardState>| {
            let mut view = state.view().into_iter();
            view.any(|view| view.state != Phase::Ended && !view.plies.is_empty())
        };
        Counted {
            boards: self.boards.len(),
            playing: states().filter(goes_on).count(),
            open: states().map(|state| state.open).sum(),
        }
    }
}

impl Board {
    fn new(station: Station) -> Board {
        Board {
            station,
            key: 0,
            tags: Tags::default(),
            arbiter: Arbiter::new(),
            view: None,
            running: Running::default(),
            told: None,
            unread: None,
            has_changed: true,
        }
    }

    fn begin(&mut self, key: i64, tags: Tags) {
        (self.key, self.tags) = (key, tags);
        self.arbiter = Arbiter::new();
        (self.view, self.running, self.told) = (None, Running::default(), None);
        self.unread = None;
        self.has_changed = true;
    }

    /// The answers to what the arbiter asks are events themselves, and come as such.
    fn hear(&mut self, line: &str, wall: i64) {
        let event = match serde_json::from_str::<Event>(line) {
            Ok(event) if self.unread.is_none() => event,
            Ok(_) => return,
            Err(error) => {
                (self.unread, self.has_changed) = (Some(error.to_string()), true);
                return;
            }
        };
        let mut said = Vec::new();
        self.arbiter.handle(&event, &mut said);
        self.running.heard(&event.input, self.arbiter.state(), wall);
        for said in said {
            self.station.tell(&said);
        }
        (self.told, self.has_changed) = (None, true);
    }

    fn state(&mut self, name: &str, is_connected: bool) -> BoardState {
        let view = view(&self.arbiter, self.view.as_deref()).map(Arc::new);
        self.view.clone_from(&view);
        let mut state = BoardState::new(name, None);
        state.white.clone_from(&self.tags.white);
        state.black.clone_from(&self.tags.black);
        state.round.clone_from(&self.tags.round);
        state.connected = is_connected;
        let unread = self.unread.as_ref().map(|error| {
            let text = format!(
                "this is not followed further: the hub's version does not know it ({error})"
            );
            Fault::new("hub-too-old", text).with("error", error)
        });
        let cut = "the hub has no line to this hall: this is what it last heard";
        let fault = unread.or_else(|| (!is_connected).then(|| Fault::new("hall-cut-off", cut)));
        state.faults = fault.iter().map(FaultText::from).collect();
        state.fault = fault.map(|fault| fault.text);
        match (&self.told, view) {
            (Some(told), _) => state.recall(told, self.running.clone()),
            (None, Some(view)) => state.show(view, self.running.clone()),
            (None, None) => {}
        }
        state
    }
}
