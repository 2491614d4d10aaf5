//! A table with headings, of a text file or of a workbook.

use std::collections::BTreeSet;

use chess_trf::Code;

use super::columns::{Column, Side, What};
use super::seen::Seen;
use super::{Format, Game, Sheet, Unreadable, What as Wrong};
use crate::code::ResultCode;
use crate::model::Player;
use crate::what;

const TITLES: [&str; 8] = ["GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM"];

/// The columns, and under them the rows, each with its line.
pub(super) struct Table {
    pub(super) columns: Vec<Option<Column>>,
    /// The line of the headings.
    pub(super) heading: usize,
    pub(super) rows: Vec<(usize, Vec<String>)>,
    /// The round, where something above the table says it.
    pub(super) round: Option<u16>,
    /// Line, column and what: columns that nothing is made of.
    pub(super) passed_over: Vec<(usize, usize, Wrong)>,
}

/// A row, and what is wrong with the table so far.
struct Row<'a> {
    columns: &'a [Option<Column>],
    line: usize,
    fields: &'a [String],
    wrong: &'a mut Unreadable,
}

impl Row<'_> {
    fn place(&self, column: Column) -> Option<usize> {
        self.columns.iter().position(|known| *known == Some(column))
    }

    /// Line and column, for people.
    fn at(&self, column: Column) -> (usize, usize) {
        (self.line, self.place(column).unwrap_or_default() + 1)
    }

    fn text(&self, column: Column) -> &str {
        let place = self.place(column);
        let field = place.and_then(|place| self.fields.get(place));
        field.map_or("", |field| field.trim())
    }

    fn add(&mut self, column: Column, what: Wrong) {
        let (line, column) = self.at(column);
        self.wrong.add(line, column, what);
    }

    fn number<T: std::str::FromStr>(&mut self, column: Column) -> Option<T> {
        let text = self.text(column);
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        if text.is_empty() {
            return None;
        }
        let number = text.parse().ok().filter(|_| digits);
        if number.is_none() {
            let what = match digits {
                true => what!("too-large", "`{found}` is too large", found = text),
                false => what!("no-number", "`{found}` is no number", found = text),
            };
            self.add(column, what);
        }
        number
    }

    /// Sites with results have titles in a column without a heading, before the name.
    fn title(&self, side: Side) -> String {
        let title = self.text(Column::Of(side, What::Title)).to_uppercase();
        let name = self.place(Column::Of(side, What::Name));
        let before = name.and_then(|place| place.checked_sub(1));
        let before = before.filter(|place| self.columns[*place].is_none());
        let said = before.and_then(|place| self.fields.get(place));
        let said = said.map(|field| field.trim().to_uppercase());
        let known = said.filter(|said| title.is_empty() && TITLES.contains(&said.as_str()));
        known.unwrap_or(title)
    }

    fn player(&mut self, side: Side) -> Player {
        let of = |what| Column::Of(side, what);
        let rating = self.number(of(What::Rating)).filter(|n| *n > 0);
        let fide_id = self.number(of(What::Id)).filter(|n| *n > 0);
        Player {
            number: self.number(of(What::Number)).unwrap_or_default(),
            name: without_guard(self.text(of(What::Name))).to_owned(),
            rating,
            fide_id,
            title: self.title(side),
            federation: self.text(of(What::Federation)).to_owned(),
            team: without_guard(self.text(of(What::Team))).to_owned(),
            birth: String::new(),
        }
    }
}

/// A text without the apostrophe that keeps spreadsheets from taking it for a formula.
fn without_guard(text: &str) -> &str {
    let guarded = text.strip_prefix('\'');
    guarded
        .filter(|rest| crate::write::is_formula(rest))
        .unwrap_or(text)
}

impl Table {
    pub(super) fn sheet(&self, format: Format, wanted: Option<u16>) -> Result<Sheet, Unreadable> {
        let mut wrong = Unreadable(Vec::new());
        if let Some(said) = self.round.filter(|said| wanted.is_some_and(|n| n != *said)) {
            let what = what!("title-round", "a title says round {round}", round = said);
            return Err(Unreadable::one(1, 1, what));
        }
        let mut sheet = Sheet::empty(format);
        sheet.round = wanted.or(self.round);
        for (line, column, what) in &self.passed_over {
            sheet.pass_over(*line, *column, what.clone());
        }
        let footer = self.footer();
        for (line, fields) in &self.rows[..footer] {
            let further = fields.iter().zip(1..).skip(self.columns.len());
            for (text, column) in further.filter(|(text, _)| !text.trim().is_empty()) {
                let what = what!(
                    "unused-cell",
                    "nothing is made of `{found}`, in a column without a heading",
                    found = text
                );
                sheet.pass_over(*line, column, what);
            }
        }
        if let (None, Some(text)) = (wanted, self.further_round()) {
            return Err(text);
        }
        let mut seen = Seen::default();
        let has_rounds = self.rows.iter().any(|(_, fields)| {
            let place = self.columns.iter().position(|c| *c == Some(Column::Round));
            let field = place.and_then(|place| fields.get(place));
            field.is_some_and(|field| !field.trim().is_empty())
        });
        for (line, fields) in &self.rows[footer..] {
            for (text, column) in fields.iter().zip(1..).filter(|(text, _)| is_written(text)) {
                let what = what!(
                    "behind-table",
                    "nothing is made of `{found}`, behind the table",
                    found = text
                );
                sheet.pass_over(*line, column, what);
            }
        }
        for (line, fields) in &self.rows[..footer] {
            if !fields.iter().any(is_written) {
                continue;
            }
            let mut row = Row {
                columns: &self.columns,
                line: *line,
                fields,
                wrong: &mut wrong,
            };
            let round = row.number::<u16>(Column::Round);
            if round == Some(0) {
                let what = what!("round-zero", "round 0: rounds are counted from 1");
                row.add(Column::Round, what);
            }
            if has_rounds && row.text(Column::Round).is_empty() {
                let what = what!(
                    "no-round",
                    "the round is missing, and other rows have theirs"
                );
                row.add(Column::Round, what);
            }
            if wanted.is_some() && round.is_some() && round != wanted {
                continue;
            }
            sheet.round = sheet.round.or(round);
            if !seen.game(*line, row.wrong) {
                break;
            }
            take(&mut sheet, &mut row, &mut seen);
        }
        wrong.unless(sheet)
    }
}

