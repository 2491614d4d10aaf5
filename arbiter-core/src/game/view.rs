//! The state of one board as plain data.

use shakmaty::{Color, Position};

use crate::chess::position::fen_text;
use crate::game::Game;
use crate::said::view::{Offences, Phase, View};

impl Game {
    /// The board's state for consoles.
    pub(crate) fn view(&self) -> View {
        let recorded = self.record.last();
        let differs = match self.state.is_known() {
            true => self.differ(recorded),
            false => Default::default(),
        };
        View {
            game: self.setup.game.clone(),
            laws: self.setup.laws,
            class: self.setup.class,
            supervised: self.setup.supervised,
            state: self.phase(),
            fen: self.fen(),
            start_fen: fen_text(self.record.start()),
            plies: self.record.shown(|ply| self.is_doubtful(ply)),
            turn: recorded.turn(),
            sensor: self.setup.sensor,
            turned: self.board.orientation(),
            reading: *self.board.planes().reading(),
            differs: differs.into_iter().collect(),
            obligation: self.state.turn().obligation.as_ref().cloned(),
            findings: self.docket.findings().to_vec(),
            offences: Offences {
                white: self.offences(Color::White),
                black: self.offences(Color::Black),
                loses: self.offence().loses,
            },
            doubts: self
                .docket
                .doubts()
                .iter()
                .map(|d| d.doubt.clone())
                .collect(),
            restore: self.state.target().map(fen_text),
            result: self.result().map(|(result, _)| result),
            result_text: self.result().map(|(_, text)| text.into()),
            white_ms: self.clock.remaining(Color::White),
            black_ms: self.clock.remaining(Color::Black),
            running: self.clock.running().map(Color::char),
        }
    }

    /// Whether more than one hypothesis of a ply of the record fits.
    fn is_doubtful(&self, ply: u32) -> bool {
        let mut doubts = self.docket.doubts().iter().map(|d| &d.doubt);
        doubts.any(|doubt| doubt.kind.is_of_record() && doubt.ply == ply)
    }

    fn phase(&self) -> Phase {
        if !self.state.is_known() {
            Phase::Waiting
        } else if self.result().is_some() {
            Phase::Ended
        } else if self.state.is_paused() {
            Phase::Paused
        } else if self.state.is_putting_back() {
            Phase::Restoring
        } else {
            self.phase_of_play()
        }
    }

    fn phase_of_play(&self) -> Phase {
        let best = self.best();
        let wrong = self.wrong(best);
        if wrong.is_empty() {
            let made = self.length(best) > self.record.completed();
            return if made { Phase::Made } else { Phase::Rest };
        }
        if (wrong & !best.touched(self.board.contacts())).any() {
            Phase::Disturbed
        } else if (wrong & self.board.planes().occupied()).is_empty() {
            Phase::InHand
        } else {
            Phase::Placed
        }
    }
}
