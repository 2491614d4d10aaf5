//! What is pushed of a round: every game of it by table, those too of which no move is public yet,
//! so that each has its place from the beginning.

use sha2::{Digest, Sha256};

use super::rules;
use crate::public::{Gate, Shown, pgn};

/// Games in one request: the number that every version of the interface takes.
const GAMES: u16 = 64;

/// The games of one request. It has the same tables at all times.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Sheet {
    /// Which of the round's requests, from 0.
    pub(super) number: u16,
    pub(super) games: Vec<Game>,
    /// What stands for its body.
    pub(super) sum: Sum,
}

/// What stands for a body.
pub(super) type Sum = [u8; 32];

/// A game as it is pushed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Game {
    pub(super) table: u16,
    pub(super) white: String,
    pub(super) black: String,
    pub(super) pgn: String,
}

impl Sheet {
    /// The body of the request.
    pub(super) fn text(&self) -> String {
        let games: Vec<&str> = self.games.iter().map(|game| game.pgn.as_str()).collect();
        games.join("\n")
    }
}

/// What is to be pushed of a round; nothing where none of it is public.
pub(super) fn sheets(gate: &Gate, of: &rules::Round) -> Vec<Sheet> {
    let programme = gate.programme_of(of.event).unwrap_or_default();
    let Some(round) = programme.rounds.iter().find(|r| r.number == of.round) else {
        return Vec::new();
    };
    let mut sheets: Vec<Sheet> = Vec::new();
    for seats in &round.tables {
        let shown = seats.game.as_deref().and_then(|game| gate.game(game));
        let game = match &shown {
            Some(shown) => game(seats.table, shown),
            None => game(seats.table, &programme.unplayed(round, seats)),
        };
        let number = seats.table.saturating_sub(1) / GAMES;
        match sheets.last_mut().filter(|sheet| sheet.number == number) {
            Some(sheet) => sheet.games.push(game),
            None => sheets.push(Sheet {
                number,
                games: vec![game],
                sum: Sum::default(),
            }),
        }
    }
    for sheet in &mut sheets {
        sheet.sum = Sha256::digest(sheet.text().as_bytes()).into();
    }
    sheets
}

fn game(table: u16, shown: &Shown) -> Game {
    Game {
        table,
        white: shown.white.name.clone(),
        black: shown.black.name.clone(),
        pgn: pgn::render(shown),
    }
}
