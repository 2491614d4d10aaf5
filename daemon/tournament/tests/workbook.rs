//! Workbooks as spreadsheets and sites with results write them.

use rust_xlsxwriter::Workbook;
use tournament::{Format, Oddity, Place, Plan, ResultCode, Tournament, load};

/// Written by openpyxl 3.1, a program of others: titles above, `No.` and `Rtg` twice.
const LIST: &[u8] = include_bytes!("round-5.xlsx");

/// Written by openpyxl 3.1, which calculates nothing: formulas without values for the second game.
const FORMULAS: &[u8] = include_bytes!("formulas.xlsx");

fn plan(bytes: &[u8], round: Option<u16>) -> Plan {
    let sheet = load::read(bytes, round).expect("a sheet");
    assert_eq!(sheet.format, Format::Xlsx);
    Plan::of(&Tournament::default(), &sheet, &Place::default()).expect("a plan")
}

#[test]
fn a_list_with_titles_above() {
    let plan = plan(LIST, None);
    assert_eq!(plan.round, 5, "a title says it");
    let seated: Vec<_> = plan
        .pairings
        .iter()
        .map(|pairing| (pairing.table, pairing.white, pairing.black))
        .collect();
    let expected = [
        (Some(1), 4, Some(1)),
        (Some(2), 2, Some(5)),
        (Some(3), 6, Some(7)),
        (None, 3, None),
    ];
    assert_eq!(seated, expected);
    let ended = |table: usize| plan.pairings[table].outcome.as_ref().map(|o| o.codes);
    assert_eq!(ended(0), ResultCode::both("½-½"));
    assert_eq!(ended(1), ResultCode::both("+/-"));
    assert_eq!(ended(2), None);
    let mut tournament = Tournament::default();
    for act in &plan.acts {
        tournament.apply(act).expect("an act of the plan");
    }
    let anna = &tournament.players[&4];
    assert_eq!(
        (anna.title.as_str(), anna.name.as_str(), anna.rating),
        ("WIM", "Müller-Łódź, Anna", Some(2241))
    );
}

#[test]
fn the_sheet_of_the_round_that_is_wanted() {
    let mut workbook = Workbook::new();
    for round in 1..4_u16 {
        let sheet = workbook.add_worksheet();
        sheet.set_name(format!("R{round}")).expect("a name");
        sheet
            .write(0, 0, format!("Runde {round}"))
            .expect("a title");
        for (column, text) in ["Tisch", "Weiß", "Schwarz"].into_iter().enumerate() {
            let column = u16::try_from(column).expect("few");
            sheet.write(2, column, text).expect("a heading");
        }
        sheet.write(3, 0, 10 + round).expect("a table");
        sheet.write(3, 1, "Berg, Anna").expect("a player");
        sheet.write(3, 2, "Ek, Freja").expect("a player");
    }
    workbook
        .add_worksheet()
        .write(0, 0, "notes")
        .expect("a cell");
    let bytes = workbook.save_to_buffer().expect("a workbook");
    let plan = plan(&bytes, Some(2));
    assert_eq!((plan.round, plan.pairings[0].table), (2, Some(12)));
    let first = load::read(&bytes, None).expect("the first that is not played");
    assert_eq!(first.round, Some(1));
}

/// A workbook with these sheets; each has rows of White, Black and a result.
fn sheets(all: &[(&str, &[[&str; 3]])]) -> Vec<u8> {
    let mut workbook = Workbook::new();
    for (name, rows) in all {
        let sheet = workbook.add_worksheet();
        sheet.set_name(*name).expect("a name");
        let headings = ["White", "Black", "Result"];
        for (line, row) in (0..).zip([&headings].into_iter().chain(*rows)) {
            for (column, text) in (0..).zip(row) {
                sheet.write(line, column, *text).expect("a cell");
            }
        }
    }
    workbook.save_to_buffer().expect("a workbook")
}

