//! What a board shows to the clients of this interface.

use std::sync::{Arc, OnceLock};

use arbiter_core::shakmaty::fen::Fen;
use arbiter_core::shakmaty::uci::UciMove;
use arbiter_core::shakmaty::{Chess, Color, EnPassantMode, Position};
use serde::Serialize;

/// How it is with a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum State {
    /// It answers.
    Active,
    /// Nothing of it is shown.
    Inactive,
    /// It does not answer.
    NotResponding,
}

/// A reading of the clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Clock {
    /// White's seconds.
    pub white: u64,
    /// Black's seconds.
    pub black: u64,
    /// White's runs, or Black's; `None`: neither.
    pub run: Option<bool>,
    /// When it was read, in milliseconds since 1970.
    pub time: i64,
}

/// The moves of a game as far as they may be told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The game's name.
    pub game: String,
    /// The position before the first of them, as FEN.
    pub start: String,
    /// Whether castling follows Chess960.
    pub chess960: bool,
    /// Each move in algebraic notation and as `e2e4`.
    pub moves: Vec<(String, String)>,
    /// The game has ended.
    pub is_over: bool,
    /// Behind them the record goes on with what is no legal move.
    pub is_stuck: bool,
    /// The positions, once somebody has asked for them.
    pub(super) known: Known,
}

/// The positions before the first move of a line and after each: played through once, whoever asks.
/// They follow from the rest of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Known(OnceLock<Vec<Place>>);

impl PartialEq for Known {
    fn eq(&self, _: &Known) -> bool {
        true
    }
}

impl Eq for Known {}

/// A board.
#[derive(Clone, PartialEq, Debug)]
pub struct Seen {
    /// Its id in the configuration.
    pub id: String,
    /// Its serial number, once it has told it, else its id.
    pub serial: String,
    /// Whether it has told its serial number.
    pub is_known: bool,
    /// The name people use.
    pub name: String,
    /// How it is; `None` before it has answered for the first time.
    pub state: Option<State>,
    /// What stands on it, as the first field of a FEN.
    pub board: Option<String>,
    /// Its clock.
    pub clock: Option<Clock>,
    /// Its game.
    pub line: Option<Arc<Line>>,
}

/// A position as far as setting up compares it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Place {
    /// The first field of its FEN.
    pub(super) board: String,
    /// Who has the move.
    pub(super) white: bool,
    /// The letters of castling, in order.
    pub(super) castling: String,
}

impl Place {
    /// Reads what a client has written. Castling may be in any order, and everything behind the
    /// pieces may be left out.
    pub(super) fn read(fen: &str) -> Option<Place> {
        let mut fields = fen.split_ascii_whitespace();
        let board = Fen::from_ascii(fields.next()?.as_bytes()).ok()?;
        let white = match fields.next() {
            None | Some("w") => true,
            Some("b") => false,
            Some(_) => return None,
        };
        let mut castling: Vec<char> = fields.next().unwrap_or("-").chars().collect();
        castling.sort_unstable();
        Some(Place {
            board: board.as_setup().board.to_string(),
            white,
            castling: castling.into_iter().collect(),
        })
    }

    fn of(position: &Chess) -> Place {
        let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
        Place::read(&fen).unwrap_or(Place {
            board: position.board().to_string(),
            white: position.turn() == Color::White,
            castling: String::new(),
        })
    }
}

impl Line {
    /// The positions before the first move and after each; they end where the moves are none.
    pub(super) fn places(&self) -> &[Place] {
        self.known.0.get_or_init(|| self.played())
    }

    fn played(&self) -> Vec<Place> {
        let Some(mut position) = self.position() else {
            return Vec::new();
        };
        let mut places = vec![Place::of(&position)];
        for (_, uci) in &self.moves {
            let played = uci.parse::<UciMove>().ok();
            let Some(played) = played.and_then(|uci| uci.to_move(&position).ok()) else {
                break;
            };
            position.play_unchecked(played);
            places.push(Place::of(&position));
        }
        places
    }

    fn position(&self) -> Option<Chess> {
        crate::pgn::position(&self.start, self.chess960)
    }
}

/// The same pieces on a board that is turned round.
pub(super) fn turned(board: &str) -> String {
    board.chars().rev().collect()
}
