//! The end: what the record holds, and what was said of whom. Complete on both sides, so that
//! nobody is accused in vain.

use std::fmt::Write;

use serde_json::Value;

use super::expect::{plain, same_position};
use super::file::End;
use super::orient::Orientation;
use super::run::Said;

/// An end with every field filled in, in a fixed order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Outcome {
    moves: String,
    result: String,
    fen: String,
    irregularities: Vec<String>,
    doubts: Vec<String>,
    unresolved: Vec<u64>,
    withdrawn: Vec<String>,
}

impl Outcome {
    /// What the file expects.
    pub(crate) fn expected(end: &End) -> Result<Outcome, String> {
        let need =
            |field: &Option<String>, name| field.clone().ok_or(format!("[end] must say `{name}`"));
        let sorted = |list: &Option<Vec<String>>| {
            let mut list = list.clone().unwrap_or_default();
            list.sort();
            list
        };
        Ok(Outcome {
            moves: need(&end.moves, "moves")?,
            result: end.result.clone().unwrap_or_else(|| "*".to_owned()),
            fen: need(&end.fen, "fen")?,
            irregularities: sorted(&end.irregularities),
            doubts: sorted(&end.doubts),
            unresolved: end.unresolved.clone().unwrap_or_default(),
            withdrawn: sorted(&end.withdrawn),
        })
    }

    /// What the arbiter said. Of an irregularity told twice, the later telling counts.
    pub(crate) fn of(said: &[Said]) -> Outcome {
        let told_again = |index: usize, r: &Value| {
            said[index + 1..]
                .iter()
                .any(|s| s.ruling["ruling"] == r["ruling"] && s.ruling["id"] == r["id"])
        };
        let latest = |(i, r): &(usize, &Value)| r["ruling"] != "irregularity" || !told_again(*i, r);
        let rulings: Vec<&Value> = said
            .iter()
            .map(|s| &s.ruling)
            .enumerate()
            .filter(latest)
            .map(|(_, r)| r)
            .collect();
        let of_kind =
            |kind: &'static str| rulings.iter().copied().filter(move |r| r["ruling"] == kind);
        let summary = of_kind("summary").next_back().cloned().unwrap_or_default();
        let withdrawn: Vec<&Value> = of_kind("withdrawn").map(|r| &r["id"]).collect();
        let (taken_back, standing): (Vec<&Value>, Vec<&Value>) =
            of_kind("irregularity").partition(|r| withdrawn.contains(&&r["id"]));
        let mut doubts: Vec<String> = of_kind("doubt")
            .map(|r| format!("{} {}", text(&r["kind"]), r["ply"]))
            .collect();
        doubts.sort();
        doubts.dedup();
        let mut outcome = Outcome {
            moves: words(&summary["moves"]),
            result: result(of_kind("result").next_back(), text(&summary["result"])),
            fen: text(&summary["fen"]).to_owned(),
            irregularities: standing.into_iter().map(accusation).collect(),
            doubts,
            unresolved: summary["doubts"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_u64)
                .collect(),
            withdrawn: taken_back
                .into_iter()
                .map(|r| text(&r["code"]).to_owned())
                .collect(),
        };
        outcome.irregularities.sort();
        outcome.withdrawn.sort();
        outcome
    }

    /// Drops what may be said and need not be, and takes over the file's wording where it means the
    /// same: a doubt without a ply, one of several records, a FEN with fewer fields.
    pub(crate) fn measured_by(
        mut self,
        expected: &Outcome,
        may: &[String],
        orientation: Orientation,
    ) -> Outcome {
        for allowed in may {
            self.irregularities
                .retain(|i| i != allowed || expected.irregularities.contains(i));
            let tolerated = |d: &String| d == allowed || d.split(' ').next() == Some(allowed);
            self.doubts
                .retain(|d| !tolerated(d) || expected.doubts.contains(d));
        }
        if may.iter().any(|m| m.starts_with("unresolved")) {
            self.unresolved.clone_from(&expected.unresolved);
        }
        for kind in expected.doubts.iter().filter(|d| !d.contains(' ')) {
            let of_kind = |doubt: &String| doubt.split(' ').next() == Some(kind);
            if self.doubts.iter().any(of_kind) {
                self.doubts.retain(|d| !of_kind(d));
                self.doubts.push(kind.clone());
                self.doubts.sort();
            }
        }
        if expected.moves.split(" | ").any(|m| m.trim() == self.moves) {
            self.moves.clone_from(&expected.moves);
        }
        if expected
            .fen
            .split(" | ")
            .any(|want| self.stands_as(want, orientation))
        {
            self.fen.clone_from(&expected.fen);
        }
        self
    }

    fn stands_as(&self, fen: &str, orientation: Orientation) -> bool {
        let want = plain(fen);
        let mut got = plain(&self.fen);
        if orientation == Orientation::Mirrored && want.len() > 2 && got.len() > 2 {
            got[2].clone_from(&want[2]);
        }
        same_position(fen, &got.join(" "))
    }

    /// As an `[end]` table that can be pasted into the file.
    pub(crate) fn table(&self) -> String {
        let mut out = format!(
            "[end]\nmoves = \"{}\"\nresult = \"{}\"\nfen = \"{}\"\n",
            self.moves, self.result, self.fen
        );
        list(&mut out, "irregularities", &self.irregularities, true);
        list(&mut out, "doubts", &self.doubts, true);
        if !self.unresolved.is_empty() {
            let _ = writeln!(out, "unresolved = {:?}", self.unresolved);
        }
        list(&mut out, "withdrawn", &self.withdrawn, false);
        out
    }
}

fn list(out: &mut String, name: &str, items: &[String], even_if_empty: bool) {
    match items {
        [] if !even_if_empty => {}
        [] | [_] => {
            let _ = writeln!(out, "{name} = {items:?}");
        }
        _ => {
            let _ = writeln!(out, "{name} = [");
            for item in items {
                let _ = writeln!(out, "    {item:?},");
            }
            let _ = writeln!(out, "]");
        }
    }
}

fn accusation(ruling: &Value) -> String {
    format!(
        "{} by {} {}",
        text(&ruling["code"]),
        text(&ruling["by"]),
        text(&ruling["certainty"])
    )
}

/// The last result told; a summary that contradicts a final one is shown.
fn result(told: Option<&Value>, summed_up: &str) -> String {
    let Some(told) = told else {
        return summed_up.to_owned();
    };
    let (result, reason) = (text(&told["result"]), text(&told["reason"]));
    match told["proposed"].as_bool() {
        Some(true) => format!("{result} {reason} proposed"),
        _ if result != summed_up => format!("{result} {reason}, but the summary says {summed_up}"),
        // A proposal that fell away leaves the game open.
        _ if result == "*" => result.to_owned(),
        _ => format!("{result} {reason}"),
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn words(list: &Value) -> String {
    list.as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect::<Vec<_>>()
        .join(" ")
}
