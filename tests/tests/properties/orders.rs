//! An order that is taken back was never given.

use arbiter_core::input::{ArbiterAction, FindingRef};
use arbiter_core::ruling::Ruling;
use arbiter_core::view::Finding;
use arbiter_core::{Arbiter, Event, Input};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::Value;
use tests::anything::{self, text};

use super::cases;

/// The first game of a script, with a name for everything that is declared, and nothing taken back.
fn named(script: Vec<Event>) -> Vec<Event> {
    let is_setup = |event: &Event| matches!(event.input, Input::Setup(_));
    let next = script.iter().skip(1).position(is_setup);
    let mut game = script;
    game.truncate(next.map_or(usize::MAX, |n| n + 1));
    game.retain(|event| {
        let plain = event.input.plain();
        !matches!(plain, Input::Arbiter(ArbiterAction::TakeBack { .. }))
    });
    for (n, event) in game.iter_mut().enumerate() {
        let plain = event.input.plain().clone();
        event.input = plain.signed(Some(n.to_string().into()), None);
    }
    game
}

/// Tells `arbiter` an event; whether it was refused.
fn tell(arbiter: &mut Arbiter, event: &Event) -> bool {
    let mut said = Vec::new();
    arbiter.handle(event, &mut said);
    let name = match event.input.plain() {
        Input::Arbiter(ArbiterAction::TakeBack { order }) => Some(order.to_string()),
        _ => event.input.order().map(str::to_owned),
    };
    said.iter().any(|said| match &said.ruling {
        Ruling::Refused { order, .. } => order.as_deref() == name.as_deref(),
        _ => false,
    })
}

/// The finding of one game by its number in another. `None` where one act was found several times:
/// then it is a matter of taste which one is meant.
fn mapped(finding: FindingRef, from: &Arbiter, to: &Arbiter) -> Option<FindingRef> {
    let of = |arbiter: &Arbiter| arbiter.view().map(|view| view.findings).unwrap_or_default();
    let (from, to) = (of(from), of(to));
    let act = |f: &Finding| (f.irregularity.code, f.irregularity.ply, f.irregularity.by);
    let Some(meant) = from.iter().find(|f| f.irregularity.id == finding.id) else {
        return Some(u32::MAX.into());
    };
    let alike = |all: &[Finding]| -> Vec<u32> {
        let alike = all.iter().filter(|f| act(f) == act(meant));
        alike.map(|f| f.irregularity.id).collect()
    };
    match (alike(&from).len(), alike(&to).as_slice()) {
        (1, []) => Some(u32::MAX.into()),
        (1, [only]) => Some((*only).into()),
        _ => None,
    }
}

/// The same order where findings have the numbers of another game.
fn for_other(event: &Event, from: &Arbiter, to: &Arbiter) -> Option<Event> {
    let input = match event.input.plain() {
        Input::Arbiter(ArbiterAction::Uphold(f)) => {
            Input::Arbiter(ArbiterAction::Uphold(mapped(*f, from, to)?))
        }
        Input::Arbiter(ArbiterAction::Dismiss(f)) => {
            Input::Arbiter(ArbiterAction::Dismiss(mapped(*f, from, to)?))
        }
        other => other.clone(),
    };
    let order = event.input.order().map(Into::into);
    let input = input.signed(order, None);
    let at = event.at;
    Some(Event { at, input })
}

/// What a console shows, but for the numbers of findings and those that have fallen.
fn shown(arbiter: &Arbiter) -> Value {
    let mut view = serde_json::to_value(arbiter.view()).expect("a view is JSON");
    if let Some(findings) = view["findings"].as_array_mut() {
        findings.retain(|f| f["status"] != "withdrawn");
        for finding in findings {
            finding["id"] = Value::Null;
            unnumber(&mut finding["evidence"]);
        }
    }
    unnumber(&mut view["orders"]);
    view
}

/// Orders that name a finding name it by its number.
fn unnumber(events: &mut Value) {
    for event in events.as_array_mut().into_iter().flatten() {
        event["id"] = Value::Null;
    }
}

