//! Who may claim a finding, and until when: a touch, a reply, so many moves, or the end of the
//! game.

use shakmaty::Color;

use crate::game::Game;
use crate::laws::Redress;
use crate::said::irregularity::{Code, Party};
use crate::said::ruling::{ClaimRight, ClaimWindow, Irregularity, Ruling};

impl Game {
    /// The opponent's right to claim a breach of `by`'s.
    pub(crate) fn right_of(&self, code: Code, by: Color) -> ClaimRight {
        let until = if code.is_of_moving() && self.laws().touch_loses_claim {
            ClaimWindow::Touch
        } else if self.laws().counts(code) && self.offence().redress != Redress::WholeGame {
            ClaimWindow::Reply
        } else {
            ClaimWindow::Game
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
        let open = !is_over(until, self.record.completed());
        Some(ClaimRight {
            by: Party::Either,
            open,
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
        if self.record.len() < ply {
            return;
        }
        let answered = |told: &Irregularity, right: ClaimRight| {
            right.until == ClaimWindow::Reply && (told.ply as usize) < ply
        };
        if self.end_rights(answered) {
            self.drop_forfeit_for_good();
        }
    }

    /// `toucher` has touched a piece of his: he can no longer claim a breach of Article 4 (4.8).
    /// Whether he could.
    pub(crate) fn lapse_claims(&mut self, toucher: Color) -> bool {
        self.end_rights(|_, right| right.until == ClaimWindow::Touch && right.by.includes(toucher))
    }

    /// Closes the open rights that are over, and tells so. Whether there was one.
    fn end_rights(&mut self, over: impl Fn(&Irregularity, ClaimRight) -> bool) -> bool {
        let ends = |told: &Irregularity| told.claim.is_some_and(|right| over(told, right));
        let closed = self.docket.end_rights(ends);
        for &id in &closed {
            self.say(Ruling::Lapsed { id });
        }
        !closed.is_empty()
    }
}

/// Whether both players have made the moves that the right was limited to.
fn is_over(until: ClaimWindow, completed: usize) -> bool {
    matches!(until, ClaimWindow::Moves(moves) if completed >= 2 * moves as usize)
}
