//! `docs/laws.md` says which articles the program knows and which scenarios pin them down. This keeps it true.

use std::collections::BTreeSet;
use std::path::Path;

use arbiter_core::irregularity::Code;
use tests::scenario::{self, Scenario};

/// Every code that is told by its own name; an unannounced adjustment is told as the touch-move it is.
const TOLD: [Code; 14] = [
    Code::TouchMoveOwnPiece,
    Code::TouchMoveOpponentPiece,
    Code::TouchMoveBothColours,
    Code::CastlingNotCompleted,
    Code::CastlingRookFirst,
    Code::PromotionChoiceChanged,
    Code::ReleasedPieceMovedAgain,
    Code::PieceDisplaced,
    Code::IllegalMove,
    Code::PawnNotPromoted,
    Code::ClockPressedWithoutMove,
    Code::ClockOtherHand,
    Code::ColoursReversed,
    Code::TwoHands,
];

/// Article, codes and links of the rows of the first table.
fn rows() -> Vec<(String, String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/laws.md");
    let text = std::fs::read_to_string(path).unwrap();
    let cells = |line: &str| line.split('|').map(|c| c.trim().to_owned()).collect::<Vec<_>>();
    let rows = text.lines().filter(|l| l.contains("../tests/scenarios/")).map(cells);
    rows.map(|c| (c[1].clone(), c[4].clone(), c[5].clone())).collect()
}

#[test]
fn every_article_with_scenarios_has_its_row() {
    let files = scenario::files(&scenario::directory()).unwrap();
    let directories: BTreeSet<String> = files.iter().map(|f| Scenario::load(f).unwrap().article).collect();
    let rows = rows();
    let listed: BTreeSet<String> = rows.iter().map(|(article, ..)| article.clone()).collect();
    assert_eq!(listed, directories);
    for (article, _, link) in rows {
        assert_eq!(link, format!("[{article}](../tests/scenarios/{article})"));
    }
}

#[test]
fn every_code_has_a_row_and_a_scenario_of_its_article_that_tells_it() {
    let rows = rows();
    for code in TOLD {
        let row = rows.iter().find(|(_, codes, _)| codes == &format!("`{code}`"));
        let (article, ..) = row.unwrap_or_else(|| panic!("docs/laws.md has no row for `{code}`"));
        let files = scenario::files(&scenario::directory().join(article)).unwrap();
        let told = files.iter().any(|f| std::fs::read_to_string(f).unwrap().contains(&format!("\"{code} by ")));
        assert!(told, "no scenario under {article} expects `{code}`");
    }
}

#[test]
fn every_code_in_the_table_is_one_the_program_knows() {
    for (article, codes, _) in rows().into_iter().filter(|(_, codes, _)| !codes.is_empty()) {
        let name = codes.trim_matches('`');
        let known: Result<Code, _> = serde_json::from_value(name.into());
        assert!(known.is_ok_and(|c| c.name() == name), "{article}: `{name}` is no code");
    }
}
