//! Who can still mate: what the arbiter asks, answered by search.
//!
//! The search is exact where it ends, and it ends by counting positions, never by the clock: the
//! same question has the same answer on every machine. A mate that it finds is played through
//! before it is believed.
//!
//! Whoever reads events from a file, or has one board, uses a [`Follower`], which answers at once,
//! unless the answers are among the events.

use std::panic::{AssertUnwindSafe, catch_unwind};

use arbiter_core::input::Answers;
use arbiter_core::shakmaty::fen::Fen;
use arbiter_core::shakmaty::{CastlingMode, Chess, Color, Move, Position, PositionError};
use arbiter_core::{Arbiter, Event, Input, Mating, Question, Sink};
use helpmate::Winnability;

/// Questions that one event may bring about, one after the other: a quick look, then a thorough
/// one.
const IN_A_ROW: usize = 4;

/// Searches for the answer. `None` when the question is none that an arbiter asks.
pub fn solve(question: &Question) -> Option<Input> {
    let (white, black) = match read(question.fen.parse().ok()?) {
        None => (Mating::Unknown, Mating::Unknown),
        Some(pos) if question.thorough => {
            (thorough(&pos, Color::White), thorough(&pos, Color::Black))
        }
        Some(pos) => glance(&pos),
    };
    question.answer(white, black)
}

/// A position to play on from, by the rules of castling of Chess960, of which the orthodox ones are
/// a case. `None` where the Laws know no play at all: pawns on the last ranks, the side that has
/// moved in check.
fn read(fen: Fen) -> Option<Chess> {
    let read = fen.into_position::<Chess>(CastlingMode::Chess960);
    let read = read.or_else(PositionError::ignore_invalid_ep_square);
    let read = read.or_else(PositionError::ignore_impossible_check);
    read.or_else(PositionError::ignore_too_much_material).ok()
}

/// Looks for a dead position: what is not proven quickly stays unknown.
fn glance(pos: &Chess) -> (Mating, Mating) {
    match (quick(pos, Color::White), quick(pos, Color::Black)) {
        (Mating::Cannot, Mating::Unknown) => (Mating::Cannot, thorough(pos, Color::Black)),
        (Mating::Unknown, Mating::Cannot) => (thorough(pos, Color::White), Mating::Cannot),
        both => both,
    }
}

fn quick(pos: &Chess, winner: Color) -> Mating {
    answer(pos, winner, helpmate::glance)
}

fn thorough(pos: &Chess, winner: Color) -> Mating {
    answer(pos, winner, helpmate::solve)
}

fn answer(pos: &Chess, winner: Color, search: fn(&Chess, Color) -> Winnability) -> Mating {
    match guarded(|| search(pos, winner)) {
        Some(Winnability::Winnable(line)) if is_mate(pos, &line, winner) => Mating::Can,
        Some(Winnability::Unwinnable) => Mating::Cannot,
        Some(Winnability::Winnable(_) | Winnability::Unknown) | None => Mating::Unknown,
    }
}

/// Plays the moves: all legal, and the last one mates for `winner`.
fn is_mate(pos: &Chess, line: &[Move], winner: Color) -> bool {
    let mut pos = pos.clone();
    line.iter().all(|m| {
        let legal = pos.is_legal(*m);
        if legal {
            pos.play_unchecked(*m);
        }
        legal
    }) && pos.is_checkmate()
        && pos.turn() != winner
}

/// A mistake in the search costs an answer, and not the thread that serves all boards.
fn guarded<T>(search: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(search)).ok()
}

/// An arbiter whose questions are answered as they come up, at the time of the event that brought
/// them about.
#[derive(Clone, Debug, Default)]
pub struct Follower {
    arbiter: Arbiter,
    /// The answers are among the events.
    recorded: bool,
}

impl Follower {
    /// An arbiter that waits for a `setup`.
    pub fn new() -> Follower {
        Follower::default()
    }

    /// Tells the arbiter `event` and answers what he asks then. Returns the answers, which are
    /// events as well.
    pub fn handle(&mut self, event: &Event, sink: &mut impl Sink) -> Vec<Event> {
        if let Input::Setup(setup) = &event.input {
            self.recorded = setup.answers == Answers::Recorded;
        }
        self.arbiter.handle(event, sink);
        if self.recorded {
            return Vec::new();
        }
        let mut answers = Vec::new();
        while let Some(question) = self.arbiter.question().filter(|_| answers.len() < IN_A_ROW) {
            let Some(input) = solve(&question) else { break };
            let answer = Event {
                at: event.at,
                input,
            };
            self.arbiter.handle(&answer, sink);
            answers.push(answer);
        }
        answers
    }

    /// Ends the game at hand and sums it up.
    pub fn finish(&mut self, sink: &mut impl Sink) {
        self.arbiter.finish(sink);
    }

    /// The arbiter.
    pub fn arbiter(&self) -> &Arbiter {
        &self.arbiter
    }

    /// The arbiter, to be told further events by somebody else.
    pub fn into_arbiter(self) -> Arbiter {
        self.arbiter
    }
}

#[cfg(test)]
mod tests;
