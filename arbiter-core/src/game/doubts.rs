//! Doubts: where hypotheses that explain the evidence equally well differ, and squares that
//! somebody is asked to look at.

use alloc::vec::Vec;

use shakmaty::{Bitboard, Move, Square, uci::UciMove};

use crate::chess::moves::{arrival, is_exchange, squares_of};
use crate::game::Game;
use crate::game::docket::OpenDoubt;
use crate::message;
use crate::said::ruling::{Doubt, DoubtKind, Ruling};
use crate::said::symbol::SensorClass;
use crate::track::backtrack::{ILLEGAL_AS_WELL, PRESSED_AS_WELL};
use crate::track::beam::{Fork, KEEP_AT_PRESS};
use crate::track::cost;
use crate::track::hypothesis::Hypothesis;

/// A hypothesis, and what it costs.
type Costed<'a> = (i32, &'a Hypothesis);

impl Game {
    /// Tells a doubt unless it stands already, or is about the record and one stands that says all:
    /// the thread is lost.
    pub(crate) fn raise_doubt(
        &mut self,
        ply: u32,
        kind: DoubtKind,
        squares: Vec<Square>,
        readings: Vec<Vec<UciMove>>,
    ) {
        let said = kind.is_of_record() && self.state.is_lost();
        if self.docket.has_doubt(ply, kind) || said {
            return;
        }
        let told = self.record.len().min(ply.saturating_sub(1) as usize);
        let before = self.record.position(told);
        let language = self.setup.options.language;
        let text = message::doubt(language, kind, &squares, &readings, &before);
        self.tell_doubt(Doubt {
            ply,
            kind,
            squares,
            readings,
            text,
        });
    }

    /// Keeps a doubt and tells it.
    pub(crate) fn tell_doubt(&mut self, doubt: Doubt) {
        self.docket.doubt(doubt.clone());
        self.say(Ruling::Doubt(doubt));
    }

    /// Raises doubts for told plies on which equally good hypotheses differ; closes those that are
    /// decided.
    pub(crate) fn settle_doubts(&mut self) {
        let unseen = self.unseen_castling();
        let alone = self.track.all().len() == 1 && self.track.irregular().is_empty();
        let decided = alone && !self.may_be_exchanged();
        if decided && self.docket.doubts().is_empty() && unseen.is_none() {
            return;
        }
        let close = self.close_hypotheses();
        let (base, told) = (self.track.base(), self.record.len());
        let (mut fresh, mut undecided) = (Vec::new(), Vec::new());
        for i in base..told {
            let mut differing = self.differing_at(i - base, &close);
            if differing.len() > 1 {
                undecided.push(i as u32 + 1);
            }
            let best = close.first().map_or(0, |(total, _)| *total);
            differing.retain(|(total, line)| *total <= best + self.as_good_within(line));
            if differing.len() > 1 && !self.may_be_read_yet(i - base, &differing) {
                fresh.push((
                    i as u32 + 1,
                    lines_between(&differing, i - base, told - base),
                ));
            }
        }
        undecided.extend(unseen.map(|(ply, _)| ply));
        let otherwise = self.plies_told_otherwise();
        undecided.extend(otherwise.iter().map(|(ply, _)| *ply));
        self.close_doubts(&undecided);
        for (ply, readings) in otherwise {
            let squares = readings.iter().flat_map(|uci| [uci.from(), uci.to()]);
            let squares: Bitboard = squares.flatten().collect();
            let readings = readings.map(|uci| alloc::vec![uci]).into();
            self.raise_doubt(
                ply,
                DoubtKind::AmbiguousMove,
                squares.into_iter().collect(),
                readings,
            );
        }
        for (ply, lines) in fresh {
            self.doubt_between(ply, &lines);
        }
        if let Some((ply, m)) = unseen {
            let squares = squares_of(m).into_iter().collect();
            let readings = alloc::vec![self.ucis(&[m]), Vec::new()];
            self.raise_doubt(ply, DoubtKind::AmbiguousMove, squares, readings);
        }
    }

