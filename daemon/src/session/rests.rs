//! What other orders rest on is taken back after them: a ruling whose finding is gone would be gone
//! with it, unsaid, and the time that it gave would stay on the clocks.

use arbiter_core::input::{ArbiterAction, FindingRef};
use arbiter_core::view::Finding;
use arbiter_core::{Arbiter, Event, Input};

use super::orders::refused;
use crate::hall::{self, OrderError, View};
use crate::reason::Reason;

/// Refuses to take back what somebody has upheld a finding upon.
pub(super) fn may_take_back(arbiter: &Arbiter, event: &Event) -> Result<(), OrderError> {
    let Input::Arbiter(ArbiterAction::TakeBack { order }) = event.input.plain() else {
        return Ok(());
    };
    let Some(before) = hall::view(arbiter, None) else {
        return Ok(());
    };
    let (mut trial, mut said) = (arbiter.clone(), Vec::new());
    trial.handle(event, &mut said);
    // Of two who take it back in the same moment the second has done nothing.
    if let Some(OrderError::Refused(reason)) = refused(&said, &event.input)
        && reason.kind == "order-taken-back"
    {
        return Err(OrderError::Refused(reason));
    }
    let after = hall::view(&trial, None);
    let stays = |name: &str| {
        let after = after.as_ref().map(upheld);
        after.is_some_and(|mut after| after.any(|(other, _)| other == name))
    };
    let mut rulings = upheld(&before);
    match rulings.find(|(name, _)| *name != &**order && !stays(name)) {
        Some((_, finding)) => Err(OrderError::refused(rests(&before, finding))),
        None => Ok(()),
    }
}

/// What was upheld, each with the name of the order.
fn upheld(view: &View) -> impl Iterator<Item = (&str, FindingRef)> {
    view.orders.iter().filter_map(|given| {
        let name = given.input.order()?;
        match given.input.plain() {
            Input::Arbiter(ArbiterAction::Uphold(finding)) => Some((name, *finding)),
            _ => None,
        }
    })
}

/// The reason, with the finding by the name of its code and its half-move.
fn rests(view: &View, meant: FindingRef) -> Reason {
    let of = |finding: &&Finding| finding.irregularity.id == meant.id;
    let found = view.findings.iter().find(of).map(|f| &f.irregularity);
    let code = found.map(|found| found.code).or(meant.code);
    let code = code.map(|code| code.to_string()).unwrap_or_default();
    let text = format!("a ruling rests on it ({code} was upheld): take that back first");
    let reason = Reason::new("ruling-rests-on-it", text).with("code", &code);
    found.map_or(reason.clone(), |found| reason.with("ply", found.ply))
}
