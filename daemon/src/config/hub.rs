//! Several halls and one hub: `[hub]` of a hall, `[[hall]]` of a hub.

use std::path::{Path, PathBuf};
use std::time::Duration;

use access::{Role, Tables};
use axum::http::Uri;

use super::read::check_id;
use super::sheet::{Found, Section, Sheet};
use crate::hub::key::is_public;
use crate::hub::nats::Rules;
use crate::hub::{Known, Wishes};

/// How long a NATS server keeps what a hall has sent, and how much of one hall.
const DAYS: u16 = 40;
const MEGABYTES: u32 = 4096;

/// Reads the hub of a hall.
pub(super) fn hub<'t>(
    sheet: &mut Sheet<'t>,
    root: &mut Section<'t>,
    base: &Path,
) -> Option<Wishes> {
    let mut section = sheet.section(root, "hub")?;
    let heading = section.line;
    let name = sheet.take::<String>(&mut section, "name");
    let address = sheet.take::<String>(&mut section, "address");
    let key = sheet.take::<PathBuf>(&mut section, "key");
    let authority = sheet.take::<PathBuf>(&mut section, "authority");
    let orders = orders(sheet, &mut section);
    sheet.close(section);
    for (is_there, named) in [
        (name.is_some(), "hub.name"),
        (address.is_some(), "hub.address"),
        (key.is_some(), "hub.key"),
    ] {
        if !is_there {
            sheet.blame(
                heading,
                named,
                "is missing; docs/halls.md says how a hub is set up",
            );
        }
    }
    let (name, address, key) = (name?, address?, key?);
    if let Err(what) = check_id(&name.value) {
        sheet.blame(name.line, "hub.name", what);
    }
    let checked = match crate::hub::nats::is_address(&address.value) {
        true => are_of_nats(&address.value, authority.is_some()),
        false => is_address(&address.value, authority.is_some()),
    };
    if let Err(what) = checked {
        sheet.blame(address.line, "hub.address", what);
    }
    Some(Wishes {
        name: name.value,
        address: address.value,
        key: base.join(key.value),
        authority: authority.map(|found| base.join(found.value)),
        orders,
    })
}

/// From whom at the hub orders are taken.
fn orders<'t>(sheet: &mut Sheet<'t>, section: &mut Section<'t>) -> Vec<Role> {
    let Some(found) = sheet.take::<Vec<String>>(section, "orders") else {
        return Vec::new();
    };
    let mut roles = Vec::new();
    for name in &found.value {
        match name.parse::<Role>() {
            Ok(role) if role.only_watches() => {
                let what = format!("a {role} orders nothing");
                sheet.blame(found.line, "hub.orders", what);
            }
            Ok(role) => roles.push(role),
            Err(error) => sheet.blame(found.line, "hub.orders", error.to_string()),
        }
    }
    roles
}

/// Whether a hub can be reached there, and nobody else hears it.
fn is_address(text: &str, has_authority: bool) -> Result<(), String> {
    let uri: Option<Uri> = text.parse().ok();
    let (scheme, host) = uri
        .as_ref()
        .map_or((None, None), |uri| (uri.scheme_str(), uri.host()));
    let name = host.unwrap_or_default().trim_matches(['[', ']']);
    let is_near = name == "localhost"
        || name
            .parse()
            .is_ok_and(|ip: std::net::IpAddr| ip.is_loopback());
    match scheme {
        Some("wss" | "tls") if host.is_some() && has_authority => Ok(()),
        Some("wss" | "tls") if host.is_some() => {
            Err("needs `authority`: the file of whoever signed the certificate there, PEM".into())
        }
        Some("ws" | "nats") if has_authority => {
            Err("goes without TLS: write `wss://`, or `tls://` for NATS".into())
        }
        Some("ws" | "nats") if is_near => Ok(()),
        Some("ws" | "nats") => {
            Err("anybody could read that: write `wss://`, or `tls://` for NATS".into())
        }
        _ => Err(format!(
            "`{text}` is not the address of a hub; write for example \"wss://hub.lan:8443\", or \
             \"tls://hub.lan:4222\" of its NATS server"
        )),
    }
}

/// Whether every one of these addresses, with commas between, is of a NATS server.
fn are_of_nats(text: &str, has_authority: bool) -> Result<(), String> {
    text.split(',').map(str::trim).try_for_each(|one| {
        if one.starts_with("tls://") || one.starts_with("nats://") {
            is_address(one, has_authority)
        } else {
            let example = "write for example \"tls://hub.lan:4222\"";
            Err(format!(
                "`{one}` is not the address of a NATS server; {example}"
            ))
        }
    })
}

