//! The end: what the record holds, and what was said of whom. Complete on both sides, so that
//! nobody is accused in vain.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use serde_json::Value;

use super::expect::{plain, same_position, words};
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
        Ok(Outcome {
            moves: needed(&end.moves, "moves")?,
            result: end.result.clone().unwrap_or_else(|| "*".to_owned()),
            fen: needed(&end.fen, "fen")?,
            irregularities: sorted(&end.irregularities),
            doubts: sorted(&end.doubts),
            unresolved: end.unresolved.clone().unwrap_or_default(),
            withdrawn: sorted(&end.withdrawn),
        })
    }

    /// What the arbiter said. Of an irregularity told twice, the later telling counts; one that is
    /// told anew after it was withdrawn stands.
    pub(crate) fn of(said: &[Said]) -> Outcome {
        let mut outcome = Outcome::default();
        let (mut told, mut withdrawn) = (BTreeMap::new(), BTreeSet::new());
        for ruling in said.iter().map(|said| &said.ruling) {
            let id = ruling["id"].as_u64().unwrap_or_default();
            match text(&ruling["ruling"]) {
                "irregularity" => {
                    told.insert(id, ruling);
                    withdrawn.remove(&id);
                }
                "withdrawn" => {
                    withdrawn.insert(id);
                }
                _ => {}
            }
        }
        for (id, ruling) in told {
            if withdrawn.contains(&id) {
                outcome.withdrawn.push(text(&ruling["code"]).to_owned());
            } else {
                outcome.irregularities.push(accusation(ruling));
            }
        }
        for ruling in of_kind(said, "doubt") {
            let doubt = format!("{} {}", text(&ruling["kind"]), ruling["ply"]);
            outcome.doubts.push(doubt);
        }
        let summary = of_kind(said, "summary").last().unwrap_or(&Value::Null);
        let told = of_kind(said, "result").last();
        outcome.moves = words(&summary["moves"]).join(" ");
        outcome.result = result(told, text(&summary["result"]));
        outcome.fen = text(&summary["fen"]).to_owned();
        let unresolved = summary["doubts"].as_array().into_iter().flatten();
        outcome.unresolved = unresolved.filter_map(Value::as_u64).collect();
        outcome.irregularities.sort();
        outcome.withdrawn.sort();
        outcome.doubts.sort();
        outcome.doubts.dedup();
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
            self.doubts.retain(|d| {
                let tolerated = d == allowed || is_of_kind(d, allowed);
                !tolerated || expected.doubts.contains(d)
            });
        }
        let may_fall = |code: &String| {
            may.iter()
                .any(|m| m.strip_prefix("withdrawn ") == Some(code))
        };
        let wanted = &expected.withdrawn;
        self.withdrawn
            .retain(|code| wanted.contains(code) || !may_fall(code));
        if may.iter().any(|m| m.starts_with("unresolved")) {
            self.unresolved.clone_from(&expected.unresolved);
        }
        for kind in expected.doubts.iter().filter(|d| !d.contains(' ')) {
            if self.doubts.iter().any(|d| is_of_kind(d, kind)) {
                self.doubts.retain(|d| !is_of_kind(d, kind));
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

fn needed(field: &Option<String>, name: &str) -> Result<String, String> {
    field.clone().ok_or(format!("[end] must say `{name}`"))
}

fn sorted(list: &Option<Vec<String>>) -> Vec<String> {
    let mut list = list.clone().unwrap_or_default();
    list.sort();
    list
}

/// The rulings of a kind, in order.
fn of_kind<'a>(said: &'a [Said], kind: &'static str) -> impl Iterator<Item = &'a Value> {
    said.iter()
        .map(|said| &said.ruling)
        .filter(move |ruling| ruling["ruling"] == *kind)
}

/// Whether a doubt, which may have a ply behind it, is of this kind.
fn is_of_kind(doubt: &str, kind: &str) -> bool {
    doubt.split(' ').next() == Some(kind)
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
        _ if reason == "annulled" => format!("{result} {reason}"),
        // A proposal that fell away leaves the game open.
        _ if result == "*" => result.to_owned(),
        _ => format!("{result} {reason}"),
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
