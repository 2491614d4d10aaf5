//! Acts as they are written, with the checksums that cover them.

use replica::Why;
use rusqlite::{Error, Transaction, params};

use super::Act;
use crate::store::{
    ENDING, Ending, Kind, MEMORY, OPENING, PLACE, Place, enter as enter_deed, erase, note,
    note_game, renew, reseal,
};

/// Writes one act.
pub(crate) fn apply(db: &Transaction<'_>, act: &Act) -> rusqlite::Result<()> {
    match act {
        Act::Begin {
            game,
            board,
            tags,
            started,
        } => {
            let tags =
                serde_json::to_string(tags).map_err(|e| Error::ToSqlConversionFailure(e.into()))?;
            let begin = format!(
                "INSERT INTO games (id, board, tags, started, head)
                 SELECT id, board, tags, started, {OPENING}
                 FROM (SELECT ?1 AS id, ?2 AS board, ?3 AS tags, ?4 AS started)"
            );
            db.prepare_cached(&begin)?
                .execute(params![game, board, tags, started])?;
            reseal(db, game)?;
            note_game(db, Kind::Game, game)
        }
        Act::Event {
            game,
            seq,
            at,
            wall,
            line,
        } => {
            let (seq, at) = (seq.cast_signed(), at.cast_signed());
            enter(db, game, (seq, at, *wall, line))
        }
        Act::Taken {
            board,
            place:
                Place {
                    serial,
                    boot,
                    next,
                    shift,
                },
        } => {
            db.prepare_cached(
                "INSERT OR REPLACE INTO places (board, serial, boot, next, shift)
                 VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .execute(params![board, serial, boot, next, shift])?;
            checked(db, "places", PLACE, board)
        }
        Act::Learned { board, memory } => {
            db.prepare_cached("INSERT OR REPLACE INTO memories (board, text) VALUES (?1, ?2)")?
                .execute(params![board, memory])?;
            checked(db, "memories", MEMORY, board)
        }
        Act::Outcome {
            game,
            ended,
            result,
            plies,
        } => {
            db.prepare_cached(
                "UPDATE games SET ended = ?2, result = ?3, plies = ?4 WHERE id = ?1",
            )?
            .execute(params![game, ended, result, plies])?;
            reseal(db, game)?;
            note_game(db, Kind::Outcome, game)
        }
        Act::Ended { game, ending } => end(db, game, ending),
        Act::Reopened { game } => {
            db.prepare_cached(
                "DELETE FROM endings WHERE game = (SELECT key FROM games WHERE id = ?1)",
            )?
            .execute(params![game])?;
            db.prepare_cached("UPDATE games SET ending = NULL WHERE id = ?1")?
                .execute(params![game])?;
            reseal(db, game)?;
            note_game(db, Kind::Reopened, game)
        }
        Act::Renew => renew(db, Why::Other),
        Act::Deed(deed) => enter_deed(db, deed),
        Act::Erase(erasure) => erase(db, erasure),
        Act::File { name, bytes } => {
            // The same bytes have the same name.
            db.prepare_cached("INSERT OR IGNORE INTO files (name, bytes) VALUES (?1, ?2)")?
                .execute(params![name, &bytes[..]])?;
            note(db, Kind::File, name.clone())
        }
    }
}

/// Enters the event that follows on the last one of its game.
fn enter(
    db: &Transaction<'_>,
    game: &str,
    (seq, at, wall, line): (i64, i64, i64, &str),
) -> rusqlite::Result<()> {
    let entered = db
        .prepare_cached(
            "INSERT INTO events (game, seq, at, wall, line, sum)
             SELECT key, ?2, ?3, ?4, ?5, digest(head, ?3, ?4, ?5)
             FROM games WHERE id = ?1 AND count = ?2",
        )?
        .execute(params![game, seq, at, wall, line])?;
    if entered != 1 {
        return Err(Error::StatementChangedRows(entered));
    }
    note(db, Kind::Event, db.last_insert_rowid())?;
    db.prepare_cached(
        "UPDATE games SET count = ?2 + 1,
            head = (SELECT sum FROM events WHERE game = key AND seq = ?2)
         WHERE id = ?1",
    )?
    .execute(params![game, seq])?;
    reseal(db, game)
}

/// Keeps what was said of a game.
fn end(db: &Transaction<'_>, game: &str, ending: &Ending) -> rusqlite::Result<()> {
    let Ending { version, view, pgn } = ending;
    db.prepare_cached(
        "INSERT OR REPLACE INTO endings (game, version, view, pgn)
         VALUES ((SELECT key FROM games WHERE id = ?1), ?2, ?3, ?4)",
    )?
    .execute(params![game, version, view, pgn])?;
    let sum = format!("SELECT {ENDING} FROM endings WHERE game = key");
    db.prepare_cached(&format!("UPDATE games SET ending = ({sum}) WHERE id = ?1"))?
        .execute([game])?;
    reseal(db, game)?;
    note_game(db, Kind::Ended, game)
}

/// Writes the checksum of what `table` has of a board.
fn checked(db: &Transaction<'_>, table: &str, sum: &str, board: &str) -> rusqlite::Result<()> {
    let write = format!("UPDATE {table} SET sum = {sum} WHERE board = ?1");
    db.prepare_cached(&write)?.execute([board])?;
    Ok(())
}
