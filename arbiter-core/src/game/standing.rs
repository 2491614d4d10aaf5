//! Illegal moves that stand: the position they left, and whether the opponent has gone on from it.
//!
//! A completed illegal move is told and its undoing ordered, but the players may play on: in rapid
//! and blitz the right to have it undone ends with the opponent's next move, and in standard play
//! nobody may have noticed. So the position as it stands is followed beside the one that was
//! ordered, and the board decides.

use alloc::rc::Rc;
use alloc::vec::Vec;
use core::cmp::Reverse;

use shakmaty::{Bitboard, Chess, Color, EnPassantMode, Position, Role, Square, uci::UciMove};

use crate::chess::moves::legs;
use crate::chess::position::{fen_text, illegal_squares, kings_in_check, position, still_illegal};
use crate::game::Game;
use crate::game::acts::{Moment, illegal_shown};
use crate::game::change::{Change, Changes, NOTHING};
use crate::game::clock::Press;
use crate::game::docket::OpenDoubt;
use crate::judge::handling::Handling;
use crate::judge::picture::{self, Judgement, Picture};
use crate::laws::Rule;
use crate::said::input::TimeClass;
use crate::said::irregularity::{Article, Certainty, Code, Reason};
use crate::said::ruling::{DoubtKind, GameResult, MoveState, ResultReason, Ruling};
use crate::said::symbol::{SensorClass, Symbol};
use crate::said::view::FindingStatus;
use crate::track::backtrack::{Distrust, OPEN};
use crate::track::beam::KEEP;
use crate::track::cost;
use crate::track::hypothesis::{Act, Hypothesis, Illegal};

/// What a pawn can become.
const PROMOTED: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// Without a press, an illegal move that was answered may cost so much more than the best line of
/// legal moves where that leaves the board at rest half explained: as much as one lost reading.
const NEARLY: i32 = cost::LOST;

/// Lines after which an illegal move is looked for at once: the cheapest. What is dearer by so many
/// others is not what was played.
const MOST_ROOTS: usize = 12;

/// Castling that stands half done is finished within so many plies, or never.
const FINISHED_WITHIN: usize = 8;

impl Game {
    /// An illegal move after `root` is found: of all acts only this one is followed from now on.
    pub(crate) fn rule_on_act(&mut self, found: Option<&Hypothesis>) {
        match found {
            Some(line) => {
                let now = self.clock.now();
                self.track.follow(line.clone(), self.board.contacts(), now);
                self.track.rule_on(line);
            }
            None => self.track.forget_irregular(),
        }
    }

    /// The cheapest line in which an illegal move stands that has been told.
    pub(crate) fn standing(&self) -> Option<&Hypothesis> {
        self.irregular(|line| line.act().is_some_and(|act| act.told))
    }

    /// The cheapest line with an act that the Laws do not allow, and for which `which` holds.
    pub(crate) fn irregular(&self, which: impl Fn(&Hypothesis) -> bool) -> Option<&Hypothesis> {
        let when = (self.clock.now(), true);
        self.track
            .best_irregular(self.board.contacts(), when, which)
    }

    /// Whether a standing illegal move that has been told, and what was played from there, explain
    /// the board.
    pub(crate) fn stands_explained(&self) -> bool {
        self.standing()
            .is_some_and(|line| self.total(line) - line.cost_before <= OPEN)
    }

    /// What the cheapest line costs that explains the board by an illegal move.
    pub(crate) fn cost_of_standing(&self) -> Option<i32> {
        let explains = |line: &Hypothesis| self.wrong(line).is_empty();
        self.irregular(explains).map(|line| self.total(line))
    }

    /// Which ply the act of `line` is, counted from 1.
    fn ply_of_act(&self, line: &Hypothesis) -> usize {
        line.act().map_or(0, |act| self.track.base() + act.step + 1)
    }

    /// The line in which `by`, who has pressed, has played on from an illegal move, if that
    /// explains the board and the presses better than any line of legal moves.
    pub(crate) fn played_on(&self, by: Color) -> Option<Hypothesis> {
        let told = |line: &Hypothesis| line.act().is_some_and(|act| act.told);
        let answered = |line: &Hypothesis| line.answers() > 0 && line.pos.turn() != by;
        let lines = self.track.irregular().iter();
        let lines = lines.filter(|line| told(line) || answered(line));
        let line = lines.min_by_key(|line| {
            let total = self.total(line) + self.cost_of_reply(line, by);
            (total, Reverse(line.steps.len()))
        })?;
        (self.total(line) + self.cost_of_use(line, by) < self.cost_of_legal(by))
            .then(|| line.clone())
    }

