//! The games of a round without their moves.

use std::fmt::Write;

use super::tags;
use crate::code::ResultCode;
use crate::model::Tournament;
use crate::refusal::Refusal;

/// The round as PGN without moves, one game a table: what programs for broadcasts load. Byes are
/// left out.
///
/// # Errors
/// Where the round is not there.
pub fn pgn(tournament: &Tournament, round: u16) -> Result<String, Refusal> {
    let drawn = tournament
        .rounds
        .get(&round)
        .ok_or(Refusal::NoRound(round))?;
    let mut text = String::new();
    for pairing in &drawn.pairings {
        let Some(table) = pairing.table else { continue };
        // Nothing can go wrong with a text in memory.
        for (name, value) in tags(tournament, round, table)? {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            let _ = writeln!(text, "[{name} \"{value}\"]");
        }
        let result = pairing.settled().map_or("*", ResultCode::pgn);
        let _ = write!(text, "\n{result}\n\n");
    }
    Ok(text)
}
