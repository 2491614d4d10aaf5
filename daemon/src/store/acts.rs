//! Acts of people, and what the program did in their name: one list, each entry chained to the one
//! before. What they make of an event, or of who may do what, is worked out from them.

use jiff::Timestamp;
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, OptionalExtension, Row, ToSql, params};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::log::Kind;
use super::{Store, StoreError, aside, log, mend, read, seal};
use crate::office::file_name;

/// What an act is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Area {
    /// Players, rounds, tables, results.
    Event,
    /// Who may do what.
    People,
    /// Boards and their ports.
    Boards,
    /// What waits for arbiters, and who sees to it.
    Incidents,
    /// Orders from the hub, and what came of them.
    Orders,
}

impl Area {
    /// Its name in the store.
    pub fn name(self) -> &'static str {
        match self {
            Area::Event => "event",
            Area::People => "people",
            Area::Boards => "boards",
            Area::Incidents => "incidents",
            Area::Orders => "orders",
        }
    }

    fn of(name: &str) -> Option<Area> {
        const ALL: [Area; 5] = [
            Area::Event,
            Area::People,
            Area::Boards,
            Area::Incidents,
            Area::Orders,
        ];
        ALL.into_iter().find(|area| area.name() == name)
    }
}

/// Who did something. Empty text: nobody said.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Author {
    /// The name of the account or of the person; empty where the program did it by itself.
    pub who: String,
    /// The role in which it was done.
    pub role: String,
    /// The device; of what the program did by itself, the board that showed it.
    pub device: String,
    /// The network address.
    pub address: String,
}

/// One act.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Deed {
    /// When, in RFC 3339.
    pub utc: String,
    /// Who.
    #[serde(flatten)]
    pub author: Author,
    /// What it is about.
    pub area: Area,
    /// What was done: JSON, whose form is that of the area.
    pub what: String,
}

impl Deed {
    /// Something that is done now.
    ///
    /// # Errors
    /// Where it has no form in JSON.
    pub fn now(author: Author, area: Area, what: &impl Serialize) -> Result<Deed, StoreError> {
        Ok(Deed {
            utc: Timestamp::now().to_string(),
            author,
            area,
            what: serde_json::to_string(what)?,
        })
    }
}

/// The acts of a store, as far as they are as they were written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Deeds {
    /// In their order. The number of an act is its place, from 1.
    pub sound: Vec<Deed>,
    /// The JSON of each as it stands in the chain: without what it says of people.
    pub(crate) raw: Vec<String>,
    /// What is wrong with what follows, in words.
    pub damage: Option<String>,
    /// There is more after the damage: nothing may be added before that is repaired.
    pub is_broken: bool,
    /// The checksum of the last of them, in hexadecimal digits: it stands for all of them. Empty
    /// where there are none.
    pub head: String,
}

impl Deeds {
    /// Those of one area, with their numbers.
    pub fn of(&self, area: Area) -> impl Iterator<Item = (u64, &Deed)> {
        let numbered = (1..).zip(&self.sound);
        numbered.filter(move |(_, deed)| deed.area == area)
    }
}

impl Store {
    /// Every act of the store.
    ///
    /// # Errors
    /// Where the store cannot be read now; damage is none.
    pub fn deeds(&self) -> Result<Deeds, StoreError> {
        deeds(&mend::reader(&self.file)?)
    }

    /// A file that was given to the program, by the SHA-256 of its bytes.
    ///
    /// # Errors
    /// Where the store cannot be read now, or has other bytes under that name.
    pub fn file(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let db = mend::reader(&self.file)?;
        let query = "SELECT bytes FROM files WHERE name = ?1";
        let found = db.query_row(query, [name], |r| r.get::<_, Vec<u8>>(0));
        match found.optional()? {
            Some(bytes) if file_name(&bytes) != name => Err(StoreError::Unsound("files")),
            found => Ok(found),
        }
    }
}

/// Every file that is sound, and the names of those that are not.
pub(super) fn files(db: &Connection) -> Result<(Vec<Kept>, Vec<String>), StoreError> {
    let known = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'files'";
    let (mut sound, mut wrong) = (Vec::new(), Vec::new());
    if !db.prepare(known)?.exists([])? {
        return Ok((sound, wrong));
    }
    let mut query = db.prepare("SELECT name, bytes FROM files")?;
    let mut rows = query.query([])?;
    loop {
        match rows.next() {
            Ok(None) => return Ok((sound, wrong)),
            Ok(Some(row)) => match (row.get::<_, String>(0), row.get::<_, Vec<u8>>(1)) {
                (Ok(name), Ok(bytes)) if file_name(&bytes) == name => sound.push((name, bytes)),
                (Ok(name), _) => wrong.push(name),
                // On a damaged page a row may have lost its name as well.
                (Err(error), _) => wrong.push(error.to_string()),
            },
            Err(error) if read::is_damage(&error) => {
                wrong.push(error.to_string());
                return Ok((sound, wrong));
            }
            Err(error) => return Err(error.into()),
        }
    }
}

