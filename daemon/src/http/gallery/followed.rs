//! The games of boards on their way to those who do not see everything. A game is shown where it is
//! played: it goes with its table to another board.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use access::Sight;
use serde_json::Value;

use super::later::{Later, Waiting};
use super::{TermsOf, earlier, seen};
use crate::hall::BoardState;
use crate::office::Minors;

/// What stands on a board: a game, or the empty place of one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Key {
    Game(String),
    Vacant(Arc<str>),
}

impl Key {
    fn of(board: &BoardState) -> Key {
        match board.view().filter(|view| !view.game.is_empty()) {
            Some(view) => Key::Game(view.game.clone()),
            None => Key::Vacant(board.id.as_str().into()),
        }
    }
}

/// What is followed of a game.
#[derive(Debug)]
struct Game {
    later: Later,
    /// The board as it was last, with the game on it.
    board: Arc<BoardState>,
}

/// What is shown at a board.
#[derive(Debug, Default)]
struct Place {
    /// What stands there, and before it what is shown until something of that is.
    keys: Vec<Key>,
    /// What is shown of them, and how often that was shown otherwise.
    shown: Option<(Key, u64)>,
}

/// All boards.
pub(super) struct Followed {
    sight: Sight,
    minors: Minors,
    terms: TermsOf,
    games: BTreeMap<Key, Game>,
    boards: BTreeMap<Arc<str>, Place>,
    /// Boards whose game is on another one: what stands there is to be looked at once more.
    robbed: BTreeSet<String>,
}

impl Followed {
    pub(super) fn new((sight, minors): (Sight, Minors), terms: TermsOf) -> Followed {
        Followed {
            sight,
            minors,
            terms,
            games: BTreeMap::new(),
            boards: BTreeMap::new(),
            robbed: BTreeSet::new(),
        }
    }

    /// Whether anything is held back here.
    pub(super) fn is_late(&self) -> bool {
        self.sight == Sight::Public
    }

    /// Boards that are to be taken once more, though they have not changed: their game went to
    /// another one, and boards are exchanged one after the other.
    pub(super) fn robbed(&mut self) -> BTreeSet<String> {
        std::mem::take(&mut self.robbed)
    }

    /// What is seen of a board.
    pub(super) fn seen(&self, board: &BoardState) -> Value {
        seen(board, self.sight, &self.minors)
    }

    /// A board was so at a moment, in milliseconds since 1970.
    pub(super) fn take(&mut self, board: &Arc<BoardState>, at: i64) {
        let key = Key::of(board);
        let id: Arc<str> = board.id.as_str().into();
        let state = self.seen(board);
        for (other, place) in self.boards.iter_mut().filter(|(other, _)| **other != id) {
            let before = place.keys.len();
            place.keys.retain(|known| *known != key);
            if place.keys.len() < before {
                self.robbed.insert(other.as_ref().to_owned());
            }
        }
        let keys = &mut self.boards.entry(id).or_default().keys;
        if keys.last() != Some(&key) {
            keys.retain(|known| *known != key);
            keys.push(key.clone());
        }
        let game = self.games.entry(key).or_insert_with(|| Game {
            later: Later::default(),
            board: board.clone(),
        });
        game.board = board.clone();
        game.later.push(Waiting {
            seen: at,
            ply: board.ply,
            state,
        });
    }

    /// What is shown of boards at a moment, where that is something else than before.
    pub(super) fn look(&mut self, now: i64) -> Vec<(Arc<str>, Value)> {
        let mut changed = Vec::new();
        for (id, place) in &mut self.boards {
            let Some(board) = place.keys.last().and_then(|key| self.games.get(key)) else {
                continue;
            };
            let (board, last) = (board.board.clone(), place.keys.len() - 1);
            let shown = (0..=last).rev().find(|n| {
                let game = self.games.get_mut(&place.keys[*n]);
                game.is_some_and(|game| {
                    let ply = (*n == last).then_some(board.ply);
                    game.later.look(ply, (self.terms)(&game.board), now);
                    game.later.shown().is_some()
                })
            });
            place.keys.drain(..shown.unwrap_or(0));
            let key = shown.map(|_| place.keys[0].clone());
            let later = key
                .as_ref()
                .and_then(|key| Some(&self.games.get(key)?.later));
            let is = key.clone().zip(later.map(Later::count));
            if is == place.shown {
                continue;
            }
            place.shown = is;
            let state = match later.and_then(Later::shown) {
                Some(state) => on(&board, state),
                None => seen(&earlier::bare(&board), self.sight, &self.minors),
            };
            changed.push((id.clone(), state));
        }
        let left = self.boards.values().map(|place| place.keys.len());
        if left.sum::<usize>() < self.games.len() {
            let left = self.boards.values().flat_map(|place| &place.keys);
            let left: BTreeSet<&Key> = left.collect();
            self.games.retain(|key, _| left.contains(key));
        }
        changed
    }
}

/// What was seen of a game, as it is played on this board.
fn on(board: &BoardState, state: &Value) -> Value {
    let mut state = state.clone();
    for (field, is) in [("id", &board.id), ("name", &board.name)] {
        state[field] = is.as_str().into();
    }
    state
}
