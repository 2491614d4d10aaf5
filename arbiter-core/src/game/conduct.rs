//! Conduct: announcements and touches out of turn, presses that come too early, clocks stopped
//! without a reason.
//!
//! None of these costs anything by itself or binds a move. Nobody sees whose hand it was, and
//! nothing here is certain.

use shakmaty::{Bitboard, Chess, Color, Position, Square};

use crate::chess::moves::{arrival, victim_square};
use crate::game::find::Terms;
use crate::game::{Game, Press};
use crate::judge::article_4::Breach;
use crate::judge::handling::Handling;
use crate::laws::Rule;
use crate::said::irregularity::{Certainty, Code, Party};
use crate::said::symbol::Symbol;
use crate::said::time::Time;
use crate::said::view::FindingStatus;
use crate::sense::contacts::Change;
use crate::track::hypothesis::{Hypothesis, Step};

/// What waits to be judged.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Conduct {
    /// When the clock was pressed for the ply that is being completed.
    pub(crate) pressed: Option<Time>,
    /// An adjustment announced by the player not having the move.
    stray: Option<(Color, Time)>,
    /// Clocks that were stopped for no reason that has been seen.
    stop: Option<(Color, Time)>,
    /// Pieces were seen astray, and the position ordered is the one before that.
    pub(crate) astray: bool,
}

impl Game {
    /// A finding that binds nobody and costs nothing by itself; its number.
    pub(crate) fn note(
        &mut self,
        code: Code,
        by: Party,
        certainty: Certainty,
        squares: Bitboard,
        ply: usize,
    ) -> u32 {
        let shaky = self.is_shaky() || self.in_question().any();
        let certainty = if shaky {
            certainty.min(Certainty::Likely)
        } else {
            certainty
        };
        let article = self.laws().article_of_code(code);
        let before = self.record.position(ply.saturating_sub(1));
        let terms = Terms {
            by,
            article,
            claim: self.right_to_object(code),
            penalty: None,
        };
        let by = if by == Party::Black {
            Color::Black
        } else {
            Color::White
        };
        let squares = squares.into_iter().collect();
        let breach = Breach {
            code,
            reason: None,
            by,
            certainty,
            squares,
            required: None,
        };
        let irregularity = self.compose(breach, ply, &before, terms);
        self.raise(irregularity);
        self.findings.len() as u32
    }

    /// When something that waits is due.
    pub(crate) fn conduct_due(&self) -> Option<Time> {
        let stray = self
            .conduct
            .stray
            .map(|(_, at)| at + self.setup.options.announced_touch_ms);
        let stop = self
            .conduct
            .stop
            .map(|(_, at)| at + self.setup.options.stop_grace_ms);
        let earliest = [stray, stop].into_iter().flatten().min();
        earliest.filter(|_| !self.is_idle())
    }

    /// Judges what is due.
    pub(crate) fn judge_conduct(&mut self) {
        let due = |window, at: Time| self.now >= at + window;
        let stray = self
            .conduct
            .stray
            .filter(|(_, at)| due(self.setup.options.announced_touch_ms, *at));
        let stop = self
            .conduct
            .stop
            .filter(|(_, at)| due(self.setup.options.stop_grace_ms, *at));
        if stray.is_some() {
            let before = self.root().pos.clone();
            self.judge_stray(&before, None, self.completed + 1);
        }
        if let Some((by, _)) = stop {
            self.conduct.stop = None;
            if !self.has_reason_to_stop(by) {
                let (code, ply) = (Code::ClockStoppedWithoutReason, self.completed + 1);
                self.note(code, by.into(), Certainty::Possible, Bitboard::EMPTY, ply);
            }
        }
    }

    /// `by` announces an adjustment. That is for the player having the move, or whose clock runs
    /// (4.2.1, 6.2.5).
    pub(crate) fn watch_announcement(&mut self, by: Color) {
        let has_move = self.beam.all().iter().any(|a| a.pos.turn() == by);
        if !has_move && self.running != Some(by) {
            self.conduct.stray = self.conduct.stray.or(Some((by, self.now)));
        }
    }

    /// An announcement out of turn, or the touching that followed it: one finding, the graver one.
    fn judge_stray(&mut self, before: &Chess, taken: Option<Square>, ply: usize) {
        let Some((by, at)) = self.conduct.stray.take() else {
            return;
        };
        let theirs = before.board().by_color(by);
        let lifted = self
            .contacts
            .log_since(at)
            .filter(|c| c.symbol == Symbol::Empty)
            .map(|c| c.square);
        let touched = lifted
            .filter(|sq| theirs.contains(*sq) && Some(*sq) != taken)
            .collect::<Bitboard>();
        let code = if touched.any() {
            Code::OpponentTouchedPiecesOutOfTurn
        } else {
            Code::AdjustOutOfTurn
        };
        self.note(code, by.into(), Certainty::Likely, touched, ply);
    }

