//! What earlier runs of the bench wrote with `--json`, taken up again.

use std::fs::read_to_string;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::bench::Row;
use super::cases::every;
use super::tally::Tally;

/// What is read of a line that [`super::report::json`] wrote.
#[derive(Deserialize)]
struct Line {
    case: String,
    tally: Tally,
}

/// The rows of some files, in the order of the cases; those of one case are added up.
///
/// # Errors
/// The file and the line that cannot be read.
pub fn take(files: &[PathBuf]) -> Result<Vec<Row>, String> {
    let mut rows: Vec<Row> = every().into_iter().map(empty).collect();
    for file in files {
        let text = read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
        for (number, line) in (1..).zip(text.lines()) {
            add(&mut rows, line).map_err(|error| at(file, number, &error))?;
        }
    }
    rows.retain(|row| row.tally.games > 0);
    Ok(rows)
}

fn empty(case: super::cases::Case) -> Row {
    Row {
        case,
        tally: Tally::default(),
        failures: Vec::new(),
    }
}

fn add(rows: &mut [Row], line: &str) -> Result<(), String> {
    let line: Line = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let row = rows.iter_mut().find(|row| row.case.name() == line.case);
    let row = row.ok_or_else(|| format!("no case is called {}", line.case))?;
    row.tally += &line.tally;
    Ok(())
}

fn at(file: &Path, number: usize, error: &str) -> String {
    format!("{}, line {number}: {error}", file.display())
}

#[cfg(test)]
mod tests {
    use super::super::report::json;
    use super::*;

    #[test]
    fn what_was_written_is_read_and_added_up() {
        let mut row = empty(every()[3]);
        row.tally.games = 7;
        row.tally.exact = 6;
        let directory = tempfile::tempdir().unwrap();
        let [file, wrong] = ["good", "wrong"].map(|name| directory.path().join(name));
        std::fs::write(&file, json(&row) + "\n").unwrap();
        let taken = take(&[file.clone(), file]).unwrap();
        assert_eq!(taken.len(), 1);
        assert_eq!(taken[0].case.name(), row.case.name());
        assert_eq!((taken[0].tally.games, taken[0].tally.exact), (14, 12));
        std::fs::write(&wrong, json(&row) + "\n{}\n").unwrap();
        let error = take(&[wrong]).unwrap_err();
        assert!(error.contains("wrong, line 2: missing field"), "{error}");
    }
}
