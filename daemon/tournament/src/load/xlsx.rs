//! Workbooks: the tables that spreadsheets, and sites with results, hand out. The headings stand in
//! one of the first rows, below titles.

use std::collections::BTreeSet;
use std::io::Cursor;

use calamine::{DataRef, Reader, Xlsx};

use super::columns::{self, Column, MOST_COLUMNS, What, round_in};
use super::table::Table;
use super::text::{turning, turns};
use super::{Sheet, Unreadable, What as Wrong, package, sheets};
use crate::what;

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
    let unreadable = |what| Unreadable::one(1, 1, what);
    package::look(bytes).map_err(unreadable)?;
    let none = |error: calamine::XlsxError| unreadable(package::no_workbook(&error));
    let mut workbook = Xlsx::new(Cursor::new(bytes)).map_err(none)?;
    let (mut tables, mut size, mut unknown) = (Vec::new(), 0, Unreadable(Vec::new()));
    for name in workbook.sheet_names() {
        let of_sheet = |wrong: Unreadable| wrong.of_sheet(&name);
        let (rows, cells) = rows(&mut workbook, &name, &mut size).map_err(of_sheet)?;
        let bare = bare_formulas(&mut workbook, &name, &cells.blank).map_err(of_sheet)?;
        let first = rows.first().map_or(0, |(line, _)| *line);
        match table(rows).map_err(of_sheet)? {
            Some(table) => {
                unvalued(&bare, Some(&table)).map_err(of_sheet)?;
                no_text(&cells, &table).map_err(of_sheet)?;
                tables.push((name.clone(), table));
            }
            // Its headings may be what nobody has calculated.
            None => {
                let near = bare
                    .into_iter()
                    .filter(|(row, _)| *row < first + HEADING_ROWS);
                let told = unvalued(&near.collect(), None).map_err(of_sheet);
                unknown
                    .0
                    .extend(told.err().into_iter().flat_map(|wrong| wrong.0));
            }
        }
    }
    if tables.is_empty() {
        unknown.unless(())?;
    }
    sheets::one_of(tables, wanted)
}

/// Row and column of a cell, from 1.
type At = (usize, usize);
/// The number of a row, and its fields.
type Row = (usize, Vec<String>);

/// Cells whose texts may not be what they show.
#[derive(Default)]
struct Cells {
    /// They have no value.
    blank: BTreeSet<At>,
    /// They have a number: so has a formula that means a cell with nothing in it.
    numbers: BTreeSet<At>,
    /// They are true or false.
    truths: BTreeSet<At>,
    /// They have a day or a time.
    dates: BTreeSet<At>,
}

/// Refuses truth values and dates where a table needs something else, and numbers in the place of
/// names.
fn no_text(cells: &Cells, table: &Table) -> Result<(), Unreadable> {
    let mut wrong = Unreadable(Vec::new());
    let is_name = |column: Column| matches!(column, Column::Of(_, What::Name | What::Team));
    let known = |(row, column): &At| {
        let known = table.columns.get(column - 1).copied().flatten();
        known.filter(|_| *row > table.heading)
    };
    let numbers = cells.numbers.iter();
    let numbers = numbers
        .filter(|at| known(at).is_some_and(is_name))
        .map(|at| {
            let what = what!(
                "cell-number",
                "cell {cell} has a number, and no text: write there what is meant",
                cell = cell(*at)
            );
            (*at, what)
        });
    let truths = cells.truths.iter().filter(|at| known(at).is_some());
    let truths = truths.map(|at| {
        let what = what!(
            "cell-truth",
            "cell {cell} has true or false, and no text: write there what is meant",
            cell = cell(*at)
        );
        (*at, what)
    });
    let dates = cells.dates.iter().filter(|at| known(at).is_some());
    let dates = dates.map(|at| {
        let what = what!(
            "cell-date",
            "cell {cell} has a date, and no text: write there what is meant",
            cell = cell(*at)
        );
        (*at, what)
    });
    let mut all: Vec<(At, Wrong)> = numbers.chain(truths).chain(dates).collect();
    all.sort_by_key(|(at, _)| *at);
    for ((row, column), what) in all {
        wrong.add(row, column, what);
    }
    wrong.unless(())
}

/// Refuses formulas whose values the file does not have, where a table needs them.
fn unvalued(bare: &BTreeSet<At>, table: Option<&Table>) -> Result<(), Unreadable> {
    let mut wrong = Unreadable(Vec::new());
    for (row, column) in bare.iter().copied() {
        let is_needed = table.is_none_or(|table| {
            let is_below = table.heading < row;
            is_below && table.columns.get(column - 1).is_some_and(Option::is_some)
        });
        if is_needed {
            let what = what!(
                "cell-formula",
                "cell {cell} has a formula, and the file does not have its value: open it in a \
                 spreadsheet program, save it there, and load it again",
                cell = cell((row, column))
            );
            wrong.add(row, column, what);
        }
    }
    wrong.unless(())
}

/// A cell as spreadsheets call it: `B7`.
fn cell((row, column): At) -> String {
    let (mut letters, mut left) = (Vec::new(), column);
    while left > 0 {
        let digit = u8::try_from((left - 1) % 26).unwrap_or_default();
        letters.push(char::from(b'A' + digit));
        left = (left - 1) / 26;
    }
    let letters: String = letters.into_iter().rev().collect();
    format!("{letters}{row}")
}

/// A sheet that cannot be read.
fn unreadable(error: calamine::XlsxError) -> Unreadable {
    let what = what!(
        "bad-sheet",
        "this sheet cannot be read: {detail}",
        detail = error
    );
    Unreadable::one(1, 1, what)
}

