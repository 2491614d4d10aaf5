//! The state of one board as plain data.

use core::borrow::Borrow;

use alloc::vec::Vec;

use shakmaty::{Color, Position};

use crate::chess::position::fen_text;
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
        let differs = match self.state.is_known() {
            true => self.differ(recorded),
            false => Default::default(),
        };
        let ordered = self.state.ordered();
        let is_over = self
            .state
            .result()
            .is_some_and(|(result, _)| !result.proposed);
        View {
            game: self.setup.game.clone(),
            laws: self.setup.laws,
            class: self.setup.class,
            supervised: self.setup.supervised,
            state: self.phase(),
            fen: self.fen(),
            start_fen: fen_text(&self.record.position(0)),
            plies: plies(Plies(self)),
            turn: recorded.turn(),
            sensor: self.setup.sensor,
            turned: self.board.orientation(),
            reading: *self.board.planes().reading(),
            differs: differs.into_iter().collect(),
            obligation: self.state.turn().obligation.as_ref().cloned(),
            findings: findings(self.docket.findings()),
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
            // Who keeps them knows: see `hearing`.
            orders: Vec::new(),
            // Of a game that is over nothing is put back; what is only proposed ends none.
            restore: ordered.filter(|_| !is_over).map(fen_text),
            result: self.result().map(|(result, _)| result),
            result_text: self.result().map(|(_, text)| text.into()),
            held_back: self.held_back(),
            white_ms: self.clock.remaining(Color::White),
            black_ms: self.clock.remaining(Color::Black),
            running: self.running().map(Color::char),
        }
    }

    /// Whose clock runs. As long as a position is to be put back it is that of whose opponent
    /// pressed last, be it for an illegal move; then whoever has the move is to think.
    fn running(&self) -> Option<Color> {
        let running = self.clock.running()?;
        let pressed = self.clock.last_press().map(|(by, _)| !by);
        Some(
            pressed
                .filter(|_| self.state.is_putting_back())
                .unwrap_or(running),
        )
    }

    /// Whether more than one hypothesis of a ply of the record fits.
    pub(crate) fn is_doubtful(&self, ply: u32) -> bool {
        let mut doubts = self.docket.doubts().iter().map(|d| &d.doubt);
        doubts.any(|doubt| doubt.kind.is_of_record() && doubt.ply == ply)
    }

    /// Where the game stands in its cycle.
    pub(crate) fn phase(&self) -> Phase {
        if !self.state.is_known() {
            Phase::Waiting
        } else if self.result().is_some() || self.is_asked() {
            Phase::Ended
        } else if self.state.is_paused() {
            Phase::Paused
        } else if self.state.is_lost() {
            Phase::Disturbed
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