/// Reads the NATS server over which halls may come.
pub(super) fn nats<'t>(
    sheet: &mut Sheet<'t>,
    root: &mut Section<'t>,
    base: &Path,
) -> Option<Rules> {
    let mut section = sheet.section(root, "nats")?;
    let heading = section.line;
    let address = sheet.take::<String>(&mut section, "address");
    let key = sheet.take::<PathBuf>(&mut section, "key");
    let authority = sheet.take::<PathBuf>(&mut section, "authority");
    let days = sheet.take_or::<u16>(&mut section, "days", DAYS);
    let megabytes = sheet.take_or::<u32>(&mut section, "megabytes", MEGABYTES);
    let replicas = sheet.take_or::<u8>(&mut section, "replicas", 1);
    let line = section.line;
    sheet.close(section);
    let (Some(address), Some(key)) = (address, key) else {
        sheet.blame(
            heading,
            "nats",
            "needs an `address` and a `key`; docs/halls.md says how",
        );
        return None;
    };
    if let Err(what) = are_of_nats(&address.value, authority.is_some()) {
        sheet.blame(address.line, "nats.address", what);
    }
    for (is_good, key, what) in [
        (days > 0, "nats.days", "must be 1 at least"),
        (megabytes > 0, "nats.megabytes", "must be 1 at least"),
        (
            matches!(replicas, 1 | 3 | 5),
            "nats.replicas",
            "must be 1, or 3 or 5 in a cluster of as many servers",
        ),
    ] {
        if !is_good {
            sheet.blame(line, key, what);
        }
    }
    Some(Rules {
        address: address.value,
        key: base.join(key.value),
        authority: authority.map(|found| base.join(found.value)),
        age: Duration::from_hours(24 * u64::from(days)),
        bytes: i64::from(megabytes) << 20,
        replicas: replicas.into(),
    })
}

/// What is of boards is told in the halls, where they stand.
pub(super) fn without_boards<'t>(sheet: &mut Sheet<'t>, root: &mut Section<'t>) {
    if let Some(section) = sheet.section(root, "livechess") {
        let what = "a hub has no boards: programs that know LiveChess find them at each hall";
        sheet.blame(section.line, "livechess", what);
    }
}

/// Reads the halls of a hub.
pub(super) fn halls<'t>(sheet: &mut Sheet<'t>, root: &mut Section<'t>) -> Vec<Known> {
    let before = sheet.problems.len();
    let sections = sheet.sections(root, "hall");
    if sections.is_empty() && sheet.problems.len() == before {
        let what = "no hall is known; add `[[hall]]` with its `name` and its `key`";
        sheet.blame(0, "hall", what);
    }
    let mut halls: Vec<Known> = Vec::new();
    for mut section in sections {
        let heading = section.line;
        let name = sheet.take::<String>(&mut section, "name");
        let key = sheet.take::<String>(&mut section, "key");
        let tables = tables(sheet, &mut section, &halls);
        let nkey = sheet.take::<String>(&mut section, "nkey");
        sheet.close(section);
        let (Some(name), Some(Found { value: key, line })) = (name, key) else {
            sheet.blame(heading, "hall", "needs a `name` and a `key`");
            continue;
        };
        if let Err(what) = check_id(&name.value) {
            sheet.blame(name.line, "hall.name", what);
        }
        let is_digest = key.len() == 64 && key.bytes().all(|b| b.is_ascii_hexdigit());
        if !is_digest {
            let what = "is not what `arbiterd hub key` prints: 64 hexadecimal digits";
            sheet.blame(line, "hall.key", what);
        }
        if let Some(found) = nkey.as_ref().filter(|found| !is_public(&found.value)) {
            let what = "is not what `arbiterd hub key` prints: 56 letters and digits, first a U";
            sheet.blame(found.line, "hall.nkey", what);
        }
        let (known, key) = (name.value, key.to_ascii_lowercase());
        let nkey = nkey.map(|found| found.value);
        let mut others = halls.iter();
        if let Some(other) = others.find(|other| {
            // Nobody would tell `Open` and `open` apart.
            other.name.eq_ignore_ascii_case(&known)
                || other.key == key
                || (nkey.is_some() && other.nkey == nkey)
        }) {
            let what = format!("has the name or the key of hall `{}`", other.name);
            sheet.blame(heading, "hall", what);
        }
        halls.push(Known {
            name: known,
            key,
            tables,
            nkey,
        });
    }
    halls
}

/// The tables of the event that a hall has, and no other.
fn tables<'t>(sheet: &mut Sheet<'t>, section: &mut Section<'t>, others: &[Known]) -> Vec<Tables> {
    let Some(found) = sheet.take::<String>(section, "tables") else {
        return Vec::new();
    };
    let read: Result<Vec<Tables>, _> = found.value.split(',').map(str::parse).collect();
    let tables = read.unwrap_or_else(|error| {
        sheet.blame(found.line, "hall.tables", format!("{error}; or 1-10,31-40"));
        Vec::new()
    });
    for other in others {
        let mut both = other
            .tables
            .iter()
            .filter(|a| tables.iter().any(|b| a.meet(*b)));
        if let Some(taken) = both.next() {
            let what = format!("hall `{}` has tables {taken} already", other.name);
            sheet.blame(found.line, "hall.tables", what);
        }
    }
    tables
}

#[cfg(test)]
mod tests;
