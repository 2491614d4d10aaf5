//! The record of a game: what has been told, ply by ply, and the positions behind it.
//!
//! A ply is kept in a few bytes, and a position every few plies: the others, and what is shown of a
//! ply in words, are worked out again when somebody asks.

use alloc::{string::String, vec::Vec};

use shakmaty::san::{self, SanPlus, Suffix};
use shakmaty::{CastlingMode, Chess, Move, Position, Square, uci::UciMove};

use crate::chess::dead::may_be_dead;
use crate::chess::position::{fen_text, key};
use crate::said::time::Time;
use crate::said::view::{PlyRecord, San};
use crate::track::hypothesis::Step;

/// From one kept position to the next. Playing a move takes some 20 ns, a position 150 bytes.
const STRIDE: usize = 16;

/// One ply as told.
#[derive(Clone, Debug)]
pub(crate) struct Ply {
    /// `None` for an illegal move that stands.
    pub(crate) m: Option<Move>,
    pub(crate) uci: UciMove,
    /// `None` for an illegal move that stands.
    san: Option<SanPlus>,
    /// When it was first seen made.
    pub(crate) at: Time,
    pub(crate) completed: bool,
    /// Whether it is a capture of which nothing was seen but that its piece has gone.
    pub(crate) unseen: bool,
    /// Whether the position after it may be dead ([`may_be_dead`]).
    may_be_dead: bool,
    pub(crate) clock_ms: Option<u64>,
    /// Identifies the position after it, for repetition (9.2).
    key: u64,
    /// Counts the plies ever added: [`PlyRecord::serial`].
    serial: u32,
}

impl Ply {
    /// In standard algebraic notation; from-to for an illegal move that stands.
    pub(crate) fn san(&self) -> String {
        let mut text = String::new();
        match &self.san {
            Some(san) => san.append_to_string(&mut text),
            None => self.uci.append_to_string(&mut text),
        }
        text
    }
}

/// Everything told so far.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    plies: Vec<Ply>,
    /// Plies completed: pressed for, or answered where no clock is.
    completed: usize,
    /// The last ply of which the arbiter has said, or seen on the board, what was played; 0 when
    /// there is none.
    named: usize,
    /// Positions that the plies led to, with the number of plies before them: the start, every
    /// stride, and what an illegal move left.
    kept: Vec<(usize, Chess)>,
    /// Positions that the arbiter set, in order, with the number of plies before them and their
    /// keys.
    jumps: Vec<(usize, Chess, u64)>,
    last: Chess,
    /// The position before the last ply, if it is at hand.
    before_last: Option<Chess>,
    /// The last position that was asked for in words, with the number of plies before it.
    fen: Option<(usize, String)>,
    /// Plies ever added.
    added: u32,
    start_key: u64,
    mode: CastlingMode,
}

impl Record {
    pub(crate) fn new(start: Chess, mode: CastlingMode) -> Record {
        let kept = alloc::vec![(0, start.clone())];
        Record {
            start_key: key(&start),
            kept,
            jumps: Vec::new(),
            last: start,
            before_last: None,
            fen: None,
            added: 0,
            plies: Vec::new(),
            completed: 0,
            named: 0,
            mode,
        }
    }

    /// The game begins from another position.
    pub(crate) fn begin(&mut self, start: Chess) {
        *self = Record {
            added: self.added,
            ..Record::new(start, self.mode)
        };
    }

    pub(crate) fn len(&self) -> usize {
        self.plies.len()
    }

    /// Every ply told so far.
    pub(crate) fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// Ply `n` as told, counted from 1.
    pub(crate) fn ply(&self, n: usize) -> Option<&Ply> {
        n.checked_sub(1).and_then(|i| self.plies.get(i))
    }

    /// How many plies are completed.
    pub(crate) fn completed(&self) -> usize {
        self.completed
    }

    /// So many plies are completed.
    pub(crate) fn set_completed(&mut self, plies: usize) {
        self.completed = plies;
    }

    /// The last ply that the arbiter has named or seen on the board.
    pub(crate) fn named(&self) -> usize {
        self.named
    }

    /// The arbiter has named ply `ply`, or seen what it left on the board.
    pub(crate) fn name(&mut self, ply: usize) {
        self.named = ply;
    }

    /// The mover's remaining time after his press for ply `n`, in milliseconds.
    pub(crate) fn set_clock(&mut self, n: usize, clock_ms: Option<u64>) {
        if let Some(ply) = n.checked_sub(1).and_then(|i| self.plies.get_mut(i)) {
            ply.clock_ms = clock_ms;
        }
    }

    /// Whether ply `n` is a capture of which nothing was seen.
    pub(crate) fn set_unseen(&mut self, n: usize, unseen: bool) {
        if let Some(ply) = n.checked_sub(1).and_then(|i| self.plies.get_mut(i)) {
            ply.unseen = unseen;
        }
    }

    /// The arbiter has looked at what stands: nothing of how it came there is in question.
    pub(crate) fn all_seen(&mut self) {
        for ply in &mut self.plies {
            ply.unseen = false;
        }
    }

