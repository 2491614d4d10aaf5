//! What a store keeps besides games and acts: how far boards are, what was learned of them, and in
//! which order all was written.

use rusqlite::Connection;

use super::super::{StoreError, read, schema, seal};

/// What is wrong with that, a line each. Of an older file, whose tables are others, nothing: it is
/// brought up to date first.
pub(super) fn complaints(db: &Connection) -> Result<Vec<String>, StoreError> {
    if schema::is_older(db)?.is_some() {
        return Ok(Vec::new());
    }
    match of_boards(db).and_then(|boards| Ok([boards, of_log(db)?].concat())) {
        // Which pages cannot be read is told of the whole file.
        Err(StoreError::Sqlite(error)) if read::is_damage(&error) => Ok(Vec::new()),
        looked => looked,
    }
}

fn of_boards(db: &Connection) -> Result<Vec<String>, StoreError> {
    let mut wrong = Vec::new();
    for (table, sum, what) in [
        ("places", seal::PLACE, "how far its evidence was taken"),
        ("memories", seal::MEMORY, "what was learned of it"),
    ] {
        let query = format!("SELECT board FROM {table} WHERE sum IS NOT {sum} ORDER BY board");
        let mut query = db.prepare(&query)?;
        let boards = query.query_map([], |r| r.get::<_, String>(0))?;
        for board in boards {
            let board = board?;
            wrong.push(format!(
                "board {board}: {what} is not as it was written, and does not count"
            ));
        }
    }
    Ok(wrong)
}

/// What is wrong with the order in which a mirror is told what was written: something is not in it,
/// or it has no name. Each question is one look, beside a daemon that writes.
fn of_log(db: &Connection) -> Result<Vec<String>, StoreError> {
    let count = |query: &str| db.query_row(query, [], |r| r.get::<_, i64>(0));
    let mut wrong = Vec::new();
    if count("SELECT coalesce(max(seq), 0) - count(*) FROM log")? != 0 {
        wrong.push("the list of what was written has gaps".to_owned());
    }
    for (all, key, kind) in [
        ("games", "key", 1),
        ("events", "id", 2),
        ("acts", "number", 6),
    ] {
        let query = format!(
            "SELECT count(*) FROM {all}
             WHERE {key} NOT IN (SELECT what FROM log WHERE kind = {kind})"
        );
        if let missing @ 1.. = count(&query)? {
            wrong.push(format!(
                "{missing} of the {all} are not in the list of what was written: a hub is not told \
                 of them"
            ));
        }
    }
    let named = "SELECT count(*) FROM origin WHERE length(epoch) = 32 AND json_valid(earlier)";
    if count(named)? != 1 || count("SELECT count(*) FROM origin")? != 1 {
        wrong.push("the store has lost its name, by which a hub knows it".to_owned());
    }
    Ok(wrong)
}
