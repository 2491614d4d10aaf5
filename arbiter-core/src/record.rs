//! The record of a game: what has been told, ply by ply, and the positions behind it.

use alloc::{string::String, vec::Vec};

use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position, Square, uci::UciMove};

use crate::hypothesis::Step;
use crate::mating::may_be_dead;
use crate::time::Time;
use crate::view::PlyRecord;

/// One ply as told.
#[derive(Clone, Debug)]
pub(crate) struct Ply {
    /// `None` for an illegal move that stands.
    pub(crate) m: Option<Move>,
    pub(crate) shown: PlyRecord,
    /// Identifies the position after it, for repetition (9.2).
    pub(crate) key: u64,
    pub(crate) after: Chess,
    /// Whether it may be a dead position ([`may_be_dead`]).
    may_be_dead: bool,
}

/// Everything told so far.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) start: Chess,
    start_key: u64,
    pub(crate) plies: Vec<Ply>,
    /// Positions that the arbiter set, in order, with the number of plies before them and their keys.
    jumps: Vec<(usize, Chess, u64)>,
    mode: CastlingMode,
}

impl Record {
    pub(crate) fn new(start: Chess, mode: CastlingMode) -> Record {
        Record { start_key: key(&start), start, plies: Vec::new(), jumps: Vec::new(), mode }
    }

    pub(crate) fn len(&self) -> usize {
        self.plies.len()
    }

    /// The position after `n` plies.
    pub(crate) fn position(&self, n: usize) -> &Chess {
        if let Some((_, set, _)) = self.set_at(n) {
            return set;
        }
        match n.checked_sub(1).and_then(|i| self.plies.get(i)) {
            Some(ply) => &ply.after,
            None => &self.start,
        }
    }

    /// The position that the arbiter set after `n` plies, if he did.
    fn set_at(&self, n: usize) -> Option<&(usize, Chess, u64)> {
        let at = self.jumps.binary_search_by_key(&n, |(at, ..)| *at).ok()?;
        self.jumps.get(at)
    }

    /// The position after the last ply told.
    pub(crate) fn last(&self) -> &Chess {
        self.position(self.plies.len())
    }

    pub(crate) fn uci(&self, m: Move) -> UciMove {
        UciMove::from_move(m, self.mode)
    }

    /// Adds a ply.
    pub(crate) fn push(&mut self, step: Step) -> &mut Ply {
        let mut after = self.last().clone();
        let uci = self.uci(step.m);
        let san = SanPlus::from_move_and_play_unchecked(&mut after, step.m);
        let shown = PlyRecord {
            uci,
            san: alloc::format!("{san}"),
            fen: fen_text(&after),
            at: step.made_at,
            completed: false,
            clock_ms: None,
            doubtful: false,
        };
        let may_be_dead = may_be_dead(&after, Some(&step.m));
        self.plies.push(Ply { m: Some(step.m), shown, key: key(&after), after, may_be_dead });
        let n = self.plies.len();
        &mut self.plies[n - 1]
    }

    /// Adds an illegal move that stands, as from-to.
    pub(crate) fn push_standing(&mut self, from: Square, to: Square, after: Chess, at: Time) {
        let uci = UciMove::Normal { from, to, promotion: None };
        let shown = PlyRecord {
            uci,
            san: alloc::format!("{uci}"),
            fen: fen_text(&after),
            at,
            completed: true,
            clock_ms: None,
            doubtful: false,
        };
        let may_be_dead = may_be_dead(&after, None);
        self.plies.push(Ply { m: None, shown, key: key(&after), after, may_be_dead });
    }

    /// The arbiter set another position after the plies told so far.
    pub(crate) fn jump(&mut self, pos: Chess) {
        let n = self.plies.len();
        self.jumps.retain(|(at, ..)| *at < n);
        let key = key(&pos);
        self.jumps.push((n, pos, key));
    }

    /// Forgets the plies after the first `n`.
    pub(crate) fn truncate(&mut self, n: usize) {
        self.plies.truncate(n);
        self.jumps.retain(|(at, ..)| *at <= n);
    }

    /// How often the position after `n` plies has stood in the game so far (9.2.2).
    pub(crate) fn repetitions(&self, n: usize) -> usize {
        let wanted = self.key_at(n);
        (0..=n).filter(|&i| self.key_at(i) == wanted).count()
    }

    /// How often the position after `n` plies has stood on consecutive alternate moves: two moves each lie between.
    pub(crate) fn alternations(&self, n: usize) -> usize {
        let wanted = self.key_at(n);
        (0..=n).rev().step_by(4).take_while(|&i| self.key_at(i) == wanted).count()
    }

    /// Identifies the position after `n` plies.
    pub(crate) fn key_at(&self, n: usize) -> u64 {
        if let Some((_, _, key)) = self.set_at(n) {
            return *key;
        }
        n.checked_sub(1).and_then(|i| self.plies.get(i)).map_or(self.start_key, |ply| ply.key)
    }

    /// Whether the position after `n` plies may be dead, so that it is worth asking.
    pub(crate) fn may_be_dead(&self, n: usize) -> bool {
        match n.checked_sub(1).and_then(|i| self.plies.get(i)) {
            Some(ply) if self.set_at(n).is_none() => ply.may_be_dead,
            _ => may_be_dead(self.position(n), None),
        }
    }

    /// Whether the position after `n` plies was reached by legal moves alone from the one that `key` identifies.
    pub(crate) fn was_played_from(&self, key: u64, n: usize) -> bool {
        let legal = |i: usize| self.plies[i].m.is_some() && self.set_at(i + 1).is_none();
        let start = n - (0..n).rev().take_while(|&i| legal(i)).count();
        (start..=n).any(|i| self.key_at(i) == key)
    }

    /// The moves told, in UCI.
    pub(crate) fn moves(&self) -> Vec<UciMove> {
        self.plies.iter().map(|p| p.shown.uci).collect()
    }
}

/// A position as FEN; the en passant square only where the capture is legal.
pub(crate) fn fen_text(pos: &Chess) -> String {
    alloc::format!("{}", Fen::from_position(pos, EnPassantMode::Legal))
}

pub(crate) fn key(pos: &Chess) -> u64 {
    let Zobrist64(key) = pos.zobrist_hash(EnPassantMode::Legal);
    key
}