    /// Marks the ply with index `i` as completed, if it is; whether that is news.
    pub(crate) fn mark_completed(&mut self, i: usize, completed: bool) -> bool {
        let ply = &mut self.plies[i];
        let news = completed && !ply.completed;
        ply.completed |= completed;
        news
    }

    /// The position the game began with.
    pub(crate) fn start(&self) -> &Chess {
        &self.kept[0].1
    }

    /// The position after `n` plies.
    pub(crate) fn position(&self, n: usize) -> Chess {
        match &self.before_last {
            _ if n >= self.len() => self.last.clone(),
            Some(pos) if n + 1 == self.len() => pos.clone(),
            _ => self.played(n, self.jumps.partition_point(|(at, ..)| *at <= n)),
        }
    }

    /// The position that ply `n` brought about, whatever the arbiter set after it.
    pub(crate) fn after(&self, n: usize) -> Chess {
        if n == self.len() && self.set_at(n).is_none() {
            return self.last.clone();
        }
        self.played(n, self.jumps.partition_point(|(at, ..)| *at < n))
    }

    /// The legal moves among the plies after the first `from` and up to `to`.
    pub(crate) fn steps(&self, from: usize, to: usize) -> Vec<Step> {
        let plies = self.plies.get(from..to).unwrap_or_default().iter();
        plies
            .filter_map(|ply| {
                Some(Step {
                    m: ply.m?,
                    made_at: ply.at,
                })
            })
            .collect()
    }

    /// The first of at most `most` plies up to `to` that are legal moves all, one after the other.
    pub(crate) fn legal_since(&self, to: usize, most: usize) -> usize {
        let is_move = |n: &usize| {
            let ply = n.checked_sub(1).and_then(|i| self.plies.get(i));
            ply.is_some_and(|ply| ply.m.is_some()) && self.set_at(*n).is_none()
        };
        to - (1..=to).rev().take(most).take_while(is_move).count()
    }

    /// The position that ply `n` brought about, as FEN. A move is told twice: when it is made, and
    /// when it is completed.
    pub(crate) fn fen_after(&mut self, n: usize) -> String {
        match &self.fen {
            Some((at, fen)) if *at == n => fen.clone(),
            _ => {
                let fen = fen_text(&self.after(n));
                self.fen = Some((n, fen.clone()));
                fen
            }
        }
    }

    /// The position after `n` plies and the first `jumps` of the positions that were set.
    fn played(&self, n: usize, jumps: usize) -> Chess {
        let (mut from, mut pos) = match self.kept.iter().rfind(|(at, _)| *at <= n) {
            Some((at, pos)) => (*at, pos),
            None => (0, self.start()),
        };
        if let Some((at, set, _)) = self.jumps[..jumps].last().filter(|(at, ..)| *at >= from) {
            (from, pos) = (*at, set);
        }
        let mut pos = pos.clone();
        self.plies[from..n]
            .iter()
            .filter_map(|ply| ply.m)
            .for_each(|m| pos.play_unchecked(m));
        pos
    }

    /// The position that the arbiter set after `n` plies, if he did.
    fn set_at(&self, n: usize) -> Option<&(usize, Chess, u64)> {
        let at = self.jumps.binary_search_by_key(&n, |(at, ..)| *at).ok()?;
        self.jumps.get(at)
    }

    /// The position after the last ply told.
    pub(crate) fn last(&self) -> &Chess {
        &self.last
    }

    pub(crate) fn uci(&self, m: Move) -> UciMove {
        UciMove::from_move(m, self.mode)
    }

    /// Adds a ply, with the mover's remaining time where that is known.
    pub(crate) fn push(&mut self, step: Step, clock_ms: Option<u64>) {
        let uci = self.uci(step.m);
        self.before_last = Some(self.last.clone());
        let san = san::San::from_move(&self.last, step.m);
        self.last.play_unchecked(step.m);
        let san = SanPlus {
            san,
            suffix: suffix(&self.last),
        };
        self.added += 1;
        self.plies.push(Ply {
            m: Some(step.m),
            uci,
            san: Some(san),
            at: step.made_at,
            completed: false,
            unseen: false,
            may_be_dead: may_be_dead(&self.last, Some(&step.m)),
            clock_ms,
            key: key(&self.last),
            serial: self.added,
        });
        self.fen = None;
        if self.len().is_multiple_of(STRIDE) {
            self.kept.push((self.len(), self.last.clone()));
        }
    }

    /// Adds an illegal move that stands, as from-to.
    pub(crate) fn push_standing(&mut self, from: Square, to: Square, after: Chess, at: Time) {
        self.before_last = Some(core::mem::replace(&mut self.last, after));
        self.added += 1;
        self.plies.push(Ply {
            m: None,
            uci: UciMove::Normal {
                from,
                to,
                promotion: None,
            },
            san: None,
            at,
            completed: true,
            unseen: false,
            may_be_dead: may_be_dead(&self.last, None),
            clock_ms: None,
            key: key(&self.last),
            serial: self.added,
        });
        self.fen = None;
        self.kept.push((self.len(), self.last.clone()));
    }

