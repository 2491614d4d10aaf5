//! Tables in text files, separated by commas, semicolons or tabs: what spreadsheets write.

use super::columns::MOST_COLUMNS;
use super::table::{self, Table};
use super::{Format, Sheet, Unreadable, columns};
use crate::what;

/// What separates fields: whichever of the three the headings have most of.
fn separator(text: &str) -> u8 {
    let first = text
        .split(['\r', '\n'])
        .find(|line| !line.trim().is_empty());
    let count = |separator: &u8| {
        let bytes = first.unwrap_or_default().bytes();
        bytes.filter(|byte| byte == separator).count()
    };
    *b",;\t"
        .iter()
        .max_by_key(|separator| count(separator))
        .unwrap_or(&b',')
}

fn reader(text: &str) -> csv::Reader<&[u8]> {
    csv::ReaderBuilder::new()
        .delimiter(separator(text))
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes())
}

/// Whether the first line has headings of players.
pub(super) fn has_headings(text: &str) -> bool {
    let mut reader = reader(text);
    let headings = reader.headers().ok().cloned().unwrap_or_default();
    columns::are_of_pairings(&columns::columns(headings.iter()))
}

pub(super) fn read(text: &str, wanted: Option<u16>) -> Result<Sheet, Unreadable> {
    let mut wrong = Unreadable(Vec::new());
    quotes(text, char::from(separator(text)), &mut wrong);
    let mut reader = reader(text);
    let headings = reader.headers().map_err(|e| unreadable(&e))?.clone();
    let columns = columns::columns(headings.iter());
    columns::twice(&columns, 1, &mut wrong);
    wrong.unless(())?;
    let mut wrong = Unreadable(Vec::new());
    let passed_over = columns::passed_over(headings.iter(), &columns, 1);
    let needed = columns.iter().rposition(Option::is_some).unwrap_or(0) + 1;
    let mut table = Table {
        heading: 1,
        columns,
        rows: Vec::new(),
        round: None,
        passed_over,
    };
    let (mut line, mut counted) = (1, 0);
    // What only words may make wrong, until it is known whether the table goes on behind them.
    let mut below = Unreadable(Vec::new());
    for record in reader.records() {
        let record = record.map_err(|e| unreadable(&e))?;
        // The library counts line feeds only, and takes the end of a line for the next one's.
        let at = record.position().map_or(0, |position| position.byte());
        let at = usize::try_from(at).unwrap_or_default();
        let rest = text.get(at..).unwrap_or_default();
        let start = at + rest.len() - rest.trim_start_matches(['\r', '\n']).len();
        line += line_ends(text.get(counted..start).unwrap_or_default());
        counted = start;
        let row: Vec<String> = record
            .iter()
            .take(MOST_COLUMNS)
            .map(str::to_owned)
            .collect();
        if table::is_words(&table.columns, &row) {
            fields(&record, &headings, needed, line, &mut below);
        } else if !record.iter().all(str::is_empty) {
            wrong.0.append(&mut below.0);
            fields(&record, &headings, needed, line, &mut wrong);
        }
        table.rows.push((line, row));
    }
    wrong.unless(())?;
    table.sheet(Format::Csv, wanted)
}

/// Tells rows that have not the fields that the headings say: a blank would be taken for nobody,
/// and a name with a separator in it for two fields. Whoever writes blank fields at the end may
/// leave them out or add to them, but for columns that are known.
fn fields(
    record: &csv::StringRecord,
    headings: &csv::StringRecord,
    needed: usize,
    line: usize,
    wrong: &mut Unreadable,
) {
    let (has, count) = (record.len(), headings.len());
    if has < needed {
        let missing = headings.get(has).unwrap_or_default();
        let what = what!(
            "row-ends",
            "the row ends after {has} of {count} fields: `{missing}` is missing",
            has = has,
            count = count,
            missing = missing
        );
        wrong.add(line, has + 1, what);
    }
    let mut further = record.iter().zip(1..).skip(count);
    if let Some((text, column)) = further.find(|(text, _)| !text.is_empty()) {
        let what = what!(
            "behind-headings",
            "`{found}` stands behind the last of {count} headings: does a name hold a separator, \
             and no quotation marks around it?",
            found = text,
            count = count
        );
        wrong.add(line, column, what);
    }
}

fn line_ends(text: &str) -> usize {
    let feeds = text.matches('\n').count();
    feeds + text.matches('\r').count() - text.matches("\r\n").count()
}

/// Tells quotation marks that are not closed, and text behind those that are: what the fields are
/// could only be guessed.
fn quotes(text: &str, separator: char, wrong: &mut Unreadable) {
    #[derive(PartialEq)]
    enum In {
        Start,
        Plain,
        Quoted,
        Closed,
    }
    let (mut line, mut field, mut state, mut opened) = (1, 1, In::Start, (1, 1));
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        state = match (state, c) {
            (In::Quoted, '"') if chars.peek() == Some(&'"') => {
                chars.next();
                In::Quoted
            }
            (In::Quoted, '"') => In::Closed,
            (In::Quoted, _) => In::Quoted,
            (_, '\r' | '\n') => {
                field = 1;
                In::Start
            }
            (_, c) if c == separator => {
                field += 1;
                In::Start
            }
            (In::Start, '"') => {
                opened = (line, field);
                In::Quoted
            }
            (In::Start, ' ') => In::Start,
            (In::Closed, ' ') => In::Closed,
            (In::Closed, _) => {
                let what = what!("behind-quote", "text behind a closed quotation mark");
                wrong.add(line, field, what);
                In::Plain
            }
            (In::Start | In::Plain, _) => In::Plain,
        };
        let ends = c == '\n' || (c == '\r' && chars.peek() != Some(&'\n'));
        line += usize::from(ends);
    }
    if state == In::Quoted {
        let (line, field) = opened;
        let what = what!("open-quote", "a quotation mark that is not closed");
        wrong.add(line, field, what);
    }
}

fn unreadable(error: &csv::Error) -> Unreadable {
    let line = error
        .position()
        .map_or(1, |position| position.line() as usize);
    let what = what!(
        "no-table",
        "this table cannot be read: {detail}",
        detail = error
    );
    Unreadable::one(line, 1, what)
}
