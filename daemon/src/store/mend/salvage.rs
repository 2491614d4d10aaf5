//! Copies what can be read of a damaged store to a new one.

use std::path::Path;

use rusqlite::{Connection, Row, params};

use super::{Verdict, by_key, file, last_key, last_of, writer};
use crate::store::read::{self, Damage};
use crate::store::written::{self, Marks};
use crate::store::{Game, StoreError, acts, log, schema, seal};

/// Copies what can be read of `from` to the new store `into`; `marks` say what must be there.
pub(super) fn salvage(from: &Path, marks: Marks, into: &Path) -> Result<Vec<Verdict>, StoreError> {
    let old = Connection::open(from)?;
    // Reads on where a table's description is not understood.
    old.pragma_update(None, "writable_schema", true)?;
    schema::describe(&old)?;
    drop(old);
    let old = Connection::open(from)?;
    old.pragma_update(None, "writable_schema", true)?;
    seal::register(&old)?;
    file::create(into)?;
    let mut new = writer(into)?;
    schema::migrate(&mut new)?;
    let new = new.transaction()?;
    let marks = written::of_store(&old, marks)?;
    let last = last_key(&old)?.max(last_of(&marks));
    let mut verdicts = Vec::new();
    let mut left = Vec::new();
    for key in 1..=last {
        match by_key(&old, &marks, key)? {
            game if game.row.damage.is_none() => {
                verdicts.push((key, keep(&old, &new, key, game)?));
            }
            _ => left.push(key),
        }
    }
    // An index may hide what the table has.
    let _tables_that_cannot_be_read = old.execute_batch("REINDEX");
    for key in left {
        verdicts.push((key, keep(&old, &new, key, by_key(&old, &marks, key)?)?));
    }
    keep_boards(&old, &new)?;
    seal::seal_all(&new)?;
    seal::seal_places(&new)?;
    keep_acts(&old, &new)?;
    log::fill(&new)?;
    log::keep_names(&old, &new)?;
    new.commit()?;
    verdicts.sort_by_key(|(key, _)| *key);
    Ok(verdicts.into_iter().map(|(_, verdict)| verdict).collect())
}

/// Writes a game to a new store.
fn keep(
    old: &Connection,
    new: &Connection,
    key: i64,
    mut game: Game,
) -> Result<Verdict, StoreError> {
    let events = events(old, key, &mut game);
    let row = &mut game.row;
    // Two entries whose names are lost may not be told apart by what is left of them.
    let taken = "SELECT 1 FROM games WHERE id = ?1";
    if new.prepare_cached(taken)?.exists([&row.id])? {
        row.id = format!("lost-{key}");
    }
    let damage = row.damage.as_ref().map(serde_json::to_string).transpose()?;
    let tags = serde_json::to_string(&row.tags)?;
    // As it was written: the checksums are made of that.
    let raw = "SELECT tags FROM games WHERE key = ?1";
    let raw = old.query_row(raw, [key], |r| r.get::<_, String>(0));
    let tags = raw.ok().filter(|_| damage.is_none()).unwrap_or(tags);
    new.execute(
        "INSERT INTO games (key, id, board, tags, started, ended, result, plies, damage)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        params![
            key,
            row.id,
            row.board,
            tags,
            row.started,
            row.ended,
            row.result,
            row.plies,
            damage
        ],
    )?;
    let mut write = new.prepare_cached(
        "INSERT INTO events (game, seq, at, wall, line) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?;
    for (seq, (at, wall, line)) in (0i64..).zip(events) {
        write.execute(params![key, seq, at, wall, line])?;
    }
    if let Some(ending) = &game.ending {
        new.execute(
            "INSERT INTO endings (game, version, view, pgn) VALUES (?1, ?2, ?3, ?4)",
            params![key, ending.version, ending.view, ending.pgn],
        )?;
    }
    Ok(Verdict::of(&game))
}

/// The events of a game as they were written. Where pages are damaged the same may not be found
/// twice: what is not ends the game.
fn events(old: &Connection, key: i64, game: &mut Game) -> Vec<(i64, i64, String)> {
    let query = format!("SELECT seq, at, wall, line FROM events WHERE game = {key} ORDER BY seq");
    let event = |r: &Row<'_>| Ok((r.get::<_, i64>(0)?, (r.get(1)?, r.get(2)?, r.get(3)?)));
    let found = all_that_can_be_read(old, &query, event);
    let in_turn = (0i64..).zip(found).take_while(|(n, (seq, _))| n == seq);
    let events = in_turn.map(|(_, (_, event))| event);
    let events: Vec<_> = events.take(game.events.len()).collect();
    if events.len() < game.events.len() {
        game.events.truncate(events.len());
        let what = "it cannot be read again";
        game.row.damage = Some(Damage::new(Some(events.len() as u64), what));
    }
    events
}

