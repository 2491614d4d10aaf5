//! Which boards came to tables at which games were played: these games were stopped, and reports
//! say so.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use tournament::{Act, Tournament};

/// A table at which a game went on was given another board, or left without one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct BoardMove {
    /// The round of the game.
    pub round: u16,
    /// The table.
    pub table: u16,
    /// The game.
    pub game: String,
    /// The board from then on; `null` where there is none.
    pub board: Option<String>,
    /// The board before; `null` where there was none.
    pub instead: Option<String>,
    /// The table with which it was exchanged, where both gave theirs for the other's.
    pub with: Option<u16>,
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// Who; empty where nobody gave his name.
    pub by: String,
}

/// What was done to boards in all events, in its order.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Moves {
    /// By the number of the event.
    made: BTreeMap<usize, Vec<BoardMove>>,
    /// The boards that stand by themselves, until somebody says where.
    alone: BTreeMap<u16, String>,
    /// What the act before has given to another table: one half of an exchange.
    half: Option<Half>,
}

/// A board that was taken from a table that had another.
#[derive(Clone, PartialEq, Debug)]
struct Half {
    /// The table that has it now, and the one that had it.
    to: u16,
    from: u16,
    board: String,
    instead: String,
    is_told: bool,
}

impl Moves {
    pub(super) fn of(&self, event: usize) -> &[BoardMove] {
        self.made.get(&event).map_or(&[], Vec::as_slice)
    }

    /// An act is done next to the event of this number; `standing`: where boards stand as long as
    /// nobody has said it.
    pub(super) fn note(
        &mut self,
        (number, event): (usize, &Tournament),
        standing: impl Iterator<Item = (u16, String)>,
        (who, at): (&str, i64),
        act: &Act,
    ) {
        let half = self.half.take();
        let (table, board) = match act {
            Act::Bind { table, board } => (*table, Some(board.trim())),
            Act::Unbind { table } => (*table, None),
            Act::Undraw { round } => {
                let made = self.made.entry(number).or_default();
                return made.retain(|one| one.round != *round);
            }
            _ => return,
        };
        if !event.bound {
            self.alone = standing.collect();
        }
        let from = board.and_then(|board| {
            let alone = || self.alone.iter().find(|(_, id)| *id == board);
            event.table_of(board).or_else(|| Some(*alone()?.0))
        });
        let instead = event.boards.get(&table).or_else(|| self.alone.get(&table));
        let other = half.filter(|half| half.from == table && board == Some(&half.instead));
        let instead = match &other {
            Some(half) => Some(half.board.clone()),
            None => instead.cloned(),
        };
        self.alone
            .retain(|at, id| *at != table && board != Some(&**id));
        if instead.as_deref() == board {
            return;
        }
        let made = self.made.entry(number).or_default();
        if other.as_ref().is_some_and(|half| half.is_told)
            && let Some(first) = made.last_mut()
        {
            first.with = Some(table);
        }
        let open = event.open_at(table);
        let game = open.and_then(|(round, pairing)| Some((round, pairing.game.clone()?)));
        let is_told = game.is_some();
        if let (None, Some(from), Some(board), Some(instead)) = (&other, from, board, &instead) {
            self.half = Some(Half {
                to: table,
                from,
                board: board.to_owned(),
                instead: instead.clone(),
                is_told,
            });
        }
        made.extend(game.map(|(round, game)| BoardMove {
            round,
            table,
            game,
            board: board.map(str::to_owned),
            instead,
            with: other.map(|half| half.to),
            at,
            by: who.to_owned(),
        }));
    }
}
