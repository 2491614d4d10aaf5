//! Checksums: what was written is what is read, or it is said.
//!
//! SHA-256 over the values of a row, each with its type and its length, so that no two rows have
//! the same bytes. The events of a game are a chain: each checksum covers the one before, the first
//! one the fixed part of the game's entry. The entry knows how many events there are and the last
//! checksum, so that none can be missing at the end, and is sealed as a whole. The acts of people
//! are a chain of the same kind.

use rusqlite::functions::FunctionFlags;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, params};
use sha2::{Digest, Sha256};

/// A checksum.
pub(super) type Sum = [u8; 32];

/// What begins the chain of a game, in SQL: what never changes of its entry.
pub(crate) const OPENING: &str = "digest(id, board, tags, started)";
/// The seal of a game's entry, in SQL.
pub(crate) const SEAL: &str = "digest(id, board, tags, started, ended, result, plies, count, \
                               head, ending, damage)";
/// The checksum of what was said of a game, in SQL.
pub(crate) const ENDING: &str = "digest(game, version, view, pgn)";
/// The checksum of how far a board's evidence is taken, in SQL.
pub(crate) const PLACE: &str = "digest(board, serial, boot, next, shift)";
/// The same before it was known of which board.
const PLACE_OF_ANY: &str = "digest(board, boot, next, shift)";
/// The checksum of what was learned of a board, in SQL.
pub(crate) const MEMORY: &str = "digest(board, text)";

/// The checksum of an act, in SQL: `head` is that of the one before, empty before the first.
pub(super) const DEED: &str = "digest(head, number, utc, who, role, device, address, area, what)";
/// The checksum of what is known of the list of acts as a whole, in SQL.
pub(super) const END: &str = "digest(count, head, damage)";

/// The checksum of these values, in this order.
pub(super) fn digest<'a>(values: impl IntoIterator<Item = ValueRef<'a>>) -> Sum {
    let mut hash = Sha256::new();
    let mut take = |kind: u8, bytes: &[u8]| {
        hash.update([kind]);
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    };
    for value in values {
        match value {
            ValueRef::Null => take(0, &[]),
            ValueRef::Integer(number) => take(1, &number.to_le_bytes()),
            ValueRef::Real(number) => take(2, &number.to_le_bytes()),
            ValueRef::Text(text) => take(3, text),
            ValueRef::Blob(bytes) => take(4, bytes),
        }
    }
    hash.finalize().into()
}

/// Teaches a connection the function `digest`.
pub(super) fn register(db: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    db.create_scalar_function("digest", -1, flags, |call| {
        Ok(digest((0..call.len()).map(|n| call.get_raw(n))).to_vec())
    })
}

/// Seals the entry of a game anew, after a change of it.
pub(crate) fn reseal(db: &Connection, game: &str) -> rusqlite::Result<()> {
    db.prepare_cached(&format!("UPDATE games SET seal = {SEAL} WHERE id = ?1"))?
        .execute([game])?;
    Ok(())
}

/// Seals how far the boards are anew, now that their serial numbers belong to it. What was not
/// sound stays so.
pub(super) fn seal_places(db: &Connection) -> rusqlite::Result<()> {
    let anew = format!("UPDATE places SET sum = {PLACE} WHERE sum IS {PLACE_OF_ANY}");
    db.execute(&anew, []).map(drop)
}

/// Fills in every checksum of a store that has none.
pub(super) fn seal_all(db: &Connection) -> rusqlite::Result<()> {
    register(db)?;
    db.execute(&format!("UPDATE games SET head = {OPENING}"), [])?;
    let mut events =
        db.prepare("SELECT id, game, at, wall, line FROM events ORDER BY game, seq")?;
    let mut rows = events.query([])?;
    while let Some(row) = rows.next()? {
        let (id, game): (i64, i64) = (row.get(0)?, row.get(1)?);
        let chained = "UPDATE events SET sum = digest((SELECT head FROM games WHERE key = ?2), \
                       at, wall, line) WHERE id = ?1 RETURNING sum";
        let sum: Vec<u8> = db
            .prepare_cached(chained)?
            .query_row([id, game], |r| r.get(0))?;
        db.prepare_cached("UPDATE games SET head = ?2, count = count + 1 WHERE key = ?1")?
            .execute(params![game, sum])?;
    }
    db.execute(&format!("UPDATE places SET sum = {PLACE_OF_ANY}"), [])?;
    db.execute(&format!("UPDATE memories SET sum = {MEMORY}"), [])?;
    let ending = format!("SELECT {ENDING} FROM endings WHERE game = key");
    db.execute(&format!("UPDATE games SET ending = ({ending})"), [])?;
    db.execute(&format!("UPDATE games SET seal = {SEAL}"), [])?;
    Ok(())
}