#[test]
fn a_sheet_has_the_round_of_its_name() {
    let played: &[[&str; 3]] = &[["Berg", "Cole", "1-0"], ["Dam", "Ek", "0-1"]];
    let open: &[[&str; 3]] = &[["Cole", "Ek", ""], ["Berg", "Dam", ""]];
    let begun: &[[&str; 3]] = &[["Cole", "Ek", "1-0"], ["Berg", "Dam", ""]];
    let read = |all: &[(&str, &[[&str; 3]])], round| {
        let sheet = load::read(&sheets(all), round);
        sheet.map(|sheet| (sheet.round, sheet.players[0].name.clone()))
    };
    let first = Ok((Some(1), "Berg".to_owned()));
    let second = Ok((Some(2), "Cole".to_owned()));
    for [one, other] in [
        ["Round 1", "Round 2"],
        ["Runde 1", "Runde 2"],
        ["Ronde 1", "Ronde 2"],
        ["R1", "R2"],
    ] {
        let both = [(one, played), (other, open)];
        assert_eq!(read(&both, None), second, "{other}: the one to be played");
        assert_eq!(read(&both, Some(1)), first);
        assert_eq!(read(&both, Some(2)), second);
        let none = read(&both, Some(3)).expect_err("no third round");
        let told = "line 1, column 1: no pairing of round 3 is in it";
        assert_eq!(none.to_string(), told);
    }
    let read_of = |first, second| read(&[("Round 1", first), ("Round 2", second)], None);
    assert_eq!(read_of(open, open), Ok((Some(1), "Cole".to_owned())));
    assert_eq!(read_of(played, begun), second);
    assert_eq!(read_of(open, &[]), Ok((Some(1), "Cole".to_owned())));
    assert_eq!(read(&[("Round 2", open)], None), second, "the only one");
    let refused = |all: &[(&str, &[[&str; 3]])], round| {
        let refused = read(all, round).expect_err("nobody says which");
        refused.to_string()
    };
    let all = refused(&[("Round 1", played), ("Round 2", played)], None);
    assert!(all.contains("every game of it is played"), "{all}");
    let all = refused(&[("Open", open), ("Round 2", open)], None);
    assert!(all.contains("the sheets Open, Round 2 all have"), "{all}");
    let all = refused(&[("Round 2 A", open), ("Round 2 B", open)], Some(2));
    let told = "the sheets Round 2 A, Round 2 B all have pairings of round 2";
    assert!(all.contains(told), "{all}");
    let other = refused(&[("Round 1", open)], Some(2));
    assert!(other.contains("a title says round 1"), "{other}");
}

#[test]
fn a_date_is_refused_where_something_else_is_needed() {
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet();
    for (column, text) in (0..).zip(["White", "Black", "Result", "Born"]) {
        sheet.write(0, column, text).expect("a heading");
    }
    let day = rust_xlsxwriter::ExcelDateTime::from_ymd(2026, 1, 2).expect("a day");
    let format = rust_xlsxwriter::Format::new().set_num_format("yyyy-mm-dd");
    for (row, column) in [(1, 0), (2, 2), (1, 3)] {
        let cell = sheet.write_with_format(row, column, &day, &format);
        cell.expect("a cell");
    }
    for (row, column, text) in [(1, 1, "Berg"), (2, 0, "Cole"), (2, 1, "Ek")] {
        sheet.write(row, column, text).expect("a cell");
    }
    let bytes = workbook.save_to_buffer().expect("a workbook");
    let refused = load::read(&bytes, Some(1)).expect_err("a day is no name");
    let told: Vec<String> = refused.0.iter().map(ToString::to_string).collect();
    let expected = [
        "sheet Sheet1, row 2, column 1: cell A2 has a date, and no text: write there what is meant",
        "sheet Sheet1, row 3, column 3: cell C3 has a date, and no text: write there what is meant",
    ];
    assert_eq!(told, expected, "nothing is made of the last column");
}

#[test]
fn what_stands_beside_the_columns_is_told_with_its_sheet() {
    let workbook = |beside: &str| {
        let mut workbook = Workbook::new();
        let sheet = workbook.add_worksheet();
        sheet.set_name("Pairings").expect("a name");
        for (column, text) in (0..).zip(["Bo.", "White", "Black", "Pts."]) {
            sheet.write(0, column, text).expect("a heading");
        }
        for (column, text) in (0..).zip(["1", "Berg", "Cole", "2", beside]) {
            sheet.write(1, column, text).expect("a cell");
        }
        workbook.save_to_buffer().expect("a workbook")
    };
    let told = plan(&workbook("absent?"), Some(1)).oddities.into_iter();
    let told = told.filter_map(|odd| match odd {
        Oddity::PassedOver { place } => Some(place.to_string()),
        _ => None,
    });
    let expected = [
        "sheet Pairings, row 1, column 4: nothing is made of column `Pts.`",
        "sheet Pairings, row 2, column 5: nothing is made of `absent?`, in a column without a \
         heading",
    ];
    assert_eq!(told.collect::<Vec<_>>(), expected);
    let refused = load::read(&workbook("\u{202e}x"), Some(1)).expect_err("a sign");
    let told = "sheet Pairings, row 2, column 5: U+202E turns the direction of writing";
    assert!(refused.to_string().starts_with(told), "{refused}");
}

#[test]
fn formulas_that_nobody_has_calculated_are_refused_with_their_cells() {
    let refused = load::read(FORMULAS, None).expect_err("no values");
    let told: Vec<String> = refused.0.iter().map(ToString::to_string).collect();
    // That of a column of which nothing is made is nobody's matter.
    let cells: Vec<&str> = told
        .iter()
        .filter_map(|text| text.split(" has a").next())
        .collect();
    let expected = [
        "sheet Pairings, row 4, column 1: cell A4",
        "sheet Pairings, row 4, column 2: cell B4",
    ];
    assert_eq!(cells, expected, "{told:?}");
    assert!(
        told[0].ends_with("save it there, and load it again"),
        "{told:?}"
    );

    // Saved by a program that calculates, the values are what counts.
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet();
    for (column, text) in (0..).zip(["Bo.", "White", "Black", "Result"]) {
        sheet.write(0, column, text).expect("a heading");
    }
    let valued =
        |formula: &str, value: &str| rust_xlsxwriter::Formula::new(formula).set_result(value);
    sheet.write(1, 0, valued("=6+1", "7")).expect("a table");
    sheet
        .write(1, 1, valued("=\"Be\"&\"rg\"", "Berg"))
        .expect("a player");
    sheet.write(1, 2, "Cole").expect("a player");
    sheet
        .write(1, 3, valued("=\"1-\"&\"0\"", "1-0"))
        .expect("a result");
    let plan = plan(&workbook.save_to_buffer().expect("a workbook"), Some(1));
    let ended = plan.pairings[0].outcome.as_ref().map(|o| o.codes);
    assert_eq!(
        (plan.pairings[0].table, ended),
        (Some(7), ResultCode::both("1-0"))
    );
}

