//! Reads entries, events and endings, and says what of them is damaged.

use arbiter_core::{Event, Input};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, OptionalExtension, Row};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Ending, Game, GameRow, StoreError, Tags, seal};

/// What of a game on disk is not what was written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Damage {
    /// The first event that is damaged or missing: 0 is the setup. `None` where the events are
    /// whole and something else is not.
    pub event: Option<u64>,
    /// What is wrong, in words.
    pub what: String,
}

impl std::fmt::Display for Damage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.event {
            Some(event) => write!(f, "damaged at event {event}: {}", self.what),
            None => write!(f, "damaged: {}", self.what),
        }
    }
}

impl Damage {
    pub(super) fn new(event: Option<u64>, what: impl Into<String>) -> Damage {
        let what = what.into();
        Damage { event, what }
    }
}

/// The entry of a game, with what its events and its ending have to be.
pub(super) struct Entry {
    pub(super) key: i64,
    pub(super) row: GameRow,
    pub(super) is_sound: bool,
    count: u64,
    head: Option<Vec<u8>>,
    opening: Option<Vec<u8>>,
    ending: Option<Vec<u8>>,
}

impl Entry {
    /// An entry that is lost: nothing says what its events have to be.
    pub(super) fn lost(key: i64, row: GameRow) -> Entry {
        Entry {
            key,
            row,
            is_sound: false,
            count: 0,
            head: None,
            opening: None,
            ending: None,
        }
    }
}

/// Whether the store has checksums: one that no later version has opened yet has none.
pub(super) fn is_sealed(db: &Connection) -> Result<bool, StoreError> {
    let query = "SELECT 1 FROM pragma_table_info('events') WHERE name = 'sum'";
    Ok(db.query_row(query, [], |_| Ok(())).optional()?.is_some())
}

/// The columns of an entry.
pub(super) fn columns(is_sealed: bool) -> String {
    let common = "key, id, board, tags, started, ended, result, plies";
    let (seal, opening) = (seal::SEAL, seal::OPENING);
    match is_sealed {
        true => format!(
            "{common}, count, head, ending, damage, seal IS {seal} AS sound, {opening} AS opening"
        ),
        false => format!(
            "{common}, 0 AS count, NULL AS head, NULL AS ending, NULL AS damage, 1 AS sound, \
             NULL AS opening"
        ),
    }
}

/// What makes an entry one that is not sound, in SQL.
pub(super) fn unsound(is_sealed: bool) -> String {
    match is_sealed {
        true => format!("seal IS NOT {}", seal::SEAL),
        false => "false".to_owned(),
    }
}

/// Reads an entry. Whatever stands there is read; where it is not what was written, that is said.
pub(super) fn entry(r: &Row<'_>) -> rusqlite::Result<Entry> {
    let is_sound: bool = r.get("sound")?;
    let lost = text(r, "damage")?.map(|text| {
        serde_json::from_str(&text).unwrap_or_else(|_| Damage::new(None, "cannot be read"))
    });
    let seal = || Damage::new(None, "its entry does not fit its checksum");
    let tags = serde_json::from_str::<Tags>(&text(r, "tags")?.unwrap_or_default());
    let unread = || Damage::new(None, "its names cannot be read");
    let damage = (!is_sound)
        .then(seal)
        .or(lost)
        .or_else(|| tags.is_err().then(unread));
    let whole = |name| r.get::<_, i64>(name).map(i64::cast_unsigned);
    Ok(Entry {
        key: r.get("key")?,
        is_sound,
        count: whole("count").unwrap_or_default(),
        head: r.get("head").unwrap_or_default(),
        opening: r.get("opening").unwrap_or_default(),
        ending: r.get("ending").unwrap_or_default(),
        row: GameRow {
            id: text(r, "id")?.unwrap_or_default(),
            board: text(r, "board")?.unwrap_or_default(),
            tags: tags.unwrap_or_default(),
            started: text(r, "started")?.unwrap_or_default(),
            ended: text(r, "ended")?,
            result: text(r, "result")?
                .filter(|_| is_sound)
                .unwrap_or_else(|| "*".to_owned()),
            plies: whole("plies")
                .ok()
                .and_then(|n| n.try_into().ok())
                .unwrap_or(0),
            annulled: false,
            damage,
        },
    })
}

/// A game with its events, as far as they are sound.
pub(super) fn game(db: &Connection, entry: Entry, is_sealed: bool) -> Result<Game, StoreError> {
    let (chain, cut) = events(db, &entry, is_sealed)?;
    let (ending, lost) = match ending(db, &entry, is_sealed) {
        Ok(ending) => (ending, None),
        Err(StoreError::Sqlite(error)) if !is_damage(&error) => return Err(error.into()),
        Err(error) => (None, Some(Damage::new(None, error.to_string()))),
    };
    let mut row = entry.row;
    row.damage = cut.or(row.damage).or(lost);
    Ok(Game {
        row,
        events: chain.events,
        walls: chain.walls,
        ending,
    })
}

