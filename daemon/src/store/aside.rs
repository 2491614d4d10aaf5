//! What acts say of people stands beside their chain, so that it can be taken away: the chain has
//! a checksum of it in its place, made with a secret of its own. Once text and secret are gone,
//! nobody finds out by trying what the text was, and the chain is whole as before.
//!
//! Beside the chain stand the players of a drawn round, the names of the files that it was read
//! from and of the picture of a note (which are checksums of these), reasons, the text of notes,
//! and network addresses. That something was taken away
//! is an act of its own; what is missing without one is damage.

use std::collections::HashMap;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Error, OptionalExtension, params};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{Area, Deed, StoreError, log, read, seal};

/// The field of the checksum.
const MARK: &str = "aside";
/// What the checksum of a network address follows on.
const ADDRESS: &str = "aside:";

/// The act by which something is taken away.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "kebab-case")]
pub enum Erased {
    /// Of people.
    Erased {
        /// Whose data, by starting numbers or in words.
        whose: String,
        /// What stands in the place of what was taken away, by its checksum.
        instead: Map<String, Value>,
    },
    /// The network addresses of these acts and of those before them.
    AddressesErased {
        /// The number of the last of them.
        until: u64,
    },
}

/// The places of an act's JSON at which something is said of people, or the checksum of that.
fn places(act: &mut Value) -> Vec<&mut Value> {
    let Value::Object(fields) = act else {
        return Vec::new();
    };
    let mut all = Vec::new();
    for (name, value) in fields {
        match (name.as_str(), value) {
            ("players", Value::Array(players)) => all.extend(players.iter_mut()),
            ("file" | "players_file" | "reason" | "text" | "photo", value) => all.push(value),
            _ => {}
        }
    }
    all
}

/// Whether it says anything.
fn is_said(value: &&mut Value) -> bool {
    value.is_object() || value.as_str().is_some_and(|text| !text.is_empty())
}

/// An act's JSON with checksums in the place of what it says of people; that is put aside.
pub(super) fn put_what(db: &Connection, deed: &Deed) -> rusqlite::Result<String> {
    let act = serde_json::from_str::<Value>(&deed.what).ok();
    let Some(mut act) = act.filter(|_| deed.area == Area::Event) else {
        return Ok(deed.what.clone());
    };
    let all: Vec<_> = places(&mut act).into_iter().filter(is_said).collect();
    if all.is_empty() {
        return Ok(deed.what.clone());
    }
    for value in all {
        *value = json!({ MARK: put(db, &value.to_string())? });
    }
    Ok(act.to_string())
}

/// The same of a network address.
pub(super) fn put_address(db: &Connection, address: &str) -> rusqlite::Result<String> {
    match address {
        "" => Ok(String::new()),
        known => Ok(format!("{ADDRESS}{}", put(db, known)?)),
    }
}

fn put(db: &Connection, text: &str) -> rusqlite::Result<String> {
    let salt = access::token().map_err(|error| Error::ToSqlConversionFailure(error.into()))?;
    let name = name(&salt, text);
    db.prepare_cached("INSERT INTO aside (name, salt, text) VALUES (?1, ?2, ?3)")?
        .execute(params![name, salt, text])?;
    Ok(name)
}

