//! The games carried with the program: moves and results as they were played over the board,
//! nothing else.

use std::sync::OnceLock;

use arbiter_core::input::StartFen;
use arbiter_core::ruling::GameResult;
use arbiter_core::shakmaty::{
    CastlingMode, Chess, EnPassantMode, FromSetup, Move, Position, fen::Fen, san::San,
};
use arbiter_core::{SensorClass, Setup};

use crate::random::Random;

const PLAYED: &str = include_str!("../../games/played.tsv");
const RARE: &str = include_str!("../../games/rare.tsv");
const CHESS960: &str = include_str!("../../games/chess960.tsv");

/// The first games are a cross-section of all: enough for tests that cannot play everything.
pub const CROSS_SECTION: usize = 204;

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

impl Game {
    /// The setup of the game on a board of `sensor` class: its start, where it is not the usual
    /// one, and its castling.
    pub fn setup(&self, sensor: SensorClass) -> Setup {
        let chess960 = self.start.castles().mode().is_chess960();
        let usual = self.start == Chess::default();
        let fen = (!usual)
            .then(|| StartFen::Known(Fen::from_position(&self.start, EnPassantMode::Legal).into()));
        Setup {
            fen,
            chess960,
            ..Setup::new(sensor)
        }
    }

    /// Whether its last move mates.
    pub fn ends_in_mate(&self) -> bool {
        let mut position = self.start.clone();
        self.moves
            .iter()
            .for_each(|mv| position.play_unchecked(*mv));
        position.is_checkmate()
    }
}

/// Every game of orthodox chess carried with the program: ordinary ones first, then those with rare
/// events.
pub fn all() -> &'static [Game] {
    static GAMES: OnceLock<Vec<Game>> = OnceLock::new();
    GAMES.get_or_init(|| {
        PLAYED
            .lines()
            .chain(RARE.lines())
            .filter_map(parse)
            .collect()
    })
}

/// The first `n` of [`all`], or all where there are fewer. They keep their numbers when games are
/// added.
pub fn sample(n: usize) -> &'static [Game] {
    let all = all();
    &all[..n.min(all.len())]
}

/// Every game of Chess960 carried with the program, each with its own start.
pub fn chess960() -> &'static [Game] {
    static GAMES: OnceLock<Vec<Game>> = OnceLock::new();
    GAMES.get_or_init(|| {
        CHESS960
            .lines()
            .filter_map(parse)
            .filter_map(in_chess960)
            .collect()
    })
}

/// The same game by the rules of Chess960: the array of orthodox chess is one of its own.
fn in_chess960(game: Game) -> Option<Game> {
    let start = Chess::from_setup(
        game.start.to_setup(EnPassantMode::Legal),
        CastlingMode::Chess960,
    )
    .ok()?;
    Some(Game { start, ..game })
}

/// One of the cross-section; the same seed picks the same game.
///
/// # Panics
/// Never: a test reads every line of the file.
pub fn pick(seed: u64) -> &'static Game {
    static PICKED: [OnceLock<Game>; CROSS_SECTION] = [const { OnceLock::new() }; CROSS_SECTION];
    let n = Random::new(seed, 1).below(CROSS_SECTION);
    let line = || PLAYED.lines().nth(n).and_then(parse);
    PICKED[n].get_or_init(|| line().expect("a line of the games that are carried with the program"))
}

/// A game from its result, its start if it is not the usual one, and its moves, with tabs between;
/// `None` when the start or a move is not legal.
///
/// The start is a FEN, also one of Chess960 (X-FEN or Shredder-FEN), or `startpos`.
pub fn parse(line: &str) -> Option<Game> {
    let (result, rest) = line.split_once('\t')?;
    let (start, moves) = rest.split_once('\t').unwrap_or(("startpos", rest));
    let result = [
        GameResult::WhiteWins,
        GameResult::BlackWins,
        GameResult::Draw,
        GameResult::Open,
    ]
    .into_iter()
    .find(|r| r.as_str() == result)?;
    let start = position(start)?;
    let mut position = start.clone();
    let moves: Option<Vec<Move>> = moves
        .split_whitespace()
        .map(|san| {
            let mv = san.parse::<San>().ok()?.to_move(&position).ok()?;
            position.play_unchecked(mv);
            Some(mv)
        })
        .collect();
    Some(Game {
        result,
        start,
        moves: moves?,
    })
}

fn position(start: &str) -> Option<Chess> {
    if start == "startpos" {
        return Some(Chess::default());
    }
    let setup = start.parse::<Fen>().ok()?.into_setup();
    let mode = CastlingMode::detect(&setup);
    Chess::from_setup(setup, mode).ok()
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use arbiter_core::shakmaty::Square;
    use arbiter_core::shakmaty::zobrist::Zobrist64;

    use super::*;

    #[test]
    fn every_line_is_a_legal_game() {
        assert_eq!(all().len(), PLAYED.lines().count() + RARE.lines().count());
        assert!(PLAYED.lines().count() >= 1_000);
        assert_eq!(chess960().len(), CHESS960.lines().count());
    }

    #[test]
    fn no_game_goes_on_after_the_laws_end_it() {
        for (n, game) in all().iter().enumerate() {
            let mut position = game.start.clone();
            let key = |position: &Chess| position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal);
            let mut seen = BTreeMap::from([(key(&position), 1)]);
            for mv in &game.moves {
                let often = seen.values().max().copied().unwrap_or(0);
                assert!(
                    !position.is_game_over() && position.halfmoves() < 150 && often < 5,
                    "game {n} goes on"
                );
                position.play_unchecked(*mv);
                *seen.entry(key(&position)).or_insert(0) += 1;
            }
        }
    }

    #[test]
    fn no_game_is_there_twice() {
        let lines: BTreeSet<&str> = PLAYED.lines().chain(RARE.lines()).collect();
        assert_eq!(lines.len(), all().len());
    }

    #[test]
    fn the_cross_section_stays_where_it_is() {
        let moves: usize = sample(CROSS_SECTION)
            .iter()
            .map(|game| game.moves.len())
            .sum();
        assert_eq!(moves, 11_186);
        assert_eq!(
            pick(7).moves,
            all()[Random::new(7, 1).below(CROSS_SECTION)].moves
        );
    }

    #[test]
    fn chess960_castles_from_every_kind_of_start() {
        let castlings = || {
            chess960()
                .iter()
                .flat_map(|g| &g.moves)
                .filter(|m| m.is_castle())
        };
        let stays = |mv: &Move, white: Square| mv.from() == Some(white);
        assert!(
            castlings().any(|mv| stays(mv, Square::G1)),
            "a king that stays on g1"
        );
        assert!(
            castlings().any(|mv| stays(mv, Square::C1)),
            "a king that stays on c1"
        );
        let starts: BTreeSet<String> = chess960()
            .iter()
            .map(|g| g.start.board().to_string())
            .collect();
        assert!(starts.len() >= 100, "{} starts", starts.len());
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
