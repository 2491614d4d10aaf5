//! A table of a round, for spreadsheets.

use crate::code::ResultCode;
use crate::model::{Player, Tournament};
use crate::refusal::Refusal;

const HEADINGS: [&str; 12] = [
    "round",
    "table",
    "white",
    "black",
    "result",
    "white_no",
    "black_no",
    "white_id",
    "black_id",
    "white_team",
    "black_team",
    "how",
];

/// The round as a table with headings.
///
/// # Errors
/// Where the round is not there.
pub fn csv(tournament: &Tournament, round: u16) -> Result<String, Refusal> {
    let drawn = tournament
        .rounds
        .get(&round)
        .ok_or(Refusal::NoRound(round))?;
    let mut text = line(HEADINGS.map(str::to_owned));
    for pairing in &drawn.pairings {
        let player = |number: Option<u16>| number.and_then(|n| tournament.players.get(&n));
        let (white, black) = (player(Some(pairing.white)), player(pairing.black));
        let name = |player: Option<&Player>| player.map(|p| harmless(&p.name)).unwrap_or_default();
        let team = |player: Option<&Player>| {
            let name = player.map(|player| tournament.team_name(player));
            harmless(&name.unwrap_or_default())
        };
        let id = |player: Option<&Player>| number(player.and_then(|p| p.fide_id));
        let result = match pairing.settled() {
            Some([one, _]) if pairing.is_bye() => one.to_string(),
            Some(both) => ResultCode::written(both),
            None => String::new(),
        };
        let how = pairing.outcome.as_ref().map(|o| serde_json::json!(o.how));
        text += &line([
            round.to_string(),
            number(pairing.table),
            name(white),
            name(black),
            result,
            pairing.white.to_string(),
            number(pairing.black),
            id(white),
            id(black),
            team(white),
            team(black),
            how.and_then(|how| how.as_str().map(str::to_owned))
                .unwrap_or_default(),
        ]);
    }
    Ok(text)
}

fn number(number: Option<impl ToString>) -> String {
    number.map(|number| number.to_string()).unwrap_or_default()
}

/// A name; one that a spreadsheet would take for a formula begins with an apostrophe.
fn harmless(name: &str) -> String {
    if is_formula(name) {
        format!("'{name}")
    } else {
        name.to_owned()
    }
}

/// Whether a spreadsheet would take a text for a formula, or for one that is guarded.
pub(crate) fn is_formula(name: &str) -> bool {
    let name = name.trim_start_matches('\'');
    name.starts_with(['=', '+', '-', '@', '\t', '\r'])
}

/// One line, quoted where it needs to be.
fn line(fields: [String; 12]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Nothing is written but to memory, and no field is other than text.
    let written = writer.write_record(&fields).is_ok();
    let bytes = writer.into_inner().unwrap_or_default();
    String::from_utf8(bytes)
        .ok()
        .filter(|_| written)
        .unwrap_or_default()
}
