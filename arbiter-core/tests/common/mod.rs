//! Hands for tests: they play moves on a board and say what its sensors read.

use arbiter_core::input::{Event, Input, Setup};
use arbiter_core::ruling::{Announcement, Ruling};
use arbiter_core::shakmaty::{Board, CastlingMode, Chess, Color, Move, Position, Square};
use arbiter_core::{Arbiter, SensorClass, Symbol, Time};

/// An event at `at` milliseconds.
pub(crate) fn at(ms: u64, input: Input) -> Event {
    Event {
        at: Time(ms),
        input,
    }
}

/// A press without clock times.
pub(crate) fn press(by: Color) -> Input {
    Input::Press {
        by,
        white_ms: None,
        black_ms: None,
    }
}

/// Everything that is said to `events`, the summary included.
pub(crate) fn rulings(events: &[Event]) -> Vec<Announcement> {
    let mut arbiter = Arbiter::new();
    let mut said = Vec::new();
    for event in events {
        arbiter.handle(event, &mut said);
    }
    arbiter.finish(&mut said);
    said
}

/// The moves of the summary.
pub(crate) fn recorded(said: &[Announcement]) -> Vec<String> {
    let summary = said.iter().find_map(|a| match &a.ruling {
        Ruling::Summary(s) => Some(s.moves.iter().map(|m| m.to_string()).collect()),
        _ => None,
    });
    summary.expect("every game is summed up")
}

/// Tidy hands: every square at its own moment, captured pieces first, a press after each move.
pub(crate) struct Hands {
    pub(crate) class: SensorClass,
    pos: Chess,
    clock: bool,
    pub(crate) now: u64,
    /// The moves played, in UCI.
    pub(crate) played: Vec<String>,
    pub(crate) events: Vec<Event>,
}

impl Hands {
    /// Sits down at a game that begins at 0 in `pos`.
    pub(crate) fn new(setup: Setup, pos: Chess) -> Hands {
        let (class, clock) = (setup.sensor, setup.clock);
        Hands {
            class,
            pos,
            clock,
            now: 0,
            played: Vec::new(),
            events: vec![at(0, Input::Setup(setup.into()))],
        }
    }

    /// Something happens 400 ms after the last.
    pub(crate) fn add(&mut self, input: Input) {
        self.now += 400;
        self.events.push(at(self.now, input));
    }

    /// A piece leaves `square`.
    pub(crate) fn lift(&mut self, square: Square) {
        self.add(Input::Lift { square });
    }

    /// What stands on `square` of `board` is put there.
    pub(crate) fn place(&mut self, square: Square, board: &Board) {
        let seen = self.class.sees(board.piece_at(square));
        assert_ne!(seen, Symbol::Empty);
        self.add(Input::Place { square, seen });
    }

    /// Plays `m` and presses.
    pub(crate) fn play(&mut self, m: Move) {
        let by = self.pos.turn();
        self.played
            .push(m.to_uci(CastlingMode::Standard).to_string());
        let before = self.pos.board().clone();
        self.pos.play_unchecked(m);
        let after = self.pos.board().clone();
        let mut changed: Vec<Square> = Square::ALL
            .into_iter()
            .filter(|&sq| before.piece_at(sq) != after.piece_at(sq))
            .collect();
        // The king before the rook, and victims before the piece that takes them.
        let king = |sq: &Square| before.role_at(*sq) != Some(arbiter_core::shakmaty::Role::King);
        changed.sort_by_key(|sq| (before.color_at(*sq) == Some(by), king(sq)));
        changed
            .iter()
            .filter(|sq| before.piece_at(**sq).is_some())
            .for_each(|sq| self.lift(*sq));
        let king = |sq: &Square| after.role_at(*sq) != Some(arbiter_core::shakmaty::Role::King);
        changed.sort_by_key(king);
        changed
            .iter()
            .filter(|sq| after.piece_at(**sq).is_some())
            .for_each(|sq| self.place(*sq, &after));
        if self.clock {
            self.add(press(by));
        }
    }

    /// The position that stands on the board.
    pub(crate) fn position(&self) -> &Chess {
        &self.pos
    }
}
