//! Tables with headings, separated by commas, semicolons or tabs: what spreadsheets write.

use super::{Format, Game, Sheet, Unreadable};
use crate::code::ResultCode;
use crate::model::{Details, Player};

/// The columns that are known, each by the headings that were seen for it, in lower case.
const HEADINGS: [(Column, &[&str]); 13] = [
    (Column::Round, &["round", "runde", "ronde", "rd"]),
    (
        Column::Table,
        &[
            "table",
            "board",
            "bo.",
            "bo",
            "tisch",
            "brett",
            "br.",
            "br",
            "échiquier",
            "ech.",
        ],
    ),
    (Column::White, &["white", "weiß", "weiss", "blancs"]),
    (Column::Black, &["black", "schwarz", "noirs"]),
    (
        Column::Result,
        &["result", "ergebnis", "resultat", "résultat"],
    ),
    (Column::WhiteNumber, &["white_no", "white no.", "no. white"]),
    (Column::BlackNumber, &["black_no", "black no.", "no. black"]),
    (Column::WhiteElo, &["white_elo", "white_rating", "whiteelo"]),
    (Column::BlackElo, &["black_elo", "black_rating", "blackelo"]),
    (
        Column::WhiteId,
        &["white_id", "white_fide_id", "whitefideid"],
    ),
    (
        Column::BlackId,
        &["black_id", "black_fide_id", "blackfideid"],
    ),
    (Column::WhiteTitle, &["white_title", "whitetitle"]),
    (Column::BlackTitle, &["black_title", "blacktitle"]),
];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Column {
    Round,
    Table,
    White,
    Black,
    Result,
    WhiteNumber,
    BlackNumber,
    WhiteElo,
    BlackElo,
    WhiteId,
    BlackId,
    WhiteTitle,
    BlackTitle,
}

fn column(heading: &str) -> Option<Column> {
    let heading = heading.trim().to_lowercase();
    let known = |(_, names): &&(Column, &[&str])| names.contains(&heading.as_str());
    HEADINGS.iter().find(known).map(|(column, _)| *column)
}

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
    let known: Vec<Column> = headings.iter().filter_map(column).collect();
    known.contains(&Column::White) || known.contains(&Column::WhiteNumber)
}

/// A line of the table.
struct Row<'a> {
    columns: &'a [Option<Column>],
    record: &'a csv::StringRecord,
    line: usize,
}

impl Row<'_> {
    fn place(&self, column: Column) -> Option<usize> {
        self.columns.iter().position(|known| *known == Some(column))
    }

    fn text(&self, column: Column) -> &str {
        let field = self.place(column).and_then(|place| self.record.get(place));
        field.unwrap_or_default()
    }

    fn number(&self, column: Column, wrong: &mut Unreadable) -> Option<u64> {
        let text = self.text(column);
        let number = text.parse().ok();
        if number.is_none() && !text.is_empty() {
            let place = self.place(column).unwrap_or_default() + 1;
            wrong.add(self.line, place, format!("`{text}` is no number"));
        }
        number.filter(|number| *number > 0)
    }

    fn small(&self, column: Column, wrong: &mut Unreadable) -> Option<u16> {
        let number = self.number(column, wrong)?;
        let small = u16::try_from(number).ok();
        if small.is_none() {
            let place = self.place(column).unwrap_or_default() + 1;
            wrong.add(self.line, place, format!("{number} is too large"));
        }
        small
    }

    fn player(&self, of: [Column; 5], wrong: &mut Unreadable) -> Player {
        let [name, number, elo, id, title] = of;
        Player {
            number: self.small(number, wrong).unwrap_or_default(),
            name: self.text(name).to_owned(),
            rating: self.small(elo, wrong),
            fide_id: self.number(id, wrong),
            title: self.text(title).to_uppercase(),
            ..Player::default()
        }
    }
}

pub(super) fn read(text: &str, wanted: Option<u16>) -> Result<Sheet, Unreadable> {
    let mut reader = reader(text);
    let headings = reader.headers().map_err(|e| unreadable(&e))?.clone();
    let columns: Vec<Option<Column>> = headings.iter().map(column).collect();
    let mut wrong = Unreadable(Vec::new());
    let mut sheet = Sheet {
        format: Format::Csv,
        details: Details::default(),
        players: Vec::new(),
        round: wanted,
        date: String::new(),
        games: Vec::new(),
        is_ordered_here: false,
    };
    for record in reader.records() {
        let record = record.map_err(|e| unreadable(&e))?;
        let line = record
            .position()
            .map_or(1, |position| position.line() as usize);
        let row = Row {
            columns: &columns,
            record: &record,
            line,
        };
        if record.iter().any(|field| !field.is_empty()) {
            take(&mut sheet, &row, wanted, &mut wrong);
        }
    }
    wrong.unless(sheet)
}

fn take(sheet: &mut Sheet, row: &Row<'_>, wanted: Option<u16>, wrong: &mut Unreadable) {
    use Column::{
        Black, BlackElo, BlackId, BlackNumber, BlackTitle, Result, Round, Table, White, WhiteElo,
        WhiteId, WhiteNumber, WhiteTitle,
    };
    let round = row.small(Round, wrong);
    if wanted.is_some() && round.is_some() && round != wanted {
        return;
    }
    if round.is_some() && sheet.round.is_some() && round != sheet.round {
        wrong.add(row.line, 1, "another round: say which is wanted");
    }
    sheet.round = sheet.round.or(round);
    let white = row.player([White, WhiteNumber, WhiteElo, WhiteId, WhiteTitle], wrong);
    let black = row.player([Black, BlackNumber, BlackElo, BlackId, BlackTitle], wrong);
    if white.name.is_empty() && white.number == 0 {
        wrong.add(
            row.line,
            row.place(White).unwrap_or_default() + 1,
            "White is missing",
        );
    }
    let nobody = ["", "bye", "spielfrei", "exempt"].contains(&black.name.to_lowercase().as_str());
    let has_opponent = !nobody || black.number > 0;
    let (place, said) = (sheet.players.len(), row.text(Result));
    let codes = ResultCode::both(said);
    if codes.is_none() && !["", "*", ":", "-"].contains(&said) && has_opponent {
        let column = row.place(Result).unwrap_or_default() + 1;
        wrong.add(row.line, column, format!("`{said}` is no result"));
    }
    sheet.players.push(white);
    sheet.players.extend(has_opponent.then_some(black));
    sheet.games.push(Game {
        line: row.line,
        table: row.small(Table, wrong).filter(|_| has_opponent),
        white: place,
        black: has_opponent.then_some(place + 1),
        codes: if has_opponent {
            codes
        } else {
            Some([ResultCode(chess_trf::Code::PairingBye); 2])
        },
    });
}

fn unreadable(error: &csv::Error) -> Unreadable {
    let line = error
        .position()
        .map_or(1, |position| position.line() as usize);
    Unreadable::one(line, 1, error.to_string())
}
