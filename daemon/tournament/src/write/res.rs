//! Results for Vega: how many follow and of which round, then a line for each, with the starting
//! numbers of White and Black and a number for the result. So Vega's manual of 2016 says (2.11.7;
//! the numbers in 2.5). It is not tried with Vega.

use std::fmt::Write;

use chess_trf::Code;

use crate::code::ResultCode;
use crate::model::Tournament;
use crate::refusal::Refusal;

/// The results of a round for Vega, and the tables whose result it has no number for, such as
/// `½-0`: they are left out, and to be typed there. What is not settled is left out as well.
///
/// # Errors
/// Where the round is not there.
pub fn res(tournament: &Tournament, round: u16) -> Result<(String, Vec<u16>), Refusal> {
    let drawn = tournament
        .rounds
        .get(&round)
        .ok_or(Refusal::NoRound(round))?;
    let (mut lines, mut count, mut left_out) = (String::new(), 0, Vec::new());
    for pairing in &drawn.pairings {
        let (Some(black), Some(codes)) = (pairing.black, pairing.confirmed()) else {
            continue;
        };
        match number(codes) {
            Some(number) => {
                // Nothing can go wrong with a text in memory.
                let _ = writeln!(lines, "{} {black} {number}", pairing.white);
                count += 1;
            }
            None => left_out.extend(pairing.table),
        }
    }
    Ok((format!("{count} {round}\n{lines}"), left_out))
}

/// The key that is pressed for a result in Vega.
fn number(codes: [ResultCode; 2]) -> Option<u8> {
    match codes.map(|code| code.0) {
        [Code::Win, Code::Loss] => Some(1),
        [Code::Loss, Code::Win] => Some(0),
        [Code::Draw, Code::Draw] => Some(5),
        [Code::ForfeitWin, Code::ForfeitLoss] => Some(3),
        [Code::ForfeitLoss, Code::ForfeitWin] => Some(4),
        [Code::ForfeitLoss, Code::ForfeitLoss] => Some(2),
        _ => None,
    }
}