/// A formula that means a cell with nothing in it has the value 0, and TRUE is no name.
#[test]
fn numbers_and_truth_values_in_the_place_of_names_are_refused() {
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet();
    for (column, text) in ["table", "white", "black", "result"]
        .into_iter()
        .enumerate()
    {
        let column = u16::try_from(column).expect("few");
        sheet.write(0, column, text).expect("a heading");
    }
    sheet.write(1, 0, 1).expect("a table");
    let empty = rust_xlsxwriter::Formula::new("=D!D3").set_result("0");
    sheet.write(1, 1, empty).expect("a formula");
    sheet.write(1, 2, true).expect("a truth value");
    sheet.write(1, 3, false).expect("a truth value");
    let bytes = workbook.save_to_buffer().expect("a workbook");
    let told = load::read(&bytes, Some(1)).expect_err("no names");
    let cells: Vec<(usize, usize)> = told.0.iter().map(|f| (f.line, f.column)).collect();
    assert_eq!(cells, [(2, 2), (2, 3), (2, 4)]);
    assert_eq!(
        told.0[0].text,
        "cell B2 has a number, and no text: write there what is meant"
    );
    assert!(
        told.0[1].text.contains("cell C2 has true or false"),
        "{told}"
    );
}

/// As sites with results write below their tables.
const BELOW: &str = "You find all details under https://example.org/tnr1.aspx?lan=1";

fn with_rows(rows: &[&[&str]]) -> Vec<u8> {
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet();
    sheet.set_name("Pairings").expect("a name");
    for (row, fields) in (0..).zip(rows) {
        for (column, text) in (0..).zip(fields.iter()) {
            sheet.write(row, column, *text).expect("a cell");
        }
    }
    workbook.save_to_buffer().expect("a workbook")
}

#[test]
fn words_below_a_table_are_told_and_passed_over() {
    let headings = &["Bo.", "No.", "White", "Result", "Black", "No."][..];
    let game = &["1", "1", "Berg", "", "Cole", "2"][..];
    let told = |bytes: &[u8]| {
        let sheet = load::read(bytes, Some(1)).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(sheet.games.len(), 1);
        let told = sheet.passed_over.iter().map(ToString::to_string);
        told.collect::<Vec<_>>()
    };
    let below = with_rows(&[headings, game, &[], &[BELOW], &["Server: Results"]]);
    let texts = [BELOW, "Server: Results"];
    let behind = texts.map(|text| format!("nothing is made of `{text}`, behind the table"));
    let [one, other] = &behind;
    let expected = [
        format!("sheet Pairings, row 4, column 1: {one}"),
        format!("sheet Pairings, row 5, column 1: {other}"),
    ];
    assert_eq!(told(&below), expected);
    let csv = format!("Bo.,White,Result,Black\n1,Berg,,Cole\n\n{BELOW}\nServer: Results,,,\n");
    let expected = [
        format!("line 4, column 1: {one}"),
        format!("line 5, column 1: {other}"),
    ];
    assert_eq!(told(csv.as_bytes()), expected);
    // Between the rows of a table they are none of it, and a name or a number may be a cut row.
    for (rows, wrong) in [
        (
            &[headings, &[BELOW], game][..],
            "row 2, column 1: `You find",
        ),
        (
            &[headings, game, &["2"]],
            "row 3, column 3: White is missing",
        ),
    ] {
        let refused = load::read(&with_rows(rows), Some(1)).expect_err("no row");
        let told = refused.to_string();
        assert!(told.contains(&format!("sheet Pairings, {wrong}")), "{told}");
        assert!(!told.contains("twice"), "{told}");
    }
    let cut = load::read(b"table,white,black\n1,Berg,Cole\n2\n", Some(1));
    let told = cut.expect_err("a cut row").to_string();
    assert!(told.starts_with("line 3, column 2: the row ends"), "{told}");
}

#[test]
fn what_is_wrong_with_a_workbook_is_told_with_its_sheet() {
    let rows: [&[&str]; 3] = [
        &["Bo.", "White", "White FideId", "Black", "White No."],
        &["1", "Berg", "77", "Cole", "1"],
        &["2", "Dam", "77", "Ek", "2"],
    ];
    let refused = load::read(&with_rows(&rows), Some(1)).expect_err("one number at FIDE");
    let told = "sheet Pairings, row 3, column 1: number 2 has the FIDE number 77, and so has \
                number 1 in line 2";
    assert_eq!(refused.to_string(), told);
}