/// A file with its name.
type Kept = (String, Vec<u8>);

/// How many acts there are, the checksum of the last, and what was lost before.
type End = (u64, Vec<u8>, Option<String>);

/// Every act that is sound.
pub(super) fn deeds(db: &Connection) -> Result<Deeds, StoreError> {
    let known = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'acts_end'";
    match db.query_row(known, [], |_| Ok(())).optional() {
        // No version that knows of acts has opened it yet.
        Ok(None) => return Ok(Deeds::default()),
        Ok(Some(())) => {}
        Err(error) if read::is_damage(&error) => return Ok(broken(Vec::new(), "lost")),
        Err(error) => return Err(error.into()),
    }
    let (end, mut sound) = (end(db)?, Vec::new());
    let (what, head) = match chain(db, &mut sound) {
        Ok((what, head)) => (what, head),
        Err(error) if read::is_damage(&error) => (Some(error.to_string()), Vec::new()),
        Err(error) => return Err(error.into()),
    };
    let (count, mut raw) = (sound.len(), whats(&sound));
    let what = aside::fill_in(db, &mut sound)?.or(what);
    raw.truncate(sound.len());
    let last: String = head.iter().map(|byte| format!("{byte:02x}")).collect();
    let deeds = match (what, end) {
        (Some(what), _) => {
            let what = format!("act {}: {what}", sound.len() + 1);
            broken(sound, &what)
        }
        (None, None) => broken(sound, "how many there are does not fit its checksum"),
        (None, Some((all, last, _))) if (all, &last) != (count as u64, &head) => {
            let what = format!("{count} of {all} are there");
            broken(sound, &what)
        }
        (None, Some((_, _, damage))) => Deeds {
            sound,
            damage,
            ..Deeds::default()
        },
    };
    Ok(Deeds {
        raw,
        head: last,
        ..deeds
    })
}

fn whats(chain: &[Deed]) -> Vec<String> {
    chain.iter().map(|deed| deed.what.clone()).collect()
}

fn broken(sound: Vec<Deed>, what: &str) -> Deeds {
    Deeds {
        sound,
        damage: Some(what.to_owned()),
        is_broken: true,
        ..Deeds::default()
    }
}

/// What is known of the list as a whole. `None` where that does not fit its checksum.
fn end(db: &Connection) -> Result<Option<End>, StoreError> {
    let query = format!(
        "SELECT count, head, damage, sum IS {} FROM acts_end",
        seal::END
    );
    let read = |r: &Row<'_>| {
        let count: i64 = r.get(0)?;
        let end = (count.cast_unsigned(), r.get(1)?, r.get(2)?);
        Ok(Some(end).filter(|_| r.get(3).unwrap_or(false)))
    };
    match db.query_row(&query, [], read).optional() {
        Ok(end) => Ok(end.flatten()),
        Err(error) if read::is_damage(&error) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Takes one act after the other, up to the first that is not as it was written: says what is wrong
/// with that, and the checksum of the last that is.
fn chain(db: &Connection, sound: &mut Vec<Deed>) -> rusqlite::Result<(Option<String>, Vec<u8>)> {
    let mut query = db.prepare(
        "SELECT number, utc, who, role, device, address, area, what, sum FROM acts
         ORDER BY number",
    )?;
    let mut rows = query.query([])?;
    let mut head = Vec::new();
    while let Some(row) = rows.next()? {
        if row.get::<_, i64>(0)? != sound.len() as i64 + 1 {
            return Ok((Some("it is missing".to_owned()), head));
        }
        let values = (0..8)
            .map(|n| row.get_ref(n))
            .collect::<Result<Vec<_>, _>>()?;
        let before = std::iter::once(ValueRef::Blob(&head));
        let sum: Vec<u8> = row.get(8)?;
        if seal::digest(before.chain(values))[..] != sum[..] {
            return Ok((Some("it does not fit its checksum".to_owned()), head));
        }
        let area: String = row.get(6)?;
        let Some(area) = Area::of(&area) else {
            let what = format!("`{area}` is nothing that this version knows");
            return Ok((Some(what), head));
        };
        let author = Author {
            who: row.get(2)?,
            role: row.get(3)?,
            device: row.get(4)?,
            address: row.get(5)?,
        };
        sound.push(Deed {
            utc: row.get(1)?,
            author,
            area,
            what: row.get(7)?,
        });
        head = sum;
    }
    Ok((None, head))
}

/// The list without an act.
pub(super) fn begin(db: &Connection) -> rusqlite::Result<()> {
    seal::register(db)?;
    db.execute("INSERT INTO acts_end VALUES (1, 0, x'', NULL, x'')", [])?;
    reseal(db)
}

/// Adds an act to the list.
pub(crate) fn enter(db: &Connection, deed: &Deed) -> rusqlite::Result<()> {
    let (number, _) = add(db, deed)?;
    log::note(db, Kind::Act, number)
}

/// Adds an act to the list of a store whose log is filled later.
pub(super) fn add(db: &Connection, deed: &Deed) -> rusqlite::Result<(i64, String)> {
    let Author {
        who, role, device, ..
    } = &deed.author;
    let what = aside::put_what(db, deed)?;
    let address = aside::put_address(db, &deed.author.address)?;
    chained(
        db,
        params![deed.utc, who, role, device, address, deed.area.name(), what],
    )
}

/// Adds a row to the chain: its number, and the first 16 hexadecimal digits of its checksum.
fn chained(db: &Connection, values: &[&dyn ToSql]) -> rusqlite::Result<(i64, String)> {
    let entered = db
        .prepare_cached(&format!(
            "INSERT INTO acts (number, utc, who, role, device, address, area, what, sum)
             SELECT number, utc, who, role, device, address, area, what, {}
             FROM (SELECT count + 1 AS number, ?1 AS utc, ?2 AS who, ?3 AS role, ?4 AS device,
                          ?5 AS address, ?6 AS area, ?7 AS what, head FROM acts_end)
             RETURNING number, substr(hex(sum), 1, 16)",
            seal::DEED
        ))?
        .query_row(values, |r| Ok((r.get::<_, i64>(0)?, r.get(1)?)))?;
    db.prepare_cached(
        "UPDATE acts_end
         SET count = count + 1, head = (SELECT sum FROM acts WHERE number = count + 1)",
    )?
    .execute([])?;
    reseal(db)?;
    Ok(entered)
}

/// An act as it stands in the chain, with what stands beside the chain, less network addresses.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Raw {
    number: i64,
    utc: String,
    who: String,
    role: String,
    device: String,
    address: String,
    area: String,
    what: String,
    /// The first 16 hexadecimal digits of its checksum.
    sum: String,
    aside: Vec<[String; 3]>,
}