    /// What it costs that `line` has no reply by `by`, who has pressed: what he has put down is an
    /// illegal move too.
    fn cost_of_reply(&self, line: &Hypothesis, by: Color) -> i32 {
        let put_down = self.wrong(line) & self.board.planes().occupied();
        match self.cost_of_use(line, by) {
            0 => 0,
            _ if put_down.any() => cost::ILLEGAL,
            useless => useless,
        }
    }

    /// What it costs that `line` has no use for a press by `by`.
    fn cost_of_use(&self, line: &Hypothesis, by: Color) -> i32 {
        let answered = line.answers() > 0 && line.pos.turn() != by;
        if answered { 0 } else { cost::UNPRESSED }
    }

    /// What the best line of legal moves costs, a press by `by` included.
    fn cost_of_legal(&self, by: Color) -> i32 {
        let best = self.best_at_press();
        let ordered = self.state.is_putting_back() && (self.differ(&best.pos) & best.misread).any();
        let disobeyed = if ordered { cost::UNREAD } else { 0 };
        let waiting = self.clock.waiting();
        let mine = waiting.last().map_or(self.presser(), |press| !press.by);
        let useless = if by == mine { 0 } else { cost::UNPRESSED };
        // Presses that wait have found no move yet.
        let pressed = self.record.completed() + waiting.len();
        let missing = pressed.saturating_sub(self.length(best)) as i32 * cost::LOST;
        self.total(best) + disobeyed + useless + missing
    }

    /// A standing illegal move that has been told, and the opponent has answered it by another:
    /// that is told too. What is to be put back stays the position before the first.
    pub(crate) fn answered_illegally(&mut self, line: &Hypothesis) -> Option<Change> {
        let told = line.act().is_some_and(|act| act.told);
        if !told || line.answers() > 0 || !self.state.is_putting_back() {
            return None;
        }
        let handling = self.handling_of_open_turn(line);
        if handling.in_hand(line.pos.turn()) {
            return None;
        }
        let judged = picture::judge(&self.picture(line, &handling));
        let illegal = illegal_shown(judged)?;
        let reason = illegal.reason.unwrap_or(Reason::Other);
        let sure = !illegal.squares.is_empty() && self.is_wholly_seen(line, &handling, reason);
        let found = self.illegal_found(line, illegal.clone(), sure, None);
        if let Some(mut answered) = self.as_it_stands(line, &handling, illegal) {
            answered.acts.iter_mut().for_each(|act| act.told = true);
            answered.cost = line.cost;
            self.track
                .follow(answered, self.board.contacts(), self.clock.now());
        }
        found
    }

    /// Whether `by` presses with nothing moved since the illegal move of his opponent that is to be
    /// put back: he gives him the clock, and answers nothing.
    pub(crate) fn gives_clock_back(&self, line: &Hypothesis, by: Color) -> bool {
        let ordered = self.state.is_putting_back() && line.act().is_some_and(|act| act.told);
        ordered && line.answers() == 0 && line.pos.turn() == by && self.wrong(line).is_empty()
    }

    /// What was pressed for would be an illegal move, and a line in which an earlier one was played
    /// on from explains it for less: what follows then. Nobody is accused where that is enough.
    pub(crate) fn go_on_from_standing(&mut self, press: Press) -> Option<Changes> {
        let (k, completed) = (self.pressed_ply(), self.record.completed());
        let explains = |line: &Hypothesis| {
            let answered = line.answers() > 0 && line.acts.len() == 1;
            answered && self.length(line) == k && self.total(line) - line.cost <= OPEN
        };
        let line = self.irregular(explains)?.clone();
        if self.total(&line) >= self.total(self.best()) + cost::ILLEGAL {
            return None;
        }
        let mut changes = self.play_on(&line);
        if self.ply_of_act(&line) < completed {
            changes.push(Change::GoOn(completed));
        }
        changes.push(Change::Answer(press));
        Some(changes)
    }

    /// Plies up to `k`, for which somebody had pressed as they were told before, are completed as
    /// they are told now.
    pub(crate) fn complete_followed(&mut self, k: usize) -> Changes {
        match self.made(k).cloned() {
            Some(line) => self.complete_without_press(&Rc::new(line), k),
            None => NOTHING,
        }
    }

