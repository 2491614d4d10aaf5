//! Any bytes as a file of pairings: they are read or refused, what is read can be drawn or is
//! refused, drawn again it changes nothing, and it is written in every format.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tournament::{Act, Format, How, Place, Plan, ResultCode, Tournament, load, write};

/// Every game ends, and the file takes it; what is read of it is what was typed.
fn results(mut tournament: Tournament, round: u16, file: &[u8]) {
    let start = Act::StartRound { round, at: String::new() };
    tournament.apply(&start).expect("a round that is drawn");
    let pairings = tournament.rounds[&round].pairings.clone();
    for table in pairings.iter().filter_map(|pairing| pairing.table) {
        let codes = ResultCode::both("½-0").expect("a result");
        let (how, reason) = (How::Typed, String::new());
        let act = Act::Result {
            round,
            table,
            codes,
            how,
            reason,
        };
        tournament.apply(&act).expect("a result");
    }
    let filled = write::trf(&tournament, round, file).expect("a file of this tournament");
    let sheet = load::read(&filled.bytes, Some(round)).expect("a sheet as before");
    let again = Plan::of(&tournament, &sheet, &Place::default()).expect("a plan");
    assert_eq!(again.changes, []);
}

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
    write::pgn(&tournament, plan.round).expect("games");
    write::res(&tournament, plan.round).expect("results");
    tournament.match_scores(plan.round).expect("matches");
    if sheet.format == Format::Trf {
        results(tournament, plan.round, bytes);
    }
});