    /// The hypotheses that cost little more than the best, cheapest first, shorter ones before
    /// longer ones, and those in which somebody made an illegal move that has not been told.
    fn close_hypotheses(&self) -> Vec<Costed<'_>> {
        let untold = |line: &&Hypothesis| line.act().is_some_and(|act| !act.told);
        let irregular = self.track.irregular().iter();
        let untold = irregular.filter(untold);
        let mut close: Vec<Costed<'_>> = self
            .track
            .all()
            .iter()
            .chain(untold)
            .map(|line| (self.total(line), line))
            .collect();
        let best = close.iter().map(|(total, _)| *total).min().unwrap_or(0);
        close.retain(|(total, line)| *total <= best + KEEP_AT_PRESS.max(self.as_good_within(line)));
        close.sort_by_key(|(total, line)| (*total, line.steps.len()));
        close
    }

    /// Whether by another account, which costs little more than the best, ply `ply` was another
    /// move: nobody is accused of what was done for it.
    pub(crate) fn is_told_otherwise(&self, ply: usize) -> bool {
        let Some(i) = ply.checked_sub(self.track.base() + 1) else {
            return false;
        };
        let untold = |line: &Hypothesis| line.act().is_some_and(|act| !act.told && act.step > i);
        let close = self.close_hypotheses();
        let best = close.iter().find(|(_, line)| line.acts.is_empty());
        let played = best.and_then(|(_, line)| line.steps.get(i));
        close.iter().any(|(_, line)| {
            let otherwise = line.steps.get(i).map(|step| step.m) != played.map(|step| step.m);
            untold(line) && otherwise
        })
    }

    /// One hypothesis for each move that step `i` may have been: by origin, arrival and promotion;
    /// what is captured may be in doubt, the move is not.
    fn differing_at<'a>(&self, i: usize, close: &[Costed<'a>]) -> Vec<Costed<'a>> {
        let mut differing = Vec::new();
        let mut moves = Vec::new();
        for (total, line) in close {
            let Some(step) = line.steps.get(i) else {
                continue;
            };
            let uci = self.record.uci(step.m);
            if !moves.contains(&uci) {
                moves.push(uci);
                differing.push((*total, *line));
            }
        }
        differing
    }

    /// Without a clock nobody waits for an answer: whether step `i`, of which a reading is missing
    /// in one of these lines, may still be told by that reading.
    fn may_be_read_yet(&self, i: usize, differing: &[Costed<'_>]) -> bool {
        let (now, wait) = (self.clock.now(), self.setup.options.end_of_game_ms);
        !self.setup.clock
            && differing
                .iter()
                .any(|(_, line)| line.misread.any() && now.since(line.steps[i].made_at) < wait)
    }

    /// Closes the doubts that nothing is left of.
    fn close_doubts(&mut self, undecided: &[u32]) {
        let wrong = self.differ(&self.best().pos);
        let (told, lost) = (self.record.len(), self.state.is_lost());
        let exchanged = self.may_be_exchanged();
        self.docket.retain_doubts(|d| match d.doubt.kind {
            DoubtKind::ThreadLost => lost,
            // The whole record rests on it.
            DoubtKind::PiecesExchanged => exchanged,
            DoubtKind::CheckSquare => d.doubt.squares.iter().any(|sq| wrong.contains(*sq)),
            // What a human was asked is of interest until the next move has been answered.
            kind if !kind.is_of_record() => told <= d.doubt.ply as usize + 1,
            _ => d.lasting || undecided.contains(&d.doubt.ply),
        });
    }

    /// The ply told last, if it is a castling in which king and rook changed places on a board that
    /// cannot tell: they may as well have been put back. The opponent's reply shows that it was a
    /// move.
    pub(crate) fn unseen_castling(&self) -> Option<(u32, Move)> {
        let ply = self.record.len();
        if self.record.named() == ply || self.setup.sensor == SensorClass::Piece {
            return None;
        }
        let m = self.record.ply(ply)?.m.filter(|m| is_exchange(*m))?;
        Some((ply as u32, m))
    }

    /// Ply `ply` may have been the first move of each of these lines.
    fn doubt_between(&mut self, ply: u32, lines: &[Vec<Move>]) {
        let firsts: Vec<Move> = lines
            .iter()
            .filter_map(|line| line.first().copied())
            .collect();
        let Some(first) = firsts.first() else { return };
        let alike = |m: &Move| m.from() == first.from() && m.to() == first.to();
        let (kind, squares) = match firsts.iter().all(alike) {
            true => (DoubtKind::PromotionPiece, arrival(*first).into()),
            false => (DoubtKind::AmbiguousMove, squares_of_all(&firsts)),
        };
        let readings = lines.iter().map(|line| self.ucis(line)).collect();
        self.raise_doubt(ply, kind, squares.into_iter().collect(), readings);
    }

    /// Readings of a ply that no later evidence will tell apart: a doubt that stays.
    pub(crate) fn tell_forks(&mut self, forks: &[Fork]) {
        let line: Vec<Move> = self.best().steps.iter().map(|step| step.m).collect();
        for (step, played) in line.iter().enumerate() {
            let readings = readings_at(step, *played, forks);
            if readings.len() < 2 {
                continue;
            }
            let ply = (self.track.base() + step + 1) as u32;
            let of_ply = |open: &OpenDoubt| is_of_move(&open.doubt, ply);
            if !self.docket.doubts().iter().any(of_ply) {
                self.doubt_between(ply, &readings);
            }
            self.docket.leave_in_doubt(|doubt| is_of_move(doubt, ply));
        }
    }

    /// How much more than the best `line` may cost for the two to be told as accounts of one ply.
    /// An illegal move is not recorded in silence as a legal one that must have gone unseen; where
    /// nobody presses, not even as one that costs much less.
    fn as_good_within(&self, line: &Hypothesis) -> i32 {
        match (line.act(), self.setup.clock) {
            (Some(_), true) => PRESSED_AS_WELL,
            (Some(_), false) => ILLEGAL_AS_WELL,
            (None, _) => cost::TIE,
        }
    }

    /// Squares in question that read right at last: whatever was wrong there, no player has touched
    /// the piece by it.
    pub(crate) fn notice_answers(&mut self, changed: Bitboard) {
        for sq in changed & self.in_question() {
            let right = self
                .track
                .all()
                .iter()
                .all(|line| line.misread.contains(sq) && !self.differ(&line.pos).contains(sq));
            if right {
                self.board.forget_last(sq);
            }
        }
    }
}

