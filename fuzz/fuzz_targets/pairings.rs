//! Any bytes as a file of pairings: they are read or refused, what is read can be drawn or is
//! refused, and drawn again it changes nothing.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tournament::{Place, Plan, Tournament, load, write};

fuzz_target!(|bytes: &[u8]| {
    let Ok(sheet) = load::read(bytes, None) else {
        return;
    };
    let place = Place {
        round: sheet.round.or(Some(1)),
        ..Place::default()
    };
    let mut tournament = Tournament::default();
    let Ok(plan) = Plan::of(&tournament, &sheet, &place) else {
        return;
    };
    for act in &plan.acts {
        tournament.apply(act).expect("an act of the plan");
    }
    let again = Plan::of(&tournament, &sheet, &place).expect("the same plan");
    assert_eq!(again.changes, []);
    write::csv(&tournament, plan.round).expect("a table");
    for pairing in &plan.pairings {
        if let Some(table) = pairing.table {
            write::tags(&tournament, plan.round, table).expect("tags");
        }
    }
});
