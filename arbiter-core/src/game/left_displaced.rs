//! What nobody puts right, and play goes on from: displaced pieces, a second move, a press without
//! a move.
//!
//! What was displaced is to be put back before anything else is played (7.4.1, 7.6), and until then
//! no move is looked for. But where a legal move stands beside it, and whoever plays on has pressed
//! or been answered, nobody is putting anything back. He has made a legal move from what stands: it
//! is recorded so, and he is accused of nothing. That the pieces were displaced has been told.
//!
//! Only boards that see pieces know which have changed places; of a second move and of a pass every
//! board does.

use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::vec::Vec;

use shakmaty::{Bitboard, Chess, Color, EnPassantMode, Move, Position, Square};

use crate::chess::moves::{arrival, legal_moves, origin, squares_of};
use crate::chess::position::fen_text;
use crate::game::Game;
use crate::game::change::{Change, Changes, NOTHING};
use crate::game::clock::Press;
use crate::game::exchanged::differing;
use crate::game::out_of_turn::after;
use crate::game::start_of;
use crate::judge::picture::Judgement;
use crate::said::irregularity::{Certainty, Code, Party};
use crate::said::ruling::Ruling;
use crate::said::symbol::{SensorClass, Symbol};
use crate::said::time::Time;
use crate::said::view::FindingStatus;
use crate::track::cost;
use crate::track::hypothesis::{Hypothesis, Step};
use crate::track::look::Look;

/// A move, and its answer.
const ANSWERED: usize = 2;

/// A position that was ordered, and the pieces that no move put where they stand.
#[derive(Clone, Debug)]
pub(crate) struct Displaced {
    pub(crate) ordered: Chess,
    /// The same with the pieces where they stand.
    pub(crate) stands: Chess,
    /// The squares that differ.
    pub(crate) squares: Bitboard,
    /// After so many plies, and what identifies the position there.
    pub(crate) length: usize,
    key: u64,
    /// Since when they have stood there.
    pub(crate) since: Time,
    /// Whether the game had begun when they were found so.
    begun: bool,
    kind: Kind,
}

/// Why pieces stand where no move put them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// They have changed places.
    Exchanged,
    /// Who had moved has moved once more. That may stand as his next move as well.
    MovedTwice,
    /// None does: who had the move has pressed without one, as if he passed.
    Passed,
}

impl Game {
    /// The position after `length` plies was `ordered`: where pieces on `wrong` squares have
    /// changed places since, notes how it stands with them there.
    pub(crate) fn note_displaced(&mut self, length: usize, ordered: &Chess, wrong: Bitboard) {
        let squares = match self.are_exchanged(ordered, wrong) {
            true => wrong,
            false => self.exchanged_among(ordered, wrong),
        };
        let stands = self.with_displaced(ordered, squares);
        if let Some(stands) = stands.filter(|_| squares.any()) {
            self.note(Kind::Exchanged, length, (ordered, stands), squares);
        }
    }

    /// Who has made the last ply of `line` has made `m` besides, which is to be put back: notes how
    /// it stands with that.
    pub(crate) fn note_second_move(&mut self, line: &Hypothesis, m: Move) {
        let (length, other) = (self.length(line), self.with_turn_passed(line));
        if let Some(other) = other.filter(|_| length > 0) {
            let positions = (&line.pos, after(&other, m));
            self.note(Kind::MovedTwice, length, positions, squares_of(m));
        }
    }

    /// The same, where the opponent has made ply `ply` since.
    pub(crate) fn note_second_move_before(&mut self, ply: usize, m: Move) {
        let Some(length) = ply.checked_sub(1).filter(|length| *length > 0) else {
            return;
        };
        // Displaced pieces that are still to be put back are what play may go on from.
        if self.displaced.is_some() && self.state.is_putting_back() {
            return;
        }
        let line = Hypothesis::new(self.record.position(length), Time::default());
        if let Some(other) = self.with_turn_passed(&line) {
            let positions = (&line.pos, after(&other, m));
            self.note(Kind::MovedTwice, length, positions, squares_of(m));
        }
    }

    /// Who has the move after `root` has pressed without one, which was found: the opponent may go
    /// on as if he had passed.
    pub(crate) fn note_pass(&mut self, root: &Hypothesis) {
        // Displaced pieces that are still to be put back are what play may go on from.
        if self.displaced.is_some() && self.state.is_putting_back() {
            return;
        }
        let (length, nothing) = (self.length(root), Bitboard::EMPTY);
        if let Some(stands) = self.with_turn_passed(root).filter(|_| length > 0) {
            self.note(Kind::Passed, length, (&root.pos, stands), nothing);
            if let Some(displaced) = &mut self.displaced {
                displaced.since = self.clock.now();
            }
        }
    }

