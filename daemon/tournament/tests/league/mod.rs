//! A league of four teams, and what is done with it.

mod file;

use tournament::{Place, Plan, Tournament, load};

pub(crate) use file::*;

pub(crate) fn plan(event: &Tournament, file: &str, place: &Place) -> Plan {
    let sheet = load::read(file.as_bytes(), place.round).expect("a sheet");
    Plan::of(event, &sheet, place).expect("a plan")
}

pub(crate) fn take(event: &mut Tournament, plan: &Plan) {
    for act in &plan.acts {
        event.apply(act).expect("an act of the plan");
    }
}

pub(crate) fn load(event: &mut Tournament, file: &str, round: u16) {
    let place = Place {
        round: Some(round),
        ..Place::default()
    };
    let plan = plan(event, file, &place);
    take(event, &plan);
}

/// As `first against second: first board, second board ...`.
pub(crate) fn matches(event: &Tournament, round: u16) -> Vec<String> {
    let seat = |seat: Option<u16>| seat.map_or("-".to_owned(), |player| player.to_string());
    let told = |played: &tournament::Match| {
        let boards = played.boards.iter();
        let boards: Vec<String> = boards
            .map(|[one, other]| format!("{} {}", seat(*one), seat(*other)))
            .collect();
        let [one, other] = played.teams.map(|team| event.teams[&team].name.clone());
        format!("{one} {other}: {}", boards.join(", "))
    };
    event.rounds[&round].matches.iter().map(told).collect()
}

pub(crate) const FIRST_ROUND: [&str; 2] = [
    "Lakeside Harbour: 6 2, 7 1, 8 -",
    "Hill Valley: 9 12, 10 14, 11 13",
];
