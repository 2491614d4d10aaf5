//! Plies that were not seen one by one: after a gap in the evidence, or when a position was ordered
//! on a misreading and play went on.

use alloc::rc::Rc;
use alloc::vec::Vec;

use shakmaty::{Bitboard, Move, Position, Square};

use crate::game::Game;
use crate::game::change::{Change, Changes, NOTHING};
use crate::game::clock::Press;
use crate::said::irregularity::Code;
use crate::said::symbol::Symbol;
use crate::said::view::FindingStatus;
use crate::track::beam::Fork;
use crate::track::gap::{self, LastPly, Sight};
use crate::track::hypothesis::{Hypothesis, Step};

/// Milliseconds within which nobody makes a move after another was made.
const AT_ONCE: u64 = 150;

impl Game {
    /// Looks for the plies that were not seen one by one; what follows from them, if they are
    /// found. Where more was hidden than could be found, what is played since makes it no clearer.
    pub(crate) fn search_gap(&self, press: Option<Press>, last: LastPly) -> Option<Changes> {
        if self.state.is_lost() && self.board.hides_plies() {
            return None;
        }
        let lines = self.lines_over_gap(press.is_some(), last);
        let line = lines.first()?;
        let made = self.length(line);
        let pressed = press.is_some_and(|press| press.by != line.pos.turn());
        let completed = if pressed { made } else { made - 1 };
        let before = self.length(self.root());
        if press.is_some() && made == before + 1 && !pressed {
            return None;
        }
        Some(alloc::vec![Change::GapClosed {
            lines,
            before,
            completed,
            press
        }])
    }

    /// The lines that lead to what stands: from the last ply that was told where there are any,
    /// else from the last that is complete. At a press the opponent may hold a piece already.
    fn lines_over_gap(&self, at_press: bool, last: LastPly) -> Vec<Hypothesis> {
        let lifted = match at_press {
            true => self.lifted_since_gap(),
            false => Bitboard::EMPTY,
        };
        let contacts = self.board.contacts();
        let told = self.record.len();
        let told = self.made(told).filter(|line| self.length(line) == told);
        // Of a game that was under way when it was first read, the picture is a position.
        let at_start = !self.board.hides_changes();
        let pictured = self.board.last_picture().filter(|_| at_start);
        for start in told.into_iter().chain([self.root()]) {
            let sight = Sight {
                contacts,
                window: self.scan_window(),
                lifted,
                last,
                // What was seen all along was on no other square meanwhile.
                involved: match self.board.gap() {
                    true => Bitboard::FULL,
                    false => self.wrong(start) | start.touched(contacts),
                },
                pictured: pictured.as_ref(),
            };
            let found = gap::lines(&start.pos, sight);
            if !found.is_empty() {
                let lines = found.iter();
                return lines
                    .map(|moves| self.unseen(start, moves, lifted))
                    .collect();
            }
        }
        Vec::new()
    }

    /// Squares that were left after the whole board was read, and no piece has been put down since.
    fn lifted_since_gap(&self) -> Bitboard {
        let mut lifted = Bitboard::EMPTY;
        for change in self.board.contacts().log().iter().rev() {
            if change.symbol != Symbol::Empty || !self.board.was_pictured_before(change.at) {
                break;
            }
            lifted.add(change.square);
        }
        lifted
    }

    /// Whether a line in which one ply was made unseen explains all that stands. Those that were
    /// made since the whole board was read have been seen.
    fn hides_one_ply(&self) -> bool {
        let known = self.record.completed().max(self.record.len());
        let hidden = |line: &Hypothesis| {
            let new = line
                .steps
                .iter()
                .skip(known.saturating_sub(self.track.base()));
            new.filter(|step| !self.board.was_pictured_before(step.made_at))
                .count()
        };
        let mut lines = self.track.all().iter();
        lines.any(|line| self.wrong(line).is_empty() && hidden(line) <= 1)
    }