    /// What follows from `line`: its act is told, if it was not, and stands.
    pub(crate) fn play_on(&mut self, line: &Hypothesis) -> Changes {
        let Some(act) = line.act() else {
            return NOTHING;
        };
        let ply = self.ply_of_act(line);
        if act.told && !self.withdraw_laid_down(act, ply) {
            // Whatever else left the board with it did so before the reply.
            self.track.keep_act(line);
            return alloc::vec![Change::LetStand];
        }
        let mut before = line.clone();
        before.steps.truncate(act.step);
        before.acts.clear();
        before.pos = self.position_in(&before, self.length(&before));
        let (illegal, stood) = (act.illegal.clone(), Some(&act.after));
        // Play goes on beside what is to be put up; nobody is accused of that.
        let is_left = self.is_left_as_ordered(&before, stood);
        let found = (!is_left).then(|| self.illegal_found(&before, illegal, false, stood));
        let found = found.flatten().map(|found| match line.is_rather_misread() {
            true => found.at_most(Certainty::Possible),
            false => found,
        });
        self.track.rule_on(line);
        self.clock.stop_waiting();
        let commit = Change::Commit {
            line: Rc::new(before),
            k: ply - 1,
        };
        let first = [Change::WeighStart, commit].into_iter().chain(found);
        let restore = (!is_left).then_some(Change::ProposeRestore(ply));
        first.chain([Change::LetStand]).chain(restore).collect()
    }

    /// The illegal move stands: it enters the record, and the game goes on from what it left.
    pub(crate) fn let_stand(&mut self) {
        let Some(line) = self.standing().cloned() else {
            return;
        };
        let (ply, completed) = (self.ply_of_act(&line), self.record.completed());
        let Some(act) = line.act() else { return };
        // The plies before it are told first.
        self.tell_line(&line, ply - 1, completed.max(ply - 1));
        self.tell_standing_move(act, ply);
        let made_at = line.steps[act.step].made_at;
        self.track.let_stand(&line);
        // What was handled for it is nothing of the reply.
        self.board.forget_before(made_at);
        self.record.set_completed(ply);
        self.clock.run(Some(act.after.turn()));
        let begun = self.track.oldest(self.board.contacts());
        self.clock.start_turn(self.clock.now().min(begun));
        self.state.next_turn();
        let rests_on = |d: &OpenDoubt| d.doubt.kind == DoubtKind::PiecesExchanged;
        self.docket
            .retain_doubts(|d| (d.doubt.ply as usize) < ply || rests_on(d));
    }

    /// An illegal move enters the record; what was ordered to be put back need not be any more.
    fn tell_standing_move(&mut self, act: &Act, ply: usize) {
        if self.record.len() >= ply {
            self.record.truncate(ply - 1);
            self.say(Ruling::Revision {
                from_ply: ply as u32,
                moves: Default::default(),
            });
        }
        self.record
            .push_standing(act.from, act.to, act.after.clone(), self.clock.now());
        let told = &self.record.plies()[ply - 1];
        let (uci, san, fen) = (told.uci, told.san(), fen_text(&act.after));
        let state = MoveState::Completed;
        self.say(Ruling::Move {
            ply: ply as u32,
            uci,
            san,
            fen,
            state,
        });
        self.end_putting_back();
    }

    /// Without a clock a move is complete when it is answered. What was called an illegal one and
    /// has become a legal one before that was none.
    pub(crate) fn excuse_unanswered(&mut self) {
        let ply = self.record.len();
        let legal = self.record.ply(ply).is_some_and(|told| told.m.is_some());
        if self.setup.clock || !legal || !self.state.is_putting_back() {
            return;
        }
        let open = self.docket.raised().iter().filter(|f| {
            let of_ply = f.irregularity.code.is_illegal_move() && f.is_of(ply);
            of_ply && f.status == FindingStatus::Open
        });
        let excused: Vec<u32> = open.map(|f| f.irregularity.id).collect();
        if excused.is_empty() {
            return;
        }
        excused.into_iter().for_each(|id| self.withdraw(id));
        self.drop_forfeit();
        self.state.stop_putting_back();
        let fen = fen_text(self.record.last());
        let squares = Vec::new();
        self.say(Ruling::Restore { fen, squares });
    }

    /// The board stands still and no line of legal moves explains it. Where no press completes a
    /// move, what stands may be an illegal one, and the reply shows that it was completed.
    pub(crate) fn rest_illegally(&mut self) -> Changes {
        if self.state.is_lost() {
            return NOTHING;
        }
        if let Some(changes) = self.settle_unpressed() {
            return changes;
        }
        if self.completes_by_reply() && !self.is_putting_right() {
            self.suspect_acts();
        }
        NOTHING
    }

    /// Whether what was displaced is being put back, and play does not go on from it.
    pub(crate) fn is_putting_right(&self) -> bool {
        self.state.is_putting_right() && self.answered_out_of_turn(self.root(), None).is_none()
    }