/// The moves that step `step` may have been besides `played`, and that first: those from which it
/// was parted, and those from which they were.
fn readings_at(step: usize, played: Move, forks: &[Fork]) -> Vec<Vec<Move>> {
    let mut readings = alloc::vec![played];
    let mut n = 0;
    while let Some(&known) = readings.get(n) {
        for fork in forks.iter().filter(|fork| fork.step == step) {
            if fork.readings.contains(&known) {
                for m in fork.readings {
                    if !readings.contains(&m) {
                        readings.push(m);
                    }
                }
            }
        }
        n += 1;
    }
    readings.into_iter().map(|m| alloc::vec![m]).collect()
}

/// Whether `doubt` is about which move ply `ply` was.
fn is_of_move(doubt: &Doubt, ply: u32) -> bool {
    doubt.ply == ply && doubt.kind != DoubtKind::CheckSquare
}

/// The steps `from` to `to` of each line.
fn lines_between(lines: &[Costed<'_>], from: usize, to: usize) -> Vec<Vec<Move>> {
    let mut between = Vec::new();
    for (_, line) in lines {
        between.push(
            line.steps
                .iter()
                .take(to)
                .skip(from)
                .map(|step| step.m)
                .collect(),
        );
    }
    between
}

fn squares_of_all(moves: &[Move]) -> Bitboard {
    moves
        .iter()
        .fold(Bitboard::EMPTY, |all, m| all | squares_of(*m))
}
