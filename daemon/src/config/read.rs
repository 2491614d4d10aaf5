//! From the text to a [`Config`]: what each key means, and what two keys mean together.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use arbiter_core::input::StartFen;
use arbiter_core::settings::{Language, Settings};
use board_driver::{BoardKind, PortSpec};

use super::entrance::{self, Entrance};
use super::hub;
use super::lichess::lichess;
use super::livechess::livechess;
use super::place::{Place, Taken, place};
use super::privacy::privacy;
use super::public::public;
use super::sheet::{Found, Section, Sheet};
use super::unseen::unseen;
use super::{BoardConfig, Config, EventConfig, Problem};
use crate::chess960::Chess960;
use crate::plain;
use arbiter_core::orientation::Orientation;

/// Longest id of a board: it is part of file names and of table columns.
const LONGEST_ID: usize = 32;
/// Where journal and PGN files go when the file does not say.
const DIR: &str = "arbiter-data";

pub(super) fn config(text: &str, base: &Path) -> Result<Config, Vec<Problem>> {
    let (mut sheet, root) = Sheet::open(text);
    let Some(mut root) = root else {
        return Err(sheet.problems);
    };
    let (listen, names, entrance) = http(&mut sheet, &mut root, base);
    let dir = base.join(dir(&mut sheet, &mut root));
    let privacy = privacy(&mut sheet, &mut root);
    let unseen = unseen(&mut sheet, &mut root);
    let public = public(&mut sheet, &mut root, (base, &dir));
    let livechess = livechess(&mut sheet, &mut root, (&entrance, &public));
    let lichess = lichess(&mut sheet, &mut root, base);
    let hub = hub::hub(&mut sheet, &mut root, base);
    let event = event(&mut sheet, &mut root);
    let mut boards = boards(&mut sheet, &mut root, base);
    for board in &mut boards {
        speak(&mut board.options, event.language);
    }
    sheet.close(root);
    if !sheet.problems.is_empty() {
        sheet.problems.sort();
        return Err(sheet.problems);
    }
    Ok(Config {
        listen,
        names,
        entrance,
        privacy,
        unseen,
        public,
        livechess,
        lichess,
        hub,
        halls: None,
        nats: None,
        dir,
        event,
        boards,
    })
}

/// The file of a hub.
pub(super) fn hub(text: &str, base: &Path) -> Result<Config, Vec<Problem>> {
    let (mut sheet, root) = Sheet::open(text);
    let Some(mut root) = root else {
        return Err(sheet.problems);
    };
    let (listen, names, entrance) = http(&mut sheet, &mut root, base);
    let dir = base.join(dir(&mut sheet, &mut root));
    let privacy = privacy(&mut sheet, &mut root);
    let public = public(&mut sheet, &mut root, (base, &dir));
    let lichess = lichess(&mut sheet, &mut root, base);
    hub::without_boards(&mut sheet, &mut root);
    let halls = hub::halls(&mut sheet, &mut root);
    let nats = hub::nats(&mut sheet, &mut root, base);
    sheet.close(root);
    if !sheet.problems.is_empty() {
        sheet.problems.sort();
        return Err(sheet.problems);
    }
    Ok(Config {
        listen,
        names,
        entrance,
        privacy,
        public,
        lichess,
        halls: Some(halls),
        nats,
        ..Config::new(dir, Vec::new())
    })
}

fn http<'t>(
    sheet: &mut Sheet<'t>,
    root: &mut Section<'t>,
    base: &Path,
) -> (SocketAddr, Vec<String>, Entrance) {
    let Some(mut http) = sheet.section(root, "http") else {
        return (Config::LISTEN, Vec::new(), Entrance::default());
    };
    let text = sheet.take::<String>(&mut http, "listen");
    let names = sheet.take_or(&mut http, "names", Vec::new());
    let entrance = entrance::entrance(sheet, &mut http, base);
    sheet.close(http);
    let Some(Found { value, line }) = text else {
        return (Config::LISTEN, names, entrance);
    };
    let listen = value.parse().unwrap_or_else(|_| {
        let what = format!(
            "`{value}` is not an address and a port; write for example \"{}\"",
            Config::LISTEN
        );
        sheet.blame(line, "http.listen", what);
        Config::LISTEN
    });
    (listen, names, entrance)
}

