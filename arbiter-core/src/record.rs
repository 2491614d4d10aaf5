//! The record of a game: what has been told, ply by ply, and the positions behind it.

use alloc::{string::String, vec::Vec};

use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position, Square, uci::UciMove};

use crate::hypothesis::Step;
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
}

/// Everything told so far.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) start: Chess,
    pub(crate) plies: Vec<Ply>,
    /// Positions that the arbiter set, with the number of plies before them.
    jumps: Vec<(usize, Chess)>,
    mode: CastlingMode,
}

impl Record {
    pub(crate) fn new(start: Chess, mode: CastlingMode) -> Record {
        Record { start, plies: Vec::new(), jumps: Vec::new(), mode }
    }

    pub(crate) fn len(&self) -> usize {
        self.plies.len()
    }

    /// The position after `n` plies.
    pub(crate) fn position(&self, n: usize) -> &Chess {
        if let Some((_, set)) = self.jumps.iter().find(|(at, _)| *at == n) {
            return set;
        }
        match n.checked_sub(1).and_then(|i| self.plies.get(i)) {
            Some(ply) => &ply.after,
            None => &self.start,
        }
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
        self.plies.push(Ply { m: Some(step.m), shown, key: key(&after), after });
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
        self.plies.push(Ply { m: None, shown, key: key(&after), after });
    }

    /// The arbiter set another position after the plies told so far.
    pub(crate) fn jump(&mut self, pos: Chess) {
        let n = self.plies.len();
        self.jumps.retain(|(at, _)| *at < n);
        self.jumps.push((n, pos));
    }

    /// Forgets the plies after the first `n`.
    pub(crate) fn truncate(&mut self, n: usize) {
        self.plies.truncate(n);
        self.jumps.retain(|(at, _)| *at <= n);
    }

    /// How often the position after `n` plies has stood in the game so far (9.2.2).
    pub(crate) fn repetitions(&self, n: usize) -> usize {
        let wanted = key(self.position(n));
        let earlier = self.plies[..n.min(self.plies.len())].iter().filter(|p| p.key == wanted).count();
        earlier + usize::from(key(&self.start) == wanted)
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

fn key(pos: &Chess) -> u64 {
    let Zobrist64(key) = pos.zobrist_hash(EnPassantMode::Legal);
    key
}
