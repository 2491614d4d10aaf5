//! The verdict on a run, and on a mismatch everything that is needed to go on: what differs, what
//! to paste, how to repeat it.

use std::fmt::Write;

use similar::TextDiff;

use super::action::Act;
use super::compile::Script;
use super::file::Scenario;
use super::line::{Kind, Line};
use super::outcome::Outcome;
use super::run::Said;
use super::variant::Variant;

/// Compares what was said with what the file wants.
pub(crate) fn judge(
    scenario: &Scenario,
    lines: &[Line],
    script: &Script,
    said: &[Said],
    variant: Variant,
) -> Result<(), String> {
    let end = scenario.end.of(variant)?;
    let expected = Outcome::expected(&end)?;
    let may = end.may.clone().unwrap_or_default();
    let actual = Outcome::of(said).measured_by(&expected, &may, variant.orientation);
    let missed = missed(lines, said, variant)?;
    if missed.is_empty() && actual == expected {
        return Ok(());
    }
    let mut report = format!(
        "{} ({})\n{}\n",
        scenario.title,
        variant,
        scenario.why.trim()
    );
    for line in missed {
        report.push('\n');
        report.push_str(&line);
    }
    if actual != expected {
        let (want, got) = (expected.table(), actual.table());
        let diff = TextDiff::from_lines(&want, &got);
        let _ = write!(
            report,
            "\n{}\nTo paste, if the arbiter is right:\n\n{got}",
            diff.unified_diff().header("the file", "the arbiter")
        );
    }
    let _ = write!(
        report,
        "\nTo repeat with `arbiterd replay`:\n\n{}",
        jsonl(script)
    );
    Err(report)
}

/// A paragraph for each expectation that does not hold.
fn missed(lines: &[Line], said: &[Said], variant: Variant) -> Result<Vec<String>, String> {
    let mut missed = Vec::new();
    // The lines whose rulings count: those of the action above; a `wait` adds to the action before
    // it.
    let mut window = 0..=0;
    for line in lines.iter().filter(|line| line.guard.admits(variant)) {
        match &line.kind {
            Kind::Act { acts, .. } if matches!(acts[..], [Act::Wait(_)]) => {
                window = *window.start()..=line.number
            }
            Kind::Act { .. } => window = line.number..=line.number,
            Kind::Finally => window = 0..=usize::MAX,
            Kind::Expect(expectation) => {
                let heard: Vec<_> = said
                    .iter()
                    .filter(|s| window.contains(&s.line))
                    .map(|s| &s.ruling)
                    .collect();
                if !expectation
                    .under(variant.laws)?
                    .holds(heard.iter().copied())
                {
                    missed.push(paragraph(line.number, &expectation.text, &heard));
                }
            }
        }
    }
    Ok(missed)
}

fn paragraph(line: usize, wanted: &str, heard: &[&serde_json::Value]) -> String {
    let mut text = format!("play, line {line}: this does not hold: {wanted}\n");
    text.push_str(if heard.is_empty() {
        "  nothing was said\n"
    } else {
        "  what was said:\n"
    });
    for ruling in heard {
        let _ = writeln!(text, "    {}", brief(ruling));
    }
    text
}

/// A ruling without its prose.
fn brief(ruling: &serde_json::Value) -> String {
    let mut ruling = ruling.clone();
    if let Some(map) = ruling.as_object_mut() {
        for prose in ["evidence", "pgn", "game", "san"] {
            map.remove(prose);
        }
    }
    ruling.to_string()
}

fn jsonl(script: &Script) -> String {
    let line = |event| serde_json::to_string(event).expect("an event is plain data");
    script
        .events
        .iter()
        .map(|event| line(event) + "\n")
        .collect()
}
