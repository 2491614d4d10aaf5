//! Plies that were not seen one by one: after a gap in the evidence, or when a position was ordered
//! on a misreading and play went on.

use alloc::rc::Rc;

use shakmaty::Position;

use crate::chess::moves::arrival;
use crate::game::Game;
use crate::game::change::{Change, Changes, Line};
use crate::game::clock::Press;
use crate::said::irregularity::Code;
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

    /// Takes back what was found of plies after the first `before` on the strength of not seeing
    /// them. That the second of them was made before the first is so still (1.3).
    fn withdraw_unseen(&mut self, line: &Hypothesis, before: usize) {
        let out_of_turn = self.is_out_of_turn(line, before);
        for id in self.docket.open_after(before) {
            let stands = self.docket.finding(id).is_some_and(|found| {
                let told = &found.irregularity;
                told.code == Code::MovedOutOfTurn && told.ply as usize == before + 1
            });
            if !(out_of_turn && stands) {
                self.withdraw(id);
            }
        }
        self.drop_forfeit();
    }

    /// Whether the second ply of `line` after the first `before` was made before the first.
    fn is_out_of_turn(&self, line: &Hypothesis, before: usize) -> bool {
        let first = before - self.track.base().min(before);
        match line.steps.get(first..) {
            Some([m, reply, ..]) => reply.made_at < m.made_at,
            _ => false,
        }
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
        let out_of_turn = self.is_out_of_turn(line, before);
        self.adopt(Hypothesis::clone(line));
        self.withdraw_unseen(line, before);
        self.tell_line(line, made, completed);
        self.record.set_completed(completed);
        self.state.next_turn();
        self.board.set_gap(false);
        // Presses that waited were for the plies found.
        self.clock.stop_waiting();
        let over = completed == made;
        // What was made out of turn is pressed for next.
        let passed = over || out_of_turn;
        self.clock
            .run(press.map(|press| if passed { !press.by } else { press.by }));
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