    fn note(
        &mut self,
        kind: Kind,
        length: usize,
        (ordered, stands): (&Chess, Chess),
        squares: Bitboard,
    ) {
        let contacts = self.board.contacts();
        let put_there = squares.into_iter().map(|sq| contacts.since(sq));
        let displaced = Displaced {
            ordered: ordered.clone(),
            squares,
            length,
            key: self.record.key_at(length),
            since: put_there.max().unwrap_or_default(),
            begun: self.has_begun(),
            kind,
            stands,
        };
        self.displaced = Some(Box::new(displaced));
    }

    /// The board has stood still for long: more pieces may have changed places since they were to
    /// be put back.
    pub(crate) fn note_displaced_anew(&mut self) {
        let Some(displaced) = self.displaced.clone() else {
            return;
        };
        let Displaced {
            ordered, length, ..
        } = &*displaced;
        let wrong = self.differ(ordered);
        let still = displaced.kind == Kind::Exchanged && self.state.is_putting_back();
        if still && wrong != displaced.squares && self.are_exchanged(ordered, wrong) {
            self.note_displaced(*length, ordered, wrong);
            if let Some(anew) = &mut self.displaced {
                anew.begun = displaced.begun;
            }
        }
    }

    /// `pos` with what a board that sees pieces reads on `squares` instead of its own.
    pub(crate) fn with_displaced(&self, pos: &Chess, squares: Bitboard) -> Option<Chess> {
        let mut setup = pos.to_setup(EnPassantMode::Legal);
        for sq in squares {
            let Symbol::Piece(piece) = self.board.planes().at(sq) else {
                return None;
            };
            setup.board.set_piece_at(sq, piece);
        }
        let stands = self.position_as_set_up(pos, setup)?;
        (stands.turn() == pos.turn()).then_some(stands)
    }

    /// The squares among the `wrong` ones on which two pieces of one player stand instead of each
    /// other in `pos`.
    fn exchanged_among(&self, pos: &Chess, wrong: Bitboard) -> Bitboard {
        let (board, planes) = (pos.board(), self.board.planes());
        let stands_for = |sq: Square, other: Square| {
            let piece = board.piece_at(other).filter(|_| sq != other);
            let alike = board.color_at(sq) == board.color_at(other);
            alike && piece.is_some_and(|piece| planes.at(sq) == Symbol::Piece(piece))
        };
        let changed = |a: Square| {
            let mut others = wrong.into_iter();
            others.any(|b| stands_for(a, b) && stands_for(b, a))
        };
        wrong.into_iter().filter(|sq| changed(*sq)).collect()
    }

    /// Without a clock: pieces of one player have changed places, which nobody has told, and
    /// `plies` legal moves have been made from there since. The line that was told before, and the
    /// squares.
    pub(crate) fn exchanged_and_moved_on(&self, plies: usize) -> Option<(Hypothesis, Bitboard)> {
        if self.setup.clock || self.state.is_putting_back() {
            return None;
        }
        let line = self.line_told()?;
        let squares = self.exchanged_among(&line.pos, self.wrong(&line));
        let stands = self.with_displaced(&line.pos, squares);
        let played = self.played_from(&stands.filter(|_| squares.any())?, plies);
        played.map(|_| (line, squares))
    }

    /// The line that was told. It is given up where a man is in the air whom none of its moves
    /// lifts.
    fn line_told(&self) -> Option<Hypothesis> {
        let told = |line: &&Hypothesis| self.length(line) == self.record.len();
        if let Some(line) = self.track.all().iter().find(told) {
            return Some(line.clone());
        }
        let steps = self.record.steps(self.track.base(), self.record.len());
        let since = steps.last()?.made_at;
        let mut line = Hypothesis::new(self.record.last().clone(), since);
        line.steps = steps;
        (self.length(&line) == self.record.len()).then_some(line)
    }

    /// A press by who has exchanged pieces of his: with no move, or after one.
    pub(crate) fn rule_on_exchange(
        &mut self,
        root: &Hypothesis,
        judged: &Judgement,
        press: Press,
    ) -> Option<Changes> {
        let wrong = self.wrong(root);
        if self.are_exchanged(&root.pos, wrong) && !self.may_be_castling(&root.pos, wrong) {
            // Whatever moves leaves its square: nobody has moved. The exchange is told at a rest;
            // half way it looked as if one of the two had taken the other.
            self.track.forget_irregular();
            return Some(match press.is_inferred() {
                true => NOTHING,
                false => self.find_no_move(root, false, press),
            });
        }
        let Judgement::Illegal { .. } = judged else {
            return None;
        };
        let (m, squares) = self.moved_and_exchanged(root)?;
        self.adopt(self.adopted(root, m, squares));
        let by = press.by;
        let hand = self.displacer(squares, root.since, by);
        let displaced = Change::Displaced { squares, by, hand };
        Some(alloc::vec![Change::Complete(press), displaced])
    }

