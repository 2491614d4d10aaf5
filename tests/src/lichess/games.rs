//! The games of a PGN, read by `pgn-reader` and played by `shakmaty`.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use arbiter_core::shakmaty::fen::Fen;
use arbiter_core::shakmaty::{CastlingMode, Chess, Position};
use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Skip, Visitor};

/// Games that one request may have.
const MOST: usize = 64;
/// Tags that every game has.
const ROSTER: [&str; 8] = [
    "Event", "Site", "Date", "Round", "White", "Black", "Result", "Board",
];

/// A game as a reader has it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Game {
    /// The table.
    pub table: u16,
    /// White's name.
    pub white: String,
    /// Every tag.
    pub tags: BTreeMap<String, String>,
    /// The moves as they are written.
    pub moves: Vec<String>,
    /// What is said beside the moves, without clocks.
    pub comments: Vec<String>,
}

/// Reads the games of a request.
///
/// # Errors
/// What is wrong with them.
pub fn games(text: &str) -> Result<Vec<Game>, String> {
    let mut reader = Reader::new(text.as_bytes());
    let mut games: Vec<Game> = Vec::new();
    while let Some(game) = reader.read_game(&mut Games).map_err(|e| e.to_string())? {
        games.push(game?);
    }
    match games.len() {
        0 => Err("no game at all".to_owned()),
        count if count > MOST => Err(format!("{count} games")),
        count if text.matches("[Event ").count() != count => Err("games run together".to_owned()),
        _ => Ok(games),
    }
}

struct Games;

struct Line {
    game: Game,
    position: Chess,
    wrong: Option<String>,
    ends: bool,
}

impl Visitor for Games {
    type Tags = Game;
    type Movetext = Line;
    type Output = Result<Game, String>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Game> {
        ControlFlow::Continue(Game::default())
    }

    fn tag(
        &mut self,
        game: &mut Game,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<Self::Output> {
        let name = String::from_utf8_lossy(name).into_owned();
        game.tags
            .insert(name, value.decode_utf8_lossy().into_owned());
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, mut game: Game) -> ControlFlow<Self::Output, Line> {
        if let Some(missing) = ROSTER.iter().find(|name| !game.tags.contains_key(**name)) {
            return ControlFlow::Break(Err(format!("no {missing} in {:?}", game.tags)));
        }
        game.table = game.tags["Board"].parse().unwrap_or(0);
        game.white.clone_from(&game.tags["White"]);
        let mode = match game.tags.contains_key("Variant") {
            true => CastlingMode::Chess960,
            false => CastlingMode::Standard,
        };
        let start = game.tags.get("FEN").map(|fen| {
            let fen = fen.parse::<Fen>().map_err(|e| e.to_string())?;
            fen.into_position(mode).map_err(|e| e.to_string())
        });
        match start.unwrap_or_else(|| Ok(Chess::default())) {
            Err(what) => ControlFlow::Break(Err(what)),
            Ok(position) => ControlFlow::Continue(Line {
                game,
                position,
                wrong: None,
                ends: false,
            }),
        }
    }

    fn san(&mut self, line: &mut Line, san: SanPlus) -> ControlFlow<Self::Output> {
        match san.san.to_move(&line.position) {
            Ok(played) => {
                line.position.play_unchecked(played);
                line.game.moves.push(san.to_string());
            }
            Err(error) => {
                let what = format!("{}: {san}: {error}", line.game.white);
                line.wrong.get_or_insert(what);
            }
        }
        ControlFlow::Continue(())
    }

    fn comment(&mut self, line: &mut Line, said: RawComment<'_>) -> ControlFlow<Self::Output> {
        // Lines of a PGN end where there is room, within a comment too.
        let said = String::from_utf8_lossy(said.as_bytes());
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        if !said.starts_with("[%clk ") && !said.starts_with("[%emt ") {
            line.game.comments.push(said);
        }
        ControlFlow::Continue(())
    }

    fn outcome(
        &mut self,
        line: &mut Line,
        outcome: arbiter_core::shakmaty::Outcome,
    ) -> ControlFlow<Self::Output> {
        line.ends = outcome.to_string() == line.game.tags["Result"];
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut Line) -> ControlFlow<Self::Output, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, line: Line) -> Self::Output {
        match line.wrong {
            Some(what) => Err(what),
            None if !line.ends => Err(format!("{} does not end", line.game.white)),
            None => Ok(line.game),
        }
    }
}
