//! Play in the game of a pairing while its board was out of sight: pieces that were set up and
//! moved before anything was heard of the board again.

use arbiter_core::shakmaty::Position;
use arbiter_core::{Arbiter, Event, Input, Reading, Time};
use board_driver::Report;

use super::Session;
use super::begin::{Begun, Named};
use super::earlier::is_evidence;
use super::next_game::initial;
use crate::hall;

/// Half-moves that lead from the start to what stands: with fewer a piece may only have been put
/// down beside its square.
const PLAYED: usize = 2;
/// So long nobody holds a piece, in board milliseconds.
const RESTED: u64 = 60_000;

impl Session {
    /// Looks whether what stood there when the board was in sight again is of the pairing's game:
    /// with the first half-move or press after that it begins, where half-moves lead there from its
    /// start; else somebody is asked from what is played.
    pub(super) async fn look_for_unseen(&mut self, report: &Report) {
        let (Some((at, stood)), true) = (self.next_game.found(), self.is_waited_for()) else {
            return;
        };
        let is_press = matches!(report, Report::Press { .. });
        let is_clocked = self.arbiter.setup().is_some_and(|setup| setup.clock);
        let is_found = matches!(report, Report::Snapshot(_)) && self.timeline.last() == at;
        // Until the clock is pressed the move is not made; without one it is told by squares.
        if !(is_found || is_press || !is_clocked) {
            return;
        }
        let (Some(start), Some(now)) = (self.next_start(), self.reading()) else {
            return;
        };
        let now = self.lies().reading(&now);
        // Whoever puts the pieces back sets them up.
        if !is_found && (now == stood || start.wrong(&now) < start.wrong(&stood)) {
            return;
        }
        let read = self.lies().back().reading(&stood);
        let Some(since) = self.evidence_since(at).await else {
            return;
        };
        let leads = self.leads_to(at, &read, &since, is_found);
        if leads && !is_found {
            let begun = Begun {
                fen: None,
                read: Some(read),
            };
            self.begin_from(at, Named::default(), begun).await;
            since.into_iter().for_each(|event| self.tell(event));
        } else if leads || is_press {
            self.next_game.ask_for_unseen(&start);
            self.is_told = true;
        }
    }

    /// What the board has reported since; `None` where that cannot be read.
    async fn evidence_since(&mut self, at: Time) -> Option<Vec<Event>> {
        self.commit().await;
        let told = self.told_since().await?;
        let is_since = |event: &Event| event.at > at && is_evidence(&event.input);
        let since = told.events.into_iter().filter(is_since).collect();
        told.row.damage.is_none().then_some(since)
    }

    /// Whether the pairing's game would have half-moves that lead from its start to what stood
    /// there, and on. `at_rest`: nobody has moved since.
    fn leads_to(&self, at: Time, read: &Reading, since: &[Event], at_rest: bool) -> bool {
        let Some(mut setup) = self.next_setup() else {
            return false;
        };
        let Some(start) = initial(&setup) else {
            return false;
        };
        setup.turned = self.lies();
        let mut arbiter = Arbiter::new();
        let mut hear = |at: Time, input: Input| {
            arbiter.handle(&Event { at, input }, &mut Vec::new());
        };
        hear(at, Input::Setup(setup.into()));
        let board = (*read).into();
        hear(at, Input::Snapshot { board });
        for event in since {
            hear(event.at, event.input.clone());
        }
        let now = self.timeline.last();
        hear(if at_rest { now + RESTED } else { now }, Input::Tick);
        let Some(view) = hall::view(&arbiter, None) else {
            return false;
        };
        let fen = view.start_fen.split(' ').next();
        let is_explained = view.differs.is_empty() && view.plies.len() >= PLAYED;
        is_explained && fen == Some(&*start.board().board_fen().to_string())
    }
}