/// Writes what is known of the boards to a new store. What is not sound is asked of them anew.
fn keep_boards(old: &Connection, new: &Connection) -> Result<(), StoreError> {
    let sound = |sum: &str| match read::is_sealed(old) {
        Ok(true) => format!("sum IS {sum}"),
        _ => "true".to_owned(),
    };
    let places = format!(
        "SELECT board, serial, boot, next, shift FROM places WHERE {}",
        sound(seal::PLACE)
    );
    type Place = (String, String, u16, u32, i64);
    let place = |r: &Row<'_>| -> rusqlite::Result<Place> {
        Ok((r.get(0)?, r.get(1)?, r.get(2)?, r.get(3)?, r.get(4)?))
    };
    for place in all_that_can_be_read(old, &places, place) {
        let write = "INSERT OR REPLACE INTO places (board, serial, boot, next, shift)
                     VALUES (?1, ?2, ?3, ?4, ?5)";
        new.execute(write, place)?;
    }
    let memories = format!(
        "SELECT board, text FROM memories WHERE {}",
        sound(seal::MEMORY)
    );
    type Memory = (String, String);
    let memory = |r: &Row<'_>| -> rusqlite::Result<Memory> { Ok((r.get(0)?, r.get(1)?)) };
    for memory in all_that_can_be_read(old, &memories, memory) {
        let write = "INSERT OR REPLACE INTO memories (board, text) VALUES (?1, ?2)";
        new.execute(write, memory)?;
    }
    Ok(())
}

/// Writes the files and the acts of people to a new store, these up to the first that is damaged:
/// what follows on one that is not known is not known either.
fn keep_acts(old: &Connection, new: &Connection) -> Result<(), StoreError> {
    for (name, bytes) in acts::files(old)?.0 {
        new.execute(
            "INSERT INTO files (name, bytes) VALUES (?1, ?2)",
            params![name, bytes],
        )?;
    }
    let kept = acts::deeds(old)?;
    kept.sound
        .iter()
        .try_for_each(|deed| acts::add(new, deed).map(drop))?;
    if let Some(damage) = kept.damage {
        acts::doubt(new, &damage)?;
    }
    Ok(())
}

fn all_that_can_be_read<T>(
    db: &Connection,
    query: &str,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> Vec<T> {
    let Ok(mut query) = db.prepare(query) else {
        return Vec::new();
    };
    let rows = query.query_map([], read);
    rows.map_or_else(|_| Vec::new(), |rows| rows.map_while(Result::ok).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A kept store of an earlier version.
    const KEPT: &str = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/journals/0.1.0-next-game/arbiter.sqlite"
    );

    #[test]
    fn what_is_not_found_twice_ends_a_game_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let (old, new) = (dir.path().join("old.sqlite"), dir.path().join("new.sqlite"));
        std::fs::copy(KEPT, &old).unwrap();
        let mut old = writer(&old).unwrap();
        schema::migrate(&mut old).unwrap();
        let mut new = writer(&new).unwrap();
        schema::migrate(&mut new).unwrap();
        let game = by_key(&old, &Marks::new(), 1).unwrap();
        assert!(game.row.damage.is_none() && game.events.len() > 9);
        old.execute("DELETE FROM events WHERE game = 1 AND seq = 7", [])
            .unwrap();
        let verdict = keep(&old, &new, 1, game).unwrap();
        assert_eq!(verdict.events, 7);
        assert_eq!(verdict.damage.and_then(|damage| damage.event), Some(7));
        let kept = "SELECT count(*) FROM events WHERE game = 1";
        let kept: i64 = new.query_row(kept, [], |r| r.get(0)).unwrap();
        assert_eq!(kept, 7);
        // A name that is there already is not taken from whoever has it.
        let mut other = by_key(&old, &Marks::new(), 2).unwrap();
        other.row.id = verdict.game;
        assert_eq!(keep(&old, &new, 2, other).unwrap().game, "lost-2");
    }
}
