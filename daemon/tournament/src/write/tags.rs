//! The PGN tags of a pairing (PGN standard of 1994, section 9, and the tags that broadcasts use).

use crate::code::ResultCode;
use crate::details::pgn_day;
use crate::model::{Player, Tournament};
use crate::refusal::Refusal;

/// The tags of the game at a table, names and values; what nobody said is left out. The round is
/// `3.12`: round and table.
///
/// # Errors
/// Where there is no such pairing.
pub fn tags(
    tournament: &Tournament,
    round: u16,
    table: u16,
) -> Result<Vec<(&'static str, String)>, Refusal> {
    let pairing = tournament.pairing(round, table)?;
    let details = tournament.described();
    let drawn = &tournament.rounds[&round];
    let player = |number| tournament.players.get(&number).cloned().unwrap_or_default();
    let white = player(pairing.white);
    let black = pairing.black.map(player).unwrap_or_default();
    let is_forfeit = |code: &ResultCode| !code.0.is_played() && !code.0.is_bye();
    let by_forfeit = pairing
        .settled()
        .is_some_and(|codes| codes.iter().all(is_forfeit));
    let start = pairing.start.clone().unwrap_or_default();
    let mut tags = vec![
        ("Event", details.name.clone()),
        ("Site", details.site.clone()),
        ("Date", pgn_day(&drawn.date).unwrap_or_default()),
        ("Round", format!("{round}.{table}")),
        ("White", white.name.clone()),
        ("Black", black.name.clone()),
        (
            "Result",
            pairing.settled().map_or("*", ResultCode::pgn).to_owned(),
        ),
        (
            "Variant",
            if start.chess960 { "Chess960" } else { "" }.to_owned(),
        ),
        (
            "SetUp",
            if start.fen.is_empty() { "" } else { "1" }.to_owned(),
        ),
        ("FEN", start.fen),
        ("Board", table.to_string()),
        ("EventDate", pgn_day(&details.start).unwrap_or_default()),
        ("TimeControl", details.time_control.clone()),
    ];
    let of = [
        (
            &white,
            ["WhiteTitle", "WhiteElo", "WhiteFideId", "WhiteTeam"],
        ),
        (
            &black,
            ["BlackTitle", "BlackElo", "BlackFideId", "BlackTeam"],
        ),
    ];
    for (player, names) in of {
        let team = tournament.team_name(player);
        tags.extend(names.into_iter().zip(values(player, team)));
    }
    tags.push((
        "Termination",
        if by_forfeit { "unplayed" } else { "" }.to_owned(),
    ));
    tags.retain(|(_, value)| !value.is_empty());
    Ok(tags)
}

fn values(player: &Player, team: String) -> [String; 4] {
    [
        player.title.clone(),
        player
            .rating
            .map(|rating| rating.to_string())
            .unwrap_or_default(),
        player.fide_id.map(|id| id.to_string()).unwrap_or_default(),
        team,
    ]
}
