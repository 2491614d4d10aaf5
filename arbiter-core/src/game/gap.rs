//! Plies that were not seen one by one: after a gap in the evidence, or when a position was ordered
//! on a misreading and play went on.

use alloc::rc::Rc;

use shakmaty::Position;

use crate::chess::moves::arrival;
use crate::game::Game;
use crate::game::change::{Change, Changes, Line};
use crate::game::clock::Press;
use crate::track::gap;
use crate::track::hypothesis::{Hypothesis, Step};

impl Game {
    /// Looks for the plies that were not seen one by one; what follows from them, if they are
    /// found.
    pub(crate) fn search_gap(&self, press: Option<Press>) -> Option<Changes> {
        let (root, contacts) = (self.root(), self.board.contacts());
        let moves = gap::line(
            &root.pos,
            contacts,
            root.touched(contacts),
            self.scan_window(),
        )?;
        let mut pos = root.pos.clone();
        let mut steps = root.steps.clone();
        for &m in &moves {
            pos.play_unchecked(m);
            steps.push(Step {
                m,
                made_at: contacts.since(arrival(m)),
            });
        }
        let mut line = Hypothesis::new(pos, contacts.last_change());
        line.steps = steps;
        let made = self.length(&line);
        let pressed = press.is_some_and(|press| press.by != line.pos.turn());
        let completed = if pressed { made } else { made - 1 };
        if press.is_some() && moves.len() == 1 && !pressed {
            return None;
        }
        let before = self.length(root);
        Some(alloc::vec![Change::GapClosed {
            line: Rc::new(line),
            before,
            completed,
            press
        }])
    }

    /// The plies after the first `before` were found. What was found on the strength of not seeing
    /// them falls.
    pub(crate) fn close_gap(
        &mut self,
        line: &Line,
        before: usize,
        completed: usize,
        press: Option<Press>,
    ) -> Changes {
        let made = self.length(line);
        self.adopt(Hypothesis::clone(line));
        self.withdraw_after(before);
        self.tell_line(line, made, completed);
        self.record.set_completed(completed);
        self.state.next_turn();
        self.board.set_gap(false);
        // Presses that waited were for the plies found.
        self.clock.stop_waiting();
        let over = completed == made;
        self.clock
            .run(press.map(|press| if over { !press.by } else { press.by }));
        self.clock.start_turn(self.clock.now());
        alloc::vec![
            Change::PruneCommon,
            Change::CheckEnd {
                k: made,
                released: over
            }
        ]
    }
}
