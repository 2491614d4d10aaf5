//! Workbooks as spreadsheets and sites with results write them.

use rust_xlsxwriter::Workbook;
use tournament::{Format, Place, Plan, ResultCode, Tournament, load};

/// Written by openpyxl 3.1, a program of others: titles above, `No.` and `Rtg` twice.
const LIST: &[u8] = include_bytes!("round-5.xlsx");

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
    let told = load::read(&bytes, None)
        .expect_err("three rounds")
        .to_string();
    assert!(
        told.contains("the sheets R1, R2, R3 all have pairings"),
        "{told}"
    );
}