fn dir<'t>(sheet: &mut Sheet<'t>, root: &mut Section<'t>) -> PathBuf {
    let Some(mut store) = sheet.section(root, "store") else {
        return PathBuf::from(DIR);
    };
    let dir = sheet.take_or(&mut store, "dir", PathBuf::from(DIR));
    sheet.close(store);
    dir
}

fn event<'t>(sheet: &mut Sheet<'t>, root: &mut Section<'t>) -> EventConfig {
    let default = EventConfig::default();
    let Some(mut event) = sheet.section(root, "event") else {
        return default;
    };
    let read = EventConfig {
        name: name(sheet, &mut event, "name"),
        site: name(sheet, &mut event, "site"),
        round: round(sheet, &mut event),
        date: date(sheet, &mut event),
        laws: sheet.take_or(&mut event, "laws", default.laws),
        class: sheet.take_or(&mut event, "class", default.class),
        supervised: sheet.take_or(&mut event, "supervised", default.supervised),
        language: sheet.take(&mut event, "language").map(|found| found.value),
    };
    sheet.close(event);
    read
}

/// `"3"`, or 3 as most people write it.
fn round<'t>(sheet: &mut Sheet<'t>, event: &mut Section<'t>) -> String {
    let Some(Found { value, line }) = sheet.take::<toml::Value>(event, "round") else {
        return String::new();
    };
    let text = match value {
        toml::Value::String(text) => text,
        toml::Value::Integer(number) => number.to_string(),
        _ => {
            let what = "neither a number nor a name; write for example \"3\"";
            sheet.blame(line, "event.round", what);
            return String::new();
        }
    };
    if let Some(complaint) = plain::complaint(&text) {
        sheet.blame(line, "event.round", complaint);
    }
    text.trim().to_owned()
}

/// A board speaks the event's language unless its own options name another.
fn speak(options: &mut Settings, language: Option<Language>) {
    if options.language == Language::default() {
        options.language = language.unwrap_or_default();
    }
}

/// `2026-11-21` or `2026.11.21`, as text or as a TOML date; PGN wants points.
fn date<'t>(sheet: &mut Sheet<'t>, event: &mut Section<'t>) -> Option<String> {
    let Found { value, line } = sheet.take::<toml::Value>(event, "date")?;
    let text = match value {
        toml::Value::String(text) => text,
        other => other.to_string(),
    };
    let parsed = text.replace('.', "-").parse::<jiff::civil::Date>();
    match parsed {
        Ok(date) => Some(date.strftime("%Y.%m.%d").to_string()),
        Err(_) => {
            sheet.blame(
                line,
                "event.date",
                format!("`{text}` is not a day; write for example \"2026-11-21\""),
            );
            None
        }
    }
}

/// A text for one line of a table or a tag.
fn name<'t>(sheet: &mut Sheet<'t>, section: &mut Section<'t>, key: &'static str) -> String {
    let Some(Found { value, line }) = sheet.take::<String>(section, key) else {
        return String::new();
    };
    if let Some(complaint) = plain::complaint(&value) {
        sheet.blame(line, section.path(key), complaint);
    }
    value.trim().to_owned()
}

fn boards<'t>(sheet: &mut Sheet<'t>, root: &mut Section<'t>, base: &Path) -> Vec<BoardConfig> {
    let before = sheet.problems.len();
    let sections = sheet.sections(root, "board");
    if sections.is_empty() && sheet.problems.len() == before {
        sheet.blame(
            0,
            "board",
            "no board is configured; add `[[board]]` with an `id` and a `port`",
        );
    }
    let mut ids: BTreeMap<String, usize> = BTreeMap::new();
    let mut taken = Taken::default();
    let mut boards = Vec::new();
    for mut section in sections {
        let id = id(sheet, &mut section, &mut ids);
        let rest = board(sheet, &mut section);
        let place = place(sheet, &mut section, (rest.kind, base), &mut taken);
        sheet.close(section);
        if let (Some(id), Some(Place { port, address })) = (id, place) {
            let name = if rest.name.is_empty() {
                id.clone()
            } else {
                rest.name
            };
            boards.push(BoardConfig {
                id,
                port,
                address,
                name,
                ..rest
            });
        }
    }
    boards
}

