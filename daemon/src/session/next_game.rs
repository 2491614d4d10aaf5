//! Notices that the pieces are set up again after a game has ended.

use arbiter_core::input::StartFen;
use arbiter_core::shakmaty::Board;
use arbiter_core::shakmaty::fen::Fen;
use arbiter_core::{Reading, Setup, Time};

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
    /// It begins with the first touch, and not by standing there.
    waits: bool,
    /// The starting position stood, and was touched since: somebody plays.
    touched: bool,
}

/// Fewer pieces than these are put away, or set up for something else.
const PLAYED: usize = 20;

impl NextGame {
    /// Looks at the board of an ended game at the time `at`: `reading` is what it reads, `start`
    /// what the starting position reads, and with it whether a pairing waits for its game.
    pub(super) fn look(
        &mut self,
        view: &View,
        reading: Option<Reading>,
        (start, is_awaited): (Option<Reading>, bool),
        at: Time,
    ) {
        let set_up = start.is_some() && reading == start && reading != last(view);
        let is_played =
            reading.is_some_and(|reading| reading.differs_from(&Reading::EMPTY).count() >= PLAYED);
        self.touched = is_awaited && !set_up && is_played && (self.touched || self.begins_at(at));
        self.since = set_up.then(|| self.since.unwrap_or(at));
        self.waits &= set_up;
    }

    /// The game begins with the first touch.
    pub(super) fn wait(&mut self) {
        self.waits = true;
    }

    /// Whether somebody plays though no game was to begin here.
    pub(super) fn is_touched(self) -> bool {
        self.touched
    }

    /// Whether a report at `at` is the first of the next game.
    pub(super) fn begins_at(self, at: Time) -> bool {
        self.since.is_some_and(|since| at.since(since) >= BEGUN)
    }

    /// After which moment the next game begins if nothing happens.
    pub(super) fn wake(self) -> Option<Time> {
        let since = self.since.filter(|_| !self.waits);
        since.map(|since| since + MEANT)
    }
}

/// What the board reads when the starting position of a game that was set up so stands on it.
/// `None` when the start is unknown.
pub(super) fn start(setup: &Setup) -> Option<Reading> {
    match &setup.fen {
        None => Some(setup.sensor.reads(&Board::new())),
        Some(StartFen::Known(fen)) => Some(setup.sensor.reads(&fen.as_setup().board)),
        Some(StartFen::Unknown) => None,
    }
}

/// What the game's last position reads. A game that ended where it started was not set up again.
fn last(view: &View) -> Option<Reading> {
    let fen: Fen = view.fen.parse().ok()?;
    Some(view.sensor.reads(&fen.as_setup().board))
}
