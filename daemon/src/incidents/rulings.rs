//! Which order ruled on which finding.

use std::collections::BTreeMap;

use serde_json::Value;

use super::case::{Case, Found};

/// Whether a report may be of a finding.
type Fits = fn(&Value, &Found) -> bool;

impl Case {
    /// The order that ruled on a finding, or reported it, and who gave it.
    pub(super) fn ruled_by(&self, found: &Found) -> Option<(String, String)> {
        let ruling = self.ruling_on(found);
        let order = ruling.or_else(|| self.reports().remove(&found.id))?;
        let text = |name: &str| order[name].as_str().unwrap_or_default().to_owned();
        Some((text("order"), text("author")))
    }

    /// Whether it is upheld for the record alone, so that nothing follows.
    pub(super) fn is_for_record(&self, found: &Found) -> bool {
        let ruling = self.ruling_on(found);
        ruling.is_some_and(|order| order["for_record"] == true)
    }

    /// The order that names the finding.
    fn ruling_on(&self, found: &Found) -> Option<&Value> {
        let mut orders = self.orders.iter().rev();
        orders.find(|order| is(order, &["uphold", "dismiss"]) && order["id"] == found.id)
    }

    /// The report of each finding on which nobody has ruled by its number. A report names no
    /// finding: it made the one of the same moment, or upheld one that waited since before. Each
    /// is one finding's alone.
    fn reports(&self) -> BTreeMap<u32, &Value> {
        let orders = self.orders.iter();
        let mut left: Vec<&Value> = orders.filter(|order| is(order, &["report"])).collect();
        let found = self.found().map(|(found, _)| found);
        let mut waiting: Vec<Found> = found
            .filter(|found| found.status == "upheld" && self.ruling_on(found).is_none())
            .collect();
        waiting.sort_by_key(|found| found.at);
        let mut reports = BTreeMap::new();
        let ways: [Fits; 3] = [
            |order, found| is_report(order, found) && order["at"] == found.at,
            |order, found| is_report(order, found) && is_later(order, found),
            |order, found| may_report(order, found) && is_later(order, found),
        ];
        for fits in ways {
            for found in &waiting {
                let is_taken = reports.contains_key(&found.id);
                let place = left.iter().position(|order| fits(order, found));
                if let Some(place) = place.filter(|_| !is_taken) {
                    reports.insert(found.id, left.remove(place));
                }
            }
        }
        reports
    }
}

fn is(order: &Value, actions: &[&str]) -> bool {
    let action = order["action"].as_str();
    action.is_some_and(|action| actions.contains(&action))
}

/// Whether it reports what was found, of the same side.
fn is_report(order: &Value, found: &Found) -> bool {
    let by = order["by"].as_str().unwrap_or("either");
    order["code"] == found.code && by == found.by
}

/// The same where one of both names no side.
fn may_report(order: &Value, found: &Found) -> bool {
    let names_none = found.by == "either" || order["by"].is_null();
    order["code"] == found.code && names_none
}

fn is_later(order: &Value, found: &Found) -> bool {
    order["at"].as_u64().is_some_and(|at| at >= found.at)
}