fn name(salt: &str, text: &str) -> String {
    let values = [salt, text].map(|part| ValueRef::Text(part.as_bytes()));
    let sum = seal::digest(values);
    sum.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The checksums in an act as it stands in the chain, with what each stands for.
pub(crate) fn checksums(raw: &str, filled: &str) -> Vec<(String, Value)> {
    let read = |text| serde_json::from_str::<Value>(text).unwrap_or_default();
    let (mut raw, mut filled) = (read(raw), read(filled));
    let pairs = places(&mut raw).into_iter().zip(places(&mut filled));
    let named = pairs.filter_map(|(mark, value)| Some((sum(mark)?.to_owned(), value.clone())));
    named.collect()
}

/// The checksums in an act as it stands in the chain.
pub(super) fn names(what: &str) -> Vec<String> {
    let mut act = serde_json::from_str::<Value>(what).unwrap_or_default();
    let marks = places(&mut act).into_iter();
    marks
        .filter_map(|mark| sum(mark).map(str::to_owned))
        .collect()
}

/// Puts what another store has beside its chain beside this one's.
pub(super) fn put_raw(db: &Connection, [is, salt, text]: &[String; 3]) -> Result<(), StoreError> {
    if name(salt, text) != *is {
        return Err(StoreError::Unsound("what an act says of people"));
    }
    db.prepare_cached("INSERT OR IGNORE INTO aside (name, salt, text) VALUES (?1, ?2, ?3)")?
        .execute([is, salt, text])?;
    Ok(())
}

fn sum(value: &Value) -> Option<&str> {
    let fields = value.as_object().filter(|fields| fields.len() == 1)?;
    fields.get(MARK)?.as_str()
}

/// What is beside the chain, and what stands in the place of what is not any more.
#[derive(Default)]
struct Aside {
    kept: HashMap<String, String>,
    instead: HashMap<String, Value>,
    /// The last act whose network address was taken away.
    addresses: u64,
}

impl Aside {
    fn read(db: &Connection, chain: &[Deed]) -> Result<Aside, StoreError> {
        let mut aside = Aside::default();
        if log::is_mirror(db)? {
            // No store gives network addresses to a mirror.
            aside.addresses = u64::MAX;
        }
        let known = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'aside'";
        if db.query_row(known, [], |_| Ok(())).optional()?.is_some() {
            let mut query = db.prepare("SELECT name, salt, text FROM aside")?;
            let mut rows = query.query([])?;
            let mut next = || match rows.next() {
                Ok(Some(row)) => Ok(Some((row.get(0), row.get(1), row.get(2)))),
                Ok(None) => Ok(None),
                // What cannot be read is missing, and is said of the act that needs it.
                Err(error) if read::is_damage(&error) => Ok(None),
                Err(error) => Err(error),
            };
            while let Some(row) = next()? {
                let row: (_, rusqlite::Result<String>, rusqlite::Result<String>) = row;
                // On a damaged page a row may have lost what it is.
                if let (Ok(is), Ok(salt), Ok(text)) = row
                    && name(&salt, &text) == is
                {
                    aside.kept.insert(is, text);
                }
            }
        }
        for deed in chain.iter().filter(|deed| deed.area == Area::People) {
            match serde_json::from_str::<Erased>(&deed.what) {
                Ok(Erased::Erased { instead, .. }) => aside.instead.extend(instead),
                Ok(Erased::AddressesErased { until }) => {
                    aside.addresses = aside.addresses.max(until);
                }
                Err(_) => {}
            }
        }
        Ok(aside)
    }

    /// What a checksum stands for.
    fn get(&self, sum: &str) -> Result<Value, String> {
        let kept = self.kept.get(sum).map(|text| serde_json::from_str(text));
        match kept
            .and_then(Result::ok)
            .or_else(|| self.instead.get(sum).cloned())
        {
            Some(value) => Ok(value),
            None => Err("what it says of people is lost or was changed".to_owned()),
        }
    }

    fn fill_in(&self, number: u64, deed: &mut Deed) -> Result<(), String> {
        if let Some(sum) = deed.author.address.strip_prefix(ADDRESS) {
            deed.author.address = match self.kept.get(sum) {
                Some(address) => address.clone(),
                None if number <= self.addresses => String::new(),
                None => return Err("its network address is lost or was changed".to_owned()),
            };
        }
        if deed.area != Area::Event || !deed.what.contains(MARK) {
            return Ok(());
        }
        let mut act: Value = serde_json::from_str(&deed.what).map_err(|e| e.to_string())?;
        for value in places(&mut act) {
            if let Some(name) = sum(value) {
                *value = self.get(name)?;
            }
        }
        deed.what = act.to_string();
        Ok(())
    }
}

/// Fills in what acts say of people. Where that is not there, and was not taken away by an act, the
/// acts end before; then the words say what is wrong.
pub(super) fn fill_in(
    db: &Connection,
    chain: &mut Vec<Deed>,
) -> Result<Option<String>, StoreError> {
    let aside = Aside::read(db, chain)?;
    for (n, deed) in chain.iter_mut().enumerate() {
        if let Err(what) = aside.fill_in(n as u64 + 1, deed) {
            chain.truncate(n);
            return Ok(Some(what));
        }
    }
    Ok(None)
}