/// The events of a game up to the first that is not sound, and what is wrong there.
fn events(
    db: &Connection,
    entry: &Entry,
    is_sealed: bool,
) -> Result<(Chain, Option<Damage>), StoreError> {
    let mut chain = Chain {
        // A damaged entry does not vouch for the first event; what is wrong is said of it.
        head: entry.opening.clone().filter(|_| entry.is_sound),
        events: Vec::new(),
        walls: Vec::new(),
    };
    let sum = if is_sealed { "sum" } else { "NULL" };
    let query = format!("SELECT seq, at, wall, line, {sum} FROM events WHERE game = ?1");
    let read = || -> Result<Option<Damage>, rusqlite::Error> {
        let mut query = db.prepare_cached(&format!("{query} ORDER BY seq"))?;
        let mut rows = query.query([entry.key])?;
        while let Some(row) = rows.next()? {
            if let Err(what) = chain.take(row, is_sealed)? {
                return Ok(Some(Damage::new(Some(chain.events.len() as u64), what)));
            }
        }
        Ok(None)
    };
    let damage = match { read }() {
        Ok(damage) => damage,
        Err(error) if is_damage(&error) => Some(chain.damage(error.to_string())),
        Err(error) => return Err(error.into()),
    };
    let is_whole = !is_sealed
        || !entry.is_sound
        || (chain.events.len() as u64 == entry.count && chain.head == entry.head);
    let damage = damage.or_else(|| {
        let what = format!("{} events were written", entry.count);
        (!is_whole).then(|| chain.damage(what))
    });
    Ok((chain, damage))
}

/// Events that follow on each other.
struct Chain {
    head: Option<Vec<u8>>,
    events: Vec<Event>,
    walls: Vec<i64>,
}

impl Chain {
    /// Takes the next event, or says what is wrong with it.
    fn take(&mut self, row: &Row<'_>, is_sealed: bool) -> rusqlite::Result<Result<(), String>> {
        let seq: i64 = row.get(0)?;
        if seq != self.events.len() as i64 {
            return Ok(Err(format!("event {seq} is there instead")));
        }
        let (at, wall, line) = (row.get_ref(1)?, row.get_ref(2)?, row.get_ref(3)?);
        if is_sealed {
            let sum: Vec<u8> = row.get(4)?;
            if let Some(head) = &self.head {
                let expected = seal::digest([ValueRef::Blob(head), at, wall, line]);
                if expected[..] != sum[..] {
                    return Ok(Err("it does not fit its checksum".to_owned()));
                }
            }
            self.head = Some(sum);
        }
        let line = line.as_bytes().unwrap_or_default();
        let event: Event = match serde_json::from_slice(line) {
            Ok(event) => event,
            Err(error) => return Ok(Err(format!("it cannot be read: {error}"))),
        };
        let wall = wall.as_i64_or_null().ok().flatten();
        self.events.push(event);
        self.walls.push(wall.unwrap_or(i64::MAX));
        Ok(Ok(()))
    }

    fn damage(&self, what: String) -> Damage {
        Damage::new(Some(self.events.len() as u64), what)
    }
}

/// What was said of a game that is over.
fn ending(db: &Connection, entry: &Entry, is_sealed: bool) -> Result<Option<Ending>, StoreError> {
    // A reader may come before the daemon has brought the tables up to date.
    let known = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'endings'";
    if !is_sealed && db.query_row(known, [], |_| Ok(())).optional()?.is_none() {
        return Ok(None);
    }
    let sum = match is_sealed {
        true => seal::ENDING,
        false => "NULL",
    };
    let query = format!("SELECT version, view, pgn, {sum} FROM endings WHERE game = ?1");
    let ending = |r: &Row<'_>| {
        let ending = Ending {
            version: r.get(0)?,
            view: r.get(1)?,
            pgn: r.get(2)?,
        };
        Ok((ending, r.get::<_, Option<Vec<u8>>>(3)?))
    };
    let found = db.query_row(&query, [entry.key], ending).optional()?;
    let (ending, sum) = found.unzip();
    match sum.flatten() == entry.ending {
        true => Ok(ending),
        false if entry.is_sound => Err(StoreError::Ended),
        // What is wrong with the entry is said anyway.
        false => Ok(None),
    }
}

/// The board of a damaged entry: its setup names the game, and that the board.
pub(super) fn owner(db: &Connection, entry: &Entry) -> Option<String> {
    let id = name(db, entry.key)?;
    board_of(&id).map(str::to_owned)
}

/// The name of a game by its setup.
pub(super) fn name(db: &Connection, key: i64) -> Option<String> {
    let query = "SELECT line FROM events WHERE game = ?1 AND seq = 0";
    let line: String = db.query_row(query, [key], |r| r.get(0)).ok()?;
    match serde_json::from_str::<Event>(&line).ok()?.input {
        Input::Setup(setup) => Some(setup.game),
        _ => None,
    }
}

/// The board that a game is named for: `b01` of `2026-11-21-b01-1`.
pub(super) fn board_of(id: &str) -> Option<&str> {
    let after_the_day = id.splitn(4, '-').nth(3)?;
    after_the_day.rsplit_once('-').map(|(board, _)| board)
}

/// Whether the file is not what was written, and not only out of reach for now.
pub(super) fn is_damage(error: &rusqlite::Error) -> bool {
    match error {
        rusqlite::Error::SqliteFailure(failure, _) => matches!(
            failure.code,
            ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase
        ),
        _ => true,
    }
}

/// Text as it stands there, be it none.
fn text(r: &Row<'_>, name: &str) -> rusqlite::Result<Option<String>> {
    Ok(match r.get_ref(name)? {
        ValueRef::Text(text) => Some(String::from_utf8_lossy(text).into_owned()),
        _ => None,
    })
}
