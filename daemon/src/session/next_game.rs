//! Notices that the pieces are set up again after a game has ended.

use arbiter_core::input::StartFen;
use arbiter_core::shakmaty::fen::Fen;
use arbiter_core::shakmaty::{Board, CastlingMode, Chess, Position};
use arbiter_core::view::Phase;
use arbiter_core::{Reading, Setup, Time};

use super::Session;
use crate::hall::View;

/// A starting position that has stood this long is meant, in board milliseconds.
const MEANT: u64 = 2_000;
/// When players begin sooner, it was meant if it stood at least this long.
const BEGUN: u64 = 500;

/// The watch for the next game: since when the starting position stands on a board whose game has
/// ended, or gives way to its table's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct NextGame {
    since: Option<Time>,
    /// White has made his first move, while the last pieces were set up.
    moved: bool,
    /// It begins with the first touch, and not by standing there.
    waits: bool,
    /// The starting position stood, and was touched since: somebody plays.
    touched: bool,
}

/// So many squares have other pieces than at the start once a game has been played for a while:
/// then nobody has the array again by taking back moves.
const PLAYED_ON: usize = 8;

/// Fewer pieces than these are put away, or set up for something else.
const PLAYED: usize = 20;

impl Session {
    /// Looks whether the game has ended, or gives way, and the next one is being set up.
    pub(super) fn look(&mut self, at: Time) {
        let is_awaited = self.look_for_early_play();
        if self.arbiter.state() != Some(Phase::Ended) && !self.gives_way() {
            self.next_game = NextGame::default();
            return;
        }
        let Some(view) = self.view() else { return };
        let start = self.next_start();
        let reading = self.reading().map(|board| view.turned.reading(&board));
        self.next_game
            .look(&view, reading, (start.as_ref(), is_awaited), at);
    }
}

impl NextGame {
    /// Looks at the board of an ended game at the time `at`: `reading` is what it reads, `start`
    /// what the starting position reads, and with it whether a pairing waits for its game.
    pub(super) fn look(
        &mut self,
        view: &View,
        reading: Option<Reading>,
        (start, is_awaited): (Option<&Start>, bool),
        at: Time,
    ) {
        // Where a pairing waits, nothing begins by standing there: the start stands for it, be it
        // where the game before ended.
        let is_new = is_awaited || reading != last(view);
        let shown = reading.zip(start).filter(|_| is_new);
        let stands = shown.is_some_and(|(reading, start)| reading == start.array);
        let moved = shown.is_some_and(|(reading, start)| {
            let last = last(view);
            let played_on =
                last.is_some_and(|last| last.differs_from(&start.array).count() >= PLAYED_ON);
            played_on && start.is_moved(&reading)
        });
        let set_up = stands || moved;
        let is_played =
            reading.is_some_and(|reading| reading.differs_from(&Reading::EMPTY).count() >= PLAYED);
        self.touched = is_awaited && !set_up && is_played && (self.touched || self.begins_at(at));
        let goes_on = self.moved == moved;
        self.since = set_up.then(|| self.since.filter(|_| goes_on).unwrap_or(at));
        self.moved = moved;
        self.waits &= set_up;
    }

    /// The game begins with the first touch.
    pub(super) fn wait(&mut self) {
        self.waits = true;
    }

    /// What is left of the watch once the program has ended in between: whether somebody plays.
    pub(super) fn interrupted(self) -> NextGame {
        NextGame {
            touched: self.touched,
            ..NextGame::default()
        }
    }

    /// Whether the pieces are set up for it.
    pub(super) fn is_set_up(self) -> bool {
        self.since.is_some()
    }

    /// Whether somebody plays though no game was to begin here.
    pub(super) fn is_touched(self) -> bool {
        self.touched
    }

    /// Whether a report at `at` is the first of the next game.
    pub(super) fn begins_at(self, at: Time) -> bool {
        self.since.is_some_and(|since| at.since(since) >= BEGUN)
    }

    /// When the next game begins that is noticed at `at`: what was read since White moved is of it.
    pub(super) fn begins(self, at: Time) -> Time {
        self.since.filter(|_| self.moved).unwrap_or(at)
    }

    /// After which moment the next game begins if nothing happens.
    pub(super) fn wake(self) -> Option<Time> {
        let since = self.since.filter(|_| !self.waits);
        since.map(|since| since + MEANT)
    }
}

/// What the board reads when a game begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Start {
    /// The starting position.
    pub(super) array: Reading,
    /// After each first move.
    moved: Vec<Reading>,
}

impl Start {
    /// Whether a reading is that after a first move.
    pub(super) fn is_moved(&self, reading: &Reading) -> bool {
        self.moved.contains(reading)
    }
}

/// What the board reads when a game begins that was set up so. `None` when the start is unknown.
pub(super) fn start(setup: &Setup) -> Option<Start> {
    let mode = CastlingMode::from_chess960(setup.chess960);
    let (board, position) = match &setup.fen {
        None => (Board::new(), Some(Chess::default())),
        Some(StartFen::Known(fen)) => {
            let setup = fen.as_setup().clone();
            (setup.board.clone(), setup.position(mode).ok())
        }
        Some(StartFen::Unknown) => return None,
    };
    let reads = |board: &Board| setup.sensor.reads(board);
    let after = |start: &Chess| {
        let moves = start.legal_moves().into_iter();
        let after = moves.filter_map(|m| start.clone().play(m).ok());
        after.map(|after| reads(after.board())).collect()
    };
    Some(Start {
        array: reads(&board),
        moved: position.as_ref().map(after).unwrap_or_default(),
    })
}

/// What the game's last position reads. A game that ended where it started was not set up again,
/// as far as anybody can tell.
fn last(view: &View) -> Option<Reading> {
    let fen: Fen = view.fen.parse().ok()?;
    Some(view.sensor.reads(&fen.as_setup().board))
}
