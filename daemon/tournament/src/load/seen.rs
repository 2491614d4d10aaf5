//! Who and what is in a file twice, and names that nobody can have.

use std::collections::HashMap;

use super::{Unreadable, What};
use crate::model::Player;
use crate::what;

/// More pairings of one round nobody has: the largest opens have a tenth of it.
const MOST_GAMES: usize = 10_000;

/// The longest name, in characters: PGN's longest.
const LONGEST_NAME: usize = 255;

/// The tables and players of the round, each with the line that first has it; a player with the
/// pairing as well.
#[derive(Default)]
pub(super) struct Seen {
    tables: HashMap<u16, usize>,
    players: HashMap<String, (usize, usize)>,
    games: usize,
}

impl Seen {
    /// Counts a game. `false`: there are more than anybody has, and no more are read.
    pub(super) fn game(&mut self, line: usize, wrong: &mut Unreadable) -> bool {
        self.games += 1;
        if self.games == MOST_GAMES + 1 {
            let what = what!(
                "many-games",
                "more than {most} pairings in one round",
                most = MOST_GAMES
            );
            wrong.add(line, 1, what);
        }
        self.games <= MOST_GAMES
    }

    pub(super) fn table(&mut self, table: u16, at: (usize, usize), wrong: &mut Unreadable) {
        if let Some(line) = self.tables.insert(table, at.0) {
            let what = what!(
                "table-twice",
                "table {table} is there twice: in line {other} as well",
                table = table,
                other = line
            );
            wrong.add(at.0, at.1, what);
        }
    }

    /// A player sits at one table. Who he is, his number says, else FIDE's, else his name.
    pub(super) fn player(&mut self, player: &Player, at: (usize, usize), wrong: &mut Unreadable) {
        if let Some(what) = wrong_with(&player.name) {
            wrong.add(at.0, at.1, what);
        }
        let key = match (player.number, player.fide_id, &player.name) {
            (0, None, name) => format!("name {name}"),
            (0, Some(id), _) => format!("id {id}"),
            (number, _, _) => format!("number {number}"),
        };
        if let Some((line, game)) = self.players.insert(key, (at.0, self.games)) {
            let other = Some(line).filter(|_| game != self.games);
            wrong.add(at.0, at.1, twice(player, other));
        }
    }
}

/// What is told of somebody who is paired in another line as well, or with himself.
fn twice(player: &Player, before: Option<usize>) -> What {
    let name = &player.name;
    match (player.number, player.fide_id, before) {
        (0, None, None) => what!(
            "name-himself",
            "`{name}` is paired with himself",
            name = name
        ),
        (0, None, Some(before)) => what!(
            "name-twice",
            "`{name}` is paired twice: in line {other} as well",
            name = name,
            other = before
        ),
        (0, Some(id), None) => what!(
            "fide-himself",
            "`{name}`, FIDE number {id}, is paired with himself",
            name = name,
            id = id
        ),
        (0, Some(id), Some(before)) => what!(
            "fide-twice",
            "`{name}`, FIDE number {id}, is paired twice: in line {other} as well",
            name = name,
            id = id,
            other = before
        ),
        (number, _, None) => what!(
            "himself",
            "number {number} is paired with himself",
            number = number
        ),
        (number, _, Some(before)) => what!(
            "paired-twice",
            "number {number} is paired twice: in line {other} as well",
            number = number,
            other = before
        ),
    }
}

/// What is wrong with a name. Names are written to files of one line a player, and shown on one.
pub(super) fn wrong_with(name: &str) -> Option<What> {
    if let Some(c) = name.chars().find(|c| c.is_control()) {
        return Some(what!(
            "name-control",
            "a name has the control character {code}",
            code = super::text::code(c)
        ));
    }
    if !name.is_empty() && !name.contains(char::is_alphanumeric) {
        return Some(what!("no-name", "`{found}` is no name", found = name));
    }
    let length = name.chars().count();
    let long = || {
        what!(
            "long-name",
            "a name of {length} characters; {most} are the most",
            length = length,
            most = LONGEST_NAME
        )
    };
    (length > LONGEST_NAME).then(long)
}
