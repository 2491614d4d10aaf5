//! Reads a game to be played: start, moves and result of the first game of a PGN. Comments and
//! variations are passed over.

use std::io::{self, Read};
use std::ops::ControlFlow;

use arbiter_core::ruling::GameResult;
use arbiter_core::shakmaty::fen::Fen;
use arbiter_core::shakmaty::{
    CastlingMode, Chess, Color, EnPassantMode, KnownOutcome, Move, Outcome, Position,
};
use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};

/// A game as its PGN gives it.
#[derive(Clone, Debug)]
pub struct Played {
    /// The position it starts from.
    pub start: Chess,
    /// Its moves; each is legal.
    pub moves: Vec<Move>,
    /// Its result.
    pub result: GameResult,
}

/// Why there is no game to be had.
#[derive(Debug, thiserror::Error)]
pub enum PgnError {
    /// It could not be read.
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
    /// There is none.
    #[error("holds no game in PGN")]
    NoGame,
    /// The starting position is none.
    #[error("the tag FEN holds no position to play from: {0}")]
    Start(String),
    /// A move cannot be played.
    #[error("move {number}{dots} {san} is not legal")]
    Illegal {
        /// The move's number.
        number: u32,
        /// `.` for White's moves, `...` for Black's.
        dots: &'static str,
        /// As written.
        san: String,
    },
}

/// Reads the first game.
pub fn read(input: impl Read) -> Result<Played, PgnError> {
    Reader::new(input)
        .read_game(&mut Game)?
        .ok_or(PgnError::NoGame)?
}

struct Game;

/// The tags that say what is played.
#[derive(Default)]
struct Tags {
    fen: Option<String>,
    chess960: bool,
}

/// What was read so far, and the position it leads to.
struct Line {
    played: Played,
    position: Chess,
}

impl Visitor for Game {
    type Tags = Tags;
    type Movetext = Line;
    type Output = Result<Played, PgnError>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Self::Tags> {
        ControlFlow::Continue(Tags::default())
    }

    fn tag(
        &mut self,
        tags: &mut Self::Tags,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<Self::Output> {
        let value = || value.decode_utf8_lossy().into_owned();
        if name.eq_ignore_ascii_case(b"FEN") {
            tags.fen = Some(value());
        } else if name.eq_ignore_ascii_case(b"Variant") {
            let names = ["chess960", "chess 960", "fischerandom", "fischerrandom"];
            tags.chess960 = names.contains(&value().to_lowercase().as_str());
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Self::Tags) -> ControlFlow<Self::Output, Line> {
        match start(&tags) {
            Ok(start) => {
                let played = Played {
                    start: start.clone(),
                    moves: Vec::new(),
                    result: GameResult::Open,
                };
                ControlFlow::Continue(Line {
                    played,
                    position: start,
                })
            }
            Err(why) => ControlFlow::Break(Err(PgnError::Start(why))),
        }
    }

    fn san(&mut self, line: &mut Line, san: SanPlus) -> ControlFlow<Self::Output> {
        let Ok(m) = san.san.to_move(&line.position) else {
            let dots = line.position.turn().fold_wb(".", "...");
            let number = line.position.fullmoves().get();
            return ControlFlow::Break(Err(PgnError::Illegal {
                number,
                dots,
                san: san.to_string(),
            }));
        };
        line.position.play_unchecked(m);
        line.played.moves.push(m);
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut Line) -> ControlFlow<Self::Output, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn outcome(&mut self, line: &mut Line, outcome: Outcome) -> ControlFlow<Self::Output> {
        line.played.result = match outcome {
            Outcome::Known(KnownOutcome::Decisive {
                winner: Color::White,
            }) => GameResult::WhiteWins,
            Outcome::Known(KnownOutcome::Decisive {
                winner: Color::Black,
            }) => GameResult::BlackWins,
            Outcome::Known(KnownOutcome::Draw) => GameResult::Draw,
            Outcome::Unknown => GameResult::Open,
        };
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, line: Line) -> Self::Output {
        Ok(line.played)
    }
}

fn start(tags: &Tags) -> Result<Chess, String> {
    let initial = || Fen::from_position(&Chess::default(), EnPassantMode::Legal).to_string();
    let text = tags.fen.clone().unwrap_or_else(initial);
    let fen: Fen = text.parse().map_err(|e| format!("{text}: {e}"))?;
    let mode = if tags.chess960 {
        CastlingMode::Chess960
    } else {
        CastlingMode::detect(fen.as_setup())
    };
    fen.into_position(mode).map_err(|e| format!("{text}: {e}"))
}