    /// Whether the board may have been out of sight for more than one ply: no such line explains
    /// what stands.
    pub(crate) fn may_hide_plies(&self) -> bool {
        self.is_open_gap() && !self.hides_one_ply()
    }

    /// The whole board has been read after a while in which it was out of sight: whether more was
    /// played meanwhile than one ply.
    pub(crate) fn weigh_gap(&mut self) {
        let longest = self.record.completed().max(self.record.len()) + 1;
        let strange = |line: &Hypothesis| self.wrong(line) & self.board.planes().occupied();
        let mut lines = self.track.all().iter();
        let known = lines.any(|line| self.length(line) <= longest && strange(line).is_empty());
        if self.is_open_gap() && !known {
            self.board.note_hidden_plies();
            self.excuse_empty_presses(self.record.completed() as u32 + 1);
        }
    }

    /// Whether a piece had gone when the whole board was read again, and is away still though
    /// another one has been put down since: it was not in a hand, and more was played, or befell
    /// the pieces, than one ply.
    pub(crate) fn stays_away_since_gap(&self) -> bool {
        let away = self.wrong(self.best()) & !self.board.planes().occupied();
        let gone = away.into_iter().any(|sq| self.board.is_found(sq));
        gone && self.put_down_since_gap().is_some()
    }

    /// Two plies by ply `k` of the record came to be seen in one moment: no hands are so quick, and
    /// the board was out of sight when they were made. Whoever pressed meanwhile had moved.
    pub(crate) fn excuse_presses_out_of_sight(&mut self, k: usize) {
        let at = |n: usize| self.record.ply(n).map(|ply| ply.at);
        let is_at_once = |n: &usize| {
            let both = at(*n).zip(at(n + 1));
            both.is_some_and(|(one, next)| next.since(one).max(one.since(next)) <= AT_ONCE)
        };
        let first = self.record.completed().max(1);
        if let Some(n) = (first..k).find(is_at_once) {
            self.excuse_empty_presses(n as u32);
        }
    }

    /// Whoever pressed while nothing was seen of the plies that are hidden, from `next` on, has
    /// moved.
    fn excuse_empty_presses(&mut self, next: u32) {
        let open = self.docket.raised().iter().filter(|f| {
            let told = &f.irregularity;
            let empty = told.code == Code::ClockPressedWithoutMove && told.ply >= next;
            empty && f.status == FindingStatus::Open
        });
        let excused: Vec<u32> = open.map(|f| f.irregularity.id).collect();
        if !excused.is_empty() {
            excused.into_iter().for_each(|id| self.withdraw(id));
            self.drop_forfeit();
        }
    }

    /// Whether the board was out of sight while the game was played. Boards that are read by whole
    /// states are always seen so.
    fn is_open_gap(&self) -> bool {
        self.board.hides_changes() && !self.setup.polled
    }

    /// What a press by `by` is for, where it follows plies that nobody saw.
    pub(crate) fn search_gap_at_press(&self, press: Press) -> Option<Changes> {
        let by = Some(press.by);
        // What was put down last is a piece that moved, or one that was set straight.
        let to = self.put_down_since_gap();
        let found = to.and_then(|_| self.search_gap(Some(press), LastPly { by, to }));
        found.or_else(|| self.search_gap(Some(press), LastPly { by, to: None }))
    }

    /// A press after plies that nobody saw: which they were, or the question what was played.
    pub(crate) fn press_after_gap(&mut self, press: Press) -> Changes {
        if let Some(changes) = self.search_gap_at_press(press) {
            return changes;
        }
        match self.may_be_read_again(press) {
            Some(later) => {
                self.clock.wait(later);
                NOTHING
            }
            None => self.lose_thread(&Rc::new(self.root().clone())),
        }
    }

    /// The square that was filled last, if that was seen.
    pub(crate) fn put_down_since_gap(&self) -> Option<Square> {
        let mut changes = self.board.contacts().log().iter().rev();
        let filled = changes.find(|change| change.symbol != Symbol::Empty)?;
        self.board
            .was_pictured_before(filled.at)
            .then_some(filled.square)
    }