    /// Whether what changed places is a king with his rook, as castling may do it in Chess960.
    fn may_be_castling(&self, pos: &Chess, squares: Bitboard) -> bool {
        let royal = pos.board().kings() | pos.board().rooks();
        self.setup.chess960 && squares.count() == 2 && squares.is_subset(royal)
    }

    /// Whether pieces have changed places since what was told, and nothing else is wrong: whatever
    /// moves leaves its square.
    pub(crate) fn is_only_exchanged(&self) -> bool {
        let told = |line: &&Hypothesis| self.length(line) == self.record.len();
        let line = self.track.all().iter().find(told);
        line.is_some_and(|line| {
            let wrong = self.wrong(line);
            self.are_exchanged(&line.pos, wrong) && !self.may_be_castling(&line.pos, wrong)
        })
    }

    /// A legal move after `root`, after which two other pieces of its player have changed places,
    /// and the opponent may have answered it before anybody pressed. The squares of the two.
    fn moved_and_exchanged(&self, root: &Hypothesis) -> Option<(Move, Bitboard)> {
        if self.setup.sensor != SensorClass::Piece {
            return None;
        }
        let found = root.legal().iter().map(|m| {
            let mut after = root.pos.clone();
            after.play_unchecked(*m);
            let wrong = self.differ(&after) & after.them() & !squares_of(*m);
            let squares = self.exchanged_among(&after, wrong);
            let stands = squares.any().then(|| self.with_displaced(&after, squares));
            let stands = stands.flatten()?;
            let explains = |plies| self.played_from(&stands, plies).is_some();
            (explains(0) || explains(1)).then_some((*m, squares))
        });
        found.flatten().next()
    }

    /// At a rest, where nobody presses: pieces have changed places, and moves have been made and
    /// answered from where they stand.
    pub(crate) fn find_exchanged_and_answered(&mut self) -> Option<Changes> {
        if self.setup.clock {
            return None;
        }
        if let Some((line, squares)) = self.exchanged_and_moved_on(ANSWERED) {
            self.find_exchanged_before(&line, squares, Certainty::Likely);
        }
        self.go_on_from_displaced(None)
    }

    /// What follows where play goes on from displaced pieces: `by` has pressed, or without a clock
    /// a move has been answered.
    pub(crate) fn go_on_from_displaced(&mut self, by: Option<Color>) -> Option<Changes> {
        let displaced = self.displaced.clone().filter(|_| !self.is_idle())?;
        let plies = match by {
            Some(by) if displaced.stands.turn() == by => 1,
            _ => ANSWERED,
        };
        if !self.may_go_on_from(&displaced, plies) {
            return None;
        }
        let mut steps = self.played_from(&displaced.stands, plies)?;
        let in_order = steps.is_sorted_by(|first, then| first.made_at < then.made_at);
        // A second move stands as its player's next unless another one of his is seen.
        if displaced.kind != Kind::Exchanged && !in_order {
            return None;
        }
        // The last of the moves is found as any other is.
        steps.pop();
        let since = steps.last().map_or(displaced.since, |step| step.made_at);
        let mut pos = displaced.stands.clone();
        let length = displaced.length;
        self.take_up(*displaced);
        self.board.forget_before(since);
        steps.iter().for_each(|step| pos.play_unchecked(step.m));
        let mut line = Hypothesis::new(pos, since);
        line.steps = steps;
        self.adopt(line.clone());
        let look = Look::at(self.clock.now(), self.scan_window(), true);
        self.track.expand(self.board.contacts(), &look);
        let completed = length + line.steps.len();
        let mut changes = match line.steps.len() {
            0 => Changes::new(),
            _ => self.complete_without_press(&Rc::new(line), completed),
        };
        changes.push(match by {
            Some(by) => Change::Press(by),
            None => Change::Rested,
        });
        Some(changes)
    }

    /// Whether `plies` that nobody has told can have been made from there: the record is as it was,
    /// and goes on no further than that. A second move that was answered stands as its player's
    /// next, unless he has made another one.
    fn may_go_on_from(&self, displaced: &Displaced, plies: usize) -> bool {
        let (length, key, kind) = (displaced.length, displaced.key, displaced.kind);
        let completed = self.record.completed();
        let is_same = length <= self.record.len() && self.record.key_at(length) == key;
        let is_new = completed < length + plies;
        let answered = plies == ANSWERED;
        let is_meant = match kind {
            Kind::Exchanged => true,
            Kind::MovedTwice => answered && !self.is_explained_by_moves(),
            Kind::Passed => answered && self.is_pass_answered(),
        };
        is_same && is_new && is_meant
    }

