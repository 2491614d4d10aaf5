//! The games of boards on their way to those who do not see everything. A game is shown where it is
//! played: it goes with its table to another board.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use access::Sight;
use serde_json::{Value, json};

use super::later::{Later, Terms, Waiting};
use super::{CalledOf, TermsOf, earlier, seen};
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
        match board.game().filter(|game| !game.is_empty()) {
            Some(game) => Key::Game(game.to_owned()),
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
    /// How often somebody had been erased by then.
    erasures: u64,
    /// The result with which it is shown; `None`: that of the board.
    result: Option<&'static str>,
}

impl Game {
    /// Shows what is due; whether anything is shown. A result is as late as moves are, whenever it
    /// was said: it is no moment of the board.
    fn look(&mut self, ply: Option<usize>, terms: Terms, now: i64) -> bool {
        self.later.look(ply, terms, now);
        let shown = self.later.shown();
        if !terms.stopped {
            let own = shown.and_then(|shown| shown["result"]["result"].as_str());
            self.result = terms.counts.shown(own, terms.late, now);
        }
        shown.is_some()
    }

    /// Shows what was shown before its publication was stopped.
    fn look_back(&mut self, terms: Terms) {
        let Some(before) = terms.before.filter(|_| terms.stopped) else {
            return;
        };
        self.later.look_back(before);
        let own = self.later.shown();
        let own = own.and_then(|shown| shown["result"]["result"].as_str());
        let counts = terms.counts;
        self.result = counts.shown_until(own, before.late, before.until);
    }

    /// What is shown of it, on this board, of players who are called so.
    fn shown(&self, board: &BoardState, called: &[String; 2]) -> Option<Value> {
        let mut state = on(board, self.later.shown()?);
        for (side, name) in ["white", "black"].into_iter().zip(called) {
            state[side] = name.as_str().into();
        }
        if let Some(result) = self.result {
            state["result"] = match result {
                "*" => Value::Null,
                result => json!({ "result": result }),
            };
        }
        Some(state)
    }
}

/// What is shown at a board.
#[derive(Debug, Default)]
struct Place {
    /// What stands there, and before it what is shown until something of that is.
    keys: Vec<Key>,
    shown: Option<OfGame>,
}

/// What is shown of a game: how often that was shown otherwise, with which result, and of whom.
#[derive(PartialEq, Debug)]
struct OfGame {
    key: Key,
    count: u64,
    result: Option<&'static str>,
    called: [String; 2],
}

/// All boards.
pub(super) struct Followed {
    sight: Sight,
    minors: Minors,
    terms: TermsOf,
    called: CalledOf,
    games: BTreeMap<Key, Game>,
    boards: BTreeMap<Arc<str>, Place>,
    /// Boards whose game is on another one: what stands there is to be looked at once more.
    robbed: BTreeSet<String>,
}

impl Followed {
    pub(super) fn new(
        (sight, minors): (Sight, Minors),
        (terms, called): (TermsOf, CalledOf),
    ) -> Followed {
        Followed {
            sight,
            minors,
            terms,
            called,
            games: BTreeMap::new(),
            boards: BTreeMap::new(),
            robbed: BTreeSet::new(),
        }
    }

    /// Whether anything of a board is held back here.
    pub(super) fn is_late(&self, board: &BoardState) -> bool {
        let terms = (self.terms)(board);
        terms.late > 0 || terms.plies > 0 || terms.stopped
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
            erasures: 0,
            result: None,
        });
        game.board = board.clone();
        game.erasures = (self.called)(None).1;
        game.later.push(Waiting {
            seen: at,
            ply: board.ply,
            state,
        });
    }

    /// What had been public of a board that is stopped is shown, before anything else of it is.
    pub(super) fn look_back(&mut self, board: &str) {
        for key in self.boards.get(board).into_iter().flat_map(|b| &b.keys) {
            if let Some(game) = self.games.get_mut(key) {
                game.look_back((self.terms)(&game.board));
            }
        }
    }

    /// What is shown of boards at a moment, where that is something else than before.
    pub(super) fn look(&mut self, now: i64) -> Vec<(Arc<str>, Value)> {
        let mut changed = Vec::new();
        let minors = (self.sight == Sight::Public).then_some(&self.minors);
        for (id, place) in &mut self.boards {
            let Some(board) = place.keys.last().and_then(|key| self.games.get(key)) else {
                continue;
            };
            let (board, last) = (board.board.clone(), place.keys.len() - 1);
            let shown = (0..=last).rev().find(|n| {
                let game = self.games.get_mut(&place.keys[*n]);
                game.is_some_and(|game| {
                    let ply = (*n == last).then_some(board.ply);
                    game.look(ply, (self.terms)(&game.board), now)
                })
            });
            place.keys.drain(..shown.unwrap_or(0));
            let key = shown.map(|_| place.keys[0].clone());
            let game = key.as_ref().and_then(|key| self.games.get(key));
            let is = key.clone().zip(game).map(|(key, game)| OfGame {
                key,
                count: game.later.count(),
                result: game.result,
                called: called((game, shown == Some(last)), &self.called, minors),
            });
            if is == place.shown {
                continue;
            }
            let called = is.as_ref().map(|is| &is.called);
            let state = game
                .zip(called)
                .and_then(|(game, called)| game.shown(&board, called));
            place.shown = is;
            let bare = || seen(&earlier::bare(&board), self.sight, &self.minors);
            changed.push((id.clone(), state.unwrap_or_else(bare)));
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

/// Who plays a game, as those are told who do not see everything. Of one that is of no event, and
/// on its board no more, nobody knows whether a name was taken away since.
fn called(
    (game, is_last): (&Game, bool),
    called: &CalledOf,
    minors: Option<&Minors>,
) -> [String; 2] {
    let (called, erasures) = called(game.board.game());
    let is_sure = is_last || game.erasures == erasures;
    let own = || [&game.board.white, &game.board.black].map(String::clone);
    let called = called.or_else(|| is_sure.then(own)).unwrap_or_default();
    called.map(|name| {
        let short = minors.and_then(|minors| minors.short(&name));
        short.unwrap_or(name)
    })
}

/// What was seen of a game, as it is played on this board.
fn on(board: &BoardState, state: &Value) -> Value {
    let mut state = state.clone();
    for (field, is) in [("id", &board.id), ("name", &board.name)] {
        state[field] = is.as_str().into();
    }
    state
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_never_late() {
        let late = |_: &BoardState| Terms {
            late: 40_000,
            ..Terms::default()
        };
        let ways: (TermsOf, CalledOf) = (Arc::new(late), Arc::new(|_| (None, 0)));
        let mut followed = Followed::new((Sight::Public, Minors::default()), ways);
        let board = |white: &str| BoardState {
            white: white.to_owned(),
            ..BoardState::new("b01", None)
        };
        followed.take(&Arc::new(board("Berg, Anna")), 0);
        // She is erased before she was shown.
        followed.take(&Arc::new(board("Player 2")), 10_000);
        let shown = followed.look(40_000);
        assert_eq!(shown[0].1["white"], "Player 2");
    }
}