    /// An illegal move that was answered was completed by the answer: it is told, and stands.
    pub(crate) fn settle_unpressed(&mut self) -> Option<Changes> {
        let contacts = self.board.contacts();
        let answered = |line: &Hypothesis| line.is_answered() && line.wrong(contacts).is_empty();
        let line = self.irregular(answered)?.clone();
        let explained = self.wrong(self.best()).is_empty();
        let nearly = if explained { 0 } else { NEARLY };
        if !self.completes_by_reply()
            || self.may_be_missed(&line)
            || self.may_be_setting_up(&line)
            || self.is_perhaps_setting_up()
            || self.may_be_sign(&line)
            || (!explained && self.is_in_hand_only())
            || self.board.suspect().any()
            || self.total(&line) >= self.total(self.best()) + nearly
        {
            return None;
        }
        // What was put down and is not read yet is no breach.
        if let Some(changes) = self.backtrack_before_accusing(Distrust::Known) {
            return Some(changes);
        }
        let mut changes = self.play_on(&line);
        changes.push(match line.acts.len() {
            1 => Change::Explained,
            // Another one was answered too.
            _ => Change::RestsIllegally,
        });
        Some(changes)
    }

    /// Whether the act of `line` may be plies that were missed: a board that is read by whole
    /// states shows several pieces at once where a state was late.
    fn may_be_missed(&self, line: &Hypothesis) -> bool {
        let reason = line.act().and_then(|act| act.illegal.reason);
        self.setup.polled && matches!(reason, Some(Reason::TwoPiecesMoved | Reason::Other))
    }

    /// Where no press completes a move, a reply may come before the board has stood still: what
    /// stood when it began is looked at in motion.
    pub(crate) fn suspect_acts_in_motion(&mut self) {
        if self.completes_by_reply() && !self.is_putting_right() {
            let (contacts, now) = (self.board.contacts(), self.clock.now());
            if self.best().total(contacts, now, false) > OPEN {
                self.suspect_acts();
            }
        }
    }

    /// Whether a line of legal moves explains the board but for pieces that have been taken up.
    pub(crate) fn is_in_hand_only(&self) -> bool {
        let best = self.best();
        (self.wrong(best) & self.board.planes().occupied()).is_empty()
    }

    /// What stands may be an illegal move after one of the lines: it is followed beside them.
    pub(crate) fn suspect_acts(&mut self) {
        let (contacts, now) = (self.board.contacts(), self.clock.now());
        let best = self.best().total(contacts, now, false);
        let mut roots = Vec::new();
        for line in self.track.all().iter().chain(self.track.irregular()) {
            let total = line.total(contacts, now, false);
            if total <= best + cost::ILLEGAL && line.wrong(contacts).any() {
                roots.push((total, line));
            }
        }
        roots.sort_by_key(|(total, _)| *total);
        roots.truncate(MOST_ROOTS);
        let roots: Vec<Hypothesis> = roots.into_iter().map(|(_, line)| line.clone()).collect();
        for root in roots {
            let handling = self.handling_of_open_turn(&root);
            for then in self.moments(&root, &handling) {
                self.suspect_act(&root, &then);
            }
        }
    }

    /// What stood `then` may have been an illegal move after `root`.
    fn suspect_act(&mut self, root: &Hypothesis, then: &Moment) {
        let picture = Picture {
            misread: root.misread | then.replying,
            ..self.picture(root, &then.handling)
        };
        // At a press it is a matter of cost what else it may be; where nobody presses, the turn may
        // not be over.
        let judged = match picture::judge(&picture) {
            // A legal move stands, but only one that nobody saw.
            Judgement::Displaced { squares, .. }
                if squares.is_empty() && self.setup.sensor == SensorClass::Occupancy =>
            {
                picture::as_illegal(&picture)
            }
            _ if self.setup.clock => picture::as_illegal(&picture),
            judged => Some(judged),
        };
        let illegal = match judged {
            Some(Judgement::PawnLeft { promotion }) => Some(self.pawn_left(promotion, root)),
            judged => judged.and_then(illegal_shown),
        };
        let line = illegal.and_then(|illegal| self.as_it_stood(root, then, illegal));
        // Who makes pieces change places has moved none of them: whatever moves leaves its square.
        let leaves = |line: &Hypothesis| {
            let (before, after) = (root.pos.board(), line.pos.board());
            (before.occupied() & !after.occupied()).any()
        };
        let line = line.filter(|line| line.cost - root.cost <= KEEP && leaves(line));
        if let Some(line) = line {
            let now = self.clock.now();
            self.track.follow(line, self.board.contacts(), now);
        }
    }
}