    /// The arbiter set another position after the plies told so far.
    pub(crate) fn jump(&mut self, pos: Chess) {
        let n = self.plies.len();
        self.jumps.retain(|(at, ..)| *at < n);
        let key = key(&pos);
        self.last = pos.clone();
        self.jumps.push((n, pos, key));
    }

    /// Forgets the plies after the first `n`.
    pub(crate) fn truncate(&mut self, n: usize) {
        if n < self.len() {
            (self.last, self.before_last, self.fen) = (self.position(n), None, None);
            self.plies.truncate(n);
            self.kept.retain(|(at, _)| *at <= n);
            self.jumps.retain(|(at, ..)| *at <= n);
        }
    }

    /// How often the position after `n` plies has stood in the game so far (9.2.2).
    pub(crate) fn repetitions(&self, n: usize) -> usize {
        let wanted = self.key_at(n);
        (0..=n).filter(|&i| self.key_at(i) == wanted).count()
    }

    /// How often the position after `n` plies has stood on consecutive alternate moves: two moves
    /// each lie between.
    pub(crate) fn alternations(&self, n: usize) -> usize {
        let wanted = self.key_at(n);
        (0..=n)
            .rev()
            .step_by(4)
            .take_while(|&i| self.key_at(i) == wanted)
            .count()
    }

    /// Identifies the position after `n` plies.
    pub(crate) fn key_at(&self, n: usize) -> u64 {
        if let Some((_, _, key)) = self.set_at(n) {
            return *key;
        }
        n.checked_sub(1)
            .and_then(|i| self.plies.get(i))
            .map_or(self.start_key, |ply| ply.key)
    }

    /// Whether the position after `n` plies may be dead, so that it is worth asking.
    pub(crate) fn may_be_dead(&self, n: usize) -> bool {
        match n.checked_sub(1).and_then(|i| self.plies.get(i)) {
            Some(ply) if self.set_at(n).is_none() => ply.may_be_dead,
            _ => may_be_dead(&self.position(n), None),
        }
    }

    /// Whether the position after `n` plies was reached by legal moves alone from the one that
    /// `key` identifies.
    pub(crate) fn was_played_from(&self, key: u64, n: usize) -> bool {
        let legal = |i: usize| self.plies[i].m.is_some() && self.set_at(i + 1).is_none();
        let start = n - (0..n).rev().take_while(|&i| legal(i)).count();
        (start..=n).any(|i| self.key_at(i) == key)
    }

    /// The moves told, in UCI.
    pub(crate) fn moves(&self) -> Vec<UciMove> {
        self.plies.iter().map(|ply| ply.uci).collect()
    }

    /// The plies after the first `n` as consoles show them; `doubtful` tells of which, counted from
    /// 1, more than one hypothesis fits.
    pub(crate) fn shown(
        &self,
        n: usize,
        doubtful: impl Fn(u32) -> bool,
    ) -> impl Iterator<Item = PlyRecord> {
        let mut pos = self.position(n);
        (n + 1..).zip(&self.plies[n..]).map(move |(n, ply)| {
            match ply.m {
                Some(m) => pos.play_unchecked(m),
                None => pos = self.after(n),
            }
            let fen = fen_text(&pos).into_boxed_str();
            if let Some((_, set, _)) = self.set_at(n) {
                pos = set.clone();
            }
            PlyRecord {
                uci: ply.uci,
                san: San::from(&ply.san()).unwrap_or_default(),
                fen,
                at: ply.at,
                completed: ply.completed,
                clock_ms: ply.clock_ms,
                doubtful: doubtful(n as u32),
                serial: ply.serial,
            }
        })
    }

    /// How many plies from the start are as in `other`: the same moves from the same positions, and
    /// none completed there that is not here.
    pub(crate) fn common(&self, other: &Record) -> usize {
        if self.key_at(0) != other.key_at(0) {
            return 0;
        }
        let is_same = |n: &usize| {
            let (Some(here), Some(there)) = (self.ply(*n), other.ply(*n)) else {
                return false;
            };
            let same_move = here.m.is_some() == there.m.is_some() && here.uci == there.uci;
            let set_alike = *n == other.len() || self.key_at(*n) == other.key_at(*n);
            same_move
                && here.key == there.key
                && (set_alike || *n == self.len())
                && (here.completed || !there.completed)
        };
        (1..).take_while(is_same).count()
    }

    /// Whether `shown` is what [`Record::shown`] would show of ply `n`, counted from 1, of which
    /// more than one hypothesis fits if it is `doubtful`.
    pub(crate) fn is_shown_so(&self, n: usize, doubtful: bool, shown: &PlyRecord) -> bool {
        let ply = n.checked_sub(1).and_then(|i| self.plies.get(i));
        ply.is_some_and(|ply| {
            (ply.serial, ply.completed, ply.clock_ms, doubtful)
                == (
                    shown.serial,
                    shown.completed,
                    shown.clock_ms,
                    shown.doubtful,
                )
        })
    }
}

/// The sign of check or mate.
fn suffix(pos: &Chess) -> Option<Suffix> {
    match pos.is_check() {
        false => None,
        true if pos.legal_moves().is_empty() => Some(Suffix::Checkmate),
        true => Some(Suffix::Check),
    }
}