    /// Whether some line of legal moves explains the board about as well as the best one does.
    fn is_explained_by_moves(&self) -> bool {
        let dearest = self.total(self.best()) + cost::LOST;
        let mut lines = self.track.all().iter();
        lines.any(|line| self.wrong(line).is_empty() && self.total(line) <= dearest)
    }

    /// Where displaced pieces are to be put back, and nothing has been played from there: they are
    /// let stand, as the arbiter orders. Whether it is so.
    pub(crate) fn let_displaced_stand(&mut self) -> bool {
        let displaced = self.displaced.clone();
        let ordered = |displaced: &Displaced| {
            let stands = self.differ(&displaced.stands).is_empty();
            self.state.is_putting_back() && stands && self.may_go_on_from(displaced, 1)
        };
        let Some(displaced) = displaced.filter(|displaced| ordered(displaced)) else {
            return false;
        };
        self.take_up(*displaced);
        self.board.forget_before(self.clock.now());
        true
    }

    /// Whether who had the move has pressed without one, and his opponent has pressed since, for
    /// the move that he made upon it.
    fn is_pass_answered(&self) -> bool {
        let passed = self.displaced.as_ref().filter(|d| d.kind == Kind::Passed);
        passed.is_some_and(|passed| {
            let answered = self.last_press_by(passed.stands.turn());
            answered.is_some_and(|at| at > passed.since)
        })
    }

    /// The game goes on from the pieces as they stand. Nothing is to be put back any more.
    fn take_up(&mut self, displaced: Displaced) {
        let (length, stands) = (displaced.length, displaced.stands.clone());
        if self.record.len() > length {
            self.record.truncate(length);
            self.say(Ruling::Revision {
                from_ply: length as u32 + 1,
                moves: Default::default(),
            });
        }
        if length > 0 || displaced.begun || !self.begins_displaced(&displaced) {
            self.record.jump(stands.clone());
            if displaced.kind == Kind::Exchanged {
                self.remember_gone_on(displaced);
            }
        }
        self.record.set_completed(length);
        self.displaced = None;
        let (now, fen) = (self.clock.now(), fen_text(&stands));
        self.track.reset(stands, length, self.board.contacts(), now);
        self.state.next_turn();
        let squares = Vec::new();
        self.say(Ruling::Restore { fen, squares });
    }

    /// Nothing had been played, and no clock ran: the game began as the pieces stand, as far as
    /// anybody can tell, and whoever put them so (7.2.1). Whether that they were displaced has been
    /// told, and is not so any more.
    fn begins_displaced(&mut self, Displaced { stands, .. }: &Displaced) -> bool {
        let told = self.docket.raised().iter().find(|f| {
            f.irregularity.code == Code::PieceDisplaced && f.status == FindingStatus::Open
        });
        let (Some(id), Some(required)) = (told.map(|f| f.irregularity.id), start_of(&self.setup))
        else {
            return false;
        };
        self.record.begin(stands.clone());
        self.withdraw(id);
        let squares = differing(required.board(), stands.board());
        let (code, by) = (Code::PositionSetupWrong, Party::Either);
        self.raise_unbinding(code, by, Certainty::Likely, squares, 1);
        true
    }

    /// `plies` legal moves from `stands` that leave what the board shows, or but for a piece that
    /// is in the air for the reply.
    fn played_from(&self, stands: &Chess, plies: usize) -> Option<Vec<Step>> {
        let since = self
            .displaced
            .as_ref()
            .map_or(Default::default(), |d| d.since);
        let lifted = self.board.contacts().touched_since(since) & !self.board.planes().occupied();
        let all = |in_hand| {
            let mut steps = Vec::new();
            self.is_played(stands, (plies, in_hand), &mut steps)
                .then_some(steps)
        };
        all(Bitboard::EMPTY).or_else(|| all(lifted))
    }

    /// Whether so many legal moves from `pos` leave what the board shows, but for men of the next
    /// player that are in the air; they are added to `steps`. What moved has left its square.
    fn is_played(
        &self,
        pos: &Chess,
        (plies, in_hand): (usize, Bitboard),
        steps: &mut Vec<Step>,
    ) -> bool {
        let wrong = self.differ(pos);
        if plies == 0 {
            return wrong.is_subset(pos.us() & in_hand);
        }
        for m in legal_moves(pos) {
            if !origin(m).is_some_and(|from| wrong.contains(from)) {
                continue;
            }
            let mut after = pos.clone();
            after.play_unchecked(m);
            let made_at = self.board.contacts().since(arrival(m));
            steps.push(Step { m, made_at });
            if self.is_played(&after, (plies - 1, in_hand), steps) {
                return true;
            }
            steps.pop();
        }
        false
    }
}
