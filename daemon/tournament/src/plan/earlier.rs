//! What a file says of the rounds before the one that is drawn.

use super::Oddity;
use crate::code::ResultCode;
use crate::load::{Earlier, Sheet};
use crate::model::{Pairing, Round, Tournament};

/// Games of earlier rounds that ended otherwise or were played with other colours, and byes that
/// were others. Whom the file pairs otherwise is another matter.
pub(super) fn others(before: &Tournament, sheet: &Sheet) -> Vec<Oddity> {
    let told = |said: &Earlier| {
        let drawn = before.rounds.get(&said.round);
        match (drawn, said.black) {
            (None, _) => Vec::new(),
            (Some(drawn), None) => bye(drawn, said).into_iter().collect(),
            (Some(drawn), Some(black)) => game(drawn, said, black),
        }
    };
    sheet.earlier.iter().flat_map(told).collect()
}

fn game(drawn: &Round, said: &Earlier, black: u16) -> Vec<Oddity> {
    let both = |p: &&Pairing| {
        let seated = (p.white, p.black);
        seated == (said.white, Some(black)) || seated == (black, Some(said.white))
    };
    let Some((pairing, table)) = drawn
        .pairings
        .iter()
        .find(both)
        .and_then(|pairing| Some((pairing, pairing.table?)))
    else {
        return Vec::new();
    };
    let (round, is_turned) = (said.round, pairing.white != said.white);
    let [white, black] = said.codes;
    let codes = if is_turned {
        [black, white]
    } else {
        said.codes
    };
    let stands = pairing.outcome.as_ref().map(|outcome| outcome.codes);
    let other = (stands != Some(codes)).then(|| Oddity::OtherEarlier {
        round,
        table,
        said: ResultCode::written(codes),
        stands: stands.map(ResultCode::written),
    });
    let turned = (is_turned && said.is_coloured).then_some(Oddity::OtherColours { round, table });
    turned.into_iter().chain(other).collect()
}

fn bye(drawn: &Round, said: &Earlier) -> Option<Oddity> {
    let mut byes = drawn.pairings.iter().filter(|pairing| pairing.is_bye());
    let stands = byes.find(|pairing| pairing.white == said.white);
    let stands = stands.and_then(|pairing| pairing.outcome.as_ref());
    let stands = stands.map(|outcome| outcome.codes[0]);
    let code = said.codes[0];
    // Who was absent need not be in the list of pairings.
    let is_absent = stands.is_none() && code.0 == chess_trf::Code::ZeroPointBye;
    (stands != Some(code) && !is_absent).then(|| Oddity::OtherBye {
        round: said.round,
        player: said.white,
        said: code.to_string(),
        stands: stands.map(|code| code.to_string()),
    })
}