/// The keys of a board that stand alone.
fn board<'t>(sheet: &mut Sheet<'t>, section: &mut Section<'t>) -> BoardConfig {
    let default = BoardConfig::new("", PortSpec::Path(PathBuf::new()));
    let (fen, chess960) = start(sheet, section);
    BoardConfig {
        name: name(sheet, section, "name"),
        kind: kind(sheet, section),
        baud: baud(sheet, section),
        pace: pace(sheet, section),
        turn: turn(sheet, section),
        sensor: sheet.take(section, "sensor").map(|found| found.value),
        clock: sheet.take(section, "clock").map(|found| found.value),
        white: name(sheet, section, "white"),
        black: name(sheet, section, "black"),
        fen,
        chess960,
        options: sheet.take_or(section, "options", default.options),
        ..default
    }
}

/// The starting position, by FEN or as an array of Chess960, and whether castling follows Chess960.
fn start<'t>(sheet: &mut Sheet<'t>, section: &mut Section<'t>) -> (Option<StartFen>, bool) {
    let fen: Option<StartFen> = sheet.take(section, "fen").map(|found| found.value);
    let Some(Found { value, line }) = sheet.take::<Chess960>(section, "chess960") else {
        return (fen, false);
    };
    if fen.is_some() && value.start().is_some() {
        sheet.blame(
            line,
            "board.chess960",
            "give `fen` or the number of an array, not both",
        );
    }
    (fen.or(value.start()), value.castling())
}

/// Whether a board may be called so.
pub(crate) fn check_id(id: &str) -> Result<(), String> {
    let good = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    match id.is_empty() || id.len() > LONGEST_ID || !id.chars().all(good) {
        true => Err(format!(
            "`{id}` is no id; use 1 to {LONGEST_ID} letters, digits, `-` and `_`"
        )),
        false => Ok(()),
    }
}

fn id<'t>(
    sheet: &mut Sheet<'t>,
    section: &mut Section<'t>,
    ids: &mut BTreeMap<String, usize>,
) -> Option<String> {
    let missing = sheet.problems.len();
    let Some(Found { value, line }) = sheet.take::<String>(section, "id") else {
        if sheet.problems.len() == missing {
            sheet.blame(
                section.line,
                "board.id",
                "is missing; give every board an id such as \"b01\"",
            );
        }
        return None;
    };
    if let Err(what) = check_id(&value) {
        sheet.blame(line, "board.id", what);
    }
    // Ids that differ in case only would be one file on some disks.
    if let Some(first) = ids.insert(value.to_lowercase(), line) {
        sheet.blame(
            line,
            "board.id",
            format!("`{value}` is taken by the board of line {first}; ids are unique"),
        );
    }
    Some(value)
}

/// The name of a kind, or `auto`.
fn kind<'t>(sheet: &mut Sheet<'t>, section: &mut Section<'t>) -> Option<BoardKind> {
    let Found { value, line } = sheet
        .take::<String>(section, "kind")
        .filter(|found| found.value != "auto")?;
    let known = value.parse::<BoardKind>();
    known
        .map_err(|what| sheet.blame(line, "board.kind", format!("{what}; or \"auto\"")))
        .ok()
}

fn turn<'t>(sheet: &mut Sheet<'t>, section: &mut Section<'t>) -> Orientation {
    let Some(Found { value, line }) = sheet.take(section, "turned") else {
        return Orientation::default();
    };
    Orientation::from_degrees(value).unwrap_or_else(|| {
        sheet.blame(
            line,
            "board.turned",
            format!("{value} is not 0, 90, 180 or 270 degrees"),
        );
        Orientation::default()
    })
}

/// How fast a simulated board plays.
fn pace<'t>(sheet: &mut Sheet<'t>, section: &mut Section<'t>) -> f32 {
    let Some(Found { value, line }) = sheet.take::<f32>(section, "pace") else {
        return 1.0;
    };
    if !(0.01..=1_000.0).contains(&value) {
        sheet.blame(
            line,
            "board.pace",
            format!("{value} is not between 0.01 and 1000; real boards need no pace"),
        );
    }
    value
}

/// A speed no port has would be refused at every attempt to open it.
fn baud<'t>(sheet: &mut Sheet<'t>, section: &mut Section<'t>) -> Option<u32> {
    let Found { value, line } = sheet.take(section, "baud")?;
    if !(300..=4_000_000).contains(&value) {
        sheet.blame(
            line,
            "board.baud",
            format!("{value} is no speed of a port; most boards use 115200"),
        );
    }
    Some(value)
}