    /// The board rests after plies that nobody saw. While it may be that a piece is in the air, it
    /// tells nothing. Once somebody has put one down, it was his move; where there is a clock, its
    /// press says so.
    pub(crate) fn rest_after_gap(&mut self) -> Changes {
        let to = self.put_down_since_gap().filter(|_| !self.setup.clock);
        to.and_then(|_| self.search_gap(None, LastPly { by: None, to }))
            .unwrap_or(NOTHING)
    }

    /// Nothing has moved for so long that nobody holds a piece: what was played is found now, or
    /// asked.
    pub(crate) fn long_rest_after_gap(&mut self) -> Changes {
        let found = self.search_gap(None, LastPly::default());
        found.unwrap_or_else(|| self.lose_thread(&Rc::new(self.root().clone())))
    }

    /// The hypothesis that after `root` these `moves` were made, and nobody saw them; and that the
    /// pieces from `lifted` are in the air.
    fn unseen(&self, root: &Hypothesis, moves: &[Move], lifted: Bitboard) -> Hypothesis {
        let contacts = self.board.contacts();
        let mut pos = root.pos.clone();
        let mut steps = root.steps.clone();
        let times = gap::times(pos.board(), moves, contacts);
        for (&m, made_at) in moves.iter().zip(times) {
            pos.play_unchecked(m);
            steps.push(Step { m, made_at });
        }
        let settled = !lifted;
        let last = settled.into_iter().map(|sq| contacts.since(sq)).max();
        let mut line = Hypothesis::new(pos, last.unwrap_or_default());
        line.steps = steps;
        line
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
            Some([m, reply, ..]) => reply.made_at < m.made_at && !self.is_only_found(m.m),
            _ => false,
        }
    }

    /// The plies after the first `before` were found. What was found on the strength of not seeing
    /// them falls. Where several lines fit, the first is recorded, and the plies on which another
    /// one differs are in doubt.
    pub(crate) fn close_gap(
        &mut self,
        lines: Vec<Hypothesis>,
        before: usize,
        completed: usize,
        press: Option<Press>,
    ) -> Changes {
        let Some(line) = lines.first().cloned() else {
            return NOTHING;
        };
        let made = self.length(&line);
        let out_of_turn = self.is_out_of_turn(&line, before);
        let forks = forks_of(&line, &lines);
        // Where the board was in sight all along, or several lines fit, what is recorded now may be
        // another game than was played: nothing that is found after it is certain.
        if !self.board.gap() || lines.len() > 1 {
            self.board.notice_misreading();
        }
        self.track.adopt(standing_apart(lines));
        self.withdraw_unseen(&line, before);
        self.tell_line(&line, made, completed);
        self.tell_forks(&forks);
        self.record.set_completed(completed);
        self.state.next_turn();
        self.board.set_gap(false);
        // Nothing that is heard again reaches back over the gap.
        self.track.forget_checkpoints();
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
            Change::SettleDoubts,
            Change::CheckEnd {
                k: made,
                released: over
            }
        ]
    }
}

/// One of `lines` for each position that they lead to.
fn standing_apart(lines: Vec<Hypothesis>) -> Vec<Hypothesis> {
    let mut apart: Vec<Hypothesis> = Vec::new();
    for line in lines {
        if !apart.iter().any(|other| other.is_twin(&line)) {
            apart.push(line);
        }
    }
    apart
}

/// The plies of `line` on which it differs from others of the `lines`, where two of them lead to
/// one position by other moves: nothing will ever tell.
fn forks_of(line: &Hypothesis, lines: &[Hypothesis]) -> Vec<Fork> {
    let mut untold = Vec::new();
    for (n, one) in lines.iter().enumerate() {
        for other in lines[..n].iter().filter(|other| other.is_twin(one)) {
            untold.extend(Fork::between(one, other).map(|fork| fork.step));
        }
    }
    let others = lines.iter().flat_map(|other| Fork::between(line, other));
    others.filter(|fork| untold.contains(&fork.step)).collect()
}
