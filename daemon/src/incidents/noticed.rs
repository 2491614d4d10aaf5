//! What a game shows to have been ruled, or taken back, whoever ordered it and from where.

use std::collections::BTreeMap;

use super::case::{Case, Found};
use super::mark::{Mark, Marks};
use super::steps::ruling;

/// Something that was ruled or taken back, and who ordered it, as far as the game says.
pub(super) type Noticed = (Mark, String);

/// What has been ruled and taken back between `before` and `after`. Where nothing is known of
/// before, only what still waits for its position is told: the rest has been told long ago.
pub(super) fn noticed(
    before: Option<&Case>,
    after: &Case,
    marks: &BTreeMap<String, Marks>,
) -> Vec<Noticed> {
    let found = after.found();
    let of = |(found, _)| of_finding(before, after, &found, marks);
    found.filter_map(of).collect()
}

/// Whether something upheld that lost the game does so no more, and its opponent is given time.
fn is_time_now(before: Option<&Case>, after: &Case, found: &Found) -> bool {
    let loses = |found: &Found| found.penalty.as_ref().is_some_and(|p| p.then.is_some());
    let lost = before.into_iter().flat_map(Case::found);
    let mut lost = lost.filter(|(earlier, _)| earlier.id == found.id);
    let is_lost = lost.any(|(earlier, _)| loses(&earlier));
    found.status == "upheld" && is_lost && !loses(found) && !after.is_over()
}

fn of_finding(
    before: Option<&Case>,
    after: &Case,
    found: &Found,
    all: &BTreeMap<String, Marks>,
) -> Option<Noticed> {
    let incident = format!("{}.{}", after.game, found.ply);
    let marks = all.get(&incident);
    let mut known = marks.into_iter().flat_map(|marks| &marks.rulings);
    let known = known.find(|(_, ruling)| ruling.finding == found.id);
    let is_ruled = matches!(found.status.as_str(), "upheld" | "dismissed");
    match known {
        // What an arbiter has reported himself is withdrawn with his report.
        Some(_) if found.is_open() || found.status == "withdrawn" => {
            let finding = found.id;
            Some((Mark::Undone { incident, finding }, String::new()))
        }
        // An offence before it has fallen: it does not lose any more, and time is due for it.
        Some((by, known)) if is_time_now(before, after, found) => {
            let ruling = ruling(before, after, found, known.order.clone(), all);
            Some((Mark::Ruled { incident, ruling }, by.who.clone()))
        }
        None if is_ruled => {
            let (order, author) = after.ruled_by(found).unwrap_or_default();
            let was_open = |before: &Case| {
                let mut earlier = before.found();
                let earlier = earlier.find(|(earlier, _)| earlier.id == found.id);
                earlier.is_none_or(|(earlier, _)| earlier.is_open())
            };
            let is_news = match before {
                Some(before) => was_open(before),
                None => found.status == "upheld" && after.restore.is_some(),
            };
            let ruling = ruling(before, after, found, order, all);
            is_news.then_some((Mark::Ruled { incident, ruling }, author))
        }
        _ => None,
    }
}
