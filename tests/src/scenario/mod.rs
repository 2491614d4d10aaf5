//! Rulings decided from the Laws before the program is run: one TOML file each under
//! `tests/scenarios/<article>/`.
//!
//! A scenario says what hands really did on the board, what the arbiter must say on the way, and
//! what the record must hold at the end. It is run once for each edition, class of play and sensor
//! class it names, with the symbols that class would see, with colours reversed, and mirrored left
//! to right where castling has no part in it. `tests/README.md` has the notation.

mod action;
mod articles;
mod board;
mod compile;
mod condition;
mod expect;
mod file;
mod line;
mod orient;
mod outcome;
mod report;
mod run;
mod variant;

use std::path::{Path, PathBuf};

pub use articles::Numbers;
pub use condition::{Span, year_of};
pub use file::{Laws, OneOrMore, Scenario};
pub use orient::Orientation;
pub use variant::Variant;

/// Runs `scenario` as `variant`. `Err` is the report: what differs, what to paste, and the script
/// that shows it.
pub fn check(scenario: &Scenario, variant: Variant) -> Result<(), String> {
    let lines = line::parse(&scenario.play)?;
    let script = compile::compile(scenario, &lines, variant)?;
    let said = run::run(&script, variant.orientation);
    report::judge(scenario, &lines, &script, &said, variant)
}

/// The event script of `scenario` as `variant`.
pub fn script(scenario: &Scenario, variant: Variant) -> Result<Vec<arbiter_core::Event>, String> {
    Ok(compile::compile(scenario, &line::parse(&scenario.play)?, variant)?.events)
}

/// The tables beside the scenarios: article numbers, and the ruled cases.
const TABLES: [&str; 2] = ["articles.toml", "cases.toml"];

/// Every scenario file under `dir`, in order of path.
pub fn files(dir: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(files(&path)?);
        } else if path.extension().is_some_and(|e| e == "toml")
            && !TABLES.iter().any(|t| path.ends_with(t))
        {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// The directory of the scenario files.
pub fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios")
}

#[cfg(test)]
mod tests;
