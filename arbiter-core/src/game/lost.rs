//! A thread that is lost: nothing that can have been played explains the board. What was played is
//! asked once, and nobody is accused of anything until the position is known again.

use shakmaty::{Color, Position, Square};

use crate::game::Game;
use crate::game::change::{Changes, Line};
use crate::game::clock::Press;
use crate::judge::handling::Handling;
use crate::judge::picture::Judgement;
use crate::said::input::Input;
use crate::said::irregularity::Reason;
use crate::said::ruling::DoubtKind;
use crate::track::cost;
use crate::track::hypothesis::{Hypothesis, Illegal};

/// An illegal move that costs more than this is no account of a board: one piece went where it may
/// not, and no more than two readings besides were lost.
const DEAREST: i32 = cost::ILLEGAL + 2 * cost::LOST;

/// Nobody moves with more pieces than these in the air.
pub(crate) const HANDS: usize = 2;

impl Game {
    /// Whether no illegal move after `root` accounts for what stands: material is missing, or is
    /// there that cannot be.
    pub(crate) fn is_thread_lost(
        &self,
        root: &Hypothesis,
        handling: &Handling,
        judged: &Judgement,
    ) -> bool {
        let Judgement::Illegal {
            reason, squares, ..
        } = judged
        else {
            return false;
        };
        if self.contradicts_the_arbiter(root, squares) {
            return true;
        }
        // Without a press, a square that cannot be read leaves room for moves that nobody saw.
        let unread = !self.setup.clock && self.board.suspect().any();
        let about = !self.setup.clock && is_moved_about(handling);
        if self.state.is_lost() || unread || about || self.went_on_otherwise(root) {
            return true;
        }
        let explicable = match handling.held(root.pos.turn()).len() {
            // After a gap nothing was.
            _ if self.board.gap() => false,
            // What has a name of its own was seen.
            0 => !matches!(reason, Reason::Other | Reason::TwoPiecesMoved),
            // A piece that is held stands in no position.
            held => held <= HANDS,
        };
        let act = self.act_after(root, handling, Illegal::unjudged());
        !explicable && act.is_none_or(|line| line.cost - root.cost > DEAREST)
    }

    /// Whether a move on these squares may be illegal only because the arbiter has said what was
    /// played, and the board still shows something else there.
    fn contradicts_the_arbiter(&self, root: &Hypothesis, squares: &[Square]) -> bool {
        let contradicted = self.board.contradicted();
        let touched = |sq| self.board.contacts().since(sq) > root.since;
        let is_about = |sq| squares.contains(&sq) || touched(sq);
        // What has been read since as the arbiter said is no contradiction any more.
        let mut still = (contradicted & self.differ(&root.pos)).into_iter();
        still.any(|sq| !touched(sq)) && contradicted.into_iter().any(is_about)
    }

    /// Whether an illegal move after `root` has been found and not put back, the opponent has
    /// pressed since, and still the board shows another one: then neither was what was played.
    fn went_on_otherwise(&self, root: &Hypothesis) -> bool {
        if !self.state.is_putting_back() {
            return false;
        }
        let (ply, opponent) = (self.length(root) + 1, !root.pos.turn());
        let Some(found) = self.docket.open_illegal_move(ply) else {
            return false;
        };
        let mut later = self.board.evidence().filter(|event| event.at > found);
        later.any(|event| matches!(event.input, Input::Press { by, .. } if by == opponent))
    }

    /// `press`, to be judged once squares have been read again, where it has not waited for that.
    pub(crate) fn may_be_read_again(&self, press: Press) -> Option<Press> {
        let due = press.at + self.setup.options.reread_ms;
        let alone = self.clock.waiting().is_empty() && !self.state.is_lost();
        let waits = alone && !press.extended && !press.is_inferred() && due > self.clock.now();
        waits.then_some(Press {
            due,
            extended: true,
            ..press
        })
    }

    /// Nothing explains the board after `root`: what was played is asked.
    pub(crate) fn lose_thread(&mut self, root: &Line) -> Changes {
        if self.state.is_lost() {
            return Changes::new();
        }
        let made = self.length(root);
        self.tell_line(root, made, self.record.completed());
        self.docket
            .leave_in_doubt(|doubt| doubt.ply as usize <= made);
        let squares = self.differ(&root.pos).into_iter().collect();
        let ply = made as u32 + 1;
        self.raise_doubt(ply, DoubtKind::ThreadLost, squares, Default::default());
        self.state.lose(root.pos.clone(), self.clock.now());
        Changes::new()
    }

    /// The question stands as long as the thread is lost, and no longer.
    pub(crate) fn close_lost_thread(&mut self) {
        if !self.state.is_lost() {
            self.docket
                .retain_doubts(|d| d.doubt.kind != DoubtKind::ThreadLost);
        }
    }
}

/// Whether several men of both colours stand on other squares than they did: somebody has moved
/// the pieces about, and where nobody presses no turn is to be seen in that.
fn is_moved_about(handling: &Handling) -> bool {
    let elsewhere = |colour: Color| {
        let own = handling.pieces.iter().filter(|h| h.piece.color == colour);
        own.filter(|h| h.stands().is_some_and(|c| c.square != h.home))
            .count()
    };
    Color::ALL.into_iter().all(|colour| elsewhere(colour) > 1)
}
