//! What the boards show, made of what the public is shown and, where nothing is held back, of what
//! the sensors read.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use arbiter_core::Symbol;
use arbiter_core::shakmaty::Board;
use arbiter_core::shakmaty::Square;
use arbiter_core::shakmaty::fen::Fen;
use arbiter_core::view::Phase;

use super::rules::Hold;
use super::seen::{Clock, Known, Line, Seen, State};
use crate::hall::{BoardState, Hall, View};
use crate::office::Office;
use crate::public::{Clocks, Delay, Gate, Rules, Shown, Spot};

/// Games of a board that are remembered: the public may still be shown the one before.
const GAMES: usize = 4;

/// Where what is told comes from. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Sight {
    /// The boards.
    pub hall: Hall,
    /// The event.
    pub office: Office,
    /// What the public is shown.
    pub gate: Gate,
    /// What waits besides.
    pub hold: Hold,
    /// The public sees whatever it sees later than it happens.
    pub is_late: bool,
    /// What the numbers of tournaments and games are made of: nothing that people can describe
    /// anew.
    pub origin: String,
    /// How late it sees what else.
    rules: Rules,
    games: Arc<Mutex<HashMap<String, Vec<String>>>>,
    /// What was last told of each board: it is played through again only when it has changed.
    told: Arc<Mutex<HashMap<String, Told>>>,
}

/// The public moves of a game, as they are told.
#[derive(Clone, Debug)]
struct Told {
    shown: Arc<Shown>,
    hold: Hold,
    line: Arc<Line>,
    /// What stands on the board after them.
    board: Option<String>,
}

impl Sight {
    /// What these show to the public by these rules.
    pub fn new(hall: Hall, office: Office, gate: Gate, rules: Rules) -> Sight {
        let origin = office.store().first_name();
        let origin = origin.unwrap_or_else(|error| {
            tracing::error!(%error, "the store's name could not be read");
            String::new()
        });
        Sight {
            origin,
            hall,
            office,
            gate,
            hold: Hold::default(),
            is_late: false,
            rules,
            games: Arc::default(),
            told: Arc::default(),
        }
    }

    /// Every board, in the order of the configuration.
    pub fn boards(&self) -> Vec<Seen> {
        let boards = self.hall.boards();
        boards.iter().map(|board| self.seen(board)).collect()
    }

    fn seen(&self, board: &BoardState) -> Seen {
        let shown = self.shown(board);
        let is_late = self.is_late(board, shown.as_deref());
        // Only a game that the public sees as it happens may show its sensors.
        let book = self.office.book();
        let spot = self.gate.spot_of(&book, board);
        let is_stopped = shown.as_ref().is_some_and(|shown| shown.stopped);
        let is_now = !is_late && !is_stopped && spot.is_public();
        let view = board.view().filter(|_| is_now);
        // The next game has begun, and nothing of it is public: the one before is over here.
        let is_next = |view: &View| shown.as_ref().is_some_and(|s| s.game != view.game);
        let shown = shown.clone().filter(|_| !view.is_some_and(is_next));
        let now = view.zip(shown.as_ref()).filter(|_| self.hold == Hold::None);
        let (line, of_line) = match (now, &shown) {
            (Some((view, shown)), _) => (Some(Arc::new(recorded(view, shown))), None),
            (None, Some(shown)) => {
                let told = self.told(&board.id, shown);
                (Some(told.line), told.board)
            }
            (None, None) => (None, None),
        };
        // What is held back of the record is not to be seen on the board.
        let told = line.as_ref().map(|line| line.moves.len());
        let is_told = |view: &&View| {
            self.hold == Hold::None || told.is_none_or(|told| told >= view.plies.len())
        };
        let stands = view.filter(is_told);
        Seen {
            id: board.id.clone(),
            serial: board.serial.clone().unwrap_or_else(|| board.id.clone()),
            is_known: board.serial.is_some(),
            name: board.name.clone(),
            state: state(board, is_late, shown.is_some()),
            board: stands.and_then(placement).or(of_line),
            clock: shown.as_ref().and_then(|shown| clock(&shown.clocks)),
            line,
        }
    }

    /// Whether the public sees the game at hand of a board later than it happens, or the one that
    /// it is shown of it; where none is shown, it may see the next one so.
    fn is_late(&self, board: &BoardState, shown: Option<&Shown>) -> bool {
        let book = self.office.book();
        let is_held = |spot: Spot<'_>| spot.delay(&self.rules) != Delay::default();
        let at = (board.id.as_str(), board.round.as_str());
        let of_place = match shown {
            Some(shown) => {
                is_held(self.gate.spot(&book, &shown.game, at))
                    || is_held(self.gate.spot_of(&book, board))
            }
            None => {
                let spot = self.gate.spot_of(&book, board);
                match spot.round.zip(spot.table) {
                    Some(_) => is_held(spot),
                    None => self.rules.is_late() || !book.event.publication.delays.is_empty(),
                }
            }
        };
        self.is_late || of_place
    }

    /// The last game of a board of which something is public.
    fn shown(&self, board: &BoardState) -> Option<Arc<Shown>> {
        let games = self.games.lock();
        let mut games = games.unwrap_or_else(PoisonError::into_inner);
        let played = games.entry(board.id.clone()).or_default();
        if let Some(view) = board.view().filter(|view| !view.game.is_empty())
            && played.last() != Some(&view.game)
        {
            played.push(view.game.clone());
            let excess = played.len().saturating_sub(GAMES);
            played.drain(..excess);
        }
        played.iter().rev().find_map(|game| self.gate.game(game))
    }