fn is_written(field: impl AsRef<str>) -> bool {
    !field.as_ref().trim().is_empty()
}

impl Table {
    /// Where rows begin that are not of the table any more: as sites put words of their own below.
    fn footer(&self) -> usize {
        let is_of_table = |(_, fields): &(usize, Vec<String>)| {
            fields.iter().any(is_written) && !is_words(&self.columns, fields)
        };
        self.rows
            .iter()
            .rposition(is_of_table)
            .map_or(0, |last| last + 1)
    }

    /// The rounds that a title or the rows say.
    pub(super) fn rounds(&self) -> BTreeSet<u16> {
        let place = self.columns.iter().position(|c| *c == Some(Column::Round));
        let said = |(_, fields): &(usize, Vec<String>)| fields.get(place?)?.trim().parse().ok();
        let rows = self.rows.iter().filter_map(said);
        rows.chain(self.round).collect()
    }

    /// Where the first row of a second round stands: with both, everybody would be there twice.
    fn further_round(&self) -> Option<Unreadable> {
        let place = self
            .columns
            .iter()
            .position(|c| *c == Some(Column::Round))?;
        let said = |(line, fields): &(usize, Vec<String>)| {
            let round: u16 = fields.get(place)?.trim().parse().ok()?;
            Some((*line, round))
        };
        let mut rounds = self.rows.iter().filter_map(said);
        let first = self.round.or_else(|| Some(rounds.clone().next()?.1))?;
        let (line, other) = rounds.find(|(_, round)| *round != first)?;
        let what = what!(
            "further-round",
            "round {other}, and round {first} before: say which is wanted (`--round N`)",
            other = other,
            first = first
        );
        Some(Unreadable::one(line, place + 1, what))
    }
}

/// Whether a row has words in a single cell, and in none of a player's.
pub(super) fn is_words(columns: &[Option<Column>], fields: &[String]) -> bool {
    let mut written = fields
        .iter()
        .enumerate()
        .filter(|(_, field)| is_written(field));
    let (Some((place, text)), None) = (written.next(), written.next()) else {
        return false;
    };
    let is_players = matches!(columns.get(place), Some(Some(Column::Of(..))));
    !is_players && text.contains(char::is_alphabetic)
}

/// Takes what a row says.
fn take(sheet: &mut Sheet, row: &mut Row<'_>, seen: &mut Seen) {
    let [white, black] = [Side::White, Side::Black].map(|side| row.player(side));
    let name = |side| Column::Of(side, What::Name);
    let is_white = !super::is_nobody(&white.name) || white.number > 0;
    if !is_white {
        row.add(name(Side::White), what!("no-white", "White is missing"));
    }
    let table = row.number::<u16>(Column::Table);
    if table == Some(0) {
        let what = what!("table-zero", "table 0: tables are counted from 1");
        row.add(Column::Table, what);
    }
    let has_opponent = !super::is_nobody(&black.name) || black.number > 0;
    let codes = if has_opponent {
        codes(row)
    } else {
        code_alone(row)
    };
    let table = table.filter(|_| has_opponent);
    if let Some(table) = table {
        seen.table(table, row.at(Column::Table), row.wrong);
    }
    if is_white {
        seen.player(&white, row.at(name(Side::White)), row.wrong);
    }
    if has_opponent {
        seen.player(&black, row.at(name(Side::Black)), row.wrong);
    }
    let place = sheet.players.len();
    sheet.players.push(white);
    sheet.players.extend(has_opponent.then_some(black));
    sheet.games.push(Game {
        line: row.line,
        table,
        white: place,
        black: has_opponent.then_some(place + 1),
        codes,
        start: None,
        start_line: None,
    });
}

fn codes(row: &mut Row<'_>) -> Option<[ResultCode; 2]> {
    let said = row.text(Column::Result);
    let codes = ResultCode::both(said);
    if codes.is_none() && !["", "*", ":", "-"].contains(&said) {
        row.add(Column::Result, super::no_result(said));
    }
    codes
}

/// The result of somebody without an opponent.
fn code_alone(row: &mut Row<'_>) -> Option<[ResultCode; 2]> {
    let said = row.text(Column::Result);
    let code = match said {
        "" | "*" | "1" | "1.0" => Some(Code::PairingBye),
        "½" | "1/2" | "0.5" | "0,5" | "=" => Some(Code::HalfPointBye),
        "0" | "0.0" => Some(Code::ZeroPointBye),
        _ => {
            let mut chars = said.chars();
            let one = chars
                .next()
                .and_then(Code::of)
                .filter(|_| chars.next().is_none());
            one.filter(|code| code.is_bye() || !code.is_played())
        }
    };
    if code.is_none() {
        let what = what!(
            "no-bye",
            "`{found}` is no result of a player without an opponent",
            found = said
        );
        row.add(Column::Result, what);
    }
    code.map(|code| [ResultCode(code); 2])
}
