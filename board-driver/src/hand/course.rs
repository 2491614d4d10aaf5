//! The course of a game: its own moves as long as they fit, others where it has left them.

use std::collections::BTreeMap;

use arbiter_core::shakmaty::zobrist::Zobrist64;
use arbiter_core::shakmaty::{
    Bitboard, Chess, Color, EnPassantMode, Move, Position, Role, Square, uci::UciMove,
};

use crate::random::Random;

/// Plies that are played at least after the game has left its own moves.
const AT_LEAST: usize = 8;

/// Plies that a king has to get to the centre of the board, after the game's last move.
const WALK: usize = 80;

/// The squares where kings show a result.
pub(super) const CENTRE: [Square; 4] = [Square::D4, Square::E4, Square::D5, Square::E5];

/// After the game's last move a king goes to the centre.
#[derive(Clone, Copy)]
pub(super) struct Walk {
    /// Whose.
    pub(super) by: Color,
    /// Plies that are played after it has come there.
    pub(super) on: usize,
    /// When it came.
    reached: Option<usize>,
}

impl Walk {
    pub(super) fn new(by: Color, on: usize) -> Walk {
        Walk {
            by,
            on,
            reached: None,
        }
    }
}

/// Where a game stands, whatever was played.
pub(super) struct Course<'a> {
    pub(super) position: Chess,
    game: &'a [Move],
    /// What was really played.
    pub(super) played: Vec<UciMove>,
    /// The first ply after the last one that left the game.
    left: Option<usize>,
    seen: BTreeMap<u64, u8>,
    walk: Option<Walk>,
}

impl<'a> Course<'a> {
    /// The course from `start`, which may be another one than the game's own.
    pub(super) fn new(start: &Chess, game: &'a [Move], is_own: bool) -> Course<'a> {
        let mut course = Course {
            position: start.clone(),
            game,
            played: Vec::with_capacity(game.len()),
            left: (!is_own).then_some(0),
            seen: BTreeMap::new(),
            walk: None,
        };
        course.look();
        course
    }

    /// The number of the next ply; 1 is the first.
    pub(super) fn ply(&self) -> u32 {
        self.played.len() as u32 + 1
    }

    /// After the game's last move a king goes to the centre.
    pub(super) fn then_walk(&mut self, walk: Walk) {
        self.walk = Some(walk);
    }

    /// Whether the king has come to the centre and is still there.
    pub(super) fn has_walked(&self) -> bool {
        self.walk.is_some_and(|walk| {
            let king = self.position.board().king_of(walk.by);
            walk.reached.is_some() && king.is_some_and(|king| CENTRE.contains(&king))
        })
    }

    /// The game's own two moves after the next one, if it is still followed.
    pub(super) fn after_next(&self) -> Option<(Move, Move)> {
        let n = self.played.len();
        let next = |n: usize| self.game.get(n).copied();
        self.left.is_none().then(|| next(n + 1).zip(next(n + 2)))?
    }

    /// What is played next; `None` at the end. The game's own move where it can be played.
    pub(super) fn next(&self, random: &mut Random) -> Option<Move> {
        let n = self.played.len();
        let legal = legal(&self.position);
        let own = self.game.get(n).filter(|mv| legal.contains(mv)).copied();
        let Some(left) = self.left else {
            return own.or_else(|| self.step(&legal, random));
        };
        if n >= self.game.len().max(left + AT_LEAST) || self.is_over() {
            return None;
        }
        own.or_else(|| plausible(&self.position, &legal, random))
    }

    /// A ply of the walk, by either side.
    fn step(&self, legal: &[Move], random: &mut Random) -> Option<Move> {
        let walk = self.walk.filter(|_| self.played.len() >= self.game.len())?;
        let n = self.played.len();
        let is_late = n >= self.game.len() + WALK;
        if is_late || self.is_over() || walk.reached.is_some_and(|at| n >= at + walk.on) {
            return None;
        }
        let king = self.position.board().king_of(walk.by)?;
        let far = |sq: Square| CENTRE.into_iter().map(|c| c.distance(sq)).min();
        let own = self.position.turn() == walk.by;
        let nearer = |mv: &&Move| mv.from() == Some(king) && far(mv.to()) < far(king);
        let steps: Vec<Move> = legal.iter().filter(nearer).copied().collect();
        if own && walk.reached.is_none() && !steps.is_empty() {
            return random.pick(&steps);
        }
        let others: Vec<Move> = legal
            .iter()
            .filter(|mv| mv.from() != Some(king))
            .copied()
            .collect();
        plausible(&self.position, &others, random)
    }

    /// Plays a legal move, or an illegal one that stands.
    pub(super) fn play(&mut self, mv: Move) {
        if !legal(&self.position).contains(&mv) {
            self.left = Some(self.played.len() + 1);
        }
        self.played.push(mv.to_uci(self.position.castles().mode()));
        let by = self.position.turn();
        self.position.play_unchecked(mv);
        self.look();
        if let Some(walk) = self.walk.as_mut().filter(|walk| walk.by == by) {
            let comes = mv.role() == Role::King && CENTRE.contains(&mv.to());
            let n = self.played.len();
            walk.reached = walk.reached.or((comes && n > self.game.len()).then_some(n));
        }
    }

    /// Pieces are moved about by no move, and play goes on from there.
    pub(super) fn stand_otherwise(&mut self, position: Chess) {
        self.position = position;
        self.left = Some(self.played.len());
        self.look();
    }

    /// The Laws end the game without anybody's doing, or nobody can move.
    fn is_over(&self) -> bool {
        let often = self.seen.values().max().copied().unwrap_or(0);
        let bare = self.position.is_insufficient_material();
        bare || legal(&self.position).is_empty() || self.position.halfmoves() >= 150 || often >= 5
    }

    fn look(&mut self) {
        let Zobrist64(key) = self.position.zobrist_hash(EnPassantMode::Legal);
        *self.seen.entry(key).or_insert(0) += 1;
    }
}

/// The moves of whoever has the turn. Nobody takes a king.
pub(super) fn legal(position: &Chess) -> Vec<Move> {
    let takes_king = |mv: &Move| mv.capture() == Some(Role::King);
    let legal = position.legal_moves();
    legal.into_iter().filter(|mv| !takes_king(mv)).collect()
}

/// A move that a player might choose: he takes what hangs, keeps his king at home, and makes
/// queens.
pub(super) fn plausible(position: &Chess, legal: &[Move], random: &mut Random) -> Option<Move> {
    let drawn = (0..4).filter_map(|_| random.pick(legal));
    drawn.max_by_key(|mv| worth(position, *mv))
}

fn worth(position: &Chess, mv: Move) -> i32 {
    let value = |role: Role| match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 0,
    };
    let board = position.board();
    let guards: Bitboard = board.attacks_to(mv.to(), !position.turn(), board.occupied());
    let taken = mv.capture().map_or(0, value);
    let lost = if guards.any() { value(mv.role()) } else { 0 };
    let promoted = match mv.promotion() {
        Some(Role::Queen) => 8,
        Some(_) => -8,
        None => 0,
    };
    let stray = i32::from(mv.role() == Role::King && !mv.is_castle());
    4 * (taken + promoted) - 3 * lost - 2 * stray
}