impl Raw {
    /// What was done, where it is of that area.
    pub(crate) fn of(&self, area: Area) -> Option<&str> {
        (self.area == area.name()).then_some(&*self.what)
    }

    /// About how long it is.
    pub(super) fn bytes(&self) -> usize {
        let aside = self.aside.iter().flatten().map(String::len);
        self.what.len() + aside.sum::<usize>()
    }
}

/// The act of this number.
pub(super) fn raw(db: &Connection, number: &Value) -> Result<Option<Box<Raw>>, StoreError> {
    let query = "SELECT number, utc, who, role, device, address, area, what,
                        substr(hex(sum), 1, 16) FROM acts WHERE number = ?1";
    let read = |r: &Row<'_>| {
        Ok(Box::new(Raw {
            number: r.get(0)?,
            utc: r.get(1)?,
            who: r.get(2)?,
            role: r.get(3)?,
            device: r.get(4)?,
            address: r.get(5)?,
            area: r.get(6)?,
            what: r.get(7)?,
            sum: r.get(8)?,
            aside: Vec::new(),
        }))
    };
    let found = db.prepare_cached(query)?.query_row([number], read);
    let Some(mut raw) = found.optional()? else {
        return Ok(None);
    };
    raw.aside = log::beside(db, &raw.what)?;
    Ok(Some(raw))
}

/// Adds an act of another store to a mirror of it.
pub(crate) fn enter_raw(db: &Connection, raw: &Raw) -> Result<(), StoreError> {
    raw.aside
        .iter()
        .try_for_each(|row| aside::put_raw(db, row))?;
    let entered = chained(
        db,
        params![
            raw.utc,
            raw.who,
            raw.role,
            raw.device,
            raw.address,
            raw.area,
            raw.what
        ],
    )?;
    match entered == (raw.number, raw.sum.clone()) {
        true => Ok(log::note(db, Kind::Act, raw.number)?),
        false => Err(StoreError::Unsound("an act")),
    }
}

/// Puts aside what the acts of an older store say of people: their chain is made anew. One that is
/// damaged stays as it is, so that it can be repaired.
pub(super) fn put_aside(db: &Connection) -> Result<(), StoreError> {
    let Deeds {
        sound, is_broken, ..
    } = deeds(db)?;
    if is_broken || sound.is_empty() {
        return Ok(());
    }
    db.execute_batch("DELETE FROM acts; UPDATE acts_end SET count = 0, head = x''")?;
    sound.iter().try_for_each(|deed| add(db, deed).map(drop))?;
    Ok(())
}

/// Says of the list that something of it was lost.
pub(super) fn doubt(db: &Connection, what: &str) -> rusqlite::Result<()> {
    db.execute("UPDATE acts_end SET damage = ?1", [what])?;
    reseal(db)
}

fn reseal(db: &Connection) -> rusqlite::Result<()> {
    let seal = format!("UPDATE acts_end SET sum = {}", seal::END);
    db.prepare_cached(&seal)?.execute([]).map(drop)
}

#[cfg(test)]
mod tests;