/// Those of these cells without a value that have a formula.
fn bare_formulas(
    workbook: &mut Workbook<'_>,
    name: &str,
    blank: &BTreeSet<At>,
) -> Result<BTreeSet<At>, Unreadable> {
    let mut bare = BTreeSet::new();
    if blank.is_empty() {
        return Ok(bare);
    }
    let mut cells = workbook.worksheet_cells_reader(name).map_err(unreadable)?;
    while let Some(cell) = cells.next_formula().map_err(unreadable)? {
        let (row, column) = cell.get_position();
        let at = (row as usize + 1, column as usize + 1);
        if !cell.get_value().is_empty() && blank.contains(&at) {
            bare.insert(at);
        }
    }
    Ok(bare)
}

/// The rows of a sheet that have something, with their numbers; and its cells that are no texts.
fn rows(
    workbook: &mut Workbook<'_>,
    name: &str,
    size: &mut usize,
) -> Result<(Vec<Row>, Cells), Unreadable> {
    let mut cells = match workbook.worksheet_cells_reader(name) {
        Ok(cells) => cells,
        // A sheet with a chart alone.
        Err(calamine::XlsxError::NotAWorksheet(_)) => return Ok(Default::default()),
        Err(error) => return Err(unreadable(error)),
    };
    let mut rows: Vec<Row> = Vec::new();
    let mut told = Cells::default();
    while let Some(cell) = cells.next_cell().map_err(unreadable)? {
        let (row, column) = cell.get_position();
        let at = (row as usize + 1, column as usize + 1);
        let is_near = at.0 <= MOST_ROWS && at.1 <= MOST_COLUMNS;
        match cell.get_value() {
            DataRef::Empty if is_near => _ = told.blank.insert(at),
            DataRef::Int(_) | DataRef::Float(_) if is_near => _ = told.numbers.insert(at),
            DataRef::Bool(_) if is_near => _ = told.truths.insert(at),
            DataRef::DateTime(_) | DataRef::DateTimeIso(_) | DataRef::DurationIso(_) if is_near => {
                _ = told.dates.insert(at);
            }
            _ => {}
        }
        let text = text(cell.get_value()).map_err(|what| Unreadable::one(at.0, at.1, what))?;
        if text.is_empty() {
            continue;
        }
        *size += text.len();
        if at.0 > MOST_ROWS || at.1 > MOST_COLUMNS || *size > MOST_TEXT {
            let what = what!(
                "large-sheet",
                "more than {rows} rows, {columns} columns or {most} MiB of text: no list of \
                 pairings is so large",
                rows = MOST_ROWS,
                columns = MOST_COLUMNS,
                most = MOST_TEXT >> 20
            );
            return Err(Unreadable::one(at.0, at.1, what));
        }
        match rows.last() {
            Some((last, _)) if *last == at.0 => {}
            Some((last, _)) if *last > at.0 => {
                let what = what!("behind-row", "behind row {row}", row = last);
                return Err(Unreadable::one(at.0, at.1, what));
            }
            _ => rows.push((at.0, Vec::new())),
        }
        if let Some((_, fields)) = rows.last_mut() {
            fields.resize(fields.len().max(at.1), String::new());
            fields[at.1 - 1] = text;
        }
    }
    Ok((rows, told))
}

/// What a cell shows, as far as pairings need it.
fn text(value: &DataRef<'_>) -> Result<String, Wrong> {
    let text = match value {
        DataRef::Empty => "",
        DataRef::SharedString(text) => text,
        DataRef::String(text) => text.as_str(),
        DataRef::Int(number) => return Ok(number.to_string()),
        // `1` and `0.5` are written as people write them.
        DataRef::Float(number) => return Ok(number.to_string()),
        DataRef::Bool(value) => return Ok(value.to_string()),
        DataRef::Error(error) => {
            return Err(what!(
                "cell-error",
                "the cell has an error: {error}",
                error = error
            ));
        }
        DataRef::DateTime(_) | DataRef::DateTimeIso(_) | DataRef::DurationIso(_) => {
            return Ok("a date".to_owned());
        }
    };
    if text.chars().nth(LONGEST_TEXT).is_some() {
        return Err(what!(
            "long-text",
            "a text of more than {most} characters",
            most = LONGEST_TEXT
        ));
    }
    if let Some(c) = text.chars().find(|c| turns(*c)) {
        return Err(turning(c));
    }
    Ok(text.trim().to_owned())
}

/// The table of a sheet; `None` where nothing looks like the headings of one.
fn table(rows: Vec<Row>) -> Result<Option<Table>, Unreadable> {
    let mut round = None;
    for (place, (line, fields)) in rows.iter().take(HEADING_ROWS).enumerate() {
        let columns = columns::columns(fields.iter().map(String::as_str));
        if columns::are_of_pairings(&columns) {
            let mut wrong = Unreadable(Vec::new());
            columns::twice(&columns, *line, &mut wrong);
            wrong.unless(())?;
            let passed_over = {
                let headings = fields.iter().map(String::as_str);
                columns::passed_over(headings, &columns, *line)
            };
            let line = *line;
            let rows = rows.into_iter().skip(place + 1).collect();
            return Ok(Some(Table {
                columns,
                heading: line,
                rows,
                round,
                passed_over,
            }));
        }
        round = round.or_else(|| fields.iter().find_map(|field| round_in(field)));
    }
    Ok(None)
}
