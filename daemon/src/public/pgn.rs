//! A game as PGN for the public: with what clocks tell, and without what anybody found.

use arbiter_core::shakmaty::fen::Fen;
use arbiter_core::shakmaty::{Chess, EnPassantMode};
use tournament::ResultCode;

use super::shown::{Person, Shown};
use crate::chess960;
use crate::pgn::{Wrapped, tag};

/// What is said where the record goes on in a way that the arbiter has to look at first.
pub(crate) const WITH_ARBITER: &str = "the game is with the arbiter";

/// The start, where it is not the usual one, as FEN.
pub(crate) fn start(shown: &Shown) -> Option<&str> {
    let usual = Fen::from_position(&Chess::default(), EnPassantMode::Legal).to_string();
    (shown.chess960 || shown.start_fen != usual).then_some(shown.start_fen.as_str())
}

/// The number of the array of Chess960 that a game starts from; 518 is the usual one. `None` where
/// it starts from none.
pub(crate) fn array(shown: &Shown) -> Option<u16> {
    match start(shown) {
        None => Some(518),
        Some(fen) => chess960::number(fen),
    }
}

/// Writes a game, with a line end after the result.
pub(crate) fn render(shown: &Shown) -> String {
    let mut out = String::new();
    let or = |text: &str, unknown: &str| match text.trim() {
        "" => unknown.to_owned(),
        text => text.to_owned(),
    };
    let mut tags = vec![
        ("Event", or(&shown.event, "?")),
        ("Site", or(&shown.site, "?")),
        ("Date", or(&shown.date, "????.??.??")),
        ("Round", or(&shown.round_text, "?")),
        ("White", or(&shown.white.name, "?")),
        ("Black", or(&shown.black.name, "?")),
        ("Result", token(&shown.result).to_owned()),
    ];
    if shown.chess960 {
        tags.push(("Variant", "Chess960".to_owned()));
    }
    if let Some(fen) = start(shown) {
        tags.extend([("SetUp", "1".to_owned()), ("FEN", fen.to_owned())]);
    }
    let table = shown.table.map(|table| table.to_string());
    tags.push(("Board", table.unwrap_or_default()));
    tags.push(("TimeControl", shown.time_control.clone()));
    tags.push(("Termination", termination(shown).to_owned()));
    let names = ["WhiteTitle", "WhiteElo", "WhiteFideId", "WhiteTeam"];
    tags.extend(names.into_iter().zip(of(&shown.white)));
    let names = ["BlackTitle", "BlackElo", "BlackFideId", "BlackTeam"];
    tags.extend(names.into_iter().zip(of(&shown.black)));
    // Lichess takes games of other names for other games: a table keeps its name in a round,
    // whatever game is played there.
    let place = shown.round.zip(shown.table);
    let id = place.map(|(round, table)| format!("{round}.{table}"));
    tags.push(("GameId", id.unwrap_or_else(|| shown.round_text.clone())));
    for (name, value) in tags.iter().filter(|(_, value)| !value.is_empty()) {
        tag(&mut out, name, value);
    }
    out.push('\n');
    out + &moves(shown)
}

fn of(person: &Person) -> [String; 4] {
    let number = |number: Option<u64>| number.map(|n| n.to_string()).unwrap_or_default();
    [
        person.title.clone(),
        number(person.rating.map(u64::from)),
        number(person.fide_id),
        person.team.clone(),
    ]
}

fn moves(shown: &Shown) -> String {
    let mut out = Wrapped::default();
    let mut fields = shown.start_fen.split(' ').skip(1);
    let black_starts = fields.next() == Some("b");
    let first: usize = fields.nth(3).and_then(|n| n.parse().ok()).unwrap_or(1);
    let mut number_due = true;
    for (n, ply) in shown.plies.iter().enumerate() {
        let half = n + usize::from(black_starts);
        let number = first + half / 2;
        match half % 2 {
            0 => out.word(&format!("{number}.")),
            _ if number_due => out.word(&format!("{number}...")),
            _ => {}
        }
        out.word(&ply.san);
        number_due = false;
        let times = [("clk", ply.clock_ms), ("emt", ply.used_ms)];
        let times = times
            .iter()
            .filter_map(|(name, ms)| Some(time(name, (*ms)?)));
        let times: Vec<String> = times.collect();
        if !times.is_empty() {
            out.word(&format!("{{{}}}", times.join(" ")));
            number_due = true;
        }
    }
    if shown.with_arbiter {
        let words = format!("{{{WITH_ARBITER}}}");
        words.split(' ').for_each(|word| out.word(word));
    }
    let result = token(&shown.result);
    // PGN has no sign for a game in which both have lost, or one has half a point and the other
    // none.
    if result == "*" && shown.result != "*" {
        out.word(&format!("{{{}}}", shown.result));
    }
    out.word(result);
    out.finish()
}

/// A result that is public, as PGN has it.
pub(crate) fn token(result: &str) -> &'static str {
    ResultCode::both(result).map_or("*", ResultCode::pgn)
}

/// Said where nobody has played (section 9.8.1 of the standard of 1994).
fn termination(shown: &Shown) -> &'static str {
    let is_by_forfeit = shown.codes().is_some_and(ResultCode::is_by_forfeit);
    match is_by_forfeit && shown.plies.is_empty() {
        true => "unplayed",
        false => "",
    }
}

/// Whole seconds, as a clock shows them.
fn time(name: &str, ms: u64) -> String {
    let s = ms / 1000;
    format!("[%{name} {}:{:02}:{:02}]", s / 3600, s / 60 % 60, s % 60)
}

#[cfg(test)]
mod tests;