/// An order that was refused: it ends a scan, and does nothing else.
fn refused(event: &Event) -> Event {
    let input = Input::Arbiter(ArbiterAction::Dismiss(u32::MAX.into()));
    Event {
        at: event.at,
        input,
    }
}

/// Plays `script` with and without the order `given`, which is taken back before event `back`.
/// `None`: it was refused, or it cannot be said which finding a later order means.
fn compare(script: &[Event], given: usize, back: usize) -> Option<Result<(), String>> {
    // Whether a game has ended is asked of it as it stands: heard again without the order, it may
    // not be asked, and then that it goes on is no answer.
    let goes_on = |event: &Event| {
        let order = event.input.plain();
        matches!(order, Input::Arbiter(ArbiterAction::GoesOn { .. }))
    };
    if script[given..back].iter().any(goes_on) {
        return None;
    }
    let (mut with, mut without) = (Arbiter::new(), Arbiter::new());
    for (n, event) in script.iter().enumerate() {
        if n == back {
            taken_back(&mut with, script, given, back);
            tick(&mut without, &script[back - 1]);
            if shown(&with) != shown(&without) {
                return Some(Err(difference(&with, &without)));
            }
        }
        // Time passes first: it may bring about what the order is about.
        for arbiter in [&mut with, &mut without] {
            tick(arbiter, event);
        }
        let image = for_other(event, &with, &without)?;
        let was_refused = tell(&mut with, event);
        if n == given {
            if was_refused {
                return None;
            }
            continue;
        }
        let is_between = n > given && n < back;
        match is_between && was_refused {
            true => tell(&mut without, &refused(event)),
            false => tell(&mut without, &image),
        };
    }
    if back == script.len() {
        taken_back(&mut with, script, given, back);
        tick(&mut without, &script[back - 1]);
    }
    let same = shown(&with) == shown(&without);
    Some(
        same.then_some(())
            .ok_or_else(|| difference(&with, &without)),
    )
}

fn taken_back(arbiter: &mut Arbiter, script: &[Event], given: usize, back: usize) {
    let order = given.to_string().into();
    let input = Input::Arbiter(ArbiterAction::TakeBack { order });
    let at = script[back - 1].at;
    assert!(!tell(arbiter, &Event { at, input }), "refused");
}

/// Time passes until an event comes, and nothing else happens.
fn tick(arbiter: &mut Arbiter, until: &Event) {
    let (at, input) = (until.at, Input::Tick);
    tell(arbiter, &Event { at, input });
}

fn difference(with: &Arbiter, without: &Arbiter) -> String {
    let (with, without) = (shown(with), shown(without));
    let fields = with.as_object().into_iter().flatten();
    let other = fields.filter(|(name, value)| without[name.as_str()] != **value);
    let lines = other.map(|(name, value)| {
        let never = &without[name.as_str()];
        format!("{name}:\n taken back {value}\n never given {never}\n")
    });
    lines.collect()
}

fn annuls(event: &Event) -> bool {
    matches!(
        event.input.plain(),
        Input::Arbiter(ArbiterAction::Annul { .. })
    )
}

/// Something is done with the pieces, or pressed.
fn is_done(event: &Event) -> bool {
    matches!(
        event.input.plain(),
        Input::Lift { .. } | Input::Place { .. } | Input::Snapshot { .. } | Input::Press { .. }
    )
}

proptest! {
    #![proptest_config(cases(3_000))]

    #[test]
    fn an_order_taken_back_was_never_given(
        bytes in vec(any::<u8>(), 0..400),
        given in any::<Index>(),
        back in any::<Index>(),
    ) {
        let script = named(anything::script(&bytes));
        let orders: Vec<usize> = (0..script.len())
            .filter(|n| script[*n].input.order().is_some())
            .collect();
        if orders.is_empty() {
            return Ok(());
        }
        let given = *given.get(&orders);
        let back = given + 1 + back.index(script.len() - given);
        // What is done while a game is annulled may be none of its.
        if annuls(&script[given]) && script[given + 1..back].iter().any(is_done) {
            return Ok(());
        }
        if let Some(Err(difference)) = compare(&script, given, back) {
            return Err(TestCaseError::fail(format!(
                "order {given}, taken back before {back}:\n{difference}{}",
                text(&script)
            )));
        }
    }
}
