//! Workbooks: the tables that spreadsheets, and sites with results, hand out. The headings stand in
//! one of the first rows, below titles.

use std::io::Cursor;

use calamine::{DataRef, Reader, Xlsx};

use super::columns::{self, MOST_COLUMNS, round_in};
use super::table::Table;
use super::{Format, Sheet, Unreadable, package};

/// Rows and columns of a sheet that are looked at, and the longest text of a cell.
const MOST_ROWS: usize = 12_000;
const LONGEST_TEXT: usize = 1_000;

/// What the texts of all sheets may come to, in bytes: many cells can share one text.
const MOST_TEXT: usize = 16 << 20;

/// The headings stand in one of so many rows.
const HEADING_ROWS: usize = 40;

type Workbook<'a> = Xlsx<Cursor<&'a [u8]>>;

pub(super) fn is_workbook(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

/// The workbooks of before 2007.
pub(super) fn is_old_workbook(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
}

pub(super) fn read(bytes: &[u8], wanted: Option<u16>) -> Result<Sheet, Unreadable> {
    let unreadable = |text| Unreadable::one(1, 1, text);
    package::look(bytes).map_err(unreadable)?;
    let no_workbook = |error| unreadable(format!("this is no workbook: {error}"));
    let mut workbook = Xlsx::new(Cursor::new(bytes)).map_err(no_workbook)?;
    let (mut tables, mut size) = (Vec::new(), 0);
    for name in workbook.sheet_names() {
        let rows = rows(&mut workbook, &name, &mut size).map_err(|wrong| wrong.of_sheet(&name))?;
        let table = table(rows).map_err(|wrong| wrong.of_sheet(&name))?;
        tables.extend(table.map(|table| (name, table)));
    }
    let (name, table) = one_of(tables, wanted)?;
    let sheet = table.sheet(Format::Xlsx, wanted);
    sheet.map_err(|wrong| wrong.of_sheet(&name))
}

/// The only sheet with pairings, or the only one of the round that is wanted.
fn one_of(
    mut tables: Vec<(String, Table)>,
    wanted: Option<u16>,
) -> Result<(String, Table), Unreadable> {
    if tables.len() > 1 && wanted.is_some() {
        tables.retain(|(_, table)| table.round == wanted);
    }
    let names: Vec<&str> = tables.iter().map(|(name, _)| name.as_str()).collect();
    let text = match &names[..] {
        [] => "no sheet has headings such as `table`, `white` and `black`".to_owned(),
        _ => format!(
            "the sheets {} all have pairings: say which round is wanted",
            names.join(", ")
        ),
    };
    match <[_; 1]>::try_from(tables) {
        Ok([one]) => Ok(one),
        Err(_) => Err(Unreadable::one(1, 1, text)),
    }
}

/// The rows of a sheet that have something, with their numbers.
fn rows(
    workbook: &mut Workbook<'_>,
    name: &str,
    size: &mut usize,
) -> Result<Vec<(usize, Vec<String>)>, Unreadable> {
    let unreadable = |error: calamine::XlsxError| Unreadable::one(1, 1, error.to_string());
    let mut cells = match workbook.worksheet_cells_reader(name) {
        Ok(cells) => cells,
        // A sheet with a chart alone.
        Err(calamine::XlsxError::NotAWorksheet(_)) => return Ok(Vec::new()),
        Err(error) => return Err(unreadable(error)),
    };
    let mut rows: Vec<(usize, Vec<String>)> = Vec::new();
    while let Some(cell) = cells.next_cell().map_err(unreadable)? {
        let (row, column) = cell.get_position();
        let at = (row as usize + 1, column as usize + 1);
        let text = text(cell.get_value()).map_err(|text| Unreadable::one(at.0, at.1, text))?;
        if text.is_empty() {
            continue;
        }
        *size += text.len();
        if at.0 > MOST_ROWS || at.1 > MOST_COLUMNS || *size > MOST_TEXT {
            let text = format!(
                "more than {MOST_ROWS} rows, {MOST_COLUMNS} columns or {} MiB of text: no list of \
                 pairings is so large",
                MOST_TEXT >> 20
            );
            return Err(Unreadable::one(at.0, at.1, text));
        }
        match rows.last() {
            Some((last, _)) if *last == at.0 => {}
            Some((last, _)) if *last > at.0 => {
                return Err(Unreadable::one(at.0, at.1, format!("behind row {last}")));
            }
            _ => rows.push((at.0, Vec::new())),
        }
        if let Some((_, fields)) = rows.last_mut() {
            fields.resize(fields.len().max(at.1), String::new());
            fields[at.1 - 1] = text;
        }
    }
    Ok(rows)
}

/// What a cell shows, as far as pairings need it.
fn text(value: &DataRef<'_>) -> Result<String, String> {
    let text = match value {
        DataRef::Empty => "",
        DataRef::SharedString(text) => text,
        DataRef::String(text) => text.as_str(),
        DataRef::Int(number) => return Ok(number.to_string()),
        // `1` and `0.5` are written as people write them.
        DataRef::Float(number) => return Ok(number.to_string()),
        DataRef::Bool(value) => return Ok(value.to_string()),
        DataRef::Error(error) => return Err(format!("the cell has an error: {error}")),
        DataRef::DateTime(_) | DataRef::DateTimeIso(_) | DataRef::DurationIso(_) => {
            return Ok("a date".to_owned());
        }
    };
    if text.chars().nth(LONGEST_TEXT).is_some() {
        return Err(format!("a text of more than {LONGEST_TEXT} characters"));
    }
    Ok(text.trim().to_owned())
}

/// The table of a sheet; `None` where nothing looks like the headings of one.
fn table(rows: Vec<(usize, Vec<String>)>) -> Result<Option<Table>, Unreadable> {
    let mut round = None;
    for (place, (line, fields)) in rows.iter().take(HEADING_ROWS).enumerate() {
        let columns = columns::columns(fields.iter().map(String::as_str));
        if columns::are_of_pairings(&columns) {
            let mut wrong = Unreadable(Vec::new());
            columns::twice(&columns, *line, &mut wrong);
            wrong.unless(())?;
            let rows = rows.into_iter().skip(place + 1).collect();
            return Ok(Some(Table {
                columns,
                rows,
                round,
            }));
        }
        round = round.or_else(|| fields.iter().find_map(|field| round_in(field)));
    }
    Ok(None)
}
