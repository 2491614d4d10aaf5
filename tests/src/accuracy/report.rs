//! The figures as tables and as JSON.

use std::path::Path;

use serde_json::json;

use super::baseline::Method;
use super::bench::Row;
use super::source::Source;
use super::tables::tables;

/// One case as a line of JSON.
pub fn json(row: &Row) -> String {
    let cell = row.case.cell;
    let failures = &row.failures;
    let line = json!({
        "case": row.case.name(), "sensor": cell.sensor,
        "hands": format!("{:?}", cell.style).to_lowercase(),
        "noise": cell.noise, "clock": cell.clock, "kind": row.case.kind,
        "baseline_names": Method::ALL, "tally": row.tally, "failures": failures,
    });
    line.to_string()
}

/// What was played, and where and how long where that is known.
pub fn made(source: &Source, rows: &[Row], seconds: Option<f64>) -> String {
    let sum = |f: fn(&Row) -> u64| rows.iter().map(f).sum::<u64>();
    let (games, plies, events) = (
        sum(|row| row.tally.games),
        sum(|row| row.tally.plies),
        sum(|row| row.tally.events),
    );
    let most = rows.iter().map(|row| row.tally.games).max().unwrap_or(0);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let from = match &source.file {
        Some(_) => "games of a file",
        None => "games carried with the program",
    };
    let took = seconds.map_or(", in pieces".to_owned(), |seconds| {
        format!(" in {seconds:.0} s on {cores} cores ({})", machine())
    });
    format!(
        "{most} {from} in each of {} cases: {games} games, {plies} plies, {events} events{took}.",
        rows.len()
    )
}

fn machine() -> String {
    let about = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = about
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    name.map_or_else(
        || std::env::consts::ARCH.to_owned(),
        |(_, name)| name.trim().to_owned(),
    )
}

/// The first failures of a case, each with the command that repeats it.
pub fn failures(row: &Row, most: usize) -> Vec<String> {
    let line = |f: &super::bench::Failure| {
        let wishes: String = f
            .wishes
            .iter()
            .map(|(wish, ply)| format!(", {wish} wanted at ply {ply}"))
            .collect();
        format!(
            "{}: game {}, seed {}{wishes}: {}\n  {}",
            row.case.name(),
            f.game,
            f.seed,
            f.what,
            f.command
        )
    };
    row.failures.iter().take(most).map(line).collect()
}

const BEGIN: &str = "<!-- measured -->\n";
const END: &str = "<!-- /measured -->";

/// Writes the tables into `docs/accuracy.md`, between its two marks.
///
/// # Errors
/// When the file or its marks are not there.
pub fn refresh(source: &Source, rows: &[Row], seconds: Option<f64>) -> Result<(), String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/accuracy.md");
    let text =
        std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let marks = text
        .find(BEGIN)
        .zip(text.find(END))
        .filter(|(begin, end)| begin < end);
    let (begin, end) =
        marks.ok_or_else(|| format!("{}: the marks are not there", path.display()))?;
    let (before, after) = (&text[..begin + BEGIN.len()], &text[end..]);
    let measured = format!(
        "{before}\n{}\n\n{}\n{after}",
        made(source, rows, seconds),
        tables(rows).trim_end()
    );
    std::fs::write(&path, measured).map_err(|error| format!("{}: {error}", path.display()))
}