    /// What the players did besides the move of ply `ply`, which is completed now.
    pub(crate) fn watch_ply(
        &mut self,
        ply: usize,
        step: &Step,
        before: &Chess,
        handling: &Handling,
    ) {
        self.judge_stray(before, victim_square(step.m), ply);
        self.watch_early_touch(ply, step, before);
        self.ask_hands(ply, step.m, handling);
        self.ask_exchanged(ply, step.m.from(), handling);
    }

    /// A piece that the mover could not capture, in the air well before he had made his move and
    /// still when it was made: the opponent took it up without having the move (4.3, 11.5).
    fn watch_early_touch(&mut self, ply: usize, step: &Step, before: &Chess) {
        let window = self.setup.options.early_touch_ms;
        let own = before.us();
        let log = self.contacts.log();
        let Some(begun) = log
            .iter()
            .find(|c| own.contains(c.square) && c.at <= step.made_at)
            .map(|c| c.at)
        else {
            return;
        };
        let in_the_air = |sq: Square| {
            let last = log.iter().rfind(|c| c.square == sq && c.at <= step.made_at);
            let early = |c: &&Change| c.at > begun && step.made_at.since(c.at) > window;
            // What was read late stands only after its press; the opponent had the move by then.
            let in_turn = |c: &&Change| self.conduct.pressed.is_none_or(|pressed| c.at <= pressed);
            last.filter(|c| c.symbol == Symbol::Empty)
                .filter(early)
                .filter(in_turn)
                .is_some()
        };
        let lifted: Bitboard = before
            .them()
            .into_iter()
            .filter(|sq| in_the_air(*sq))
            .collect();
        if lifted.is_empty() {
            return;
        }
        let lifted = lifted
            & !before
                .legal_moves()
                .iter()
                .filter_map(|m| victim_square(*m))
                .collect::<Bitboard>();
        // Without a clock, or on a square that cannot be read, nothing tells when the move was made
        // and when the board came to show it.
        let unread = self.suspect.contains(arrival(step.m));
        let vague = self.setup.polled || self.gap || !self.setup.clock || unread;
        // A second piece in the air was knocked over; a reply takes up one.
        if lifted.count() == 1 && !vague && self.conduct.stray.is_none() {
            let by = !before.turn();
            self.note(
                Code::OpponentTouchedPiecesOutOfTurn,
                by.into(),
                Certainty::Possible,
                lifted,
                ply,
            );
        }
    }

    /// A press has waited and the move has come. A reading that comes late looks the same: never
    /// more than likely, and from then on the board may be one that loses readings.
    pub(crate) fn watch_waiting_press(&mut self, press: Press, line: &Hypothesis, k: usize) {
        let Some(step) = self.step_of(line, k) else {
            return;
        };
        let o = &self.setup.options;
        let lifted = step.m.from().map(|from| self.contacts.since(from));
        let in_the_air = lifted.is_some_and(|at| at + o.brush_ms < press.at);
        let late = self.contacts.since(arrival(step.m)) > press.at + o.early_press_ms;
        let read_whole = !self.setup.polled && !self.gap && line.misread.is_empty();
        if in_the_air && late && read_whole && self.laws().find_article(Rule::EarlyPress).is_some()
        {
            // Where readings were lost before, one more is no less likely than a hasty hand.
            let certainty = if self.misreads || self.is_suspect() {
                Certainty::Possible
            } else {
                Certainty::Likely
            };
            self.misreads = true;
            // Nobody holds his piece in the air while the opponent moves and presses.
            if self.pending.is_empty() {
                self.note(
                    Code::ClockPressedTooEarly,
                    press.by.into(),
                    certainty,
                    arrival(step.m).into(),
                    k,
                );
            }
        }
    }

    /// `by` has stopped the clocks.
    pub(crate) fn watch_stop(&mut self, by: Color) {
        self.conduct.stop = Some((by, self.now)).filter(|_| !self.has_reason_to_stop(by));
    }

    /// Something to call the arbiter about, or a piece to be fetched (6.11.2, 6.11.3).
    fn has_reason_to_stop(&self, by: Color) -> bool {
        let root = self.root();
        let promotes = root.pos.turn() == by && root.legal().iter().any(|m| m.is_promotion());
        let open = self
            .findings
            .iter()
            .any(|f| f.status == FindingStatus::Open);
        promotes
            || open
            || !self.doubts.is_empty()
            || self.restore.is_some()
            || !self.pending.is_empty()
    }

    /// What was said or ordered explains why the clocks were stopped.
    pub(crate) fn excuse_stop(&mut self) {
        self.conduct.stop = None;
    }
}