    /// The public moves of the game on a board.
    fn told(&self, board: &str, shown: &Arc<Shown>) -> Told {
        let known = self.told.lock();
        let mut known = known.unwrap_or_else(PoisonError::into_inner);
        let is_it = |told: &&Told| Arc::ptr_eq(&told.shown, shown) && told.hold == self.hold;
        if let Some(told) = known.get(board).filter(is_it) {
            return told.clone();
        }
        let line = public(shown, self.hold);
        let told = Told {
            board: line.places().last().map(|place| place.board.clone()),
            line: Arc::new(line),
            shown: shown.clone(),
            hold: self.hold,
        };
        known.insert(board.to_owned(), told.clone());
        told
    }
}

/// How many of the public moves are told: none that is in doubt by now, and not the last where that
/// is to be completed first. Who was told a move cannot be told another one.
pub(super) fn count(shown: &Shown, hold: Hold) -> usize {
    match hold {
        Hold::None => shown.plies.len(),
        Hold::Doubt => shown.sure,
        Hold::Completed => shown.sure.min(listed(shown, hold)),
    }
}

/// How many of the public moves are listed for those who ask for all of them each time: those too
/// that are in doubt by now, so that what was listed stays.
pub(super) fn listed(shown: &Shown, hold: Hold) -> usize {
    let all = shown.plies.len();
    let is_completed = shown.over || shown.clocks.running == Some(shown.turn());
    match hold {
        Hold::Completed if !is_completed => all.saturating_sub(1).max(shown.completed.min(all)),
        Hold::None | Hold::Doubt | Hold::Completed => all,
    }
}

/// The public moves, as far as they are told.
fn public(shown: &Shown, hold: Hold) -> Line {
    let moves = shown.plies.iter().take(count(shown, hold));
    Line {
        game: shown.game.clone(),
        start: shown.start_fen.clone(),
        chess960: shown.chess960,
        moves: moves
            .map(|ply| (ply.san.clone(), ply.uci.clone()))
            .collect(),
        is_over: shown.over,
        is_stuck: shown.with_arbiter,
        known: Known::default(),
    }
}

/// How a board is. Of those that the public sees later it is not told.
fn state(board: &BoardState, is_late: bool, is_shown: bool) -> Option<State> {
    match (is_late, board.connected) {
        (true, _) if is_shown => Some(State::Active),
        (true, _) => Some(State::Inactive),
        (false, true) => Some(State::Active),
        (false, false) => board.serial.as_ref().map(|_| State::NotResponding),
    }
}

/// Everything of the record that is legal: no client knows how to read anything else.
fn recorded(view: &View, shown: &Shown) -> Line {
    let (legal, is_stuck) = crate::pgn::legal(shown.chess960, view, None);
    let moves = legal.into_iter().map(|ply| (ply.san, ply.uci));
    Line {
        game: view.game.clone(),
        start: view.start_fen.clone(),
        chess960: shown.chess960,
        moves: moves.collect(),
        is_over: view.state == Phase::Ended,
        is_stuck,
        known: Known::default(),
    }
}

/// What stands on a board by its sensors. Those that do not know pieces know of each square whether
/// the piece of the record is still there.
fn placement(view: &View) -> Option<String> {
    let record = Fen::from_ascii(view.fen.as_bytes()).ok()?;
    let record = &record.as_setup().board;
    let mut board = Board::empty();
    for square in Square::ALL {
        let piece = record.piece_at(square);
        let stands = match view.reading.at(square) {
            Symbol::Empty => None,
            Symbol::Piece(piece) => Some(piece),
            Symbol::Colour(colour) => piece.filter(|piece| piece.color == colour),
            Symbol::Something => piece,
        };
        if let Some(piece) = stands {
            board.set_piece_at(square, piece);
        }
    }
    Some(board.to_string())
}

/// The clocks, where both are known.
pub(super) fn clock(clocks: &Clocks) -> Option<Clock> {
    Some(Clock {
        white: clocks.white_ms? / 1000,
        black: clocks.black_ms? / 1000,
        run: clocks.running.map(|side| side == 'w'),
        time: clocks.at,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A capture was public, then another pawn might have made it, and the clock was pressed.
    #[test]
    fn what_is_in_doubt_by_now_is_told_to_nobody_though_its_move_is_completed() {
        let ply = |san: &str| crate::public::Ply {
            san: san.to_owned(),
            uci: san.to_owned(),
            clock_ms: None,
            used_ms: None,
        };
        let mut shown = Shown {
            plies: ["b5", "cxb5"].map(ply).into(),
            sure: 2,
            ..Shown::empty()
        };
        shown.clocks.running = Some('w');
        let told = |shown: &Shown, hold| public(shown, hold).moves.len();
        assert_eq!(
            [Hold::Doubt, Hold::Completed].map(|hold| told(&shown, hold)),
            [2, 2]
        );
        shown.sure = 1;
        assert_eq!(
            [Hold::Doubt, Hold::Completed].map(|hold| told(&shown, hold)),
            [1, 1]
        );
        shown.clocks.running = Some('b');
        shown.sure = 2;
        assert_eq!(
            [Hold::Doubt, Hold::Completed].map(|hold| told(&shown, hold)),
            [2, 1]
        );
    }
}
