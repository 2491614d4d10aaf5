//! The state of one board as plain data.

use core::borrow::Borrow;

use shakmaty::{Color, Position};

use crate::game::Game;
use crate::said::view::{Finding, Offences, Phase, PlyRecord, View};

/// The record of a game, to be shown ply by ply.
#[derive(Clone, Copy, Debug)]
pub struct Plies<'a>(&'a Game);

impl<'a> Plies<'a> {
    /// Half-moves in the record.
    pub fn count(self) -> usize {
        self.0.record.len()
    }

    /// How many plies from the start are still shown as they were, if `known` is what was shown
    /// before of the same game.
    pub fn known(self, known: &[impl Borrow<PlyRecord>]) -> usize {
        let is_same = |(n, shown): &(usize, &PlyRecord)| {
            let doubtful = self.0.is_doubtful(*n as u32);
            self.0.record.is_shown_so(*n, doubtful, shown)
        };
        let known = known.iter().map(Borrow::borrow);
        (1..).zip(known).take_while(is_same).count()
    }

    /// The plies after the first `n`; none when there are no more.
    pub fn after(self, n: usize) -> impl Iterator<Item = PlyRecord> + use<'a> {
        let n = n.min(self.count());
        self.0.record.shown(n, move |ply| self.0.is_doubtful(ply))
    }
}

impl Game {
    /// The board's state for consoles, its record and its findings as `plies` and `findings` make
    /// them.
    pub(crate) fn view<P, F>(
        &self,
        plies: impl FnOnce(Plies<'_>) -> P,
        findings: impl FnOnce(&[Finding]) -> F,
    ) -> View<P, F> {
        let recorded = self.record.last();
        let differs = if self.known {
            self.contacts.planes.differ(recorded.board())
        } else {
            Default::default()
        };
        View {
            game: self.setup.game.clone(),
            laws: self.setup.laws,
            class: self.setup.class,
            supervised: self.setup.supervised,
            state: self.phase(),
            fen: self.fen(),
            start_fen: crate::chess::position::fen_text(self.record.start()),
            plies: plies(Plies(self)),
            turn: recorded.turn(),
            sensor: self.setup.sensor,
            turned: self.turned,
            reading: *self.contacts.planes.reading(),
            differs: differs.into_iter().collect(),
            obligation: self.obligation.clone(),
            findings: findings(&self.findings),
            offences: Offences {
                white: self.offences(Color::White),
                black: self.offences(Color::Black),
                loses: self.offence().loses,
            },
            doubts: self.doubts.iter().map(|d| d.doubt.clone()).collect(),
            restore: self.restore.as_ref().map(crate::chess::position::fen_text),
            result: self.result,
            result_text: self.result.map(|_| self.result_text.clone()),
            white_ms: self.clocks[Color::White as usize],
            black_ms: self.clocks[Color::Black as usize],
            running: self.running.map(|c| c.char()),
        }
    }

    /// Whether more than one account of a ply of the record fits.
    fn is_doubtful(&self, ply: u32) -> bool {
        self.doubts
            .iter()
            .any(|d| d.doubt.kind.is_of_record() && d.doubt.ply == ply)
    }

    /// Where the game stands in its cycle.
    pub(crate) fn phase(&self) -> Phase {
        let ended = self.result.map(|_| Phase::Ended);
        let paused = self.paused.then_some(Phase::Paused);
        let waiting = (!self.known).then_some(Phase::Waiting);
        let restoring = self.restore.as_ref().map(|_| Phase::Restoring);
        waiting
            .or(ended)
            .or(paused)
            .or(restoring)
            .unwrap_or_else(|| self.phase_of_play())
    }

    fn phase_of_play(&self) -> Phase {
        let best = self.best();
        let wrong = best.wrong(&self.contacts);
        let made = self.length(best) > self.completed;
        if wrong.is_empty() {
            return if made { Phase::Made } else { Phase::Rest };
        }
        let full = self.contacts.planes.occupied();
        if (wrong & !best.touched(&self.contacts)).any() {
            Phase::Disturbed
        } else if (wrong & full).is_empty() {
            Phase::InHand
        } else {
            Phase::Placed
        }
    }
}
