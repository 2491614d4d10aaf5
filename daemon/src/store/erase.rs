//! Takes away what a store says of people, from the disk too.

use replica::Why;
use rusqlite::{Connection, Error, params};
use serde_json::{Map, Value};

use super::{ENDING, OPENING, Tags, log, renew, reseal, seal};

/// What is taken away.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Erasure {
    /// What stands in the place of what acts say of people, by its checksum.
    pub instead: Map<String, Value>,
    /// The last of the acts whose network address is taken away.
    pub addresses: Option<u64>,
    /// Games that are called otherwise.
    pub games: Vec<Renamed>,
    /// Files that are not kept any longer, by their names.
    pub dropped: Vec<String>,
    /// Files that take their place.
    pub files: Vec<(String, Vec<u8>)>,
}

/// A game that is called otherwise.
#[derive(Clone, PartialEq, Debug)]
pub struct Renamed {
    /// Its name in the store, which stays.
    pub game: String,
    /// Who plays, and where.
    pub tags: Tags,
    /// What was said of it when it ended, as PGN.
    pub pgn: Option<String>,
}

/// Takes it away. The bytes may still be in the file, until [`wipe`].
pub(crate) fn erase(db: &Connection, erasure: &Erasure) -> rusqlite::Result<()> {
    let mut delete = db.prepare("DELETE FROM aside WHERE name = ?1")?;
    for name in erasure.instead.keys() {
        delete.execute([name])?;
    }
    if let Some(until) = erasure.addresses {
        db.execute(
            "DELETE FROM aside WHERE name IN (SELECT substr(address, 7) FROM acts
             WHERE number <= ?1 AND address LIKE 'aside:%')",
            [until.cast_signed()],
        )?;
    }
    erasure.games.iter().try_for_each(|game| rename(db, game))?;
    for name in &erasure.dropped {
        db.execute("DELETE FROM files WHERE name = ?1", [name])?;
    }
    for file in &erasure.files {
        let write = "INSERT OR IGNORE INTO files (name, bytes) VALUES (?1, ?2)";
        if db.execute(write, params![file.0, file.1])? > 0 {
            log::note(db, log::Kind::File, file.0.clone())?;
        }
    }
    // Network addresses are in no mirror.
    let is_elsewhere =
        !erasure.instead.is_empty() || !erasure.games.is_empty() || !erasure.dropped.is_empty();
    match is_elsewhere {
        true => renew(db, Why::Erased),
        false => Ok(()),
    }
}

/// Calls a game otherwise. Its chain begins with what it is called, and is made anew as far as it
/// is sound; where it is not, that stays to be seen.
fn rename(db: &Connection, renamed: &Renamed) -> rusqlite::Result<()> {
    let Renamed { game, tags, pgn } = renamed;
    let entry = format!(
        "SELECT key, {OPENING}, head, seal IS {} FROM games WHERE id = ?1",
        seal::SEAL
    );
    let read = |r: &rusqlite::Row<'_>| Ok((r.get(0)?, r.get(1)?, r.get(2)?, r.get(3)?));
    let (key, mut old, last, is_sound): (i64, Vec<u8>, Vec<u8>, bool) =
        db.query_row(&entry, [game], read)?;
    if !is_sound {
        return Err(Error::InvalidParameterName(format!("{game} is damaged")));
    }
    let tags = serde_json::to_string(tags).map_err(|e| Error::ToSqlConversionFailure(e.into()))?;
    db.execute(
        "UPDATE games SET tags = ?2 WHERE id = ?1",
        params![game, tags],
    )?;
    let opening = format!("SELECT {OPENING} FROM games WHERE id = ?1");
    let mut new: Vec<u8> = db.query_row(&opening, [game], |r| r.get(0))?;
    let mut ids = db.prepare("SELECT id FROM events WHERE game = ?1 ORDER BY seq")?;
    let ids: Vec<i64> = ids
        .query_map([key], |r| r.get(0))?
        .collect::<Result<_, _>>()?;
    for id in ids {
        let both = "SELECT sum, digest(?2, at, wall, line), digest(?3, at, wall, line)
                    FROM events WHERE id = ?1";
        let read = |r: &rusqlite::Row<'_>| Ok((r.get(0)?, r.get(1)?, r.get(2)?));
        let (was, expected, next): (Vec<u8>, Vec<u8>, Vec<u8>) = db
            .prepare_cached(both)?
            .query_row(params![id, old, new], read)?;
        if was != expected {
            break;
        }
        db.prepare_cached("UPDATE events SET sum = ?2 WHERE id = ?1")?
            .execute(params![id, next])?;
        (old, new) = (was, next);
    }
    if old == last {
        db.execute(
            "UPDATE games SET head = ?2 WHERE id = ?1",
            params![game, new],
        )?;
    }
    if let Some(pgn) = pgn {
        db.execute(
            "UPDATE endings SET pgn = ?2 WHERE game = ?1",
            params![key, pgn],
        )?;
        let ending = format!("SELECT {ENDING} FROM endings WHERE game = key");
        db.execute(
            &format!("UPDATE games SET ending = ({ending}) WHERE id = ?1"),
            [game],
        )?;
    }
    reseal(db, game)
}

/// Makes sure that nothing is left of what was deleted: neither in the file nor in its log.
pub(crate) fn wipe(db: &Connection) -> Result<(), String> {
    let failed = |error: Error| error.to_string();
    // Also what was deleted before deleted bytes were overwritten.
    db.execute_batch("VACUUM").map_err(failed)?;
    let emptied = db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |r| {
        r.get::<_, i64>(0)
    });
    match emptied.map_err(failed)? {
        0 => Ok(()),
        _ => Err("somebody reads the store".to_owned()),
    }
}
