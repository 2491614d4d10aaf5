//! The table of costs in `docs/inference.md` is what `track/cost.rs` says.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Where costs and what is like them stand, below `arbiter-core/src`.
const SOURCES: [&str; 5] = [
    "track/cost.rs",
    "track/beam/mod.rs",
    "track/backtrack.rs",
    "track/replay.rs",
    "game/press.rs",
];

/// What a new row has to say.
const ASKED: &str = "what it is the cost of, and why it is dearer or cheaper than which other | \
    the scenario or bench cell that fails when it is far off";

fn read(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    fs::read_to_string(root.join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// Every constant that is a cost, with what it is set to.
fn costs() -> BTreeMap<String, String> {
    let mut costs = BTreeMap::new();
    for source in SOURCES {
        for line in read(&format!("arbiter-core/src/{source}")).lines() {
            let line = line.trim_start();
            let line = line.strip_prefix("pub(crate) ").unwrap_or(line);
            let Some(rest) = line.strip_prefix("const ") else {
                continue;
            };
            let (name, rest) = rest.split_once(':').expect("a type");
            if let Some(value) = rest.trim().strip_prefix("i32 = ") {
                let value = value.trim_end_matches(';').replace("cost::", "");
                let digits = value.replace('_', "");
                let is_number = digits.parse::<i32>().is_ok();
                costs.insert(name.to_owned(), if is_number { digits } else { value });
            }
        }
    }
    costs
}

/// The rows of the table: name, number, and the rest.
fn rows() -> BTreeMap<String, Vec<String>> {
    let mut rows = BTreeMap::new();
    for line in read("docs/inference.md").lines() {
        let cells: Vec<String> = line.split('|').map(|cell| cell.trim().to_owned()).collect();
        let [_, name, ..] = cells.as_slice() else {
            continue;
        };
        let name = name.trim_matches('`');
        let is_constant =
            name.len() > 1 && name.chars().all(|c| c.is_ascii_uppercase() || c == '_');
        if is_constant && cells.len() >= 6 {
            let known = rows.insert(name.to_owned(), cells[2..cells.len() - 1].to_vec());
            assert!(known.is_none(), "docs/inference.md has two rows of {name}");
        }
    }
    rows
}

#[test]
fn every_cost_stands_in_the_table_with_its_number() {
    let (costs, rows) = (costs(), rows());
    assert!(costs.len() > 20, "{costs:?}");
    let mut wrong = Vec::new();
    for (name, value) in &costs {
        match rows.get(name) {
            None => wrong.push(format!("add a row:\n| `{name}` | {value} | {ASKED} |")),
            Some(row) if row[0].replace('`', "") != *value => {
                wrong.push(format!(
                    "the row of {name} says {}, the code {value}",
                    row[0]
                ));
            }
            Some(row) if row.iter().any(String::is_empty) => {
                wrong.push(format!("the row of {name} has an empty cell"));
            }
            Some(_) => {}
        }
    }
    for name in rows.keys().filter(|name| !costs.contains_key(*name)) {
        wrong.push(format!("there is no {name} any more: take its row out"));
    }
    assert!(
        wrong.is_empty(),
        "docs/inference.md, the table of costs:\n{}",
        wrong.join("\n")
    );
}

/// A scenario that is said to hold a cost is there.
#[test]
fn the_scenarios_named_are_there() {
    for (name, row) in rows() {
        for word in row.last().expect("a cell").split('`').skip(1).step_by(2) {
            let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
            let is_scenario = word.contains('/');
            assert!(
                !is_scenario || exists(&root, word),
                "{name}: there is no scenario {word}"
            );
        }
    }
}

fn exists(root: &Path, scenario: &str) -> bool {
    let (folder, name) = scenario.split_once('/').expect("a folder");
    let entries = fs::read_dir(root.join("tests/scenarios").join(folder));
    let mut entries = entries.into_iter().flatten().flatten();
    entries.any(|entry| entry.path().file_stem().is_some_and(|stem| stem == name))
}
