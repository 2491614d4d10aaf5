//! The figures as tables and as JSON.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use serde_json::json;

use super::baseline::Method;
use super::bench::Row;
use super::source::Source;
use super::tally::{Findings, Told};

/// One case as a line of JSON.
pub fn json(row: &Row) -> String {
    let cell = row.case.cell;
    let failures = &row.failures;
    let line = json!({
        "case": row.case.name(), "sensor": cell.sensor,
        "hands": format!("{:?}", cell.style).to_lowercase(),
        "noise": cell.noise, "clock": cell.clock, "breaches": row.case.breaches,
        "baseline_names": Method::ALL, "tally": row.tally, "failures": failures,
    });
    line.to_string()
}

/// Everything as Markdown: play with a clock, without one, and breaches.
pub fn tables(rows: &[Row]) -> String {
    let mut text = String::new();
    for (clock, title) in [(true, "With a clock"), (false, "Without a clock")] {
        let play: Vec<&Row> = rows
            .iter()
            .filter(|row| !row.case.breaches && row.case.cell.clock == clock)
            .collect();
        if !play.is_empty() {
            let _infallible = write!(text, "### {title}\n\n{}\n", played(&play));
        }
        let broken: Vec<&Row> = rows
            .iter()
            .filter(|row| row.case.breaches && row.case.cell.clock == clock)
            .collect();
        if !broken.is_empty() {
            let _infallible = write!(
                text,
                "### {title}: breaches\n\n{}\n{}\n",
                breaches(&broken),
                by_code(&broken)
            );
        }
    }
    text
}

const PLAYED: &str = "\
| sensors | hands | noise | games exact | of them nothing in doubt | plies wrong | wrong and \
    final | undecided (promotions) | revised \
| false certain / likely / possible | picture: exact, wrong | squares: exact, wrong | lifts: \
    exact, wrong |
|---|---|---|---|---|---|---|---|---|---|---|---|---|
";

fn played(rows: &[&Row]) -> String {
    let mut text = PLAYED.to_owned();
    for row in rows {
        let t = &row.tally;
        let (exact, decided) = (share(t.exact, t.games), share(t.decided, t.games));
        let undecided = format!("{} ({})", t.undecided, t.undecided_promotions);
        let baselines = t
            .baselines
            .map(|b| format!("{}, {}", share(b.exact, t.games), b.wrong))
            .join(" | ");
        let (wrong, last, revised, unfounded) =
            (t.wrong, t.wrong_and_final, t.revised, findings(t.unfounded));
        let _infallible = writeln!(
            text,
            "| {} | {exact} | {decided} | {wrong} | {last} | {undecided} | {revised} | \
            {unfounded} | {baselines} |",
            head(row)
        );
    }
    text
}

const BREACHES: &str = "\
| sensors | hands | noise | injected | found certain / likely / possible | under another name | \
    missed \
| false certain / likely / possible | games exact | plies wrong | wrong and final |
|---|---|---|---|---|---|---|---|---|---|---|
";

fn breaches(rows: &[&Row]) -> String {
    let mut text = BREACHES.to_owned();
    for row in rows {
        let t = &row.tally;
        let (exact, unfounded) = (share(t.exact, t.games), findings(t.unfounded));
        let told = told(t.told());
        let (wrong, last) = (t.wrong, t.wrong_and_final);
        let _infallible = writeln!(
            text,
            "| {} | {told} | {unfounded} | {exact} | {wrong} | {last} |",
            head(row)
        );
    }
    text
}

fn by_code(rows: &[&Row]) -> String {
    let mut codes: BTreeMap<_, Told> = BTreeMap::new();
    for row in rows {
        let sensor = format!("{:?}", row.case.cell.sensor).to_lowercase();
        for (code, told) in &row.tally.breaches {
            *codes.entry((*code, sensor.clone())).or_default() += *told;
        }
    }
    let mut text =
        "| breach | sensors | injected | found certain / likely / possible | under another name | \
        missed |\n\
                    |---|---|---|---|---|---|\n"
            .to_owned();
    for ((code, sensor), sum) in codes {
        let _infallible = writeln!(text, "| {code} | {sensor} | {} |", told(sum));
    }
    text
}

fn head(row: &Row) -> String {
    row.case
        .name()
        .split('-')
        .take(3)
        .collect::<Vec<_>>()
        .join(" | ")
}

fn told(told: Told) -> String {
    format!(
        "{} | {} | {} | {}",
        told.injected,
        findings(told.found),
        told.misnamed,
        told.missed
    )
}

fn findings(found: Findings) -> String {
    format!("{} / {} / {}", found.certain, found.likely, found.possible)
}

/// Per cent that are rounded up to 100 only when they are all.
fn share(part: u64, whole: u64) -> String {
    if part == whole {
        return "100 %".to_owned();
    }
    let percent = (part * 10_000 / whole.max(1)) as f64 / 100.0;
    format!("{percent} %")
}

/// What was played, where, and how long it took.
pub fn made(source: &Source, rows: &[Row], seconds: f64) -> String {
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
    format!(
        "{most} {from} in each of {} cases: {games} games, {plies} plies, {events} events in \
        {seconds:.0} s on {cores} cores ({}).",
        rows.len(),
        machine()
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
        let breach = f.breach.map_or(String::new(), |(code, ply)| {
            format!(", {code} wanted at ply {ply}")
        });
        format!(
            "{}: game {}, seed {}{breach}: {}\n  {}",
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
pub fn refresh(source: &Source, rows: &[Row], seconds: f64) -> Result<(), String> {
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
