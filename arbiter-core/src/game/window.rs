//! Who may claim a finding, and until when: a touch, a reply, so many moves, or the end of the
//! game.

use alloc::vec::Vec;

use shakmaty::Color;

use crate::game::Game;
use crate::laws::Redress;
use crate::said::irregularity::{Code, Party};
use crate::said::ruling::{ClaimRight, ClaimWindow, Irregularity, Ruling};
use crate::said::view::FindingStatus;

impl Game {
    /// The opponent's right to claim a breach of `by`'s.
    pub(crate) fn right_of(&self, code: Code, by: Color) -> ClaimRight {
        let until = match () {
            () if code.is_of_moving() && self.laws().touch_loses_claim => ClaimWindow::Touch,
            () if self.laws().counts(code) && self.offence().redress != Redress::WholeGame => {
                ClaimWindow::Reply
            }
            () => ClaimWindow::Game,
        };
        ClaimRight {
            by: (!by).into(),
            open: true,
            until,
        }
    }

    /// Either player's right to object to how the game was begun: pieces, board or colours. Where
    /// it is the arbiter's business alone, there is none.
    pub(crate) fn right_to_object(&self, code: Code) -> Option<ClaimRight> {
        let limit = match code {
            Code::PositionSetupWrong | Code::BoardOrientationWrong => self
                .laws()
                .setup_moves(self.setup.class, self.setup.supervised),
            Code::ColoursReversed => Some(self.laws().colours_reversed_until?),
            _ => return None,
        };
        let until = limit.map_or(ClaimWindow::Game, ClaimWindow::Moves);
        Some(ClaimRight {
            by: Party::Either,
            open: !is_over(until, self.completed),
            until,
        })
    }

    /// Each player has made so many moves: what was wrong at the start can no longer be objected
    /// to.
    pub(crate) fn close_start(&mut self, completed: usize) {
        self.end_rights(|_, right| is_over(right.until, completed));
    }

    /// The opponent has made his next move: an illegal move that can no longer be undone stands for
    /// good, and the loss that was proposed for it falls away.
    pub(crate) fn close_windows(&mut self, ply: usize) {
        let told = self.record.len() >= ply;
        if self.end_rights(|i, right| {
            right.until == ClaimWindow::Reply && (i.ply as usize) < ply && told
        }) {
            self.drop_forfeit();
        }
    }

    /// The opponent has touched a piece: he can no longer claim a breach of Article 4 (4.8).
    pub(crate) fn lapse_claims(&mut self, toucher: Color, touched_own: bool) {
        let lost =
            |right: ClaimRight| right.until == ClaimWindow::Touch && right.by.includes(toucher);
        if touched_own && self.end_rights(|_, right| lost(right)) {
            // What the open claim held back has come about.
            self.end_if_over(self.completed);
        }
    }

    /// Closes the open rights that are over, and tells so. Whether there was one.
    fn end_rights(&mut self, over: impl Fn(&Irregularity, ClaimRight) -> bool) -> bool {
        let mut closed = Vec::new();
        for f in &mut self.findings {
            let stands = matches!(f.status, FindingStatus::Open | FindingStatus::Upheld);
            let ends = f
                .irregularity
                .claim
                .is_some_and(|right| right.open && over(&f.irregularity, right));
            if let Some(right) = f.irregularity.claim.as_mut().filter(|_| stands && ends) {
                right.open = false;
                closed.push(f.irregularity.id);
            }
        }
        closed
            .iter()
            .for_each(|id| self.say(Ruling::Lapsed { id: *id }));
        !closed.is_empty()
    }
}

/// Whether both players have made the moves that the right was limited to.
fn is_over(until: ClaimWindow, completed: usize) -> bool {
    matches!(until, ClaimWindow::Moves(moves) if completed >= 2 * moves as usize)
}
