//! A game of the journal told again, with all that can have been said and shown of it.

use std::collections::HashSet;

use arbiter_core::{Announcement, Arbiter, Event, Input};
use serde_json::Value;

/// A game, told again event by event.
#[derive(Default)]
pub(crate) struct Replay {
    pub(crate) board: String,
    pub(crate) events: Vec<Event>,
    arbiter: Arbiter,
    /// Every ruling, as the live feed writes it.
    pub(crate) said: HashSet<String>,
    /// Every state the board can have been shown in.
    pub(crate) shown: HashSet<String>,
    pub(crate) plies: usize,
}

impl Replay {
    /// The next game on its board begins: what is said of this one then.
    pub(crate) fn give_way(&mut self, setup: &Event) {
        let mut said = Vec::new();
        self.arbiter.clone().handle(setup, &mut said);
        self.keep(&said);
    }

    fn keep(&mut self, said: &[Announcement]) {
        let as_json = |said| serde_json::to_value(said).expect("JSON").to_string();
        self.said.extend(said.iter().map(as_json));
    }

    pub(crate) fn tell(&mut self, event: Event) {
        let mut said = Vec::new();
        self.arbiter.handle(&event, &mut said);
        self.keep(&said);
        self.plies = self.arbiter.view().map_or(0, |view| view.plies.len());
        self.shown.extend(shown(&self.arbiter));
        self.events.push(event);
        // Time that passes and moves nobody to speech is not in the journal, and may show all the
        // same.
        let mut later = self.arbiter.clone();
        while let Some(wake) = later.next_wake() {
            let mut said = Vec::new();
            later.handle(
                &Event {
                    at: wake + 1,
                    input: Input::Tick,
                },
                &mut said,
            );
            if !said.is_empty() || later.next_wake() == Some(wake) {
                return;
            }
            self.shown.extend(shown(&later));
        }
    }
}

/// How the board is shown now.
fn shown(arbiter: &Arbiter) -> Option<String> {
    let view = arbiter.view()?;
    let moves: Vec<String> = view.plies.iter().map(|ply| ply.uci.to_string()).collect();
    Some(state(
        &view.game,
        &view.fen,
        &view.reading.to_string(),
        &moves.join(" "),
    ))
}

/// What is compared of a board's state.
fn state(game: &str, fen: &str, reading: &str, moves: &str) -> String {
    format!("{game} | {fen} | {reading} | {moves}")
}

/// The same of a state as it was heard; `None` when no game stands on the board.
pub(crate) fn heard_state(board: &Value) -> Option<String> {
    let text = |key: &str| board[key].as_str();
    let moves: Option<Vec<&str>> = board["moves"]
        .as_array()?
        .iter()
        .map(Value::as_str)
        .collect();
    let game = text("game").filter(|game| !game.is_empty())?;
    Some(state(
        game,
        text("fen")?,
        text("reading")?,
        &moves?.join(" "),
    ))
}
