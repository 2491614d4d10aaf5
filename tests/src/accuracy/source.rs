//! Where the games come from: those carried with the program, or a file.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use arbiter_core::ruling::GameResult;
use arbiter_core::shakmaty::zobrist::Zobrist64;
use arbiter_core::shakmaty::{Chess, EnPassantMode, Position};
use board_driver::hand::games::{self, Game};

/// The environment variable that names a file of games.
pub const VARIABLE: &str = "ARBITER_GAMES";

/// Games and where they are from.
#[derive(Debug)]
pub struct Source {
    /// The file, or `None` for the games carried with the program.
    pub file: Option<PathBuf>,
    /// The games.
    pub games: Cow<'static, [Game]>,
}

impl Source {
    /// The games carried with the program.
    pub fn carried() -> Source {
        Source {
            file: None,
            games: Cow::Borrowed(games::all()),
        }
    }

    /// The games of the file that [`VARIABLE`] names, else the carried ones.
    ///
    /// # Errors
    /// One line that names the file, and the line of it, that cannot be read.
    pub fn open() -> Result<Source, String> {
        let Some(file) = std::env::var_os(VARIABLE).map(PathBuf::from) else {
            return Ok(Source::carried());
        };
        // cargo runs benches in the directory of their package; a path from the user's place is
        // meant.
        let file = [
            file.clone(),
            Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(&file),
        ]
        .into_iter()
        .find(|path| path.exists())
        .unwrap_or(file);
        let text = read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let parse = |(n, line): (usize, &str)| {
            let game = games::parse(line)
                .ok_or_else(|| format!("{}:{}: not a game", file.display(), n + 1))?;
            Ok(cut(game))
        };
        let games: Result<Vec<Game>, String> = text.lines().enumerate().map(parse).collect();
        Ok(Source {
            games: Cow::Owned(games?),
            file: Some(file),
        })
    }
}

/// The text of a file, plain or compressed with zstd.
fn read(file: &Path) -> Result<String, Box<dyn std::error::Error>> {
    let mut text = String::new();
    if file.extension().is_some_and(|ext| ext == "zst") {
        ruzstd::decoding::StreamingDecoder::new(File::open(file)?)?.read_to_string(&mut text)?;
    } else {
        File::open(file)?.read_to_string(&mut text)?;
    }
    Ok(text)
}

/// The game up to where the Laws end it: repetition five times (9.6.1), 75 moves (9.6.2), material
/// that cannot mate (5.2.2).
fn cut(mut game: Game) -> Game {
    let key = |position: &Chess| position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal);
    let mut position = game.start.clone();
    let mut seen = HashMap::from([(key(&position), 1)]);
    for ply in 0..game.moves.len() {
        position.play_unchecked(game.moves[ply]);
        let often = seen.entry(key(&position)).or_insert(0);
        *often += 1;
        let over = position.is_game_over() || *often >= 5 || position.halfmoves() >= 150;
        if over && ply + 1 < game.moves.len() {
            game.moves.truncate(ply + 1);
            game.result = GameResult::Draw;
        }
        if over {
            break;
        }
    }
    game
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_ends_where_the_laws_end_it() {
        let there_and_back = "Nf3 Nf6 Ng1 Ng8 ".repeat(10);
        let game = cut(games::parse(&format!("1-0\t{there_and_back}")).unwrap());
        assert_eq!((game.moves.len(), game.result), (16, GameResult::Draw));
        let whole = games::parse("1-0\tstartpos\te4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7#").unwrap();
        assert_eq!(cut(whole.clone()).moves, whole.moves);
    }

    #[test]
    fn a_file_may_be_compressed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("games.tsv.zst");
        // A frame that holds its bytes as they are: magic, no checksum, 3 bytes, one last raw
        // block.
        std::fs::write(
            &path,
            [
                0x28, 0xb5, 0x2f, 0xfd, 0x20, 3, 0x19, 0, 0, b'e', b'4', b'\n',
            ],
        )
        .unwrap();
        assert_eq!(read(&path).unwrap(), "e4\n");
    }
}
