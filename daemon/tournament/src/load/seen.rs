//! Who and what is in a file twice, and names that nobody can have.

use std::collections::HashMap;

use super::Unreadable;
use crate::model::Player;

/// More pairings of one round nobody has: the largest opens have a tenth of it.
const MOST_GAMES: usize = 10_000;

/// The longest name, in characters: PGN's longest.
const LONGEST_NAME: usize = 255;

/// The tables and players of the round, each with the line that first has it.
#[derive(Default)]
pub(super) struct Seen {
    tables: HashMap<u16, usize>,
    players: HashMap<String, usize>,
    games: usize,
}

impl Seen {
    /// Counts a game. `false`: there are more than anybody has, and no more are read.
    pub(super) fn game(&mut self, line: usize, wrong: &mut Unreadable) -> bool {
        self.games += 1;
        if self.games == MOST_GAMES + 1 {
            wrong.add(
                line,
                1,
                format!("more than {MOST_GAMES} pairings in one round"),
            );
        }
        self.games <= MOST_GAMES
    }

    pub(super) fn table(&mut self, table: u16, at: (usize, usize), wrong: &mut Unreadable) {
        if let Some(line) = self.tables.insert(table, at.0) {
            let text = format!("table {table} is there twice: in line {line} as well");
            wrong.add(at.0, at.1, text);
        }
    }

    /// A player sits at one table. Who he is, his number says, else FIDE's, else his name.
    pub(super) fn player(&mut self, player: &Player, at: (usize, usize), wrong: &mut Unreadable) {
        if let Some(text) = wrong_with(&player.name) {
            wrong.add(at.0, at.1, text);
        }
        let (key, who) = match (player.number, player.fide_id, &player.name) {
            (0, None, name) => (format!("name {name}"), format!("`{name}`")),
            (0, Some(id), name) => (format!("id {id}"), format!("`{name}`, FIDE number {id},")),
            (number, _, _) => (format!("number {number}"), format!("number {number}")),
        };
        if let Some(line) = self.players.insert(key, at.0) {
            let text = if line == at.0 {
                format!("{who} is paired with himself")
            } else {
                format!("{who} is paired twice: in line {line} as well")
            };
            wrong.add(at.0, at.1, text);
        }
    }
}

/// What is wrong with a name. Names are written to files of one line a player, and shown on one.
pub(super) fn wrong_with(name: &str) -> Option<String> {
    if let Some(c) = name.chars().find(|c| c.is_control()) {
        return Some(format!(
            "a name has the control character U+{:04X}",
            u32::from(c)
        ));
    }
    if !name.is_empty() && !name.contains(char::is_alphanumeric) {
        return Some(format!("`{name}` is no name"));
    }
    let length = name.chars().count();
    let long = || format!("a name of {length} characters; {LONGEST_NAME} are the most");
    (length > LONGEST_NAME).then(long)
}
