//! Who can still mate: what the arbiter asks, answered by search.
//!
//! The search is exact where it ends, and it ends by counting positions, never by the clock: the
//! same question has the same answer on every machine. A mate that it finds is played through
//! before it is believed.
//!
//! Live boards ask a [`Solver`], which works beside them. Whoever reads events from a file uses a
//! [`Follower`], which answers at once, unless the answers are among the events.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use arbiter_core::input::Answers;
use arbiter_core::shakmaty::fen::Fen;
use arbiter_core::shakmaty::uci::UciMove;
use arbiter_core::shakmaty::{
    Bitboard, CastlingMode, Chess, Color, EnPassantMode, Position, PositionError, Setup,
};
use arbiter_core::{Arbiter, Event, Input, Mating, Question, Sink};
use chasolver::Winnability;
use tokio::sync::oneshot;

/// Threads that search. A hard position takes one of them a few seconds; the other answers for all
/// other boards.
const THREADS: usize = 2;
/// Men a side has at most.
const MEN: usize = 16;
/// Questions that one event may bring about, one after the other: a quick look, then a thorough
/// one.
const IN_A_ROW: usize = 4;

/// Searches for the answer. `None` when the question is none that an arbiter asks.
pub fn solve(question: &Question) -> Option<Input> {
    let fen: Fen = question.fen.parse().ok()?;
    let (white, black) = match Searched::read(fen) {
        None => (Mating::Unknown, Mating::Unknown),
        Some(position) if question.thorough => (
            position.thorough(Color::White),
            position.thorough(Color::Black),
        ),
        Some(position) => position.glance(),
    };
    question.answer(white, black)
}

/// A position in the terms of orthodox chess.
struct Searched {
    pos: Chess,
    board: chess::Board,
    /// It stands for one with rights to castle as in Chess960. Castling is never forced and never
    /// answers a check, so a mate found without it is a mate; that there is none, it cannot prove.
    castling_left_out: bool,
}

impl Searched {
    /// `None` where the Laws know no play at all: pawns on the last ranks, the side that has moved
    /// in check.
    fn read(fen: Fen) -> Option<Searched> {
        let mut setup = fen.into_setup();
        let legal = |setup: &Setup| {
            let read = setup.clone().position::<Chess>(CastlingMode::Standard);
            let read = read.or_else(PositionError::ignore_invalid_ep_square);
            let read = read.or_else(PositionError::ignore_impossible_check);
            read.or_else(PositionError::ignore_too_much_material).ok()
        };
        // The search has room for the men of a game.
        let crowded = Color::ALL
            .into_iter()
            .any(|side| setup.board.by_color(side).count() > MEN);
        let exact = legal(&setup).filter(|_| !crowded);
        let castling_left_out = exact.is_none();
        let pos = exact.or_else(|| {
            setup.castling_rights = Bitboard::EMPTY;
            legal(&setup).filter(|_| !crowded)
        })?;
        let board = Fen::from_position(&pos, EnPassantMode::Legal)
            .to_string()
            .parse()
            .ok()?;
        Some(Searched {
            pos,
            board,
            castling_left_out,
        })
    }

    /// Looks for a dead position: what is not proven quickly stays unknown.
    fn glance(&self) -> (Mating, Mating) {
        match (self.quick(Color::White), self.quick(Color::Black)) {
            (Mating::Unknown, Mating::Unknown) => (Mating::Unknown, Mating::Unknown),
            (Mating::Unknown, black) => (self.thorough(Color::White), black),
            (white, Mating::Unknown) => (white, self.thorough(Color::Black)),
            both => both,
        }
    }

    fn quick(&self, winner: Color) -> Mating {
        let over = self.over(winner);
        over.unwrap_or_else(|| {
            let cannot = guarded(|| chasolver::is_unwinnable_fast(&self.board, side(winner)))
                .unwrap_or(false);
            if cannot { self.none() } else { Mating::Unknown }
        })
    }

    fn thorough(&self, winner: Color) -> Mating {
        if let Some(mating) = self.over(winner) {
            return mating;
        }
        match guarded(|| chasolver::winnability(&self.board, side(winner))).flatten() {
            Some(Winnability::Winnable { helpmate }) if self.is_mate(&helpmate, winner) => {
                Mating::Can
            }
            Some(Winnability::Unwinnable) => self.none(),
            Some(Winnability::Winnable { .. }) | None => Mating::Unknown,
        }
    }

    fn none(&self) -> Mating {
        if self.castling_left_out {
            Mating::Unknown
        } else {
            Mating::Cannot
        }
    }

    /// Mate and stalemate need no search.
    fn over(&self, winner: Color) -> Option<Mating> {
        let mates = self.pos.is_checkmate() && self.pos.turn() != winner;
        let over = self.pos.is_checkmate() || self.pos.is_stalemate();
        over.then_some(if mates { Mating::Can } else { Mating::Cannot })
    }

    /// Plays the moves: all legal, and the last one mates for `winner`.
    fn is_mate(&self, moves: &[chess::ChessMove], winner: Color) -> bool {
        let mut pos = self.pos.clone();
        let played = moves.iter().try_for_each(|m| {
            let uci: UciMove = m.to_string().parse().ok()?;
            pos.play_unchecked(uci.to_move(&pos).ok()?);
            Some(())
        });
        played.is_some() && pos.is_checkmate() && pos.turn() != winner
    }
}

fn side(colour: Color) -> chess::Color {
    colour.fold_wb(chess::Color::White, chess::Color::Black)
}

/// The search is not ours: should it fail on a position, there is no answer, and the program goes
/// on.
fn guarded<T>(search: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(search)).ok()
}

type Asked = (Question, oneshot::Sender<Option<Input>>);

/// Answers the questions of all boards on threads of its own. Cheap to clone; ends with its last
/// clone.
#[derive(Clone, Debug)]
pub struct Solver {
    questions: Sender<Asked>,
}

impl Solver {
    /// Starts the threads.
    pub fn start() -> std::io::Result<Solver> {
        let (questions, inbox) = channel();
        let inbox = Arc::new(Mutex::new(inbox));
        for n in 0..THREADS {
            let inbox = inbox.clone();
            // Nobody waits for their end: a search in progress would hold up the program's.
            std::thread::Builder::new()
                .name(format!("mating-{n}"))
                .spawn(move || serve(&inbox))?;
        }
        Ok(Solver { questions })
    }

    /// Asks. The answer comes when it is found; never, when the program ends before.
    pub fn ask(&self, question: Question) -> oneshot::Receiver<Option<Input>> {
        let (answer, found) = oneshot::channel();
        let _threads_end_with_the_program = self.questions.send((question, answer));
        found
    }
}

fn serve(inbox: &Mutex<Receiver<Asked>>) {
    loop {
        let next = inbox.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((question, answer)) = next else { return };
        let _session_may_have_gone = answer.send(solve(&question));
    }
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
