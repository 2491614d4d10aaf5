//! Any bytes as the parts of a workbook, in an archive that is sound: they are read or refused,
//! what is read can be drawn or is refused, and drawn again it changes nothing. An archive of
//! chance would hardly ever be one.
#![no_main]

use std::io::{Cursor, Write};

use libfuzzer_sys::fuzz_target;
use tournament::{Place, Plan, Tournament, load};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

const RELATIONS: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<Relationships><Relationship Id="rId1"
    Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet"
    Target="worksheets/sheet1.xml"/></Relationships>"#;

const WORKBOOK: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">
    <sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>"#;

/// The first byte chooses what the others are; where they are a part that is only the cells, the
/// sheet is built around them.
fn archive(bytes: &[u8]) -> Option<Vec<u8>> {
    let (kind, rest) = bytes.split_first()?;
    let half = rest.len() / 2;
    let (one, other) = rest.split_at(half);
    let cells = [
        b"<worksheet><sheetData>".as_slice(),
        rest,
        b"</sheetData></worksheet>",
    ]
    .concat();
    let parts: [(&str, &[u8]); 4] = match kind % 3 {
        0 => [
            ("xl/workbook.xml", WORKBOOK.as_bytes()),
            ("xl/_rels/workbook.xml.rels", RELATIONS.as_bytes()),
            ("xl/worksheets/sheet1.xml", &cells),
            (
                "xl/sharedStrings.xml",
                b"<sst><si><t>White</t></si><si><t>Black</t></si></sst>",
            ),
        ],
        1 => [
            ("xl/workbook.xml", WORKBOOK.as_bytes()),
            ("xl/_rels/workbook.xml.rels", RELATIONS.as_bytes()),
            ("xl/worksheets/sheet1.xml", one),
            ("xl/sharedStrings.xml", other),
        ],
        _ => [
            ("xl/workbook.xml", one),
            ("xl/_rels/workbook.xml.rels", RELATIONS.as_bytes()),
            (
                "xl/worksheets/sheet1.xml",
                b"<worksheet><sheetData/></worksheet>",
            ),
            ("xl/styles.xml", other),
        ],
    };
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (name, content) in parts {
        writer.start_file(name, options).ok()?;
        writer.write_all(content).ok()?;
    }
    Some(writer.finish().ok()?.into_inner())
}

fuzz_target!(|bytes: &[u8]| {
    let Some(bytes) = archive(bytes) else { return };
    let Ok(sheet) = load::read(&bytes, Some(1)) else {
        return;
    };
    let (mut tournament, place) = (Tournament::default(), Place::default());
    let Ok(plan) = Plan::of(&tournament, &sheet, &place) else {
        return;
    };
    for act in &plan.acts {
        tournament.apply(act).expect("an act of the plan");
    }
    let again = Plan::of(&tournament, &sheet, &place).expect("the same plan");
    assert_eq!(again.changes, []);
});