/// Positions that are illegal for good, in rapid and blitz without full supervision (A.5.4).
impl Game {
    /// Both kings stood in check, and after the move they still do: no new offence, the position is
    /// waited out.
    pub(crate) fn wait_out_checks(
        &mut self,
        root: &Hypothesis,
        handling: &Handling,
    ) -> Option<Changes> {
        if self.waits_for_one_move().is_none() || !kings_in_check(&root.pos) {
            return None;
        }
        let line = self.as_it_stands(root, handling, Illegal::unjudged())?;
        let ply = self.ply_of_act(&line);
        if !kings_in_check(&line.pos) {
            return None;
        }
        self.track
            .follow(line.clone(), self.board.contacts(), self.clock.now());
        self.track.rule_on(&line);
        Some(alloc::vec![Change::LetStand, Change::WatchPosition(ply)])
    }

    /// The article that has an illegal position waited out for one move, where it applies.
    fn waits_for_one_move(&self) -> Option<Article> {
        let thin = !self.setup.supervised && self.setup.class != TimeClass::Standard;
        self.laws().find_article(Rule::Standing).filter(|_| thin)
    }

    /// Both kings in check, or a pawn left on the last rank whose owner has the move again. One
    /// more move is waited for; if the position still stands then, it is a draw.
    pub(crate) fn watch_position(&mut self, k: usize) -> Changes {
        let Some(article) = self.waits_for_one_move().filter(|_| k > 0) else {
            return NOTHING;
        };
        let pos = self.record.position(k);
        let now = illegal_squares(&pos);
        let before = illegal_squares(&self.record.position(k - 1));
        if now.any() && !self.docket.has_found(Code::IllegalPositionStanding) {
            self.find_position(Code::IllegalPositionStanding, now.into_iter().collect(), k);
        }
        let stayed = (before & pos.board().occupied()).any() && still_illegal(&pos);
        if !stayed || !self.laws().waits_out_illegal_positions {
            return NOTHING;
        }
        let (result, reason) = (GameResult::Draw, ResultReason::IllegalPosition);
        alloc::vec![self.declared(result, true, reason, article)]
    }

    /// Castling that stands half done is finished at last, when it has been answered: the position
    /// after that, if that is what stands. The king has not gone on: beside him no rook can make
    /// that step by a move.
    pub(crate) fn with_castling_finished(&self) -> Option<Chess> {
        let completed = self.record.completed();
        if !self.setup.clock || self.record.len() > completed {
            return None;
        }
        let mut recent = (1..=completed).rev().take(FINISHED_WITHIN);
        let ply = recent.find(|ply| self.is_standing(*ply))?;
        let (before, last) = (self.record.position(ply - 1), self.record.last());
        let moved = self.record.ply(ply)?.uci;
        let castling = before.legal_moves().into_iter().find(|m| {
            let king = legs(*m).next();
            m.is_castle() && king == from_to(moved)
        })?;
        let (by, at) = (before.turn(), |sq| last.board().piece_at(sq));
        let king = legs(castling).next().map(|(_, to)| to)?;
        let (from, to) = legs(castling).nth(1)?;
        if at(king) != Some(by.king()) || at(from) != Some(by.rook()) || at(to).is_some() {
            return None;
        }
        let mut setup = last.to_setup(EnPassantMode::Legal);
        setup.board.discard_piece_at(from);
        setup.board.set_piece_at(to, by.rook());
        let stands = self.board.planes().differ(&setup.board).is_empty();
        stands.then(|| position(&setup, self.setup.castling_mode()))?
    }

    /// A pawn that stood on the last rank as an illegal position is replaced at last: the position,
    /// which is legal again.
    pub(crate) fn with_pawn_replaced(&self) -> Option<Chess> {
        let pos = self.record.last();
        for sq in pos.board().pawns() & Bitboard::BACKRANKS {
            let Symbol::Piece(piece) = self.board.planes().at(sq) else {
                continue;
            };
            let same_colour = pos.board().color_at(sq) == Some(piece.color);
            if same_colour && PROMOTED.contains(&piece.role) {
                let mut setup = pos.to_setup(EnPassantMode::Legal);
                setup.board.set_piece_at(sq, piece);
                return position(&setup, self.setup.castling_mode());
            }
        }
        None
    }
}

/// From where to where a move goes, as it is written.
fn from_to(uci: UciMove) -> Option<(Square, Square)> {
    match uci {
        UciMove::Normal { from, to, .. } => Some((from, to)),
        _ => None,
    }
}
