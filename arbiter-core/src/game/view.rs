//! The state of one board as plain data.

use shakmaty::{Color, Position};

use crate::said::view::{Offences, Phase, View};

impl crate::game::Game {
    /// The board's state for consoles.
    pub(crate) fn view(&self) -> View {
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
            plies: self.record.shown(|ply| self.is_doubtful(ply)),
            turn: recorded.turn(),
            sensor: self.setup.sensor,
            turned: self.turned,
            reading: *self.contacts.planes.reading(),
            differs: differs.into_iter().collect(),
            obligation: self.obligation.clone(),
            findings: self.findings.clone(),
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

    fn phase(&self) -> Phase {
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
