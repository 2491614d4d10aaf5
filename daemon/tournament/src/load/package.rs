//! The archive that a workbook is, looked at before anything unpacks it for good. A few kilobytes
//! can say that they are gigabytes.

use std::io::{Cursor, Read};

use zip::ZipArchive;
use zip::result::ZipError;

use super::What;
use crate::what;

/// What all parts may come to when they are unpacked, in bytes: a sheet of ten thousand pairings
/// with all its styles is a third of it.
const MOST_UNPACKED: u64 = 32 << 20;

/// How many parts an archive may have. Workbooks have a dozen, and a few for each sheet.
const MOST_PARTS: usize = 1_000;

/// How many different texts a workbook may say that it has: room is made for so many at once.
const MOST_TEXTS: u64 = 1_000_000;

/// What is told of an archive that is none, or no workbook. The words of whoever could not unpack
/// it are English, whatever language the sentence is in.
pub(super) fn no_workbook(error: &dyn std::fmt::Display) -> What {
    what!(
        "no-workbook",
        "this is no workbook: {detail}",
        detail = error
    )
}

/// Unpacks every part and counts, whatever the archive says of its size.
pub(super) fn look(bytes: &[u8]) -> Result<(), What> {
    let unreadable = |error: ZipError| no_workbook(&error);
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(unreadable)?;
    if archive.len() > MOST_PARTS {
        return Err(what!(
            "many-parts",
            "{parts} parts: no workbook has so many",
            parts = archive.len()
        ));
    }
    let mut left = MOST_UNPACKED;
    for place in 0..archive.len() {
        let part = archive.by_index(place).map_err(unreadable)?;
        let name = part.name().map_err(unreadable)?.to_lowercase();
        let mut content = Vec::new();
        let mut bounded = part.take(left + 1);
        let read = bounded.read_to_end(&mut content);
        let bad = |error: std::io::Error| {
            what!(
                "bad-part",
                "the part {part} of the workbook cannot be read: {detail}",
                part = name,
                detail = error
            )
        };
        let read = read.map_err(bad)? as u64;
        left = left.checked_sub(read).ok_or_else(|| {
            what!(
                "long-unpacked",
                "unpacked it is more than {most} MiB: no list of pairings is so long",
                most = MOST_UNPACKED >> 20
            )
        })?;
        if name.ends_with(".xml") {
            xml(&name, &content)?;
        }
    }
    Ok(())
}

/// Workbooks are written in UTF-8; in another encoding they could say what is not seen here.
fn xml(name: &str, content: &[u8]) -> Result<(), What> {
    let text = std::str::from_utf8(content).ok();
    let Some(text) = text.filter(|text| !text.contains(['\0', '\u{1b}'])) else {
        return Err(what!(
            "part-no-text",
            "{part}: it has characters that are no text in UTF-8",
            part = name
        ));
    };
    let declared = text
        .split_once("?>")
        .map_or("", |(declaration, _)| declaration);
    if let Some((_, encoding)) = declared.to_lowercase().split_once("encoding") {
        let encoding = encoding.trim_start_matches(|c: char| !c.is_alphanumeric());
        if !encoding.starts_with("utf-8") {
            return Err(what!(
                "part-encoding",
                "{part} is not written in UTF-8",
                part = name
            ));
        }
    }
    if name.ends_with("sharedstrings.xml") {
        texts(text)?;
    }
    Ok(())
}

/// How many texts there are to be.
fn texts(text: &str) -> Result<(), What> {
    for (place, name) in text.match_indices("uniqueCount") {
        let rest = &text[place + name.len()..];
        let rest = rest.trim_start_matches(|c: char| !c.is_ascii_digit());
        let digits = rest.split(|c: char| !c.is_ascii_digit()).next();
        let digits = digits.unwrap_or_default();
        let count: u64 = digits.parse().unwrap_or(u64::MAX);
        if count > MOST_TEXTS && !digits.is_empty() {
            return Err(what!(
                "many-texts",
                "{count} texts: no list of pairings has so many",
                count = count
            ));
        }
    }
    Ok(())
}
