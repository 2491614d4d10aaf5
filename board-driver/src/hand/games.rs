//! The games carried with the program: moves and results as they were played over the board, nothing else.

use std::sync::OnceLock;

use arbiter_core::ruling::GameResult;
use arbiter_core::shakmaty::{Chess, Move, Position, san::San};

use crate::random::Random;

const PLAYED: &str = include_str!("../../games/played.tsv");

/// A game that was played.
#[derive(Clone, Debug)]
pub struct Game {
    /// Its result.
    pub result: GameResult,
    /// The position it began from.
    pub start: Chess,
    /// Its moves.
    pub moves: Vec<Move>,
}

/// Every game carried with the program.
pub fn all() -> &'static [Game] {
    static GAMES: OnceLock<Vec<Game>> = OnceLock::new();
    GAMES.get_or_init(|| PLAYED.lines().filter_map(parse).collect())
}

/// One of them; the same seed picks the same game.
pub fn pick(seed: u64) -> &'static Game {
    let games = all();
    &games[Random::new(seed, 1).below(games.len())]
}

/// A game from its result, a tab, and its moves; `None` when a move is not legal.
pub fn parse(line: &str) -> Option<Game> {
    let (result, moves) = line.split_once('\t')?;
    let result = [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw, GameResult::Open]
        .into_iter()
        .find(|r| r.as_str() == result)?;
    let start = Chess::default();
    let mut position = start.clone();
    let moves: Option<Vec<Move>> = moves
        .split_whitespace()
        .map(|san| {
            let mv = san.parse::<San>().ok()?.to_move(&position).ok()?;
            position.play_unchecked(mv);
            Some(mv)
        })
        .collect();
    Some(Game { result, start, moves: moves? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_a_legal_game() {
        assert_eq!(all().len(), PLAYED.lines().count());
        assert!(all().len() >= 200);
    }

    #[test]
    fn rare_moves_are_among_them() {
        let any = |f: &dyn Fn(Move) -> bool| all().iter().any(|g| g.moves.iter().any(|m| f(*m)));
        assert!(any(&|m| m.is_en_passant()));
        for role in ["n", "b", "r", "q"] {
            let piece = |m: Move| m.promotion().is_some_and(|r| r.char().to_string() == role);
            assert!(any(&|m| piece(m) && m.is_capture()), "{role}");
            assert!(any(&|m| piece(m) && !m.is_capture()), "{role}");
        }
        for side in arbiter_core::shakmaty::CastlingSide::ALL {
            assert!(any(&|m| m.castling_side() == Some(side)));
        }
    }
}
